"""What a person wants of a motion: a point here at this moment, a body turned like this, a joint bent so, a speed.

Each says how far off it is and how that changes with every column. The mouse holds one while it drags; nails persist.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stringless.editing.bodies import Bodies
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix, rotation_matrix
from stringless.spatial import rotation
from stringless.spatial.arrays import FloatArray


@dataclass(eq=False)
class Constraint:
    """Something that should be so at one moment of a motion."""

    body: int
    time: float
    """[s]."""
    target: FloatArray
    strength: float = 1.0
    """How much it counts beside others, where the motion nearest to all is wanted."""
    id: int = 0
    """By which the editor knows it; 0 until it does."""
    kind: ClassVar[str] = ""
    """What is wanted, as a person calls it."""

    def shape(self, model: Model) -> tuple[int, ...]:
        """Of the target."""
        return (3,)

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """What is missing, and how what is there changes: (rows,), (rows, C)."""
        raise NotImplementedError


@dataclass(eq=False)
class PointAt(Constraint):
    """A point of a body is at the target [m]."""

    kind: ClassVar[str] = "point"
    point: FloatArray = None  # pyright: ignore[reportAssignmentType]

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Distance and columns of the point."""
        x, columns = seen.point(self.body, self.point)
        return self.target - x, columns


@dataclass(eq=False)
class PointVelocity(Constraint):
    """A point of a body has the target's velocity [m/s]."""

    kind: ClassVar[str] = "velocity"
    point: FloatArray = None  # pyright: ignore[reportAssignmentType]

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Difference of velocities and columns of the point's."""
        v, columns = seen.point_velocity(self.body, self.point)
        return self.target - v, columns


@dataclass(eq=False)
class Turned(Constraint):
    """A body is turned like the target, a rotation matrix, in the world or, as a joint, in another body."""

    kind: ClassVar[str] = "rotation"
    base: int = -1
    """The body it is seen from, -1 for the world."""

    def shape(self, model: Model) -> tuple[int, ...]:
        """Of a rotation matrix."""
        return 3, 3

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """`log(R_target Rᵀ)` and the turn that it takes away, `Jr⁻¹` times the body's (docs/theory/editing.md, section 2)."""
        R, turn = seen.R[self.body], seen.turn[self.body]
        if self.base >= 0:
            B = seen.R[self.base]
            R, turn = B.T @ R, B.T @ (turn - seen.turn[self.base])
        missing, J = turn_missing(self.target @ R.T)
        return missing, J @ turn


@dataclass(eq=False)
class Spin(Constraint):
    """A body turns with the target's angular velocity [rad/s]."""

    kind: ClassVar[str] = "spin"

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Difference of angular velocities and columns of the body's."""
        return self.target - seen.w[self.body], seen.dw[self.body]


@dataclass(eq=False)
class Center(Constraint):
    """The centre of mass of all bodies is at the target [m]."""

    kind: ClassVar[str] = "center"

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Distance and columns of the centre."""
        x, columns = seen.center()
        return self.target - x, columns


@dataclass(eq=False)
class CenterVelocity(Constraint):
    """The centre of mass of all bodies has the target's velocity [m/s]."""

    kind: ClassVar[str] = "center velocity"

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Difference of velocities and columns of the centre's."""
        v, columns = seen.center_velocity()
        return self.target - v, columns


@dataclass(eq=False)
class JointAt(Constraint):
    """The joint that carries a body has the target's coordinates, as the character was built [rad, m]."""

    kind: ClassVar[str] = "joint"

    def shape(self, model: Model) -> tuple[int, ...]:
        """As many as the joint has coordinates."""
        place = model.joints[self.body].q_slice
        return (place.stop - place.start,)

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Difference of coordinates; of a ball `log(Rᵀ R_target)`, whose change is `Jl⁻¹` times the tangent."""
        q, columns = seen.joint(self.body)
        if len(q) != len(columns):
            missing, J = turn_missing(rotation_matrix(tuple(q)).T @ rotation_matrix(tuple(self.target)), -1.0)
            return missing, J @ columns
        return self.target - q, columns


@dataclass(eq=False)
class PoseAt(Constraint):
    """All bodies are where the target says: by body place and quaternion, x y z qx qy qz qw, (n, 7).

    The place of the first body [m] and the turns of all [rad] say it: the joints do the rest.
    """

    kind: ClassVar[str] = "pose"

    def shape(self, model: Model) -> tuple[int, ...]:
        """A row for each body."""
        return model.body_count, 7

    def error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Distance of this body, and what is missing of every body's turn."""
        errors, rows = [self.target[self.body, :3] - seen.p[self.body]], [seen.shift[self.body]]
        for b, goal in enumerate(self.target):
            missing, J = turn_missing(rotation_matrix(tuple(goal[3:])) @ seen.R[b].T)
            errors.append(missing)
            rows.append(J @ seen.turn[b])
        return np.concatenate(errors), np.concatenate(rows)


def turn_missing(R: FloatArray, side: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """Vector of a turn that is missing and how it shrinks with a turn about world axes: `Jr⁻¹`; from the other side, `Jl⁻¹`."""
    missing = np.array(rotation.log_quaternion(tuple(quaternion_from_matrix(R))))
    J = np.column_stack([rotation.right_jacobian_inverse(tuple(side * missing), tuple(e)) for e in np.eye(3)])
    return missing, J


def kinds_of(base: type[Constraint] = Constraint) -> dict[str, type[Constraint]]:
    """All kinds of constraints that there are, by name."""
    out = {base.kind: base} if base.kind else {}
    for made in base.__subclasses__():
        out.update(kinds_of(made))
    return out
