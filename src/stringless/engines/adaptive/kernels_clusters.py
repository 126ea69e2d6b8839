"""Rigid clusters (docs/theory/adaptive.md, section 2): every active joint carries one, made of all that hangs on it rigidly.

They are a skeleton like any model's, only shorter, so all kernels of joint-space dynamics step them. A cluster's frame is
that of its first body. What hangs rigidly on the ground does not move and is no cluster.
"""

from __future__ import annotations

from stringless.dynamics.kernels_mass_matrix import spread
from stringless.engines.adaptive.rows import SELECTABLE
from stringless.jit import kernel
from stringless.kinematics.kernels import rotate_inertia
from stringless.model.joints import registry
from stringless.model.records import Skeleton
from stringless.spatial import mat3, vec3

FIXED = -1
"""The cluster of what hangs rigidly on the ground."""
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO3 = (0.0, 0.0, 0.0)
POSITION = 9
"""Where the position begins in a row of 12 numbers that is a pose."""


@kernel
def recall_active(members, bodies, active_out):
    """Which joints are active, as the state has it."""
    for i in range(members.shape[0]):
        active_out[i] = bodies[members[i].body].active > 0.0 and members[i].role >= SELECTABLE


@kernel(inline=True)
def skeleton_of(clusters, count, nv, skeleton):
    """The clusters of a tree as a skeleton; limits and gravity are those of all bodies."""
    return Skeleton(clusters.tree[:count], clusters.dofs[:nv], skeleton.limits, clusters.rest, skeleton.gravity)


@kernel(inline=True)
def find_joint_frame(tree, i, active, place):
    """Place of the joint of body i in the cluster of its parent, and whether it is turned there."""
    row = tree[i]
    R, p = mat3.load(row.R, 0), vec3.load(row.p, 0)
    turned = row.turned
    if row.parent >= 0 and not active[row.parent]:
        above = place[row.parent]
        R_P = mat3.load(above, 0)
        p = vec3.add(vec3.load(above, POSITION), mat3.transform(R_P, p))
        R = mat3.multiply(R_P, R) if turned == 1 else R_P
        turned = 1
    return R, p, turned


@kernel(inline=True)
def begin_cluster(skeleton, i, home, R, p, turned, at, q0, v0, clusters_out):
    """Write row `at` of a cluster and of its coordinates: those of body i, whose joint is at (R, p) in the cluster `home`."""
    row = skeleton.tree[i]
    clusters_out.tree[at] = row
    cluster = clusters_out.tree[at]
    cluster.parent, cluster.q0, cluster.v0 = home, q0, v0
    cluster.leaf, cluster.first_in = 1, 0
    cluster.root = clusters_out.tree[home].root if home >= 0 else at
    cluster.turned = turned
    mat3.store(cluster.R, 0, R)
    vec3.store(cluster.p, 0, p)
    for k in range(row.nq):
        clusters_out.rest[q0 + k] = skeleton.rest[row.q0 + k]
    before = clusters_out.tree[home].v0 + clusters_out.tree[home].nv - 1 if home >= 0 else -1
    for k in range(row.nv):
        clusters_out.dofs[v0 + k] = skeleton.dofs[row.v0 + k]
        clusters_out.dofs[v0 + k].body = at
        clusters_out.dofs[v0 + k].parent = before
        before = v0 + k


@kernel(inline=True)
def inertia_in_cluster(tree, i, R, p):
    """Inertia, first moment and mass of body i at the pose (R, p) in its cluster: `I = R I_o Rᵀ + [2 p·(h + m p/2)]`."""
    row = tree[i]
    I, h = rotate_inertia(row, R)
    I = mat3.add_symmetric(I, spread(p, vec3.add_scaled(h, 0.5 * row.mass, p)))
    return I, vec3.add_scaled(h, row.mass, p), row.mass


@kernel(inline=True)
def add_to_cluster(tree, i, home, R, p, clusters_out):
    """Add the mass of body i, at the pose (R, p) in the cluster `home`, to it."""
    cluster = clusters_out.tree[home]
    I, h, mass = inertia_in_cluster(tree, i, R, p)
    cluster.mass += mass
    vec3.add_to(cluster.h, 0, h)
    mat3.store_symmetric(cluster.I_o, 0, mat3.add_symmetric(mat3.load_symmetric(cluster.I_o, 0), I))


@kernel
def form_clusters(skeleton, q, clusters_out, status_out):
    """Make the clusters of one tree: `clusters.active` says which joints are active, all others stand as q says.

    Where every joint is active, the rows are those of the tree to the last bit.
    """
    tree, place, cluster_of = skeleton.tree, clusters_out.place, clusters_out.cluster_of
    count, nq, nv = 0, 0, 0
    for i in range(tree.shape[0]):
        row = tree[i]
        R, p, turned = find_joint_frame(tree, i, clusters_out.active, place)
        home = cluster_of[row.parent] if row.parent >= 0 else FIXED
        if clusters_out.active[i]:
            begin_cluster(skeleton, i, home, R, p, turned, count, nq, nv, clusters_out)
            clusters_out.body_of[count] = i
            cluster_of[i] = count
            count += 1
            nq += row.nq
            nv += row.nv
            R, p = IDENTITY, ZERO3
        else:
            R_J, p_J = registry.pose(row, q)
            p = vec3.add(p, mat3.transform(R, p_J) if turned == 1 else p_J)
            R = mat3.multiply(R, R_J) if turned == 1 else R_J
            cluster_of[i] = home
            if home >= 0:
                add_to_cluster(tree, i, home, R, p, clusters_out)
        mat3.store(place[i], 0, R)
        vec3.store(place[i], POSITION, p)
    for c in range(count - 1, -1, -1):
        home = clusters_out.tree[c].parent
        if home >= 0 and clusters_out.tree[home].leaf == 1:
            clusters_out.tree[home].leaf = 0
            clusters_out.tree[c].first_in = 1
    status_out.clusters, status_out.nq, status_out.nv = count, nq, nv
    status_out.horizon = 0.0


@kernel(inline=True)
def transform_force(R, p, m, f):
    """A force or momentum in a frame as the one sees it in which that has the pose (R, p): `(R m + p × R f, R f)`."""
    f = mat3.transform(R, f)
    return vec3.add(mat3.transform(R, m), vec3.cross(p, f)), f
