"""Which joints move: by their rates, as in the paper, and by the energy that is missing if they are held."""

import numpy as np
import pytest

import stringless as sl
from adaptive_trees import Tree
from checks import relative
from models import random_motion
from naive import dynamics as naive
from stringless.engines.adaptive.kernels_choice import STILL, choose, measure, needed, select
from stringless.engines.adaptive.kernels_exchange import AIM, INERTIA, OF_CLUSTERS, RATE
from stringless.engines.adaptive.kernels_pieces import feel_rest, keep_momenta, try_out
from stringless.engines.adaptive.kernels_rounds import let_some_go, meet, rate, spend
from stringless.engines.adaptive.kernels_survey import site_of, survey, trial
from stringless.engines.adaptive.rows import CHOSEN

TWIN = 1e-10
"""Relative; both sides solve with matrices whose condition number is up to 1e5."""
T = 0.02
"""Time until joints are chosen again [s]."""


# --- by motion ---


def _order(metric, moves):
    """Joints by rank, the slow way."""
    return sorted(range(len(metric)), key=lambda i: (-metric[i], not moves[i], i))


@pytest.mark.parametrize("seed", range(20))
def test_the_best_are_found(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    metric = rng.integers(0, 5, n).astype(float) if seed % 2 else rng.random(n)  # many equal ones, or none
    moves = rng.random(n) < 0.5
    order = rng.permutation(n)
    keep = int(rng.integers(0, n + 1))
    select(n, keep, metric, moves, order)
    assert sorted(order[:keep]) == sorted(_order(metric, moves)[:keep])
    assert sorted(order) == list(range(n))


@pytest.mark.parametrize("seed", range(20))
def test_the_smallest_set_for_an_error_is_found(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    metric, moves = rng.exponential(size=n), rng.random(n) < 0.5
    error = float(rng.uniform(0, 1.2)) * metric.sum()
    order = rng.permutation(n)
    keep, left = needed(n, error, metric, moves, order)
    ranked = _order(metric, moves)
    assert sorted(order[:keep]) == sorted(ranked[:keep])
    assert left == pytest.approx(metric[ranked[keep:]].sum(), abs=1e-12)
    assert left <= error
    assert keep == 0 or metric[ranked[keep - 1 :]].sum() > error


def test_the_metric_is_that_of_the_rates_ahead():
    tree = Tree(3)
    model, m = tree.model, tree.m
    weights = tree.rng.uniform(-1.0, 1.0, tree.own[4].shape)
    found = np.zeros(model.body_count)
    measure(tree.own[0], tree.own[3], weights, m.v, m.vdot, T, found)
    for joint in model.joints:
        s = joint.v_slice
        part = weights[s, :, : joint.nv]
        ahead = part[:, 0] @ m.v[s] + T * part[:, 1] @ m.vdot[s] if joint.index else np.zeros(6)
        assert found[joint.index] == pytest.approx(0.0 if joint.index == 0 else ahead @ ahead)  # the root floats
    slow = 0.5 * np.sqrt(STILL / 6) / np.abs(m.v).max() * m.v
    measure(tree.own[0], tree.own[3], weights, slow, np.zeros(model.nv), T, found)
    assert not found.any()


def _members(n):
    members = np.zeros(n, Tree(0).own[3].dtype)
    members["role"] = CHOSEN
    return members


def test_the_error_is_the_metric_of_the_joints_left_out():
    rng = np.random.default_rng(1)
    metric, order = rng.random(40), np.zeros(40, np.int64)
    for budget, max_error in ((7, -1.0), (40, 3.0), (5, 3.0), (40, 1e9)):
        moves = np.zeros(40, bool)
        changes, error = choose(_members(40), budget, max_error, metric, order, moves)
        assert error == pytest.approx(metric[~moves].sum())
        assert changes == moves.sum() <= budget
        if max_error > 0 and moves.sum() < budget:
            assert error <= max_error
    moves[:] = False
    choose(_members(40), 7, -1.0, metric, order, moves)
    assert set(np.flatnonzero(moves)) == set(np.argsort(-metric)[:7])


def test_joints_do_not_flicker_at_the_bound():
    """A joint whose metric goes up and down around the error begins to move once, and stays."""
    moves, order = np.zeros(3, bool), np.zeros(3, np.int64)
    switched = 0
    for k in range(20):
        metric = np.array([5.0, 1.0 + 0.1 * (-1) ** k, 0.0])
        changes, _ = choose(_members(3), 3, 1.0, metric, order, moves)
        switched += changes
    assert switched == 2
    assert moves.tolist() == [True, True, False]
    choose(_members(3), 3, 1.0, np.array([5.0, 0.4, 0.0]), order, moves)
    assert moves.tolist() == [True, False, False]


# --- by energy ---


class Dense:
    """G, g and w of a tree, with matrices."""

    def __init__(self, tree):
        model, m, dofs = tree.model, tree.m, tree.model.dofs
        v = tree.v
        k, c = dofs["stiffness"], dofs["damping"]
        self.G = tree.M + np.diag(T * c + T**2 * k)
        forces = m.tau + naive.loads(model, m.q, v, m.external) - T * k * v - naive.bias(model, m.q, v)
        self.g = self.G @ v + T * forces
        self.w = np.linalg.solve(self.G, self.g)

    def missing(self, free):
        """Energy that is missing if only the free coordinates move."""
        alpha = np.zeros(len(self.g))
        alpha[free] = np.linalg.solve(self.G[np.ix_(free, free)], self.g[free])
        return 0.5 * (self.w - alpha) @ self.G @ (self.w - alpha), alpha


class Looked:
    """A tree of clusters that was looked at, and its dense twin."""

    def __init__(self, seed, *, held=0, away=0.0):
        """The first joints may be held, and its root far away."""
        self.tree = tree = Tree(seed, bodies=16, springs=True, dampers=True, armature=True)
        tree.moves[:held] = False
        tree.free = _coordinates(tree, tree.moves)
        tree.own[0]["p"][0] += away
        tree.form()
        self.room, self.cluster_work = tree.tables.room, tree.tables.clusters
        self.room[4][:] = tree.m.q
        self.cluster_work[5][: len(tree.cluster_q())] = tree.cluster_q()
        self.cluster_work[3][: tree.free.sum()] = tree.m.tau[tree.free]
        self.vector(OF_CLUSTERS)[: tree.free.sum()] = tree.m.v[tree.free]
        self.survey()
        self.dense = Dense(tree)

    def survey(self):
        """Look at it, as it stands."""
        tree = self.tree
        survey(
            tree.own, tree.model.limits, tree.model.gravity, tree.tables.none, tree.m.tau, self.vector(OF_CLUSTERS),
            tree.m.external, T, 100.0, self.cluster_work, self.room, tree.part,
        )  # fmt: skip
        self.site = site_of(tree.own, int(tree.part["clusters"]), self.cluster_work, self.room)

    @property
    def trial(self):
        return trial(self.room)

    def vector(self, row):
        return self.room[2][row, : self.tree.model.nv]


@pytest.fixture(params=range(6))
def looked(request):
    """A tree that was looked at: joints of clusters move, all others are held."""
    return Looked(request.param)


def test_aims_are_momenta_at_the_end_of_the_interval(looked):
    assert relative(looked.vector(AIM), looked.dense.g) < TWIN
    assert relative(looked.vector(INERTIA), np.diag(looked.dense.G)) < TWIN


def test_momenta_of_all_joints_follow_from_the_clusters(looked):
    tree = looked.tree
    p = np.zeros(tree.model.nv)
    keep_momenta(looked.site, looked.cluster_work[0], looked.vector(OF_CLUSTERS), looked.trial, p)
    assert relative(p, tree.M @ tree.v) < TWIN


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_held_joints_feel_what_is_missing(looked, share):
    """Whatever joints are let go for trial, whether they move now or are held."""
    tree, dense = looked.tree, looked.dense
    free = (tree.rng.random(len(tree.moves)) < share) & (tree.own[3]["role"] >= CHOSEN)
    coordinates = _coordinates(tree, free)
    residual = np.zeros(tree.model.nv)
    twice = try_out(looked.site, free, tree.tables.none, looked.trial)
    feel_rest(looked.site, looked.trial, residual)
    missing, expected = dense.missing(coordinates)
    assert relative(looked.vector(RATE)[coordinates], expected[coordinates]) < TWIN
    felt = dense.g - dense.G @ expected
    assert relative(residual[~coordinates], felt[~coordinates]) < TWIN
    assert 0.5 * (dense.w @ dense.g - twice) == pytest.approx(missing, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("seed", [2, 4])
def test_a_character_that_stands_far_from_the_origin_is_seen_as_well(seed):
    near, far = Looked(seed, held=5), Looked(seed, held=5, away=1e6)
    assert np.count_nonzero(near.cluster_work[8] < 0) > 4, "something hangs on the ground"
    for row in (AIM, INERTIA):
        assert relative(far.vector(row), near.vector(row)) < 1e-8
    free = near.tree.own[3]["role"] >= CHOSEN
    for looked in (near, far):
        try_out(looked.site, free, looked.tree.tables.none, looked.trial)
    assert relative(far.vector(RATE), near.vector(RATE)) < 1e-7


def test_coefficients_stay_good_while_clusters_move(looked):
    """Those of joints held are worked out once: elsewhere, at other speeds, the same sums are right."""
    tree = looked.tree
    frozen = looked.cluster_work[13].copy()
    other = random_motion(tree.model, 99)
    for joint in tree.model.joints:
        if tree.moves[joint.index]:
            tree.m.q[joint.q_slice], tree.m.v[joint.v_slice] = other.q[joint.q_slice], other.v[joint.v_slice]
    tree.m.external[:] = other.external
    looked.cluster_work[5][: len(tree.cluster_q())] = tree.cluster_q()
    looked.vector(OF_CLUSTERS)[: tree.free.sum()] = tree.m.v[tree.free]
    looked.survey()
    dense = Dense(tree)
    assert relative(dense.g, looked.dense.g) > 0.1
    assert relative(looked.vector(AIM), dense.g) < TWIN
    assert relative(looked.vector(INERTIA), np.diag(dense.G)) < TWIN
    assert np.array_equal(frozen[~tree.free], looked.cluster_work[13][~tree.free])


def _coordinates(tree, free):
    return np.concatenate([np.full(joint.nv, free[joint.index]) for joint in tree.model.joints])


def test_a_budget_is_spent_to_the_last_joint_and_well(looked):
    tree, dense = looked.tree, looked.dense
    members, weights = tree.own[3:]
    n, inertia = tree.model.body_count, looked.vector(INERTIA)
    before = np.inf
    for budget in range(1, int(tree.part["joints"]) + 1):
        free, moves = np.zeros(n, bool), np.zeros(n, bool)
        spend(
            looked.site, members, weights, moves, inertia, budget, tree.tables.none, looked.trial, np.zeros(n),
            np.zeros(n, np.int64), free,
        )  # fmt: skip
        assert free[members["role"] == CHOSEN].sum() == budget
        missing = dense.missing(_coordinates(tree, free))[0]
        others = [dense.missing(_coordinates(tree, _some(tree, budget)))[0] for _ in range(15)]
        assert missing <= np.median(others) * (1 + 1e-9) + 1e-12
        before = min(before, missing)
    assert before < 1e-9


def _some(tree, budget):
    """So many joints at random, with the root if it floats."""
    free = tree.own[3]["role"] > CHOSEN
    free[tree.rng.choice(np.flatnonzero(tree.own[3]["role"] == CHOSEN), budget, replace=False)] = True
    return free


@pytest.mark.parametrize("share", [0.5, 0.1, 0.001])
def test_an_error_is_met_and_known(looked, share):
    tree, dense = looked.tree, looked.dense
    members, weights = tree.own[3:]
    n = tree.model.body_count
    floats = _coordinates(tree, members["role"] > CHOSEN)
    max_error = share * dense.missing(floats)[0]
    free, moves = np.zeros(n, bool), np.zeros(n, bool)
    arguments = (
        looked.vector(INERTIA), int(tree.part["joints"]), max_error, tree.tables.none, looked.trial, np.zeros(n), free,
    )  # fmt: skip
    found = meet(looked.site, members, weights, moves, *arguments)
    assert found == pytest.approx(dense.missing(_coordinates(tree, free))[0], rel=1e-6, abs=1e-10)
    assert found <= max_error
    assert free[members["role"] == CHOSEN].any()
    assert share < 0.1 or not free[members["role"] == CHOSEN].all()
    # Once chosen they stay, as long as they do.
    moves[:] = free
    if found > 0.2 * max_error:
        looked.vector(AIM)[:] *= np.sqrt(0.9 * max_error / found)
        meet(looked.site, members, weights, moves, *arguments)
        assert np.array_equal(free, moves)


def test_every_stretch_gives_its_best():
    score = np.array([0.0, 1.0, 3.0, 0.0, 4.0, 1.0, 1.0, 2.0, 0.0])
    free = np.zeros(9, bool)
    assert let_some_go(score, score.sum(), 3, free) == 3
    assert np.flatnonzero(free).tolist() == [2, 4, 7]


def test_still_joints_win_nothing_and_those_that_move_count_more():
    tree = Tree(0, bodies=5, kinds=("revolute",))
    own, _, _, members, weights = tree.own
    score, inertia, nobody = np.zeros(5), np.full(5, 2.0), np.zeros(5, bool)
    residual = np.array([1.0, 1.0, 1e-9, 0.0, -3.0])
    moves = np.array([False, True, False, False, False])
    total = rate(own, members, weights, moves, residual, inertia, nobody, score)
    assert score.tolist() == [0.5, 1.0, 0.0, 0.0, 4.5]
    assert total == score.sum()


# --- weights that are matrices ---

ROUND = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]])


