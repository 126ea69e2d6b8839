"""The exact derivatives of a joint's forces by the poses of its two bodies.

A displacement (θ, δp) of each body gives the change of the wrench pair, column by column. Seen from the carrying body the
carried one is displaced by `θ = θ_c - θ_p` and `u = δp_c + θ_c x r_c - δp_p - θ_p x r_p`; directions that the carried
body takes along turn with θ, everything turns with θ_p, and the point where the forces act moves, too. Where a joint is
open the directions of its coordinates are taken for the gradients of their values: exact in whole joints.
"""

from __future__ import annotations

import math

from stringless.engines.stiff.reference.kernels_pairs import SPIN, along
from stringless.jit import kernel
from stringless.model.joints import ball, registry
from stringless.spatial import mat3, rotation, vec3

BALL, FREE, UNIVERSAL = registry.BALL, registry.FREE, registry.UNIVERSAL
ZERO = (0.0, 0.0, 0.0)


@kernel(inline=True)
def swing_slope(a, R, delta):
    """Change of the gradient of a ball joint's swing, along body axes, when the body turns by `delta` along them."""
    b = mat3.transform(R, a)
    n = vec3.cross(a, b)
    s = 1.0 / max(math.sqrt(vec3.dot(n, n)), 1e-12)
    m = vec3.scale(s, n)
    dn = vec3.scale(s, vec3.cross(a, mat3.transform(R, vec3.cross(delta, a))))
    dm = vec3.add_scaled(dn, -vec3.dot(m, dn), m)
    return mat3.transform_back(R, vec3.subtract(dm, mat3.transform(R, vec3.cross(delta, mat3.transform_back(R, m)))))


@kernel(inline=True)
def twist_slope(a, Q, delta):
    """The same for the twist, from `n/D` with `n = w (w a - v x a) + (v·a) v` and `D = (v·a)² + w²`."""
    v, w = (Q[0], Q[1], Q[2]), Q[3]
    dv = vec3.scale(0.5, vec3.add(vec3.scale(w, delta), vec3.cross(v, delta)))
    dw = -0.5 * vec3.dot(v, delta)
    va, dva = vec3.dot(v, a), vec3.dot(dv, a)
    side = vec3.subtract(vec3.scale(w, a), vec3.cross(v, a))
    d_side = vec3.subtract(vec3.scale(dw, a), vec3.cross(dv, a))
    n = vec3.add_scaled(vec3.scale(w, side), va, v)
    dn = vec3.add(vec3.scale(dw, side), vec3.scale(w, d_side))
    dn = vec3.add(dn, vec3.add(vec3.scale(dva, v), vec3.scale(va, dv)))
    s = 1.0 / max(va * va + w * w, 1e-12)
    return vec3.scale(s, vec3.add_scaled(dn, -2.0 * s * (va * dva + w * dw), n))


@kernel(inline=True)
def turn_slope(Q, delta):
    """The same for the whole angle of rotation, whose gradient is the unit vector of the rotation vector."""
    x = rotation.log_quaternion(Q)
    s = 1.0 / max(math.sqrt(vec3.dot(x, x)), 1e-12)
    n = vec3.scale(s, x)
    dx = rotation.right_jacobian_inverse(x, delta)
    return vec3.scale(s, vec3.add_scaled(dx, -vec3.dot(n, dx), n))


@kernel(inline=True)
def limit_slope(body, q, j, delta):
    """Change of the gradient of limit j of a ball joint, along body axes, when the body turns by `delta` along them."""
    a = vec3.load(body.axes, 0)
    Q = rotation.normalise(ball.quaternion(body, q))
    if j == 0:
        return swing_slope(a, rotation.from_quaternion(Q), delta)
    if j == 1:
        return twist_slope(a, Q, delta)
    return turn_slope(Q, delta)


@kernel(inline=True)
def carried(tree, i, k, theta, pair):
    """Change of T_k, seen from the carrying body, when the carried one turns by theta."""
    row = tree[i]
    if row.kind == BALL or row.kind == FREE:
        dw = vec3.cross(theta, vec3.load(pair.duals, 6 * k))
        return dw, vec3.cross(theta, vec3.load(pair.duals, 6 * k + 3))
    if row.kind == UNIVERSAL:
        # T is a sum of the two axes with constant shares; the second one turns.
        cosine = vec3.dot(vec3.load(row.axes, 0), vec3.load(row.axes, 3))
        share = (1.0 if k == 1 else -cosine) / (1.0 - cosine * cosine)
        b = mat3.transform(mat3.load(pair.R, 0), vec3.load(row.axes, 3))
        return vec3.scale(share, vec3.cross(theta, b)), ZERO
    return ZERO, ZERO


@kernel(inline=True)
def spring_rate(tree, i, k, theta, u, pair):
    """Change of the spring's displacement along coordinate k: `T · (θ, u)`, but for ball and free joints."""
    row = tree[i]
    if row.sprung == 1 and (row.kind == BALL or row.kind == FREE):
        R = mat3.load(pair.R, 0)
        t = vec3.load(pair.duals, 6 * k)
        if k < 3:
            # Along body axes x changes by Jr⁻¹(x) θ.
            return vec3.dot(t, rotation.right_jacobian_inverse(mat3.transform(R, vec3.load(pair.x, 0)), theta))
        t = vec3.load(pair.duals, 6 * k + 3)
        apart = mat3.transform(R, vec3.load(pair.x, 3))
        return vec3.dot(t, u) + vec3.dot(vec3.cross(theta, t), apart)
    return along(pair.duals, k, theta, u)


