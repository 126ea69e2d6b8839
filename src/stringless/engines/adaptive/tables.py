"""Tables of the adaptive engine, made once per simulation: bodies of every tree side by side, and scratch for its clusters."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.engines.adaptive.records import (
    Absent,
    AdaptiveModel,
    AdaptiveWork,
    Clusters,
    ContactModel,
    ContactWork,
    ForestInputs,
    Scratch,
    TrialWork,
    Vectors,
)
from stringless.engines.adaptive.rows import (
    COEFFICIENT_ROW,
    COMPOSITE_ROW,
    FLOATING,
    MEMBER_ROW,
    MOTION_ROW,
    RIGID,
    SELECTABLE,
    SPRING_ROW,
    STATUS_ROW,
    SUM_ROW,
    TREE_ROW,
)
from stringless.model.joints import JOINT_TYPES
from stringless.model.model import Model
from stringless.model.records import Skeleton
from stringless.model.rows import BODY_ROW, DOF_ROW
from stringless.model.world_springs import WorldSpring
from stringless.state.scratch import BODY_WORK, DOF_WORK

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class AdaptiveTables:
    """What the kernels of the adaptive engine are given. Indices within a tree begin at its own first body and coordinate."""

    def __init__(self, model: Model, dofs: Any, rest: FloatArray) -> None:
        """Make the tables of a model, whose coordinates and rests of springs may be others than at its start."""
        self.order: IntArray = np.argsort(model.tree["root"], kind="stable").astype(np.int64)
        """The model's indices of the bodies, in the order of these tables."""
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
        self.skeleton = Skeleton(self.tree, self.dofs, model.limits, self.rest, model.gravity)
        self.v_order: IntArray = np.zeros(model.nv, dtype=np.int64)
        """The model's indices of the velocity coordinates, in the order of these tables."""
        self.criterion = "energy"
        """By what joints are selected."""
        self.reach: FloatArray | None = None
        """How far what hangs on each of the model's bodies reaches [m]; None until there is a view."""
        self._arrange(model, dofs, rest)
        self._share(model.limits)
        selectable = self.members["role"] == SELECTABLE
        self.trees["joints"] = np.bincount(self.tree_of, weights=selectable, minlength=len(self.trees))
        widest = int(self.tree["nv"][selectable].max(initial=1))
        starts = self.tree["v0"] + np.repeat(self.trees["v0"], self.trees["count"])
        self.first_of: IntArray = np.repeat(starts, self.tree["nv"])
        """The first coordinate of every coordinate's joint, in this order."""
        self.given_weights = unit_weights(self.first_of, widest)
        """Joint weights as configured, in this order."""
        self.weights = self.given_weights.copy()
        """Their roots, with the view, as the kernels take them: rows of a joint's matrix."""
        self._allocate()

    def _allocate(self) -> None:
        self.status = jit.rows(len(self.trees), STATUS_ROW)
        self.clusters = _clusters(len(self.tree), len(self.rest), len(self.dofs))
        self.scratch = _scratch(*(int(self.trees[name].max(initial=0)) for name in ("count", "nq", "nv")))

    def twin(self) -> AdaptiveTables:
        """Tables for another simulation of the same model; what never changes is shared."""
        other = copy.copy(self)
        other.trees, other.weights = self.trees.copy(), self.weights.copy()
        other._allocate()
        other.status[:] = self.status
        return other

    def model(self, contact: ContactModel | None = None) -> AdaptiveModel:
        """All trees, as the kernels take them."""
        return AdaptiveModel(self.trees, self.skeleton, self.members, self.weights, ABSENT, contact)

    def work(self, wrenches: FloatArray, contact: ContactWork | None = None) -> AdaptiveWork:
        """Their scratch, and the wrenches of all loads."""
        return AdaptiveWork(self.status, self.clusters, self.scratch, wrenches, contact)

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
        floats = self._fixed_below() & np.isin(rows["kind"], [kind.code for kind in JOINT_TYPES.values() if kind.loose])
        bases = np.flatnonzero(floats)
        trees["located"][self.tree_of[bases[::-1]]] = place[bases[::-1]]  # the first, if there are several
        self.members["body"], self.members["q"], self.members["v"] = order, rows["q0"], rows["v0"]
        self.members["role"] = np.where(floats, FLOATING, np.where(rows["nv"] == 0, RIGID, SELECTABLE))

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
        """Tell every tree where one that is built alike stands first: a crowd finds its rows in the processor's cache."""
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
            part["shared"], part["shared_q"], part["shared_v"] = alike["first"], alike["q0"], alike["v0"]

    def _parents(self, parents: IntArray) -> IntArray:
        """The coordinate before each on the way to the root, within its tree; given as the model counts them."""
        rank = np.argsort(self.v_order)
        start = np.repeat(self.trees["v0"], self.trees["nv"])
        return np.where(parents >= 0, rank[parents] - start, -1)

    def inputs(
        self, tau: FloatArray, external: FloatArray, springs: Sequence[tuple[int, WorldSpring]]
    ) -> tuple[ForestInputs, FloatArray]:
        """What drives all trees, and the wrenches of its loads: those on the model's bodies, and of world springs on some.

        Wrenches of springs are found by every step.
        """
        bodies = np.concatenate([np.flatnonzero(external.any(axis=1)), [i for i, _ in springs]]).astype(np.int64)
        given = len(bodies) - len(springs)
        order = np.argsort(self.rank_of[bodies], kind="stable")
        trees = self.tree_of[self.rank_of[bodies[order]]]
        first_load = np.searchsorted(trees, np.arange(len(self.trees) + 1)).astype(np.int64)
        wrenches = np.concatenate([external[bodies[:given]], np.zeros((len(springs), 6))])[order]
        entries = np.flatnonzero(order >= given)
        rows = jit.rows(len(springs), SPRING_ROW)
        rows["entry"] = entries - first_load[trees[entries]]
        for row, at in zip(rows, order[entries] - given, strict=True):
            spring = springs[at][1]
            row["point"], row["anchor"] = spring.point, spring.anchor
            row["stiffness"], row["damping"] = spring.stiffness, spring.damping
        first_spring = np.searchsorted(trees[entries], np.arange(len(self.trees) + 1)).astype(np.int64)
        return ForestInputs(tau, self.place_of[bodies[order]], first_load, rows, first_spring), wrenches


