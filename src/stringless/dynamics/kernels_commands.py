"""Derivatives of accelerations and efforts by the commands, many columns at once.

Kim & Pollard 2008, Table 6, corrected (docs/theory/articulated.md, section 4): two sweeps serve prescribed accelerations
and free efforts alike. They reuse U, Psi and Jh of the last hybrid recursion, so they cost O(bodies) per column.
Everything of joint i is taken at its parent's origin, where the recursion left U.
"""

from __future__ import annotations

from stringless.jit import kernel
from stringless.spatial import inertia, vec3


@kernel(inline=True)
def get6(table, i, c):
    """Angular and linear part of entry i, column c."""
    return (table[i, 0, c], table[i, 1, c], table[i, 2, c]), (table[i, 3, c], table[i, 4, c], table[i, 5, c])


@kernel(inline=True)
def set6(i, c, a, b, table_out):
    """Write both parts of entry i, column c."""
    table_out[i, 0, c], table_out[i, 1, c], table_out[i, 2, c] = a[0], a[1], a[2]
    table_out[i, 3, c], table_out[i, 4, c], table_out[i, 5, c] = b[0], b[1], b[2]


@kernel(inline=True)
def along(turns, a, r, w, v):
    """`S · (w, v)` for a force or motion given at the parent's origin: S is (a; r x a) or (0; a)."""
    return vec3.dot(a, w) + vec3.dot(vec3.cross(r, a), v) if turns == 1 else vec3.dot(a, v)


@kernel(inline=True)
def sweep_in(tree, dofs, i, c, seed, prescribed, body_work, dof_work, force_work, vdot_out):
    """dbeta of body i to its parent: `dB + Jh S dqdd` or `dB + U Psi (dtau - S·dB)`; the bracket goes to `vdot_out`."""
    row = tree[i]
    r = vec3.load(body_work[i].r, 0)
    m, f = get6(force_work, i, c)
    m, f = inertia.shift_force(m, f, r)
    for k in range(row.nv):
        d = row.v0 + row.nv - 1 - k
        dof = dof_work[d]
        given = 1.0 if d == seed else 0.0
        if prescribed[d]:
            s = given
            vdot_out[d, c] = given
        else:
            y = given - along(dofs[d].turns, vec3.load(dof.a, 0), r, m, f)
            s = dof.Psi * y
            vdot_out[d, c] = y
        m = vec3.add_scaled(m, s, vec3.load(dof.U, 0))
        f = vec3.add_scaled(f, s, vec3.load(dof.U, 3))
    if row.parent >= 0:
        p_m, p_f = get6(force_work, row.parent, c)
        set6(row.parent, c, vec3.add(p_m, m), vec3.add(p_f, f), force_work)


@kernel(inline=True)
def sweep_out(tree, dofs, i, c, seed, prescribed, body_work, dof_work, force_work, vdot_out, tau_out, A_out):
    """dqdd, dVdot and dtau of body i: `dqdd = Psi (y - U·dVdot)`, `dtau = Sᵀ (Jh dVdot + dB)`."""
    row = tree[i]
    work = body_work[i]
    r = vec3.load(work.r, 0)
    P_w = (0.0, 0.0, 0.0)
    P_v = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        P_w, P_v = get6(A_out, row.parent, c)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        a = vec3.load(dof.a, 0)
        if not prescribed[d]:
            load = vec3.dot(vec3.load(dof.U, 0), P_w) + vec3.dot(vec3.load(dof.U, 3), P_v)
            vdot_out[d, c] = dof.Psi * (vdot_out[d, c] - load)
            tau_out[d, c] = 1.0 if d == seed else 0.0
        if dofs[d].turns == 1:
            P_w = vec3.add_scaled(P_w, vdot_out[d, c], a)
            P_v = vec3.add_scaled(P_v, vdot_out[d, c], vec3.cross(r, a))
        else:
            P_v = vec3.add_scaled(P_v, vdot_out[d, c], a)
    A_w, A_v = inertia.shift_motion(P_w, P_v, r)
    set6(i, c, A_w, A_v, A_out)
    I, H, M = inertia.load(work.Jh)
    m, f = inertia.apply(I, H, M, A_w, A_v)
    B_m, B_f = get6(force_work, i, c)
    m, f = vec3.add(m, B_m), vec3.add(f, B_f)
    for d in range(row.v0, row.v0 + row.nv):
        if prescribed[d]:
            dof = dof_work[d]
            through = vec3.dot(vec3.load(dof.a, 0), m if dofs[d].turns == 1 else f)
            tau_out[d, c] = through + dof.arm * vdot_out[d, c]


@kernel
def command_derivatives(tree, dofs, prescribed, columns, body_work, dof_work, force_work, vdot_out, tau_out, A_out):
    """One column for each coordinate in `columns`: its acceleration if it is prescribed, else its effort.

    `A_out` gets the accelerations of all bodies, at their origins along world axes.
    """
    n = tree.shape[0]
    for c in range(columns.shape[0]):
        for i in range(n):
            set6(i, c, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), force_work)
        for i in range(n - 1, -1, -1):
            sweep_in(tree, dofs, i, c, columns[c], prescribed, body_work, dof_work, force_work, vdot_out)
        for i in range(n):
            sweep_out(
                tree, dofs, i, c, columns[c], prescribed, body_work, dof_work, force_work, vdot_out, tau_out, A_out
            )
