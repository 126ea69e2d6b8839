"""Small dense linear algebra without allocation: the sizes are those of one character's actuators.

Matrices are the leading parts of larger work arrays, so every function is told the size.
"""

from __future__ import annotations

import math

from stringless.jit import kernel


@kernel(inline=True)
def dot(n, a, b):
    """Inner product of the first n numbers."""
    s = 0.0
    for i in range(n):
        s += a[i] * b[i]
    return s


@kernel
def factor(n, A_out):
    """Cholesky factor L of a symmetric matrix, in its lower half; False if the matrix is not positive definite."""
    for i in range(n):
        for j in range(i + 1):
            s = A_out[i, j]
            for k in range(j):
                s -= A_out[i, k] * A_out[j, k]
            if i > j:
                A_out[i, j] = s / A_out[j, j]
            elif s > 0.0:
                A_out[i, i] = math.sqrt(s)
            else:
                return False
    return True


@kernel
def solve_factored(n, L, x_out):
    """Solve `L Lᵀ x = b` in place."""
    for i in range(n):
        s = x_out[i]
        for k in range(i):
            s -= L[i, k] * x_out[k]
        x_out[i] = s / L[i, i]
    solve_upper(n, L, x_out)


@kernel(inline=True)
def solve_upper(n, L, x_out):
    """Solve `Lᵀ x = b` in place."""
    for k in range(n):
        i = n - 1 - k
        s = x_out[i]
        for j in range(i + 1, n):
            s -= L[j, i] * x_out[j]
        x_out[i] = s / L[i, i]


@kernel
def inverse_transposed(n, L, B_out):
    """`B = L⁻ᵀ`, upper triangular."""
    for c in range(n):
        for i in range(n):
            B_out[i, c] = 0.0
        B_out[c, c] = 1.0 / L[c, c]
        for k in range(c):
            i = c - 1 - k
            s = 0.0
            for j in range(i + 1, c + 1):
                s -= L[j, i] * B_out[j, c]
            B_out[i, c] = s / L[i, i]


@kernel
def largest_square(m, n, A, u_work):
    """Largest squared singular value of an m by n matrix, to a few per cent, by power iteration on `A Aᵀ`."""
    best = 0
    size = -1.0
    for i in range(m):
        s = dot(n, A[i], A[i])
        if s > size:
            size = s
            best = i
    if size <= 0.0:
        return 0.0
    for i in range(m):
        u_work[i] = dot(n, A[i], A[best])
    square = size
    for _ in range(6):
        norm = math.sqrt(dot(m, u_work, u_work))
        # u <- A (Aᵀ u): column by column, so that one vector of scratch is enough for the sum
        for i in range(m):
            u_work[i] /= norm
            u_work[m + i] = 0.0
        for j in range(n):
            s = 0.0
            for i in range(m):
                s += A[i, j] * u_work[i]
            for i in range(m):
                u_work[m + i] += s * A[i, j]
        square = dot(m, u_work, u_work[m:])
        for i in range(m):
            u_work[i] = u_work[m + i]
    return max(square, size)


@kernel
def split(m, r, n, F_work, N_work, N_out):
    """Turn the basis `N` (n by r) so that the rows F (m by r) see only its first columns; returns how many.

    Householder reflections with row pivoting, each applied to the columns of F and N: what remains behind the first
    `rank` columns of N spans the null space of F in N. F is destroyed. Rows below a relative 1e-8 count as dependent.
    """
    scale = 0.0
    for i in range(m):
        scale = max(scale, dot(r, F_work[i], F_work[i]))
    rank = 0
    while rank < min(m, r):
        best = rank
        size = -1.0
        for i in range(rank, m):
            s = 0.0
            for j in range(rank, r):
                s += F_work[i, j] * F_work[i, j]
            if s > size:
                size = s
                best = i
        if size <= 1e-16 * scale or size == 0.0:
            break
        for j in range(r):
            F_work[rank, j], F_work[best, j] = F_work[best, j], F_work[rank, j]
        # v reflects row `rank` onto its first remaining column
        head = F_work[rank, rank]
        alpha = -math.copysign(math.sqrt(size), head)
        v = N_work[0]
        for j in range(rank, r):
            v[j] = F_work[rank, j]
        v[rank] = head - alpha
        square = 0.0
        for j in range(rank, r):
            square += v[j] * v[j]
        if square > 0.0:
            for i in range(rank, m):
                s = 0.0
                for j in range(rank, r):
                    s += F_work[i, j] * v[j]
                s *= 2.0 / square
                for j in range(rank, r):
                    F_work[i, j] -= s * v[j]
            for i in range(n):
                s = 0.0
                for j in range(rank, r):
                    s += N_out[i, j] * v[j]
                s *= 2.0 / square
                for j in range(rank, r):
                    N_out[i, j] -= s * v[j]
        rank += 1
    return rank
