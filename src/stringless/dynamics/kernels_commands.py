"""Derivatives of accelerations and efforts by the commands, many columns at once.

Kim & Pollard 2008, Table 6, corrected (docs/theory/articulated.md, section 4): two sweeps serve prescribed accelerations
and free efforts alike. They reuse U, Psi and Jh of the last hybrid recursion, so they cost O(bodies) per column.
Everything of joint i is taken at its parent's origin, where the recursion left U.
"""

from typing import NamedTuple

import numpy as np

from stringless.jit import kernel
from stringless.spatial import inertia, vec3
from stringless.spatial.arrays import FloatArray


class CommandResponse(NamedTuple):
    """How a tree answers to commands, one column for each; n bodies, nv velocity coordinates, k commands."""

    vdot: FloatArray
    """Accelerations of joints, shape (nv, k)."""
    tau: FloatArray
    """Efforts, shape (nv, k)."""
    A: FloatArray
    """Accelerations of bodies at their origins along world axes, shape (n, 6, k)."""
    B: FloatArray
    """Bias forces on bodies, shape (n, 6, k)."""


def make_command_response(bodies: int, coordinates: int, commands: int) -> CommandResponse:
    """Allocate the response of a tree of this size."""
    joints, wrenches = (coordinates, commands), (bodies, 6, commands)
    return CommandResponse(np.zeros(joints), np.zeros(joints), np.zeros(wrenches), np.zeros(wrenches))


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
def along(rotational, a, r, w, v):
    """`S · (w, v)` for a force or motion given at the parent's origin: S is (a; r x a) or (0; a)."""
    return vec3.dot(a, w) + vec3.dot(vec3.cross(r, a), v) if rotational == 1 else vec3.dot(a, v)


@kernel(inline=True)
def sweep_in(skeleton, i, c, seed, prescribed, body_work, dof_work, response_out):
    """dbeta of body i to its parent: `dB + Jh S dqdd` or `dB + U Psi (dtau - S·dB)`; the bracket goes to `vdot`."""
    row = skeleton.tree[i]
    r = vec3.load(body_work[i].r, 0)
    m, f = get6(response_out.B, i, c)
    m, f = inertia.shift_force(m, f, r)
    for k in range(row.nv):
        d = row.v0 + row.nv - 1 - k
        dof = dof_work[d]
        given = 1.0 if d == seed else 0.0
        if prescribed[d]:
            s = given
            response_out.vdot[d, c] = given
        else:
            y = given - along(skeleton.dofs[d].rotational, vec3.load(dof.a, 0), r, m, f)
            s = dof.Psi * y
            response_out.vdot[d, c] = y
        m = vec3.add_scaled(m, s, vec3.load(dof.U, 0))
        f = vec3.add_scaled(f, s, vec3.load(dof.U, 3))
    if row.parent >= 0:
        p_m, p_f = get6(response_out.B, row.parent, c)
        set6(row.parent, c, vec3.add(p_m, m), vec3.add(p_f, f), response_out.B)


@kernel(inline=True)
def sweep_out(skeleton, i, c, seed, prescribed, body_work, dof_work, response_out):
    """dqdd, dVdot and dtau of body i: `dqdd = Psi (y - U·dVdot)`, `dtau = Sᵀ (Jh dVdot + dB)`."""
    row = skeleton.tree[i]
    work = body_work[i]
    vdot, tau = response_out.vdot, response_out.tau
    r = vec3.load(work.r, 0)
    P_w = (0.0, 0.0, 0.0)
    P_v = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        P_w, P_v = get6(response_out.A, row.parent, c)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        a = vec3.load(dof.a, 0)
        if not prescribed[d]:
            load = vec3.dot(vec3.load(dof.U, 0), P_w) + vec3.dot(vec3.load(dof.U, 3), P_v)
            vdot[d, c] = dof.Psi * (vdot[d, c] - load)
            tau[d, c] = 1.0 if d == seed else 0.0
        if skeleton.dofs[d].rotational == 1:
            P_w = vec3.add_scaled(P_w, vdot[d, c], a)
            P_v = vec3.add_scaled(P_v, vdot[d, c], vec3.cross(r, a))
        else:
            P_v = vec3.add_scaled(P_v, vdot[d, c], a)
    A_w, A_v = inertia.shift_motion(P_w, P_v, r)
    set6(i, c, A_w, A_v, response_out.A)
    I, H, M = inertia.load(work.Jh)
    m, f = inertia.apply(I, H, M, A_w, A_v)
    B_m, B_f = get6(response_out.B, i, c)
    m, f = vec3.add(m, B_m), vec3.add(f, B_f)
    for d in range(row.v0, row.v0 + row.nv):
        if prescribed[d]:
            dof = dof_work[d]
            through = vec3.dot(vec3.load(dof.a, 0), m if skeleton.dofs[d].rotational == 1 else f)
            tau[d, c] = through + dof.arm * vdot[d, c]


@kernel
def find_command_response(skeleton, members, columns, prescribed, body_work, dof_work, response_out):
    """One column for each coordinate in `columns`: its acceleration if it is prescribed, else its effort.

    `members` are the bodies to visit, parents first: whole trees, in which all these coordinates are.
    """
    for c in range(columns.shape[0]):
        for k in range(members.shape[0]):
            set6(members[k], c, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), response_out.B)
        for k in range(members.shape[0] - 1, -1, -1):
            sweep_in(skeleton, members[k], c, columns[c], prescribed, body_work, dof_work, response_out)
        for k in range(members.shape[0]):
            sweep_out(skeleton, members[k], c, columns[c], prescribed, body_work, dof_work, response_out)
