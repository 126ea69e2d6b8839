"""Constraints of joints: how far they are open, and the rows that close them (docs/theory/stiff.md, section 4).

Every constraint is a number that is zero when the joint is whole, seen from the joint's place in the parent. So its rate is
a row times the relative twist of `pairs`, for any gap: the rows are the exact derivatives.
"""

from __future__ import annotations

import math

from stringless.engines.stiff.kernels_contacts import tangents
from stringless.engines.stiff.reference.kernels_pairs import column
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

FIXED, REVOLUTE, PRISMATIC, UNIVERSAL = registry.FIXED, registry.REVOLUTE, registry.PRISMATIC, registry.UNIVERSAL
BALL, PLANAR, TRANSLATIONAL = registry.BALL, registry.PLANAR, registry.TRANSLATIONAL
ZERO = (0.0, 0.0, 0.0)


@kernel(inline=True)
def put_row(w, v, value, pair_out):
    """Append one constraint."""
    n = pair_out.rows
    vec3.store(pair_out.row, 6 * n, w)
    vec3.store(pair_out.row, 6 * n + 3, v)
    pair_out.value[n] = value
    pair_out.rows = n + 1


@kernel(inline=True)
def hold_all_turns(R, R_J, pair_out):
    """No turn at all: the rotation vector x of the relative turn is zero; its rate is `Jl⁻¹(x) w`."""
    x = rotation.log_quaternion(rotation.to_quaternion(mat3.multiply(R, mat3.transpose(R_J))))
    for k in range(3):
        t = column(R_J, k)
        # t · Jl⁻¹(x) w = (Jl⁻ᵀ(x) t) · w, and Jl⁻ᵀ is Jr⁻¹.
        put_row(rotation.right_jacobian_inverse(x, t), ZERO, vec3.dot(t, x), pair_out)


@kernel(inline=True)
def hold_axis(a, R, R_J, pair_out):
    """Turns about one axis only: the body's axis `R a` is normal to two normals t of the joint's; `t · (w x R a)`."""
    b, c = tangents(a)
    moved = mat3.transform(R, a)
    t = mat3.transform(R_J, b)
    put_row(vec3.cross(moved, t), ZERO, vec3.dot(t, moved), pair_out)
    t = mat3.transform(R_J, c)
    put_row(vec3.cross(moved, t), ZERO, vec3.dot(t, moved), pair_out)


@kernel(inline=True)
def hold_angle(a, b, R, R_J, pair_out):
    """Of a universal joint: the angle between its two axes stays, by its cosine over its sine."""
    cosine = vec3.dot(a, b)
    s = 1.0 / math.sqrt(1.0 - cosine * cosine)
    one, two = mat3.transform(R_J, a), mat3.transform(R, b)
    put_row(vec3.scale(s, vec3.cross(two, one)), ZERO, s * (vec3.dot(one, two) - cosine), pair_out)


@kernel
def set_rows(tree, i, pair_work):
    """All constraints of the joint of body i: `rows` of them, 6 less its coordinates."""
    row, pair = tree[i], pair_work[i]
    R, R_J, d = mat3.load(pair.R, 0), mat3.load(pair.R_J, 0), vec3.load(pair.d, 0)
    pair.rows = 0
    kind = row.kind
    if kind in (FIXED, PRISMATIC, TRANSLATIONAL):
        hold_all_turns(R, R_J, pair)
    elif kind in (REVOLUTE, PLANAR):
        hold_axis(vec3.load(row.axes, 0) if kind == REVOLUTE else (0.0, 0.0, 1.0), R, R_J, pair)
    elif kind == UNIVERSAL:
        hold_angle(vec3.load(row.axes, 0), vec3.load(row.axes, 3), R, R_J, pair)
    pair.turn_rows = pair.rows
    if kind in (FIXED, REVOLUTE, UNIVERSAL, BALL):
        for k in range(3):
            t = column(R_J, k)
            put_row(ZERO, t, vec3.dot(t, d), pair)
    elif kind == PRISMATIC:
        b, c = tangents(vec3.load(row.axes, 0))
        b, c = mat3.transform(R_J, b), mat3.transform(R_J, c)
        put_row(ZERO, b, vec3.dot(b, d), pair)
        put_row(ZERO, c, vec3.dot(c, d), pair)
    elif kind == PLANAR:
        t = column(R_J, 2)
        put_row(ZERO, t, vec3.dot(t, d), pair)


@kernel(inline=True)
def opening(tree, i, pair):
    """How far the joint of body i is open: gap [m] and misalignment [rad]."""
    row = tree[i]
    turn, gap = 0.0, 0.0
    for n in range(pair.rows):
        if n < pair.turn_rows:
            turn += pair.value[n] * pair.value[n]
        else:
            gap += pair.value[n] * pair.value[n]
    turn = math.sqrt(turn)
    if row.kind == REVOLUTE or row.kind == PLANAR:
        # The values are components of the axis, of length sin; an axis may even point the other way.
        a = vec3.load(row.axes, 0) if row.kind == REVOLUTE else (0.0, 0.0, 1.0)
        cosine = vec3.dot(mat3.transform(mat3.load(pair.R, 0), a), mat3.transform(mat3.load(pair.R_J, 0), a))
        turn = math.atan2(turn, cosine)
    return math.sqrt(gap), turn
