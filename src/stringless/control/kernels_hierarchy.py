"""Goals in levels: each level is met as well as it can be without disturbing those above it.

Kim & Pollard 2008, section 3.1, for any number of levels and with bounds on every level. The command is `x = x0 + N w`:
x0 is what the levels above have settled, the columns of N are all changes they do not feel, orthonormal in the norm of
the style. A level with rows `A x = b` is met in the sense of the singularity-robust inverse,

    min |A N w - (b - A x0)|² + alpha |w|²   within the bounds,

and then N loses the directions that its rows feel.
"""

from __future__ import annotations

from stringless.control.kernels_linear import dot, factor, largest_square, solve_factored, split
from stringless.control.kernels_quadratic import SOLVED, go, most_violated, solve_bounded
from stringless.control.tables import HINTED
from stringless.jit import kernel

ROBUST = 0.05
"""Damping of the robust inverse as a share of a level's largest singular value."""
BLIND = 1e-18
"""Squared size of a row, relative to what it could be, below which it is nothing but rounding."""


@kernel
def felt(start, end, n, b, scale, N, x, A_work, F_out, e_out):
    """Rows `F = A N` and `e = b - A x` of a level, without those that are nothing but rounding; returns how many.

    Nothing can be done about such rows: they become zero in A.
    """
    m = start - start
    for i in range(start, end):
        if dot(n, A_work[i], A_work[i]) <= BLIND * scale[i] * scale[i]:
            for j in range(n):
                A_work[i, j] = 0.0
            continue
        e = b[i]
        for j in range(n):
            F_out[m, j] = 0.0
        for k in range(n):
            a = A_work[i, k]
            if a != 0.0:
                e -= a * x[k]
                for j in range(n):
                    F_out[m, j] += a * N[k, j]
        e_out[m] = e
        m += 1
    return m


@kernel
def few_rows(m, n, first, alpha, F, e, K_work, y_work, w_out):
    """The optimum without bounds where rows are fewer than columns: `w = Fᵀ (F Fᵀ + alpha 1)⁻¹ e`."""
    for i in range(m):
        y_work[i] = e[i]
        for k in range(i + 1):
            K_work[i, k] = dot(n - first, F[i, first:], F[k, first:])
        K_work[i, i] += alpha
    factor(m, K_work)
    solve_factored(m, K_work, y_work)
    for j in range(n - first):
        w_out[j] = 0.0
    for i in range(m):
        for j in range(n - first):
            w_out[j] += y_work[i] * F[i, first + j]


@kernel
def normal_equations(m, n, first, alpha, F, e, H_out, c_out):
    """`H = Fᵀ F + alpha 1`, `c = Fᵀ e` over the columns from `first` on."""
    for j in range(n - first):
        c_out[j] = 0.0
        for k in range(j):
            H_out[j, k] = 0.0
        H_out[j, j] = alpha
    for i in range(m):
        for j in range(n - first):
            f = F[i, first + j]
            c_out[j] += f * e[i]
            for k in range(j + 1):
                H_out[j, k] += f * F[i, first + k]


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


@kernel(inline=True)
def recall(p, level, found, hints, active_out):
    """Bounds to begin a level with: those that were active on it last time, else the `found` ones of the level above."""
    count = found
    if (level + 1) * HINTED <= hints.shape[0]:
        first = level * HINTED
        listed = found - found
        for i in range(min(p, HINTED)):
            if hints[first + i] != 0 and listed + 1 < active_out.shape[0]:
                active_out[listed, 0], active_out[listed, 1] = i, hints[first + i]
                listed += 1
        count = listed if listed > 0 else found
    return count


@kernel(inline=True)
def remember(level, found, active, hints_out):
    """Note which bounds are active on a level, for the next time."""
    if (level + 1) * HINTED <= hints_out.shape[0]:
        first = level * HINTED
        for i in range(HINTED):
            hints_out[first + i] = 0
        for k in range(found):
            if active[k, 0] < HINTED:
                hints_out[first + active[k, 0]] = active[k, 1]


@kernel
def solve_levels(
    n,
    levels,
    b,
    scale,
    p,
    G,
    fixed_alpha,
    A_work,
    bounds_work,
    work,
    vector_work,
    active_work,
    hints_work,
    N_out,
    x_out,
):
    """Meet all levels in turn.

    `levels[k]` is the end of level k's rows in A; `x_out` holds the style's own optimum and `N_out` (n by n) a basis
    orthonormal in its norm. `scale` says how large each row could be. `hints_work` remembers the active bounds of each
    level from call to call: they make it faster and change nothing but rounding. Returns the kinds of bounds that had
    to be dropped, as bits.
    """
    w, x0, e, y = vector_work[6], vector_work[7], vector_work[8], vector_work[5]
    F = work[4]
    used = n - n  # columns of N that levels above have settled; not the literal 0, see `solve_bounded`
    m = n - n
    rows = levels[levels.shape[0] - 1] if levels.shape[0] > 0 else 0
    dropped, start, found = n - n, n - n, n - n
    for level in range(levels.shape[0] + 1):
        # Before the first level: the style alone, within the bounds.
        end = levels[level - 1] if level > 0 else 0
        if level == 0:
            if most_violated(p, n, G, bounds_work, x_out)[0] < 0:
                remember(level, n - n, active_work, hints_work)
                continue
        else:
            m = felt(start, end, n, b, scale, N_out, x_out, A_work, F, e)
            start = end
            if m == 0:
                continue
        # The damping is a share of what the rows could feel of all columns: what a level above has left of them may be
        # next to nothing, and must not be amplified.
        alpha = max(fixed_alpha, 1.0)
        if m > 0 and fixed_alpha <= 0.0:
            alpha = ROBUST * ROBUST * largest_square(m, n, F, y, w)
        for i in range(n):
            x0[i] = x_out[i]
        settled = False
        guessed = recall(p, level, found, hints_work, active_work)
        if 0 < m < n - used and guessed == 0:
            few_rows(m, n, used, alpha, F, e, work[0], y, w)
            go(n, used, N_out, x0, w, x_out)
            settled = most_violated(p, n, G, bounds_work, x_out)[0] < 0
        found = n - n
        while not settled:
            normal_equations(m, n, used, alpha, F, e, work[0], w)
            code, found = solve_bounded(
                n, used, p, G, bounds_work, N_out, x0, guessed, work, vector_work, active_work, w, x_out
            )
            if code == SOLVED:
                break
            if guessed > 0:
                guessed = n - n  # once more without guesses, before anything is given up
                continue
            bit = give_up(p, dropped, bounds_work)
            if bit == 0:
                break
            dropped |= bit
        remember(level, found, active_work, hints_work)
        if end == rows:
            break
        if m > 0:
            used += split(m, n, used, F, y, N_out)
        if used == n:
            break
    return dropped
