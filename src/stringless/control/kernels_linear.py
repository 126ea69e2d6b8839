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
def largest_square(m, n, A, u_work, t_work):
    """Largest squared singular value of an m by n matrix, to a few per cent, by power iteration on `A Aᵀ`."""
    best = 0
    size = 0.0
    for i in range(m):
        s = dot(n, A[i], A[i])
        if s > size:
            size = s
            best = i
    if m <= 1 or size <= 0.0:
        return size
    for i in range(m):
        u_work[i] = dot(n, A[i], A[best])
    square = size
    for _ in range(6):
        norm = 1.0 / math.sqrt(dot(m, u_work, u_work))
        for j in range(n):
            t_work[j] = 0.0
        for i in range(m):
            u_work[i] *= norm
            for j in range(n):
                t_work[j] += u_work[i] * A[i, j]
        before, square = square, dot(n, t_work, t_work)
        if square <= 1.01 * before:
            break
        for i in range(m):
            u_work[i] = dot(n, A[i], t_work)
    return max(square, size)


@kernel
def split(m, n, first, F_work, v_work, N_out):
    """Turn the columns of `N` (n by n) from `first` on so that the rows F see only the first of them; returns how many.

    Householder reflections with row pivoting, each applied to the columns of F and N: what remains behind the first
    `rank` columns of N spans the null space of F in N. F is destroyed. Rows below a relative 1e-8 count as dependent.
    """
    scale = 0.0
    rank = 0
    while rank < min(m, n - first):
        at = first + rank
        best = rank
        size = -1.0
        for i in range(rank, m):
            s = dot(n - at, F_work[i, at:], F_work[i, at:])
            if s > size:
                size = s
                best = i
        scale = max(scale, size)
        if size <= 1e-16 * scale or size == 0.0:
            break
        # v reflects the chosen row onto its first remaining column; the row itself is done with.
        for j in range(at, n):
            v_work[j] = F_work[best, j]
            F_work[best, j] = F_work[rank, j]
        head = v_work[at]
        v_work[at] = head + math.copysign(math.sqrt(size), head)
        half = size + abs(head) * math.sqrt(size)
        for i in range(rank + 1, m):
            reflect(i, at, n, half, v_work, F_work)
        for i in range(n):
            reflect(i, at, n, half, v_work, N_out)
        rank += 1
    return rank


@kernel(inline=True)
def reflect(i, first, n, half, v, A_out):
    """Reflect row i, from column `first` on, at the plane with normal v; `half` is half of its square."""
    s = dot(n - first, A_out[i, first:], v[first:]) / half
    for j in range(first, n):
        A_out[i, j] -= s * v[j]
