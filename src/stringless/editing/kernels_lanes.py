"""What one joint does to many columns of a sensitivity at once: loops over columns side by side, by vector instructions.

A column is one direction in which a motion may change: `δq`, `δv`, and δu of the velocity `u = v + h/2 vdot` from which the
next step takes velocity products. Everything is about the
anchor of the tree along world axes (`dynamics/kernels_derivatives.py`), so nothing is shifted on the way. `t` is a row of
its terms, of a coordinate: S (0-5), Psi'' (6-11), Psi' (12-14), Psi^ (15-20), Y (21-26), b (27-29), G (30-35), H (36-41);
`f` a row of the factors of the mass matrix: U (0-5), Psi (6) and the axis it was eliminated along (7-12), which is S but for
a ball at its stops. Arrays never overlap.
"""

from __future__ import annotations

from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def get(table, at, l):
    """Three rows from `at` on, in column l."""
    return table[at, l], table[at + 1, l], table[at + 2, l]


@kernel(inline=True)
def put(at, l, a, table_out):
    """Write three rows from `at` on, in column l."""
    table_out[at, l], table_out[at + 1, l], table_out[at + 2, l] = a[0], a[1], a[2]


@kernel(inline=True)
def add_two(x, s, a, t, b):
    """Return `x + s a + t b`."""
    return x[0] + s * a[0] + t * b[0], x[1] + s * a[1] + t * b[1], x[2] + s * a[2] + t * b[2]


@kernel(inline=True)
def less(y, a, x):
    """Return `y - a·x`, as three fused operations."""
    return y - a[0] * x[0] - a[1] * x[1] - a[2] * x[2]


@kernel(inline=True)
def lead(t, q, u, A_w, A_v, B):
    """What coordinate t adds on the way out: `alpha + Psi'' δq + Psi^ δu` and `beta + Psi' δq + S δu`."""
    A_w = add_two(A_w, q, vec3.load(t, 6), u, vec3.load(t, 15))
    A_v = add_two(A_v, q, vec3.load(t, 9), u, vec3.load(t, 18))
    return A_w, A_v, add_two(B, q, vec3.load(t, 12), u, vec3.load(t, 0))


@kernel(inline=True)
def feel(t, y, A_w, A_v, B):
    """`y - Y·alpha - b·beta`: what all that is on the way to coordinate t takes of its effort."""
    return less(less(less(y, vec3.load(t, 21), A_w), vec3.load(t, 24), A_v), vec3.load(t, 27), B)


@kernel(inline=True)
def eliminate(f, y, Z_m, Z_f):
    """Effort left for coordinate f, `y - S·Z`, and Z with its reaction `U Psi y`."""
    y = less(less(y, vec3.load(f, 7), Z_m), vec3.load(f, 10), Z_f)
    s = f[6] * y
    return y, vec3.add_scaled(Z_m, s, vec3.load(f, 0)), vec3.add_scaled(Z_f, s, vec3.load(f, 3))


@kernel(inline=True)
def hand_over(t, q, u, Z_m, Z_f):
    """`Z + G δq + H δu`: what those on the way to coordinate t feel of it."""
    Z_m = add_two(Z_m, q, vec3.load(t, 30), u, vec3.load(t, 36))
    return Z_m, add_two(Z_f, q, vec3.load(t, 33), u, vec3.load(t, 39))


@kernel(inline=True)
def respond(f, y, A_w, A_v):
    """Acceleration of coordinate f, `Psi (y - U·A)`, and A with it: `A + S δvdot`."""
    a = f[6] * less(less(y, vec3.load(f, 0), A_w), vec3.load(f, 3), A_v)
    return a, vec3.add_scaled(A_w, a, vec3.load(f, 7)), vec3.add_scaled(A_v, a, vec3.load(f, 10))


# --- joints of one coordinate -----------------------------------------------------------------------------------------


@kernel(lanes=True)
def spread_one(t, q, u, above, path_out, load_out, y_out):
    """Way out over one coordinate: alpha and beta of its body; `y -= Y·alpha + b·beta`. Clears the load for the way in."""
    for l in range(q.shape[0]):
        A_w, A_v, B = lead(t, q[l], u[l], get(above, 0, l), get(above, 3, l), get(above, 6, l))
        put(0, l, A_w, path_out)
        put(3, l, A_v, path_out)
        put(6, l, B, path_out)
        y_out[l] = feel(t, y_out[l], A_w, A_v, B)
        put(0, l, (0.0, 0.0, 0.0), load_out)
        put(3, l, (0.0, 0.0, 0.0), load_out)


