"""A tree cut into pieces at joints that might move: how it would answer, and what the joints between the cuts would feel.

Every cluster is cut where a joint is let go for trial. A piece is what its first body carries in the cluster, less what the next
cuts
take away; so there are as many pieces as clusters and cuts, whatever the number of bodies.
"""

from __future__ import annotations

from stringless.dynamics.kernels_in import eliminate, hand_over
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.dynamics.kernels_out import accelerate
from stringless.engines.adaptive.kernels_aims import add_force, clear, seat_of
from stringless.engines.adaptive.kernels_clusters import turn_force
from stringless.engines.adaptive.kernels_frozen import dot6, leads, load_body, spot
from stringless.jit import kernel
from stringless.spatial import inertia, mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)
NOWHERE = -1
"""The piece of what hangs on the ground without any cut."""


@kernel(inline=True)
def lay_out(tree, dofs, i, above, first, cluster_of, place, motion, ground, aim, arm, frozen, body_work, dof_work):
    """Place and axes of the piece that begins with body i, along world axes; `above` is the piece that carries it."""
    c = cluster_of[i] if cluster_of[i] >= 0 else ground
    R = mat3.load(motion[c].R, 0)
    r = ZERO3
    if above >= 0:
        # Its own place in the cluster, from that of the piece above, which is in the same cluster unless this one leads its own.
        if first:
            home = cluster_of[above] if cluster_of[above] >= 0 else ground
            seat = mat3.transform(mat3.load(motion[home].R, 0), spot(above, cluster_of, place))
            r = vec3.subtract(vec3.load(motion[c].r, 0), seat)
        else:
            r = mat3.transform(R, vec3.subtract(spot(i, cluster_of, place), spot(above, cluster_of, place)))
    work = body_work[i]
    vec3.store(work.r, 0, r)
    vec3.store(work.eta, 0, ZERO3)
    vec3.store(work.eta, 3, ZERO3)
    for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
        vec3.store(dof_work[d].a, 0, mat3.transform(R, vec3.load(frozen[d].s, 0 if dofs[d].turns == 1 else 3)))
        dof_work[d].tau, dof_work[d].arm = aim[d], arm[d]


@kernel(inline=True)
def take_away(bodies, i, piece_out):
    """Take what body i carries in its cluster away from the piece that it was part of."""
    I, h, mass = load_body(bodies[i])
    for k in range(6):
        piece_out.I[k] -= I[k]
    for k in range(3):
        piece_out.h[k] -= h[k]
    piece_out.mass -= mass


@kernel
def cut(
    tree, dofs, free, cluster_of, body_of, place, motion, ground, bodies, frozen, aim, arm, body_work, dof_work, rows_out,
    pieces_out, piece_of_out, order_out,
):  # fmt: skip
    """Cut a tree at the joints that are free and at those of its clusters; `order_out` lists the pieces. Returns their number."""
    count = 0
    for i in range(tree.shape[0]):
        above = piece_of_out[tree[i].parent] if tree[i].parent >= 0 else NOWHERE
        first = leads(i, cluster_of, body_of)
        if not (first or free[i]):
            piece_of_out[i] = above
            continue
        piece_of_out[i], order_out[count] = i, i
        count += 1
        row = rows_out[i]
        row.parent, row.kind, row.nv, row.v0 = above, tree[i].kind, tree[i].nv, tree[i].v0
        row.leaf, row.first_in = 1, 0
        pieces_out[i] = bodies[i]
        if not first and above >= 0:
            take_away(bodies, i, pieces_out[above])
        lay_out(tree, dofs, i, above, first, cluster_of, place, motion, ground, aim, arm, frozen, body_work, dof_work)
    for n in range(count - 1, -1, -1):
        above = rows_out[order_out[n]].parent
        if above >= 0 and rows_out[above].leaf == 1:
            rows_out[above].leaf = 0
            rows_out[order_out[n]].first_in = 1
    return count


