"""What one joint does to a block of columns of a sensitivity: loops over columns side by side, by vector instructions.

A column is one direction in which a motion may change: `δq`, `δv`, and δu of the velocity `u = v + h/2 vdot` from which the
next step takes velocity products. Everything is about the
anchor of the tree along world axes (`dynamics/kernels_derivatives.py`), so nothing is shifted on the way. `t` is a row of
its terms, of a coordinate: S (0-5), Psi'' (6-11), Psi' (12-14), Psi^ (15-20), Y (21-26), b (27-29), G (30-35), H (36-41);
`f` a row of the factors of the mass matrix: U (0-5), Psi (6) and the axis it was eliminated along (7-12), which is S but for
a ball at its stops. Arrays never overlap.
"""

from __future__ import annotations

import numpy as np

from stringless.jit import kernel
from stringless.spatial import mat3, vec3

LANES = 8
"""Columns of a block: a cache line, and one vector of the widest processors. With so few, and tables whose size is known, a loop
over them becomes one pass of vector instructions that take a joint's numbers from memory where they need them. With more of
them the compiler would keep more numbers at hand than there are registers for, and a chain of ten takes twice as long."""

REAL = np.float64
Q, V, U, Y, G = range(5)
COLUMN_BLOCK = np.dtype([("x", REAL, (5, LANES))])
"""Of one coordinate: δq, δv, δu; efforts, then accelerations; of a free joint's sliding coordinates, what its velocity lags
behind."""
PATH_BLOCK = np.dtype([("x", REAL, (9, LANES))])
"""Of one body: alpha (6) and beta (3) of all that leads to it."""
FORCE_BLOCK = MOTION_BLOCK = np.dtype([("x", REAL, (6, LANES))])


@kernel(inline=True)
def get(table, at, l):
    """Three rows from `at` on, in column l."""
    return table[at, l], table[at + 1, l], table[at + 2, l]


@kernel(inline=True)
def put(at, l, a, table_out):
    """Write three rows from `at` on, in column l."""
    table_out[at, l], table_out[at + 1, l], table_out[at + 2, l] = a[0], a[1], a[2]


@kernel(inline=True)
def three_of(columns, table, at, l):
    """One table of three coordinates from `at` on, in column l."""
    return columns[at].x[table, l], columns[at + 1].x[table, l], columns[at + 2].x[table, l]


@kernel(inline=True)
def set_three(table, at, l, a, columns_out):
    """Write one table of three coordinates from `at` on, in column l."""
    columns_out[at].x[table, l], columns_out[at + 1].x[table, l], columns_out[at + 2].x[table, l] = a[0], a[1], a[2]


@kernel(inline=True)
def add_two(x, s, a, t, b):
    """Return `x + s a + t b`."""
    return x[0] + s * a[0] + t * b[0], x[1] + s * a[1] + t * b[1], x[2] + s * a[2] + t * b[2]


@kernel(inline=True)
def subtract_dot(y, a, x):
    """Return `y - a·x`, as three fused operations."""
    return y - a[0] * x[0] - a[1] * x[1] - a[2] * x[2]


@kernel(inline=True)
def path_terms(t, q, u, A_w, A_v, B):
    """What coordinate t adds on the way out: `alpha + Psi'' δq + Psi^ δu` and `beta + Psi' δq + S δu`."""
    A_w = add_two(A_w, q, vec3.load(t, 6), u, vec3.load(t, 15))
    A_v = add_two(A_v, q, vec3.load(t, 9), u, vec3.load(t, 18))
    return A_w, A_v, add_two(B, q, vec3.load(t, 12), u, vec3.load(t, 0))


@kernel(inline=True)
def subtract_path_terms(t, y, A_w, A_v, B):
    """`y - Y·alpha - b·beta`: what all that is on the way to coordinate t takes of its effort."""
    return subtract_dot(
        subtract_dot(subtract_dot(y, vec3.load(t, 21), A_w), vec3.load(t, 24), A_v), vec3.load(t, 27), B
    )


