"""Whether a joint type from outside of the package is what it says it is, tried out in plain Python."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from stringless.errors import InputError
from stringless.model.joints.base import JointType
from stringless.spatial.arrays import FloatArray

STEP = 1e-5
"""Change of a coordinate for finite differences [rad, m]."""
ACCURACY = 1e-7
"""Error of central differences with that step, and of rounding in them, at most."""
TRIALS = 4
SEED = 20
MOST_COORDINATES, MOST_AXES, MOST_LIMITS = 6, 2, 3


def check_type(joint: JointType) -> None:
    """Refuse a joint type that the kernels, the engines and the editor cannot deal with, or whose kernels contradict it.

    Raises:
        InputError: what was found, and what was expected.
    """
    for problem in _find_misfits(joint):
        raise InputError(f"joint type '{joint.name}' cannot be registered: {problem}")
    rng = np.random.default_rng(SEED)
    for _ in range(TRIALS):
        body = _make_body(joint, rng)
        q = rng.uniform(-1.0, 1.0, joint.nq)
        for problem in _find_contradictions(joint, body, q):
            raise InputError(f"joint type '{joint.name}' cannot be registered: {problem}")


def _find_misfits(joint: JointType) -> Iterator[str]:
    """What is wrong with its numbers."""
    if not joint.name.isidentifier():
        yield "its name is no single word of letters, digits and '_'"
    if not joint.is_vector or not joint.sequential:
        yield (
            f"its configuration has {joint.nq} numbers for {joint.nv} velocities, sequential={joint.sequential}; expected "
            "as many of both, which act one after the other. Only ball and free joints hold a quaternion"
        )
    if not 0 < joint.nv <= MOST_COORDINATES:
        yield f"it has {joint.nv} coordinates; expected 1 to {MOST_COORDINATES}"
    if len(joint.angular) != joint.nv or len(joint.neutral) != joint.nq:
        yield f"'angular' has {len(joint.angular)} and 'neutral' {len(joint.neutral)} values; expected {joint.nv} of both"
    if any(joint.neutral):
        yield f"its neutral configuration is {joint.neutral}; expected zeros"
    if not 0 <= joint.axis_count <= MOST_AXES:
        yield f"it has {joint.axis_count} axes; expected {MOST_AXES} at most"
    if joint.limit_names != joint.dof_names[: min(len(joint.limit_names), MOST_LIMITS)]:
        yield f"its limits bound {joint.limit_names}; expected the first of its coordinates, {MOST_LIMITS} at most, or none"
    if joint.reversal == "opposite order" and len(joint.limit_names) not in (0, joint.nv):
        yield "its limits bound some of its coordinates, and its reversal exchanges these; expected none or all"
    if joint.axis is None:
        yield "it has no kernel 'axis'"


def _make_body(joint: JointType, rng: np.random.Generator) -> Any:
    axes = rng.normal(size=(MOST_AXES, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    return SimpleNamespace(kind=joint.code, q0=0, v0=0, nq=joint.nq, nv=joint.nv, axes=axes.ravel())


def _place(joint: JointType, body: Any, q: FloatArray) -> FloatArray:
    """T_J(q), 4 by 4."""
    T = np.eye(4)
    R, p = joint.pose(body, q)
    T[:3, :3], T[:3, 3] = np.reshape(R, (3, 3)), p
    return T


def _axes(joint: JointType, body: Any, q: FloatArray) -> FloatArray:
    """Axes of all coordinates along body axes, shape (nv, 3)."""
    return np.array([joint.axis(body, q, k) for k in range(joint.nv)], float)


def _find_contradictions(joint: JointType, body: Any, q: FloatArray) -> Iterator[str]:
    """What its kernels, at one configuration, do not do as it says."""
    if np.abs(_place(joint, body, np.zeros(joint.nq)) - np.eye(4)).max() > ACCURACY:
        yield "'pose' at the neutral configuration is not the identity"
    back = np.linalg.inv(_place(joint, body, q))
    axes = _axes(joint, body, q)
    for k, name in enumerate(joint.dof_names):
        step = STEP * np.eye(joint.nq)[k]
        rate = back @ (_place(joint, body, q + step) - _place(joint, body, q - step)) / (2 * STEP)
        turn = np.array([rate[2, 1] - rate[1, 2], rate[0, 2] - rate[2, 0], rate[1, 0] - rate[0, 1]]) / 2
        expected = (axes[k], np.zeros(3)) if joint.angular[k] else (np.zeros(3), axes[k])
        if max(np.abs(turn - expected[0]).max(), np.abs(rate[:3, 3] - expected[1]).max()) > ACCURACY:
            does = "turns about" if joint.angular[k] else "slides along"
            yield (
                f"by 'pose', coordinate '{name}' turns by {_show(turn)} and slides by {_show(rate[:3, 3])} along body axes; "
                f"by 'angular' and 'axis' it {does} {_show(axes[k])}. Every coordinate turns about, or slides along, an axis "
                "through the body's origin"
            )
        for j in range(joint.nv):
            other = STEP * np.eye(joint.nq)[j]
            changed = (_axes(joint, body, q + other)[k] - _axes(joint, body, q - other)[k]) / (2 * STEP)
            carried = -np.cross(axes[j], axes[k]) if j > k and joint.angular[j] else np.zeros(3)
            if np.abs(changed - carried).max() > ACCURACY:
                yield f"the axis of '{name}' does not move as the coordinates after it, and only these, carry it"
    if joint.reversal and np.abs(_place(joint, *_reverse(joint, body, q)) - back).max() > ACCURACY:
        yield f"seen from its other side it does not move by the opposite coordinates in the {joint.reversal}"


def _reverse(joint: JointType, body: Any, q: FloatArray) -> tuple[Any, FloatArray]:
    """The joint from its other side."""
    if joint.reversal == "same order":
        return body, -q
    first = body.axes[: 3 * joint.axis_count].reshape(-1, 3)
    return SimpleNamespace(**{**vars(body), "axes": first[::-1].ravel()}), -q[::-1]


def _show(vector: FloatArray) -> str:
    return "({:.3g}, {:.3g}, {:.3g})".format(*(vector + 0.0))
