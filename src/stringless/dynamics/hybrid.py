"""Forward, inverse and hybrid dynamics of the skeleton, and its mass matrix: plain functions on arrays.

`M(q) vdot + bias(q, v) = tau + passive(q, v) + external`. The joints' springs, dampers and armature belong to the
model: `tau` is what the actuators add. `external` is a wrench per body, moment first, in the body frame, shape (n, 6).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import empty, ndarray
from numpy.typing import ArrayLike

from stringless import jit
from stringless.dynamics import kernels, kernels_inverse, kernels_mass_matrix
from stringless.errors import InputError
from stringless.kinematics.bodies import run_motions
from stringless.model.model import FLOAT, Model
from stringless.model.world_springs import WorldSpring
from stringless.spatial.arrays import BoolArray, FloatArray
from stringless.state.scratch import Scratch, scratch

BOOL = np.dtype(np.bool_)


def forward(model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: ArrayLike | None = None) -> FloatArray:
    """Return the accelerations that the efforts `tau` cause. Kim & Pollard 2008, Table 3 with nothing prescribed."""
    # `scratch` and, for all three, `model.vector` written out, and the kernel entered directly: for a model of a few
    # bodies the way into the recursion takes as long as the recursion.
    try:
        work: Scratch = model.local.scratch
    except AttributeError:
        work = scratch(model)
    if not (
        type(q) is ndarray
        and type(v) is ndarray
        and type(tau) is ndarray
        and q.dtype is v.dtype is tau.dtype is FLOAT
        and q.shape == work.q_shape
        and v.shape == tau.shape == work.v_shape
        and q.flags.carray
        and v.flags.carray
        and tau.flags.carray
    ):
        q, v = model.vector(q, model.nq, "q"), model.vector(v, model.nv, "v")
        tau = model.vector(tau, model.nv, "tau")
    vdot = empty(work.v_shape)
    wrench = work.no_external if external is None else wrenches(model, external)
    (work.hybrid or enter(work))(
        work.skeleton, q, v, work.no_mask, work.no_vector, tau, wrench, work.tables, vdot, work.vector
    )
    return vdot


def enter(work: Scratch) -> Any:
    """Find the entry of the recursion, and keep it in `work` for the next call."""
    x, mask = work.vector, work.no_mask
    arguments = work.skeleton, work.configuration, x, mask, x, x, work.no_external, work.tables, x, x
    work.hybrid = jit.entry(kernels.hybrid, *arguments)
    return work.hybrid


def inverse(model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, external: ArrayLike | None = None) -> FloatArray:
    """Return the actuator efforts that cause the accelerations `vdot`."""
    work = scratch(model)
    tau = np.empty(model.nv)
    q, v, vdot = model.vector(q, model.nq, "q"), model.vector(v, model.nv, "v"), model.vector(vdot, model.nv, "vdot")
    wrench = work.no_external if external is None else wrenches(model, external)
    if work.inverse is None:
        x = work.vector
        arguments = work.skeleton, work.configuration, x, x, work.no_external, work.tables, x
        work.inverse = jit.entry(kernels_inverse.inverse, *arguments)
    work.inverse(work.skeleton, q, v, vdot, wrench, work.tables, tau)
    return tau


def hybrid(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    prescribed: ArrayLike,
    vdot: ArrayLike,
    tau: ArrayLike,
    external: ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return all accelerations and all efforts, given for each coordinate the one or the other.

    Where `prescribed` is true, `vdot` is given and `tau` comes out; elsewhere `tau` is given and `vdot` comes out.
    Kim & Pollard 2008, Table 3.
    """
    work = scratch(model)
    given = mask(model, prescribed)
    vdot_in, tau_in = model.vector(vdot, model.nv, "vdot"), model.vector(tau, model.nv, "tau")
    vdot_out, tau_out = np.empty(model.nv), tau_in.copy()
    run_hybrid(model, work, q, v, given, vdot_in, tau_in, external, vdot_out, tau_out)
    return vdot_out, tau_out