@kernel(inline=True)
def eliminate(f, y, Z_m, Z_f):
    """Effort left for coordinate f, `y - S·Z`, and Z with its reaction `U Psi y`."""
    y = subtract_dot(subtract_dot(y, vec3.load(f, 7), Z_m), vec3.load(f, 10), Z_f)
    s = f[6] * y
    return y, vec3.add_scaled(Z_m, s, vec3.load(f, 0)), vec3.add_scaled(Z_f, s, vec3.load(f, 3))


@kernel(inline=True)
def add_motion_terms(t, q, u, Z_m, Z_f):
    """`Z + G δq + H δu`: the force that it puts on those on the way to coordinate t."""
    Z_m = add_two(Z_m, q, vec3.load(t, 30), u, vec3.load(t, 36))
    return Z_m, add_two(Z_f, q, vec3.load(t, 33), u, vec3.load(t, 39))


# --- joints of one coordinate -----------------------------------------------------------------------------------------


@kernel(lanes=True)
def spread_one(t, above, path_out, load_out, column_out):
    """Way out over one coordinate: alpha and beta of its body; `y -= Y·alpha + b·beta`. Clears the load for the way in."""
    for l in range(LANES):
        A_w, A_v, B = get(above.x, 0, l), get(above.x, 3, l), get(above.x, 6, l)
        A_w, A_v, B = path_terms(t, column_out.x[Q, l], column_out.x[U, l], A_w, A_v, B)
        put(0, l, A_w, path_out.x)
        put(3, l, A_v, path_out.x)
        put(6, l, B, path_out.x)
        column_out.x[Y, l] = subtract_path_terms(t, column_out.x[Y, l], A_w, A_v, B)
        put(0, l, (0.0, 0.0, 0.0), load_out.x)
        put(3, l, (0.0, 0.0, 0.0), load_out.x)


@kernel(lanes=True)
def gather_one(t, f, keep, load, column_out, into_out):
    """Way in over one coordinate: its effort that is left, and what remains to `into = keep into + Z`."""
    for l in range(LANES):
        y, Z_m, Z_f = eliminate(f, column_out.x[Y, l], get(load.x, 0, l), get(load.x, 3, l))
        column_out.x[Y, l] = y
        Z_m, Z_f = add_motion_terms(t, column_out.x[Q, l], column_out.x[U, l], Z_m, Z_f)
        put(0, l, vec3.add_scaled(Z_m, keep, get(into_out.x, 0, l)), into_out.x)
        put(3, l, vec3.add_scaled(Z_f, keep, get(into_out.x, 3, l)), into_out.x)


@kernel(lanes=True)
def respond(f, above, column_out, motion_out):
    """Way out again over one coordinate: its acceleration `Psi (y - U·A)` in place of its effort, and `A + S δvdot`."""
    for l in range(LANES):
        A_w, A_v = get(above.x, 0, l), get(above.x, 3, l)
        y = subtract_dot(subtract_dot(column_out.x[Y, l], vec3.load(f, 0), A_w), vec3.load(f, 3), A_v)
        a = f[6] * y
        column_out.x[Y, l] = a
        put(0, l, vec3.add_scaled(A_w, a, vec3.load(f, 7)), motion_out.x)
        put(3, l, vec3.add_scaled(A_v, a, vec3.load(f, 10)), motion_out.x)


@kernel(inline=True)
def velocity_step_rate(span):
    """How the length of the velocity step (`velocity_step`) changes with the step's length."""
    return 0.5 if span.last > 0.0 else 1.0


@kernel(lanes=True)
def advance_one(a, v, span, dh, column_out):
    """`v+ = v + h_v vdot`, `q+ = q + h v+`, `u+ = v+ + h/2 vdot`, varied; `v` is v+, and h_v changes with h."""
    h, h_v, rate = span.h, span.h_v, velocity_step_rate(span)
    for l in range(LANES):
        da = column_out.x[Y, l]
        x = column_out.x[V, l] + h_v * da + rate * a * dh[l]
        column_out.x[V, l] = x
        column_out.x[Q, l] += h * x + v * dh[l]
        column_out.x[U, l] = x + 0.5 * h * da + 0.5 * a * dh[l]


