"""A hybrid body is a forest of rigid clusters: every joint that moves carries one, made of all that hangs on it rigidly.

Such a forest is a pair of tables like any model's, only shorter, so all kernels of joint-space dynamics step it. A cluster's
frame is that of its first body. What hangs on the ground rigidly does not move and is no cluster.
"""

from __future__ import annotations

from stringless.dynamics.kernels_mass_matrix import spread
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

GROUND = -1
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
POSITION = 9
"""Where the position begins in a row of 12 numbers that is a pose."""


@kernel(inline=True)
def seat(tree, i, moves, place):
    """Place of the joint of body i in the cluster of its parent, and whether it is turned there."""
    row = tree[i]
    R, p = mat3.load(row.R, 0), vec3.load(row.p, 0)
    turned = row.turned
    if row.parent >= 0 and not moves[row.parent]:
        above = place[row.parent]
        R_P = mat3.load(above, 0)
        p = vec3.add(vec3.load(above, POSITION), mat3.transform(R_P, p))
        R = mat3.multiply(R_P, R) if turned == 1 else R_P
        turned = 1
    return R, p, turned


@kernel(inline=True)
def begin_cluster(tree, dofs, rest, i, home, R, p, turned, at, q0, v0, clusters_out, dofs_out, rest_out):
    """Write the row of a new cluster and of its coordinates: those of body i, seated in the cluster `home`."""
    row = tree[i]
    clusters_out[at] = row
    cluster = clusters_out[at]
    cluster.parent, cluster.q0, cluster.v0 = home, q0, v0
    cluster.leaf, cluster.first_in = 1, 0
    cluster.root = clusters_out[home].root if home >= 0 else at
    cluster.turned = turned
    mat3.store(cluster.R, 0, R)
    vec3.store(cluster.p, 0, p)
    for k in range(row.nq):
        rest_out[q0 + k] = rest[row.q0 + k]
    before = clusters_out[home].v0 + clusters_out[home].nv - 1 if home >= 0 else -1
    for k in range(row.nv):
        dofs_out[v0 + k] = dofs[row.v0 + k]
        dofs_out[v0 + k].body = at
        dofs_out[v0 + k].parent = before
        before = v0 + k


@kernel(inline=True)
def seated(tree, i, R, p):
    """Inertia, first moment and mass of body i at the pose (R, p) in its cluster: `I = R I_o Rᵀ + [2 p·(h + m p/2)]`."""
    row = tree[i]
    h = mat3.transform(R, vec3.load(row.h, 0))
    I = mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0))
    I = mat3.add_symmetric(I, spread(p, vec3.add_scaled(h, 0.5 * row.mass, p)))
    return I, vec3.add_scaled(h, row.mass, p), row.mass


@kernel(inline=True)
def join_cluster(tree, i, home, R, p, clusters_out):
    """Add the mass of body i, at the pose (R, p) in the cluster, to it."""
    cluster = clusters_out[home]
    I, h, mass = seated(tree, i, R, p)
    cluster.mass += mass
    vec3.add_to(cluster.h, 0, h)
    mat3.store_symmetric(cluster.I_o, 0, mat3.add_symmetric(mat3.load_symmetric(cluster.I_o, 0), I))


@kernel
def gather_clusters(
    tree, dofs, rest, q, moves, cluster_of_out, place_out, body_of_out, clusters_out, dofs_out, rest_out
):
    """Make the clusters of one tree: joints with `moves` move, all others stand as q says.

    `cluster_of_out` and `place_out` tell for every body its cluster and its pose therein, `body_of_out` for every cluster its
    first
    body. Where every joint moves, the rows are those of the tree to the last bit. Returns the number of clusters and of their
    coordinates, in q and in v.
    """
    count, nq, nv = 0, 0, 0
    for i in range(tree.shape[0]):
        row = tree[i]
        R, p, turned = seat(tree, i, moves, place_out)
        home = cluster_of_out[row.parent] if row.parent >= 0 else GROUND
        if moves[i]:
            begin_cluster(tree, dofs, rest, i, home, R, p, turned, count, nq, nv, clusters_out, dofs_out, rest_out)
            body_of_out[count] = i
            cluster_of_out[i] = count
            count += 1
            nq += row.nq
            nv += row.nv
            R, p = IDENTITY, (0.0, 0.0, 0.0)
        else:
            R_J, p_J = registry.pose(row, q)
            p = vec3.add(p, mat3.transform(R, p_J) if turned == 1 else p_J)
            R = mat3.multiply(R, R_J) if turned == 1 else R_J
            cluster_of_out[i] = home
            if home >= 0:
                join_cluster(tree, i, home, R, p, clusters_out)
        mat3.store(place_out[i], 0, R)
        vec3.store(place_out[i], POSITION, p)
    for c in range(count - 1, -1, -1):
        home = clusters_out[c].parent
        if home >= 0 and clusters_out[home].leaf == 1:
            clusters_out[home].leaf = 0
            clusters_out[c].first_in = 1
    return count, nq, nv


@kernel(inline=True)
def turn_force(R, p, m, f):
    """A force or momentum in a frame as the one sees it in which that has the pose (R, p): `(R m + p × R f, R f)`."""
    f = mat3.transform(R, f)
    return vec3.add(mat3.transform(R, m), vec3.cross(p, f)), f


@kernel(inline=True)
def push_cluster(i, wrench, cluster_of, place, external_out):
    """Add a wrench on body i, along its own axes, to that of its cluster; the ground feels nothing."""
    home = cluster_of[i]
    if home >= 0:
        R, p = mat3.load(place[i], 0), vec3.load(place[i], POSITION)
        m, f = turn_force(R, p, vec3.load(wrench, 0), vec3.load(wrench, 3))
        vec3.add_to(external_out[home], 0, m)
        vec3.add_to(external_out[home], 3, f)
