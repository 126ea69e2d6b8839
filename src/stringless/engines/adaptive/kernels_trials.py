"""Trials: what would happen if other joints were active (docs/theory/adaptive.md, section 3.3).

Every cluster is cut where a joint is activated on trial. A piece is what its first body carries in the cluster, less what the
next cuts take away; so there are as many pieces as clusters and cuts, whatever the number of bodies.
"""

from __future__ import annotations

from stringless.dynamics.kernels_in import ArticulatedBody, eliminate, hand_to_parent
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.dynamics.kernels_out import accelerate
from stringless.engines.adaptive.kernels_clusters import FIXED, ZERO3, transform_force
from stringless.engines.adaptive.kernels_coefficients import dot6, find_position, leads_cluster, load_composite
from stringless.engines.adaptive.kernels_targets import add_momentum, clear_sums, pose_in_parent
from stringless.jit import kernel
from stringless.spatial import inertia, mat3, vec3


@kernel(inline=True)
def motion_row(clusters, status, i):
    """The row of the motions that is of the cluster of body i; the ground is behind all clusters."""
    return clusters.cluster_of[i] if clusters.cluster_of[i] >= 0 else status.clusters


@kernel(inline=True)
def find_piece_frame(skeleton, i, above, first, work):
    """Frame and axes of the piece that begins with body i, along world axes; `above` is the piece that carries it."""
    clusters, scratch, motions = work.clusters, work.scratch, work.scratch.motions
    cluster_of, place = clusters.cluster_of, clusters.place
    moving = motions[motion_row(clusters, work.status, i)]
    R = mat3.load(moving.R, 0)
    r = ZERO3
    if above >= 0:
        # Its own place in the cluster, from that of the piece above, which is in the same cluster unless this one leads its own.
        if first:
            R_P = mat3.load(motions[motion_row(clusters, work.status, above)].R, 0)
            r = vec3.subtract(vec3.load(moving.r, 0), mat3.transform(R_P, find_position(above, cluster_of, place)))
        else:
            apart = vec3.subtract(find_position(i, cluster_of, place), find_position(above, cluster_of, place))
            r = mat3.transform(R, apart)
    body = scratch.bodies[i]
    vec3.store(body.r, 0, r)
    vec3.store(body.eta, 0, ZERO3)
    vec3.store(body.eta, 3, ZERO3)
    for d in range(skeleton.tree[i].v0, skeleton.tree[i].v0 + skeleton.tree[i].nv):
        s = vec3.load(clusters.coefficients[d].s, 0 if skeleton.dofs[d].rotational == 1 else 3)
        vec3.store(scratch.dofs[d].a, 0, mat3.transform(R, s))
        scratch.dofs[d].tau, scratch.dofs[d].arm = scratch.vectors.g[d], scratch.vectors.arm[d]


@kernel(inline=True)
def subtract_composite(composites, i, piece_out):
    """Take what body i carries in its cluster away from the piece that it was part of."""
    I, h, mass = load_composite(composites[i])
    for k in range(6):
        piece_out.I[k] -= I[k]
    for k in range(3):
        piece_out.h[k] -= h[k]
    piece_out.mass -= mass


@kernel
def cut_clusters(skeleton, candidate, work):
    """Cut a tree at the candidate joints and at those of its clusters; `trial.order` lists the pieces. Returns their number."""
    tree, clusters, trial = skeleton.tree, work.clusters, work.scratch.trial
    pieces = trial.pieces
    count = 0
    for i in range(tree.shape[0]):
        above = trial.piece_of[tree[i].parent] if tree[i].parent >= 0 else FIXED
        first = leads_cluster(i, clusters.cluster_of, clusters.body_of)
        if not (first or candidate[i]):
            trial.piece_of[i] = above
            continue
        trial.piece_of[i], trial.order[count] = i, i
        count += 1
        row = pieces[i]
        row.parent, row.kind, row.nv, row.v0 = above, tree[i].kind, tree[i].nv, tree[i].v0
        row.leaf, row.first_in = 1, 0
        trial.composites[i] = clusters.composites[i]
        if not first and above >= 0:
            subtract_composite(clusters.composites, i, trial.composites[above])
        find_piece_frame(skeleton, i, above, first, work)
    for n in range(count - 1, -1, -1):
        above = pieces[trial.order[n]].parent
        if above >= 0 and pieces[above].leaf == 1:
            pieces[above].leaf = 0
            pieces[trial.order[n]].first_in = 1
    return count


