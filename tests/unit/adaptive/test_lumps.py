"""Clusters: a tree with some joints rigid is a shorter tree, which moves as the hybrid body does."""

import numpy as np
import pytest

from adaptive_trees import Tree, work_tables
from checks import relative
from naive import dynamics as naive
from stringless.dynamics import kernels, kernels_mass_matrix
from stringless.engines.adaptive.kernels_clusters import POSITION, push_cluster
from stringless.engines.adaptive.kernels_rigidify import momenta, rates
from stringless.engines.adaptive.reference.assembly import assemble
from stringless.engines.adaptive.reference.rigidification import rigidify
from stringless.engines.adaptive.reference.snapshot import snapshot
from stringless.kinematics import body_poses
from stringless.kinematics.kernels import motions

TWIN = 1e-11
"""Relative; both sides solve with matrices whose condition number is up to 1e4."""
SEEDS = range(6)


@pytest.fixture(params=SEEDS)
def tree(request):
    return Tree(request.param, springs=True, dampers=True, armature=True)


def test_where_every_joint_moves_the_rows_are_those_of_the_tree():
    tree = Tree(1, springs=True, armature=True)
    tree.moves[:] = tree.model.tree["nv"] > 0
    tree.free[:] = True
    clusters, dofs, rest = tree.form()
    kinds = tree.model.tree["kind"]
    carries_fixed = {int(tree.model.tree["parent"][i]) for i in np.flatnonzero(kinds == 0)}
    on_fixed = {i for i in range(len(kinds)) if tree.model.tree["parent"][i] in np.flatnonzero(kinds == 0)}
    same = 0
    for cluster, i in zip(clusters, tree.tables.clusters[10], strict=False):
        if i in on_fixed or i in carries_fixed:
            continue
        same += 1
        for name in ("kind", "nq", "nv", "R", "p", "turned", "mass", "h", "I_o", "axes", "l0", "nl"):
            assert np.array_equal(cluster[name], tree.own[0][i][name])
    assert same > 5
    assert np.array_equal(rest, tree.tables.rest)
    for name in ("turns", "stiffness", "damping", "armature", "effort", "inertia"):
        assert np.array_equal(dofs[name], tree.tables.dofs[name])


def test_bodies_stand_where_their_clusters_carry_them(tree):
    clusters, dofs, _ = tree.form()
    bodies, coordinates = work_tables(len(clusters), len(dofs))
    motions(clusters, dofs, tree.cluster_q(), np.zeros(len(dofs)), bodies, coordinates)
    poses = body_poses(tree.model, tree.m.q)
    cluster_of, place = tree.clusters[8], tree.clusters[9]
    for i in range(tree.model.body_count):
        R, p = place[i, :POSITION].reshape(3, 3), place[i, POSITION:]
        if cluster_of[i] >= 0:
            work = bodies[cluster_of[i]]
            R, p = work["R"].reshape(3, 3) @ R, work["p"] + work["R"].reshape(3, 3) @ p
        assert np.allclose(R, poses.rotation[i], atol=1e-12)
        assert np.allclose(p, poses.position[i], atol=1e-12)


def test_the_mass_matrix_is_a_block_of_the_whole_one(tree):
    clusters, dofs, _ = tree.form()
    M = np.zeros((len(dofs), len(dofs)))
    kernels_mass_matrix.mass_matrix(clusters, dofs, tree.cluster_q(), *work_tables(len(clusters), len(dofs)), M)
    assert relative(M, tree.M[np.ix_(tree.free, tree.free)]) < TWIN


def test_clusters_accelerate_as_if_the_other_joints_were_held(tree):
    clusters, dofs, rest = tree.form()
    m, free, v = tree.m, tree.free, tree.v
    external = np.zeros((len(clusters), 6))
    for i in range(tree.model.body_count):
        push_cluster(i, m.external[i], tree.clusters[8], tree.clusters[9], external)
    found = np.zeros(len(dofs))
    kernels.hybrid(
        clusters, dofs, rest, tree.model.gravity.copy(), tree.cluster_q(), v[free], np.zeros(0, bool), np.zeros(0), m.tau[free],
        external, *work_tables(len(clusters), len(dofs)), found, np.zeros(len(dofs)),
    )  # fmt: skip
    expected, _ = naive.hybrid(tree.model, m.q, v, ~free, np.zeros(len(v)), m.tau, m.external)
    assert np.linalg.norm(found) > 0.1
    assert relative(found, expected[free]) < TWIN


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_none_and_all_may_move(share):
    tree = Tree(2, share=share)
    clusters, dofs, _ = tree.form()
    assert len(clusters) == (0 if share == 0.0 else np.sum(tree.model.tree["nv"] > 0))
    assert len(dofs) == (0 if share == 0.0 else tree.model.nv)


# --- bringing joints to rest ---


def _momenta(tree, v):
    own, dofs = tree.own[0], tree.own[1]
    bodies, coordinates = work_tables(len(own), len(dofs))
    motions(own, dofs, tree.m.q.copy(), v, bodies, coordinates)
    p = np.zeros(len(v))
    momenta(own, dofs, tree.m.q.copy(), v, bodies, p)
    return p


def _rates(tree, p):
    clusters, dofs, _ = tree.form()
    n = len(dofs)
    found = np.zeros(n)
    none = np.zeros(3), np.zeros(0, bool), np.zeros((0, 6))
    rates(clusters, dofs, tree.cluster_q(), p, *none, *work_tables(len(clusters), n), np.zeros(n), found)
    v = np.zeros(tree.model.nv)
    v[tree.free] = found
    return v


def test_momenta_are_those_of_the_mass_matrix(tree):
    assert relative(_momenta(tree, tree.m.v), tree.M @ tree.m.v) < TWIN


def test_joints_come_to_rest_as_by_the_impulses_of_the_paper(tree):
    """Keeping momenta equals section 5.4.2, and cannot raise kinetic energy."""
    model, before = tree.model, tree.m.v
    after = _rates(tree, _momenta(tree, before)[tree.free])
    moment = snapshot(model, tree.m.q, before, np.zeros(model.nv))
    stopped = [i for i in range(model.body_count) if not tree.moves[i]]
    expected = rigidify(moment, assemble(moment.parents), before, set(range(model.body_count)), stopped)
    assert relative(after, expected) < 1e-10  # the matrix K of the impulses is solved besides
    M = tree.M
    lost = 0.5 * (before @ M @ before - after @ M @ after)
    assert lost > 0.01


def test_rates_go_to_momenta_and_back(tree):
    assert relative(_rates(tree, _momenta(tree, tree.v)[tree.free]), tree.v) < 1e-10
