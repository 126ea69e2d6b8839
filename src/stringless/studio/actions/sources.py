"""Sources to open: scenes, performances, files and projects."""

from pathlib import Path
from typing import Any

from stringless.errors import InputError, ProjectError
from stringless.model.checks import suggest
from stringless.performances import PERFORMANCES, Performance, find_performance
from stringless.project import Project
from stringless.project.project import ENDING
from stringless.scenes import SCENES, load_scene, motions, trapeze
from stringless.studio.actions.registry import Session, action
from stringless.studio.jobs import Job
from stringless.studio.session_state import SessionState

STUDIES = tuple(module.__name__ for module in (motions, trapeze))
"""Modules of scenes that carry a motion to edit."""
FIRST, FIRST_OPTIONS = "worm", {"above": 0.005}


@action(for_all=True)
def gallery() -> list[dict[str, Any]]:
    """All built-in scenes and performances; `study` tells of scenes that carry a motion to edit."""

    def describe(kind: str, name: str, scene: str, description: str, study: bool = False) -> dict[str, Any]:
        shown = {"study": study, "picture": f"pictures/{name}.webp", "kind": kind, "name": name}
        return shown | {"title": _make_title(name), "description": description, "scene": scene}

    scenes = [describe("scene", name, name, s.description, s.build.__module__ in STUDIES) for name, s in SCENES.items()]
    return scenes + [describe("performance", name, act.scene, act.summary) for name, act in PERFORMANCES.items()]


@action(name="open")
def open_something(
    session: Session, source: str, kind: str = "scene", options: dict[str, Any] | None = None
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
    session.open_state(open_source(session, path, options=options))
    return None


@action()
def new(session: Session, scene: str = "worm") -> None:
    """Begin a new project with a scene."""
    open_something(session, scene)


def open_source(
    session: Session, source: str, settings: dict[str, Any] | None = None, options: dict[str, Any] | None = None
) -> SessionState:
    """Open a built-in scene by its name, a project by its suffix, else a file with a scene.

    Without a source it is the worm, which then lies on the floor: a newcomer wants to take hold of it.
    """
    options = options if source else FIRST_OPTIONS
    source = source or FIRST
    path, storage = Path(source), session.storage
    with session.show_progress(f"Opening {source if source in SCENES else path.name}"):
        if path.suffix == ENDING:
            return open_project(session, path)
        own_path = storage.make_path(path.stem)
        project = Project.create(source, own_path, options=options, **(settings or {}))
        storage.keep(own_path)
        return SessionState(project, session.notifier.next_epoch, unsaved=True)


def open_project(session: Session, path: Path) -> SessionState:
    """Open a project file."""
    path, storage = path.expanduser().resolve(), session.storage
    if session.state is not None and session.state.project.path == path:
        raise ProjectError(f"'{path.name}' is open already")
    try:
        project = Project.open(path)
    except BaseException:
        storage.reject(path)
        raise
    storage.keep(path)
    state = SessionState(project, session.notifier.next_epoch, unsaved=storage.is_unsaved(path))
    storage.add_recent(path, state.title)
    return state


def begin_performance(session: Session, name: str) -> int:
    """Play a performance in the background; when it is finished, it is opened and shown from its start."""
    act = find_performance(name)

    def finish(job: Job, project: Project) -> None:
        if job.stop.is_set():
            project.close()
        else:
            session.queue.put(0, lambda: _show_performance(session, project))

    return session.jobs.begin(_make_title(name), lambda job: _play_performance(session, act, job), finish).id


def _play_performance(session: Session, act: type[Performance], job: Job) -> Project:
    path = session.storage.make_path(act.name)
    project = Project.create(load_scene(act.scene, **act.options), path, **act.settings)
    session.storage.keep(path)
    try:
        project.watch = lambda: job.report(project.sim.time / act.length, f"{project.sim.time:.1f} s played")
        project.do("perform", name=act.name)
        project.watch = None
        project.finish()
    except BaseException:
        project.close()
        session.storage.discard(path)
        raise
    return project


def _show_performance(session: Session, project: Project) -> None:
    state = SessionState(project, session.notifier.next_epoch, unsaved=True)
    session.open_state(state)
    state.player.replay(project.take.begin())


def _make_title(name: str) -> str:
    return name.replace("_", " ").capitalize()
