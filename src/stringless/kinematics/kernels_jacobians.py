"""Jacobians of points, bodies and the centre of gravity, and their rates.

All of them read what `kernels.motions` has left in the work tables.
"""

from stringless.jit import kernel
from stringless.kinematics.kernels import rotate_inertia
from stringless.spatial import inertia, mat3, vec3, vec6


@kernel(inline=True)
def axis_rate(tree, dofs, d, v, body_work, dof_work):
    """Rate of the axis of coordinate d: `w x a`, with w of the frame the axis is fixed in.

    Where coordinates act one after the other that is the frame before this one, else the body itself.
    """
    row = tree[dofs[d].body]
    work = body_work[dofs[d].body]
    w = vec3.load(work.V, 0)
    if row.sequential == 1:
        for k in range(row.v0 + row.nv - 1, d - 1, -1):
            if dofs[k].rotational == 1:
                w = vec3.add_scaled(w, -v[k], vec3.load(dof_work[k].a, 0))
    return vec3.cross(w, vec3.load(dof_work[d].a, 0))


@kernel
def point_jacobian(tree, dofs, body, x, body_work, dof_work, J_out):
    """Rows (angular; linear) of the point at world position `x` on `body`, world axes. `J_out` starts as zeros."""
    i = body
    while i >= 0:
        row = tree[i]
        arm = vec3.subtract(vec3.load(x, 0), vec3.load(body_work[i].p, 0))
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(dof_work[d].a, 0)
            turn = a if dofs[d].rotational == 1 else (0.0, 0.0, 0.0)
            shift = vec3.cross(a, arm) if dofs[d].rotational == 1 else a
            for k in range(3):
                J_out[k, d] = turn[k]
                J_out[k + 3, d] = shift[k]
        i = row.parent


@kernel
def point_jacobian_rate(tree, dofs, body, x, v, body_work, dof_work, J_out):
    """Time derivative of `point_jacobian` for a point fixed to the body. `J_out` starts as zeros."""
    V_w, V_v = vec6.load(body_work[body].V, 0)
    here = vec3.subtract(vec3.load(x, 0), vec3.load(body_work[body].p, 0))
    xdot = vec3.add(V_v, vec3.cross(V_w, here))
    i = body
    while i >= 0:
        row = tree[i]
        work = body_work[i]
        arm = vec3.subtract(vec3.load(x, 0), vec3.load(work.p, 0))
        armdot = vec3.subtract(xdot, vec3.load(work.V, 3))
        for d in range(row.v0, row.v0 + row.nv):
            a = vec3.load(dof_work[d].a, 0)
            adot = axis_rate(tree, dofs, d, v, body_work, dof_work)
            turn = adot if dofs[d].rotational == 1 else (0.0, 0.0, 0.0)
            shift = vec3.add(vec3.cross(adot, arm), vec3.cross(a, armdot)) if dofs[d].rotational == 1 else adot
            for k in range(3):
                J_out[k, d] = turn[k]
                J_out[k + 3, d] = shift[k]
        i = row.parent


@kernel
def sum_subtrees(tree, body_work):
    """Mass, first moment and momentum of each body with all it carries."""
    n = tree.shape[0]
    for i in range(n):
        row = tree[i]
        work = body_work[i]
        R = mat3.load(work.R, 0)
        h = mat3.transform(R, vec3.load(row.h, 0))
        P = vec3.add(vec3.scale(row.mass, vec3.load(work.V, 3)), vec3.cross(vec3.load(work.V, 0), h))
        work.mass = row.mass
        vec3.store(work.h, 0, h)
        vec3.store(work.P, 0, P)
    for i in range(n - 1, -1, -1):
        if tree[i].parent >= 0:
            work = body_work[i]
            parent = body_work[tree[i].parent]
            parent.mass += work.mass
            vec3.add_to(parent.h, 0, vec3.add_scaled(vec3.load(work.h, 0), work.mass, vec3.load(work.r, 0)))
            vec3.add_to(parent.P, 0, vec3.load(work.P, 0))


@kernel
def gravity_center_jacobian(tree, dofs, total, v, body_work, dof_work, J_out, rate_out):
    """Jacobian of the centre of gravity of everything and its rate, from the subtree sums."""
    for d in range(dofs.shape[0]):
        work = body_work[dofs[d].body]
        a = vec3.load(dof_work[d].a, 0)
        adot = axis_rate(tree, dofs, d, v, body_work, dof_work)
        if dofs[d].rotational == 1:
            h = vec3.load(work.h, 0)
            hdot = vec3.add_scaled(vec3.load(work.P, 0), -work.mass, vec3.load(work.V, 3))
            column = vec3.cross(a, h)
            rate = vec3.add(vec3.cross(adot, h), vec3.cross(a, hdot))
        else:
            column = vec3.scale(work.mass, a)
            rate = vec3.scale(work.mass, adot)
        for k in range(3):
            J_out[k, d] = column[k] / total
            rate_out[k, d] = rate[k] / total


@kernel
def total_motion(tree, x, body_work, sums_out):
    """Mass, first moment, momentum, angular momentum about `x` and kinetic energy of all bodies: 1, 3, 3, 3, 1."""
    mass, kinetic = 0.0, 0.0
    first, P, L = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(tree.shape[0]):
        row = tree[i]
        work = body_work[i]
        R = mat3.load(work.R, 0)
        V_w, V_v = vec6.load(work.V, 0)
        I, h = rotate_inertia(row, R)
        l, p = inertia.momentum(I, h, row.mass, V_w, V_v)
        apart = vec3.subtract(vec3.load(work.p, 0), vec3.load(x, 0))
        mass += row.mass
        first = vec3.add(first, vec3.add_scaled(h, row.mass, vec3.load(work.p, 0)))
        P = vec3.add(P, p)
        L = vec3.add(L, vec3.add(l, vec3.cross(apart, p)))
        kinetic += 0.5 * (vec3.dot(V_w, l) + vec3.dot(V_v, p))
    sums_out[0] = mass
    vec3.store(sums_out, 1, first)
    vec3.store(sums_out, 4, P)
    vec3.store(sums_out, 7, L)
    sums_out[10] = kinetic
