"""Clusters: a tree with some joints rigid is a shorter tree, which moves as the hybrid body does."""

import numpy as np
import pytest

from adaptive_trees import Tree, work_tables
from checks import relative
from naive import dynamics as naive
from stringless import jit
from stringless.dynamics import kernels, kernels_mass_matrix
from stringless.engines.adaptive.kernels_clusters import POSITION
from stringless.engines.adaptive.kernels_rigidification import compute_momenta, solve_velocities
from stringless.engines.adaptive.kernels_transfer import load_clusters
from stringless.engines.adaptive.records import TreeInputs
from stringless.engines.adaptive.reference import assemble, rigidify, take_snapshot
from stringless.engines.adaptive.rows import SPRING_ROW
from stringless.kinematics import body_poses
from stringless.kinematics.kernels import motions
from stringless.state.scratch import RecursionWork

TWIN = 1e-11
"""Relative; both sides solve with matrices whose condition number is up to 1e4."""
SEEDS = range(6)


@pytest.fixture(params=SEEDS)
def tree(request):
    return Tree(request.param, springs=True, dampers=True, armature=True)


def test_where_every_joint_is_active_the_rows_are_those_of_the_tree():
    tree = Tree(1, springs=True, armature=True)
    tree.active[:] = tree.model.tree["nv"] > 0
    tree.free[:] = True
    found, whole = tree.form(), tree.record.skeleton
    kinds = tree.model.tree["kind"]
    carries_fixed = {int(tree.model.tree["parent"][i]) for i in np.flatnonzero(kinds == 0)}
    on_fixed = {i for i in range(len(kinds)) if tree.model.tree["parent"][i] in np.flatnonzero(kinds == 0)}
    same = 0
    for cluster, i in zip(found.tree, tree.clusters.body_of, strict=False):
        if i in on_fixed or i in carries_fixed:
            continue
        same += 1
        for name in ("kind", "nq", "nv", "R", "p", "turned", "mass", "h", "I_o", "axes", "l0", "nl"):
            assert np.array_equal(cluster[name], whole.tree[i][name])
    assert same > 5
    assert np.array_equal(found.rest, whole.rest)
    for name in ("rotational", "stiffness", "damping", "armature", "effort", "inertia"):
        assert np.array_equal(found.dofs[name], whole.dofs[name])


def test_bodies_stand_where_their_clusters_carry_them(tree):
    found = tree.form()
    bodies, coordinates = work_tables(len(found.tree), len(found.dofs))
    motions(found.tree, found.dofs, tree.cluster_q(), np.zeros(len(found.dofs)), bodies, coordinates)
    poses = body_poses(tree.model, tree.m.q)
    cluster_of, place = tree.clusters.cluster_of, tree.clusters.place
    for i in range(tree.model.body_count):
        R, p = place[i, :POSITION].reshape(3, 3), place[i, POSITION:]
        if cluster_of[i] >= 0:
            work = bodies[cluster_of[i]]
            R, p = work["R"].reshape(3, 3) @ R, work["p"] + work["R"].reshape(3, 3) @ p
        assert np.allclose(R, poses.rotation[i], atol=1e-12)
        assert np.allclose(p, poses.position[i], atol=1e-12)


def test_the_mass_matrix_is_a_block_of_the_whole_one(tree):
    found = tree.form()
    m, n = len(found.tree), len(found.dofs)
    M = np.zeros((n, n))
    kernels_mass_matrix.mass_matrix(found.tree, found.dofs, tree.cluster_q(), *work_tables(m, n), M)
    assert relative(M, tree.M[np.ix_(tree.free, tree.free)]) < TWIN


def test_clusters_accelerate_as_if_the_other_joints_were_held(tree):
    found = tree.form()
    count, n = len(found.tree), len(found.dofs)
    m, free, v = tree.m, tree.free, tree.v
    inputs = TreeInputs(m.tau, np.arange(tree.model.body_count), jit.rows(0, SPRING_ROW))
    load_clusters(inputs, tree.work._replace(wrenches=m.external))
    vdot = np.zeros(n)
    kernels.hybrid(
        found._replace(gravity=tree.model.gravity.copy()),
        tree.cluster_q(),
        v[free],
        np.zeros(0, bool),
        np.zeros(0),
        m.tau[free],
        tree.clusters.external[:count],
        RecursionWork(*work_tables(count, n)),
        vdot,
        np.zeros(n),
    )
    expected, _ = naive.hybrid(tree.model, m.q, v, ~free, np.zeros(len(v)), m.tau, m.external)
    assert np.linalg.norm(vdot) > 0.1
    assert relative(vdot, expected[free]) < TWIN


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_none_and_all_may_be_active(share):
    tree = Tree(2, share=share)
    found = tree.form()
    assert len(found.tree) == (0 if share == 0.0 else np.sum(tree.model.tree["nv"] > 0))
    assert len(found.dofs) == (0 if share == 0.0 else tree.model.nv)


# --- bringing joints to rest ---


def _momenta(tree, v):
    skeleton = tree.record.skeleton
    bodies, coordinates = work_tables(len(skeleton.tree), len(skeleton.dofs))
    motions(skeleton.tree, skeleton.dofs, tree.m.q.copy(), v, bodies, coordinates)
    p = np.zeros(len(v))
    compute_momenta(skeleton, tree.m.q.copy(), v, bodies, p)
    return p


def _velocities(tree, p):
    found = tree.form()
    active, v = np.zeros(len(found.dofs)), np.zeros(tree.model.nv)
    solve_velocities(found, tree.record.absent, tree.cluster_q(), p, tree.scratch, active)
    v[tree.free] = active
    return v


def test_momenta_are_those_of_the_mass_matrix(tree):
    assert relative(_momenta(tree, tree.m.v), tree.M @ tree.m.v) < TWIN


def test_joints_come_to_rest_as_by_the_impulses_of_the_paper(tree):
    """Keeping momenta equals section 5.4.2, and cannot raise kinetic energy."""
    model, before = tree.model, tree.m.v
    after = _velocities(tree, _momenta(tree, before)[tree.free])
    snapshot = take_snapshot(model, tree.m.q, before, np.zeros(model.nv))
    stopped = [i for i in range(model.body_count) if not tree.active[i]]
    expected = rigidify(snapshot, assemble(snapshot.parents), before, set(range(model.body_count)), stopped)
    assert relative(after, expected) < 1e-10  # the matrix K of the impulses is solved besides
    M = tree.M
    lost = 0.5 * (before @ M @ before - after @ M @ after)
    assert lost > 0.01


def test_velocities_go_to_momenta_and_back(tree):
    assert relative(_velocities(tree, _momenta(tree, tree.v)[tree.free]), tree.v) < 1e-10