@kernel(inline=True)
def at_own_origin(piece, R, p):
    """Inertia of a piece, which is known about its cluster's origin, about its own at p, along world axes."""
    I, h, mass = load_body(piece)
    half = spread(p, vec3.add_scaled(h, -0.5 * mass, p))
    I = (I[0] - half[0], I[1] - half[1], I[2] - half[2], I[3] - half[3], I[4] - half[4], I[5] - half[5])
    return mat3.rotate_symmetric(R, I), mat3.transform(R, vec3.add_scaled(h, -mass, p)), mass


@kernel
def respond(
    count, order, rows, dofs, pieces, free, cluster_of, place, motion, ground, aim, none, body_work, dof_work, effort_work,
    rate_out,
):  # fmt: skip
    """Velocities α of the joints that are free, `G_SS α = g_S`: the recursion of forward dynamics over the pieces.

    Returns `αᵀ g`: twice the energy of that motion. Every piece's velocity is left in V, along its cluster's axes at its origin.
    """
    no_mask, no_gravity = none[0], none[1]
    for n in range(count - 1, -1, -1):
        i = order[n]
        work = body_work[i]
        c = cluster_of[i] if cluster_of[i] >= 0 else ground
        I, h, mass = at_own_origin(pieces[i], mat3.load(motion[c].R, 0), spot(i, cluster_of, place))
        I, H, M = inertia.rigid(I, h, mass)
        m, f = ZERO3, ZERO3
        if rows[i].leaf == 0:
            I, H, M = inertia.add(I, H, M, work.Jh)
            m, f = vec3.load(work.B, 0), vec3.load(work.B, 3)
        if free[i]:
            eliminate(rows, dofs, i, no_mask, aim, I, H, M, m, f, body_work, dof_work)
        else:
            r = vec3.load(work.r, 0)
            I, H, M = inertia.shift(I, H, M, r)
            m, f = inertia.shift_force(m, f, r)
            hand_over(rows, i, I, H, M, m, f, body_work)
    twice = 0.0
    for n in range(count):
        i = order[n]
        work = body_work[i]
        if free[i]:
            accelerate(rows, dofs, i, no_gravity, no_mask, aim, body_work, dof_work, rate_out, effort_work)
            for d in range(rows[i].v0, rows[i].v0 + rows[i].nv):
                twice += rate_out[d] * aim[d]
        else:
            A_w, A_v = ZERO3, ZERO3
            if rows[i].parent >= 0:
                above = body_work[rows[i].parent]
                A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), vec3.load(work.r, 0))
            vec3.store(work.A, 0, A_w)
            vec3.store(work.A, 3, A_v)
        R = mat3.load(motion[cluster_of[i] if cluster_of[i] >= 0 else ground].R, 0)
        w, v = mat3.transform_back(R, vec3.load(work.A, 0)), mat3.transform_back(R, vec3.load(work.A, 3))
        vec3.store(work.V, 0, w)
        vec3.store(work.V, 3, vec3.add(v, vec3.cross(spot(i, cluster_of, place), w)))
    return twice


@kernel(inline=True)
def through(tree, i, frozen, m, f, through_out):
    """The momentum (m, f) beyond the joint of body i, as its coordinates feel it."""
    for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
        s = frozen[d].s
        through_out[d] = vec3.dot(vec3.load(s, 0), m) + vec3.dot(vec3.load(s, 3), f)


@kernel(inline=True)
def momentum_of(bodies, i, V):
    """Momentum of what body i carries in its cluster, if all of it has the motion V."""
    I, h, mass = load_body(bodies[i])
    return inertia.momentum(I, h, mass, vec3.load(V, 0), vec3.load(V, 3))


