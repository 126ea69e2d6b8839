"""How accelerations and efforts answer to the commands."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from stringless.dynamics import kernels_commands
from stringless.dynamics.hybrid import mask, run_hybrid
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.records import Skeleton
from stringless.spatial.arrays import FloatArray
from stringless.state.scratch import scratch


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
