"""A small convex quadratic program, solved exactly: the dual active-set method of Goldfarb and Idnani (1983).

    min ½ wᵀ H w - cᵀ w   with   lower <= G (x + N w) <= upper

H is positive definite. The method starts at the optimum without bounds and takes in one violated bound after the other,
so that a problem whose bounds do not matter costs one factorisation. Everything lives in arrays that are handed in.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.control.linear import dot, factor, inverse_transposed, solve_factored
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
    """Turn columns j and j+1 of J."""
    for i in range(r):
        a, b = J_out[i, j], J_out[i, j + 1]
        J_out[i, j] = c * a + s * b
        J_out[i, j + 1] = -s * a + c * b


@kernel(inline=True)
def go(n, first, N, x, w, x_out):
    """`x + N w`, N being the columns from `first` on."""
    for i in range(n):
        s = x[i]
        for j in range(n - first):
            s += N[i, first + j] * w[j]
        x_out[i] = s


@kernel
def take_in(r, q, d_work, J_out, R_out):
    """Add the bound with `d = Jᵀ n` as number q: Givens rotations make d zero beyond its first q + 1 entries."""
    for k in range(r - 1 - q):
        j = r - 2 - k
        a, b = d_work[j], d_work[j + 1]
        size = math.hypot(a, b)
        if size > 0.0:
            c, s = a / size, b / size
            d_work[j], d_work[j + 1] = size, 0.0
            rotate(r, j, c, s, J_out)
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


@kernel
def solve_bounded(n, first, p, G, bounds, N, x0, work, vector_work, active_work, w_out, x_out):
    """Solve the program, N being the columns of a matrix with n of them from number `first` on.

    On entry `work[0]` holds H and `w_out` holds c; `x0` is where w = 0 leads.

    Returns a code and the number of active bounds; `x_out` gets `x0 + N w`. What the method found so far is returned even
    if the bounds contradict each other.
    """
    r = n - first
    H, J, R = work[0], work[1], work[2]
    d, z, s, u, normal = vector_work[0], vector_work[1], vector_work[2], vector_work[3], vector_work[4]
    if not factor(r, H):
        for i in range(n):
            x_out[i] = x0[i]
        return UNFINISHED, 0
    solve_factored(r, H, w_out)
    q = r - r  # numba would compile for the literal 0 and once more for what it becomes
    code = UNFINISHED
    for turn in range(4 * (p + r) + 8):
        go(n, first, N, x0, w_out, x_out)
        index, side = most_violated(p, n, G, bounds, x_out)
        if index < 0:
            return SOLVED, q
        if turn == 0:
            inverse_transposed(r, H, J)
        # The bound as `normal · w >= b`.
        for j in range(r):
            t = 0.0
            for i in range(n):
                t += G[index, i] * N[i, first + j]
            normal[j] = -side * t
        edge = bounds[index].upper if side > 0.0 else -bounds[index].lower
        missing = side * dot(n, G[index], x_out) - edge
        u[q] = 0.0
        stuck = False
        while True:
            for j in range(r):
                t = 0.0
                for i in range(r):
                    t += J[i, j] * normal[i]
                d[j] = t
            # Step direction in w, and how the multipliers of the active bounds change with it.
            for i in range(r):
                t = 0.0
                for j in range(q, r):
                    t += J[i, j] * d[j]
                z[i] = t
            for k in range(q):
                i = q - 1 - k
                t = d[i]
                for j in range(i + 1, q):
                    t -= R[i, j] * s[j]
                s[i] = t / R[i, i]
            t1 = np.inf
            blocking = -1
            for j in range(q):
                if s[j] > 0.0 and u[j] / s[j] < t1:
                    t1 = u[j] / s[j]
                    blocking = j
            gain = 0.0
            for j in range(q, r):
                gain += d[j] * d[j]
            free = gain > 1e-14 * max(dot(r, d, d), 1e-300)
            t2 = missing / gain if free else np.inf
            t = min(t1, t2)
            if t == np.inf:
                stuck = True
                break
            for j in range(q):
                u[j] -= t * s[j]
            u[q] += t
            if free:
                for i in range(r):
                    w_out[i] += t * z[i]
                missing -= t * gain
            if t == t2:
                take_in(r, q, d, J, R)
                active_work[q, 0], active_work[q, 1] = index, 1 if side > 0.0 else -1
                q += 1
                break
            leave_out(r, q, blocking, active_work, u, J, R)
            q -= 1
        if stuck:
            code = INFEASIBLE
            break
    go(n, first, N, x0, w_out, x_out)
    return code, q