@kernel(inline=True)
def wrench_of(tree, i, pair):
    """The wrench of all the joint's efforts on the carried body, at its origin."""
    m, f = ZERO, ZERO
    for k in range(tree[i].nv):
        m = vec3.add_scaled(m, pair.e[k], vec3.load(pair.duals, 6 * k))
        f = vec3.add_scaled(f, pair.e[k], vec3.load(pair.duals, 6 * k + 3))
    for s in range(pair.limits):
        m = vec3.add_scaled(m, pair.limit_e[s], vec3.load(pair.limit_n, 3 * s))
    return m, f


@kernel(inline=True)
def change_of_wrench(tree, i, q, theta, u, slip_w, slip_v, pair):
    """Change of that wrench, seen from the carrying body, by (θ, u) and by the change `slip` of the relative twist."""
    dm, df = ZERO, ZERO
    V_w, V_v = vec3.load(pair.V, 0), vec3.load(pair.V, 3)
    for k in range(tree[i].nv):
        T_w, T_v = carried(tree, i, k, theta, pair)
        rate = along(pair.duals, k, slip_w, slip_v) + vec3.dot(T_w, V_w) + vec3.dot(T_v, V_v)
        de = -pair.k[k] * spring_rate(tree, i, k, theta, u, pair) - pair.c[k] * rate
        dm = vec3.add(dm, vec3.add_scaled(vec3.scale(pair.e[k], T_w), de, vec3.load(pair.duals, 6 * k)))
        df = vec3.add(df, vec3.add_scaled(vec3.scale(pair.e[k], T_v), de, vec3.load(pair.duals, 6 * k + 3)))
    if pair.limits > 0:
        R = mat3.load(pair.R, 0)
        delta = mat3.transform_back(R, theta)
        for s in range(pair.limits):
            n = vec3.load(pair.limit_n, 3 * s)
            dn = vec3.add(vec3.cross(theta, n), mat3.transform(R, limit_slope(tree[i], q, pair.limit[s], delta)))
            rate = vec3.dot(n, slip_w) + vec3.dot(dn, V_w)
            de = -pair.limit_k[s] * vec3.dot(n, theta) - pair.limit_c[s] * rate
            dm = vec3.add(dm, vec3.add_scaled(vec3.scale(pair.limit_e[s], dn), de, n))
    return dm, df


@kernel(inline=True)
def put_column(s, m, f, column, block_out):
    """Add `s (m, f)` to a column of a block."""
    for n in range(3):
        block_out[n, column] += s * m[n]
        block_out[n + 3, column] += s * f[n]


@kernel(inline=True)
def add_slopes(tree, i, q, bodies, s, pair_work, cc_out, cp_out, pc_out, pp_out):
    """Add `s` times the derivatives of the wrenches on both bodies of joint i by their displacements.

    The blocks are (carried, carried), (carried, carrying) and so on, at the centres of mass; the last three are left alone
    if the ground carries.
    """
    p = tree[i].parent
    pair = pair_work[i]
    r_c, r_p = vec3.load(pair.r_c, 0), vec3.load(pair.r_p, 0)
    V_w, V_v = vec3.load(pair.V, 0), vec3.load(pair.V, 3)
    w_c = vec3.load(bodies[i], SPIN)
    w_p = vec3.load(bodies[p], SPIN) if p >= 0 else ZERO
    m, f = wrench_of(tree, i, pair)
    for n in range(12 if p >= 0 else 6):
        unit = vec3.unit(n % 3)
        theta_c, shift_c = unit if n < 3 else ZERO, unit if n >= 3 and n < 6 else ZERO
        theta_p, shift_p = unit if n >= 6 and n < 9 else ZERO, unit if n >= 9 else ZERO
        arm_c = vec3.cross(theta_c, r_c)
        swept = vec3.cross(theta_p, r_p)
        u = vec3.subtract(vec3.add(shift_c, arm_c), vec3.add(shift_p, swept))
        arm_p = vec3.add(swept, u)
        slip_w = vec3.cross(V_w, theta_p)
        slip_v = vec3.subtract(vec3.cross(w_c, arm_c), vec3.cross(w_p, arm_p))
        slip_v = vec3.add(slip_v, vec3.cross(V_v, theta_p))
        theta = vec3.subtract(theta_c, theta_p)
        dm, df = change_of_wrench(tree, i, q, theta, u, slip_w, slip_v, pair)
        dm, df = vec3.add(dm, vec3.cross(theta_p, m)), vec3.add(df, vec3.cross(theta_p, f))
        on_c = vec3.add(dm, vec3.add(vec3.cross(r_c, df), vec3.cross(arm_c, f)))
        put_column(s, on_c, df, n % 6, cc_out if n < 6 else cp_out)
        if p >= 0:
            on_p = vec3.add(dm, vec3.add(vec3.cross(r_p, df), vec3.cross(arm_p, f)))
            put_column(-s, on_p, df, n % 6, pc_out if n < 6 else pp_out)
