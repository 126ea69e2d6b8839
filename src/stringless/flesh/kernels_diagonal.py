"""Singular values with rotations, F = U diag(s) Vᵀ, many elements side by side.

Jacobi rotations on FᵀF, then U from F V (docs/theory/flesh.md, section 4): det U = det V = 1, s0 >= s1 >= |s2|, and only s2
can be negative, exactly when F is inverted. There is no branch in it, so that a loop over lanes becomes vector
instructions.
"""

import math

from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def turn(app, aqq, apq):
    """Cosine, sine and tangent of the Jacobi rotation that makes apq vanish."""
    d = aqq - app
    root = math.sqrt(d * d + 4.0 * apq * apq)
    below = d + root if d >= 0.0 else d - root
    t = 2.0 * apq / (below if below != 0.0 else 1.0)
    c = 1.0 / math.sqrt(t * t + 1.0)
    return c, t * c, t


@kernel(inline=True)
def rotate(c, s, x, y):
    """Columns p and q of V after the rotation."""
    return (
        (c * x[0] - s * y[0], c * x[1] - s * y[1], c * x[2] - s * y[2]),
        (s * x[0] + c * y[0], s * x[1] + c * y[1], s * x[2] + c * y[2]),
    )


@kernel(inline=True)
def swap(do, a, b):
    """Exchange two numbers if told to."""
    return b if do else a, a if do else b


@kernel(inline=True)
def eigenvectors(F):
    """Eigenvectors of FᵀF, the largest eigenvalue first, as three columns that form a rotation."""
    xx = F[0] * F[0] + F[3] * F[3] + F[6] * F[6]
    yy = F[1] * F[1] + F[4] * F[4] + F[7] * F[7]
    zz = F[2] * F[2] + F[5] * F[5] + F[8] * F[8]
    xy = F[0] * F[1] + F[3] * F[4] + F[6] * F[7]
    xz = F[0] * F[2] + F[3] * F[5] + F[6] * F[8]
    yz = F[1] * F[2] + F[4] * F[5] + F[7] * F[8]
    C = (xx, yy, zz, xy, xz, yz)
    a, b, e = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    # Written out, not looped: a loop inside the loop over lanes would keep it from becoming vector instructions.
    # The off-diagonal part falls quadratically from sweep to sweep; five leave rounding.
    C, a, b, e = sweep(C, a, b, e)
    C, a, b, e = sweep(C, a, b, e)
    C, a, b, e = sweep(C, a, b, e)
    C, a, b, e = sweep(C, a, b, e)
    C, a, b, e = sweep(C, a, b, e)
    return sort(C[0], C[1], C[2], a, b, e)


@kernel(inline=True)
def sweep(C, a, b, e):
    """One Jacobi rotation in each of the three planes."""
    xx, yy, zz, xy, xz, yz = C
    c, s, t = turn(xx, yy, xy)
    xx, yy = xx - t * xy, yy + t * xy
    xz, yz = c * xz - s * yz, s * xz + c * yz
    a, b = rotate(c, s, a, b)
    c, s, t = turn(xx, zz, xz)
    xx, zz = xx - t * xz, zz + t * xz
    xy, yz = -s * yz, c * yz
    a, e = rotate(c, s, a, e)
    c, s, t = turn(yy, zz, yz)
    yy, zz = yy - t * yz, zz + t * yz
    xy, xz = c * xy, s * xy
    b, e = rotate(c, s, b, e)
    return (xx, yy, zz, xy, xz, 0.0), a, b, e


@kernel(inline=True)
def sort(xx, yy, zz, a, b, e):
    """Order three columns by falling eigenvalue; a swap turns one of the two around, so a rotation stays one."""
    do = xx < yy
    xx, yy = swap(do, xx, yy)
    a, b = exchange(do, a, b)
    do = xx < zz
    xx, zz = swap(do, xx, zz)
    a, e = exchange(do, a, e)
    do = yy < zz
    b, e = exchange(do, b, e)
    return a, b, e


@kernel(inline=True)
def exchange(do, a, b):
    """Exchange two columns if told to, with a change of sign that keeps the determinant."""
    a0, b0 = swap(do, a[0], b[0])
    a1, b1 = swap(do, a[1], b[1])
    a2, b2 = swap(do, a[2], b[2])
    sign = -1.0 if do else 1.0
    return (a0, a1, a2), (sign * b0, sign * b1, sign * b2)


@kernel(inline=True)
def unit_or(do, x, other):
    """`x` at unit length, or `other` where told to."""
    n = math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    s = 1.0 / (1.0 if do else n)
    return other[0] if do else s * x[0], other[1] if do else s * x[1], other[2] if do else s * x[2]


@kernel(inline=True)
def normal_to(u):
    """Some unit vector at a right angle to the unit vector `u`."""
    wide = abs(u[0]) < 0.6
    # u x e_x or u x e_y, whichever is longer.
    x, y, z = 0.0 if wide else -u[2], u[2] if wide else 0.0, -u[1] if wide else u[0]
    s = 1.0 / math.sqrt(x * x + y * y + z * z)
    return s * x, s * y, s * z


@kernel(inline=True)
def decompose(F):
    """Columns of U and V and the three signed stretches of F = U diag(s) Vᵀ.

    A flattened element leaves one or two columns of U open; any choice at right angles serves.
    """
    a, b, e = eigenvectors(F)
    A, B, E = mat3.transform(F, a), mat3.transform(F, b), mat3.transform(F, e)
    AA = vec3.dot(A, A)
    u = unit_or(AA <= 1e-200, A, (1.0, 0.0, 0.0))
    rest = vec3.add_scaled(B, -vec3.dot(u, B), u)
    v = unit_or(vec3.dot(rest, rest) <= 1e-24 * AA + 1e-200, rest, normal_to(u))
    w = vec3.cross(u, v)
    s = (vec3.dot(u, A), vec3.dot(v, B), vec3.dot(w, E))
    return u, v, w, s, a, b, e


@kernel(inline=True)
def compose(u, v, w, p, a, b, e):
    """`U diag(p) Vᵀ`."""
    x, y, z = vec3.scale(p[0], a), vec3.scale(p[1], b), vec3.scale(p[2], e)
    U = (u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2])
    return mat3.multiply(U, (x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]))
