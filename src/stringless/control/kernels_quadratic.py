"""A small convex quadratic program, solved exactly: the dual active-set method of Goldfarb and Idnani (1983).

    min ½ wᵀ H w - cᵀ w   with   lower <= G (x + N w) <= upper

H is positive definite. The method starts at the optimum without bounds and takes in one violated bound after the other,
so that a problem whose bounds do not matter costs one factorisation. Bounds that are guessed to be active are taken in
first, all at once; those that pull the wrong way are let go again, so that a guess changes nothing but the time it takes.
Everything lives in arrays that are handed in. With `H = L Lᵀ`, J has the rows of `Q L⁻¹` and R is triangular: both are
turned along (Q) when bounds come and go, so that `J n` of the active bounds' normals n stays `R` above zeros.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.control.kernels_linear import dot, factor, inverse_factor, solve_factored
from stringless.jit import kernel

SLACK = 1e-10
"""A bound counts as kept within this share of its size."""
SOLVED, INFEASIBLE, UNFINISHED = 0, 1, 2

BOUND_ROW = np.dtype(
    [
        ("lower", np.float64),
        ("upper", np.float64),
        ("kind", np.int64),  # what the bound is for, see `control.bounds`
        ("dropped", np.int64),  # 1: left out, because not all could be kept
        ("limit", np.int64),  # of a joint limit: its row in the model's table
    ],
    align=True,
)


@kernel
def most_violated(p, n, G, bounds, x):
    """The bound that is missed by most, relative to its size: its index (-1: none is missed), the side (1: upper)."""
    worst, index, side = SLACK, -1, 1.0
    for i in range(p):
        if bounds[i].dropped == 1:
            continue
        value = dot(n, G[i], x)
        # A bound at infinity is never missed: its size is infinite too.
        upper, lower = bounds[i].upper, bounds[i].lower
        if value - upper > worst * (1.0 + abs(upper)):
            worst, index, side = (value - upper) / (1.0 + abs(upper)), i, 1.0
        if lower - value > worst * (1.0 + abs(lower)):
            worst, index, side = (lower - value) / (1.0 + abs(lower)), i, -1.0
    return index, side


@kernel(inline=True)
def rotate(r, j, c, s, J_out):
    """Turn rows j and j+1 of J."""
    for i in range(r):
        a, b = J_out[j, i], J_out[j + 1, i]
        J_out[j, i] = c * a + s * b
        J_out[j + 1, i] = -s * a + c * b


@kernel(inline=True)
def go(n, first, N, x, w, x_out):
    """`x + N w`, N being the columns from `first` on."""
    for i in range(n):
        x_out[i] = x[i] + dot(n - first, N[i, first:], w)


@kernel(inline=True)
def inward(n, first, index, side, G, N, normal_out):
    """A bound as `normal · w >= edge`: the row of G as w feels it, pointing inward."""
    for j in range(n - first):
        normal_out[j] = 0.0
    for i in range(n):
        g = -side * G[index, i]
        if g != 0.0:
            for j in range(n - first):
                normal_out[j] += g * N[i, first + j]


@kernel(inline=True)
def turned(r, normal, J, d_out):
    """`d = J n`."""
    for j in range(r):
        d_out[j] = dot(r, J[j], normal)


@kernel
def take_in(r, q, d_work, sum_work, J_out, R_out):
    """Add the bound with `d = J n` as number q: a reflection makes d zero beyond its first q + 1 entries."""
    if q < r - 1:
        size = math.sqrt(dot(r - q, d_work[q:], d_work[q:]))
        end = -math.copysign(size, d_work[q])
        d_work[q] -= end
        half = -end * d_work[q]
        for i in range(r):
            sum_work[i] = 0.0
        for j in range(q, r):
            for i in range(r):
                sum_work[i] += d_work[j] * J_out[j, i]
        for j in range(q, r):
            share = d_work[j] / half
            for i in range(r):
                J_out[j, i] -= share * sum_work[i]
        d_work[q] = end
    for i in range(q + 1):
        R_out[i, q] = d_work[i]


@kernel
def leave_out(r, q, k, active_out, u_out, J_out, R_out):
    """Remove active bound number k of q; R becomes triangular again."""
    for j in range(k, q - 1):
        active_out[j, 0], active_out[j, 1] = active_out[j + 1, 0], active_out[j + 1, 1]
        u_out[j] = u_out[j + 1]
        for i in range(q):
            R_out[i, j] = R_out[i, j + 1]
    u_out[q - 1] = u_out[q]
    for j in range(k, q - 1):
        a, b = R_out[j, j], R_out[j + 1, j]
        size = math.hypot(a, b)
        if size > 0.0:
            c, s = a / size, b / size
            for i in range(j, q - 1):
                a, b = R_out[j, i], R_out[j + 1, i]
                R_out[j, i] = c * a + s * b
                R_out[j + 1, i] = -s * a + c * b
            rotate(r, j, c, s, J_out)


@kernel(inline=True)
def multipliers(q, R, missing, y_out, u_out):
    """`Rᵀ R u = missing`, by way of `y = R u`; returns the number of the most negative one, -1 if there is none."""
    for i in range(q):
        t = missing[i]
        for k in range(i):
            t -= R[k, i] * y_out[k]
        y_out[i] = t / R[i, i]
    worst, index = 0.0, -1
    for k in range(q):
        i = q - 1 - k
        t = y_out[i]
        for j in range(i + 1, q):
            t -= R[i, j] * u_out[j]
        u_out[i] = t / R[i, i]
        if u_out[i] < worst:
            worst, index = u_out[i], i
    return index


@kernel
def begin_with(n, first, p, guessed, G, bounds, N, x, vector_work, active_out, J_out, R_out, w_out):
    """Take in guessed bounds at once, and let those go that pull the wrong way; returns how many stay.

    `x` is where w, the optimum without bounds, leads; w becomes the optimum with these bounds alone.
    """
    r = n - first
    d, z, y, u, normal, missing = (
        vector_work[0], vector_work[1], vector_work[2], vector_work[3], vector_work[4], vector_work[5],
    )  # fmt: skip
    q = r - r
    for g in range(guessed):
        index, side = active_out[g, 0], active_out[g, 1]
        if q == r or index >= p or bounds[index].dropped == 1:
            continue
        edge = bounds[index].upper if side > 0 else -bounds[index].lower
        if not abs(edge) < np.inf:
            continue
        inward(n, first, index, float(side), G, N, normal)
        turned(r, normal, J_out, d)
        # Bounds that say the same as those before them are no help to begin with.
        if dot(r - q, d[q:], d[q:]) > 1e-10 * dot(r, d, d):
            take_in(r, q, d, z, J_out, R_out)
            missing[q] = side * dot(n, G[index], x) - edge
            active_out[q, 0], active_out[q, 1] = index, side
            q += 1
    while q > 0:
        wrong = multipliers(q, R_out, missing, y, u)
        if wrong < 0:
            break
        leave_out(r, q, wrong, active_out, u, J_out, R_out)
        for j in range(wrong, q - 1):
            missing[j] = missing[j + 1]
        q -= 1
    for j in range(q):
        for i in range(r):
            w_out[i] += y[j] * J_out[j, i]
    return q


@kernel(inline=True)
def slopes(q, R, d, s_out):
    """How fast the multipliers of the active bounds fall as a bound with `d = J n` is approached: `R s = d`."""
    for k in range(q):
        i = q - 1 - k
        t = d[i]
        for j in range(i + 1, q):
            t -= R[i, j] * s_out[j]
        s_out[i] = t / R[i, i]


@kernel(inline=True)
def first_to_go(q, s, u):
    """The active bound whose multiplier is the first to fall to zero, and when."""
    when, which = np.inf, -1
    for j in range(q):
        if s[j] > 0.0 and u[j] / s[j] < when:
            when, which = u[j] / s[j], j
    return when, which


@kernel
def approach(r, q, index, side, missing, normal, vector_work, active_out, u_out, J_out, R_out, w_out):
    """Move until a bound is kept, letting go of active bounds that stand in the way.

    Returns the number of active bounds, and whether the bound could be reached at all.
    """
    d, z, s = vector_work[0], vector_work[1], vector_work[2]
    while True:
        turned(r, normal, J_out, d)
        slopes(q, R_out, d, s)
        t1, blocking = first_to_go(q, s, u_out)
        gain = dot(r - q, d[q:], d[q:])
        free = gain > 1e-14 * max(dot(r, d, d), 1e-300)
        t2 = missing / gain if free else np.inf
        t = min(t1, t2)
        if t == np.inf:
            return q, False
        for j in range(q):
            u_out[j] -= t * s[j]
        u_out[q] += t
        if free:
            for i in range(r):
                z[i] = 0.0
            for j in range(q, r):
                for i in range(r):
                    z[i] += d[j] * J_out[j, i]
            for i in range(r):
                w_out[i] += t * z[i]
            missing -= t * gain
        if t == t2:
            take_in(r, q, d, z, J_out, R_out)
            active_out[q, 0], active_out[q, 1] = index, 1 if side > 0.0 else -1
            return q + 1, True
        leave_out(r, q, blocking, active_out, u_out, J_out, R_out)
        q -= 1


@kernel
def solve_bounded(n, first, p, G, bounds, N, x0, guessed, work, vector_work, active_work, w_out, x_out):
    """Solve the program, N being the columns of a matrix with n of them from number `first` on.

    On entry `work[0]` holds H and `w_out` holds c; `x0` is where w = 0 leads. The first `guessed` rows of `active_work`
    are bounds, with the side 1 or -1, that may be active.

    Returns a code and the number of active bounds; `x_out` gets `x0 + N w`. What the method found so far is returned even
    if the bounds contradict each other.
    """
    r = n - first
    H, J, R = work[0], work[1], work[2]
    u, normal = vector_work[3], vector_work[4]
    if not factor(r, H):
        for i in range(n):
            x_out[i] = x0[i]
        return UNFINISHED, 0
    solve_factored(r, H, w_out)
    code = UNFINISHED
    q = r - r  # numba would compile for the literal 0 and once more for what it becomes
    if guessed > 0:
        inverse_factor(r, H, J)
        go(n, first, N, x0, w_out, x_out)
        q = begin_with(n, first, p, guessed, G, bounds, N, x_out, vector_work, active_work, J, R, w_out)
    for turn in range(4 * (p + r) + 8):
        go(n, first, N, x0, w_out, x_out)
        index, side = most_violated(p, n, G, bounds, x_out)
        if index < 0:
            return SOLVED, q
        if turn == 0 and guessed == 0:
            inverse_factor(r, H, J)
        inward(n, first, index, side, G, N, normal)
        edge = bounds[index].upper if side > 0.0 else -bounds[index].lower
        missing = side * dot(n, G[index], x_out) - edge
        u[q] = 0.0
        q, reached = approach(r, q, index, side, missing, normal, vector_work, active_work, u, J, R, w_out)
        if not reached:
            code = INFEASIBLE
            break
    go(n, first, N, x0, w_out, x_out)
    return code, q
