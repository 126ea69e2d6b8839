"""Changes of a motion: solving for its nails, and drags."""

from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from stringless.editing.data import read_controls
from stringless.editing.editor import Editor
from stringless.errors import InputError
from stringless.kinematics.bodies import body_poses
from stringless.model.joints.ball import BALL
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix, rotation_matrix
from stringless.project.commands.editing.nails import ORIGIN, read_target, snap_time
from stringless.project.commands.registry import command
from stringless.spatial import rotation
from stringless.spatial.arrays import FloatArray

Data = dict[str, Any]
Count = Annotated[int, Meta(ge=1)]
STEPS = 12
"""Most iterations of Gauss-Newton; three to eight are usual."""
STARTS = (0.0, 0.5 * np.pi, -0.5 * np.pi, np.pi)
"""Initial coordinates; the best result counts."""
SMALL = 1e-6
"""Change of coordinates for finite differences, and below which the iteration ends [rad, m]."""


@command("solve")
def edit_solve(
    editor: Editor, nails_only: bool = False, nearest: bool = False, iterations: Count = 50, found: Data | None = None
) -> Data:
    """Change the motion until all nails are met, or nothing helps any more; what came of it.

    If not all can be had, the motion stays, or is the one that comes `nearest` to all; nails of more strength are met better.
    `found` are the controls that such a search has led to already.
    """
    if found is not None:
        editor.set_controls(read_controls(found))
        return {"error": editor.error(), "iterations": 0, "message": ""}
    edits = editor.solve(iterations=iterations, nails_only=nails_only, nearest=nearest)
    return {"error": editor.error(), "iterations": len(edits), "message": edits[-1].message if edits else ""}


@command("drag {body}")
def edit_drag(
    editor: Editor,
    body: str = "",
    time: float = 0.0,
    target: Any = None,
    what: str = "point",
    point: Any = ORIGIN,
    nail: int | None = None,
    found: Data | None = None,
) -> None:
    """Drag the motion at a time: a point of a body, the centre of gravity or, by a quaternion, how the body is turned.

    `what` is point, center, turn (in the world) or bend (in the parent body).

    With the number of a `nail` it is the nail's target that is moved. `found` are the controls that a hand has found; if not
    given, they are looked for.
    """
    if nail is not None:
        constraint = editor.constraint(nail)
        constraint.target = np.array(read_target(constraint.kind, target), float).reshape(constraint.target.shape)
    if found is not None:
        editor.set_controls(read_controls(found))
        return
    held = None if nail is not None else add_drag(editor, body, float(time), target, what, point)
    editor.solve()
    if held is not None:
        editor.remove(held)


def add_drag(editor: Editor, body: str, time: float, target: Any, what: str, point: Any) -> Any:
    """Add the constraint of a drag."""
    time = snap_time(editor, time)
    if what == "point":
        goal = editor.point(body, time, point) if target is None else target
        return editor.drag(body, time=time, target=goal, point=point)
    if what == "center":
        return editor.drag_center(time=time, target=editor.find_bodies(time).center()[0] if target is None else target)
    if what in ("turn", "bend"):
        bends = what == "bend"
        if target is None:
            goal = _find_present_rotation(editor, body, time, bends)
        else:
            goal = find_rotation(editor, body, target, bends=bends)
        return editor.turn(body, time=time, target=goal, joint=bends)
    raise InputError(f"cannot drag '{what}' of a motion; expected point, center, turn or bend")


def find_rotation(editor: Editor, body: str, target: Any, *, bends: bool) -> Any:
    """A wanted rotation as a matrix; if a joint is bent, the nearest that it can do."""
    goal = rotation_matrix(tuple(target))
    return find_nearest_bend(editor.model, body, goal) if bends else goal


def _find_present_rotation(editor: Editor, body: str, time: float, bends: bool) -> Any:
    """The rotation of a body in the world or, if its joint is bent, in its parent."""
    seen, index = editor.find_bodies(time), editor.model.body(body).index
    parent = int(editor.model.tree["parent"][index])
    return seen.R[parent].T @ seen.R[index] if bends and parent >= 0 else seen.R[index]


def find_nearest_bend(model: Model, body: str, wanted: FloatArray) -> FloatArray:
    """The rotation of a body in its parent nearest to a wanted one: least `|log(Rᵀ R_wanted)|` over its joint's coordinates.

    A body without a parent can have any rotation, and so can one on a ball joint.
    """
    joint = Joint(model, model.body(body).index)
    return wanted if joint.parent < 0 or joint.turning > 2 else joint.find_rotation(joint.find_nearest(wanted))


def find_nearest_coordinates(model: Model, body: str, wanted: FloatArray) -> FloatArray:
    """Coordinates of the joint of a body for which its rotation in its parent is nearest to a wanted one."""
    carried = model.body(body)
    if carried.joint.kind is BALL:
        return np.array(quaternion_from_matrix(carried.spec.place.matrix.T @ wanted))
    return Joint(model, carried.index).find_nearest(wanted)[carried.joint.q_slice]


class Joint:
    """The joint of one body."""

    def __init__(self, model: Model, index: int) -> None:
        self.model, self.index, self.parent = model, index, int(model.tree["parent"][index])
        self.own = model.joints[index].v_slice
        self.count = self.own.stop - self.own.start
        self.turning = sum(model.joints[index].kind.angular)

    def move(self, q: FloatArray, by: ArrayLike) -> FloatArray:
        """A configuration with other coordinates of this joint."""
        step = np.zeros(self.model.nv)
        step[self.own] = by
        return self.model.integrate(q, step)

    def find_rotation(self, q: FloatArray) -> FloatArray:
        """The rotation of the body in its parent."""
        turns = body_poses(self.model, q).rotation
        return turns[self.parent].T @ turns[self.index] if self.parent >= 0 else turns[self.index]

    def find_nearest(self, wanted: FloatArray) -> FloatArray:
        """The configuration in which the rotation is nearest to a wanted one."""
        ends = [self.iterate(wanted, start) for start in STARTS]
        return min(ends, key=lambda q: float(np.linalg.norm(_log(self.find_rotation(q).T @ wanted))))

    def iterate(self, wanted: FloatArray, start: float) -> FloatArray:
        """The configuration that Gauss-Newton finds from initial coordinates."""
        q = self.move(self.model.neutral(), start)
        for _ in range(STEPS):
            now = self.find_rotation(q)
            units = np.eye(self.count) * SMALL
            slopes = [_log(now.T @ self.find_rotation(self.move(q, unit))) / SMALL for unit in units]
            step = np.linalg.lstsq(np.reshape(slopes, (-1, 3)).T, _log(now.T @ wanted), rcond=None)[0]
            q = self.move(q, step)
            if np.abs(step).max(initial=0.0) < SMALL:
                break
        return q


def _log(turn: FloatArray) -> FloatArray:
    return np.array(rotation.log_quaternion(tuple(quaternion_from_matrix(turn))))
