"""What can be wrong with the description of one body, as problems a person can act on."""

import difflib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from stringless.errors import Problem
from stringless.model.joints import JOINT_TYPES, JointType, find_joint
from stringless.model.pose import Pose
from stringless.model.shapes import SIZE_NAMES, Shape
from stringless.model.solids import tensor
from stringless.model.spec import BodySpec, JointSpec

UNIT_TOLERANCE = 1e-6
"""How far a quaternion's length may be from 1 before it is taken for a mistake rather than for rounding."""
LARGEST = 1e30
"""Numbers beyond this, in SI units, are mistakes."""
TRIANGLE_TOLERANCE = 1e-6
"""Relative violation of the triangle inequality forgiven to files that write few digits."""


def suggest(name: str, names: Iterable[str]) -> str:
    """Say which known names come closest to a wrong one."""
    known = sorted(names)
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"Did you mean '{close[0]}'?"
    shown = ", ".join(f"'{k}'" for k in known[:8]) + (", ..." if len(known) > 8 else "")
    return f"Known names: {shown}." if known else ""


def name_problems(what: str, names: Iterable[str]) -> Iterator[Problem]:
    """Names that are empty or given twice."""
    for name, count in Counter(names).items():
        if not name:
            yield Problem(f"{what} without a name", "an empty name", "a name", f"Every {what} needs one.")
        elif count > 1:
            yield Problem(f"{what} '{name}'", f"{count} of this name", "one", "Rename the others.")


def body_problems(spec: BodySpec) -> Iterator[Problem]:
    """Everything wrong with `spec` that can be seen without looking at the other bodies."""
    where = f"body '{spec.name}'"
    yield from pose_problems(f"{where}, place", spec.place)
    yield from _mass_problems(where, spec)
    for number, shape in enumerate(spec.shapes):
        yield from shape_problems(f"{where}, shape '{shape.name or number}'", shape)
    yield from _joint_problems(f"joint '{spec.joint.name or spec.name}' of {where}", spec.joint)


def _not_finite(values: Iterable[float]) -> bool:
    # Squares of anything larger would overflow on the way to an inertia.
    return not all(abs(value) <= LARGEST for value in values)


def pose_problems(where: str, pose: Pose) -> Iterator[Problem]:
    """Everything wrong with a place."""
    if len(pose.position) != 3 or _not_finite(pose.position):
        yield Problem(where, f"position {pose.position}", "three finite numbers [m]")
    if len(pose.rotation) != 4 or _not_finite(pose.rotation):
        yield Problem(where, f"rotation {pose.rotation}", "a finite unit quaternion x, y, z, w")
    elif abs(np.linalg.norm(pose.rotation) - 1) > UNIT_TOLERANCE:
        found = f"a quaternion of length {np.linalg.norm(pose.rotation):.6g}"
        yield Problem(where, found, "length 1 (x, y, z, w)", "Divide the quaternion by its length.")


def _mass_problems(where: str, spec: BodySpec) -> Iterator[Problem]:
    if _not_finite([spec.mass]):
        yield Problem(where, f"mass {spec.mass}", "a finite number [kg]")
        return
    if spec.mass < 0:
        yield Problem(where, f"mass {spec.mass:g} kg", "a mass of 0 or more", "Give the body its real mass.")
        return
    if len(spec.center_of_mass) != 3 or _not_finite(spec.center_of_mass):
        yield Problem(where, f"center_of_mass {spec.center_of_mass}", "three finite numbers [m]")
    if len(spec.inertia) != 6 or _not_finite(spec.inertia):
        yield Problem(where, f"inertia {spec.inertia}", "six finite numbers: xx, yy, zz, xy, xz, yz [kg·m²]")
        return
    if not spec.trust_inertia:
        yield from moment_problems(where, spec)


def moment_problems(where: str, spec: BodySpec) -> Iterator[Problem]:
    """What keeps the moments of inertia from being those of a real body."""
    low, middle, high = np.linalg.eigvalsh(tensor(spec.inertia))
    moments = f"principal moments of inertia {low:.6g}, {middle:.6g}, {high:.6g} kg·m²"
    slack = TRIANGLE_TOLERANCE * max(high, 1e-300)
    if low < -slack:
        yield Problem(where, moments, "none below zero", "Check the signs of the products of inertia.")
    elif low + middle < high - slack:
        expected = "each at most the sum of the other two (no real body violates this)"
        remedy = "Check the units, and that the inertia is taken about the centre of mass."
        yield Problem(where, moments, expected, remedy)
    if spec.mass == 0 and high > 0:
        yield Problem(where, f"mass 0 with {moments}", "no inertia without mass", "Give the body a mass.")


