"""What can touch obstacles of the world, in tables of the adaptive engine: probes, and balls around those of every body."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK
from stringless.contact.kernels_penalty import ANCHOR_ROW
from stringless.contact.tables import PROBE_ROW, ContactTables
from stringless.engines.adaptive.kernels_touch import WIDER
from stringless.engines.adaptive.rows import BALL_WORK, PAD_ROW, PAD_WORK
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.flesh.boxtree import STACK

FloatArray = NDArray[np.float64]


class Ground:
    """Obstacles of the world, and the bodies of a model that can touch them."""

    def __init__(self, tables: AdaptiveTables, contact: ContactTables) -> None:
        """Make the tables, and tell every tree which rows are its own."""
        self.use(contact)
        self.pads = _pads(tables, contact.probes)
        tell_trees(tables, self.pads)
        self._allocate(tables)

    def twin(self, tables: AdaptiveTables) -> Ground:
        """The same with scratch of its own, for another simulation."""
        other = copy.copy(self)
        other._allocate(tables)
        return other

    def _allocate(self, tables: AdaptiveTables) -> None:
        self.touch = np.zeros((len(self.probes), 3))
        """Force on every probe in the last step, along world axes [N]."""
        most = int(tables.trees["count"].max(initial=0))
        self.work = (
            jit.rows(len(self.obstacles), OBSTACLE_WORK), np.zeros(STACK, np.int64), jit.rows(len(self.probes), PROBE_ROW),
            jit.rows(len(self.pads), PAD_WORK), jit.rows(len(tables.tree) + len(tables.trees), BALL_WORK),
            np.zeros(len(self.pads), np.int64), np.zeros((most + 1, 6)), np.zeros((len(self.probes), 3)), self.touch,
        )  # fmt: skip
        self._nothing = jit.rows(1, ANCHOR_ROW)
        self._nothing["obstacle"] = -1

    def use(self, contact: ContactTables) -> None:
        """Go on with obstacles and probes of another friction or stiffness."""
        self.obstacles = contact.obstacles[contact.obstacles["body"] < 0]
        self.obstacles.flags.writeable = False
        self.meshes, self.probes = contact.touching[2], contact.probes

    def given(self, gains: FloatArray, stamp: float) -> tuple[Any, ...]:
        """What the kernel is given; `stamp` tells one set of parameters from another."""
        return self.obstacles, self.meshes, self.probes, self.pads, self._nothing, gains, stamp


def has_ground(contact: ContactTables) -> bool:
    """Whether there are obstacles of the world, and something that can touch them."""
    return len(contact.probes) > 0 and bool(np.any(contact.obstacles["body"] < 0))


def _pads(tables: AdaptiveTables, probes: Any) -> Any:
    """Bodies with probes, tree by tree, with a ball around the probes of each."""
    bodies, first, count = np.unique(probes["body"], return_index=True, return_counts=True)
    order = np.argsort(tables.rank_of[bodies])
    bodies, first, count = bodies[order], first[order], count[order]
    pads = jit.rows(len(bodies), PAD_ROW)
    pads["owner"], pads["body"], pads["first"], pads["count"] = bodies, tables.place_of[bodies], first, count
    pads["mass"] = _fixed_masses(tables)[tables.rank_of[bodies]]
    number = np.zeros(len(tables.tree), np.int64)
    number[bodies] = np.arange(len(bodies))
    number = number[probes["body"]]
    low, high = np.full((len(bodies), 3), np.inf), np.full((len(bodies), 3), -np.inf)
    np.minimum.at(low, number, probes["r"] - probes["radius"][:, None])
    np.maximum.at(high, number, probes["r"] + probes["radius"][:, None])
    pads["c"] = 0.5 * (low + high)
    far = np.linalg.norm(probes["r"] - pads["c"][number], axis=1) + probes["radius"]
    np.maximum.at(pads["radius"], number, WIDER * far)
    pads.flags.writeable = False
    return pads


def _fixed_masses(tables: AdaptiveTables) -> FloatArray:
    """Mass of every body and of all that is fixed to it without a joint, in the order of the tables [kg]."""
    first = tables.trees["first"][tables.tree_of]
    group, parent = np.arange(len(first)), tables.tree["parent"]
    for i in np.flatnonzero((tables.tree["nv"] == 0) & (parent >= 0)):
        group[i] = group[first[i] + parent[i]]
    masses: FloatArray = np.bincount(group, tables.tree["mass"], len(group)).astype(np.float64)
    return masses[group]


def tell_trees(tables: AdaptiveTables, pads: Any) -> None:
    """Write into the rows of the trees where their bodies and clusters are in the tables of the ground."""
    trees = np.arange(len(tables.trees))
    of = tables.tree_of[tables.rank_of[pads["owner"]]]
    tables.trees["pad0"] = np.searchsorted(of, trees)
    tables.trees["pads"] = np.searchsorted(of, trees, side="right") - tables.trees["pad0"]
    tables.trees["ball0"] = tables.trees["first"] + trees
