"""Block factorisations of a forest in linear time (Hernández, Garre, Casillas & Otaduy 2011, section 4).

A node is a body, with 6 unknowns (its velocity), or a joint, with one for each of its constraints (an impulse). The parent
of a body is the joint that carries it, its grandparent the body that carries the joint; the parent of a joint is that body.
Of row i of the matrix only the blocks (i, i), (i, p) and (i, g) lie on the way to the root, and eliminating i touches
nothing outside this pattern. So the work per node is constant. A joint to the ground carries exactly one body.

Parents are numbered before their children: leaves are eliminated first, from the last row up. `nodes` has a row
(size, parent, grandparent) for every node, -1 where there is none. `blocks` has its blocks, 6 by 6 each, in this order:

    D = (i, i),  P = (i, p),  G = (i, g),  and, for a matrix that is not symmetric,  Q = (p, i),  H = (g, i)

Rows and columns beyond a node's size must be zero. A factorisation replaces `blocks` by its factors, which then serve any
number of right sides.
"""

from __future__ import annotations

from stringless.jit import kernel

WIDTH = 6
"""Room for the unknowns of a node."""
D, P, G, Q, H = 0, 1, 2, 3, 4
SYMMETRIC_BLOCKS, GENERAL_BLOCKS = 3, 5
"""How many blocks a node has in a symmetric matrix, and in any other."""
SIZE, PARENT, GRAND = 0, 1, 2


@kernel(inline=True)
def multiply(n, A, B, C_out):
    """`C = A B`, for the first n rows and columns of A."""
    for r in range(n):
        for c in range(WIDTH):
            C_out[r, c] = 0.0
        for k in range(n):
            a = A[r, k]
            for c in range(WIDTH):
                C_out[r, c] += a * B[k, c]


@kernel(inline=True)
def take_product(rows, n, A, B, C_out):
    """`C -= A B`, for the first n columns of A."""
    for r in range(rows):
        for k in range(n):
            a = A[r, k]
            for c in range(WIDTH):
                C_out[r, c] -= a * B[k, c]


@kernel(inline=True)
def take_product_back(rows, n, A, B, C_out):
    """`C -= Aᵀ B`, for the first n rows of A."""
    for k in range(n):
        for r in range(rows):
            a = A[k, r]
            for c in range(WIDTH):
                C_out[r, c] -= a * B[k, c]


@kernel(inline=True)
def copy(n, A, B_out):
    """`B = A`, for the first n rows."""
    for r in range(n):
        for c in range(WIDTH):
            B_out[r, c] = A[r, c]


@kernel(inline=True)
def exchange(k, n, A_out):
    """Exchange unknown k for its right side (Gauss-Jordan)."""
    pivot = 1.0 / A_out[k, k]
    A_out[k, k] = 1.0
    for c in range(WIDTH):
        A_out[k, c] *= pivot
    for r in range(n):
        if r != k:
            a = A_out[r, k]
            A_out[r, k] = 0.0
            for c in range(WIDTH):
                A_out[r, c] -= a * A_out[k, c]


@kernel(inline=True)
def invert_symmetric(n, A_out):
    """Invert a definite symmetric matrix in place (Gauss-Jordan); the pivots of such a matrix need no search."""
    for k in range(n):
        exchange(k, n, A_out)


@kernel(inline=True)
def invert_general(n, pivot_work, A_out):
    """Invert any matrix in place (Gauss-Jordan, the largest pivot of each column)."""
    for k in range(n):
        best = k
        for r in range(k + 1, n):
            if abs(A_out[r, k]) > abs(A_out[best, k]):
                best = r
        pivot_work[k] = best
        if best != k:
            for c in range(WIDTH):
                x, y = A_out[k, c], A_out[best, c]
                A_out[k, c], A_out[best, c] = y, x
        exchange(k, n, A_out)
    # The inverse of the reordered matrix has its columns in that order: put them back.
    for k in range(n - 1, -1, -1):
        best = int(pivot_work[k])
        if best != k:
            for r in range(n):
                x, y = A_out[r, k], A_out[r, best]
                A_out[r, k], A_out[r, best] = y, x


@kernel
def factor_symmetric(nodes, pad_work, blocks_out):
    """Block LDLᵀ of a symmetric matrix, in place: D becomes `D⁻¹`, P and G become `D⁻¹ P` and `D⁻¹ G`.

    docs/theory/stiff.md, section 5.2: `D_p -= Pᵀ D⁻¹ P`, `D_g -= Gᵀ D⁻¹ G`, `P_p -= Pᵀ D⁻¹ G` for every node,
    leaves first. No pivoting between nodes: a body's D stays positive definite, and a joint's is then negative definite.
    """
    for i in range(nodes.shape[0] - 1, -1, -1):
        n, p, g = nodes[i, SIZE], nodes[i, PARENT], nodes[i, GRAND]
        own = blocks_out[i]
        invert_symmetric(n, own[D])
        if p >= 0:
            multiply(n, own[D], own[P], pad_work[0])
            take_product_back(nodes[p, SIZE], n, own[P], pad_work[0], blocks_out[p, D])
        if g >= 0:
            multiply(n, own[D], own[G], pad_work[1])
            take_product_back(nodes[g, SIZE], n, own[G], pad_work[1], blocks_out[g, D])
            take_product_back(nodes[p, SIZE], n, own[P], pad_work[1], blocks_out[p, P])
            copy(n, pad_work[1], own[G])
        if p >= 0:
            copy(n, pad_work[0], own[P])