def balls(**options):
    builder = sl.ModelBuilder("balls")
    for k in range(4):
        parent, place = (f"b{k - 1}", sl.Pose((0.0, -0.3, 0.0))) if k else ("", sl.Pose())
        builder.add_body(
            f"b{k}", parent, "ball", place=place, mass=1.0, center_of_mass=(0.0, -0.15, 0.0),
            inertia=(0.03, 0.002, 0.03, 0.0, 0.0, 0.0),
        )  # fmt: skip
    model = builder.build()
    v = np.random.default_rng(5).normal(size=model.nv)
    return sl.Simulation(sl.Scene(model, v=v), engine="adaptive", **options)


@pytest.mark.parametrize("view", [None, sl.View((0.0, 0.0, 5.0), (0.0, 0.0, 0.0))])
def test_kernels_have_the_roots_of_matrices(view):
    sim = balls(active=2, view=view, weights={"b1": {"velocity": ROUND}, "b2": [1.0, 4.0, 9.0]})
    tables = sim.engine.tables
    reach = 1.0 if view is None else tables.reach[1]
    assert tables.weights.shape == (12, 2, 3)
    assert np.allclose(tables.weights[3:6, 0] @ tables.weights[3:6, 0], reach * ROUND, atol=1e-12)
    assert np.allclose(tables.weights[3:6, 0], tables.weights[3:6, 0].T)
    assert np.allclose(tables.weights[3:6, 1], np.sqrt(reach) * np.eye(3), atol=1e-12)
    assert np.allclose(
        tables.weights[6:9, 0], np.diag([1.0, 2.0, 3.0]) * (1.0 if view is None else np.sqrt(tables.reach[2]))
    )


