"""Which triangles of a surface cross."""

from stringless.flesh.kernels_boxtree import LEAF, next_leaf, start_walk
from stringless.jit import kernel
from stringless.spatial import vec3

ROUNDING = 7.8e-16
"""Bound of the rounding error of a 3 by 3 determinant of differences, as a part of the sum of its absolute terms."""
FLAT_ROUNDING = 3.4e-16
"""The same for 2 by 2."""


@kernel
def cross_pairs(x, triangles, low, high, order, bounds, stack_work, pairs_out):
    """Fill `pairs_out` with crossing triangles, the lower number first; return how many there are."""
    found = 0
    for i in range(triangles.shape[0]):
        box_low, box_high = vec3.load(low[i], 0), vec3.load(high[i], 0)
        top = start_walk(stack_work)
        first, top = next_leaf(bounds, box_low, box_high, top, stack_work)
        while first >= 0:
            for place in range(first, min(first + LEAF, order.shape[0])):
                j = order[place]
                if j > i and boxes_meet(low, high, i, j) and triangles_cross(x, triangles, i, j):
                    if found == pairs_out.shape[0]:
                        return found
                    pairs_out[found, 0] = i
                    pairs_out[found, 1] = j
                    found += 1
            first, top = next_leaf(bounds, box_low, box_high, top, stack_work)
    return found


@kernel(inline=True)
def boxes_meet(low, high, i, j):
    """Tell whether the boxes of two triangles have a point in common."""
    meet = True
    for k in range(3):
        meet = meet and low[i, k] <= high[j, k] and low[j, k] <= high[i, k]
    return meet


@kernel(inline=True)
def triangles_cross(x, triangles, i, j):
    """Tell whether two triangles have more in common than the corners they share."""
    shared = 0
    own, other = 0, 0  # the shared corner of i and of j, if there is one
    for k in range(3):
        for l in range(3):
            if triangles[i, k] == triangles[j, l]:
                shared += 1
                own, other = k, l
    if shared > 1:
        return shared == 2 and folded(x, triangles, i, j)
    for k in range(6):
        # The edges of i, then those of j; with a shared corner only the edges opposite to it.
        mine = k < 3
        corner = k if mine else k - 3
        if shared == 1 and corner != ((own if mine else other) + 1) % 3:
            continue
        if edge_meets(x, triangles, i if mine else j, corner, j if mine else i):
            return True
    return False


@kernel(inline=True)
def edge_meets(x, triangles, i, k, j):
    """Tell whether the edge of triangle i that begins at its corner k meets triangle j."""
    p, q = vec3.load(x[triangles[i, k]], 0), vec3.load(x[triangles[i, (k + 1) % 3]], 0)
    a, b, c = corners(x, triangles, j)
    above, below = side(a, b, c, p), side(a, b, c, q)
    if above * below > 0:
        return False
    s, t, u = side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)
    agree = (s >= 0 and t >= 0 and u >= 0) or (s <= 0 and t <= 0 and u <= 0)
    # What does not meet in a projection does not meet at all. Where all is nearly in one plane, the three signs above
    # may all be lost in rounding, and the projection alone decides.
    return ((above == 0 and below == 0) or agree) and flat_meets(p, q, a, b, c)


@kernel(inline=True)
def corners(x, triangles, i):
    """The three corners of triangle i."""
    return vec3.load(x[triangles[i, 0]], 0), vec3.load(x[triangles[i, 1]], 0), vec3.load(x[triangles[i, 2]], 0)


@kernel(inline=True)
def folded(x, triangles, i, j):
    """Tell whether two triangles with a common edge lie flat on each other."""
    a, b, c = corners(x, triangles, i)
    d, e, f = corners(x, triangles, j)
    for l in range(3):
        point = vec3.load(x[triangles[j, l]], 0)
        if side(a, b, c, point) != 0:
            return False
    m = vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a))
    n = vec3.cross(vec3.subtract(e, d), vec3.subtract(f, d))
    return vec3.dot(m, n) < 0.0


@kernel(inline=True)
def side(a, b, c, d):
    """Sign of the volume of the tetrahedron a, b, c, d; 0 if rounding could have made it."""
    p, q, r = vec3.subtract(a, d), vec3.subtract(b, d), vec3.subtract(c, d)
    xy, yx = q[0] * r[1], q[1] * r[0]
    yz, zy = r[0] * p[1], r[1] * p[0]
    zx, xz = p[0] * q[1], p[1] * q[0]
    value = p[2] * (xy - yx) + q[2] * (yz - zy) + r[2] * (zx - xz)
    size = (
        abs(p[2]) * (abs(xy) + abs(yx)) + abs(q[2]) * (abs(yz) + abs(zy)) + abs(r[2]) * (abs(zx) + abs(xz))
    ) * ROUNDING
    return 1 if value > size else (-1 if value < -size else 0)


@kernel(inline=True)
def flat_side(a, b, c, u, v):
    """Sign of the area of the triangle a, b, c projected onto the axes u and v."""
    l = (a[u] - c[u]) * (b[v] - c[v])
    r = (a[v] - c[v]) * (b[u] - c[u])
    size = (abs(l) + abs(r)) * FLAT_ROUNDING
    return 1 if l - r > size else (-1 if l - r < -size else 0)


@kernel(inline=True)
def flat_meets(p, q, a, b, c):
    """Tell whether the edge p, q and the triangle a, b, c meet, seen at right angles to the triangle."""
    n = vec3.cross(vec3.subtract(b, a), vec3.subtract(c, a))
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    # Seen along the axis nearest to the normal.
    u, v = (1, 2) if x >= y and x >= z else ((2, 0) if y >= z else (0, 1))
    turn = flat_side(a, b, c, u, v)
    outside = beyond(a, b, p, q, u, v, turn) or beyond(b, c, p, q, u, v, turn) or beyond(c, a, p, q, u, v, turn)
    s, t, w = flat_side(p, q, a, u, v), flat_side(p, q, b, u, v), flat_side(p, q, c, u, v)
    return not outside and not (s > 0 and t > 0 and w > 0) and not (s < 0 and t < 0 and w < 0)


@kernel(inline=True)
def beyond(a, b, p, q, u, v, turn):
    """Tell whether p and q lie strictly outside the edge a, b of a triangle of sense `turn`."""
    return flat_side(a, b, p, u, v) * turn < 0 and flat_side(a, b, q, u, v) * turn < 0
