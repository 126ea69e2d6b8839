"""Between the model's own vectors and those of a tree or of its clusters.

`own` are a tree's rows in the tables of all bodies, `cluster_work` those in the tables of clusters, `room_work` is scratch for
one
tree at a time (`adaptive/tables.py` makes them).
"""

from __future__ import annotations

from stringless.engines.adaptive.kernels_clusters import gather_clusters, push_cluster
from stringless.engines.adaptive.kernels_rigidify import rates
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import vec3

V, VDOT, TAU, P, EFFORT, AIM, RESIDUAL, INERTIA, RATE, ARM, OF_CLUSTERS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""Rows of the vectors of a whole tree; one is the velocities of its clusters, which are fewer."""
VECTORS = 11
FREE = registry.FREE


@kernel(inline=True)
def catch_up(d, at, half, vdot, v, v_out):
    """Velocity of a free joint's origin half a step later, along the body's axes of now: `v + h/2 (vdot + w x v)`.

    Steps carry it along world axes, so a body that spins flies straight; `vdot` alone is its rate along axes that turn, and
    would turn its flight at every choice. It is the rate of the step before, which was about `u = v - h/2 vdot`; the body has
    turned by h w since. What is neglected is of third order in the step.
    """
    w, u = vec3.load(v, d), vec3.load(v, d + 3)
    turning = vec3.add_scaled(w, -half, vec3.load(vdot, d))
    flying = vec3.add_scaled(u, -half, vec3.load(vdot, d + 3))
    rate = vec3.add(vec3.load(vdot, d + 3), vec3.cross(turning, flying))
    rate = vec3.add_scaled(rate, -2.0 * half, vec3.cross(w, rate))
    vec3.store(v_out, at + 3, vec3.add_scaled(u, half, rate))


@kernel
def collect(tree, members, tau, last, vdot, q, v, vectors_work, q_work):
    """Bring coordinates, efforts and velocities of a whole tree together.

    Such a v lags half a step behind q. Those that are collected do not: `v + last/2 vdot`.
    """
    half = 0.5 * last
    for i in range(tree.shape[0]):
        row, member = tree[i], members[i]
        for k in range(row.nq):
            q_work[row.q0 + k] = q[member.q + k]
        for k in range(row.nv):
            vectors_work[V, row.v0 + k] = v[member.v + k] + half * vdot[member.v + k]
            vectors_work[TAU, row.v0 + k] = tau[member.v + k]
        if row.kind == FREE:
            catch_up(member.v, row.v0, half, vdot, v, vectors_work[V])


@kernel
def fetch(count, clusters, members, body_of, tau, vdot, q, v, tau_out, vdot_out, q_out, v_out):
    """Bring the coordinates of the joints that move into the clusters' vectors, and efforts that act on them."""
    for c in range(count):
        row, member = clusters[c], members[body_of[c]]
        for k in range(row.nq):
            q_out[row.q0 + k] = q[member.q + k]
        for k in range(row.nv):
            v_out[row.v0 + k] = v[member.v + k]
            vdot_out[row.v0 + k] = vdot[member.v + k]
            tau_out[row.v0 + k] = tau[member.v + k]


@kernel
def bring_back(count, clusters, members, body_of, cluster_vdot, cluster_q, cluster_v, vdot_out, q_out, v_out):
    """Write the coordinates of the joints that move to where everybody looks."""
    for c in range(count):
        row, member = clusters[c], members[body_of[c]]
        for k in range(row.nq):
            q_out[member.q + k] = cluster_q[row.q0 + k]
        for k in range(row.nv):
            v_out[member.v + k] = cluster_v[row.v0 + k]
            vdot_out[member.v + k] = cluster_vdot[row.v0 + k]


@kernel
def push_clusters(pushed, wrenches, begin, end, count, cluster_of, place, external_out):
    """Forces on the clusters of a tree: those of the bodies `pushed[begin:end]`."""
    for c in range(count):
        for k in range(6):
            external_out[c, k] = 0.0
    for n in range(begin, end):
        push_cluster(pushed[n], wrenches[n], cluster_of, place, external_out)


@kernel
def settle(tree, members, moves, v, vdot_out, v_out):
    """Joints that move get the velocities v; the others have none, and no acceleration."""
    for i in range(tree.shape[0]):
        row, d = tree[i], members[i].v
        for k in range(row.nv):
            v_out[d + k] = v[row.v0 + k] if moves[i] else 0.0
            if not moves[i]:
                vdot_out[d + k] = 0.0


