"""Coefficients of inactive joints (docs/theory/adaptive.md, section 3.3): what Theorems 3 and 4 of Redon et al. are to trees.

Within a cluster nothing moves, so along its axes the inertia of what an inactive joint carries stays what it is, and the momentum
at the joint is a sum over the numbers of the cluster's motion: linear in its velocity and acceleration (P), quadratic in
its spin (Q). An update of the active region then costs a few products for each inactive joint, and sines, frames and inertias
only of its clusters.
"""

from __future__ import annotations

from stringless.dynamics.kernels_joints import load_joint, load_limits
from stringless.engines.adaptive.kernels_clusters import POSITION, ZERO3, inertia_in_cluster
from stringless.engines.adaptive.rows import SELECTABLE
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3


@kernel(inline=True)
def leads_cluster(i, cluster_of, body_of):
    """Whether body i is the first of its cluster: its joint is active."""
    return cluster_of[i] >= 0 and body_of[cluster_of[i]] == i


@kernel(inline=True)
def find_position(i, cluster_of, place):
    """Where body i is in its cluster. What hangs on the ground is seen from the root: the world's origin may be far away."""
    p = vec3.load(place[i], POSITION)
    return p if cluster_of[i] >= 0 else vec3.subtract(p, vec3.load(place[0], POSITION))


@kernel(inline=True)
def load_composite(row):
    """I, h and mass of a row that has them."""
    return mat3.load_symmetric(row.I, 0), vec3.load(row.h, 0), row.mass


@kernel(inline=True)
def add_composite(I, h, mass, row_out):
    """Add an inertia to that of a row."""
    mat3.store_symmetric(row_out.I, 0, mat3.add_symmetric(I, mat3.load_symmetric(row_out.I, 0)))
    vec3.add_to(row_out.h, 0, h)
    row_out.mass += mass


@kernel(inline=True)
def dot6(a, b):
    """Sum of the products of six numbers each."""
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])


@kernel(inline=True)
def project_inertia(I, h, mass, s):
    """`sᵀ J s` of a motion s = (w, v)."""
    w, v = vec3.load(s, 0), vec3.load(s, 3)
    return mat3.quadratic(I, w) + 2.0 * vec3.dot(w, vec3.cross(h, v)) + mass * vec3.dot(v, v)


@kernel(inline=True)
def spin_products(I, h, w, v):
    """Coefficients of the products of a spin Ω in `w·(Ω × I Ω) + v·(Ω × (Ω × h))`: xx, yy, zz, xy, xz, yz.

    The first is `Ωᵀ (I [w]) Ω`, the second `Ωᵀ (v hᵀ) Ω - (v·h) Ω²`.
    """
    # Rows of I [w]: row k of it is (row k of I) × w.
    x = vec3.cross((I[0], I[3], I[4]), w)
    y = vec3.cross((I[3], I[1], I[5]), w)
    z = vec3.cross((I[4], I[5], I[2]), w)
    straight = vec3.dot(v, h)
    return (
        x[0] + v[0] * h[0] - straight,
        y[1] + v[1] * h[1] - straight,
        z[2] + v[2] * h[2] - straight,
        x[1] + y[0] + v[0] * h[1] + v[1] * h[0],
        x[2] + z[0] + v[0] * h[2] + v[2] * h[0],
        y[2] + z[1] + v[1] * h[2] + v[2] * h[1],
    )


@kernel
def compute_composites(tree, cluster_of, body_of, place, composites_out):
    """Inertia of every body and of all that it carries within its cluster."""
    for i in range(tree.shape[0]):
        I, h, mass = inertia_in_cluster(tree, i, mat3.load(place[i], 0), find_position(i, cluster_of, place))
        mat3.store_symmetric(composites_out[i].I, 0, I)
        vec3.store(composites_out[i].h, 0, h)
        composites_out[i].mass = mass
    for i in range(tree.shape[0] - 1, -1, -1):
        if tree[i].parent >= 0 and not leads_cluster(i, cluster_of, body_of):
            I, h, mass = load_composite(composites_out[i])
            add_composite(I, h, mass, composites_out[tree[i].parent])


@kernel(inline=True)
def write_coefficients(skeleton, i, q, dof_work, clusters_out):
    """Write the coefficients of the coordinates of body i, whose joint is inactive; efforts and arms are in `dof_work`."""
    row = skeleton.tree[i]
    cluster_of, place = clusters_out.cluster_of, clusters_out.place
    R, p = mat3.load(place[i], 0), find_position(i, cluster_of, place)
    I, h, mass = load_composite(clusters_out.composites[i])
    for k in range(row.nv):
        d = row.v0 + k
        a = mat3.transform(R, registry.axis(row, q, k))
        w, v = (a, vec3.cross(p, a)) if skeleton.dofs[d].rotational == 1 else (ZERO3, a)
        l, f = inertia.momentum(I, h, mass, w, v)
        out = clusters_out.coefficients[d]
        vec3.store(out.s, 0, w)
        vec3.store(out.s, 3, v)
        vec3.store(out.P, 0, l)
        vec3.store(out.P, 3, f)
        mat3.store_symmetric(out.Q, 0, spin_products(I, h, w, v))
        out.effort, out.arm = dof_work[d].tau, dof_work[d].arm
        out.G = vec3.dot(w, l) + vec3.dot(v, f) + out.arm


@kernel
def compute_coefficients(model, horizon, limit_frequency, work):
    """Coefficients of all inactive joints for an interval, from the configuration in the scratch; good until clusters change.

    Limits of a ball joint would turn its axes; an update can do without them.
    """
    skeleton, clusters, scratch, none = model.skeleton, work.clusters, work.scratch, model.absent.mask
    tree, q, still, h = skeleton.tree, scratch.q, scratch.vectors.alpha, horizon
    compute_composites(tree, clusters.cluster_of, clusters.body_of, clusters.place, clusters.composites)
    for d in range(skeleton.dofs.shape[0]):
        still[d] = 0.0
    for i in range(tree.shape[0]):
        if model.members[i].role < SELECTABLE or leads_cluster(i, clusters.cluster_of, clusters.body_of):
            continue
        load_joint(skeleton, i, q, still, none, still, h, h, h, scratch.dofs, scratch.vectors.effort)
        if tree[i].sequential == 1:
            load_limits(skeleton, i, q, still, none, h, h, limit_frequency, scratch.bodies, scratch.dofs)
        write_coefficients(skeleton, i, q, scratch.dofs, clusters)
    work.status.horizon, work.status.limit_frequency = horizon, limit_frequency
