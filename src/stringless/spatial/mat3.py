"""Matrices of three by three numbers: full ones as 9, symmetric ones as 6 (xx, yy, zz, xy, xz, yz)."""

from stringless.jit import kernel
from stringless.spatial import vec3


@kernel(inline=True)
def from_rows(a, b, c):
    """The matrix with these rows."""
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@kernel(inline=True)
def load(values, at):
    """Read nine numbers from `values[at:]`."""
    return from_rows(vec3.load(values, at), vec3.load(values, at + 3), vec3.load(values, at + 6))


@kernel(inline=True)
def store(values_out, at, A):
    """Write nine numbers to `values_out[at:]`."""
    values_out[at], values_out[at + 1], values_out[at + 2] = A[0], A[1], A[2]
    values_out[at + 3], values_out[at + 4], values_out[at + 5] = A[3], A[4], A[5]
    values_out[at + 6], values_out[at + 7], values_out[at + 8] = A[6], A[7], A[8]


@kernel(inline=True)
def load_symmetric(values, at):
    """Read six numbers from `values[at:]`."""
    return values[at], values[at + 1], values[at + 2], values[at + 3], values[at + 4], values[at + 5]


@kernel(inline=True)
def store_symmetric(values_out, at, A):
    """Write six numbers to `values_out[at:]`."""
    values_out[at], values_out[at + 1], values_out[at + 2] = A[0], A[1], A[2]
    values_out[at + 3], values_out[at + 4], values_out[at + 5] = A[3], A[4], A[5]


@kernel(inline=True)
def transform(A, x):
    """Return `A x`."""
    return (
        A[0] * x[0] + A[1] * x[1] + A[2] * x[2],
        A[3] * x[0] + A[4] * x[1] + A[5] * x[2],
        A[6] * x[0] + A[7] * x[1] + A[8] * x[2],
    )


@kernel(inline=True)
def transform_back(A, x):
    """Return `Aᵀ x`."""
    return (
        A[0] * x[0] + A[3] * x[1] + A[6] * x[2],
        A[1] * x[0] + A[4] * x[1] + A[7] * x[2],
        A[2] * x[0] + A[5] * x[1] + A[8] * x[2],
    )


@kernel(inline=True)
def transpose(A):
    """Return `Aᵀ`."""
    return A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]


@kernel(inline=True)
def multiply(A, B):
    """Return `A B`."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@kernel(inline=True)
def transform_symmetric(A, x):
    """Return `A x` for a symmetric A."""
    return (
        A[0] * x[0] + A[3] * x[1] + A[4] * x[2],
        A[3] * x[0] + A[1] * x[1] + A[5] * x[2],
        A[4] * x[0] + A[5] * x[1] + A[2] * x[2],
    )


@kernel(inline=True)
def quadratic(A, x):
    """Return `xᵀ A x` for a symmetric A, with the shortest chain of operations that wait for A."""
    b, c, d = 2.0 * x[0] * x[1], 2.0 * x[0] * x[2], 2.0 * x[1] * x[2]
    return (A[0] * (x[0] * x[0]) + A[1] * (x[1] * x[1])) + (A[2] * (x[2] * x[2]) + A[3] * b) + (A[4] * c + A[5] * d)


@kernel(inline=True)
def rotate_symmetric(R, A):
    """Return `R A Rᵀ` for a symmetric A."""
    a = transform_symmetric(A, (R[0], R[1], R[2]))
    b = transform_symmetric(A, (R[3], R[4], R[5]))
    c = transform_symmetric(A, (R[6], R[7], R[8]))
    return (
        a[0] * R[0] + a[1] * R[1] + a[2] * R[2],
        b[0] * R[3] + b[1] * R[4] + b[2] * R[5],
        c[0] * R[6] + c[1] * R[7] + c[2] * R[8],
        a[0] * R[3] + a[1] * R[4] + a[2] * R[5],
        a[0] * R[6] + a[1] * R[7] + a[2] * R[8],
        b[0] * R[6] + b[1] * R[7] + b[2] * R[8],
    )


@kernel(inline=True)
def add(A, B):
    """Return `A + B`."""
    a = A[0] + B[0], A[1] + B[1], A[2] + B[2]
    b = A[3] + B[3], A[4] + B[4], A[5] + B[5]
    c = A[6] + B[6], A[7] + B[7], A[8] + B[8]
    return from_rows(a, b, c)


@kernel(inline=True)
def add_symmetric(A, B):
    """Return `A + B` for symmetric matrices."""
    return A[0] + B[0], A[1] + B[1], A[2] + B[2], A[3] + B[3], A[4] + B[4], A[5] + B[5]


@kernel(inline=True)
def remove_square(A, s, x):
    """Return `A - s x xᵀ` for a symmetric matrix."""
    a, b, c = s * x[0], s * x[1], s * x[2]
    xx, yy, zz = A[0] - a * x[0], A[1] - b * x[1], A[2] - c * x[2]
    xy, xz, yz = A[3] - a * x[1], A[4] - a * x[2], A[5] - b * x[2]
    return xx, yy, zz, xy, xz, yz


@kernel(inline=True)
def determinant_symmetric(A):
    """Determinant of a symmetric A."""
    a, b, c = A[1] * A[2] - A[5] * A[5], A[4] * A[5] - A[3] * A[2], A[3] * A[5] - A[4] * A[1]
    return A[0] * a + A[3] * b + A[4] * c


@kernel(inline=True)
def solve_symmetric(A, y):
    """Return `A⁻¹ y` for a symmetric A that is not singular, by cofactors."""
    a, b, c = A[1] * A[2] - A[5] * A[5], A[4] * A[5] - A[3] * A[2], A[3] * A[5] - A[4] * A[1]
    s = 1.0 / (A[0] * a + A[3] * b + A[4] * c)
    d, e, f = A[0] * A[2] - A[4] * A[4], A[3] * A[4] - A[0] * A[5], A[0] * A[1] - A[3] * A[3]
    return (
        s * (a * y[0] + b * y[1] + c * y[2]),
        s * (b * y[0] + d * y[1] + e * y[2]),
        s * (c * y[0] + e * y[1] + f * y[2]),
    )
