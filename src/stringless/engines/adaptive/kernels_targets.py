"""What every coordinate is about to do: its momentum g at the end of the next interval, if no joint were accelerated.

docs/theory/adaptive.md, sections 3.1 and 3.3. It follows from the motion of the clusters and the coefficients of inactive joints.
Momenta are summed up along the axes of each cluster and about its origin, so that they go from a body to its parent as they are.
Only where a cluster is carried by another one they are turned and shifted.
"""

from __future__ import annotations

from stringless.dynamics.kernels_joints import load_joint, load_limits
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.engines.adaptive.kernels_clusters import IDENTITY, POSITION, ZERO3, skeleton_of, transform_force
from stringless.engines.adaptive.kernels_coefficients import (
    add_composite,
    compute_coefficients,
    dot6,
    find_position,
    leads_cluster,
    load_composite,
    project_inertia,
)
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.spatial import inertia, mat3, vec3

ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel(inline=True)
def has_coefficients(status, horizon, limit_frequency):
    """Whether the coefficients of inactive joints are those of the clusters as they are, for updates that far ahead."""
    return status.horizon == horizon and status.limit_frequency == limit_frequency


# --- motion of the clusters -------------------------------------------------------------------------------------------


@kernel(inline=True)
def write_motion(R, r, w, v, A_w, A_v, horizon, motion_out):
    """Write how a cluster moves, given along world axes: velocity (w, v), and spatial acceleration without any of the joints.

    With the true acceleration of the origin, `a = A_v + w × v`, forces are `J (A_w, a)` and products of the spin alone.
    """
    mat3.store(motion_out.R, 0, R)
    vec3.store(motion_out.r, 0, r)
    a = mat3.transform_back(R, vec3.add(A_v, vec3.cross(w, v)))
    w, v, A_w = mat3.transform_back(R, w), mat3.transform_back(R, v), mat3.transform_back(R, A_w)
    vec3.store(motion_out.V, 0, w)
    vec3.store(motion_out.V, 3, v)
    vec3.store(motion_out.X, 0, vec3.add_scaled(w, -horizon, A_w))
    vec3.store(motion_out.X, 3, vec3.add_scaled(v, -horizon, a))
    x, y, z = vec3.scale(-horizon, w)
    mat3.store_symmetric(motion_out.Y, 0, (x * w[0], y * w[1], z * w[2], x * w[1], x * w[2], y * w[2]))


@kernel
def compute_motions(clusters, q, v, base, horizon, work):
    """How all clusters move; behind them stands the ground, seen from the place `base` of the root."""
    bodies, gravity, tree = work.bodies, clusters.gravity, clusters.tree
    motions(tree, clusters.dofs, q, v, bodies, work.dofs)
    for c in range(tree.shape[0]):
        body = bodies[c]
        A_w, A_v, r = ZERO3, (-gravity[0], -gravity[1], -gravity[2]), vec3.subtract(vec3.load(body.p, 0), base)
        if tree[c].parent >= 0:
            above, r = bodies[tree[c].parent], vec3.load(body.r, 0)
            A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), r)
        A_w, A_v = vec3.add(A_w, vec3.load(body.eta, 0)), vec3.add(A_v, vec3.load(body.eta, 3))
        vec3.store(body.A, 0, A_w)
        vec3.store(body.A, 3, A_v)
        w, v_o = vec3.load(body.V, 0), vec3.load(body.V, 3)
        write_motion(mat3.load(body.R, 0), r, w, v_o, A_w, A_v, horizon, work.motions[c])
    A_v = (-gravity[0], -gravity[1], -gravity[2])
    write_motion(IDENTITY, ZERO3, ZERO3, ZERO3, ZERO3, A_v, horizon, work.motions[tree.shape[0]])


@kernel(inline=True)
def pose_in_parent(c, home, motions):
    """The pose of a cluster in the one that carries it."""
    R_P = mat3.load(motions[home].R, 0)
    R = mat3.multiply(mat3.transpose(R_P), mat3.load(motions[c].R, 0))
    return R, mat3.transform_back(R_P, vec3.load(motions[c].r, 0))


