"""How far the loops of a model are open, and a nearby configuration in which they are closed."""

import math

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import ModelError, Problem
from stringless.kinematics.bodies import BodyPoses, body_jacobian, body_poses
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.spatial.arrays import FloatArray

OPEN_BY, OPEN_TURN = 1e-3, 0.01
"""Gaps up to which a start counts as closed [m, rad]; an engine draws these shut."""
CLOSED = 1e-12
"""Gap at which the search for a closed configuration ends [m and rad]."""
NEARLY_CLOSED = 1e-8
"""Gap above which it has failed: a chain that is just long enough closes to half the digits only [m and rad]."""
NUDGES = (1e-3, 1e-2)
"""Spread of the coordinates with which the search begins again [rad and m]: a chain stretched out straight does not know to
which side it should bend."""
MOST_ITERATIONS, LONGEST_MOVE, MOST_DAMPING = 300, 0.5, 1e8
"""Of the search; the longest move of one iteration is the norm of its coordinates [rad and m]."""


def loop_gaps(model: Model, q: ArrayLike) -> FloatArray:
    """Distance [m] and angle [rad] by which each loop is open in configuration `q`, shape (n, 2).

    The angle is that between the z axes of a hinge, or of the turn between the frames of a weld; of a point it is zero.
    """
    poses = body_poses(model, q)
    gaps = [_gap(row, poses) for row in model.loops]
    sizes = [(math.hypot(*gap[:3]), math.hypot(*gap[3:])) for gap in gaps]
    return np.array(sizes, dtype=np.float64).reshape(-1, 2)


def check_loops(model: Model, q: ArrayLike) -> None:
    """Raise `ModelError` with every loop that is open in `q`, how far, and what to do about it."""
    gaps = loop_gaps(model, q)
    if not np.any(gaps > (OPEN_BY, OPEN_TURN)):
        return
    close_loops(model, q)  # raises where it cannot be done at all
    remedy = "Start from `kinematics.close_loops(model, q)`, a configuration nearby where it is closed."
    raise ModelError(f"start of model '{model.name}'", _open_problems(model, gaps, OPEN_BY, OPEN_TURN, remedy))


def close_loops(model: Model, q: ArrayLike) -> FloatArray:
    """A configuration near `q` in which all loops are closed, by the method of Levenberg and Marquardt.

    Again and again `dq = -Jᵀ (J Jᵀ + m 1)⁻¹ gap`, the shortest way that closes the gaps to first order, with a damping
    `m` that falls to nothing where this works, and rises where loops cannot be closed or are about to be stretched out.
    Joint limits are not looked at.

    Raises:
        ModelError: with the loops that cannot close from here, and the gaps that remain.
    """
    q = _search(model, model.vector(q, model.nq, "q").copy())
    for nudge in NUDGES:
        if np.any(loop_gaps(model, q) > NEARLY_CLOSED):
            other = _search(model, model.integrate(q, nudge * np.random.default_rng(0).normal(size=model.nv)))
            q = min(q, other, key=lambda there: float(np.sum(loop_gaps(model, there) ** 2)))
    gaps = loop_gaps(model, q)
    if np.all(gaps <= NEARLY_CLOSED):
        return q
    remedy = "Let the bodies reach one another: move the places of its ends, or change lengths or the start."
    problems = _open_problems(model, gaps, NEARLY_CLOSED, NEARLY_CLOSED, remedy, "that cannot close, ")
    raise ModelError(f"model '{model.name}'", problems)


def _search(model: Model, q: FloatArray) -> FloatArray:
    """The configuration with the smallest gaps that goes downhill from `q`."""
    gap, J = _stacked(model, q)
    damping = 1e-3
    for _ in range(MOST_ITERATIONS):
        if np.max(np.abs(gap), initial=0.0) < CLOSED or damping > MOST_DAMPING:
            break
        dq = -J.T @ np.linalg.solve(J @ J.T + damping * np.eye(len(gap)), gap)
        there = model.integrate(q, dq * min(1.0, LONGEST_MOVE / max(float(np.linalg.norm(dq)), 1e-300)))
        gap_there, J_there = _stacked(model, there)
        if gap_there @ gap_there < gap @ gap:
            q, gap, J, damping = there, gap_there, J_there, max(0.1 * damping, 1e-15)
        else:
            damping *= 10.0
    return q


def _ends(row: np.void, poses: BodyPoses) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """World rotations and positions of both ends: R_a, p_a, R_b, p_b."""
    found = []
    for end in ("a", "b"):
        body, R, p = int(row[end]), row[f"R_{end}"].reshape(3, 3), row[f"p_{end}"]
        if body >= 0:
            R, p = poses.rotation[body] @ R, poses.position[body] + poses.rotation[body] @ p
        found += [R, p]
    return found[0], found[1], found[2], found[3]


def _gap(row: np.void, poses: BodyPoses) -> FloatArray:
    """What the second end has to undo: its offset, then its turn, along world axes; for a hinge, that of its axis."""
    R_a, p_a, R_b, p_b = _ends(row, poses)
    turn = np.zeros(3)
    if row["rows"] == 6:
        x, y, z, w = quaternion_from_matrix(R_b @ R_a.T)
        turn = _along(np.array([x, y, z]), 2 * math.atan2(math.hypot(x, y, z), w))
    elif row["rows"] == 5:
        across = np.cross(R_a[:, 2], R_b[:, 2])
        if not across.any() and R_a[:, 2] @ R_b[:, 2] < 0:
            across = R_a[:, 0] * 1e-16  # opposite to the last digit: any way round will do
        turn = _along(across, math.atan2(float(np.linalg.norm(across)), float(R_a[:, 2] @ R_b[:, 2])))
    return np.concatenate([p_b - p_a, turn])


def _along(direction: FloatArray, length: float) -> FloatArray:
    return direction * (length / max(float(np.linalg.norm(direction)), 1e-300))


def _stacked(model: Model, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The gaps of all loops in the directions that they close, and how the coordinates change them."""
    poses = body_poses(model, q)
    gaps, rows = [], []
    for row in model.loops:
        R_a = _ends(row, poses)[0]
        J = -body_jacobian(model, q, int(row["a"]), row["p_a"])
        if row["b"] >= 0:
            J += body_jacobian(model, q, int(row["b"]), row["p_b"])
        gap, count = _gap(row, poses), int(row["rows"]) - 3
        # The turn of a hinge is across its axis: two directions of the first end tell it.
        gaps += [gap[:3], (R_a.T @ gap[3:])[:count]]
        rows += [J[3:], (R_a.T @ J[:3])[:count]]
    return np.concatenate(gaps or [np.zeros(0)]), np.concatenate(rows or [np.zeros((0, model.nv))])


def _open_problems(
    model: Model, gaps: FloatArray, far: float, turned: float, remedy: str, how: str = ""
) -> list[Problem]:
    found = []
    for loop, (distance, angle) in zip(model.loop_specs, gaps, strict=True):
        if distance > far or angle > turned:
            gap = f"a loop {how}open by {1e3 * distance:.4g} mm" + (f" and {angle:.4g} rad" if angle > 1e-12 else "")
            end = f"'{loop.body_b}'" if loop.body_b else "the ground"
            found.append(Problem(f"loop '{loop.name}'", gap, f"'{loop.body_a}' and {end} to meet", remedy))
    return found
