"""The way out from the roots to the leaves: accelerations of joints and bodies, once all joints are eliminated.

Kim & Pollard 2008, Table 3, third loop.
"""

from stringless.jit import kernel
from stringless.kinematics.kernels import add_axis
from stringless.model.joints import registry
from stringless.spatial import inertia, vec3, vec6

BALL, FREE = registry.BALL, registry.FREE


@kernel(inline=True)
def load_of(dof, P_w, P_v):
    """`U·Vdot`: the effort that a motion of the parent, at its origin, takes of one coordinate."""
    return vec3.dot(vec3.load(dof.U, 0), P_w) + vec3.dot(vec3.load(dof.U, 3), P_v)


@kernel(inline=True)
def add_coordinate(rotational, rate, a, r, P_w, P_v, A_w, A_v):
    """What one coordinate adds to the motion at the parent's origin, which the next one sees, and to the body's."""
    if rotational == 1:
        P_w, P_v = vec3.add_scaled(P_w, rate, a), vec3.add_scaled(P_v, rate, vec3.cross(r, a))
        return P_w, P_v, vec3.add_scaled(A_w, rate, a), A_v
    return P_w, vec3.add_scaled(P_v, rate, a), A_w, vec3.add_scaled(A_v, rate, a)


@kernel(inline=True)
def accelerate_three(first, loads, P_w, P_v, A, dof_work, vdot_out):
    """Accelerations of three free coordinates along axes a, b, c; returns A, the part of the body's that they change.

    As one coordinate after the other, but what the motion of one takes of the next (`loads`: of a on b, of a on c, of b on c)
    is worked out while the parent's is still waited for.
    """
    one, two, three = dof_work[first], dof_work[first + 1], dof_work[first + 2]
    s, t, u = two.Psi * loads[0], three.Psi * loads[1], three.Psi * loads[2]
    x = one.Psi * (one.y - load_of(one, P_w, P_v))
    y = two.Psi * (two.y - load_of(two, P_w, P_v)) - s * x
    z = three.Psi * (three.y - load_of(three, P_w, P_v)) - t * x - u * y
    vec3.store(vdot_out, first, (x, y, z))
    A = vec3.add_scaled(vec3.add_scaled(A, x, vec3.load(one.a, 0)), y, vec3.load(two.a, 0))
    return vec3.add_scaled(A, z, vec3.load(three.a, 0))


@kernel(inline=True)
def accelerate_ball(first, r, P_w, P_v, A_w, dof_work, vdot_out):
    """Accelerations of a ball joint whose coordinates are all free; returns the angular one of its body."""
    two, three = dof_work[first + 1], dof_work[first + 2]
    a, b = vec3.load(dof_work[first].a, 0), vec3.load(two.a, 0)
    r_a, r_b = vec3.cross(r, a), vec3.cross(r, b)
    loads = (load_of(two, a, r_a), load_of(three, a, r_a), load_of(three, b, r_b))
    return accelerate_three(first, loads, P_w, P_v, A_w, dof_work, vdot_out)


@kernel(inline=True)
def accelerate_shifts(first, P_w, P_v, A_v, dof_work, vdot_out):
    """Accelerations of three free coordinates that shift a body, after all that turn it; returns its linear one."""
    U_b, U_c = vec3.load(dof_work[first + 1].U, 3), vec3.load(dof_work[first + 2].U, 3)
    a, b = vec3.load(dof_work[first].a, 0), vec3.load(dof_work[first + 1].a, 0)
    loads = (vec3.dot(U_b, a), vec3.dot(U_c, a), vec3.dot(U_c, b))
    return accelerate_three(first, loads, P_w, P_v, A_v, dof_work, vdot_out)


@kernel(inline=True)
def accelerate(tree, dofs, i, gravity, prescribed, vdot, body_work, dof_work, vdot_out, tau_out):
    """Accelerations of body i's joint from its parent's; efforts of its prescribed coordinates.

    `qdd = Psi (y - U·Vdot)` with Vdot at the parent's origin, where U was left; then
    `Vdot_i = shift(Vdot_parent) + eta + S qdd`.
    """
    row = tree[i]
    work = body_work[i]
    r = vec3.load(work.r, 0)
    P_w = (0.0, 0.0, 0.0)
    P_v = (-gravity[0], -gravity[1], -gravity[2])
    if row.parent >= 0:
        P_w, P_v = vec6.load(body_work[row.parent].A, 0)
    A_w, A_v = inertia.shift_motion(P_w, P_v, r)
    A_w, A_v = vec3.add(A_w, vec3.load(work.eta, 0)), vec3.add(A_v, vec3.load(work.eta, 3))
    some_given = False
    if prescribed.shape[0] == 0 and row.nv == 1:
        # As below; what follows the last coordinate is not needed.
        dof = dof_work[row.v0]
        vdot_d = dof.Psi * (dof.y - load_of(dof, P_w, P_v))
        vdot_out[row.v0] = vdot_d
        A_w, A_v = add_axis(dofs[row.v0].rotational, vdot_d, vec3.load(dof.a, 0), A_w, A_v)
    elif prescribed.shape[0] == 0 and row.kind == BALL:
        A_w = accelerate_ball(row.v0, r, P_w, P_v, A_w, dof_work, vdot_out)
    elif prescribed.shape[0] == 0 and row.kind == FREE and row.parent < 0:
        P_w = accelerate_ball(row.v0, r, P_w, P_v, P_w, dof_work, vdot_out)
        A_v = accelerate_shifts(row.v0 + 3, P_w, P_v, A_v, dof_work, vdot_out)
        A_w = vec3.add(P_w, vec3.load(work.eta, 0))
    else:
        for d in range(row.v0, row.v0 + row.nv):
            dof = dof_work[d]
            if prescribed.shape[0] > 0 and prescribed[d]:
                some_given = True
                vdot_d = vdot[d]
            else:
                vdot_d = dof.Psi * (dof.y - load_of(dof, P_w, P_v))
            vdot_out[d] = vdot_d
            P_w, P_v, A_w, A_v = add_coordinate(dofs[d].rotational, vdot_d, vec3.load(dof.a, 0), r, P_w, P_v, A_w, A_v)
    vec6.store(work.A, 0, A_w, A_v)
    if some_given:
        actuate(tree, dofs, i, prescribed, A_w, A_v, vdot_out, body_work, dof_work, tau_out)


@kernel(inline=True)
def actuate(tree, dofs, i, prescribed, A_w, A_v, vdot, body_work, dof_work, tau_out):
    """Efforts of the prescribed coordinates of body i: `tau = Sᵀ F`, `F = Jh Vdot + B`, less the passive part."""
    row = tree[i]
    work = body_work[i]
    I, H, M = inertia.load(work.Jh)
    m, f = inertia.apply(I, H, M, A_w, A_v)
    m, f = vec3.add(m, vec3.load(work.B, 0)), vec3.add(f, vec3.load(work.B, 3))
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        if prescribed[d]:
            through = vec3.dot(vec3.load(dof.a, 0), m if dofs[d].rotational == 1 else f)
            # dof.tau holds only springs and dampers here: the actuator gives the rest.
            tau_out[d] = through + dof.arm * vdot[d] - dof.tau