@kernel(lanes=True)
def resist_one(k, c, g, dh, column_out):
    """Begin with the joint's own efforts: `y = -k δq - c δv + g δh`."""
    for l in range(LANES):
        column_out.x[Y, l] = g * dh[l] - k * column_out.x[Q, l] - c * column_out.x[V, l]


@kernel(lanes=True)
def subtract(k, table, column, column_out):
    """`y -= k δq` or another table of a coordinate of the same joint, which a spring or stop couples with this one."""
    for l in range(LANES):
        column_out.x[Y, l] -= k * column.x[table, l]


@kernel(lanes=True)
def subtract_times(k, dh, column_out):
    """`y -= k δh`."""
    for l in range(LANES):
        column_out.x[Y, l] -= k * dh[l]


@kernel(lanes=True)
def clear(column_out):
    """Begin with no effort."""
    for l in range(LANES):
        column_out.x[Y, l] = 0.0


# --- joints of three coordinates that act at once: ball, free (twice), translational ----------------------------------


@kernel(lanes=True)
def spread_three(t, above, path_out, load_out, columns_out):
    """As `spread_one`, for three coordinates, with each other's alpha and beta."""
    r, s, t = t[0], t[1], t[2]
    one, two, three = columns_out[0], columns_out[1], columns_out[2]
    for l in range(LANES):
        A_w, A_v, B = get(above.x, 0, l), get(above.x, 3, l), get(above.x, 6, l)
        A_w, A_v, B = path_terms(r, one.x[Q, l], one.x[U, l], A_w, A_v, B)
        A_w, A_v, B = path_terms(s, two.x[Q, l], two.x[U, l], A_w, A_v, B)
        A_w, A_v, B = path_terms(t, three.x[Q, l], three.x[U, l], A_w, A_v, B)
        put(0, l, A_w, path_out.x)
        put(3, l, A_v, path_out.x)
        put(6, l, B, path_out.x)
        one.x[Y, l] = subtract_path_terms(r, one.x[Y, l], A_w, A_v, B)
        two.x[Y, l] = subtract_path_terms(s, two.x[Y, l], A_w, A_v, B)
        three.x[Y, l] = subtract_path_terms(t, three.x[Y, l], A_w, A_v, B)
        put(0, l, (0.0, 0.0, 0.0), load_out.x)
        put(3, l, (0.0, 0.0, 0.0), load_out.x)


@kernel(lanes=True)
def gather_three(t, f, keep, load, columns_out, into_out):
    """As `gather_one`: the efforts first, the last coordinate's before the others', then what remains."""
    one, two, three = columns_out[0], columns_out[1], columns_out[2]
    for l in range(LANES):
        z, Z_m, Z_f = eliminate(f[2], three.x[Y, l], get(load.x, 0, l), get(load.x, 3, l))
        y, Z_m, Z_f = eliminate(f[1], two.x[Y, l], Z_m, Z_f)
        x, Z_m, Z_f = eliminate(f[0], one.x[Y, l], Z_m, Z_f)
        one.x[Y, l], two.x[Y, l], three.x[Y, l] = x, y, z
        Z_m, Z_f = add_motion_terms(t[0], one.x[Q, l], one.x[U, l], Z_m, Z_f)
        Z_m, Z_f = add_motion_terms(t[1], two.x[Q, l], two.x[U, l], Z_m, Z_f)
        Z_m, Z_f = add_motion_terms(t[2], three.x[Q, l], three.x[U, l], Z_m, Z_f)
        put(0, l, vec3.add_scaled(Z_m, keep, get(into_out.x, 0, l)), into_out.x)
        put(3, l, vec3.add_scaled(Z_f, keep, get(into_out.x, 3, l)), into_out.x)


@kernel(lanes=True)
def mix_three(L, columns_out):
    """`y <- L y`: between body axes and those that a ball at its stops was eliminated along."""
    for l in range(LANES):
        set_three(Y, 0, l, mat3.transform(L, three_of(columns_out, Y, 0, l)), columns_out)


@kernel(lanes=True)
def turn_moment(K, columns, into_out):
    """`into += K δq`: the force through a free joint, seen from where it has slid to, by its last three coordinates."""
    for l in range(LANES):
        put(0, l, vec3.add(get(into_out.x, 0, l), mat3.transform(K, three_of(columns, Q, 3, l))), into_out.x)


