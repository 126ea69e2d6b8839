"""Goals in levels: each level is met as well as it can be without disturbing those above it.

Kim & Pollard 2008, section 3.1, for any number of levels and with bounds on every level. The command is `x = x0 + N w`:
x0 is what the levels above have settled, the columns of N are all changes they do not feel, orthonormal in the norm of
the style. A level with rows `A x = b` is met in the sense of the singularity-robust inverse,

    min |A N w - (b - A x0)|² + alpha |w|²   within the bounds,

and then N loses the directions that its rows feel.
"""

from __future__ import annotations

from stringless.control.linear import dot, largest_square, split
from stringless.control.quadratic import SOLVED, most_violated, solve_bounded
from stringless.jit import kernel

ROBUST = 0.05
"""Damping of the robust inverse as a share of a level's largest singular value."""
BLIND = 1e-18
"""Squared size of a row, relative to what it could be, below which it is nothing but rounding."""


@kernel
def normal_equations(m, n, used, A, b, x, N, fixed_alpha, F_work, vector_work, H_out, c_out):
    """`F = A N`, `H = Fᵀ F + alpha 1`, `c = Fᵀ (b - A x)` over the columns of N that are left; whether F feels them.

    The damping is a share of what the rows could feel of all columns: what a level above has left of them may be next to
    nothing, and must not be amplified.
    """
    for i in range(m):
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += A[i, k] * N[k, j]
            F_work[i, j] = s
    largest = largest_square(m, n, F_work, vector_work)
    alpha = ROBUST * ROBUST * largest
    if fixed_alpha > 0.0 or m == 0:
        alpha = max(fixed_alpha, 1.0)
    r = n - used
    for j in range(r):
        c_out[j] = 0.0
        for k in range(j + 1):
            H_out[j, k] = 0.0
        H_out[j, j] = alpha
    for i in range(m):
        e = b[i] - dot(n, A[i], x)
        for j in range(r):
            c_out[j] += F_work[i, used + j] * e
            for k in range(j + 1):
                H_out[j, k] += F_work[i, used + j] * F_work[i, used + k]
    return largest > 0.0


@kernel(inline=True)
def give_up(p, dropped, bounds_work):
    """Drop the next kind of bounds, the most dispensable first; returns it as a bit, 0 if nothing is left to drop."""
    for k in range(3):
        kind = 3 - k
        if dropped & (1 << kind) == 0:
            for i in range(p):
                if bounds_work[i].kind == kind:
                    bounds_work[i].dropped = 1
            return 1 << kind
    return 0


@kernel
def solve_levels(
    n, levels, b, scale, p, G, fixed_alpha, A_work, bounds_work, work, vector_work, active_work, N_out, x_out
):
    """Meet all levels in turn.

    `levels[k]` is the end of level k's rows in A; `x_out` holds the style's own optimum and `N_out` (n by n) a basis
    orthonormal in its norm. `scale` says how large each row could be. Returns the kinds of bounds that had to be
    dropped, as bits.
    """
    w, x0 = vector_work[6], vector_work[7]
    used = n - n  # columns of N that levels above have settled; not the literal 0, see `solve_bounded`
    dropped = 0
    start = 0
    for level in range(levels.shape[0] + 1):
        # Before the first level: the style alone, within the bounds.
        end = levels[level - 1] if level > 0 else 0
        m = end - start
        if level > 0 and m == 0:
            continue
        if level == 0 and most_violated(p, n, G, bounds_work, x_out)[0] < 0:
            continue
        for i in range(start, end):
            # Rows that hardly feel any command are noise: nothing can be done about them.
            if dot(n, A_work[i], A_work[i]) <= BLIND * scale[i] * scale[i]:
                for j in range(n):
                    A_work[i, j] = 0.0
        for i in range(n):
            x0[i] = x_out[i]
        seen = True
        while True:
            seen = normal_equations(
                m, n, used, A_work[start:end], b[start:end], x0, N_out, fixed_alpha, work[4], vector_work[8], work[0], w
            )
            if m > 0 and not seen:
                break
            code, _ = solve_bounded(
                n, n - used, p, G, bounds_work, N_out[:, used:], x0, work, vector_work, active_work, w, x_out
            )
            if code == SOLVED:
                break
            bit = give_up(p, dropped, bounds_work)
            if bit == 0:
                break
            dropped |= bit
        if seen and m > 0:
            used += split(m, n - used, n, work[4][:, used:], work[5], N_out[:, used:])
        start = end
        if used == n:
            break
    return dropped