@kernel(lanes=True)
def gather_one(t, f, keep, q, u, load, y_out, into_out):
    """Way in over one coordinate: effort left in `y_out`, what remains to `into = keep into + Z`."""
    for l in range(q.shape[0]):
        y, Z_m, Z_f = eliminate(f, y_out[l], get(load, 0, l), get(load, 3, l))
        y_out[l] = y
        Z_m, Z_f = hand_over(t, q[l], u[l], Z_m, Z_f)
        put(0, l, vec3.add_scaled(Z_m, keep, get(into_out, 0, l)), into_out)
        put(3, l, vec3.add_scaled(Z_f, keep, get(into_out, 3, l)), into_out)


@kernel(lanes=True)
def respond_one(f, above, y_out, motion_out):
    """Way out again over one coordinate: its acceleration in place of its effort, and that of its body."""
    for l in range(y_out.shape[0]):
        x, A_w, A_v = respond(f, y_out[l], get(above, 0, l), get(above, 3, l))
        y_out[l] = x
        put(0, l, A_w, motion_out)
        put(3, l, A_v, motion_out)


@kernel(lanes=True)
def advance_one(a, v, kick, h, kick_rate, da, dh, dq_out, dv_out, du_out):
    """`v+ = v + kick vdot`, `q+ = q + h v+`, `u+ = v+ + h/2 vdot`, varied; `v` is v+, and kick changes with h."""
    for l in range(dh.shape[0]):
        x = dv_out[l] + kick * da[l] + kick_rate * a * dh[l]
        dv_out[l] = x
        dq_out[l] += h * x + v * dh[l]
        du_out[l] = x + 0.5 * h * da[l] + 0.5 * a * dh[l]


@kernel(lanes=True)
def resist_one(k, c, g, q, v, dh, y_out):
    """Begin with the joint's own efforts: `y = -k δq - c δv + g δh`."""
    for l in range(dh.shape[0]):
        y_out[l] = g * dh[l] - k * q[l] - c * v[l]


@kernel(lanes=True)
def subtract_row(k, q, y_out):
    """`y -= k δq`: a spring that couples two coordinates of a joint."""
    for l in range(q.shape[0]):
        y_out[l] -= k * q[l]


@kernel(lanes=True)
def clear_rows(y_out):
    """Begin with no efforts."""
    for k in range(y_out.shape[0]):
        for l in range(y_out.shape[1]):
            y_out[k, l] = 0.0


# --- joints of three coordinates that act at once: ball, free (twice), translational ----------------------------------


@kernel(lanes=True)
def spread_three(t, q, u, above, path_out, load_out, y_out):
    """As `spread_one`, for three coordinates that feel each other's alpha and beta, too."""
    r, s, t = t[0], t[1], t[2]
    for l in range(q.shape[1]):
        A_w, A_v, B = lead(r, q[0, l], u[0, l], get(above, 0, l), get(above, 3, l), get(above, 6, l))
        A_w, A_v, B = lead(s, q[1, l], u[1, l], A_w, A_v, B)
        A_w, A_v, B = lead(t, q[2, l], u[2, l], A_w, A_v, B)
        put(0, l, A_w, path_out)
        put(3, l, A_v, path_out)
        put(6, l, B, path_out)
        y_out[0, l] = feel(r, y_out[0, l], A_w, A_v, B)
        y_out[1, l] = feel(s, y_out[1, l], A_w, A_v, B)
        y_out[2, l] = feel(t, y_out[2, l], A_w, A_v, B)
        put(0, l, (0.0, 0.0, 0.0), load_out)
        put(3, l, (0.0, 0.0, 0.0), load_out)


@kernel(lanes=True)
def gather_three(t, f, keep, q, u, load, y_out, into_out):
    """As `gather_one`: the efforts first, the last coordinate's before the others', then what remains."""
    for l in range(q.shape[1]):
        z, Z_m, Z_f = eliminate(f[2], y_out[2, l], get(load, 0, l), get(load, 3, l))
        y, Z_m, Z_f = eliminate(f[1], y_out[1, l], Z_m, Z_f)
        x, Z_m, Z_f = eliminate(f[0], y_out[0, l], Z_m, Z_f)
        put(0, l, (x, y, z), y_out)
        Z_m, Z_f = hand_over(t[0], q[0, l], u[0, l], Z_m, Z_f)
        Z_m, Z_f = hand_over(t[1], q[1, l], u[1, l], Z_m, Z_f)
        Z_m, Z_f = hand_over(t[2], q[2, l], u[2, l], Z_m, Z_f)
        put(0, l, vec3.add_scaled(Z_m, keep, get(into_out, 0, l)), into_out)
        put(3, l, vec3.add_scaled(Z_f, keep, get(into_out, 3, l)), into_out)


