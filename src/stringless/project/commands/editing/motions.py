"""Motions: opened in the editor, closed, and kept as a branch."""

from typing import Any

from stringless.editing.data import from_data
from stringless.editing.editor import Editor
from stringless.editing.takes import make_scene, open_present, open_take, record
from stringless.errors import InputError
from stringless.model.scene import Scene
from stringless.project.commands.editing.freedoms import lock_start
from stringless.project.commands.registry import Project, command
from stringless.project.commands.scene import set_scene
from stringless.project.scenes import scene_id
from stringless.simulation import Simulation


@command("edit the take")
def edit_open(
    project: Project,
    lane: int | str | None = None,
    begin: float | None = None,
    end: float | None = None,
    keep_start: bool | None = None,
    dt: float | None = None,
) -> str:
    """Open what is on record for editing, all of a branch or from a time to another; says why it ends early if it does.

    `keep_start` keeps the pose that the motion begins with; if nothing is said, where the take has something before it. `dt` is
    another step than the take was simulated with [s]: shorter for finer edits, longer for faster ones.
    """
    project.edits.require_closed()
    chosen = project.take.branch(project.position.branch if lane is None else lane)
    at = project.take.begin(chosen.id) if begin is None else begin
    if dt is None and project.edits.reopen(chosen.id, at, project.take.end(chosen.id) if end is None else end):
        if keep_start is not None:
            with project.edits.changing() as again:
                lock_start(again, keep_start)
        return f"This is the edit that '{chosen.name}' was kept from."
    if project.take.owner(at, chosen.id).scene != scene_id(project.scene_data):
        raise InputError(f"branch '{chosen.name}' shows another scene than is open now; go to a time in it first")
    opened = open_take(project.sim, branch=chosen.id, begin=begin, end=end)
    editor, first = opened.editor, project.take.begin(chosen.id)
    if dt is not None and dt != editor.course.dt:
        start = editor.controls
        editor = Editor(project.scene(), duration=editor.course.duration, dt=dt, q=start.q, v=start.v)
    if opened.begin > first if keep_start is None else keep_start:
        lock_start(editor, True)
    project.edits.open(editor, opened.branch, opened.begin)
    return opened.note


@command("edit from here")
def edit_start(project: Project, duration: float = 1.0, dt: float | None = None) -> None:
    """Open the motion that the character would have from now on, left to itself, for so many seconds."""
    position = project.position
    editor = open_present(project.sim, float(duration), dt=dt)
    project.edits.open(editor, position.branch, project.sim.time)


@command("edit the study")
def edit_study(project: Project) -> None:
    """Open the motion that the scene carries to be edited."""
    study = project.scene().study
    if study is None:
        raise InputError(f"scene '{project.scene().name}' carries no motion to edit; use edit_open() or edit_start()")
    project.edits.open(from_data(project.scene(), dict(study)), first=study.get("first"))


@command("close the editor")
def edit_close(project: Project) -> None:
    """Close the editor; the motion is thrown away, and undo brings it back."""
    project.edits.close()


@command("keep the motion {name}")
def edit_keep(project: Project, name: str = "", close: bool = True) -> int:
    """Make the edited motion a branch of the take, to direct from any time in it; returns the number of the branch.

    A character that is held in its scene and lets go goes on in a scene in which its root is free.
    """
    edits, here = project.edits, project.position
    editor, data = edits.editor(), edits.data
    assert data is not None
    for miss in editor.run.misses:
        raise InputError(
            f"transition {miss.transition + 1} of the motion misses its bar by {miss.gap:.3g} m, and would hold on to nothing; "
            "solve first, or take the transition out"
        )
    known, scene = set(project.take.branches), project.scene_data
    stage = make_scene(editor, project.scene())
    is_freed = stage is not project.scene()
    if is_freed and not close:
        raise InputError(
            "the motion lets go of what holds its root, and is kept in another scene: close=False cannot be had"
        )
    _rehearse(project, editor, data, stage)
    if name:
        project.take.check_name(name)
    try:
        if is_freed:
            set_scene(project, stage)
        elif data["lane"] is not None:
            project.go_to(data["begin"], data["lane"])
        if is_freed or data["lane"] is None:
            project.sim.state.time = data["begin"]
        record(project.sim, editor)
        project.finish()
        if name:
            project.take.rename(project.take.current, name)
    except BaseException:
        if here.branch is not None:
            project.go_to(here.time, here.branch)
        raise
    if close:
        edits.data = None
    branch = project.take.current
    if branch not in known:
        project.journal.hide_before(branch)
        edits.remember(branch, data, scene)
    return branch


def _rehearse(project: Project, editor: Editor, data: dict[str, Any], stage: Scene) -> None:
    """Simulate the motion once on a copy: one that fails on its way would leave half a branch behind."""
    sim, branch = project.sim, data["lane"]
    if stage is not project.scene():
        there = Simulation(stage, record=0, dt=sim.config.dt)
    else:
        there = sim.fork() if branch is None else sim.recording.copy_at(data["begin"], branch)[0]
    there.state.time = data["begin"]
    record(there, editor)
