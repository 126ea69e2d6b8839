"""Factor once, solve many: what forces on bodies add to a step that has been condensed already.

The elimination has left `U` and `Psi` of every coordinate. A further right-hand side costs one sweep in and one sweep out.
"""

from __future__ import annotations

from stringless.dynamics.kernels_out import carry_on, load_of
from stringless.jit import kernel
from stringless.spatial import inertia, vec3


@kernel(inline=True)
def take_in(tree, dofs, i, prescribed, load, body_work, dof_work, y_work):
    """Take the joint of body i out of the bias force (m, f) that it has to bear, and return what its parent bears."""
    row = tree[i]
    r = vec3.load(body_work[i].r, 0)
    m, f = inertia.shift_force(vec3.load(load, 0), vec3.load(load, 3), r)
    for k in range(row.nv):
        d = row.v0 + row.nv - 1 - k
        y_work[d] = 0.0
        if prescribed.shape[0] > 0 and prescribed[d]:
            continue
        dof = dof_work[d]
        a = vec3.load(dof.a, 0)
        y = -vec3.dot(a, vec3.subtract(m, vec3.cross(r, f)) if dofs[d].turns == 1 else f)
        y_work[d] = y
        m = vec3.add_scaled(m, dof.Psi * y, vec3.load(dof.U, 0))
        f = vec3.add_scaled(f, dof.Psi * y, vec3.load(dof.U, 3))
    return m, f


@kernel(inline=True)
def give_out(tree, dofs, i, prescribed, y, body_work, dof_work, A_out, dv_out):
    """Accelerations of the joint and of body i from those of its parent."""
    row = tree[i]
    r = vec3.load(body_work[i].r, 0)
    P_w = (0.0, 0.0, 0.0)
    P_v = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        P_w, P_v = vec3.load(A_out[row.parent], 0), vec3.load(A_out[row.parent], 3)
    A_w, A_v = inertia.shift_motion(P_w, P_v, r)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        if prescribed.shape[0] > 0 and prescribed[d]:
            dv_out[d] = 0.0
            continue
        dv = dof.Psi * (y[d] - load_of(dof, P_w, P_v))
        dv_out[d] = dv
        P_w, P_v, A_w, A_v = carry_on(dofs[d].turns, dv, vec3.load(dof.a, 0), r, P_w, P_v, A_w, A_v)
    vec3.store(A_out[i], 0, A_w)
    vec3.store(A_out[i], 3, A_v)


@kernel
def respond(tree, dofs, prescribed, wrench, body_work, dof_work, load_work, y_work, A_out, dv_out):
    """Accelerations of bodies and joints that a wrench on every body adds, moment first, about origins, world axes.

    `load_work` keeps what every joint has to bear for it.
    """
    for i in range(tree.shape[0]):
        for k in range(6):
            load_work[i, k] = -wrench[i, k]
    for i in range(tree.shape[0] - 1, -1, -1):
        m, f = take_in(tree, dofs, i, prescribed, load_work[i], body_work, dof_work, y_work)
        if tree[i].parent >= 0:
            vec3.add_to(load_work[tree[i].parent], 0, m)
            vec3.add_to(load_work[tree[i].parent], 3, f)
    for i in range(tree.shape[0]):
        give_out(tree, dofs, i, prescribed, y_work, body_work, dof_work, A_out, dv_out)


@kernel
def add_response(tree, dofs, prescribed, A, dv, load, body_work, dof_work, vdot_out, tau_out):
    """Add a response to the accelerations of the step, and to the efforts of prescribed coordinates."""
    for i in range(tree.shape[0]):
        work = body_work[i]
        for k in range(6):
            work.A[k] += A[i, k]
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            vdot_out[d] += dv[d]
            if prescribed.shape[0] > 0 and prescribed[d]:
                I, H, M = inertia.load(work.Jh)
                m, f = inertia.apply(I, H, M, vec3.load(A[i], 0), vec3.load(A[i], 3))
                m, f = vec3.add(m, vec3.load(load[i], 0)), vec3.add(f, vec3.load(load[i], 3))
                tau_out[d] += vec3.dot(vec3.load(dof_work[d].a, 0), m if dofs[d].turns == 1 else f)
