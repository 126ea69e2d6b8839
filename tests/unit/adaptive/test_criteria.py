"""Which joints are active: by their rates, as in the paper, and by the energy that is missing if they are not."""

import numpy as np
import pytest

import stringless as sl
from adaptive_trees import Tree, only_tree, settings
from checks import relative
from models import random_motion
from naive import dynamics as naive
from stringless.engines.adaptive.kernels_energy_criterion import (
    add_candidates,
    find_within_budget,
    find_within_error,
    score_joints,
)
from stringless.engines.adaptive.kernels_motion_criterion import compute_metrics, select_joints
from stringless.engines.adaptive.kernels_ranking import STILL, select_best, select_within_error
from stringless.engines.adaptive.kernels_targets import compute_targets
from stringless.engines.adaptive.kernels_trials import compute_cluster_momenta, compute_residual, solve_trial
from stringless.engines.adaptive.rows import SELECTABLE

TWIN = 1e-10
"""Relative; both sides solve with matrices whose condition number is up to 1e5."""
T = 0.02
"""Time until the active region is updated [s]."""


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
    select_best(n, keep, metric, moves, order)
    assert sorted(order[:keep]) == sorted(_order(metric, moves)[:keep])
    assert sorted(order) == list(range(n))


@pytest.mark.parametrize("seed", range(20))
def test_the_smallest_set_for_an_error_is_found(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    metric, moves = rng.exponential(size=n), rng.random(n) < 0.5
    error = float(rng.uniform(0, 1.2)) * metric.sum()
    order = rng.permutation(n)
    keep, left = select_within_error(n, error, metric, moves, order)
    ranked = _order(metric, moves)
    assert sorted(order[:keep]) == sorted(ranked[:keep])
    assert left == pytest.approx(metric[ranked[keep:]].sum(), abs=1e-12)
    assert left <= error
    assert keep == 0 or metric[ranked[keep - 1 :]].sum() > error


def test_the_metric_is_that_of_the_rates_ahead():
    tree = Tree(3)
    model, m = tree.model, tree.m
    weights = tree.record.weights
    weights[:] = tree.rng.uniform(-1.0, 1.0, weights.shape)
    found = np.zeros(model.body_count)
    compute_metrics(tree.record, m.v, m.vdot, T, found)
    for joint in model.joints:
        s = joint.v_slice
        part = weights[s, :, : joint.nv]
        ahead = part[:, 0] @ m.v[s] + T * part[:, 1] @ m.vdot[s] if joint.index else np.zeros(6)
        assert found[joint.index] == pytest.approx(0.0 if joint.index == 0 else ahead @ ahead)  # the root floats
    slow = 0.5 * np.sqrt(STILL / 6) / np.abs(m.v).max() * m.v
    compute_metrics(tree.record, slow, np.zeros(model.nv), T, found)
    assert not found.any()


def _members(n):
    members = np.zeros(n, Tree(0).record.members.dtype)
    members["role"] = SELECTABLE
    return members


def test_the_error_is_the_metric_of_the_joints_left_out():
    rng = np.random.default_rng(1)
    metric, order = rng.random(40), np.zeros(40, np.int64)
    for budget, max_error in ((7, -1.0), (40, 3.0), (5, 3.0), (40, 1e9)):
        moves = np.zeros(40, bool)
        changes, error = select_joints(_members(40), budget, max_error, metric, order, moves)
        assert error == pytest.approx(metric[~moves].sum())
        assert changes == moves.sum() <= budget
        if max_error > 0 and moves.sum() < budget:
            assert error <= max_error
    moves[:] = False
    select_joints(_members(40), 7, -1.0, metric, order, moves)
    assert set(np.flatnonzero(moves)) == set(np.argsort(-metric)[:7])


def test_joints_do_not_flicker_at_the_bound():
    """A joint whose metric goes up and down around the error begins to move once, and stays."""
    moves, order = np.zeros(3, bool), np.zeros(3, np.int64)
    switched = 0
    for k in range(20):
        metric = np.array([5.0, 1.0 + 0.1 * (-1) ** k, 0.0])
        changes, _ = select_joints(_members(3), 3, 1.0, metric, order, moves)
        switched += changes
    assert switched == 2
    assert moves.tolist() == [True, True, False]
    select_joints(_members(3), 3, 1.0, np.array([5.0, 0.4, 0.0]), order, moves)
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


class Surveyed:
    """A tree of clusters whose coordinates' targets are known, and its dense twin."""

    def __init__(self, seed, *, inactive=0, away=0.0):
        """The first joints may be inactive, and its root far away."""
        self.tree = tree = Tree(seed, bodies=16, springs=True, dampers=True, armature=True)
        tree.active[:inactive] = False
        tree.free = tree.coordinates(tree.active)
        tree.record.skeleton.tree["p"][0] += away
        tree.form()
        self.record, self.clusters, self.vectors = tree.record, tree.clusters, tree.scratch.vectors
        tree.scratch.q[:] = tree.m.q
        self.clusters.tau[: tree.free.sum()] = tree.m.tau[tree.free]
        self.survey()
        self.dense = Dense(tree)

    def survey(self):
        """Find the targets, as it stands."""
        tree = self.tree
        self.clusters.q[: len(tree.cluster_q())] = tree.cluster_q()
        v = self.vectors.cluster_v
        v[: tree.free.sum()] = tree.m.v[tree.free]
        compute_targets(self.record, tree.m.tau, v, tree.m.external, settings(), T, tree.work)

    def solve(self, candidate):
        """Twice the energy of the motion with the candidate joints active; it leaves `alpha` and `r`."""
        twice = solve_trial(self.record, candidate, self.tree.work)
        compute_residual(self.record.skeleton, self.tree.work)
        return twice

    def find(self, search, budget, max_error=-1.0, active=None):
        """The joints that a search finds, and the error that it tells."""
        tree = self.tree
        tree.status["budget"], tree.status["allowed_error"] = budget, max_error
        found = np.zeros(len(tree.active), bool)
        error = search(self.record, found.copy() if active is None else active, tree.work, found)
        return found, error


@pytest.fixture(params=range(6))
def surveyed(request):
    """A tree whose clusters' joints are active, all others are not."""
    return Surveyed(request.param)


def test_targets_are_momenta_at_the_end_of_the_interval(surveyed):
    assert relative(surveyed.vectors.g, surveyed.dense.g) < TWIN
    assert relative(surveyed.vectors.G, np.diag(surveyed.dense.G)) < TWIN


def test_momenta_of_all_joints_follow_from_the_clusters(surveyed):
    tree = surveyed.tree
    p = np.zeros(tree.model.nv)
    compute_cluster_momenta(tree.record.skeleton, surveyed.vectors.cluster_v, tree.work, p)
    assert relative(p, tree.M @ tree.v) < TWIN


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_inactive_joints_feel_what_is_missing(surveyed, share):
    """Whatever joints are activated on trial, whether they are active now or not."""
    tree, dense = surveyed.tree, surveyed.dense
    candidate = (tree.rng.random(len(tree.active)) < share) & (tree.record.members["role"] >= SELECTABLE)
    coordinates = tree.coordinates(candidate)
    twice = surveyed.solve(candidate)
    missing, expected = dense.missing(coordinates)
    assert relative(surveyed.vectors.alpha[coordinates], expected[coordinates]) < TWIN
    residual = dense.g - dense.G @ expected
    assert relative(surveyed.vectors.r[~coordinates], residual[~coordinates]) < TWIN
    assert 0.5 * (dense.w @ dense.g - twice) == pytest.approx(missing, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("seed", [2, 4])
def test_a_character_that_stands_far_from_the_origin_is_seen_as_well(seed):
    near, far = Surveyed(seed, inactive=5), Surveyed(seed, inactive=5, away=1e6)
    assert np.count_nonzero(near.clusters.cluster_of < 0) > 4, "something hangs on the ground"
    assert relative(far.vectors.g, near.vectors.g) < 1e-8
    assert relative(far.vectors.G, near.vectors.G) < 1e-8
    candidate = near.record.members["role"] >= SELECTABLE
    for surveyed in (near, far):
        surveyed.solve(candidate)
    assert relative(far.vectors.alpha, near.vectors.alpha) < 1e-7


def test_coefficients_stay_good_while_clusters_move(surveyed):
    """Those of inactive joints are worked out once: elsewhere, at other speeds, the same sums are right."""
    tree = surveyed.tree
    before = surveyed.clusters.coefficients.copy()
    other = random_motion(tree.model, 99)
    for joint in tree.model.joints:
        if tree.active[joint.index]:
            tree.m.q[joint.q_slice], tree.m.v[joint.v_slice] = other.q[joint.q_slice], other.v[joint.v_slice]
    tree.m.external[:] = other.external
    surveyed.survey()
    dense = Dense(tree)
    assert relative(dense.g, surveyed.dense.g) > 0.1
    assert relative(surveyed.vectors.g, dense.g) < TWIN
    assert relative(surveyed.vectors.G, np.diag(dense.G)) < TWIN
    assert np.array_equal(before[~tree.free], surveyed.clusters.coefficients[~tree.free])


def test_a_budget_is_spent_to_the_last_joint_and_well(surveyed):
    tree, dense = surveyed.tree, surveyed.dense
    role = tree.record.members["role"]
    before = np.inf
    for budget in range(1, int(tree.record.row["joints"]) + 1):
        found, _ = surveyed.find(find_within_budget, budget)
        assert found[role == SELECTABLE].sum() == budget
        missing = dense.missing(tree.coordinates(found))[0]
        others = [dense.missing(tree.coordinates(_some(tree, budget)))[0] for _ in range(15)]
        assert missing <= np.median(others) * (1 + 1e-9) + 1e-12
        before = min(before, missing)
    assert before < 1e-9


def _some(tree, budget):
    """So many joints at random, with the root if it floats."""
    role = tree.record.members["role"]
    some = role > SELECTABLE
    some[tree.rng.choice(np.flatnonzero(role == SELECTABLE), budget, replace=False)] = True
    return some


@pytest.mark.parametrize("share", [0.5, 0.1, 0.001])
def test_an_error_is_met_and_known(surveyed, share):
    tree, dense = surveyed.tree, surveyed.dense
    role, joints = tree.record.members["role"], int(tree.record.row["joints"])
    max_error = share * dense.missing(tree.coordinates(role > SELECTABLE))[0]
    found, error = surveyed.find(find_within_error, joints, max_error)
    assert error == pytest.approx(dense.missing(tree.coordinates(found))[0], rel=1e-6, abs=1e-10)
    assert error <= max_error
    assert found[role == SELECTABLE].any()
    assert share < 0.1 or not found[role == SELECTABLE].all()
    # Once selected they stay, as long as they do.
    if error > 0.2 * max_error:
        surveyed.vectors.g[:] *= np.sqrt(0.9 * max_error / error)
        again, _ = surveyed.find(find_within_error, joints, max_error, active=found)
        assert np.array_equal(again, found)


def test_every_stretch_gives_its_best():
    score = np.array([0.0, 1.0, 3.0, 0.0, 4.0, 1.0, 1.0, 2.0, 0.0])
    found = np.zeros(9, bool)
    assert add_candidates(score, score.sum(), 3, found) == 3
    assert np.flatnonzero(found).tolist() == [2, 4, 7]


def test_still_joints_win_nothing_and_active_ones_count_more():
    tree = Tree(0, bodies=5, kinds=("revolute",))
    score, G, nobody = np.zeros(5), np.full(5, 2.0), np.zeros(5, bool)
    r = np.array([1.0, 1.0, 1e-9, 0.0, -3.0])
    active = np.array([False, True, False, False, False])
    total = score_joints(tree.record, active, r, G, nobody, score)
    assert score.tolist() == [0.5, 1.0, 0.0, 0.0, 4.5]
    assert total == score.sum()


# --- weights that are matrices ---

ROUND = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 1.0]])


