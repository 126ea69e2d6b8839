"""Room that flesh and contact need during a step, allocated once per simulation."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.kernels_penalty import ANCHOR_ROW
from stringless.contact.step import contact_work
from stringless.contact.tables import ContactTables
from stringless.flesh.blocks import element_blocks
from stringless.flesh.elastic import elastic_scratch
from stringless.flesh.stability import cell_sizes
from stringless.model.flesh import ELEMENT_ROW, MATERIAL_ROW, NODE_ROW, VERTEX_ROW, Flesh
from stringless.model.model import Model


class FleshWorkspace:
    """Tables of the flesh (empty ones for a model without), of contact, and scratch for both."""

    def __init__(self, model: Model, flesh: Flesh | None, contact: ContactTables) -> None:
        """Allocate for one simulation."""
        self.use(flesh, contact)
        self.elements = element_blocks((flesh or _no_flesh()).elements)
        self.sizes = cell_sizes(flesh.specs if flesh else ())
        self.points = len(self.vertices) + len(self.probes)
        self._allocate(model, contact)

    def twin(self, model: Model) -> FleshWorkspace:
        """Another one of the same tables, with scratch of its own."""
        other = copy.copy(self)
        other._allocate(model, self.contact)
        return other

    def _allocate(self, model: Model, contact: ContactTables) -> None:
        self.vdot = np.zeros(model.nv)
        self.wrench = np.zeros((model.body_count, 6))
        self.force = np.zeros((len(self.nodes), 3))
        self.elastic_work = elastic_scratch()
        self.contact_work = contact_work(contact, len(self.vertices))
        self.touch = np.zeros((self.points, 3))
        self.counts = np.zeros(3, dtype=np.int64)
        """Elements decomposed, points that touch obstacles, points that touch skin, in the last step."""
        # What a step that failed is taken back from.
        self.old_anchors, self.old_effort = self.new_anchors(), np.zeros(model.nv)
        self.old_q, self.old_v, self.old_vdot = np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
        self.old_x = np.zeros((2, len(self.nodes), 3))
        self.split = np.zeros(2, dtype=np.int64)
        """Steps that were divided, and how often one was halved at most."""

    def use(self, flesh: Flesh | None, contact: ContactTables) -> None:
        """Go on with these tables, of the same sizes and the same elements as before."""
        flesh = flesh or _no_flesh()
        self.nodes, self.materials, self.vertices = flesh.nodes, flesh.materials, flesh.vertices
        self.contact, self.touching = contact, contact.touching
        self.probes = contact.samples
        self.point_bodies = _point_bodies(flesh, contact)

    def new_anchors(self) -> Any:
        """Anchors of points that touch nothing."""
        return new_anchors(self.points)


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
