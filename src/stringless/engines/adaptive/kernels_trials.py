"""Trials: what would happen if other joints were active (docs/theory/adaptive.md, section 3.3).

Every cluster is cut where a joint is activated on trial. A piece is what its first body carries in the cluster, less what the
next cuts take away; so there are as many pieces as clusters and cuts, whatever the number of bodies.
"""

from __future__ import annotations

from stringless.dynamics.kernels_in import eliminate, hand_to_parent
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.dynamics.kernels_out import accelerate
from stringless.engines.adaptive.kernels_clusters import FIXED, ZERO3, transform_force
from stringless.engines.adaptive.kernels_coefficients import dot6, find_position, leads_cluster, load_composite
from stringless.engines.adaptive.kernels_targets import add_momentum, clear_sums, pose_in_parent
from stringless.engines.adaptive.records import TrialModel
from stringless.jit import kernel
from stringless.spatial import inertia, mat3, vec3


@kernel(inline=True)
def trial_model(skeleton, count, clusters, work):
    """What trials need to know of a tree of so many clusters, once `compute_targets` has been there."""
    return TrialModel(
        tree=skeleton.tree,
        dofs=skeleton.dofs,
        cluster_of=clusters.cluster_of,
        body_of=clusters.body_of,
        place=clusters.place,
        motions=work.motions,
        ground=count,
        composites=clusters.composites,
        coefficients=clusters.coefficients,
        g=work.vectors.g,
        arm=work.vectors.arm,
    )


@kernel(inline=True)
def motion_row(model, i):
    """The row of `model.motions` that is of the cluster of body i."""
    return model.cluster_of[i] if model.cluster_of[i] >= 0 else model.ground


@kernel(inline=True)
def find_piece_frame(model, i, above, first, work):
    """Frame and axes of the piece that begins with body i, along world axes; `above` is the piece that carries it."""
    cluster_of, place = model.cluster_of, model.place
    moving = model.motions[motion_row(model, i)]
    R = mat3.load(moving.R, 0)
    r = ZERO3
    if above >= 0:
        # Its own place in the cluster, from that of the piece above, which is in the same cluster unless this one leads its own.
        if first:
            R_P = mat3.load(model.motions[motion_row(model, above)].R, 0)
            r = vec3.subtract(vec3.load(moving.r, 0), mat3.transform(R_P, find_position(above, cluster_of, place)))
        else:
            apart = vec3.subtract(find_position(i, cluster_of, place), find_position(above, cluster_of, place))
            r = mat3.transform(R, apart)
    body = work.bodies[i]
    vec3.store(body.r, 0, r)
    vec3.store(body.eta, 0, ZERO3)
    vec3.store(body.eta, 3, ZERO3)
    for d in range(model.tree[i].v0, model.tree[i].v0 + model.tree[i].nv):
        s = vec3.load(model.coefficients[d].s, 0 if model.dofs[d].turns == 1 else 3)
        vec3.store(work.dofs[d].a, 0, mat3.transform(R, s))
        work.dofs[d].tau, work.dofs[d].arm = model.g[d], model.arm[d]


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
def cut_clusters(model, candidate, work):
    """Cut a tree at the candidate joints and at those of its clusters; `work.order` lists the pieces. Returns their number."""
    tree, pieces = model.tree, work.pieces
    count = 0
    for i in range(tree.shape[0]):
        above = work.piece_of[tree[i].parent] if tree[i].parent >= 0 else FIXED
        first = leads_cluster(i, model.cluster_of, model.body_of)
        if not (first or candidate[i]):
            work.piece_of[i] = above
            continue
        work.piece_of[i], work.order[count] = i, i
        count += 1
        row = pieces[i]
        row.parent, row.kind, row.nv, row.v0 = above, tree[i].kind, tree[i].nv, tree[i].v0
        row.leaf, row.first_in = 1, 0
        work.composites[i] = model.composites[i]
        if not first and above >= 0:
            subtract_composite(model.composites, i, work.composites[above])
        find_piece_frame(model, i, above, first, work)
    for n in range(count - 1, -1, -1):
        above = pieces[work.order[n]].parent
        if above >= 0 and pieces[above].leaf == 1:
            pieces[above].leaf = 0
            pieces[work.order[n]].first_in = 1
    return count


@kernel(inline=True)
def inertia_at_own_origin(piece, R, p):
    """Inertia of a piece, which is known about its cluster's origin, about its own at p, along world axes."""
    I, h, mass = load_composite(piece)
    half = spread(p, vec3.add_scaled(h, -0.5 * mass, p))
    I = (I[0] - half[0], I[1] - half[1], I[2] - half[2], I[3] - half[3], I[4] - half[4], I[5] - half[5])
    return mat3.rotate_symmetric(R, I), mat3.transform(R, vec3.add_scaled(h, -mass, p)), mass