def _stretches(begins: IntArray, lengths: IntArray) -> IntArray:
    """The numbers of all stretches, one after the other."""
    return np.repeat(begins - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())


ABSENT = Absent(np.zeros(0, dtype=np.bool_), np.zeros(3), np.zeros((0, 6)), np.zeros((0, 0)))


def unit_weights(first_of: IntArray, widest: int) -> FloatArray:
    """Rows of matrices that are one, in both metrics, shape (nv, 2, widest); of joints with more coordinates only a part."""
    own = np.arange(widest) == (np.arange(len(first_of)) - first_of)[:, None]
    return np.repeat(own[:, None, :].astype(np.float64), 2, axis=1)


def _clusters(n: int, nq: int, nv: int) -> Clusters:
    """Rows of clusters, as many as there could be."""
    return Clusters(
        tree=jit.rows(n, BODY_ROW),
        dofs=jit.rows(nv, DOF_ROW),
        rest=np.zeros(nq),
        q=np.zeros(nq),
        v=np.zeros(nv),
        vdot=np.zeros(nv),
        tau=np.zeros(nv),
        external=np.zeros((n, 6)),
        cluster_of=np.zeros(n, dtype=np.int64),
        place=np.zeros((n, 12)),
        body_of=np.zeros(n, dtype=np.int64),
        active=np.zeros(n, dtype=np.bool_),
        composites=jit.rows(n, COMPOSITE_ROW),
        coefficients=jit.rows(nv, COEFFICIENT_ROW),
    )


def _scratch(n: int, nq: int, nv: int) -> Scratch:
    """Scratch for the largest tree."""
    return Scratch(
        bodies=jit.rows(n, BODY_WORK),
        dofs=jit.rows(nv, DOF_WORK),
        steps=np.zeros((2, nv)),
        wrenches=np.zeros((n + 1, 6)),
        vectors=Vectors(*np.zeros((len(Vectors._fields), nv))),
        q=np.zeros(nq),
        external=np.zeros((n, 6)),
        scores=np.zeros(n),
        order=np.zeros(n, dtype=np.int64),
        candidate=np.zeros(n, dtype=np.bool_),
        motions=jit.rows(n + 1, MOTION_ROW),
        trial=TrialWork(
            sums=jit.rows(n, SUM_ROW),
            pieces=jit.rows(n, BODY_ROW),
            composites=jit.rows(n, COMPOSITE_ROW),
            piece_of=np.zeros(n, dtype=np.int64),
            order=np.zeros(n, dtype=np.int64),
        ),
    )