def balls(**options):
    builder = sl.ModelBuilder("balls")
    for k in range(4):
        parent, place = (f"b{k - 1}", sl.Pose((0.0, -0.3, 0.0))) if k else ("", sl.Pose())
        builder.add_body(
            f"b{k}",
            parent,
            "ball",
            place=place,
            mass=1.0,
            center_of_mass=(0.0, -0.15, 0.0),
            inertia=(0.03, 0.002, 0.03, 0.0, 0.0, 0.0),
        )
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
    record, _ = only_tree(sim.engine.tables)
    rng = np.random.default_rng(3)
    r, G, score, nobody = rng.normal(size=12), rng.uniform(0.5, 2.0, 12), np.zeros(4), np.zeros(4, bool)
    score_joints(record, nobody, r, G, nobody, score)
    rho = r[3:6] / np.sqrt(G[3:6])
    assert score[1] == pytest.approx(np.sqrt((rho @ ROUND @ rho) * (2.0 * rho @ rho)))
    assert score[2] == pytest.approx(np.sum(r[6:9] ** 2 / G[6:9]))


@pytest.mark.parametrize("criterion", ["energy", "motion"])
def test_the_axis_that_a_matrix_names_decides(criterion):
    rates = np.zeros(12)
    rates[3:6], rates[6:9] = (2.0, 0.0, 0.0), (0.0, 0.0, 2.0)

    def chosen(x, z):
        matrix = np.diag([x, 1.0, z]) + 0.1 * np.ones((3, 3))
        sim = balls(active=1, criterion=criterion, update_every=1, weights={"b1": matrix, "b2": matrix})
        sim.set_state(sim.model.neutral(), rates)
        sim.step(1)
        return sim.active_joints.tolist()

    assert chosen(100.0, 1e-3) == [False, True, False, False]
    assert chosen(1e-3, 100.0) == [False, False, True, False]
