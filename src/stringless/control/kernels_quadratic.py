"""A small convex quadratic program, solved exactly: the dual active-set method of Goldfarb and Idnani (1983).

    min ½ wᵀ H w - cᵀ w   with   lower <= G (x + N w) <= upper

H is positive definite. The method starts at the optimum without bounds and takes in one violated bound after the other,
so that a problem whose bounds do not matter costs one factorisation. Bounds that are guessed to be active are taken in
first, all at once; those that pull the wrong way are let go again, so that a guess changes nothing but the time it takes.
Everything lives in `SolverWork` that is handed in. With `H = L Lᵀ`, J has the rows of `Q L⁻¹` and R is triangular: both are
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
        ("kind", np.int64),  # what the bound is for, see `kernels_bounds`
        ("dropped", np.int64),  # 1: left out, because not all could be kept
        ("limit", np.int64),  # of a joint limit: its row in the model's table
    ],
    align=True,
)


@kernel
def find_most_violated(n, bounds, x):
    """The bound that is missed by most, relative to its size: its index (-1: none is missed), the side (1: upper)."""
    worst, index, side = SLACK, -1, 1.0
    for i in range(bounds.size):
        if bounds.rows[i].dropped == 1:
            continue
        value = dot(n, bounds.G[i], x)
        # A bound at infinity is never missed: its size is infinite too.
        upper, lower = bounds.rows[i].upper, bounds.rows[i].lower
        if value - upper > worst * (1.0 + abs(upper)):
            worst, index, side = (value - upper) / (1.0 + abs(upper)), i, 1.0
        if lower - value > worst * (1.0 + abs(lower)):
            worst, index, side = (lower - value) / (1.0 + abs(lower)), i, -1.0
    return index, side


@kernel(inline=True)
def rotate_rows(r, j, c, s, J_out):
    """Turn rows j and j+1 of J."""
    for i in range(r):
        a, b = J_out[j, i], J_out[j + 1, i]
        J_out[j, i] = c * a + s * b
        J_out[j + 1, i] = -s * a + c * b


@kernel(inline=True)
def add_change(n, first, solver, x, x_out):
    """`x + N w`, N being the columns from `first` on."""
    for i in range(n):
        x_out[i] = x[i] + dot(n - first, solver.N[i, first:], solver.w)


@kernel(inline=True)
def project_normal(n, first, index, side, G, solver_work):
    """A bound as `normal · w >= edge`: the row of G for w, pointing inward."""
    normal, N = solver_work.normal, solver_work.N
    for j in range(n - first):
        normal[j] = 0.0
    for i in range(n):
        g = -side * G[index, i]
        if g != 0.0:
            for j in range(n - first):
                normal[j] += g * N[i, first + j]


@kernel(inline=True)
def turn_normal(r, solver_work):
    """`d = J n`."""
    for j in range(r):
        solver_work.d[j] = dot(r, solver_work.J[j], solver_work.normal)


@kernel
def add_active(r, q, solver_work):
    """Add the bound with `d = J n` as number q: a reflection makes d zero beyond its first q + 1 entries."""
    d, sums, J = solver_work.d, solver_work.z, solver_work.J
    if q < r - 1:
        size = math.sqrt(dot(r - q, d[q:], d[q:]))
        end = -math.copysign(size, d[q])
        d[q] -= end
        half = -end * d[q]
        for i in range(r):
            sums[i] = 0.0
        for j in range(q, r):
            for i in range(r):
                sums[i] += d[j] * J[j, i]
        for j in range(q, r):
            share = d[j] / half
            for i in range(r):
                J[j, i] -= share * sums[i]
        d[q] = end
    for i in range(q + 1):
        solver_work.R[i, q] = d[i]


@kernel
def remove_active(r, q, k, solver_work):
    """Remove active bound number k of q; R becomes triangular again."""
    active, u, R = solver_work.active, solver_work.u, solver_work.R
    for j in range(k, q - 1):
        active[j, 0], active[j, 1] = active[j + 1, 0], active[j + 1, 1]
        u[j] = u[j + 1]
        for i in range(q):
            R[i, j] = R[i, j + 1]
    u[q - 1] = u[q]
    for j in range(k, q - 1):
        a, b = R[j, j], R[j + 1, j]
        size = math.hypot(a, b)
        if size > 0.0:
            c, s = a / size, b / size
            for i in range(j, q - 1):
                a, b = R[j, i], R[j + 1, i]
                R[j, i] = c * a + s * b
                R[j + 1, i] = -s * a + c * b
            rotate_rows(r, j, c, s, solver_work.J)


@kernel(inline=True)
def solve_upper(q, R, right, x_out):
    """`R x = right`, R being triangular."""
    for k in range(q):
        i = q - 1 - k
        t = right[i]
        for j in range(i + 1, q):
            t -= R[i, j] * x_out[j]
        x_out[i] = t / R[i, i]


@kernel(inline=True)
def solve_multipliers(q, solver_work):
    """`Rᵀ R u = missing`, by way of `s = R u`; returns the number of the most negative one, -1 if there is none."""
    R, s, u = solver_work.R, solver_work.s, solver_work.u
    for i in range(q):
        t = solver_work.missing[i]
        for k in range(i):
            t -= R[k, i] * s[k]
        s[i] = t / R[i, i]
    solve_upper(q, R, s, u)
    worst, index = 0.0, -1
    for i in range(q - 1, -1, -1):
        if u[i] < worst:
            worst, index = u[i], i
    return index


@kernel
def add_guesses(n, first, guessed, bounds, x, solver_work):
    """Take in guessed bounds at once, and let those go that pull the wrong way; returns how many stay.

    `x` is where w, the optimum without bounds, leads; w becomes the optimum with these bounds alone.
    """
    r = n - first
    d, s, missing, active, J = solver_work.d, solver_work.s, solver_work.missing, solver_work.active, solver_work.J
    q = r - r
    for g in range(guessed):
        index, side = active[g, 0], active[g, 1]
        if q == r or index >= bounds.size or bounds.rows[index].dropped == 1:
            continue
        edge = bounds.rows[index].upper if side > 0 else -bounds.rows[index].lower
        if not abs(edge) < np.inf:
            continue
        project_normal(n, first, index, float(side), bounds.G, solver_work)
        turn_normal(r, solver_work)
        # Bounds that say the same as those before them are no help to begin with.
        if dot(r - q, d[q:], d[q:]) > 1e-10 * dot(r, d, d):
            add_active(r, q, solver_work)
            missing[q] = side * dot(n, bounds.G[index], x) - edge
            active[q, 0], active[q, 1] = index, side
            q += 1
    while q > 0:
        wrong = solve_multipliers(q, solver_work)
        if wrong < 0:
            break
        remove_active(r, q, wrong, solver_work)
        for j in range(wrong, q - 1):
            missing[j] = missing[j + 1]
        q -= 1
    for j in range(q):
        for i in range(r):
            solver_work.w[i] += s[j] * J[j, i]
    return q


@kernel(inline=True)
def find_blocking(q, s, u):
    """The active bound whose multiplier is the first to fall to zero, and when."""
    when, which = np.inf, -1
    for j in range(q):
        if s[j] > 0.0 and u[j] / s[j] < when:
            when, which = u[j] / s[j], j
    return when, which


@kernel
def approach_bound(r, q, index, side, missing, solver_work):
    """Move until a bound is kept, letting go of active bounds that stand in the way.

    Returns the number of active bounds, and whether the bound could be reached at all.
    """
    d, z, s, u = solver_work.d, solver_work.z, solver_work.s, solver_work.u
    while True:
        turn_normal(r, solver_work)
        # How fast the multipliers of the active bounds fall as this one is approached: `R s = d`.
        solve_upper(q, solver_work.R, d, s)
        t1, blocking = find_blocking(q, s, u)
        gain = dot(r - q, d[q:], d[q:])
        free = gain > 1e-14 * max(dot(r, d, d), 1e-300)
        t2 = missing / gain if free else np.inf
        t = min(t1, t2)
        if t == np.inf:
            return q, False
        for j in range(q):
            u[j] -= t * s[j]
        u[q] += t
        if free:
            for i in range(r):
                z[i] = 0.0
            for j in range(q, r):
                for i in range(r):
                    z[i] += d[j] * solver_work.J[j, i]
            for i in range(r):
                solver_work.w[i] += t * z[i]
            missing -= t * gain
        if t == t2:
            add_active(r, q, solver_work)
            solver_work.active[q, 0], solver_work.active[q, 1] = index, 1 if side > 0.0 else -1
            return q + 1, True
        remove_active(r, q, blocking, solver_work)
        q -= 1


@kernel
def solve_bounded(n, first, guessed, bounds, solver_work, x_out):
    """Solve the program, N being the columns of a matrix with n of them from number `first` on.

    On entry `H` and `w` of the scratch hold H and c; `x0` is where w = 0 leads. The first `guessed` rows of `active` are
    bounds, with the side 1 or -1, that may be active.

    Returns a code and the number of active bounds; `w` holds the optimum and `x_out` gets `x0 + N w`. What the method found
    so far is returned even if the bounds contradict each other.
    """
    r = n - first
    H, x0, w = solver_work.H, solver_work.x0, solver_work.w
    if not factor(r, H):
        for i in range(n):
            x_out[i] = x0[i]
        return UNFINISHED, 0
    solve_factored(r, H, w)
    code = UNFINISHED
    q = r - r  # numba would compile for the literal 0 and once more for what it becomes
    if guessed > 0:
        inverse_factor(r, H, solver_work.J)
        add_change(n, first, solver_work, x0, x_out)
        q = add_guesses(n, first, guessed, bounds, x_out, solver_work)
    for turn in range(4 * (bounds.size + r) + 8):
        add_change(n, first, solver_work, x0, x_out)
        index, side = find_most_violated(n, bounds, x_out)
        if index < 0:
            return SOLVED, q
        if turn == 0 and guessed == 0:
            inverse_factor(r, H, solver_work.J)
        project_normal(n, first, index, side, bounds.G, solver_work)
        edge = bounds.rows[index].upper if side > 0.0 else -bounds.rows[index].lower
        missing = side * dot(n, bounds.G[index], x_out) - edge
        solver_work.u[q] = 0.0
        q, reached = approach_bound(r, q, index, side, missing, solver_work)
        if not reached:
            code = INFEASIBLE
            break
    add_change(n, first, solver_work, x0, x_out)
    return code, q
