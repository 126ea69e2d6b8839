"""Tables of the adaptive engine, made once per simulation: the bodies of every tree side by side, and room for its lumps."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.adaptive.exchange import VECTORS
from stringless.adaptive.rows import CHOSEN, FLOATING, MEMBER_ROW, RIGID, TREE_ROW
from stringless.model.joints import registry
from stringless.model.model import Model
from stringless.model.rows import BODY_ROW, DOF_ROW
from stringless.state.scratch import BODY_WORK, DOF_WORK

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
FLOATS = (registry.FREE, registry.PLANAR)
"""Joints that make a root float. It moves always, and does not count: a character at rest in mid-air would be no character."""


class AdaptiveTables:
    """What the kernels of the adaptive engine are given. Numbers within a tree begin at its own first body and coordinate."""

    def __init__(self, model: Model, dofs: Any, rest: FloatArray) -> None:
        """Make the tables of a model, whose coordinates and rests of springs may be others than at its start."""
        self.order: IntArray = np.argsort(model.tree["root"], kind="stable").astype(np.int64)
        """The model's numbers of the bodies, in the order of these tables."""
        self.rank_of: IntArray = np.argsort(self.order).astype(np.int64)
        """The place of the model's bodies in this order."""
        roots = model.tree["root"][self.order]
        self.trees = jit.rows(len(set(roots.tolist())), TREE_ROW)
        self.tree_of: IntArray = np.unique(roots, return_inverse=True)[1].astype(np.int64)
        """The tree of every body, in this order."""
        self.place_of: IntArray = np.zeros(model.body_count, dtype=np.int64)
        """The model's bodies' places within their trees."""
        self.members = jit.rows(model.body_count, MEMBER_ROW)
        self.tree, self.dofs = jit.rows(model.body_count, BODY_ROW), jit.rows(model.nv, DOF_ROW)
        self.rest, self.weights = np.zeros(model.nq), np.ones((model.nv, 2))
        self.v_order: IntArray = np.zeros(model.nv, dtype=np.int64)
        """The model's numbers of the velocity coordinates, in the order of these tables."""
        self.told_weights, self.criterion = np.ones((model.nv, 2)), "energy"
        """Weights that a person has given, in this order, and by what joints are chosen."""
        self.reach: FloatArray | None = None
        """How far what hangs on each of the model's bodies reaches [m]; None until somebody looks."""
        self._arrange(model, dofs, rest)
        chosen = self.members["role"] == CHOSEN
        self.trees["joints"] = np.bincount(self.tree_of, weights=chosen, minlength=len(self.trees))
        self.full = (self.tree, self.dofs, self.rest, self.members, self.weights)
        self.lumps = _lump_room(model)
        most = [int(self.trees[name].max(initial=0)) for name in ("count", "nq", "nv")]
        self.room = _tree_room(*most)
        self.none = (np.zeros(0, dtype=np.bool_), np.zeros(3), np.zeros((0, 6)), np.zeros((0, 0)))

    def twin(self) -> AdaptiveTables:
        """Tables for another simulation of the same model; what never changes is shared."""
        other = copy.copy(self)
        other.trees, other.weights = self.trees.copy(), self.weights.copy()
        other.full = (*self.full[:-1], other.weights)
        other.lumps, other.room = (tuple(np.zeros_like(table) for table in room) for room in (self.lumps, self.room))
        return other

    def _arrange(self, model: Model, dofs: Any, rest: FloatArray) -> None:
        """Copy the model's rows tree by tree, and number them within each."""
        starts = np.searchsorted(self.tree_of, np.arange(len(self.trees) + 1))
        q0, v0 = 0, 0
        for part, begin, end in zip(self.trees, starts[:-1], starts[1:], strict=True):
            bodies = self.order[begin:end]
            part["first"], part["count"], part["root"] = begin, end - begin, bodies[0]
            part["q0"], part["v0"] = q0, v0
            self.place_of[bodies] = np.arange(len(bodies))
            nq, nv = 0, 0
            for at, i in enumerate(bodies, start=int(begin)):
                row = model.tree[i]
                old_q, old_v, more_q, more_v = (int(row[name]) for name in ("q0", "v0", "nq", "nv"))
                self.tree[at] = row
                self.tree[at]["parent"] = self.place_of[row["parent"]] if row["parent"] >= 0 else -1
                self.tree[at]["root"], self.tree[at]["q0"], self.tree[at]["v0"] = 0, nq, nv
                here = slice(v0 + nv, v0 + nv + more_v)
                self.dofs[here] = dofs[old_v : old_v + more_v]
                self.dofs[here]["body"] = at - begin
                self.v_order[here] = np.arange(old_v, old_v + more_v)
                self.rest[q0 + nq : q0 + nq + more_q] = rest[old_q : old_q + more_q]
                role = RIGID if more_v == 0 else CHOSEN
                if row["parent"] < 0 and row["kind"] in FLOATS:
                    role = FLOATING
                self.members[at] = (i, old_q, old_v, role)
                nq, nv = nq + more_q, nv + more_v
            self._number_parents(int(begin), int(end), v0)
            part["nq"], part["nv"] = nq, nv
            q0, v0 = q0 + nq, v0 + nv

    def _number_parents(self, begin: int, end: int, v0: int) -> None:
        """The coordinate before each on the way to the root, within the tree."""
        last = np.full(end - begin, -1)
        for i, row in enumerate(self.tree[begin:end]):
            before = last[row["parent"]] if row["parent"] >= 0 else -1
            for d in range(int(row["v0"]), int(row["v0"] + row["nv"])):
                self.dofs[v0 + d]["parent"] = before
                before = d
            last[i] = before

    def pushes(self, external: FloatArray) -> tuple[IntArray, FloatArray, IntArray]:
        """Bodies that are pushed, by their place within their tree, the wrenches on them, and where each tree's begin."""
        bodies = np.flatnonzero(external.any(axis=1))
        bodies = bodies[np.argsort(self.rank_of[bodies])]
        begins = np.searchsorted(self.tree_of[self.rank_of[bodies]], np.arange(len(self.trees) + 1)).astype(np.int64)
        return self.place_of[bodies], external[bodies], begins


def _lump_room(model: Model) -> tuple[Any, ...]:
    """Rows of lumps, as many as there could be: tables, vectors, forces; each body's lump, place, and whether it moves."""
    n, nq, nv = model.body_count, model.nq, model.nv
    return (
        jit.rows(n, BODY_ROW), jit.rows(nv, DOF_ROW), np.zeros(nq), np.zeros(nv), np.zeros(nv), np.zeros(nq), np.zeros(nv),
        np.zeros((n, 6)), np.zeros(n, dtype=np.int64), np.zeros((n, 12)), np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.bool_),
    )  # fmt: skip


def _tree_room(count: int, nq: int, nv: int) -> tuple[Any, ...]:
    """Scratch for one tree at a time, the largest: it stays in the processor's cache from one tree to the next."""
    return (
        jit.rows(count, BODY_WORK), jit.rows(nv, DOF_WORK), np.zeros((VECTORS, nv)), np.zeros((6, nv)), np.zeros(nq),
        np.zeros((count, 6)), np.zeros(count), np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_),
    )  # fmt: skip
