"""Opening: the gallery, scenes, files, projects, performances."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stringless.errors import InputError, ProjectError
from stringless.model.checks import suggest
from stringless.performances import PERFORMANCES
from stringless.project import Project
from stringless.project.project import ENDING
from stringless.scenes import SCENES, load_scene, motions, trapeze
from stringless.studio.actions.registry import action
from stringless.studio.desk import Desk
from stringless.studio.jobs import Job

if TYPE_CHECKING:
    from stringless.studio.session import Session

STUDIES = tuple(module.__name__ for module in (motions, trapeze))
"""Where scenes are that carry a motion to edit."""
FIRST, FIRST_OPTIONS = "worm", {"above": 0.005}
Kind = Literal["scene", "performance", "file", "project"]


@action(for_all=True)
def gallery(session: Session, page: int) -> list[dict[str, Any]]:
    """All built-in scenes and performances; `study` tells of scenes that carry a motion to edit."""
    scenes: list[dict[str, Any]] = [
        {"kind": "scene", "name": name, "title": _title(name), "description": entry.description, "scene": name}
        for name, entry in SCENES.items()
    ]
    acts = [
        {"kind": "performance", "name": name, "title": _title(name), "description": act.summary, "scene": act.scene}
        for name, act in PERFORMANCES.items()
    ]
    for row in scenes:
        row["study"] = SCENES[row["name"]].build.__module__ in STUDIES
    return [{"study": False, "picture": f"pictures/{row['name']}.webp", **row} for row in [*scenes, *acts]]


@action(name="open")
def open_something(
    session: Session, page: int, source: str, kind: Kind = "scene", options: dict[str, Any] | None = None
) -> int | None:
    """Open a scene, a performance, a file or a project; of a performance the number of the job that plays it.

    `options` are those of a scene or of the reader of a file, such as `floating` of a URDF file.
    """
    if options and kind not in ("scene", "file"):
        raise InputError(f"a {kind} is opened without options; found {', '.join(options)}")
    if kind == "performance":
        return begin_performance(session, source)
    if kind == "scene" and source not in SCENES:
        raise InputError(f"there is no scene '{source}'. {suggest(source, SCENES)}")
    if kind not in ("scene", "file", "project"):
        raise InputError(f"cannot open a '{kind}'; expected scene, performance, file or project")
    path = source if kind == "scene" else str(session.reachable.inside(source))
    session.put_on_desk(open_source(session, path, options=options))
    return None


@action()
def new(session: Session, page: int, scene: str = "worm") -> None:
    """Begin a new project with a scene."""
    open_something(session, page, scene)


def open_source(
    session: Session, source: str, settings: dict[str, Any] | None = None, options: dict[str, Any] | None = None
) -> Desk:
    """What is to be put on the desk: a built-in scene by its name, a project by its suffix, else a file with a scene.

    Without a name it is the worm, which then lies on the floor: whoever comes first wants to take hold of it.
    """
    options = options if source else FIRST_OPTIONS
    source = source or FIRST
    path = Path(source)
    with session.doing(f"Opening {source if source in SCENES else path.name}"):
        if path.suffix == ENDING:
            return open_project(session, path)
        place = session.shelf.new_path(path.stem)
        project = Project.create(source, place, options=options, **(settings or {}))
        session.shelf.keep(place)
        return Desk(project, session.next_epoch, unsaved=True)


def open_project(session: Session, path: Path) -> Desk:
    """A project that is there already."""
    path = path.expanduser().resolve()
    if session.desk is not None and session.desk.project.path == path:
        raise ProjectError(f"'{path.name}' is open already")
    try:
        project = Project.open(path)
    except BaseException:
        session.shelf.refuse(path)
        raise
    session.shelf.keep(path)
    desk = Desk(project, session.next_epoch, unsaved=session.shelf.is_unsaved(path))
    session.shelf.note(path, desk.title)
    return desk


# --- performances ---


def begin_performance(session: Session, name: str) -> int:
    """Play a performance beside what is open; when it has been played, it is opened and shown from its start."""
    if name not in PERFORMANCES:
        raise InputError(f"there is no performance '{name}'. {suggest(name, PERFORMANCES)}")

    def finished(job: Job, project: Project) -> None:
        if job.stop.is_set():
            project.close()
        else:
            session.mailbox.put(0, lambda: show_performance(session, project))

    return session.jobs.begin(_title(name), lambda job: perform(session, name, job), finished).id


def perform(session: Session, name: str, job: Job) -> Project:
    """A project of its own in which a performance was played."""
    act = PERFORMANCES[name]
    path = session.shelf.new_path(name)
    project = Project.create(load_scene(act.scene, **act.options), path, **act.settings)
    session.shelf.keep(path)
    try:
        project.watch = lambda: job.report(project.sim.time / act.length, f"{project.sim.time:.1f} s played")
        project.do("perform", name=name)
        project.watch = None
        project.finish()
    except BaseException:
        project.close()
        session.shelf.discard(path)
        raise
    return project


def show_performance(session: Session, project: Project) -> None:
    """Put a performance on the desk and show it from its start."""
    desk = Desk(project, session.next_epoch, unsaved=True)
    session.put_on_desk(desk)
    desk.player.replay(project.take.begin())


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()
