"""Trees in the tables of the adaptive engine, with dense matrices to compare with, and simulations of it."""

import numpy as np

import stringless as sl
from models import floating, random_forest, random_motion
from naive import dynamics as naive
from stringless import jit
from stringless.engines.adaptive.kernels_clusters import form_clusters
from stringless.engines.adaptive.records import AdaptiveModel, AdaptiveWork, Settings
from stringless.engines.adaptive.rows import ENERGY, body_states
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.model.records import Skeleton
from stringless.scenes.pendulums import chain
from stringless.simulation import Simulation
from stringless.state.scratch import BODY_WORK, DOF_WORK


class Tree:
    """A random tree of all kinds of joints in a random state, some of its joints active; and its records."""

    def __init__(self, seed, *, bodies=14, share=0.5, **options):
        model = random_forest(seed, bodies=bodies, roots=0.0, **options)
        self.model = floating(model) if seed % 2 else model
        self.m = random_motion(self.model, seed)
        self.rng = np.random.default_rng([seed, 9])
        tables = AdaptiveTables(self.model, self.model.dofs, self.model.q_rest)
        self.record, self.work = only_tree(tables)
        self.clusters, self.scratch, self.status = self.work.clusters, self.work.scratch, self.work.status
        self.active = self.rng.random(bodies) < share
        self.active &= self.model.tree["nv"] > 0
        self.active[0] |= bool(seed % 2)  # a floating root is always active
        self.free = self.coordinates(self.active)

    def coordinates(self, joints):
        """Which coordinates are those of some joints."""
        return np.concatenate([np.full(joint.nv, joints[joint.index]) for joint in self.model.joints])

    def form(self):
        """Make the clusters: their skeleton."""
        self.clusters.active[:] = self.active
        form_clusters(self.record.skeleton, self.m.q.copy(), self.clusters, self.status)
        m, nq, nv = (int(self.status[name]) for name in ("clusters", "nq", "nv"))
        assert m == self.active.sum()
        assert nv == self.free.sum()
        clusters, model = self.clusters, self.model
        return Skeleton(clusters.tree[:m], clusters.dofs[:nv], model.limits, clusters.rest[:nq], model.gravity)

    def cluster_q(self):
        """Configuration of the active joints."""
        parts = [self.m.q[joint.q_slice] for joint in self.model.joints if self.active[joint.index]]
        return np.concatenate([np.zeros(0), *parts])

    @property
    def M(self):
        """The mass matrix of the whole tree."""
        return naive.mass_matrix(self.model, self.m.q)

    @property
    def v(self):
        """Velocities of the active joints, none of the others."""
        return np.where(self.free, self.m.v, 0.0)


def only_tree(tables):
    """The records of the first tree of a model that has one only."""
    forest, work = tables.model(), tables.work(np.zeros((0, 6)))
    record = AdaptiveModel(forest.row[0], forest.skeleton, forest.members, forest.weights, forest.absent, None)
    return record, AdaptiveWork(work.status[0], work.clusters, work.scratch, work.wrenches, None)


def settings(**options):
    """Settings of the engine."""
    usual = {"dt": 1e-3, "limit_frequency": 100.0, "max_speed": 1e3, "update_every": 20, "criterion": ENERGY}
    return Settings(**(usual | {"gains": np.ones(4), "digest": 0.0} | options))


def kept(sim):
    """What the state of a simulation keeps of every body."""
    return body_states(sim.state.kept)


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