# --- coordinates ------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def load_active(model, skeleton, v, settings, horizon, work):
    """Of every active joint: its axes along its own body's, inertia on them, and the momentum that efforts lead to.

    `skeleton` is that of the clusters, v are velocities of their coordinates.
    """
    clusters, scratch, vectors, none, h = work.clusters, work.scratch, work.scratch.vectors, model.absent.mask, horizon
    tree, q = skeleton.tree, clusters.q
    for c in range(tree.shape[0]):
        row, first = tree[c], model.skeleton.tree[clusters.body_of[c]].v0
        load_joint(skeleton, c, q, v, none, clusters.tau, h, h, h, scratch.dofs, vectors.effort)
        if row.sequential == 1:  # limits of a ball joint would turn its axes
            load_limits(skeleton, c, q, v, none, h, h, settings.limit_frequency, scratch.bodies, scratch.dofs)
        R = mat3.load(scratch.bodies[c].R, 0)
        for k in range(row.nv):
            d, dof = first + k, scratch.dofs[row.v0 + k]
            a = mat3.transform_back(R, vec3.load(dof.a, 0))
            rotational = skeleton.dofs[row.v0 + k].rotational == 1
            vec3.store(clusters.coefficients[d].s, 0, a if rotational else ZERO3)
            vec3.store(clusters.coefficients[d].s, 3, ZERO3 if rotational else a)
            vectors.arm[d] = vectors.G[d] = dof.arm
            vectors.g[d] = dof.arm * v[row.v0 + k] + horizon * dof.tau


@kernel(inline=True)
def load_inactive(model, tau, horizon, work):
    """Of every inactive joint: momentum of what it carries within its cluster at the end of the interval, and its inertia."""
    tree, clusters, vectors = model.skeleton.tree, work.clusters, work.scratch.vectors
    for i in range(tree.shape[0]):
        if tree[i].nv == 0 or leads_cluster(i, clusters.cluster_of, clusters.body_of):
            continue
        moving = work.scratch.motions[clusters.cluster_of[i] if clusters.cluster_of[i] >= 0 else work.status.clusters]
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            row, limit = clusters.coefficients[d], model.skeleton.dofs[d].effort
            given = tau[model.members[i].v + d - tree[i].v0]
            effort = row.effort + min(max(given, -limit), limit)
            vectors.g[d] = dot6(row.P, moving.X) + dot6(row.Q, moving.Y) + horizon * effort
            vectors.arm[d], vectors.G[d] = row.arm, row.G


# --- sums over what a body carries ------------------------------------------------------------------------------------


@kernel(inline=True)
def clear_sums(count, sums_out):
    """Nothing is added to any body."""
    for i in range(count):
        sums_out[i].marked = 0


@kernel(inline=True)
def begin_sum(row_out):
    """Begin a sum at nothing, if nothing is in it."""
    if row_out.marked == 0:
        row_out.marked = 1
        vec3.store(row_out.F, 0, ZERO3)
        vec3.store(row_out.F, 3, ZERO3)
        mat3.store_symmetric(row_out.I, 0, ZERO6)
        vec3.store(row_out.h, 0, ZERO3)
        row_out.mass = 0.0


@kernel(inline=True)
def add_momentum(m, f, row_out):
    """Add a momentum to a sum."""
    begin_sum(row_out)
    vec3.add_to(row_out.F, 0, m)
    vec3.add_to(row_out.F, 3, f)


@kernel
def add_external(external, cluster_of, place, horizon, sums_out):
    """Wrenches on bodies, along their own axes, lead to momenta at the end of the interval."""
    for i in range(external.shape[0]):
        row = external[i]
        loaded = False
        for k in range(6):
            loaded = loaded or row[k] != 0.0
        if loaded:
            R, p = mat3.load(place[i], 0), find_position(i, cluster_of, place)
            m, f = transform_force(R, p, vec3.load(row, 0), vec3.load(row, 3))
            add_momentum(vec3.scale(horizon, m), vec3.scale(horizon, f), sums_out[i])


