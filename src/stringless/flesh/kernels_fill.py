"""What part of every element a surface fills."""

from stringless.flesh.kernels_boxtree import LEAF, next_leaf_ahead, start_walk
from stringless.jit import kernel
from stringless.spatial import vec3

SNAP = 1e-12
"""Ratios nearer than this to 0 or 1 are 0 or 1: rounding leaves about 1e-15."""
INSIDE = 1e-9
"""A triangle with a part so far below u + v + w = 1 passes through the element; others only shade it."""
WHOLE = 1e-6
"""An element that no triangle passes through is full or empty; further off than this, the surface is not closed."""
BAND = 1e-14
"""Rounding error of a coordinate, as a part of the largest: so near to u + v + w = 1, a corner lies in it."""


@kernel(inline=True)
def element_frame(x, tets, e):
    """First node, gradients of phi1, phi2 and phi3, and volume of an element."""
    o = vec3.load(x[tets[e, 0]], 0)
    p = vec3.subtract(vec3.load(x[tets[e, 1]], 0), o)
    q = vec3.subtract(vec3.load(x[tets[e, 2]], 0), o)
    r = vec3.subtract(vec3.load(x[tets[e, 3]], 0), o)
    a, b, c = vec3.cross(q, r), vec3.cross(r, p), vec3.cross(p, q)
    d = vec3.dot(p, a)
    return o, vec3.scale(1.0 / d, a), vec3.scale(1.0 / d, b), vec3.scale(1.0 / d, c), d / 6.0


@kernel
def fill_elements(x, tets, corners, bounds, start, end, stack_work, polygon_work, filled_out, node_out):
    """Filled ratio of the elements from `start` to `end`; add their parts to the nodes."""
    for e in range(start, end):
        o, a, b, c, volume = element_frame(x, tets, e)
        ratio, first, second, third, passed = shade(
            o, a, b, c, corners, bounds, stack_work, polygon_work[0], polygon_work[1], polygon_work[2]
        )
        nearest = 1.0 if ratio > 0.5 else 0.0
        if abs(ratio - nearest) < (SNAP if passed else WHOLE):
            ratio, first, second, third = nearest, 0.25 * nearest, 0.25 * nearest, 0.25 * nearest
        filled_out[e] = min(max(ratio, 0.0), 1.0)
        node_out[tets[e, 0]] += volume * max(ratio - first - second - third, 0.0)
        node_out[tets[e, 1]] += volume * max(first, 0.0)
        node_out[tets[e, 2]] += volume * max(second, 0.0)
        node_out[tets[e, 3]] += volume * max(third, 0.0)


@kernel(inline=True)
def shade(o, a, b, c, corners, bounds, stack_work, p_work, q_work, r_work):
    """Sum over all triangles for one element: its ratio, its three integrals, and whether a triangle passes it."""
    ratio, first, second, third, passed = 0.0, 0.0, 0.0, 0.0, False
    top = start_walk(stack_work)
    # The cone over a leaf wholly on the outer side of a plane through o misses the element.
    place, top = next_leaf_ahead(bounds, o, a, b, c, top, stack_work)
    while place >= 0:
        for t in range(place, min(place + LEAF, corners.shape[0])):
            ahead, largest = load_triangle(corners, t, o, a, b, c, p_work)
            if not ahead:
                continue
            count = clip(p_work, 3, 0, q_work)
            count = clip(q_work, count, 1, p_work)
            count = clip(p_work, count, 2, q_work)
            part, u, v, w, below = measure(q_work, count, BAND * largest, p_work, r_work)
            ratio += part
            first += u
            second += v
            third += w
            passed = passed or below
        place, top = next_leaf_ahead(bounds, o, a, b, c, top, stack_work)
    return ratio, first, second, third, passed


