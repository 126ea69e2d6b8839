"""One implicit solve, joint by joint: efforts on joints, and the linear system of the step, condensed.

The unknowns are the bodies' velocities at the end of the step, `V+ = V + h A`. Every body has

    (J + G) h A = P - J V + h (F + g) + what its joints transmit,

with P its momentum, J its inertia and G what stiff forces on it add, `h c + h² k` along their directions (of pulling joints:
`kernels_tension`). Joints leave
`A_i = shift(A_parent) + S a`: their springs, dampers and limits stand in the joint's own row. So the recursion of forward
dynamics solves it, with no velocity products; the system is that of Hernández et al. 2011, eq. 3, with their constraints
eliminated instead of multiplied. All that is stiff is taken at the end of the step: springs, dampers, goals, limits, armatures.
"""

from __future__ import annotations

from stringless.dynamics.kernels import subtract_wrench
from stringless.dynamics.kernels_in import ArticulatedBody, eliminate
from stringless.dynamics.kernels_joints import load_joint
from stringless.dynamics.kernels_out import accelerate
from stringless.engines.stiff.kernels_goals import add_joint_springs
from stringless.engines.stiff.kernels_limits import add_limits
from stringless.engines.stiff.kernels_momentum import add_armature_rate, momentum_about_origin
from stringless.engines.stiff.kernels_tension import geometric_stiffness, unresolved_share
from stringless.jit import kernel
from stringless.kinematics.kernels import rotate_inertia
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3

FREE = registry.FREE


@kernel(inline=True)
def reset_axes(tree, i, q, body_work, dof_work):
    """Axes of a limited ball joint along its body again: its limits may have chosen others."""
    row = tree[i]
    if row.nl > 0 and row.sequential == 0:
        R = mat3.load(body_work[i].R, 0)
        for k in range(row.nv):
            vec3.store(dof_work[row.v0 + k].a, 0, mat3.transform(R, registry.axis(row, q, k)))


@kernel(inline=True)
def load_joints(skeleton, iterate, v_start, inputs, goals, settings, time, work, displacement_work):
    """Efforts on all joints and their slopes: actuators, springs, dampers, goals, limits, and armatures.

    They are taken where the joints will be after the time `iterate.ahead` at its speed: in the first solve of a step that is
    the step, in later ones, whose q is where the step ends, 0. Armatures count with the whole change of v since it began.
    """
    tree, dofs, h = skeleton.tree, skeleton.dofs, settings.dt
    q, v, ahead = iterate.q, iterate.v, iterate.ahead
    for i in range(tree.shape[0]):
        load_joint(skeleton, i, q, v, inputs.prescribed, inputs.tau, ahead, h, h, work.dofs, displacement_work)
        row = tree[i]
        if row.kind == FREE:
            add_armature_rate(tree, dofs, i, v_start, work.bodies, work.dofs)
        for d in range(row.v0, row.v0 + row.nv):
            if dofs[d].armature != 0.0:
                work.dofs[d].tau -= dofs[d].armature * (v[d] - v_start[d]) / h
    add_joint_springs(goals, skeleton, iterate, time, h, work.dofs, displacement_work)
    for i in range(tree.shape[0]):
        if tree[i].nl > 0 and work.limits[tree[i].l0].far == 0:
            add_limits(skeleton, i, settings, work.limits, work.bodies, work.dofs)


@kernel(inline=True)
def articulated_body(skeleton, i, external, forces, momenta, h, body_work):
    """Inertia and bias of body i: `J + G + Σ Pi_k`, `(J V - P)/h - F + Σ beta_k`."""
    row = skeleton.tree[i]
    work, gravity = body_work[i], skeleton.gravity
    R = mat3.load(work.R, 0)
    I, c = rotate_inertia(row, R)
    l, p = inertia.momentum(I, c, row.mass, vec3.load(work.V, 0), vec3.load(work.V, 3))
    L, P = momentum_about_origin(skeleton.tree, i, c, momenta)
    m = vec3.scale(1.0 / h, vec3.subtract(l, L))
    f = vec3.scale(1.0 / h, vec3.subtract(p, P))
    m, f = subtract_wrench(external, i, R, m, f)
    I, H, M = inertia.rigid(I, c, row.mass)
    share = unresolved_share(i, h, momenta)
    if share > 0.0:
        K = geometric_stiffness(i, share, h, momenta)
        m = vec3.add_scaled(m, 1.0 / h, mat3.transform_symmetric(K, vec3.load(work.V, 0)))
        I = mat3.add_symmetric(I, K)
    if forces.inertia.shape[0] > 0:
        m = vec3.subtract(m, vec3.load(forces.wrench[i], 0))
        f = vec3.subtract(f, vec3.load(forces.wrench[i], 3))
        # Accelerations are offset by -g, which weighs what has mass; G has none.
        G_I, G_H, G_M = inertia.load(forces.inertia[i])
        m_g, f_g = inertia.apply(G_I, G_H, G_M, (0.0, 0.0, 0.0), (gravity[0], gravity[1], gravity[2]))
        m, f = vec3.add(m, m_g), vec3.add(f, f_g)
        I, H, M = inertia.add(I, H, M, forces.inertia[i])
    if row.leaf == 0:
        I, H, M = inertia.add(I, H, M, work.Jh)
        m = vec3.add(m, vec3.load(work.B, 0))
        f = vec3.add(f, vec3.load(work.B, 3))
    return I, H, M, m, f


@kernel
def solve_condensed(skeleton, inputs, forces, momenta, h, body_work, dof_work, vdot_out, effort_out):
    """Accelerations of all joints over the step; those of bodies, offset by -g, stay in the work table."""
    tree, dofs, prescribed, vdot = skeleton.tree, skeleton.dofs, inputs.prescribed, inputs.vdot
    n = tree.shape[0]
    for i in range(n - 1, -1, -1):
        I, H, M, m, f = articulated_body(skeleton, i, inputs.external, forces, momenta, h, body_work)
        if prescribed.shape[0] > 0:
            inertia.store(body_work[i].Jh, I, H, M)
            vec3.store(body_work[i].B, 0, m)
            vec3.store(body_work[i].B, 3, f)
        eliminate(tree, dofs, i, prescribed, vdot, ArticulatedBody(I, H, M, m, f), body_work, dof_work)
    for i in range(n):
        accelerate(tree, dofs, i, skeleton.gravity, prescribed, vdot, body_work, dof_work, vdot_out, effort_out)
