"""What every joint is about to do, found from the motion of the clusters and the coefficients of the joints held.

Momenta are summed up along the axes of each cluster and about its origin, so that they go from a body to its parent as they are.
Only where a cluster is seated in another one they are turned and shifted.
"""

from __future__ import annotations

from stringless.dynamics.kernels_joints import resist, stop
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.engines.adaptive.kernels_clusters import IDENTITY, POSITION, turn_force
from stringless.engines.adaptive.kernels_frozen import add_body, dot6, leads, load_body, own_inertia, spot
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.spatial import inertia, mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel(inline=True)
def note_motion(R, r, w, v, A_w, A_v, horizon, motion_out):
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
def move_clusters(clusters, dofs, gravity, base, q, v, horizon, body_work, dof_work, motion_out):
    """How all clusters move; behind them stands the ground, seen from the place `base` of the root."""
    motions(clusters, dofs, q, v, body_work, dof_work)
    for c in range(clusters.shape[0]):
        work = body_work[c]
        A_w, A_v, r = ZERO3, (-gravity[0], -gravity[1], -gravity[2]), vec3.subtract(vec3.load(work.p, 0), base)
        if clusters[c].parent >= 0:
            above, r = body_work[clusters[c].parent], vec3.load(work.r, 0)
            A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), r)
        A_w, A_v = vec3.add(A_w, vec3.load(work.eta, 0)), vec3.add(A_v, vec3.load(work.eta, 3))
        vec3.store(work.A, 0, A_w)
        vec3.store(work.A, 3, A_v)
        w, v_o = vec3.load(work.V, 0), vec3.load(work.V, 3)
        note_motion(mat3.load(work.R, 0), r, w, v_o, A_w, A_v, horizon, motion_out[c])
    A_v = (-gravity[0], -gravity[1], -gravity[2])
    note_motion(IDENTITY, ZERO3, ZERO3, ZERO3, ZERO3, A_v, horizon, motion_out[clusters.shape[0]])


@kernel
def drive_clusters(
    tree, clusters, cluster_dofs, limits, rest, q, v, tau, body_of, none, horizon,
        frequency, stretch_work, body_work, dof_work,
    dofs_out, arm_out, aim_out, inertia_out,
):  # fmt: skip
    """Of every joint that moves: its axes along its own body's, inertia on them, and the momentum that efforts lead to."""
    for c in range(clusters.shape[0]):
        row, first = clusters[c], tree[body_of[c]].v0
        resist(clusters, cluster_dofs, c, rest, q, v, none, tau, horizon, horizon, horizon, dof_work, stretch_work)
        if row.sequential == 1:  # stops of a ball joint would turn its axes
            stop(clusters, limits, c, q, v, none, horizon, horizon, horizon, frequency, body_work, dof_work)
        R = mat3.load(body_work[c].R, 0)
        for k in range(row.nv):
            d, dof = first + k, dof_work[row.v0 + k]
            a = mat3.transform_back(R, vec3.load(dof.a, 0))
            turns = cluster_dofs[row.v0 + k].turns == 1
            vec3.store(dofs_out[d].s, 0, a if turns else ZERO3)
            vec3.store(dofs_out[d].s, 3, ZERO3 if turns else a)
            arm_out[d] = inertia_out[d] = dof.arm
            aim_out[d] = dof.arm * v[row.v0 + k] + horizon * dof.tau


@kernel
def drive_held(
    tree, dofs, members, tau, cluster_of, body_of, motion, ground, horizon, frozen, arm_out, aim_out, inertia_out
):
    """Of every joint that is held: momentum of what it carries within its cluster at the end of the interval, and its inertia."""
    for i in range(tree.shape[0]):
        if tree[i].nv == 0 or leads(i, cluster_of, body_of):
            continue
        moving = motion[cluster_of[i] if cluster_of[i] >= 0 else ground]
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            row = frozen[d]
            given = tau[members[i].v + d - tree[i].v0]
            effort = row.effort + min(max(given, -dofs[d].effort), dofs[d].effort)
            aim_out[d] = dot6(row.P, moving.X) + dot6(row.Q, moving.Y) + horizon * effort
            arm_out[d], inertia_out[d] = row.arm, row.G


@kernel(inline=True)
def clear(count, sums_out):
    """Nothing is added to any body."""
    for i in range(count):
        sums_out[i].marked = 0


@kernel(inline=True)
def touch_sum(row_out):
    """Begin a sum at nothing, if nothing is in it."""
    if row_out.marked == 0:
        row_out.marked = 1
        vec3.store(row_out.F, 0, ZERO3)
        vec3.store(row_out.F, 3, ZERO3)
        mat3.store_symmetric(row_out.I, 0, ZERO6)
        vec3.store(row_out.h, 0, ZERO3)
        row_out.mass = 0.0


@kernel(inline=True)
def add_force(m, f, row_out):
    """Add a momentum or force to a sum."""
    touch_sum(row_out)
    vec3.add_to(row_out.F, 0, m)
    vec3.add_to(row_out.F, 3, f)


@kernel(inline=True)
def seat_of(c, home, motion):
    """The pose of a cluster in the one that it is seated in."""
    R_P = mat3.load(motion[home].R, 0)
    R = mat3.multiply(mat3.transpose(R_P), mat3.load(motion[c].R, 0))
    return R, mat3.transform_back(R_P, vec3.load(motion[c].r, 0))


