"""Goals in levels: each level is met as well as it can be without disturbing those above it.

Kim & Pollard 2008, section 3.1, for any number of levels and with bounds on every level. The command is `x = x0 + N w`:
x0 is what the levels above have settled, the columns of N span their null space. A level with rows `A x = b` is met in the
sense of the singularity-robust inverse (Nakamura & Hanafusa 1986). N is turned so that only its first columns are seen by
the rows; with w parted alike,

    min |A N w - (b - A x0)|² + Σ alpha_j (w_j - t_j)²   within the bounds.

In what the rows see, t brakes the joints at the rate of the goals, so that a direction in which little can be done is slow
instead of violent; alpha vanishes there for what is not singular (numerical filtering: Maciejewski & Klein 1988). In the rest
t is the style's optimum, or the brakes too if the style is not the norm of N. Only w_r is settled. What the last level leaves
free belongs to the style.
"""

from __future__ import annotations

from stringless.control.kernels_linear import dot, factor, solve_factored, split
from stringless.control.kernels_quadratic import SOLVED, add_change, find_most_violated, solve_bounded
from stringless.control.tables import HINTED
from stringless.jit import kernel

FREE = 1e-3
"""What is free in a level counts so little beside its rows, where bounds make the two compete."""
BLIND = 1e-18
"""Squared size of a row, relative to what it could be, below which it is nothing but rounding."""


@kernel
def project_level(start, end, n, rows_work, solver_work):
    """Rows `F = A N` and `e = b - A x0` of a level in units of their size, without those that are nothing but rounding.

    Nothing can be done about such rows: they become zero in A. Returns how many are left.
    """
    A, F = rows_work.A, solver_work.F
    m = start - start
    for i in range(start, end):
        if dot(n, A[i], A[i]) <= BLIND * rows_work.scale[i] * rows_work.scale[i]:
            for j in range(n):
                A[i, j] = 0.0
            continue
        unit = 1.0 / rows_work.size[i]
        e = rows_work.b[i]
        for j in range(n):
            F[m, j] = 0.0
        for k in range(n):
            a = A[i, k]
            if a != 0.0:
                e -= a * solver_work.x0[k]
                a *= unit
                for j in range(n):
                    F[m, j] += a * solver_work.N[k, j]
        solver_work.e[m] = unit * e
        m += 1
    return m


@kernel(inline=True)
def find_centre(first, rank, rate, program, solver_work):
    """Where damping leads, `t` in w: the brakes, and the style's optimum for what the rows do not see, if N is its norm."""
    centres, t = solver_work.centres, solver_work.w
    for j in range(program.unknowns - first):
        if j >= rank and program.orthonormal:
            t[j] = centres[1, first + j]
        else:
            t[j] = rate * centres[0, first + j]


@kernel
def write_level_program(m, n, first, rank, program, solver_work):
    """`H = Fᵀ F + alpha`, `c = Fᵀ e + alpha t` over the columns from `first` on to n; c takes the place of t in w."""
    F, H, c = solver_work.F, solver_work.H, solver_work.w
    for j in range(n - first):
        a = program.alpha
        if program.filtered:
            # What a row sees beyond the rows before it stands for its singular value.
            a = max(a - F[j, first + j] * F[j, first + j], 0.0) if j < rank else FREE
        c[j] *= a
        for k in range(j):
            H[j, k] = 0.0
        H[j, j] = a
    for i in range(m):
        for j in range(rank):
            f = F[i, first + j]
            c[j] += f * solver_work.e[i]
            for k in range(j + 1):
                H[j, k] += f * F[i, first + k]


@kernel
def write_style_program(n, first, program, solver_work):
    """The style over the columns from `first` on: `Nᵀ H N` and `Nᵀ (c - H x0)`."""
    N, HN, H, c, rest = solver_work.N, solver_work.J, solver_work.H, solver_work.w, solver_work.y
    for i in range(n):
        rest[i] = program.c[i] - dot(n, program.H[i], solver_work.x0)
        for j in range(first, n):
            HN[i, j] = 0.0
        for k in range(n):
            h = program.H[i, k]
            if h != 0.0:
                for j in range(first, n):
                    HN[i, j] += h * N[k, j]
    for j in range(n - first):
        c[j] = 0.0
        for k in range(j + 1):
            H[j, k] = 0.0
    for i in range(n):
        for j in range(n - first):
            a = N[i, first + j]
            c[j] += a * rest[i]
            for k in range(j + 1):
                H[j, k] += a * HN[i, first + k]


@kernel(inline=True)
def solve_without_bounds(m, first, rank, program, solver_work):
    """The optimum of a level if no bound matters: what its rows do not see stands at its centre."""
    write_level_program(m, first + rank, first, rank, program, solver_work)
    factor(rank, solver_work.H)
    solve_factored(rank, solver_work.H, solver_work.w)


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
def solve_level(m, first, rank, rate, guessed, dropped, program, bounds_work, solver_work, x_out):
    """Meet one level, or the style alone if no row is left; returns how many bounds are active, and the kinds dropped so far.

    `w` gets the optimum and `x_out` the command.
    """
    n = program.unknowns
    by_style = rank == 0 and not program.orthonormal
    found = guessed - guessed
    if guessed == 0 and not by_style:
        find_centre(first, rank, rate, program, solver_work)
        solve_without_bounds(m, first, rank, program, solver_work)
        add_change(n, first, solver_work, solver_work.x0, x_out)
        if find_most_violated(n, bounds_work, x_out)[0] < 0:
            return found, dropped
    while True:
        if by_style:
            write_style_program(n, first, program, solver_work)
        else:
            find_centre(first, rank, rate, program, solver_work)
            write_level_program(m, n, first, rank, program, solver_work)
        code, found = solve_bounded(n, first, guessed, bounds_work, solver_work, x_out)
        if code == SOLVED:
            break
        if guessed > 0:
            guessed = guessed - guessed  # once more without guesses, before anything is given up
            continue
        bit = drop_bounds(dropped, bounds_work)
        if bit == 0:
            break
        dropped |= bit
    return found, dropped


@kernel
def solve_levels(program, bounds_work, rows_work, solver_work, hints_out, x_out):
    """Meet all levels in turn, and the style in what they leave free.

    `N` of the scratch (n by n) is a basis, and `centres` are coordinates in it. `hints_out` remembers the active bounds of
    each level from call to call: they make it faster and change nothing but rounding. Returns the kinds of bounds that had
    to be dropped, as bits.
    """
    n, x0, ends = program.unknowns, solver_work.x0, rows_work.ends
    for i in range(n):
        x0[i] = 0.0
    # Not the literal 0, see `solve_bounded`.
    used, start, found, dropped, m = n - n, n - n, n - n, n - n, n - n
    for level in range(program.levels + 1):
        rank, rate = n - n, 0.0
        if level < program.levels:
            m, rate = project_level(start, ends[level], n, rows_work, solver_work), rows_work.rates[level]
            start = ends[level]
            rank = split(m, n, used, solver_work)
            if rank == 0:
                continue
        elif program.orthonormal and used > 0:
            break  # the last level has met the style already
        guessed = recall_bounds(bounds_work.size, level, found, hints_out, solver_work.active)
        found, dropped = solve_level(m, used, rank, rate, guessed, dropped, program, bounds_work, solver_work, x_out)
        remember_bounds(level, found, solver_work.active, hints_out)
        for i in range(n):
            x0[i] += dot(rank, solver_work.N[i, used:], solver_work.w)
        used += rank
        if used == n:
            break
    return dropped
