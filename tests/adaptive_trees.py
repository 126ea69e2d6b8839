"""Trees in the tables of the adaptive engine, with dense matrices to compare with, and simulations of it."""

import numpy as np

import stringless as sl
from models import floating, random_forest, random_motion
from naive import dynamics as naive
from stringless import jit
from stringless.engines.adaptive.kernels_clusters import gather_clusters
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.scenes.pendulums import chain
from stringless.simulation import Simulation
from stringless.state.scratch import BODY_WORK, DOF_WORK


class Tree:
    """A random tree of all kinds of joints in a random state, some of its joints moving."""

    def __init__(self, seed, *, bodies=14, share=0.5, **options):
        model = random_forest(seed, bodies=bodies, roots=0.0, **options)
        self.model = floating(model) if seed % 2 else model
        self.m = random_motion(self.model, seed)
        self.rng = np.random.default_rng([seed, 9])
        self.tables = AdaptiveTables(self.model, self.model.dofs, self.model.q_rest)
        self.part = self.tables.trees[0]
        self.own, self.clusters = self.tables.full, self.tables.clusters  # those of the only tree there is
        self.moves = self.rng.random(bodies) < share
        self.moves &= self.model.tree["nv"] > 0
        self.moves[0] |= bool(seed % 2)  # a floating root moves always
        self.free = np.concatenate([np.full(joint.nv, self.moves[joint.index]) for joint in self.model.joints])

    def form(self):
        """Make the clusters; the tables that are used of them, and their numbers."""
        tree, dofs, rest, _, _ = self.own
        clusters, cluster_dofs, cluster_rest, _, _, _, _, _, cluster_of, place, body_of = self.clusters[:11]
        m, nq, nv = gather_clusters(
            tree,
            dofs,
            rest,
            self.m.q.copy(),
            self.moves,
            cluster_of,
            place,
            body_of,
            clusters,
            cluster_dofs,
            cluster_rest,
        )
        self.part["clusters"], self.part["cluster_nq"], self.part["cluster_nv"] = m, nq, nv
        assert m == self.moves.sum()
        assert nv == self.free.sum()
        return clusters[:m], cluster_dofs[:nv], cluster_rest[:nq]

    def cluster_q(self):
        """Configuration of the joints that move."""
        parts = [self.m.q[joint.q_slice] for joint in self.model.joints if self.moves[joint.index]]
        return np.concatenate([np.zeros(0), *parts])

    @property
    def M(self):
        """The mass matrix of the whole tree."""
        return naive.mass_matrix(self.model, self.m.q)

    @property
    def v(self):
        """Velocities of the joints that move, none of the others."""
        return np.where(self.free, self.m.v, 0.0)


def work_tables(count, nv):
    """Scratch of the recursions."""
    return jit.rows(count, BODY_WORK), jit.rows(nv, DOF_WORK)


def started(model, seed=0, speed=1.0, **options):
    """A simulation in a random state under random efforts and forces."""
    m = random_motion(model, seed, speed)
    sim = Simulation(sl.Scene(model, q=m.q, v=m.v), record=0, **options)
    sim.tau[:], sim.external[:] = m.tau, m.external
    return sim


def swung(links=40, **options):
    """A chain let go with a bend."""
    model = chain(links, length=0.05, mass=0.05, damping=1e-3, name="swung").build()
    q = np.full(links, 0.02)
    q[0] = 0.8
    return Simulation(sl.Scene(model, q=q), engine="adaptive", **({"record": 0} | options))


def same(one, other):
    """Whether two states are the same to the last bit."""
    return one.time == other.time and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in one.arrays()
    )
