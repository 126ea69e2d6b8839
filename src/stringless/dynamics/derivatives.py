"""Derivatives of forward, inverse and hybrid dynamics: plain functions on arrays.

Those of `command_derivatives` are by accelerations and efforts. All others are by the tangent of the configuration: column j is
the change along `model.integrate(q, e_j)`; springs, dampers and armature take part, and a wrench of `external` stays fixed in its
body (shape (bodies, 6), moment first, body frame).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from stringless import jit
from stringless.dynamics import kernels_commands, kernels_derivatives
from stringless.dynamics.hybrid import mask, run_hybrid, wrenches
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.records import Skeleton
from stringless.spatial.arrays import BoolArray, FloatArray
from stringless.state.derivative_scratch import DerivativeScratch, derivative_scratch
from stringless.state.scratch import scratch


class HybridDerivatives(NamedTuple):
    """Derivatives of what hybrid dynamics finds, each of shape (nv, nv)."""

    dvdot_dq: FloatArray
    """Of the accelerations, by the configuration; rows of prescribed coordinates are zero."""
    dvdot_dv: FloatArray
    """Of the accelerations, by the velocity; rows of prescribed coordinates are zero."""
    dtau_dq: FloatArray
    """Of the efforts, by the configuration; rows of free coordinates are zero."""
    dtau_dv: FloatArray
    """Of the efforts, by the velocity; rows of free coordinates are zero."""


def forward_derivatives(
    model: Model, q: ArrayLike, v: ArrayLike, tau: ArrayLike, external: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Derivatives of the accelerations that `tau` causes, by q, by v and by tau; each of shape (nv, nv).

    Carpentier & Mansard 2018: those of inverse dynamics, then a solve with the mass matrix. The last is its inverse,
    symmetric to the last digit.
    """
    work, out = derivative_scratch(model), np.empty((3, model.nv, model.nv))
    tau = model.vector(tau, model.nv, "tau")
    run_derivatives(model, work, q, v, (work.no_mask, work.no_vector, tau), external, out, work.no_matrices)
    return out[0], out[1], out[2]


def run_derivatives(
    model: Model,
    work: DerivativeScratch,
    q: ArrayLike,
    v: ArrayLike,
    given: tuple[BoolArray, FloatArray, FloatArray],
    external: ArrayLike | None,
    dvdot_out: FloatArray,
    dtau_out: FloatArray,
) -> None:
    """Call the kernel; `given` tells which coordinates are prescribed, their accelerations, and the efforts of the others."""
    wrench = work.no_external if external is None else wrenches(model, external)
    q, v = model.vector(q, model.nq, "q"), model.vector(v, model.nv, "v")
    entry = work.entry or enter(work)
    entry(work.skeleton, work.packed, q, v, *given, wrench, work.work, dvdot_out, dtau_out)


def enter(work: DerivativeScratch) -> Any:
    """Find the entry of the kernel, and keep it in `work` for the next call."""
    x, none = work.work.vectors[0], work.no_matrices
    arguments = work.configuration, x, work.no_mask, x, x, work.no_external, work.work, none, none
    work.entry = jit.entry(kernels_derivatives.derivatives, work.skeleton, work.packed, *arguments)
    return work.entry


def inverse_derivatives(
    model: Model, q: ArrayLike, v: ArrayLike, vdot: ArrayLike, external: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Derivatives of the efforts that the accelerations `vdot` take, by q and by v; each of shape (nv, nv)."""
    work, out = derivative_scratch(model), np.empty((2, model.nv, model.nv))
    given = work.every, model.vector(vdot, model.nv, "vdot"), work.no_vector
    run_derivatives(model, work, q, v, given, external, work.no_matrices, out)
    return out[0], out[1]


def hybrid_derivatives(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    prescribed: ArrayLike,
    vdot: ArrayLike,
    tau: ArrayLike,
    external: ArrayLike | None = None,
) -> HybridDerivatives:
    """Derivatives of what hybrid dynamics finds: accelerations where efforts are given, efforts where accelerations are.

    `prescribed` tells which of the nv coordinates follow `vdot`; the others are driven by `tau`.
    """
    work, nv = derivative_scratch(model), model.nv
    dvdot, dtau = np.zeros((2, nv, nv)), np.zeros((2, nv, nv))
    given = mask(model, prescribed), model.vector(vdot, nv, "vdot"), model.vector(tau, nv, "tau")
    run_derivatives(model, work, q, v, given, external, dvdot, dtau)
    return HybridDerivatives(dvdot[0], dvdot[1], dtau[0], dtau[1])


class CommandDerivatives(NamedTuple):
    """Derivatives by one command per column: a prescribed coordinate's acceleration, or a free one's effort."""

    vdot: FloatArray
    """Of all joint accelerations, shape (nv, k)."""
    tau: FloatArray
    """Of all efforts, shape (nv, k)."""
    body_acceleration: FloatArray
    """Of all bodies' accelerations (angular, linear) at their origins along world axes, shape (n, 6, k)."""


def command_derivatives(
    model: Model, q: ArrayLike, *, prescribed: ArrayLike, columns: ArrayLike | None = None
) -> CommandDerivatives:
    """Differentiate hybrid dynamics by the commands of the coordinates in `columns` (default: all of them).

    Kim & Pollard 2008, Table 6, corrected (docs/theory/articulated.md, section 4). The whole problem is linear in the commands,
    so these hold for steps of any size, whatever the velocities and forces are.
    """
    work = scratch(model)
    given = mask(model, prescribed)
    chosen = np.arange(model.nv) if columns is None else np.array(columns)
    if chosen.size == 0:
        chosen = np.zeros(0, dtype=np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or np.any((chosen < 0) | (chosen >= model.nv)):
        raise InputError(
            f"'columns' for model '{model.name}' is {columns}, expected velocity coordinates from 0 to {model.nv - 1}"
        )
    chosen = chosen.astype(np.int64)
    zero = np.zeros(model.nv)
    run_hybrid(model, work, q, zero, given, zero, zero, None, np.empty(model.nv), np.empty(model.nv))
    response = kernels_commands.make_command_response(model.body_count, model.nv, len(chosen))
    skeleton = Skeleton(model.tree, model.dofs, model.limits, model.q_rest, model.gravity)
    members = np.arange(model.body_count)
    kernels_commands.find_command_response(skeleton, members, chosen, given, work.bodies, work.dofs, response)
    return CommandDerivatives(response.vdot, response.tau, response.A)
