"""Scratch of the stiff engine's steps, allocated once per simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless import jit
from stringless.contact.records import ContactWork
from stringless.dynamics.kernels_response import make_response
from stringless.engines.stiff.kernels_conservation import TREE_WORK
from stringless.engines.stiff.kernels_constraints import CONSTRAINT_ROW
from stringless.engines.stiff.kernels_contacts import CONTACT_WORK
from stringless.engines.stiff.kernels_limits import LIMIT_STATE
from stringless.engines.stiff.kernels_momentum import KEPT
from stringless.engines.stiff.records import ConstraintWork, StiffForces, StiffState, StiffWork, WalkWork
from stringless.engines.stiff.reference.records import MaximalWork
from stringless.model.model import Model
from stringless.state.scratch import BODY_WORK, DOF_WORK


def stiff_work(
    model: Model, rows: int, contacts: int, contact: ContactWork, anchors: Any, maximal: MaximalWork | None = None
) -> StiffWork:
    """Scratch for a model in which up to `rows` constraint rows tie bodies, and up to `contacts` points touch.

    `contact` is the scratch of contact, `anchors` a table to put those of the state by.
    """
    n, nv, nodes = model.body_count, model.nv, 0 if model.flesh is None else len(model.flesh.nodes)
    constraints = ConstraintWork(
        jit.rows(rows, CONSTRAINT_ROW), np.zeros((rows, rows)), np.zeros(rows), np.zeros((n, 6)), make_response(n, nv)
    )
    return StiffWork(
        bodies=jit.rows(n, BODY_WORK),
        dofs=jit.rows(nv, DOF_WORK),
        q=model.neutral(),
        v=np.zeros(nv),
        vdot=np.zeros(nv),
        target=model.neutral(),
        zero=np.zeros(nv),
        trees=jit.rows(n, TREE_WORK),
        forces=StiffForces(np.zeros((n, 21)), np.zeros((n, 6))),
        no_forces=StiffForces(np.zeros((0, 21)), np.zeros((0, 6))),
        constraints=constraints,
        limits=jit.rows(len(model.limits), LIMIT_STATE),
        contacts=jit.rows(contacts, CONTACT_WORK),
        contact=contact,
        saved=StiffState(
            q=model.neutral(),
            v=np.zeros(nv),
            vdot=np.zeros(0),
            momenta=np.zeros((n, KEPT)),
            anchors=anchors,
            x=np.zeros((nodes, 3)),
            xdot=np.zeros((nodes, 3)),
        ),
        start=jit.rows(n if len(model.loops) > 0 else 0, BODY_WORK),
        maximal=maximal,
    )


def flesh_work(model: Model, elements: Any) -> WalkWork | None:
    """Scratch of flesh, None if there is none; `elements` is that of its elastic forces."""
    if model.flesh is None:
        return None
    n, nv = model.body_count, model.nv
    return WalkWork(
        f=np.zeros((len(model.flesh.nodes), 3)),
        wrench=np.zeros((n, 6)),
        mean=np.zeros((n, 6)),
        solved=np.zeros((n, 6)),
        elements=elements,
        bodies=jit.rows(n, BODY_WORK),
        dofs=jit.rows(nv, DOF_WORK),
        s=np.zeros(nv),
        u=np.zeros(nv),
        external=np.zeros((n, 6)),
    )
