"""What may change in an edit, and how easily."""

from typing import Any

import numpy as np

from stringless.editing.data import controls_data
from stringless.editing.editor import Editor
from stringless.kinematics.bodies import body_poses
from stringless.project.commands.editing.transitions import list_transitions
from stringless.project.commands.registry import Project, command

POSE = ("position", "rotation")
SEEN = 1e-3
"""A smaller jump is not seen [m, rad]."""


@command("lock {body}")
def edit_lock(editor: Editor, attributes: list[str] | None = None, body: str | None = None) -> None:
    """Keep attributes as they are, all if none is named: of the joint that carries a body, or of everything."""
    editor.lock(*(attributes or ()), body=body or None)


@command("unlock {body}")
def edit_unlock(editor: Editor, attributes: list[str] | None = None, body: str | None = None) -> None:
    """Let attributes change again."""
    editor.unlock(*(attributes or ()), body=body or None)


@command("weigh what may change")
def edit_weigh(editor: Editor, masses: dict[str, float]) -> None:
    """Say how much attributes resist being changed, 1 if nothing is said."""
    editor.set_resistance(masses)


@command("allow other things to change")
def edit_allow(
    project: Project,
    gravity: bool | None = None,
    masses: bool | None = None,
    push: bool | None = None,
    times: bool | None = None,
    muscles: dict[str, int] | None = None,
) -> None:
    """Choose what an edit may change beside the start.

    Gravity, masses, velocities that are added at transitions (`push`), times of transitions, and efforts of joints by how many
    numbers each (`muscles`). What is not named stays as it is.
    """
    editor = project.edits.editor()
    allowed = {name: name in editor.allowed for name in ("gravity", "masses")}
    allowed |= {name: on for name, on in (("gravity", gravity), ("masses", masses)) if on is not None}
    transitions = list_transitions(project)
    for entry in transitions:
        if push is not None:
            entry["push"] = push
        if times is not None and "time" in entry["when"]:
            entry["when"]["free"] = times
    chosen = dict(editor.muscles) if muscles is None else muscles
    controls = controls_data(editor.controls)
    if chosen != dict(editor.muscles):
        controls.pop("muscles", None)
    names = [name for name, on in allowed.items() if on]
    project.edits.rebuild(transitions=transitions, controls=controls, allowed=names, muscles=chosen)


@command("keep or free the start")
def edit_keep_start(editor: Editor, on: bool = True) -> None:
    """Keep the pose that the motion begins with, or let edits change it; its velocities may change in any case."""
    lock_start(editor, on)


def lock_start(editor: Editor, on: bool) -> None:
    """Lock positions and rotations of all bodies at the start, or unlock them."""
    (editor.lock if on else editor.unlock)(*POSE)


def keeps_start(editor: Editor) -> bool:
    """Whether no edit can change the initial pose."""
    locked = editor.locked
    return all(locked[c] for c, column in enumerate(editor.every) if column.attribute == "q")


def describe_jump(editor: Editor, data: dict[str, Any]) -> str:
    """What jumps, and how far, where the edited motion leaves the take; empty if nothing does."""
    model = editor.model
    was, now = (body_poses(model, np.array(q, float)) for q in (data["first"]["controls"]["q"], editor.controls.q))
    ways = np.linalg.norm(now.position - was.position, axis=1)
    far = int(ways.argmax())
    if ways[far] > SEEN:
        return f"{model.specs[far].name} jumps by {100 * ways[far]:.2g} cm"
    # The angle of a rotation from its trace: tr R = 1 + 2 cos.
    traces = np.einsum("bij,bij->b", now.rotation, was.rotation)
    turns = np.arccos(np.clip((traces - 1.0) / 2.0, -1.0, 1.0))
    far = int(turns.argmax())
    return f"{model.specs[far].name} turns by {np.degrees(turns[far]):.2g}°" if turns[far] > SEEN else ""
