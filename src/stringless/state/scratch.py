"""Room for intermediate results, allocated once per model and thread, so that a step allocates nothing."""

from typing import Any, NamedTuple

import numpy as np

from stringless import jit
from stringless.model.model import Model
from stringless.model.records import Skeleton

REAL = np.float64

BODY_WORK = np.dtype(
    [
        # Kinematics. Everything of body i is taken at its origin, along world axes.
        ("R", REAL, (9,)),  # R_WB
        ("p", REAL, (3,)),  # p_WB [m]
        ("r", REAL, (3,)),  # from the parent's origin to this one [m]; zero for a root, whose parent does not move
        ("V", REAL, (6,)),  # velocity (w, v)
        ("eta", REAL, (6,)),  # velocity product of the joint
        ("A", REAL, (6,)),  # acceleration (wdot, vdot), offset by -g
        # Dynamics.
        ("Jh", REAL, (21,)),  # articulated inertia: what the children have handed over, or, if any coordinate is
        ("B", REAL, (6,)),  #    prescribed, the whole with its bias force, own joint not yet eliminated
        ("F", REAL, (6,)),  # force through the joint (moment, force)
        # Sums over the body and everything it carries.
        ("mass", REAL),  # [kg]
        ("h", REAL, (3,)),  # mass times position relative to this body's origin [kg·m]
        ("P", REAL, (3,)),  # linear momentum [kg·m/s]
    ],
    align=True,
)
"""Valid after the sweeps of `kinematics.kernels` and `dynamics.kernels` that write them."""

DOF_WORK = np.dtype(
    [
        ("a", REAL, (3,)),  # axis of this coordinate, through the body origin
        ("U", REAL, (6,)),  # articulated inertia times S when it was eliminated, about the parent's origin
        ("Psi", REAL),  # 1/(S·U + armature): acceleration per effort on this coordinate
        ("y", REAL),  # effort left over for acceleration
        ("tau", REAL),  # effort applied: given, springs and dampers together
        ("arm", REAL),  # inertia on the joint's own axis
    ],
    align=True,
)


class RecursionWork(NamedTuple):
    """Work tables of the recursions over bodies and coordinates."""

    bodies: Any
    """Rows of `BODY_WORK`."""
    dofs: Any
    """Rows of `DOF_WORK`."""


class Scratch:
    """One set of work tables for one model."""

    def __init__(self, model: Model) -> None:
        self.bodies: Any = jit.rows(model.body_count, BODY_WORK)
        self.dofs: Any = jit.rows(model.nv, DOF_WORK)
        self.vector = np.zeros(model.nv)
        self.vectors = np.zeros((6, model.nv))
        self.configuration = model.neutral()
        self.no_vector = np.zeros(0)
        self.no_mask = np.zeros(0, dtype=np.bool_)
        self.no_external = np.zeros((0, 6))
        self.effort = model.dofs["effort"].copy()  # close together: clipping every call's efforts would read all rows
        # What `dynamics.forward` needs at every call, within reach: on a humanoid the way in costs a quarter of it.
        self.q_shape, self.v_shape = (model.nq,), (model.nv,)
        self.skeleton = Skeleton(model.tree, model.dofs, model.limits, model.q_rest, model.gravity)
        self.tables = RecursionWork(self.bodies, self.dofs)
        self.hybrid: Any = None  # entries into the recursions, found at the first call
        self.inverse: Any = None


def scratch(model: Model) -> Scratch:
    """The calling thread's scratch for `model`."""
    try:
        return model.local.scratch
    except AttributeError:
        model.local.scratch = Scratch(model)
        return model.local.scratch
