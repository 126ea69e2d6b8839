"""Where the bodies are and how they move."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError
from stringless.kinematics import kernels, kernels_jacobians
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.state.scratch import Scratch, scratch


class BodyPoses(NamedTuple):
    """World poses of all bodies."""

    position: FloatArray
    """Body origins, shape (n, 3) [m]."""
    rotation: FloatArray
    """`R_WB`, shape (n, 3, 3)."""


class CenterOfGravity(NamedTuple):
    """The centre of gravity of everything in the model."""

    position: FloatArray
    """[m]."""
    velocity: FloatArray
    """[m/s]."""


def body_poses(model: Model, q: ArrayLike) -> BodyPoses:
    """World poses of all bodies in configuration `q`."""
    work = run_motions(model, q, np.zeros(model.nv))
    return BodyPoses(work.bodies["p"].copy(), work.bodies["R"].reshape(-1, 3, 3).copy())


def body_velocities(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Angular and linear velocity of all bodies at their origins, along world axes, shape (n, 6)."""
    return run_motions(model, q, v).bodies["V"].copy()


def body_accelerations(model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike) -> FloatArray:
    """Angular and true linear acceleration of all body origins, along world axes, shape (n, 6).

    The derivative of `body_velocities` along the motion: gravity does not appear, and `w x v` is included.
    """
    work = run_motions(model, q, v)
    out = np.empty((model.body_count, 6))
    kernels.accelerations(model.tree, model.dofs, model.vector(vdot, model.nv, "vdot"), work.bodies, work.dofs, out)
    return out


def point_jacobian(model: Model, q: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """Jacobian of a body point's linear velocity along world axes, shape (3, nv); `point` is in the body frame."""
    return body_jacobian(model, q, body, point)[3:]


def body_jacobian(model: Model, q: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """Jacobian of a body's velocity at `point`, angular rows first, along world axes, shape (6, nv)."""
    work = run_motions(model, q, np.zeros(model.nv))
    index, x = _locate(model, work, body, point)
    J = np.zeros((6, model.nv))
    kernels_jacobians.point_jacobian(model.tree, model.dofs, index, x, work.bodies, work.dofs, J)
    return J


def point_jacobian_rate(
    model: Model, q: ArrayLike, v: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0)
) -> FloatArray:
    """Time derivative of `point_jacobian` along the motion, shape (3, nv)."""
    return body_jacobian_rate(model, q, v, body, point)[3:]


def body_jacobian_rate(
    model: Model, q: ArrayLike, v: ArrayLike, body: str | int, point: ArrayLike = (0.0, 0.0, 0.0)
) -> FloatArray:
    """Time derivative of `body_jacobian` along the motion, shape (6, nv)."""
    v = model.vector(v, model.nv, "v")
    work = run_motions(model, q, v)
    index, x = _locate(model, work, body, point)
    J = np.zeros((6, model.nv))
    kernels_jacobians.point_jacobian_rate(model.tree, model.dofs, index, x, v, work.bodies, work.dofs, J)
    return J


def center_of_gravity(model: Model, q: ArrayLike, v: ArrayLike | None = None) -> CenterOfGravity:
    """Centre of gravity of the whole model and its velocity."""
    work = run_motions(model, q, np.zeros(model.nv) if v is None else v)
    sums = total_motion(model, work, np.zeros(3))
    return CenterOfGravity(sums[1:4] / sums[0], sums[4:7] / sums[0])


def center_of_gravity_jacobian(model: Model, q: ArrayLike, v: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
    """Jacobian of the centre of gravity and its rate at velocity `v` (zero if not given), shapes (3, nv)."""
    v = np.zeros(model.nv) if v is None else model.vector(v, model.nv, "v")
    work = run_motions(model, q, v)
    kernels_jacobians.sum_subtrees(model.tree, work.bodies)
    J, rate = np.empty((3, model.nv)), np.empty((3, model.nv))
    kernels_jacobians.gravity_center_jacobian(model.tree, model.dofs, model.mass, v, work.bodies, work.dofs, J, rate)
    return J, rate


def run_motions(model: Model, q: ArrayLike, v: ArrayLike) -> Scratch:
    """Fill the calling thread's scratch with poses, velocities and axes."""
    work = scratch(model)
    kernels.motions(
        model.tree, model.dofs, model.vector(q, model.nq, "q"), model.vector(v, model.nv, "v"), work.bodies, work.dofs
    )
    return work


def total_motion(model: Model, work: Scratch, about: FloatArray) -> FloatArray:
    """Mass, first moment, momentum, angular momentum about a point, kinetic energy: 11 numbers."""
    sums = np.empty(11)
    kernels_jacobians.total_motion(model.tree, about, work.bodies, sums)
    return sums


def position(values: ArrayLike, name: str) -> FloatArray:
    """Return `values` as a position of three numbers, or say what is wrong with it."""
    try:
        point = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not a position: {error}") from None
    if point.shape != (3,):
        raise InputError(f"{name} has shape {point.shape}, expected (3,): a position [m]")
    return point


def _locate(model: Model, work: Scratch, body: str | int, point: ArrayLike) -> tuple[int, FloatArray]:
    index = model.body(body).index
    row = work.bodies[index]
    return index, row["p"] + row["R"].reshape(3, 3) @ position(point, f"'point' on body '{body}'")
