"""How the efforts of springs, dampers and stops change with a motion: `dynamics/kernels_joints.py` varied.

    y = δtau - δD vdot,   D = arm + h_v (c + h k),   tau = -k x - (c + h k) v

and for the stops of a ball, with g the gradient of the angle that is limited and s the side:
`tau = -s f g`, `D = h_v (c + h k) g gᵀ`, where g changes with the turn, too.
"""

from __future__ import annotations

import math

from stringless.dynamics.kernels_derivatives import displacement_rate
from stringless.dynamics.kernels_joints import TWIST, resist_limit
from stringless.editing import kernels_lanes as lanes
from stringless.editing.kernels_lanes import Q, V, velocity_step_rate
from stringless.jit import kernel
from stringless.model.joints import ball, registry
from stringless.spatial import mat3, rotation, vec3

BALL, FREE = registry.BALL, registry.FREE


@kernel(inline=True)
def bend(body, q, j, g, x):
    """How the gradient g of limit j of a ball changes when the body turns by x."""
    a = vec3.load(body.axes, 0)
    P = rotation.normalise(ball.quaternion(body, q))
    if j == 0:
        # g = (b x a)/|b x a| with b = Rᵀ a, which turns by b x x.
        b = mat3.transform_back(rotation.from_quaternion(P), a)
        n = vec3.cross(b, a)
        d = vec3.cross(vec3.cross(b, x), a)
        length = math.sqrt(vec3.dot(n, n))
        return vec3.scale(1.0 / max(length, 1e-12), vec3.add_scaled(d, -vec3.dot(g, d), g))
    if j == TWIST:
        # g = (w (w a - v x a) + (v·a) v)/((v·a)² + w²) of the quaternion (v, w), whose change is half its product with x.
        v, w = (P[0], P[1], P[2]), P[3]
        dv = vec3.scale(0.5, vec3.add(vec3.scale(w, x), vec3.cross(v, x)))
        dw = -0.5 * vec3.dot(v, x)
        va, dva = vec3.dot(v, a), vec3.dot(dv, a)
        d = vec3.scale(dw, vec3.subtract(vec3.scale(w, a), vec3.cross(v, a)))
        d = vec3.add_scaled(d, w, vec3.subtract(vec3.scale(dw, a), vec3.cross(dv, a)))
        d = vec3.add_scaled(vec3.add_scaled(d, dva, v), va, dv)
        square = max(va * va + w * w, 1e-12)
        return vec3.scale(1.0 / square, vec3.add_scaled(d, -2.0 * (va * dva + w * dw), g))
    # g = x/|x| of the rotation vector.
    turn = rotation.log_quaternion(P)
    d = rotation.right_jacobian_inverse(turn, x)
    length = math.sqrt(vec3.dot(turn, turn))
    return vec3.scale(1.0 / max(length, 1e-12), vec3.add_scaled(d, -vec3.dot(g, d), g))


@kernel(inline=True)
def subtract(k, table, e, d, columns_work):
    """Take k times a table of coordinate e off the efforts of coordinate d, in all columns."""
    for b in range(columns_work.shape[0]):
        lanes.subtract(k, table, columns_work[b, e], columns_work[b, d])


@kernel(inline=True)
def resist_ball_limits(body, limit, j, state, vdot, span, frequency, dh, columns_work):
    """What limit j of a ball adds to the efforts of its columns."""
    first, q, v, h, h_v = body.v0, state.q, state.v, span.h, span.h_v
    value, g = registry.limit(body, q, j)
    v_b, a_b = vec3.load(v, first), vec3.load(vdot, first)
    rate, pace = vec3.dot(g, v_b), vec3.dot(g, a_b)
    k, c, force = resist_limit(limit, value, rate, h, frequency)
    if k == 0.0:
        return
    firm = c + h * k
    for e in range(3):
        d = bend(body, q, j, g, vec3.unit(e))
        along = k * g[e] + firm * vec3.dot(v_b, d) + h_v * firm * vec3.dot(a_b, d)
        for m in range(3):
            x = (force + h_v * firm * pace) * d[m] + along * g[m]
            subtract(x, Q, first + e, first + m, columns_work)
            subtract(firm * g[m] * g[e], V, first + e, first + m, columns_work)
    for m in range(3):
        x = g[m] * (k * rate + (velocity_step_rate(span) * firm + h_v * k) * pace)
        for b in range(columns_work.shape[0]):
            lanes.subtract_times(x, dh[b], columns_work[b, first + m])


@kernel(inline=True)
def resist_columns(skeleton, i, state, span, frequency, dh, work, columns_work):
    """Efforts of the joint of body i in all columns, springs, dampers and stops together."""
    dofs, limits, q, v, vdot = skeleton.dofs, skeleton.limits, state.q, state.v, work.vdot
    row, h, h_v = skeleton.tree[i], span.h, span.h_v
    curved = row.kind == BALL or row.kind == FREE
    for n in range(row.nv):
        d = row.v0 + n
        k, c = dofs[d].stiffness, dofs[d].damping
        if row.sequential == 1 and n < row.nl:
            more, drag, _ = resist_limit(limits[row.l0 + n], q[row.q0 + n], v[d], h, frequency)
            k, c = k + more, c + drag
        g = -k * v[d] - (velocity_step_rate(span) * (c + h * k) + h_v * k) * vdot[d]
        pull = 0.0 if curved else k
        for b in range(columns_work.shape[0]):
            lanes.resist_one(pull, c + h * k, g, dh[b], columns_work[b, d])
    if curved and row.sprung == 1:
        displacement, unit, rate = work.displacement, work.unit, work.rate
        registry.displacement(row, skeleton.rest, q, displacement)
        for e in range(row.v0, row.v0 + row.nv):
            for d in range(row.v0, row.v0 + row.nv):
                unit[d] = 1.0 if d == e else 0.0
            displacement_rate(row, displacement, unit, rate)
            for d in range(row.v0, row.v0 + row.nv):
                if rate[d] != 0.0:
                    subtract(dofs[d].stiffness * rate[d], Q, e, d, columns_work)
    if row.kind == BALL:
        for j in range(row.nl):
            limit = limits[row.l0 + j]
            if not (j != TWIST and limit.upper >= math.pi and limit.lower <= 0.0):
                resist_ball_limits(row, limit, j, state, vdot, span, frequency, dh, columns_work)