@kernel(inline=True)
def inertia_at_own_origin(piece, R, p):
    """Inertia of a piece, which is known about its cluster's origin, about its own at p, along world axes."""
    I, h, mass = load_composite(piece)
    half = spread(p, vec3.add_scaled(h, -0.5 * mass, p))
    I = (I[0] - half[0], I[1] - half[1], I[2] - half[2], I[3] - half[3], I[4] - half[4], I[5] - half[5])
    return mat3.rotate_symmetric(R, I), mat3.transform(R, vec3.add_scaled(h, -mass, p)), mass


@kernel
def solve_pieces(count, model, candidate, work):
    """Velocities α of the candidate joints, `G_SS α = g_S`: the recursion of forward dynamics over the pieces.

    Returns `αᵀ g`: twice the energy of that motion. Every piece's velocity is left in V, along its cluster's axes at its origin.
    """
    clusters, scratch, trial, dofs = work.clusters, work.scratch, work.scratch.trial, model.skeleton.dofs
    rows, bodies, motions, vectors = trial.pieces, scratch.bodies, scratch.motions, scratch.vectors
    g, alpha, none, still = vectors.g, vectors.alpha, model.absent.mask, model.absent.gravity
    for n in range(count - 1, -1, -1):
        i = trial.order[n]
        body = bodies[i]
        R = mat3.load(motions[motion_row(clusters, work.status, i)].R, 0)
        p = find_position(i, clusters.cluster_of, clusters.place)
        I, h, mass = inertia_at_own_origin(trial.composites[i], R, p)
        I, H, M = inertia.rigid(I, h, mass)
        m, f = ZERO3, ZERO3
        if rows[i].leaf == 0:
            I, H, M = inertia.add(I, H, M, body.Jh)
            m, f = vec3.load(body.B, 0), vec3.load(body.B, 3)
        if candidate[i]:
            eliminate(rows, dofs, i, none, g, ArticulatedBody(I, H, M, m, f), bodies, scratch.dofs)
        else:
            r = vec3.load(body.r, 0)
            I, H, M = inertia.shift(I, H, M, r)
            m, f = inertia.shift_force(m, f, r)
            hand_to_parent(rows, i, ArticulatedBody(I, H, M, m, f), bodies)
    twice = 0.0
    for n in range(count):
        i = trial.order[n]
        body = bodies[i]
        if candidate[i]:
            accelerate(rows, dofs, i, still, none, g, bodies, scratch.dofs, alpha, vectors.effort)
            for d in range(rows[i].v0, rows[i].v0 + rows[i].nv):
                twice += alpha[d] * g[d]
        else:
            A_w, A_v = ZERO3, ZERO3
            if rows[i].parent >= 0:
                above = bodies[rows[i].parent]
                A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), vec3.load(body.r, 0))
            vec3.store(body.A, 0, A_w)
            vec3.store(body.A, 3, A_v)
        R = mat3.load(motions[motion_row(clusters, work.status, i)].R, 0)
        w, v = mat3.transform_back(R, vec3.load(body.A, 0)), mat3.transform_back(R, vec3.load(body.A, 3))
        vec3.store(body.V, 0, w)
        vec3.store(body.V, 3, vec3.add(v, vec3.cross(find_position(i, clusters.cluster_of, clusters.place), w)))
    return twice