def test_a_joint_wins_by_the_geometric_mean_of_both_matrices():
    sim = balls(active=2, weights={"b1": {"velocity": ROUND, "acceleration": 2.0}})
    own, _, _, members, weights = sim.engine.tables.full
    rng = np.random.default_rng(3)
    residual, inertia, score, nobody = rng.normal(size=12), rng.uniform(0.5, 2.0, 12), np.zeros(4), np.zeros(4, bool)
    rate(own, members, weights, nobody, residual, inertia, nobody, score)
    r = residual[3:6] / np.sqrt(inertia[3:6])
    assert score[1] == pytest.approx(np.sqrt((r @ ROUND @ r) * (2.0 * r @ r)))
    assert score[2] == pytest.approx(np.sum(residual[6:9] ** 2 / inertia[6:9]))


@pytest.mark.parametrize("criterion", ["energy", "motion"])
def test_the_axis_that_a_matrix_names_decides(criterion):
    rates = np.zeros(12)
    rates[3:6], rates[6:9] = (2.0, 0.0, 0.0), (0.0, 0.0, 2.0)

    def chosen(x, z):
        matrix = np.diag([x, 1.0, z]) + 0.1 * np.ones((3, 3))
        sim = balls(active=1, criterion=criterion, update_every=1, weights={"b1": matrix, "b2": matrix})
        sim.set_state(sim.model.neutral(), rates)
        sim.step(1)
        return sim.moving_joints.tolist()

    assert chosen(100.0, 1e-3) == [False, True, False, False]
    assert chosen(1e-3, 100.0) == [False, False, True, False]
