"""Tables of the adaptive engine, made once per simulation: the bodies of every tree side by side, and room for its clusters."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.engines.adaptive.kernels_exchange import VECTORS
from stringless.engines.adaptive.rows import (
    CHOSEN,
    CLUSTER_MOTION,
    FLOATING,
    FROZEN_BODY,
    FROZEN_DOF,
    MEMBER_ROW,
    PULL_ROW,
    RIGID,
    SUM,
    TREE_ROW,
)
from stringless.model.joints import registry
from stringless.model.model import Model
from stringless.model.pulls import Pull
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
        self.rest = np.zeros(model.nq)
        self.v_order: IntArray = np.zeros(model.nv, dtype=np.int64)
        """The model's numbers of the velocity coordinates, in the order of these tables."""
        self.criterion = "energy"
        """By what joints are chosen."""
        self.reach: FloatArray | None = None
        """How far what hangs on each of the model's bodies reaches [m]; None until somebody looks."""
        self._arrange(model, dofs, rest)
        self._share(model.limits)
        chosen = self.members["role"] == CHOSEN
        self.trees["joints"] = np.bincount(self.tree_of, weights=chosen, minlength=len(self.trees))
        widest = int(self.tree["nv"][chosen].max(initial=1))
        starts = self.tree["v0"] + np.repeat(self.trees["v0"], self.trees["count"])
        self.first_of: IntArray = np.repeat(starts, self.tree["nv"])
        """The first coordinate of every coordinate's joint, in this order."""
        self.told_weights = unit_weights(self.first_of, widest)
        self.weights = self.told_weights.copy()
        """Weights that a person has given, in this order, and their roots as the kernels take them: rows of a joint's matrix."""
        self.full = (self.tree, self.dofs, self.rest, self.members, self.weights)
        self.clusters = _cluster_room(model)
        most = [int(self.trees[name].max(initial=0)) for name in ("count", "nq", "nv")]
        self.room = _tree_room(*most)
        self.none = (np.zeros(0, dtype=np.bool_), np.zeros(3), np.zeros((0, 6)), np.zeros((0, 0)))

    def twin(self) -> AdaptiveTables:
        """Tables for another simulation of the same model; what never changes is shared."""
        other = copy.copy(self)
        other.trees, other.weights = self.trees.copy(), self.weights.copy()
        other.full = (*self.full[:-1], other.weights)
        other.clusters, other.room = (
            tuple(np.zeros_like(table) for table in room) for room in (self.clusters, self.room)
        )
        return other

    def _arrange(self, model: Model, dofs: Any, rest: FloatArray) -> None:
        """Copy the model's rows tree by tree, and number them within each."""
        trees, order, rows = self.trees, self.order, model.tree[self.order]
        first = np.searchsorted(self.tree_of, np.arange(len(trees)))
        trees["first"], trees["count"], trees["root"] = first, np.bincount(self.tree_of), order[first]
        place = np.arange(len(order)) - first[self.tree_of]
        self.place_of[order] = place
        self.tree[:] = rows
        for name, more in (("q0", "nq"), ("v0", "nv")):
            begin = np.cumsum(rows[more]) - rows[more]
            trees[name], trees[more] = begin[first], np.bincount(self.tree_of, rows[more])
            self.tree[name] = begin - begin[first][self.tree_of]
        self.tree["parent"] = np.where(rows["parent"] >= 0, self.place_of[rows["parent"]], -1)
        self.tree["root"] = 0
        self.v_order[:] = _stretches(rows["v0"], rows["nv"])
        self.dofs[:] = dofs[self.v_order]
        self.dofs["body"] = np.repeat(place, rows["nv"])
        self.dofs["parent"] = self._parents(dofs["parent"][self.v_order])
        self.rest[:] = rest[_stretches(rows["q0"], rows["nq"])]
        floats = self._fixed_below() & np.isin(rows["kind"], FLOATS)
        bases = np.flatnonzero(floats)
        trees["base"][self.tree_of[bases[::-1]]] = place[bases[::-1]]  # the first, if there are several
        self.members["body"], self.members["q"], self.members["v"] = order, rows["q0"], rows["v0"]
        self.members["role"] = np.where(floats, FLOATING, np.where(rows["nv"] == 0, RIGID, CHOSEN))

    def _fixed_below(self) -> NDArray[np.bool_]:
        """Whether every body's joint stands on the ground: nothing on the way there can move."""
        stands = self.tree["parent"] < 0
        above = self.tree["parent"] + self.trees["first"][self.tree_of]  # meaningless for roots
        rigid = self.tree["nv"] == 0
        while True:
            more = stands | (~stands & stands[above] & rigid[above])
            if np.array_equal(more, stands):
                return stands
            stands = more

    def _share(self, limits: Any) -> None:
        """Tell every tree where one that is built alike stands first: looks at a crowd find its rows in the processor's cache."""
        known: dict[bytes, Any] = {}
        bodies = self.tree.copy()
        bodies["l0"] = 0
        stops = np.cumsum(self.tree["nl"]) - self.tree["nl"]
        own_limits = limits[_stretches(self.tree["l0"], self.tree["nl"])]
        for part in self.trees:
            first, end = int(part["first"]), int(part["first"] + part["count"])
            built = bodies[first:end].tobytes() + self.dofs[part["v0"] : part["v0"] + part["nv"]].tobytes()
            built += self.rest[part["q0"] : part["q0"] + part["nq"]].tobytes()
            last = stops[end - 1] + self.tree["nl"][end - 1]
            alike = known.setdefault(built + own_limits[stops[first] : last].tobytes(), part)
            part["like"], part["like_q"], part["like_v"] = alike["first"], alike["q0"], alike["v0"]

    def _parents(self, parents: IntArray) -> IntArray:
        """The coordinate before each on the way to the root, within its tree; given as the model counts them."""
        rank = np.argsort(self.v_order)
        start = np.repeat(self.trees["v0"], self.trees["nv"])
        return np.where(parents >= 0, rank[parents] - start, -1)

    def pushes(
        self, external: FloatArray, pulled: Sequence[tuple[int, Pull]]
    ) -> tuple[IntArray, FloatArray, IntArray, Any]:
        """Bodies that are pushed, by their place within their tree, the wrenches on them, and where each tree's begin.

        Springs pull the bodies that they are given with. These are pushed, too, by wrenches that every step finds anew.
        """
        pushed = np.flatnonzero(external.any(axis=1))
        bodies = np.concatenate([pushed, [i for i, _ in pulled]]).astype(np.int64)
        order = np.argsort(self.rank_of[bodies], kind="stable")
        trees = self.tree_of[self.rank_of[bodies[order]]]
        begins = np.searchsorted(trees, np.arange(len(self.trees) + 1)).astype(np.int64)
        wrenches = np.concatenate([external[pushed], np.zeros((len(pulled), 6))])[order]
        follows = np.flatnonzero(order >= len(pushed))
        rows = jit.rows(len(pulled), PULL_ROW)
        rows["entry"] = follows
        for row, at in zip(rows, order[follows] - len(pushed), strict=True):
            one = pulled[at][1]
            row["point"], row["anchor"], row["stiffness"], row["damping"] = (
                one.point,
                one.anchor,
                one.stiffness,
                one.damping,
            )
        self.trees["pulls"] = np.bincount(trees[follows], minlength=len(self.trees))
        self.trees["pull0"] = np.cumsum(self.trees["pulls"]) - self.trees["pulls"]
        return self.place_of[bodies[order]], wrenches, begins, rows