@kernel(lanes=True)
def advance_ball(a, turning, span, dh, columns_out):
    """`w+ = w + h_v wdot`, `R+ = R exp(h w+)`, varied: `δq+ = E δq + Jr (h δw+ + w+ δh)`.

    `turning` has w+, E the step turned back, `exp(-h w+)`, and J the right Jacobian `Jr(h w+)` (docs/theory/editing.md,
    section 1.3).
    """
    w, E, J = turning.w, turning.E, turning.J
    h, h_v, rate = span.h, span.h_v, velocity_step_rate(span)
    for l in range(LANES):
        da_w = three_of(columns_out, Y, 0, l)
        x = add_two(three_of(columns_out, V, 0, l), h_v, da_w, rate * dh[l], a)
        set_three(V, 0, l, x, columns_out)
        set_three(U, 0, l, add_two(x, 0.5 * h, da_w, 0.5 * dh[l], a), columns_out)
        y = mat3.transform(J, add_two((0.0, 0.0, 0.0), h, x, dh[l], w))
        set_three(Q, 0, l, vec3.add(mat3.transform(E, three_of(columns_out, Q, 0, l)), y), columns_out)


@kernel(lanes=True)
def advance_free(a, b, turning, sliding, span, dh, columns_out):
    """A step of a free joint, `free.advance`, varied. Its linear velocity is advanced along world axes.

    With `m = v + h_v (vdot + u_w x u_v)` along the old body axes, `v+ = E m`, and a change (θ, d) of the pose:
    `μ = δm + θ x m`, `θ+ = E θ + Jr (h δw+ + w+ δh)`, `δv+ = E μ - θ+ x v+`, `d+ = E (d + h μ + m δh)`. `a` and `b` are
    the angular and linear acceleration. G gets what is missing of the velocity now, `g = h/2 E (vdot + u_w x u_v)`.
    """
    w, E, J = turning.w, turning.E, turning.J
    m, v, u_w, u_v = sliding.m, sliding.v, sliding.u_w, sliding.u_v
    h, h_v, h_v_change = span.h, span.h_v, velocity_step_rate(span)
    rate = vec3.add(b, vec3.cross(u_w, u_v))
    late = mat3.transform(E, rate)
    for l in range(LANES):
        s = h_v_change * dh[l]
        da_w, da_v = three_of(columns_out, Y, 0, l), three_of(columns_out, Y, 3, l)
        x = add_two(three_of(columns_out, V, 0, l), h_v, da_w, s, a)
        turned = vec3.add(
            vec3.cross(three_of(columns_out, U, 0, l), u_v), vec3.cross(u_w, three_of(columns_out, U, 3, l))
        )
        y = add_two(three_of(columns_out, V, 3, l), h_v, vec3.add(da_v, turned), s, rate)
        turn, slide = three_of(columns_out, Q, 0, l), three_of(columns_out, Q, 3, l)
        z = mat3.transform(E, vec3.add(vec3.add(da_v, turned), vec3.cross(turn, rate)))
        y = vec3.add(y, vec3.cross(turn, m))
        slide = mat3.transform(E, vec3.add(slide, add_two((0.0, 0.0, 0.0), h, y, dh[l], m)))
        turn = mat3.transform(E, turn)
        turn = vec3.add(turn, mat3.transform(J, add_two((0.0, 0.0, 0.0), h, x, dh[l], w)))
        z = vec3.subtract(z, vec3.cross(turn, late))
        set_three(G, 3, l, add_two((0.0, 0.0, 0.0), 0.5 * h, z, 0.5 * dh[l], late), columns_out)
        y = vec3.subtract(mat3.transform(E, y), vec3.cross(turn, v))
        set_three(Q, 0, l, turn, columns_out)
        set_three(Q, 3, l, slide, columns_out)
        set_three(V, 0, l, x, columns_out)
        set_three(V, 3, l, y, columns_out)
        set_three(U, 0, l, add_two(x, 0.5 * h, da_w, 0.5 * dh[l], a), columns_out)
        set_three(U, 3, l, add_two(y, 0.5 * h, da_v, 0.5 * dh[l], b), columns_out)
