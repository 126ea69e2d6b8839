"""Styles: what is kept least where the goals leave a choice (Kim & Pollard 2008, section 3).

A style is a quadratic form `|S x + s|²` of the command; here its matrix `H = Sᵀ S` and right side `-Sᵀ s`. It is counted
from what a posture asks for: joints that nobody needs drift there and come to rest, in every style.
"""

from __future__ import annotations

from stringless.control.kernels_tasks import point_motion, point_rows
from stringless.control.tables import TORQUE, VELOCITY
from stringless.jit import kernel
from stringless.spatial import vec3

STYLE_WEIGHT = 2e-4
REACTION_WEIGHT = 1e-4
FOOTING_WEIGHT = 0.1
"""When counting on the ground: weights of the style, of the reactions [1/N²] and of footholds that hold still."""
FOOTING_DAMPING = 20.0
"""How fast a foothold that moves is brought to rest [1/s]."""
RIDGE = 1e-10


@kernel(inline=True)
def least_acceleration(columns, weights, lean, H_out, c_out):
    """`|W (x - lean)|²`."""
    for i in range(columns.shape[0]):
        w = weights[columns[i]]
        H_out[i, i] = w * w
        c_out[i] = w * w * lean[i]


@kernel(inline=True)
def least_torque(columns, weights, T, t0, lean, H_out, c_out):
    """`|W (T x + t0 - T lean)|²`: gravity is not made up for."""
    n = columns.shape[0]
    for k in range(n):
        d = columns[k]
        w = weights[d] * weights[d]
        missing = t0[d]
        for j in range(n):
            missing -= T[d, j] * lean[j]
        for i in range(n):
            c_out[i] -= w * T[d, i] * missing
            for j in range(i + 1):
                H_out[i, j] += w * T[d, i] * T[d, j]


@kernel(inline=True)
def least_velocity(tree, members, columns, weights, D, qdd0, v, h, lean, kv, H_out, c_out):
    """`|W (v + h (D x + qdd0) - v_0)|²` over all coordinates, the root's included (corrected eq. 8).

    `v_0` is the slow way back to the posture, at which its law `lean = kp e - kv v` asks for nothing more.
    """
    n = columns.shape[0]
    for k in range(members.shape[0]):
        row = tree[members[k]]
        for d in range(row.v0, row.v0 + row.nv):
            w = weights[d] * weights[d]
            missing = v[d] / h + qdd0[d]
            for i in range(n):
                a = w * D[d, i]
                if a != 0.0:
                    c_out[i] -= a * missing
                    for j in range(i + 1):
                        H_out[i, j] += a * D[d, j]
    for k in range(n if kv > 0.0 else 0):
        d = columns[k]
        back = weights[d] * weights[d] * (v[d] + lean[k] / kv) / h
        for i in range(n):
            c_out[i] += D[d, i] * back


@kernel
def style_form(
    style, tree, dofs, members, columns, weights, nx, D, qdd0, T, t0, v, h, lean, kv, pushing, footholds, foothold_bodies,
    gravity, A_bias, body_work, dof_work, J_work, row_work, H_out, c_out,
):  # fmt: skip
    """Matrix and right side of the style; when counting on the ground, reactions and footholds are part of it."""
    n = columns.shape[0]
    for i in range(nx):
        c_out[i] = 0.0
        for j in range(nx):
            H_out[i, j] = 0.0
    if style == TORQUE:
        least_torque(columns, weights, T, t0, lean, H_out, c_out)
    elif style == VELOCITY:
        least_velocity(tree, members, columns, weights, D, qdd0, v, h, lean, kv, H_out, c_out)
    else:
        least_acceleration(columns, weights, lean, H_out, c_out)
    mean = 0.0
    for i in range(n):
        mean += H_out[i, i] / n
    scale = STYLE_WEIGHT / mean if pushing else 1.0
    for i in range(n):
        c_out[i] *= scale
        for j in range(i + 1):
            H_out[i, j] *= scale
        H_out[i, i] += RIDGE * scale * mean
    if pushing:
        for k in range(footholds.shape[0]):
            hold_still(tree, dofs, k, n, nx, D, qdd0, footholds, foothold_bodies, gravity, A_bias, body_work, dof_work,
                       J_work, row_work, H_out, c_out)  # fmt: skip


@kernel(inline=True)
def hold_still(tree, dofs, k, n, nx, D, qdd0, footholds, foothold_bodies, gravity, A_bias, body_work, dof_work, J_work,
               row_work, H_out, c_out):  # fmt: skip
    """Foothold k shall not accelerate, softly; its reactions shall be small."""
    for s in range(3):
        H_out[n + 3 * k + s, n + 3 * k + s] += REACTION_WEIGHT
    x = vec3.load(footholds[k], 0)
    xdot, bias = point_motion(foothold_bodies[k], x, (gravity[0], gravity[1], gravity[2]), A_bias, body_work)
    point_rows(tree, dofs, foothold_bodies[k], x, False, body_work, dof_work, J_work)
    for s in range(3):
        b = -bias[s] - FOOTING_DAMPING * xdot[s]
        for c in range(nx):
            row_work[c] = 0.0
        for d in range(dofs.shape[0]):
            j = J_work[s, d]
            if j != 0.0:
                b -= j * qdd0[d]
                for c in range(nx):
                    row_work[c] += j * D[d, c]
        for i in range(nx):
            c_out[i] += FOOTING_WEIGHT * row_work[i] * b
            for j in range(i + 1):
                H_out[i, j] += FOOTING_WEIGHT * row_work[i] * row_work[j]