@kernel(inline=True)
def turn_inertia(R, p, I, h, mass):
    """An inertia of a cluster as the one sees it in which it has the pose (R, p)."""
    h = mat3.transform(R, h)
    I = mat3.add_symmetric(mat3.rotate_symmetric(R, I), spread(p, vec3.add_scaled(h, 0.5 * mass, p)))
    return I, vec3.add_scaled(h, mass, p), mass


@kernel
def push_sums(external, cluster_of, place, horizon, sums_out):
    """Forces on bodies, along their own axes, lead to momenta at the end of the interval."""
    for i in range(external.shape[0]):
        row = external[i]
        pushed = False
        for k in range(6):
            pushed = pushed or row[k] != 0.0
        if pushed:
            R, p = mat3.load(place[i], 0), spot(i, cluster_of, place)
            m, f = turn_force(R, p, vec3.load(row, 0), vec3.load(row, 3))
            add_force(vec3.scale(horizon, m), vec3.scale(horizon, f), sums_out[i])


@kernel(inline=True)
def momentum_ahead(moving, I, h, mass, horizon):
    """Momentum of a cluster at the end of the interval: `J X - T (Ω × I Ω, Ω × (Ω × h))`."""
    m, f = inertia.momentum(I, h, mass, vec3.load(moving.X, 0), vec3.load(moving.X, 3))
    w = vec3.load(moving.V, 0)
    m = vec3.add_scaled(m, -horizon, vec3.cross(w, mat3.transform_symmetric(I, w)))
    return m, vec3.add_scaled(f, -horizon, vec3.cross(w, vec3.cross(w, h)))


@kernel(inline=True)
def bear(tree, i, frozen, m, f, I, h, mass, aim_out, inertia_out):
    """Add to the coordinates of body i what is beyond them."""
    for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
        s = frozen[d].s
        aim_out[d] += vec3.dot(vec3.load(s, 0), m) + vec3.dot(vec3.load(s, 3), f)
        inertia_out[d] += own_inertia(I, h, mass, s)


@kernel
def sum_up(tree, cluster_of, body_of, motion, ground, bodies, frozen, horizon, sums_work, aim_out, inertia_out):
    """Clusters add their momenta and inertias to all joints that carry them; forces on bodies are in the sums already."""
    for i in range(tree.shape[0] - 1, -1, -1):
        row = sums_work[i]
        first = leads(i, cluster_of, body_of)
        if not first and row.marked == 0:
            continue
        m, f, I, h, mass = ZERO3, ZERO3, ZERO6, ZERO3, 0.0
        if row.marked == 1:
            m, f = vec3.load(row.F, 0), vec3.load(row.F, 3)
            I, h, mass = load_body(row)
        if first:
            own_I, own_h, own_mass = load_body(bodies[i])
            own_m, own_f = momentum_ahead(motion[cluster_of[i]], own_I, own_h, own_mass, horizon)
            m, f = vec3.add(m, own_m), vec3.add(f, own_f)
            I, h, mass = mat3.add_symmetric(I, own_I), vec3.add(h, own_h), mass + own_mass
        bear(tree, i, frozen, m, f, I, h, mass, aim_out, inertia_out)
        above = tree[i].parent
        if above >= 0:
            if first:
                home = cluster_of[above] if cluster_of[above] >= 0 else ground
                R, p = seat_of(cluster_of[i], home, motion)
                m, f = turn_force(R, p, m, f)
                I, h, mass = turn_inertia(R, p, I, h, mass)
            add_force(m, f, sums_work[above])
            add_body(I, h, mass, sums_work[above])


@kernel
def prepare(
    own, limits, gravity, none, external, horizon, frequency, clusters, cluster_dofs, cluster_rest, q, v,
    cluster_tau, tau, cluster_of, place,
    body_of, bodies, stretch_work, body_work, dof_work, sums_work, motion_out, frozen_out, arm_out, aim_out, inertia_out,
):  # fmt: skip
    """Aims g of all coordinates, and their own inertia `G_jj` with all else held.

    q, v and `cluster_tau` are those of the clusters, `tau` are the model's own efforts.
    """
    tree, dofs, _, members, _ = own
    ground, no_mask = clusters.shape[0], none[0]
    base = vec3.load(place[0], POSITION)
    move_clusters(clusters, cluster_dofs, gravity, base, q, v, horizon, body_work, dof_work, motion_out)
    drive_clusters(
        tree, clusters, cluster_dofs, limits, cluster_rest, q, v, cluster_tau, body_of, no_mask, horizon,
        frequency, stretch_work, body_work,
        dof_work, frozen_out, arm_out, aim_out, inertia_out,
    )  # fmt: skip
    drive_held(
        tree, dofs, members, tau, cluster_of, body_of, motion_out, ground, horizon, frozen_out, arm_out, aim_out, inertia_out,
    )  # fmt: skip
    clear(tree.shape[0], sums_work)
    push_sums(external, cluster_of, place, horizon, sums_work)
    sum_up(tree, cluster_of, body_of, motion_out, ground, bodies, frozen_out, horizon, sums_work, aim_out, inertia_out)