def run_hybrid(
    model: Model,
    work: Scratch,
    q: ArrayLike,
    v: ArrayLike,
    given: BoolArray,
    vdot: FloatArray,
    tau: FloatArray,
    external: ArrayLike | None,
    vdot_out: FloatArray,
    tau_out: FloatArray,
) -> None:
    """Run the recursion and leave its inner quantities in `work`."""
    q, v = model.vector(q, model.nq, "q"), model.vector(v, model.nv, "v")
    wrench = work.no_external if external is None else wrenches(model, external)
    (work.hybrid or enter(work))(work.skeleton, q, v, given, vdot, tau, wrench, work.tables, vdot_out, tau_out)


def bias(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Return `C(q, v) v + g(q)`: the efforts that hold all accelerations at zero, springs and dampers aside."""
    return inverse(model, q, v, np.zeros(model.nv)) + passive(model, q, v)


def passive(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Return the efforts of the joints' own springs and dampers: `-k x - c u`, x the joint displacement."""
    return -model.dofs["stiffness"] * model.displacement(q) - model.dofs["damping"] * model.vector(v, model.nv, "v")


def mass_matrix(model: Model, q: ArrayLike) -> FloatArray:
    """Return M(q), shape (nv, nv), symmetric to the last digit; armature stands on the diagonal.

    Composite-rigid-body algorithm: Featherstone, Rigid Body Dynamics Algorithms (2008), Table 6.2.
    """
    work = scratch(model)
    M = np.zeros((model.nv, model.nv))
    kernels_mass_matrix.mass_matrix(model.tree, model.dofs, model.vector(q, model.nq, "q"), work.bodies, work.dofs, M)
    return M


def wrenches(model: Model, external: Any) -> FloatArray:
    """Return `external` as kernels want it, or say what is wrong with it."""
    if _fits(external, FLOAT, (model.body_count, 6)):
        return external
    try:
        array = np.array(external, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"'external' for model '{model.name}' is not an array of numbers: {error}") from None
    if array.shape != (model.body_count, 6):
        raise InputError(
            f"'external' for model '{model.name}' has shape {array.shape}, expected ({model.body_count}, 6): "
            "a moment and a force for every body, in its own frame"
        )
    return array


def mask(model: Model, prescribed: Any) -> BoolArray:
    """Return `prescribed` as a boolean per velocity coordinate, or say what is wrong with it."""
    if _fits(prescribed, BOOL, (model.nv,)):
        return prescribed
    array = np.array(prescribed)
    if array.dtype != np.bool_ or array.shape != (model.nv,):
        raise InputError(
            f"'prescribed' for model '{model.name}' has shape {array.shape} and type {array.dtype}, "
            f"expected ({model.nv},) and bool: one flag per velocity coordinate"
        )
    return array


def _fits(values: Any, kind: np.dtype[Any], shape: tuple[int, ...]) -> bool:
    """Whether kernels can read an array as it is: a copy of a long chain's would be made at every call."""
    return type(values) is ndarray and values.dtype is kind and values.shape == shape and values.flags.carray


def world_spring_wrenches(model: Model, springs: Sequence[WorldSpring], q: FloatArray, v: FloatArray) -> FloatArray:
    """Wrenches of `k (anchor - x) - c v` on all bodies, moment first, along their own axes; shape (bodies, 6)."""
    out = np.zeros((model.body_count, 6))
    bodies = run_motions(model, q, v).bodies
    for spring in springs:
        i = model.body(spring.body).index
        work, R = bodies[i], bodies[i]["R"].reshape(3, 3)
        arm = R @ np.asarray(spring.point)
        velocity = work["V"][3:] + np.cross(work["V"][:3], arm)
        force = R.T @ (spring.stiffness * (np.asarray(spring.anchor) - work["p"] - arm) - spring.damping * velocity)
        out[i, :3] += np.cross(spring.point, force)
        out[i, 3:] += force
    return out