@kernel
def solve_pieces(count, model, candidate, absent, work):
    """Velocities α of the candidate joints, `G_SS α = g_S`: the recursion of forward dynamics over the pieces.

    Returns `αᵀ g`: twice the energy of that motion. Every piece's velocity is left in V, along its cluster's axes at its origin.
    """
    rows, bodies, g = work.pieces, work.bodies, model.g
    for n in range(count - 1, -1, -1):
        i = work.order[n]
        body = bodies[i]
        R, p = mat3.load(model.motions[motion_row(model, i)].R, 0), find_position(i, model.cluster_of, model.place)
        I, h, mass = inertia_at_own_origin(work.composites[i], R, p)
        I, H, M = inertia.rigid(I, h, mass)
        m, f = ZERO3, ZERO3
        if rows[i].leaf == 0:
            I, H, M = inertia.add(I, H, M, body.Jh)
            m, f = vec3.load(body.B, 0), vec3.load(body.B, 3)
        if candidate[i]:
            eliminate(rows, model.dofs, i, absent.mask, g, I, H, M, m, f, bodies, work.dofs)
        else:
            r = vec3.load(body.r, 0)
            I, H, M = inertia.shift(I, H, M, r)
            m, f = inertia.shift_force(m, f, r)
            hand_to_parent(rows, i, I, H, M, m, f, bodies)
    twice = 0.0
    for n in range(count):
        i = work.order[n]
        body = bodies[i]
        if candidate[i]:
            accelerate(rows, model.dofs, i, absent.gravity, absent.mask, g, bodies, work.dofs, work.alpha, work.effort)
            for d in range(rows[i].v0, rows[i].v0 + rows[i].nv):
                twice += work.alpha[d] * g[d]
        else:
            A_w, A_v = ZERO3, ZERO3
            if rows[i].parent >= 0:
                above = bodies[rows[i].parent]
                A_w, A_v = inertia.shift_motion(vec3.load(above.A, 0), vec3.load(above.A, 3), vec3.load(body.r, 0))
            vec3.store(body.A, 0, A_w)
            vec3.store(body.A, 3, A_v)
        R = mat3.load(model.motions[motion_row(model, i)].R, 0)
        w, v = mat3.transform_back(R, vec3.load(body.A, 0)), mat3.transform_back(R, vec3.load(body.A, 3))
        vec3.store(body.V, 0, w)
        vec3.store(body.V, 3, vec3.add(v, vec3.cross(find_position(i, model.cluster_of, model.place), w)))
    return twice


@kernel(inline=True)
def project_momentum(row, coefficients, m, f, p_out):
    """The momentum (m, f) beyond the joint of a body, along its coordinates."""
    for d in range(row.v0, row.v0 + row.nv):
        s = coefficients[d].s
        p_out[d] = vec3.dot(vec3.load(s, 0), m) + vec3.dot(vec3.load(s, 3), f)


@kernel(inline=True)
def momentum_of(composites, i, V):
    """Momentum of what body i carries in its cluster, if all of it has the motion V."""
    I, h, mass = load_composite(composites[i])
    return inertia.momentum(I, h, mass, vec3.load(V, 0), vec3.load(V, 3))


@kernel
def project_momenta(model, work, p_out):
    """Momenta `G α` on joints from the motion of the pieces, V in `work.bodies`; without what is on their own axes.

    Within a cluster all that a body carries is taken to move with it. What a cut changes of that is added at the cut.
    """
    tree, cluster_of, composites = model.tree, model.cluster_of, model.composites
    sums, bodies = work.sums, work.bodies
    clear_sums(tree.shape[0], sums)
    for i in range(tree.shape[0] - 1, -1, -1):
        row, at, above = sums[i], work.piece_of[i], tree[i].parent
        first = leads_cluster(i, cluster_of, model.body_of)
        if at != i:
            # A body between cuts, most of all: it hands on what it was handed.
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                own = dot6(model.coefficients[d].P, bodies[at].V) if at >= 0 else 0.0
                p_out[d] = own + dot6(model.coefficients[d].s, row.F) if row.marked == 1 else own
            if above >= 0 and row.marked == 1:
                add_momentum(vec3.load(row.F, 0), vec3.load(row.F, 3), sums[above])
            continue
        m, f = momentum_of(composites, i, bodies[i].V)
        if row.marked == 1:
            m, f = vec3.add(m, vec3.load(row.F, 0)), vec3.add(f, vec3.load(row.F, 3))
        project_momentum(tree[i], model.coefficients, m, f, p_out)
        if above < 0:
            continue
        if first:
            R, p = pose_in_parent(cluster_of[i], motion_row(model, above), model.motions)
            m, f = transform_force(R, p, m, f)
        elif work.piece_of[above] >= 0:
            held_m, held_f = momentum_of(composites, i, bodies[work.piece_of[above]].V)
            m, f = vec3.subtract(m, held_m), vec3.subtract(f, held_f)
        add_momentum(m, f, sums[above])


@kernel
def solve_trial(model, candidate, absent, work):
    """Activate the candidate joints, and no others: twice the energy of the motion that they would have."""
    return solve_pieces(cut_clusters(model, candidate, work), model, candidate, absent, work)


@kernel
def compute_residual(model, work):
    """Momenta on inactive joints then, `r = g - G α`; after `solve_trial`."""
    project_momenta(model, work, work.r)
    for d in range(model.dofs.shape[0]):
        work.r[d] = model.g[d] - work.r[d]


@kernel
def compute_cluster_momenta(model, clusters, v, work, p_out):
    """Generalised momenta `p = M v` of all joints, armature included, from the motion of the clusters.

    v are velocities of the clusters' coordinates.
    """
    body_of = model.body_of
    for c in range(model.ground):
        vec3.store(work.bodies[body_of[c]].V, 0, vec3.load(model.motions[c].V, 0))
        vec3.store(work.bodies[body_of[c]].V, 3, vec3.load(model.motions[c].V, 3))
    for i in range(model.tree.shape[0]):
        work.piece_of[i] = body_of[model.cluster_of[i]] if model.cluster_of[i] >= 0 else FIXED
    project_momenta(model, work, p_out)
    for c in range(model.ground):
        first = model.tree[body_of[c]].v0
        for k in range(clusters[c].nv):
            p_out[first + k] += model.dofs[first + k].armature * v[clusters[c].v0 + k]