@kernel
def feel(tree, cluster_of, body_of, motion, ground, bodies, frozen, piece_of, body_work, sums_work, through_out):
    """Momenta `G α` that joints feel of the motion of the pieces, V in `body_work`; without what is on their own axes.

    Within a cluster all that a body carries is taken to move with it. What a cut changes of that is added at the cut.
    """
    clear(tree.shape[0], sums_work)
    for i in range(tree.shape[0] - 1, -1, -1):
        row, at, above = sums_work[i], piece_of[i], tree[i].parent
        first = leads(i, cluster_of, body_of)
        if at != i:
            # A body between cuts, most of all: it hands on what it was handed.
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                felt = dot6(frozen[d].P, body_work[at].V) if at >= 0 else 0.0
                through_out[d] = felt + dot6(frozen[d].s, row.F) if row.marked == 1 else felt
            if above >= 0 and row.marked == 1:
                add_force(vec3.load(row.F, 0), vec3.load(row.F, 3), sums_work[above])
            continue
        m, f = momentum_of(bodies, i, body_work[i].V)
        if row.marked == 1:
            m, f = vec3.add(m, vec3.load(row.F, 0)), vec3.add(f, vec3.load(row.F, 3))
        through(tree, i, frozen, m, f, through_out)
        if above < 0:
            continue
        if first:
            R, p = seat_of(cluster_of[i], cluster_of[above] if cluster_of[above] >= 0 else ground, motion)
            m, f = turn_force(R, p, m, f)
        elif piece_of[above] >= 0:
            held_m, held_f = momentum_of(bodies, i, body_work[piece_of[above]].V)
            m, f = vec3.subtract(m, held_m), vec3.subtract(f, held_f)
        add_force(m, f, sums_work[above])


@kernel
def try_out(site, free, none, trial_work):
    """Let the joints go that are `free`, and no others: twice the energy of the motion that they would have."""
    tree, dofs, cluster_of, body_of, place, motion, ground, bodies, frozen, aim, arm = site
    body_work, dof_work, effort_work, rate_work, _, _, rows_work, pieces_work, piece_work, list_work = trial_work
    count = cut(
        tree, dofs, free, cluster_of, body_of, place, motion, ground, bodies, frozen, aim, arm, body_work, dof_work, rows_work,
        pieces_work, piece_work, list_work,
    )  # fmt: skip
    return respond(
        count, list_work, rows_work, dofs, pieces_work, free, cluster_of, place, motion, ground, aim, none, body_work, dof_work,
        effort_work, rate_work,
    )  # fmt: skip


@kernel
def feel_rest(site, trial_work, residual_out):
    """What joints that are held feel then, `r = g - G α`; after `try_out`."""
    tree, dofs, cluster_of, body_of, _, motion, ground, bodies, frozen, aim, _ = site
    body_work, _, _, _, _, sums_work, _, _, piece_work, _ = trial_work
    feel(tree, cluster_of, body_of, motion, ground, bodies, frozen, piece_work, body_work, sums_work, residual_out)
    for d in range(dofs.shape[0]):
        residual_out[d] = aim[d] - residual_out[d]


@kernel
def keep_momenta(site, clusters, rates, trial_work, p_out):
    """Generalised momenta `p = M v` of all joints, armature included, from the motion of the clusters.

    `rates` are velocities of the clusters' joints.
    """
    tree, dofs, cluster_of, body_of, _, motion, count, bodies, frozen, _, _ = site
    body_work, _, _, _, _, sums_work, _, _, piece_work, _ = trial_work
    for c in range(count):
        vec3.store(body_work[body_of[c]].V, 0, vec3.load(motion[c].V, 0))
        vec3.store(body_work[body_of[c]].V, 3, vec3.load(motion[c].V, 3))
    for i in range(tree.shape[0]):
        piece_work[i] = body_of[cluster_of[i]] if cluster_of[i] >= 0 else NOWHERE
    feel(tree, cluster_of, body_of, motion, count, bodies, frozen, piece_work, body_work, sums_work, p_out)
    for c in range(count):
        first = tree[body_of[c]].v0
        for k in range(clusters[c].nv):
            p_out[first + k] += dofs[first + k].armature * rates[clusters[c].v0 + k]
