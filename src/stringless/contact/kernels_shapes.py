"""How deep a point is inside a shape, and which way out is shortest.

Each function takes a point in the shape's own frame and returns its depth (positive inside) and the outward normal at
the nearest point of the surface. To add a shape: write its function and name it in `depth`. Meshes have a module of
their own.
"""

import math

import numpy as np

from stringless.jit import kernel
from stringless.spatial import vec3

NEWTON_STEPS = 40
"""Most steps to the nearest point of an ellipsoid; about six do, more where it is as thin as a leaf."""
TRIFLE = 1e-9
"""How far a point keeps from the planes of symmetry of an ellipsoid, as a part of its size."""
PLANE, BOX, SPHERE, CAPSULE, CYLINDER, ELLIPSOID, MESH = 0, 1, 2, 3, 4, 5, 6
CODES = {
    "plane": PLANE,
    "box": BOX,
    "sphere": SPHERE,
    "capsule": CAPSULE,
    "cylinder": CYLINDER,
    "ellipsoid": ELLIPSOID,
    "mesh": MESH,
}

OBSTACLE_ROW = np.dtype(
    [
        ("kind", np.int64),
        ("mesh", np.int64),  # row in the table of meshes, -1 for other kinds
        ("body", np.int64),  # body it is fixed to, -1 for the world
        ("end", np.int64),  # where the next run begins (`mark_runs`)
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
    """Ellipsoid: the nearest point is `y_k = a_k² x_k/(a_k² + t)` with the `t` that puts it on the surface.

    `Σ (a_k x_k/(a_k² + t))² = 1` falls and is convex right of its last pole, so Newton's steps from a value left of the
    root climb to it. `t` is counted from that pole, or digits would be lost near the middle.
    """
    least = min(size[0], size[1], size[2])
    # A point exactly on a plane of symmetry is moved off it by a trifle: it then has one way out.
    a = math.copysign(max(abs(x[0]), TRIFLE * size[0]), x[0]) * size[0]
    b = math.copysign(max(abs(x[1]), TRIFLE * size[1]), x[1]) * size[1]
    c = math.copysign(max(abs(x[2]), TRIFLE * size[2]), x[2]) * size[2]
    base = least * least
    A, B, C = size[0] * size[0] - base, size[1] * size[1] - base, size[2] * size[2] - base
    t = max(abs(a) - A, abs(b) - B, abs(c) - C)
    for _ in range(NEWTON_STEPS):
        u, v, w = a / (A + t), b / (B + t), c / (C + t)
        excess = u * u + v * v + w * w - 1.0
        step = 0.5 * excess / (u * u / (A + t) + v * v / (B + t) + w * w / (C + t))
        t += step
        if step <= 1e-14 * t:
            break
    # The nearest point is (size u, size v, size w), and its normal has the direction (u, v, w)/size.
    u, v, w = a / (A + t), b / (B + t), c / (C + t)
    n = (u / size[0], v / size[1], w / size[2])
    n = vec3.scale(1.0 / math.sqrt(vec3.dot(n, n)), n)
    return n[0] * (size[0] * u - x[0]) + n[1] * (size[1] * v - x[1]) + n[2] * (size[2] * w - x[2]), n


@kernel(inline=True)
def depth(shape, x):
    """Depth and outward normal of the point `x` of the shape's frame, for all kinds but meshes."""
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


# --- the way into a box ---------------------------------------------------------------------------------------------
# The nearest face of a thin box may be the far one. A point that came in through a face goes out through it.


@kernel(inline=True)
def entered_face(x, before, size):
    """Face of a box that the straight way from `before` to `x` enters by: twice its axis, plus 1 on the high side.

    -1 if the way misses the box or only leaves it; the nearest face if all of it is inside.
    """
    face, enter, leave = -1, 0.0, 1.0
    for k in range(3):
        way = x[k] - before[k]
        if way == 0.0:
            if abs(x[k]) > size[k]:
                return -1
            continue
        side = math.copysign(size[k], way)
        near, far = (-side - before[k]) / way, (side - before[k]) / way
        if near >= enter:
            enter, face = near, 2 * k + (1 if way < 0.0 else 0)
        leave = min(leave, far)
    if enter > leave:
        return -1
    if face < 0 and leave == 1.0:
        return nearest_face(x, size)
    return face


@kernel(inline=True)
def nearest_face(x, size):
    """Face of a box nearest to a point inside."""
    dx, dy, dz = size[0] - abs(x[0]), size[1] - abs(x[1]), size[2] - abs(x[2])
    axis = 0 if dx <= dy and dx <= dz else (1 if dy <= dz else 2)
    return 2 * axis + (1 if x[axis] > 0.0 else 0)


@kernel(inline=True)
def behind_face(x, size, face):
    """How far a point stands behind a face of a box; 0 when it has left by the sides, or farther than the box is long."""
    axis = face // 2
    side = 1.0 if face % 2 == 1 else -1.0
    d = size[axis] - side * x[axis]
    for k in range(3):
        if k != axis and abs(x[k]) > size[k]:
            d = 0.0
    if d > 2.0 * size[axis] + max(size[0], size[1], size[2]):
        d = 0.0
    n = (side if axis == 0 else 0.0, side if axis == 1 else 0.0, side if axis == 2 else 0.0)
    return max(d, 0.0), n


@kernel(inline=True)
def way_out(shape, x, before, face):
    """Depth, outward normal and face of entry (-1 for none) of a point that was at `before` a step ago.

    `face` is the one it came in by earlier, -1 if it was outside.
    """
    if shape.kind == BOX:
        size = vec3.load(shape.sizes, 0)
        if face < 0:
            face = entered_face(x, before, size)
        if face >= 0:
            d, n = behind_face(x, size, face)
            if d > 0.0:
                return d, n, face
    d, n = depth(shape, x)
    return d, n, -1
