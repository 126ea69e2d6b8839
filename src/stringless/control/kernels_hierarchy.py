"""Goals in levels: each level is met as well as it can be without disturbing those above it.

Kim & Pollard 2008, section 3.1, for any number of levels and with bounds on every level. The command is `x = x0 + N w`:
x0 is what the levels above have settled, the columns of N span their null space, orthonormal in the norm of
the style. A level with rows `A x = b` is met in the sense of the singularity-robust inverse,

    min |A N w - (b - A x0)|² + alpha |w|²   within the bounds,

and then N loses the directions in which its rows change.
"""

from __future__ import annotations

from stringless.control.kernels_linear import dot, factor, largest_square, solve_factored, split
from stringless.control.kernels_quadratic import SOLVED, add_change, find_most_violated, solve_bounded
from stringless.control.tables import HINTED
from stringless.jit import kernel

ROBUST = 0.05
"""Damping of the robust inverse as a share of a level's largest singular value."""
BLIND = 1e-18
"""Squared size of a row, relative to what it could be, below which it is nothing but rounding."""


@kernel
def project_level(start, end, n, x, rows_work, solver_work):
    """Rows `F = A N` and `e = b - A x` of a level, without those that are nothing but rounding; returns how many.

    Nothing can be done about such rows: they become zero in A.
    """
    A, F = rows_work.A, solver_work.F
    m = start - start
    for i in range(start, end):
        if dot(n, A[i], A[i]) <= BLIND * rows_work.scale[i] * rows_work.scale[i]:
            for j in range(n):
                A[i, j] = 0.0
            continue
        e = rows_work.b[i]
        for j in range(n):
            F[m, j] = 0.0
        for k in range(n):
            a = A[i, k]
            if a != 0.0:
                e -= a * x[k]
                for j in range(n):
                    F[m, j] += a * solver_work.N[k, j]
        solver_work.e[m] = e
        m += 1
    return m


@kernel
def solve_few_rows(m, n, first, alpha, solver_work):
    """The optimum without bounds where rows are fewer than columns: `w = Fᵀ (F Fᵀ + alpha 1)⁻¹ e`."""
    F, K, y, w = solver_work.F, solver_work.H, solver_work.y, solver_work.w
    for i in range(m):
        y[i] = solver_work.e[i]
        for k in range(i + 1):
            K[i, k] = dot(n - first, F[i, first:], F[k, first:])
        K[i, i] += alpha
    factor(m, K)
    solve_factored(m, K, y)
    for j in range(n - first):
        w[j] = 0.0
    for i in range(m):
        for j in range(n - first):
            w[j] += y[i] * F[i, first + j]


@kernel
def write_normal_equations(m, n, first, alpha, solver_work):
    """`H = Fᵀ F + alpha 1`, `c = Fᵀ e` over the columns from `first` on; c stands in w."""
    F, H, c = solver_work.F, solver_work.H, solver_work.w
    for j in range(n - first):
        c[j] = 0.0
        for k in range(j):
            H[j, k] = 0.0
        H[j, j] = alpha
    for i in range(m):
        for j in range(n - first):
            f = F[i, first + j]
            c[j] += f * solver_work.e[i]
            for k in range(j + 1):
                H[j, k] += f * F[i, first + k]


@kernel(inline=True)
def drop_bounds(dropped, bounds_work):
    """Drop the next kind of bounds, the most dispensable first; returns it as a bit, 0 if nothing is left to drop."""
    for k in range(3):
        kind = 3 - k
        if dropped & (1 << kind) == 0:
            for i in range(bounds_work.size):
                if bounds_work.rows[i].kind == kind:
                    bounds_work.rows[i].dropped = 1
            return 1 << kind
    return 0


@kernel(inline=True)
def recall_bounds(count, level, found, hints, active_out):
    """Bounds to begin a level with: those that were active on it last time, else the `found` ones of the level above."""
    guessed = found
    if (level + 1) * HINTED <= hints.shape[0]:
        first = level * HINTED
        listed = found - found
        for i in range(min(count, HINTED)):
            if hints[first + i] != 0 and listed + 1 < active_out.shape[0]:
                active_out[listed, 0], active_out[listed, 1] = i, hints[first + i]
                listed += 1
        guessed = listed if listed > 0 else found
    return guessed


@kernel(inline=True)
def remember_bounds(level, found, active, hints_out):
    """Note which bounds are active on a level, for the next time."""
    if (level + 1) * HINTED <= hints_out.shape[0]:
        first = level * HINTED
        for i in range(HINTED):
            hints_out[first + i] = 0
        for k in range(found):
            if active[k, 0] < HINTED:
                hints_out[first + active[k, 0]] = active[k, 1]


@kernel
def solve_levels(n, levels, fixed_alpha, bounds_work, rows_work, solver_work, hints_out, x_out):
    """Meet all levels in turn.

    `x_out` holds the style's own optimum and `N` of the scratch (n by n) a basis orthonormal in its norm. `hints_out`
    remembers the active bounds of each level from call to call: they make it faster and change nothing but rounding.
    Returns the kinds of bounds that had to be dropped, as bits.
    """
    x0, ends = solver_work.x0, rows_work.ends
    used = n - n  # columns of N that levels above have settled; not the literal 0, see `solve_bounded`
    m = n - n
    rows = ends[levels - 1] if levels > 0 else 0
    dropped, start, found = n - n, n - n, n - n
    for level in range(levels + 1):
        # Before the first level: the style alone, within the bounds.
        end = ends[level - 1] if level > 0 else 0
        if level == 0:
            if find_most_violated(n, bounds_work, x_out)[0] < 0:
                remember_bounds(level, n - n, solver_work.active, hints_out)
                continue
        else:
            m = project_level(start, end, n, x_out, rows_work, solver_work)
            start = end
            if m == 0:
                continue
        # The damping is a share of the rows' norm over all columns: what a level above has left of them may be
        # next to nothing, and must not be amplified.
        alpha = max(fixed_alpha, 1.0)
        if m > 0 and fixed_alpha <= 0.0:
            alpha = ROBUST * ROBUST * largest_square(m, n, solver_work.F, solver_work.y, solver_work.w)
        for i in range(n):
            x0[i] = x_out[i]
        settled = False
        guessed = recall_bounds(bounds_work.size, level, found, hints_out, solver_work.active)
        if 0 < m < n - used and guessed == 0:
            solve_few_rows(m, n, used, alpha, solver_work)
            add_change(n, used, solver_work, x0, x_out)
            settled = find_most_violated(n, bounds_work, x_out)[0] < 0
        found = n - n
        while not settled:
            write_normal_equations(m, n, used, alpha, solver_work)
            code, found = solve_bounded(n, used, guessed, bounds_work, solver_work, x_out)
            if code == SOLVED:
                break
            if guessed > 0:
                guessed = n - n  # once more without guesses, before anything is given up
                continue
            bit = drop_bounds(dropped, bounds_work)
            if bit == 0:
                break
            dropped |= bit
        remember_bounds(level, found, solver_work.active, hints_out)
        if end == rows:
            break
        if m > 0:
            used += split(m, n, used, solver_work.F, solver_work.y, solver_work.N)
        if used == n:
            break
    return dropped