@kernel
def collect_rates(count, clusters, last, vdot, v, rates_out):
    """The same velocities of the joints that move, from the clusters' own vectors."""
    half = 0.5 * last
    for c in range(count):
        for d in range(clusters[c].v0, clusters[c].v0 + clusters[c].nv):
            rates_out[d] = v[d] + half * vdot[d]
        if clusters[c].kind == FREE:
            catch_up(clusters[c].v0, clusters[c].v0, half, vdot, v, rates_out)


@kernel
def must_stop(count, clusters, body_of, moves, rates):
    """Whether the joint of a cluster is not to move any more, and has a velocity."""
    for c in range(count):
        if not moves[body_of[c]]:
            for d in range(clusters[c].v0, clusters[c].v0 + clusters[c].nv):
                if rates[d] != 0.0:
                    return True
    return False


@kernel
def keeps_moving(tree, moves, v):
    """Whether a joint that is not to move has a velocity."""
    for i in range(tree.shape[0]):
        if not moves[i]:
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                if v[d] != 0.0:
                    return True
    return False


@kernel
def let_loose(tree, v, moves_out):
    """Let all joints move that have a velocity."""
    for i in range(tree.shape[0]):
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            moves_out[i] = moves_out[i] or v[d] != 0.0


@kernel(inline=True)
def of_tree(part, full):
    """The rows of one tree in the tables of all bodies and coordinates; how it is built stands where it stood first."""
    tree, dofs, rest, members, weights = full
    return (
        tree[part.like : part.like + part.count],
        dofs[part.like_v : part.like_v + part.nv],
        rest[part.like_q : part.like_q + part.nq],
        members[part.first : part.first + part.count],
        weights[part.v0 : part.v0 + part.nv],
    )


@kernel(inline=True)
def clusters_of(part, cluster_work):
    """The rows of one tree in the tables of all clusters and their coordinates."""
    clusters, dofs, rest, tau, vdot, q, v, external, cluster_of, place, body_of, moves, bodies, frozen = cluster_work
    b, c, d = part.first, part.q0, part.v0
    return (
        clusters[b : b + part.count],
        dofs[d : d + part.nv],
        rest[c : c + part.nq],
        tau[d : d + part.nv],
        vdot[d : d + part.nv],
        q[c : c + part.nq],
        v[d : d + part.nv],
        external[b : b + part.count],
        cluster_of[b : b + part.count],
        place[b : b + part.count],
        body_of[b : b + part.count],
        moves[b : b + part.count],
        bodies[b : b + part.count],
        frozen[d : d + part.nv],
    )


@kernel
def form_clusters(own, q, cluster_work, part_out):
    """Make the clusters of a tree in configuration q; `own` and `cluster_work` are the tree's own rows."""
    tree, dofs, rest, _, _ = own
    clusters, cluster_dofs, cluster_rest, _, _, _, _, _, cluster_of, place, body_of, moves, _, _ = cluster_work
    part_out.clusters, part_out.cluster_nq, part_out.cluster_nv = gather_clusters(
        tree, dofs, rest, q, moves, cluster_of, place, body_of, clusters, cluster_dofs, cluster_rest
    )
    part_out.horizon = 0.0


@kernel
def carry_momenta(own, none, cluster_work, room_work, part_out):
    """Give the clusters, in their new set, the rates that keep the momenta of all joints that move; those are in `P`."""
    tree, _, _, _, _ = own
    clusters, cluster_dofs, _, _, _, cluster_q, cluster_v, _, _, _, body_of, _, _, _ = cluster_work
    body_work, dof_work, vectors_work, step_work = room_work[:4]
    no_mask, no_gravity, no_wrench, _ = none
    m, nv = part_out.clusters, part_out.cluster_nv
    for c in range(m):
        row = clusters[c]
        for k in range(row.nv):
            step_work[0, row.v0 + k] = vectors_work[P, tree[body_of[c]].v0 + k]
    rates(
        clusters[:m], cluster_dofs[:nv], cluster_q, step_work[0], no_gravity, no_mask, no_wrench, body_work,
        dof_work, step_work[1],
        cluster_v,
    )  # fmt: skip