@kernel(inline=True)
def transform_inertia(R, p, I, h, mass):
    """An inertia of a cluster as the one sees it in which it has the pose (R, p)."""
    h = mat3.transform(R, h)
    I = mat3.add_symmetric(mat3.rotate_symmetric(R, I), spread(p, vec3.add_scaled(h, 0.5 * mass, p)))
    return I, vec3.add_scaled(h, mass, p), mass


@kernel(inline=True)
def momentum_ahead(moving, I, h, mass, horizon):
    """Momentum of a cluster at the end of the interval: `J X - T (Ω × I Ω, Ω × (Ω × h))`."""
    m, f = inertia.momentum(I, h, mass, vec3.load(moving.X, 0), vec3.load(moving.X, 3))
    w = vec3.load(moving.V, 0)
    m = vec3.add_scaled(m, -horizon, vec3.cross(w, mat3.transform_symmetric(I, w)))
    return m, vec3.add_scaled(f, -horizon, vec3.cross(w, vec3.cross(w, h)))


@kernel(inline=True)
def add_to_coordinates(row, m, f, I, h, mass, coefficients, vectors_work):
    """Add what is beyond the joint of a body to its coordinates: a momentum and an inertia."""
    for d in range(row.v0, row.v0 + row.nv):
        s = coefficients[d].s
        vectors_work.g[d] += vec3.dot(vec3.load(s, 0), m) + vec3.dot(vec3.load(s, 3), f)
        vectors_work.G[d] += project_inertia(I, h, mass, s)


@kernel(inline=True)
def sum_clusters(tree, horizon, work):
    """Clusters add their momenta and inertias to all joints that carry them; wrenches on bodies are in the sums already."""
    clusters, cluster_of, ground = work.clusters, work.clusters.cluster_of, work.status.clusters
    sums, motions, vectors = work.scratch.trial.sums, work.scratch.motions, work.scratch.vectors
    for i in range(tree.shape[0] - 1, -1, -1):
        row = sums[i]
        first = leads_cluster(i, cluster_of, clusters.body_of)
        if not first and row.marked == 0:
            continue
        m, f, I, h, mass = ZERO3, ZERO3, ZERO6, ZERO3, 0.0
        if row.marked == 1:
            m, f = vec3.load(row.F, 0), vec3.load(row.F, 3)
            I, h, mass = load_composite(row)
        if first:
            own_I, own_h, own_mass = load_composite(clusters.composites[i])
            own_m, own_f = momentum_ahead(motions[cluster_of[i]], own_I, own_h, own_mass, horizon)
            m, f = vec3.add(m, own_m), vec3.add(f, own_f)
            I, h, mass = mat3.add_symmetric(I, own_I), vec3.add(h, own_h), mass + own_mass
        add_to_coordinates(tree[i], m, f, I, h, mass, clusters.coefficients, vectors)
        above = tree[i].parent
        if above >= 0:
            if first:
                home = cluster_of[above] if cluster_of[above] >= 0 else ground
                R, p = pose_in_parent(cluster_of[i], home, motions)
                m, f = transform_force(R, p, m, f)
                I, h, mass = transform_inertia(R, p, I, h, mass)
            add_momentum(m, f, sums[above])
            add_composite(I, h, mass, sums[above])


@kernel
def compute_targets(model, tau, v, external, settings, horizon, work):
    """Momenta g of all coordinates and their own inertia `G_jj` within the horizon, all that trials need.

    v are velocities of the clusters' coordinates, tau the model's own efforts. Where clusters are new, the configuration of the
    whole tree is in the scratch.
    """
    if not has_coefficients(work.status, horizon, settings.limit_frequency):
        compute_coefficients(model, horizon, settings.limit_frequency, work)
    clusters, scratch, tree = work.clusters, work.scratch, model.skeleton.tree
    skeleton = skeleton_of(clusters, work.status.clusters, work.status.nv, model.skeleton)
    compute_motions(skeleton, clusters.q, v, vec3.load(clusters.place[0], POSITION), horizon, scratch)
    load_active(model, skeleton, v, settings, horizon, work)
    load_inactive(model, tau, horizon, work)
    clear_sums(tree.shape[0], scratch.trial.sums)
    add_external(external, clusters.cluster_of, clusters.place, horizon, scratch.trial.sums)
    sum_clusters(tree, horizon, work)
