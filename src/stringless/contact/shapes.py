"""How deep a point is inside a shape, and which way out is shortest.

Each function takes a point in the shape's own frame and returns its depth (positive inside) and the outward normal at
the nearest point of the surface. To add a shape: write its function and name it in `depth`.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.jit import kernel
from stringless.spatial import vec3

PLANE, BOX, SPHERE, CAPSULE, CYLINDER, ELLIPSOID = 0, 1, 2, 3, 4, 5
CODES = {"plane": PLANE, "box": BOX, "sphere": SPHERE, "capsule": CAPSULE, "cylinder": CYLINDER, "ellipsoid": ELLIPSOID}

OBSTACLE_ROW = np.dtype(
    [
        ("kind", np.int64),
        ("body", np.int64),  # body it is fixed to, -1 for the world
        ("R", np.float64, (9,)),  # place in that body
        ("p", np.float64, (3,)),
        ("sizes", np.float64, (3,)),  # as in model.shapes.SIZE_NAMES [m]
        ("reach", np.float64),  # radius of a ball around its place that holds it; inf for a plane [m]
        ("friction", np.float64),
    ],
    align=True,
)


@kernel(inline=True)
def plane(x):
    """Half space below z = 0."""
    return -x[2], (0.0, 0.0, 1.0)


@kernel(inline=True)
def box(x, size):
    """Box of half sizes `size`: inside, the nearest face; outside, the nearest point."""
    dx, dy, dz = size[0] - abs(x[0]), size[1] - abs(x[1]), size[2] - abs(x[2])
    if dx < 0.0 or dy < 0.0 or dz < 0.0:
        e = (
            math.copysign(max(-dx, 0.0), x[0]),
            math.copysign(max(-dy, 0.0), x[1]),
            math.copysign(max(-dz, 0.0), x[2]),
        )
        n = math.sqrt(vec3.dot(e, e))
        return -n, vec3.scale(1.0 / n, e)
    if dx <= dy and dx <= dz:
        return dx, (math.copysign(1.0, x[0]), 0.0, 0.0)
    if dy <= dz:
        return dy, (0.0, math.copysign(1.0, x[1]), 0.0)
    return dz, (0.0, 0.0, math.copysign(1.0, x[2]))


@kernel(inline=True)
def ball(x, radius):
    """Ball about the origin."""
    n = math.sqrt(vec3.dot(x, x))
    if n < 1e-12:
        return radius, (0.0, 0.0, 1.0)
    return radius - n, vec3.scale(1.0 / n, x)


@kernel(inline=True)
def capsule(x, size):
    """Capsule along z."""
    z = min(max(x[2], -size[1]), size[1])
    return ball((x[0], x[1], x[2] - z), size[0])


@kernel(inline=True)
def cylinder(x, size):
    """Cylinder along z: inside, the nearer of side and end; outside, the nearest point."""
    n = math.sqrt(x[0] * x[0] + x[1] * x[1])
    side, end = size[0] - n, size[1] - abs(x[2])
    if side < 0.0 and end < 0.0:
        gap = math.sqrt(side * side + end * end)
        s = -side / (n * gap)
        return -gap, (s * x[0], s * x[1], math.copysign(-end / gap, x[2]))
    if side < end:
        return side, (x[0] / n, x[1] / n, 0.0) if n > 1e-12 else (1.0, 0.0, 0.0)
    return end, (0.0, 0.0, math.copysign(1.0, x[2]))


@kernel(inline=True)
def ellipsoid(x, size):
    """Ellipsoid, to first order: the level function over its gradient."""
    g = (x[0] / (size[0] * size[0]), x[1] / (size[1] * size[1]), x[2] / (size[2] * size[2]))
    k = math.sqrt(vec3.dot(x, g))
    n = math.sqrt(vec3.dot(g, g))
    if n < 1e-12:
        return min(size[0], min(size[1], size[2])), (0.0, 0.0, 1.0)
    return k * (1.0 - k) / n, vec3.scale(1.0 / n, g)


@kernel(inline=True)
def depth(shape, x):
    """Depth and outward normal of the point `x` of the shape's frame."""
    size = vec3.load(shape.sizes, 0)
    if shape.kind == PLANE:
        return plane(x)
    if shape.kind == BOX:
        return box(x, size)
    if shape.kind == SPHERE:
        return ball(x, size[0])
    if shape.kind == CAPSULE:
        return capsule(x, size)
    if shape.kind == CYLINDER:
        return cylinder(x, size)
    return ellipsoid(x, size)