@kernel
def factor_general(nodes, pad_work, blocks_out):
    """Block LDU of any matrix of the pattern, in place: as `factor_symmetric`, and Q and H become `Q D⁻¹` and `H D⁻¹`.

    docs/theory/stiff.md, section 5.3: `D_p -= Q D⁻¹ P`, `D_g -= H D⁻¹ G`, `P_p -= Q D⁻¹ G`, `Q_p -= H D⁻¹ P`.
    """
    for i in range(nodes.shape[0] - 1, -1, -1):
        n, p, g = nodes[i, SIZE], nodes[i, PARENT], nodes[i, GRAND]
        own = blocks_out[i]
        invert_general(n, pad_work[2, 0], own[D])
        if p >= 0:
            multiply(n, own[D], own[P], pad_work[0])
            take_product(nodes[p, SIZE], n, own[Q], pad_work[0], blocks_out[p, D])
        if g >= 0:
            multiply(n, own[D], own[G], pad_work[1])
            take_product(nodes[g, SIZE], n, own[H], pad_work[1], blocks_out[g, D])
            take_product(nodes[p, SIZE], n, own[Q], pad_work[1], blocks_out[p, P])
            take_product(nodes[g, SIZE], n, own[H], pad_work[0], blocks_out[p, Q])
            copy(n, pad_work[1], own[G])
            scale_columns(nodes[g, SIZE], n, own[D], pad_work[1], own[H])
        if p >= 0:
            copy(n, pad_work[0], own[P])
            scale_columns(nodes[p, SIZE], n, own[D], pad_work[0], own[Q])


@kernel(inline=True)
def scale_columns(rows, n, A, pad_work, C_out):
    """`C = C A`, for the first rows of C."""
    copy(rows, C_out, pad_work)
    for r in range(rows):
        for c in range(WIDTH):
            C_out[r, c] = 0.0
        for k in range(n):
            a = pad_work[r, k]
            for c in range(WIDTH):
                C_out[r, c] += a * A[k, c]


@kernel(inline=True)
def go_out(nodes, blocks, y_work, x_out):
    """Roots to leaves: `x = D⁻¹ x - P x_p - G x_g`, with the factors of a node."""
    for i in range(nodes.shape[0]):
        n, p, g = nodes[i, SIZE], nodes[i, PARENT], nodes[i, GRAND]
        own = blocks[i]
        for r in range(n):
            y = 0.0
            for c in range(n):
                y += own[D, r, c] * x_out[i, c]
            if p >= 0:
                for c in range(nodes[p, SIZE]):
                    y -= own[P, r, c] * x_out[p, c]
            if g >= 0:
                for c in range(nodes[g, SIZE]):
                    y -= own[G, r, c] * x_out[g, c]
            y_work[r] = y
        for r in range(n):
            x_out[i, r] = y_work[r]


@kernel
def solve_symmetric(nodes, blocks, y_work, x_out):
    """Solve with the factors of `factor_symmetric`; `x_out`, a row of 6 for each node, holds the right side before."""
    for i in range(nodes.shape[0] - 1, -1, -1):
        n, p, g = nodes[i, SIZE], nodes[i, PARENT], nodes[i, GRAND]
        own = blocks[i]
        for r in range(n):
            x = x_out[i, r]
            if p >= 0:
                for c in range(WIDTH):
                    x_out[p, c] -= own[P, r, c] * x
            if g >= 0:
                for c in range(WIDTH):
                    x_out[g, c] -= own[G, r, c] * x
    go_out(nodes, blocks, y_work, x_out)


@kernel
def solve_general(nodes, blocks, y_work, x_out):
    """Solve with the factors of `factor_general`; `x_out`, a row of 6 for each node, holds the right side before."""
    for i in range(nodes.shape[0] - 1, -1, -1):
        n, p, g = nodes[i, SIZE], nodes[i, PARENT], nodes[i, GRAND]
        own = blocks[i]
        if p >= 0:
            for r in range(nodes[p, SIZE]):
                for c in range(n):
                    x_out[p, r] -= own[Q, r, c] * x_out[i, c]
        if g >= 0:
            for r in range(nodes[g, SIZE]):
                for c in range(n):
                    x_out[g, r] -= own[H, r, c] * x_out[i, c]
    go_out(nodes, blocks, y_work, x_out)
