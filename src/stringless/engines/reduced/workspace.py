"""Scratch of a step, allocated once per simulation."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.kernels_penalty import ANCHOR_ROW
from stringless.contact.tables import ContactTables, contact_work
from stringless.control.director import make_memory
from stringless.engines.reduced.records import ReducedState, ReducedWork
from stringless.errors import renamed
from stringless.flesh.kernels_dampers import DAMPER_ROW
from stringless.flesh.kernels_lanes import elastic_scratch, element_blocks
from stringless.flesh.stability import cell_sizes
from stringless.model.flesh import ELEMENT_ROW, MATERIAL_ROW, NODE_ROW, VERTEX_ROW, Flesh
from stringless.model.model import Model
from stringless.model.records import FleshTables
from stringless.state.scratch import BODY_WORK, DOF_WORK


class FleshWorkspace:
    """Tables of the flesh (empty ones for a model without) and of contact, and scratch for both."""

    def __init__(self, model: Model, flesh: Flesh | None, contact: ContactTables) -> None:
        """Allocate for one simulation."""
        self.use(flesh, contact)
        self.elements = element_blocks((flesh or _no_flesh()).elements)
        self.sizes = cell_sizes(flesh.specs if flesh else ())
        self.points = len(self.vertices) + len(self.samples)
        self._allocate(model)

    def twin(self, model: Model) -> FleshWorkspace:
        """Another one of the same tables, with scratch of its own."""
        other = copy.copy(self)
        other._allocate(model)
        return other

    def _allocate(self, model: Model) -> None:
        self.wrench = np.zeros((model.body_count, 6))
        self.force = np.zeros((len(self.nodes), 3))
        self.elastic = elastic_scratch()
        self.dampers = jit.rows(model.body_count, DAMPER_ROW)
        self.contact_work = contact_work(self.contact, len(self.vertices))
        self.contact_forces = np.zeros((self.points, 3))
        """Force on every contact point in the last step."""
        self.counts = np.zeros(3, dtype=np.int64)
        """Elements decomposed, points that touch obstacles, points that touch skin, in the last step."""

    def use(self, flesh: Flesh | None, contact: ContactTables) -> None:
        """Go on with these tables, of the same sizes and the same elements as before."""
        flesh = flesh or _no_flesh()
        self.nodes, self.materials, self.vertices = flesh.nodes, flesh.materials, flesh.vertices
        self.contact, self.contact_record = contact, contact.record
        self.samples = contact.samples
        self.point_bodies = _point_bodies(flesh, contact)

    @property
    def flesh(self) -> FleshTables:
        """The flesh as kernels take it."""
        return FleshTables(self.nodes, self.elements, self.materials, self.vertices)

    def new_anchors(self) -> Any:
        """Anchors of points that touch nothing."""
        return new_anchors(self.points)

    touch = renamed("touch", "contact_forces")
    probes = renamed("probes", "samples")


def reduced_work(model: Model, surroundings: FleshWorkspace | None) -> ReducedWork:
    """Scratch for bones, and for flesh and contact if there are any."""
    bodies, nv, nodes = model.body_count, model.nv, 0 if surroundings is None else len(surroundings.nodes)
    return ReducedWork(
        bodies=jit.rows(bodies, BODY_WORK),
        dofs=jit.rows(nv, DOF_WORK),
        u=np.zeros(nv),
        vdot=np.zeros(nv),
        given=np.zeros(nv),
        wrench=np.zeros((0, 6)) if surroundings is None else surroundings.wrench,
        f=np.zeros((0, 3)) if surroundings is None else surroundings.force,
        saved=ReducedState(
            q=np.zeros(model.nq),
            v=np.zeros(nv),
            vdot=np.zeros(nv),
            x=np.zeros((nodes, 3)),
            xdot=np.zeros((nodes, 3)),
            anchors=new_anchors(0 if surroundings is None else surroundings.points),
            memory=make_memory(model),
        ),
        effort=np.zeros(nv),
    )


def new_anchors(count: int) -> Any:
    """Anchors of so many points that touch nothing."""
    anchors = jit.rows(count, ANCHOR_ROW)
    anchors["obstacle"] = -1
    return anchors


def _point_bodies(flesh: Flesh, contact: ContactTables) -> NDArray[np.int64]:
    """The bone that each contact point belongs to: of a vertex of the skin that of its heaviest corner, -1 for none."""
    corners = np.arange(len(flesh.vertices)), np.argmax(flesh.vertices["w"], axis=1)
    skin = flesh.nodes["bone"][flesh.vertices["n"][corners]]
    return np.concatenate([skin, contact.samples["body"]]).astype(np.int64)


def _no_flesh() -> Flesh:
    nodes, elements, materials, vertices = (
        jit.rows(0, layout) for layout in (NODE_ROW, ELEMENT_ROW, MATERIAL_ROW, VERTEX_ROW)
    )
    for table in (nodes, elements, materials, vertices):
        table.flags.writeable = False
    return Flesh((), nodes, elements, materials, vertices, np.zeros((0, 3)))