@kernel(lanes=True)
def respond_three(f, above, y_out, motion_out):
    """As `respond_one`, one coordinate after the other."""
    for l in range(y_out.shape[1]):
        x, A_w, A_v = respond(f[0], y_out[0, l], get(above, 0, l), get(above, 3, l))
        y, A_w, A_v = respond(f[1], y_out[1, l], A_w, A_v)
        z, A_w, A_v = respond(f[2], y_out[2, l], A_w, A_v)
        put(0, l, (x, y, z), y_out)
        put(0, l, A_w, motion_out)
        put(3, l, A_v, motion_out)


@kernel(lanes=True)
def mix_three(L, y_out):
    """`y <- L y`: between body axes and those that a ball at its stops was eliminated along."""
    for l in range(y_out.shape[1]):
        put(0, l, mat3.transform(L, get(y_out, 0, l)), y_out)


@kernel(lanes=True)
def turn_moment(K, q, into_out):
    """`into += K δq`: the force through a free joint, seen from where it has slid to."""
    for l in range(q.shape[1]):
        put(0, l, vec3.add(get(into_out, 0, l), mat3.transform(K, get(q, 0, l))), into_out)


@kernel(lanes=True)
def advance_ball(a, w, E, J, kick, h, kick_rate, da, dh, dq_out, dv_out, du_out):
    """`w+ = w + kick wdot`, `R+ = R exp(h w+)`, varied: `δq+ = E δq + Jr (h δw+ + w+ δh)`.

    `w` is w+, E the step turned back, `exp(-h w+)`, and J the right Jacobian `Jr(h w+)` (physics notes, section 6.1).
    """
    for l in range(dh.shape[0]):
        da_w = get(da, 0, l)
        x = add_two(get(dv_out, 0, l), kick, da_w, kick_rate * dh[l], a)
        put(0, l, x, dv_out)
        put(0, l, add_two(x, 0.5 * h, da_w, 0.5 * dh[l], a), du_out)
        y = mat3.transform(J, add_two((0.0, 0.0, 0.0), h, x, dh[l], w))
        put(0, l, vec3.add(mat3.transform(E, get(dq_out, 0, l)), y), dq_out)


@kernel(lanes=True)
def advance_free(a, b, w, m, v, u_w, u_v, E, J, kick, h, kick_rate, da, dh, dq_out, dv_out, du_out, dg_out):
    """A step of a free joint, `free.advance`, varied. Its linear velocity is advanced along world axes.

    With `m = v + kick (vdot + u_w x u_v)` along the old body axes, `v+ = E m`, and a change (θ, d) of the pose:
    `μ = δm + θ x m`, `θ+ = E θ + Jr (h δw+ + w+ δh)`, `δv+ = E μ - θ+ x v+`, `d+ = E (d + h μ + m δh)`. `a` and `b` are
    the angular and linear acceleration. `dg_out` gets what is missing of the velocity now, `g = h/2 E (vdot + u_w x u_v)`.
    """
    rate = vec3.add(b, vec3.cross(u_w, u_v))
    late = mat3.transform(E, rate)
    for l in range(dh.shape[0]):
        s = kick_rate * dh[l]
        da_w, da_v = get(da, 0, l), get(da, 3, l)
        x = add_two(get(dv_out, 0, l), kick, da_w, s, a)
        turned = vec3.add(vec3.cross(get(du_out, 0, l), u_v), vec3.cross(u_w, get(du_out, 3, l)))
        y = add_two(get(dv_out, 3, l), kick, vec3.add(da_v, turned), s, rate)
        turn, slide = get(dq_out, 0, l), get(dq_out, 3, l)
        z = mat3.transform(E, vec3.add(vec3.add(da_v, turned), vec3.cross(turn, rate)))
        y = vec3.add(y, vec3.cross(turn, m))
        slide = mat3.transform(E, vec3.add(slide, add_two((0.0, 0.0, 0.0), h, y, dh[l], m)))
        turn = mat3.transform(E, turn)
        turn = vec3.add(turn, mat3.transform(J, add_two((0.0, 0.0, 0.0), h, x, dh[l], w)))
        z = vec3.subtract(z, vec3.cross(turn, late))
        put(3, l, add_two((0.0, 0.0, 0.0), 0.5 * h, z, 0.5 * dh[l], late), dg_out)
        y = vec3.subtract(mat3.transform(E, y), vec3.cross(turn, v))
        put(0, l, turn, dq_out)
        put(3, l, slide, dq_out)
        put(0, l, x, dv_out)
        put(3, l, y, dv_out)
        put(0, l, add_two(x, 0.5 * h, da_w, 0.5 * dh[l], a), du_out)
        put(3, l, add_two(y, 0.5 * h, da_v, 0.5 * dh[l], b), du_out)
