"""Bringing joints to rest: all others keep their generalised momenta.

The impulses of section 5.4.2 act on the joints that stop, and nowhere else. So the momenta `M q̇` of all others stay what
they were, and the rates after it are those that belong to them in the new clusters: one recursion, and no matrix K^R.
"""

from __future__ import annotations

from stringless.dynamics.kernels import solve
from stringless.jit import kernel
from stringless.kinematics.kernels import place
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def momenta(tree, dofs, q, v, body_work, p_out):
    """Generalised momenta `p = M v`, armature included, once poses and velocities of all bodies are in the work table."""
    for i in range(tree.shape[0]):
        for k in range(6):
            body_work[i].F[k] = 0.0
    for i in range(tree.shape[0] - 1, -1, -1):
        row = tree[i]
        work = body_work[i]
        R = mat3.load(work.R, 0)
        I = mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0))
        h = mat3.transform(R, vec3.load(row.h, 0))
        l, p = inertia.momentum(I, h, row.mass, vec3.load(work.V, 0), vec3.load(work.V, 3))
        l, p = vec3.add(l, vec3.load(work.F, 0)), vec3.add(p, vec3.load(work.F, 3))
        for k in range(row.nv):
            d = row.v0 + k
            a = mat3.transform(R, registry.axis(row, q, k))
            p_out[d] = vec3.dot(a, l if dofs[d].turns == 1 else p) + dofs[d].armature * v[d]
        if row.parent >= 0:
            l, p = inertia.shift_force(l, p, vec3.load(work.r, 0))
            vec3.add_to(body_work[row.parent].F, 0, l)
            vec3.add_to(body_work[row.parent].F, 3, p)


@kernel
def rates(tree, dofs, q, p, no_gravity, no_mask, no_wrench, body_work, dof_work, effort_work, v_out):
    """Rates that belong to momenta: `M v = p`, by the recursion of forward dynamics without motion and gravity."""
    for i in range(tree.shape[0]):
        row = tree[i]
        R, _ = place(tree, i, q, body_work)
        work = body_work[i]
        for at in (0, 3):
            vec3.store(work.V, at, ZERO3)
            vec3.store(work.eta, at, ZERO3)
        for k in range(row.nv):
            dof = dof_work[row.v0 + k]
            vec3.store(dof.a, 0, mat3.transform(R, registry.axis(row, q, k)))
            dof.tau = p[row.v0 + k]
            dof.arm = dofs[row.v0 + k].armature
    solve(tree, dofs, no_gravity, no_mask, p, no_wrench, body_work, dof_work, v_out, effort_work)
