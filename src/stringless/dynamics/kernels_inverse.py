"""Inverse dynamics by the recursive Newton-Euler algorithm: what hybrid dynamics becomes when all is prescribed."""

from stringless.dynamics.kernels import load_passive, subtract_wrench
from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force, find_acceleration, find_pose, move, rotate_inertia
from stringless.spatial import inertia, mat3, vec3, vec6


@kernel(inline=True)
def find_force(skeleton, i, vdot, external, body_work, dof_work):
    """Acceleration of body i, and the force `F_i = J Vdot - ad(V)ᵀ J V - F_ext` that this takes."""
    row, gravity, work = skeleton.tree[i], skeleton.gravity, body_work[i]
    ground = (-gravity[0], -gravity[1], -gravity[2])
    A_w, A_v = find_acceleration(skeleton.tree, skeleton.dofs, i, ground, vdot, body_work, dof_work)
    R = mat3.load(work.R, 0)
    V_w, V_v = vec6.load(work.V, 0)
    I, h = rotate_inertia(row, R)
    l, p = inertia.momentum(I, h, row.mass, V_w, V_v)
    m, f = cross_force(V_w, V_v, l, p)
    a_m, a_f = inertia.momentum(I, h, row.mass, A_w, A_v)
    m, f = vec3.add(m, a_m), vec3.add(f, a_f)
    m, f = subtract_wrench(external, i, R, m, f)
    vec6.store(work.F, 0, m, f)


@kernel(inline=True)
def find_efforts(tree, dofs, i, vdot, body_work, dof_work, tau_out):
    """Efforts of body i's joint, and its force handed to the parent."""
    row = tree[i]
    work = body_work[i]
    m, f = vec6.load(work.F, 0)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        through = vec3.dot(vec3.load(dof.a, 0), m if dofs[d].rotational == 1 else f)
        tau_out[d] = through + dof.arm * vdot[d] - dof.tau
    if row.parent >= 0:
        m, f = inertia.shift_force(m, f, vec3.load(work.r, 0))
        vec6.add_to(body_work[row.parent].F, 0, m, f)


@kernel
def inverse(skeleton, q, v, vdot, external, work, tau_out):
    """Actuator efforts that produce `vdot`: the whole less what springs and dampers give."""
    tree, dofs, body_work, dof_work = skeleton.tree, skeleton.dofs, work.bodies, work.dofs
    for i in range(tree.shape[0]):
        R, r = find_pose(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        load_passive(skeleton, i, q, v, dof_work, tau_out)
        find_force(skeleton, i, vdot, external, body_work, dof_work)
    for i in range(tree.shape[0] - 1, -1, -1):
        find_efforts(tree, dofs, i, vdot, body_work, dof_work, tau_out)
