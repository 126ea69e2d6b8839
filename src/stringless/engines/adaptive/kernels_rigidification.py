"""Rigidification (docs/theory/adaptive.md, section 4.1): joints come to rest, all others keep their generalised momenta.

The impulses of section 5.4.2 of Redon et al. act on the joints that stop, and nowhere else. So the momenta `M q̇` of all others
stay what they were, and the rates after it are those that belong to them in the new clusters: one recursion, and no matrix K^R.
"""

from __future__ import annotations

from stringless.dynamics.kernels import solve
from stringless.engines.adaptive.kernels_clusters import ZERO3, skeleton_of
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose, rotate_inertia
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3


@kernel
def must_rigidify(count, clusters, v):
    """Whether the joint of a cluster has become inactive, and has a velocity."""
    for c in range(count):
        if not clusters.active[clusters.body_of[c]]:
            for d in range(clusters.tree[c].v0, clusters.tree[c].v0 + clusters.tree[c].nv):
                if v[d] != 0.0:
                    return True
    return False


@kernel
def has_inactive_motion(tree, active, v):
    """Whether an inactive joint has a velocity."""
    for i in range(tree.shape[0]):
        if not active[i]:
            for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
                if v[d] != 0.0:
                    return True
    return False


@kernel
def activate_moving(tree, v, active_out):
    """Activate all joints that have a velocity."""
    for i in range(tree.shape[0]):
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            active_out[i] = active_out[i] or v[d] != 0.0


@kernel
def compute_momenta(skeleton, q, v, body_work, p_out):
    """Generalised momenta `p = M v`, armature included, once poses and velocities of all bodies are in the work table."""
    tree, dofs = skeleton.tree, skeleton.dofs
    for i in range(tree.shape[0]):
        vec3.store(body_work[i].F, 0, ZERO3)
        vec3.store(body_work[i].F, 3, ZERO3)
    for i in range(tree.shape[0] - 1, -1, -1):
        row = tree[i]
        work = body_work[i]
        R = mat3.load(work.R, 0)
        I, h = rotate_inertia(row, R)
        l, p = inertia.momentum(I, h, row.mass, vec3.load(work.V, 0), vec3.load(work.V, 3))
        l, p = vec3.add(l, vec3.load(work.F, 0)), vec3.add(p, vec3.load(work.F, 3))
        for k in range(row.nv):
            d = row.v0 + k
            a = mat3.transform(R, registry.axis(row, q, k))
            p_out[d] = vec3.dot(a, l if dofs[d].rotational == 1 else p) + dofs[d].armature * v[d]
        if row.parent >= 0:
            l, p = inertia.shift_force(l, p, vec3.load(work.r, 0))
            vec3.add_to(body_work[row.parent].F, 0, l)
            vec3.add_to(body_work[row.parent].F, 3, p)


@kernel
def solve_velocities(skeleton, absent, q, p, work, v_out):
    """Velocities that belong to momenta, `M v = p`: the recursion of forward dynamics without motion and gravity."""
    tree, dofs, bodies = skeleton.tree, skeleton.dofs, work.bodies
    for i in range(tree.shape[0]):
        row = tree[i]
        R, _ = find_pose(tree, i, q, bodies)
        body = bodies[i]
        for at in (0, 3):
            vec3.store(body.V, at, ZERO3)
            vec3.store(body.eta, at, ZERO3)
        for k in range(row.nv):
            dof = work.dofs[row.v0 + k]
            vec3.store(dof.a, 0, mat3.transform(R, registry.axis(row, q, k)))
            dof.tau = p[row.v0 + k]
            dof.arm = dofs[row.v0 + k].armature
    solve(tree, dofs, absent.gravity, absent.mask, p, absent.wrenches, None, bodies, work.dofs, v_out, work.steps[1])


@kernel
def restore_momenta(model, work):
    """Give the clusters, in their new set, the velocities that keep the momenta p of all active joints."""
    clusters, p = work.clusters, work.scratch.steps[0]
    m, nv = work.status.clusters, work.status.nv
    for c in range(m):
        row = clusters.tree[c]
        for k in range(row.nv):
            p[row.v0 + k] = work.scratch.vectors.p[model.skeleton.tree[clusters.body_of[c]].v0 + k]
    solve_velocities(
        skeleton_of(clusters, m, nv, model.skeleton), model.absent, clusters.q, p, work.scratch, clusters.v
    )
