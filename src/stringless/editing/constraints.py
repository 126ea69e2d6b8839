"""What a person wants of a motion: a point here at this time, a body turned like this, a joint bent so, a speed.

Each says what is there, how far off it is, and how that changes with every column. The mouse holds one while it drags; nails
persist.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stringless.control.checks import array
from stringless.editing.bodies import Bodies
from stringless.editing.plan import LARGEST, three
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix, rotation_matrix
from stringless.spatial import rotation
from stringless.spatial.arrays import FloatArray

UNIT = 1e-6
"""How far from 1 the length of a quaternion may be."""


@dataclass(eq=False)
class Constraint:
    """Something that should be so at one time of a motion."""

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
    unit: ClassVar[str] = "m"
    """Of the target."""

    def check_target(self, model: Model, target: Any) -> FloatArray:
        """A target, or what is wrong with it."""
        return three(target, "'target'", unit=self.unit)

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """The target that would be met already, and how what is there changes: (rows, C)."""
        raise NotImplementedError

    def find_error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """What is missing, and how what is there changes: (rows,), (rows, C)."""
        found, columns = self.find_present(seen)
        return self.target - found, columns


@dataclass(eq=False)
class PointAt(Constraint):
    """A point of a body is at the target [m]."""

    kind: ClassVar[str] = "point"
    point: FloatArray = None  # pyright: ignore[reportAssignmentType]

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Where the point is."""
        return seen.point(self.body, self.point)


@dataclass(eq=False)
class PointVelocity(Constraint):
    """A point of a body has the target's velocity [m/s]."""

    kind: ClassVar[str] = "velocity"
    unit: ClassVar[str] = "m/s"
    point: FloatArray = None  # pyright: ignore[reportAssignmentType]

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """How fast the point is."""
        return seen.point_velocity(self.body, self.point)


@dataclass(eq=False)
class RotationAt(Constraint):
    """A body is turned like the target, a rotation matrix, in the world or, as a joint, in another body."""

    kind: ClassVar[str] = "rotation"
    base: int = -1
    """The body it is seen from, -1 for the world."""

    def check_target(self, model: Model, target: Any) -> FloatArray:
        """A rotation matrix."""
        R = array(target)
        if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=1e-6) or np.linalg.det(R) < 0:
            name = model.specs[self.body].name
            raise InputError(f"'target' for body '{name}' is {target!r}; expected a rotation matrix, 3 by 3")
        return R

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """How the body is turned, and the columns of that turn."""
        R, turn = seen.R[self.body], seen.turn[self.body]
        if self.base < 0:
            return R, turn
        B = seen.R[self.base]
        return B.T @ R, B.T @ (turn - seen.turn[self.base])

    def find_error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """`log(R_target Rᵀ)` and the turn that it takes away, `Jr⁻¹` times the body's (docs/theory/editing.md, section 2)."""
        R, turn = self.find_present(seen)
        missing, J = find_turn_error(self.target @ R.T)
        return missing, J @ turn


@dataclass(eq=False)
class Spin(Constraint):
    """A body turns with the target's angular velocity [rad/s]."""

    kind: ClassVar[str] = "spin"
    unit: ClassVar[str] = "rad/s"

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Its angular velocity."""
        return seen.w[self.body], seen.dw[self.body]


@dataclass(eq=False)
class Center(Constraint):
    """The centre of mass of all bodies is at the target [m]."""

    kind: ClassVar[str] = "center"

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Where the centre is."""
        return seen.center()


@dataclass(eq=False)
class CenterVelocity(Constraint):
    """The centre of mass of all bodies has the target's velocity [m/s]."""

    kind: ClassVar[str] = "center velocity"
    unit: ClassVar[str] = "m/s"

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """How fast the centre is."""
        return seen.center_velocity()


@dataclass(eq=False)
class JointAt(Constraint):
    """The joint that carries a body has the target's coordinates, as the character was built [rad, m]."""

    kind: ClassVar[str] = "joint"

    def check_target(self, model: Model, target: Any) -> FloatArray:
        """As many numbers as the joint has coordinates; a ball's quaternion has length 1."""
        joint, q = model.joints[self.body], np.atleast_1d(array(target))
        if q.shape != (joint.nq,) or not np.all(np.abs(q) <= LARGEST):
            raise InputError(
                f"'target' for joint '{joint.name}' is {target!r}; expected {joint.nq} finite numbers, at most {LARGEST:g}"
            )
        if joint.kind.name == "ball" and abs(np.linalg.norm(q) - 1.0) > UNIT:
            raise InputError(f"'target' for joint '{joint.name}' is {target!r}; expected a quaternion of length 1")
        return q

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Its coordinates."""
        return seen.joint(self.body)

    def find_error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Difference of coordinates; of a ball `log(Rᵀ R_target)`, whose change is `Jl⁻¹` times the tangent."""
        q, columns = self.find_present(seen)
        if len(q) != len(columns):
            missing, J = find_turn_error(rotation_matrix(tuple(q)).T @ rotation_matrix(tuple(self.target)), -1.0)
            return missing, J @ columns
        return self.target - q, columns


@dataclass(eq=False)
class PoseAt(Constraint):
    """All bodies are where the target says: by body place and quaternion, x y z qx qy qz qw, (n, 7).

    The place of the first body [m] and the turns of all [rad] say it: the joints do the rest.
    """

    kind: ClassVar[str] = "pose"

    def check_target(self, model: Model, target: Any) -> FloatArray:
        """A row for each body."""
        return three(target, "'target'", (model.body_count, 7), unit="")

    def find_present(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Where all bodies are, and the columns of the place of this one and of all turns."""
        turns = np.array([quaternion_from_matrix(R) for R in seen.R])
        return np.hstack([seen.p, turns]), np.concatenate([seen.shift[self.body], *seen.turn])

    def find_error(self, seen: Bodies) -> tuple[FloatArray, FloatArray]:
        """Distance of this body, and what is missing of every body's turn."""
        errors, rows = [self.target[self.body, :3] - seen.p[self.body]], [seen.shift[self.body]]
        for b, goal in enumerate(self.target):
            missing, J = find_turn_error(rotation_matrix(tuple(goal[3:])) @ seen.R[b].T)
            errors.append(missing)
            rows.append(J @ seen.turn[b])
        return np.concatenate(errors), np.concatenate(rows)


def find_turn_error(R: FloatArray, side: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """Vector of a turn that is missing and how it shrinks with a turn about world axes: `Jr⁻¹`; from the other side, `Jl⁻¹`."""
    missing = np.array(rotation.log_quaternion(tuple(quaternion_from_matrix(R))))
    J = np.column_stack([rotation.right_jacobian_inverse(tuple(side * missing), tuple(e)) for e in np.eye(3)])
    return missing, J


def list_kinds(base: type[Constraint] = Constraint) -> dict[str, type[Constraint]]:
    """All kinds of constraints that there are, by name."""
    out = {base.kind: base} if base.kind else {}
    for made in base.__subclasses__():
        out.update(list_kinds(made))
    return out