@kernel(inline=True)
def momentum_of(composites, i, V):
    """Momentum of what body i carries in its cluster, if all of it has the motion V."""
    I, h, mass = load_composite(composites[i])
    return inertia.momentum(I, h, mass, vec3.load(V, 0), vec3.load(V, 3))


@kernel
def project_momenta(tree, work, p_out):
    """Momenta `G α` on joints from the motion of the pieces, V in `scratch.bodies`; without what is on their own axes.

    Within a cluster all that a body carries is taken to move with it. What a cut changes of that is added at the cut.
    """
    clusters, trial = work.clusters, work.scratch.trial
    coefficients, composites, sums, bodies = clusters.coefficients, clusters.composites, trial.sums, work.scratch.bodies
    clear_sums(tree.shape[0], sums)
    for i in range(tree.shape[0] - 1, -1, -1):
        row, at, above = sums[i], trial.piece_of[i], tree[i].parent
        if at != i:
            # A body between cuts, most of all: it hands on what it was handed.
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                own = dot6(coefficients[d].P, bodies[at].V) if at >= 0 else 0.0
                p_out[d] = own + dot6(coefficients[d].s, row.F) if row.marked == 1 else own
            if above >= 0 and row.marked == 1:
                add_momentum(vec3.load(row.F, 0), vec3.load(row.F, 3), sums[above])
            continue
        m, f = momentum_of(composites, i, bodies[i].V)
        if row.marked == 1:
            m, f = vec3.add(m, vec3.load(row.F, 0)), vec3.add(f, vec3.load(row.F, 3))
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            s = coefficients[d].s
            p_out[d] = vec3.dot(vec3.load(s, 0), m) + vec3.dot(vec3.load(s, 3), f)
        if above < 0:
            continue
        if leads_cluster(i, clusters.cluster_of, clusters.body_of):
            home = motion_row(clusters, work.status, above)
            R, p = pose_in_parent(clusters.cluster_of[i], home, work.scratch.motions)
            m, f = transform_force(R, p, m, f)
        elif trial.piece_of[above] >= 0:
            held_m, held_f = momentum_of(composites, i, bodies[trial.piece_of[above]].V)
            m, f = vec3.subtract(m, held_m), vec3.subtract(f, held_f)
        add_momentum(m, f, sums[above])


@kernel
def solve_trial(model, candidate, work):
    """Activate the candidate joints, and no others: twice the energy of the motion that they would have.

    `compute_targets` must have been there.
    """
    return solve_pieces(cut_clusters(model.skeleton, candidate, work), model, candidate, work)


@kernel
def compute_residual(skeleton, work):
    """Momenta on inactive joints then, `r = g - G α`; after `solve_trial`."""
    g, r = work.scratch.vectors.g, work.scratch.vectors.r
    project_momenta(skeleton.tree, work, r)
    for d in range(skeleton.dofs.shape[0]):
        r[d] = g[d] - r[d]


@kernel
def compute_cluster_momenta(skeleton, v, work, p_out):
    """Generalised momenta `p = M v` of all joints, armature included, from the motion of the clusters.

    v are velocities of the clusters' coordinates.
    """
    clusters, scratch, count = work.clusters, work.scratch, work.status.clusters
    for c in range(count):
        vec3.store(scratch.bodies[clusters.body_of[c]].V, 0, vec3.load(scratch.motions[c].V, 0))
        vec3.store(scratch.bodies[clusters.body_of[c]].V, 3, vec3.load(scratch.motions[c].V, 3))
    for i in range(skeleton.tree.shape[0]):
        scratch.trial.piece_of[i] = clusters.body_of[clusters.cluster_of[i]] if clusters.cluster_of[i] >= 0 else FIXED
    project_momenta(skeleton.tree, work, p_out)
    for c in range(count):
        first = skeleton.tree[clusters.body_of[c]].v0
        for k in range(clusters.tree[c].nv):
            p_out[first + k] += skeleton.dofs[first + k].armature * v[clusters.tree[c].v0 + k]