def shape_problems(where: str, shape: Shape) -> Iterator[Problem]:
    """Everything wrong with one shape."""
    if shape.kind not in SIZE_NAMES:
        yield Problem(where, f"kind '{shape.kind}'", "a known shape", suggest(shape.kind, SIZE_NAMES))
        return
    yield from pose_problems(where, shape.place)
    names = SIZE_NAMES[shape.kind]
    if len(shape.size) != len(names):
        yield Problem(where, f"{len(shape.size)} sizes", f"{len(names)} for a {shape.kind}: {', '.join(names)}")
    elif _not_finite(shape.size) or any(size == 0 for size in shape.size):
        yield Problem(where, f"size {shape.size}", "finite numbers other than zero [m]")
    elif shape.kind != "mesh" and any(size < 0 for size in shape.size):
        yield Problem(where, f"size {shape.size}", "positive numbers [m]")
    if shape.kind == "mesh" and not shape.mesh:
        yield Problem(where, "no file", "the path of a mesh file")


def _joint_problems(where: str, joint: JointSpec) -> Iterator[Problem]:
    kind = find_joint(joint.kind)
    if kind is None:
        yield Problem(where, f"joint type '{joint.kind}'", "a known joint type", suggest(joint.kind, JOINT_TYPES))
        return
    yield from _axis_problems(where, joint, kind)
    yield from _limit_problems(where, joint, kind)
    for name in ("stiffness", "damping", "armature", "effort", "speed"):
        yield from _coordinate_problems(where, name, getattr(joint, name), kind)
    unequal = any(len(set(joint.stiffness[k : k + 3])) > 1 for k in (0, 3))
    if not kind.sequential and len(joint.stiffness) > 1 and unequal:
        expected = "the same in all directions of a turn, and of a shift"
        remedy = "Give one number, or build the joint from hinges."
        yield Problem(where, f"stiffness {joint.stiffness}", expected, remedy)
    if joint.rest and (len(joint.rest) != kind.nq or _not_finite(joint.rest)):
        yield Problem(where, f"rest {joint.rest}", f"{kind.nq} finite numbers")
    elif joint.rest and not kind.is_vector and abs(np.linalg.norm(joint.rest[-4:]) - 1) > UNIT_TOLERANCE:
        yield Problem(where, f"rest {joint.rest}", "a unit quaternion x, y, z, w in its last four numbers")


def _axis_problems(where: str, joint: JointSpec, kind: JointType) -> Iterator[Problem]:
    optional = not kind.sequential
    if len(joint.axes) != kind.axis_count and not (optional and not joint.axes):
        yield Problem(where, f"{len(joint.axes)} axes", f"{kind.axis_count} for a {kind.name} joint")
        return
    for axis in joint.axes:
        if len(axis) != 3 or _not_finite(axis):
            yield Problem(where, f"axis {axis}", "three finite numbers")
        elif np.linalg.norm(axis) < 1e-9:
            yield Problem(where, f"axis {axis}", "a direction, not zero", "Give the axis a length.")
    if kind.distinct_axes and len(joint.axes) == 2:
        a, b = (np.asarray(axis, float) for axis in joint.axes)
        if a.shape == b.shape == (3,) and np.linalg.norm(np.cross(a, b)) < 1e-6 * np.linalg.norm(a) * np.linalg.norm(b):
            yield Problem(where, f"parallel axes {joint.axes}", "two different directions", "Use a revolute joint.")


def _limit_problems(where: str, joint: JointSpec, kind: JointType) -> Iterator[Problem]:
    names = kind.limit_names
    for side, values in (("lower", joint.lower), ("upper", joint.upper)):
        if values and len(values) != len(names):
            expected = f"{len(names)} ({', '.join(names)})" if names else f"none for a {kind.name} joint"
            yield Problem(where, f"{len(values)} {side} limits", expected)
            return
        if any(math.isnan(value) for value in values):
            yield Problem(where, f"{side} limit NaN", "a number; leave the limit out for none")
            return
        closed = math.inf if side == "lower" else -math.inf
        if closed in values:
            yield Problem(where, f"{side} limit {closed}", "room to move", "Leave the limit out for none.")
            return
    for name, low in zip(names, joint.lower, strict=False):
        # Swing and turn are angles of zero or more, and have no direction at zero in which to push back.
        if name in ("swing", "turn") and low > 0:
            yield Problem(where, f"lower limit {low:g} of {name}", "0", "Only twist can be kept away from zero.")
    for name, high in zip(names, joint.upper, strict=False):
        if name in ("swing", "turn") and high < 0:
            yield Problem(where, f"upper limit {high:g} of {name}", "0 or more")
    for name, low, high in zip(names, joint.lower, joint.upper, strict=False):
        if low > high:
            yield Problem(
                where, f"limits of {name} from {low:g} to {high:g}", "lower <= upper", "Exchange or correct the two."
            )


def _coordinate_problems(where: str, name: str, values: Sequence[float], kind: JointType) -> Iterator[Problem]:
    if values and len(values) not in (1, kind.nv):
        yield Problem(where, f"{len(values)} values of {name}", f"1 or {kind.nv}")
    elif any(math.isnan(value) or value < 0 for value in values):
        yield Problem(where, f"{name} {values}", "numbers of 0 or more")
    elif name not in ("effort", "speed") and _not_finite(values):
        remedy = "For a joint that does not give way, make it fixed." if name in ("stiffness", "damping") else ""
        yield Problem(where, f"{name} {values}", "finite numbers", remedy)
