"""Small dense linear algebra without allocation: the sizes are those of one character's actuators.

Matrices are the leading parts of larger work arrays, so every function is told the size.
"""

from __future__ import annotations

import math

from stringless.jit import kernel


@kernel(inline=True)
def dot(n, a, b):
    """Inner product of the first n numbers, in four sums that do not wait for each other."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    fours = n // 4 * 4
    for i in range(0, fours, 4):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
    for i in range(fours, n):
        s0 += a[i] * b[i]
    return (s0 + s1) + (s2 + s3)


@kernel
def factor(n, A_out):
    """Cholesky factor L of a symmetric matrix, in its lower half; False if the matrix is not positive definite.

    The diagonal holds the inverse of that of L: what solves with it never divides.
    """
    for j in range(n):
        s = A_out[j, j] - dot(j, A_out[j], A_out[j])
        if not s > 0.0:
            return False
        inverse = 1.0 / math.sqrt(s)
        A_out[j, j] = inverse
        for i in range(j + 1, n):
            A_out[i, j] = (A_out[i, j] - dot(j, A_out[i], A_out[j])) * inverse
    return True


@kernel
def solve_factored(n, L, x_out):
    """Solve `L Lᵀ x = b` in place."""
    for i in range(n):
        x_out[i] = (x_out[i] - dot(i, L[i], x_out)) * L[i, i]
    for k in range(n):
        i = n - 1 - k
        s = x_out[i] * L[i, i]
        x_out[i] = s
        for j in range(i):
            x_out[j] -= L[i, j] * s


@kernel
def inverse_factor(n, L, B_out):
    """`B = L⁻¹`, lower triangular, each row from those above it."""
    for i in range(n):
        for c in range(n):
            B_out[i, c] = 0.0
        B_out[i, i] = L[i, i]
        for k in range(i):
            s = -L[i, k] * L[i, i]
            for c in range(k + 1):
                B_out[i, c] += s * B_out[k, c]


@kernel
def inverse_transposed(n, L, B_out):
    """`B = L⁻ᵀ`, upper triangular."""
    inverse_factor(n, L, B_out)
    for i in range(n):
        for c in range(i):
            B_out[c, i], B_out[i, c] = B_out[i, c], 0.0


@kernel
def split(m, n, first, solver_work):
    """Turn the columns of `N` from `first` on so that the rows F see only the first of them; returns how many.

    Householder reflections with row pivoting, each applied to the columns of F and N and to coordinates in them: what
    remains behind the first `rank` columns of N spans the null space of F in N. F becomes lower trapezoidal in the columns
    from `first` on, and its right-hand sides e change places with its rows. A row of which the columns still free see less
    than 1e-8 of the largest row counts as dependent.
    """
    F, e, v = solver_work.F, solver_work.e, solver_work.y
    scale = 0.0
    for i in range(m):
        scale = max(scale, dot(n, F[i], F[i]))
    rank = m - m
    while rank < min(m, n - first):
        at = first + rank
        best, size = rank, -1.0
        for i in range(rank, m):
            s = dot(n - at, F[i, at:], F[i, at:])
            if s > size:
                best, size = i, s
        if size <= 1e-16 * scale:
            break
        e[best], e[rank] = e[rank], e[best]
        for j in range(first, n):
            F[best, j], F[rank, j] = F[rank, j], F[best, j]
        # v reflects the chosen row onto its first remaining column.
        end = -math.copysign(math.sqrt(size), F[rank, at])
        for j in range(at, n):
            v[j] = F[rank, j]
            F[rank, j] = 0.0
        half = size - v[at] * end
        v[at] -= end
        F[rank, at] = end
        for i in range(rank + 1, m):
            reflect(i, at, n, half, v, F)
        for i in range(n):
            reflect(i, at, n, half, v, solver_work.N)
        for i in range(2):
            reflect(i, at, n, half, v, solver_work.centres)
        rank += 1
    return rank


@kernel(inline=True)
def reflect(i, first, n, half, v, A_out):
    """Reflect row i, from column `first` on, at the plane with normal v; `half` is half of its square."""
    s = dot(n - first, A_out[i, first:], v[first:]) / half
    for j in range(first, n):
        A_out[i, j] -= s * v[j]
