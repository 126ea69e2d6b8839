"""Obstacles of the world and what can touch them, in tables of the adaptive engine."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK
from stringless.contact.kernels_penalty import ANCHOR_ROW
from stringless.contact.tables import SAMPLE_ROW, ContactTables
from stringless.engines.adaptive.kernels_contact import WIDER
from stringless.engines.adaptive.records import ContactModel, ContactWork
from stringless.engines.adaptive.rows import CONTACT_BODY_ROW, CONTACT_BODY_WORK, SPHERE_WORK
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.flesh.boxtree import STACK

FloatArray = NDArray[np.float64]


class WorldContact:
    """Obstacles of the world, and the bodies of a model that can touch them."""

    def __init__(self, tables: AdaptiveTables, contact: ContactTables) -> None:
        """Make the tables, and tell every tree which rows are its own."""
        self.bodies = _contact_bodies(tables, contact.samples)
        self._no_anchors = jit.rows(1, ANCHOR_ROW)
        self._no_anchors["obstacle"] = -1
        self.use(contact)
        _set_ranges(tables, self.bodies)
        self._allocate(tables)

    def twin(self, tables: AdaptiveTables) -> WorldContact:
        """The same with scratch of its own, for another simulation."""
        other = copy.copy(self)
        other._allocate(tables)
        return other

    def _allocate(self, tables: AdaptiveTables) -> None:
        samples = len(self.model.samples)
        self.contact_forces = np.zeros((samples, 3))
        """Force on every contact sample in the last step, along world axes [N]."""
        self.work = ContactWork(
            obstacles=jit.rows(len(self.model.obstacles), OBSTACLE_WORK),
            stack=np.zeros(STACK, np.int64),
            samples=jit.rows(samples, SAMPLE_ROW),
            bodies=jit.rows(len(self.bodies), CONTACT_BODY_WORK),
            spheres=jit.rows(len(tables.tree) + len(tables.trees), SPHERE_WORK),
            order=np.zeros(len(self.bodies), np.int64),
            moments=np.zeros((samples, 3)),
            forces=self.contact_forces,
        )

    def use(self, contact: ContactTables) -> None:
        """Go on with obstacles and contact samples of another friction or stiffness."""
        obstacles = contact.obstacles[contact.obstacles["body"] < 0]
        obstacles.flags.writeable = False
        self.model = ContactModel(obstacles, contact.meshes, contact.samples, self.bodies, self._no_anchors)


def has_obstacles(contact: ContactTables) -> bool:
    """Whether there are obstacles of the world, and something that can touch them."""
    return len(contact.samples) > 0 and bool(np.any(contact.obstacles["body"] < 0))


def _contact_bodies(tables: AdaptiveTables, samples: Any) -> Any:
    """Bodies with contact samples, tree by tree, with a sphere around the samples of each."""
    bodies, first, count = np.unique(samples["body"], return_index=True, return_counts=True)
    order = np.argsort(tables.rank_of[bodies])
    bodies, first, count = bodies[order], first[order], count[order]
    rows = jit.rows(len(bodies), CONTACT_BODY_ROW)
    rows["index"], rows["body"], rows["first"], rows["count"] = bodies, tables.place_of[bodies], first, count
    rows["mass"] = _fixed_masses(tables)[tables.rank_of[bodies]]
    number = np.zeros(len(tables.tree), np.int64)
    number[bodies] = np.arange(len(bodies))
    number = number[samples["body"]]
    low, high = np.full((len(bodies), 3), np.inf), np.full((len(bodies), 3), -np.inf)
    np.minimum.at(low, number, samples["r"] - samples["radius"][:, None])
    np.maximum.at(high, number, samples["r"] + samples["radius"][:, None])
    rows["c"] = 0.5 * (low + high)
    far = np.linalg.norm(samples["r"] - rows["c"][number], axis=1) + samples["radius"]
    np.maximum.at(rows["radius"], number, WIDER * far)
    rows.flags.writeable = False
    return rows


def _fixed_masses(tables: AdaptiveTables) -> FloatArray:
    """Mass of every body and of all that is fixed to it without a joint, in the order of the tables [kg]."""
    first = tables.trees["first"][tables.tree_of]
    group, parent = np.arange(len(first)), tables.tree["parent"]
    for i in np.flatnonzero((tables.tree["nv"] == 0) & (parent >= 0)):
        group[i] = group[first[i] + parent[i]]
    masses: FloatArray = np.bincount(group, tables.tree["mass"], len(group)).astype(np.float64)
    return masses[group]


def _set_ranges(tables: AdaptiveTables, bodies: Any) -> None:
    """Write into the rows of the trees where their bodies and clusters are in the tables of contact."""
    trees = np.arange(len(tables.trees))
    of = tables.tree_of[tables.rank_of[bodies["index"]]]
    tables.trees["contact0"] = np.searchsorted(of, trees)
    tables.trees["contacts"] = np.searchsorted(of, trees, side="right") - tables.trees["contact0"]
    tables.trees["sphere0"] = tables.trees["first"] + trees
