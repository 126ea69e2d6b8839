"""Spatial inertias: symmetric 6 by 6 matrices, angular rows first, stored as three blocks.

`[[I, H], [Hᵀ, M]]` with I symmetric (6 numbers), H full (9), M symmetric (6): 21 numbers in a row.
Everything is taken about the origin of the body, along world axes.
"""

from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def rigid(I, h, mass):
    """Blocks of a rigid body's inertia from `I` about the origin and the first moment `h = m c`: H is `[h]`."""
    H = (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0)
    M = (mass, mass, mass, 0.0, 0.0, 0.0)
    return I, H, M


@kernel(inline=True)
def momentum(I, h, mass, w, v):
    """Momentum `(I w + h x v, m v - h x w)` of a rigid body with first moment `h = m c` moving with (w, v)."""
    l = vec3.add(mat3.transform_symmetric(I, w), vec3.cross(h, v))
    return l, vec3.add(vec3.scale(mass, v), vec3.cross(w, h))


@kernel(inline=True)
def load(values):
    """Read the three blocks from a row of 21 numbers."""
    return mat3.load_symmetric(values, 0), mat3.load(values, 6), mat3.load_symmetric(values, 15)


@kernel(inline=True)
def store(values_out, I, H, M):
    """Write the three blocks to a row of 21 numbers."""
    mat3.store_symmetric(values_out, 0, I)
    mat3.store(values_out, 6, H)
    mat3.store_symmetric(values_out, 15, M)


@kernel(inline=True)
def add(I, H, M, values):
    """Return the blocks plus those in a row of 21 numbers."""
    J, G, N = load(values)
    return mat3.add_symmetric(I, J), mat3.add(H, G), mat3.add_symmetric(M, N)


@kernel(inline=True)
def apply(I, H, M, w, v):
    """Return the force `(I w + H v, Hᵀ w + M v)` of a motion (w, v)."""
    moment = vec3.add(mat3.transform_symmetric(I, w), mat3.transform(H, v))
    force = vec3.add(mat3.transform_back(H, w), mat3.transform_symmetric(M, v))
    return moment, force


@kernel(inline=True)
def remove_rank_one(I, H, M, s, m, f):
    """Return the blocks of `inertia - s (m, f)(m, f)ᵀ`."""
    a, b, c = s * m[0], s * m[1], s * m[2]
    upper = H[0] - a * f[0], H[1] - a * f[1], H[2] - a * f[2]
    middle = H[3] - b * f[0], H[4] - b * f[1], H[5] - b * f[2]
    lower = H[6] - c * f[0], H[7] - c * f[1], H[8] - c * f[2]
    return mat3.remove_square(I, s, m), mat3.from_rows(upper, middle, lower), mat3.remove_square(M, s, f)


@kernel(inline=True)
def shift(I, H, M, r):
    """Return the same inertia about the point that sees the present origin at `r`.

    `H' = H + [r] M`, `I' = I + [r] Hᵀ - H' [r]`; M stays.
    """
    x, y, z = r
    # Columns of H' = H + r x (columns of M).
    k0 = vec3.cross(r, (M[0], M[3], M[4]))
    k1 = vec3.cross(r, (M[3], M[1], M[5]))
    k2 = vec3.cross(r, (M[4], M[5], M[2]))
    G = mat3.add(H, mat3.transpose(mat3.from_rows(k0, k1, k2)))
    # ([r] Hᵀ)_ij = (r x row j of H)_i ;  (G [r])_ij = (row i of G) · column j of [r]
    I = (
        I[0] + (y * H[2] - z * H[1]) - (G[1] * z - G[2] * y),
        I[1] + (z * H[3] - x * H[5]) - (G[5] * x - G[3] * z),
        I[2] + (x * H[7] - y * H[6]) - (G[6] * y - G[7] * x),
        I[3] + (y * H[5] - z * H[4]) - (G[2] * x - G[0] * z),
        I[4] + (y * H[8] - z * H[7]) - (G[0] * y - G[1] * x),
        I[5] + (z * H[6] - x * H[8]) - (G[3] * y - G[4] * x),
    )
    return I, G, M


@kernel(inline=True)
def shift_force(m, f, r):
    """Moment and force about the point that sees the present origin at `r`: `(m + r x f, f)`."""
    return vec3.add(m, vec3.cross(r, f)), f


@kernel(inline=True)
def shift_motion(w, v, r):
    """Motion of the point at `r` from the present origin: `(w, v + w x r)`."""
    return w, vec3.add(v, vec3.cross(w, r))