@kernel(inline=True)
def load_triangle(corners, t, o, a, b, c, polygon_out):
    """Bring a triangle to the element's coordinates: whether it reaches inside the planes through o, and its size."""
    high, largest = (-1.0, -1.0, -1.0), 1.0
    for k in range(3):
        d = vec3.subtract(vec3.load(corners[t], 3 * k), o)
        u = (vec3.dot(a, d), vec3.dot(b, d), vec3.dot(c, d))
        vec3.store(polygon_out[k], 0, u)
        high = (max(high[0], u[0]), max(high[1], u[1]), max(high[2], u[2]))
        largest = max(largest, abs(u[0]), abs(u[1]), abs(u[2]))
    return high[0] > 0.0 and high[1] > 0.0 and high[2] > 0.0, largest


@kernel(inline=True)
def clip(polygon, count, axis, polygon_out):
    """Keep the part of a polygon where one coordinate is not negative; return how many corners that has."""
    kept = 0
    for k in range(count):
        following = k + 1 if k + 1 < count else 0
        here, there = polygon[k, axis], polygon[following, axis]
        if here >= 0.0:
            vec3.store(polygon_out[kept], 0, vec3.load(polygon[k], 0))
            kept += 1
        if (here >= 0.0) != (there >= 0.0):
            # From the inner to the outer end whichever comes first, so that neighbours agree on the point.
            inner, outer = (k, following) if here >= 0.0 else (following, k)
            s = polygon[inner, axis] / (polygon[inner, axis] - polygon[outer, axis])
            for i in range(3):
                polygon_out[kept, i] = polygon[inner, i] + s * (polygon[outer, i] - polygon[inner, i])
            polygon_out[kept, axis] = 0.0
            kept += 1
    return kept


@kernel(inline=True)
def measure(polygon, count, band, near_work, far_work):
    """Share and integrals of the cones over a polygon, ended at u + v + w = 1; and whether a part of it lies below.

    Corners nearer than `band` to that plane belong to both sides: rounding must not make a polygon in it wavy.
    """
    near, far, below, flat = 0, 0, False, True
    for k in range(count):
        following = k + 1 if k + 1 < count else 0
        p, q = vec3.load(polygon[k], 0), vec3.load(polygon[following], 0)
        here, there = p[0] + p[1] + p[2] - 1.0, q[0] + q[1] + q[2] - 1.0
        below = below or here < -INSIDE
        flat = flat and abs(here) <= band
        if here <= band:
            vec3.store(near_work[near], 0, p)
            near += 1
        if here >= -band:
            vec3.store(far_work[far], 0, vec3.scale(1.0 / (1.0 + here), p))
            far += 1
        if (here < -band and there > band) or (here > band and there < -band):
            inner, outer = (p, q) if here < 0.0 else (q, p)
            low, high = (here, there) if here < 0.0 else (there, here)
            point = vec3.add_scaled(inner, low / (low - high), vec3.subtract(outer, inner))
            vec3.store(near_work[near], 0, point)
            vec3.store(far_work[far], 0, point)
            near += 1
            far += 1
    part, u, v, w = cones(near_work, near)
    # A polygon all within the band is in both lists, and counts once.
    more, x, y, z = cones(far_work, 0 if flat else far)
    return part + more, u + x, v + y, w + z, below


@kernel(inline=True)
def cones(polygon, count):
    """Determinant, and determinant times mean corner, summed over the tetrahedra between o and a fan of triangles."""
    total, u, v, w = 0.0, 0.0, 0.0, 0.0
    p = vec3.load(polygon[0], 0)
    for k in range(1, count - 1):
        q, r = vec3.load(polygon[k], 0), vec3.load(polygon[k + 1], 0)
        d = vec3.dot(p, vec3.cross(q, r))
        total += d
        u += d * (p[0] + q[0] + r[0]) / 4.0
        v += d * (p[1] + q[1] + r[1]) / 4.0
        w += d * (p[2] + q[2] + r[2]) / 4.0
    return total, u, v, w