def _stretches(begins: IntArray, lengths: IntArray) -> IntArray:
    """The numbers of all stretches, one after the other."""
    return np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())


def unit_weights(first_of: IntArray, widest: int) -> FloatArray:
    """Rows of matrices that are one, in both metrics, shape (nv, 2, widest); of joints with more coordinates only a part."""
    own = np.arange(widest) == (np.arange(len(first_of)) - first_of)[:, None]
    return np.repeat(own[:, None, :].astype(np.float64), 2, axis=1)


def _cluster_room(model: Model) -> tuple[Any, ...]:
    """Rows of clusters, as many as there could be: tables, vectors, forces; each body's cluster, place, and whether it moves.

    Then what bodies and joints are in their clusters, as long as these stay.
    """
    n, nq, nv = model.body_count, model.nq, model.nv
    return (
        jit.rows(n, BODY_ROW), jit.rows(nv, DOF_ROW), np.zeros(nq), np.zeros(nv), np.zeros(nv), np.zeros(nq), np.zeros(nv),
        np.zeros((n, 6)), np.zeros(n, dtype=np.int64), np.zeros((n, 12)), np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.bool_), jit.rows(n, FROZEN_BODY), jit.rows(nv, FROZEN_DOF),
    )  # fmt: skip


def _tree_room(count: int, nq: int, nv: int) -> tuple[Any, ...]:
    """Scratch for one tree at a time, the largest: it stays in the processor's cache from one tree to the next.

    Of the recursions, vectors, forces, scores, the set of joints on trial; then of its clusters, and of pieces it is cut into.
    """
    return (
        jit.rows(count, BODY_WORK), jit.rows(nv, DOF_WORK), np.zeros((VECTORS, nv)), np.zeros((6, nv)), np.zeros(nq),
        np.zeros((count, 6)), np.zeros(count), np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_),
        jit.rows(count + 1, CLUSTER_MOTION), jit.rows(count, SUM), jit.rows(count, BODY_ROW), jit.rows(count, FROZEN_BODY),
        np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64),
    )  # fmt: skip
