"""Closed surfaces made by code: rings of vertices joined to each other, with a pole at each end.

All of them are mirror-symmetric where the shape is, as far as the number of sides allows: an even number of sides gives
one plane through the axis that mirrors vertices and triangles, a multiple of four gives two.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError
from stringless.flesh.surface import Surface
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

_UP = (0.0, 1.0, 0.0)
_TIE = 1e-9
"""Diagonals of a quadrangle whose lengths differ by less than this part count as equal."""


def sphere(center: ArrayLike = (0, 0, 0), radius: float = 1.0, rings: int = 15, sides: int = 24) -> Surface:
    """A sphere with its poles along y: `rings` circles of `sides` vertices and two poles.

    Args:
        center: [m].
        radius: [m].
        rings: at least 1.
        sides: at least 3.
    """
    return ellipsoid(center, (radius, radius, radius), rings, sides)


def ellipsoid(center: ArrayLike, radii: ArrayLike, rings: int = 15, sides: int = 24) -> Surface:
    """An ellipsoid with its poles along y and half axes `radii` (3,) [m]; otherwise as `sphere`."""
    middle, half = vector(center, "center"), vector(radii, "radii")
    _require(bool(np.all(half > 0)), "radii", tuple(half), "positive lengths [m]")
    _require(rings >= 1, "rings", rings, "at least 1")
    angle = math.pi * np.arange(1, rings + 1) / (rings + 1)
    circle = _circle(sides, np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    points = _exact_sin(angle)[:, None, None] * circle + _exact_cos(angle)[:, None, None] * np.array(_UP)
    poles = np.array([_UP, (0.0, -1.0, 0.0)])
    return _close(middle + half * points, middle + half * poles, "ellipsoid")


def capsule(a: ArrayLike, b: ArrayLike, radius: float, rings: int = 16, sides: int = 16) -> Surface:
    """A cylinder from a to b with half a sphere at each end.

    Args:
        a: middle of one end of the cylinder [m].
        b: middle of the other [m].
        radius: [m].
        rings: circles of vertices in all, at least 2; shared out by length between the cylinder and the ends.
        sides: vertices of a circle, at least 3.
    """
    start, end = vector(a, "a"), vector(b, "b")
    length = float(np.linalg.norm(end - start))
    _require(length > 0, "b", tuple(end), "another point than a")
    _require(radius > 0, "radius", radius, "a positive length [m]")
    _require(rings >= 2, "rings", rings, "at least 2")
    arc = math.pi / 2 * radius
    cap = min(max(round(rings * arc / (2 * arc + length)), 1), rings // 2)
    body = rings - 2 * (cap - 1)
    along = np.linspace(0.0, 1.0, body)[:, None]
    points = (1 - along) * start + along * end
    return tube(points, np.full(body, radius), sides, cap_rings=cap - 1, name="capsule")


def tube(
    points: ArrayLike,
    radii: ArrayLike,
    sides: int = 16,
    *,
    cap_rings: int = 2,
    up: ArrayLike = _UP,
    name: str = "tube",
) -> Surface:
    """A tube through `points`, one ring of vertices at each, closed with round ends.

    The rings are carried along without twist (double reflection: Wang, Jüttler, Zheng, Liu 2008).

    Args:
        points: (n, 3) middles of the rings [m], at least 2, neighbours apart.
        radii: (n,) radius of each ring [m].
        sides: vertices of a ring, at least 3.
        cap_rings: rings of each round end, between the last ring given and the pole.
        up: (3,) side of the tube on which the first vertex of the first ring lies.
        name: of the surface.
    """
    middles, widths = np.asarray(points, float), np.asarray(radii, float)
    _require(middles.ndim == 2 and middles.shape[1:] == (3,) and len(middles) >= 2, "points", middles.shape, "(n, 3)")
    _require(widths.shape == (len(middles),), "radii", widths.shape, f"({len(middles)},), one for each point")
    _require(bool(np.all(widths > 0)), "radii", float(widths.min()), "positive lengths [m]")
    _require(cap_rings >= 0, "cap_rings", cap_rings, "0 or more")
    steps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    _require(bool(np.all(steps > 0)), "points", "two neighbours in one place", "neighbours apart")
    tangents = _tangents(middles)
    normals = _carry(middles, tangents, vector(up, "up"))
    # The ends are rounded: rings that shrink like the circles of a sphere, then the pole.
    angle = math.pi / 2 * np.arange(1, cap_rings + 1) / (cap_rings + 1)
    shrink, reach = np.cos(angle), np.sin(angle)
    head = middles[0] - widths[0] * reach[::-1, None] * tangents[0]
    tail = middles[-1] + widths[-1] * reach[:, None] * tangents[-1]
    centers = np.concatenate([head, middles, tail])
    size = np.concatenate([widths[0] * shrink[::-1], widths, widths[-1] * shrink])
    which = np.concatenate([np.zeros(cap_rings, int), np.arange(len(middles)), np.full(cap_rings, len(middles) - 1)])
    rings = np.stack([_circle(sides, normals[k], np.cross(tangents[k], normals[k])) for k in which])
    poles = np.stack([middles[0] - widths[0] * tangents[0], middles[-1] + widths[-1] * tangents[-1]])
    return _close(centers[:, None] + size[:, None, None] * rings, poles, name)


def torus(
    major: float, minor: float, rings: int = 32, sides: int = 16, *, center: ArrayLike = (0, 0, 0), axis: str = "y"
) -> Surface:
    """A ring.

    Args:
        major: radius of the circle that the tube follows [m].
        minor: radius of the tube [m], less than `major`.
        rings: sections along the circle, at least 3.
        sides: vertices of a section, at least 3.
        center: [m].
        axis: `x`, `y` or `z`: what the ring goes round.
    """
    _require(0 < minor < major, "minor", minor, f"between 0 and the major radius {major:g} [m]")
    _require(rings >= 3, "rings", rings, "at least 3")
    _require(axis in ("x", "y", "z"), "axis", axis, "x, y or z")
    k = "xyz".index(axis)
    e, u, v = np.eye(3)[[k, (k + 1) % 3, (k + 2) % 3]]
    outward = _circle(rings, u, v)
    section = _circle(sides, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    reach = major + minor * section[:, 0]
    points = reach[None, :, None] * outward[:, None] - minor * section[None, :, 1, None] * e
    x = (vector(center, "center") + points).reshape(-1, 3)
    number = np.arange(rings * sides).reshape(rings, sides)
    return Surface(x, _quads(x, number, np.roll(number, -1, axis=0)), "torus")


def turned(outline: ArrayLike, sides: int = 24, *, name: str = "turned") -> Surface:
    """The solid of an outline turned about the y axis.

    Args:
        outline: (n, 2) height and radius of each ring from one end to the other [m]; the ends are closed flat.
        sides: vertices of a ring, at least 3.
        name: of the surface.
    """
    line = np.asarray(outline, float)
    _require(line.ndim == 2 and line.shape[1:] == (2,) and len(line) >= 2, "outline", line.shape, "(n, 2)")
    _require(bool(np.all(np.isfinite(line))), "outline", "a number that is not finite", "finite lengths [m]")
    _require(bool(np.all(line[:, 1] > 0)), "outline", float(line[:, 1].min()), "positive radii [m]")
    circle = _circle(sides, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    rings = line[:, 1, None, None] * circle + line[:, 0, None, None] * np.array(_UP)
    return _close(rings, line[[0, -1], :1] * np.array(_UP), name)


def box(center: ArrayLike, size: ArrayLike, cells: tuple[int, int, int] = (1, 1, 1)) -> Surface:
    """A box with edges `size` (3,) [m], its faces divided into `cells` along x, y and z."""
    middle, edges = vector(center, "center"), vector(size, "size")
    _require(bool(np.all(edges > 0)), "size", tuple(edges), "positive lengths [m]")
    _require(all(n >= 1 for n in cells), "cells", cells, "at least 1 in each direction")
    grid = np.arange(np.prod([n + 1 for n in cells])).reshape([n + 1 for n in cells])
    faces: list[IntArray] = []
    for axis in range(3):
        for end in (0, -1):
            # Rows along the next axis, columns along the one after: counter-clockwise seen from the positive side.
            number = np.moveaxis(grid, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2))[end]
            number = number if end else number.T
            a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
            even = np.indices(a.shape).sum(axis=0).reshape(-1) % 2 == 0  # mirrored, as in `_quads`
            faces.append(_halves(np.stack([a, b, c, d], axis=-1).reshape(-1, 4), even))
    used, triangles = np.unique(np.concatenate(faces), return_inverse=True)
    place = np.stack(np.unravel_index(used, grid.shape), axis=1)
    # Counted from the middle, so that both halves are rounded alike.
    x = middle + (place - np.array(cells) / 2) * (edges / np.array(cells))
    return Surface(x, triangles.reshape(-1, 3), "box")


# --- parts ------------------------------------------------------------------------------------------------------------


def vector(value: ArrayLike, what: str) -> FloatArray:
    """Three finite numbers.

    Raises:
        InputError: the value is something else.
    """
    array = np.asarray(value, float)
    _require(array.shape == (3,) and bool(np.all(np.isfinite(array))), what, value, "three finite numbers")
    return array


def _require(condition: bool, what: str, found: object, expected: str) -> None:
    if not condition:
        raise InputError(f"{what}: found {found}; expected {expected}")


def _exact_cos(angle: FloatArray) -> FloatArray:
    """Cosine that takes opposite values at mirrored angles: computed within the first quarter only."""
    folded = np.minimum(angle, math.pi - angle)
    return np.where(angle > math.pi / 2, -1.0, 1.0) * np.cos(folded)


def _exact_sin(angle: FloatArray) -> FloatArray:
    return np.sin(np.minimum(angle, math.pi - angle))


def _circle(sides: int, u: FloatArray, v: FloatArray) -> FloatArray:
    """(sides, 3) points of a unit circle in the plane of u and v, the first along u."""
    _require(sides >= 3, "sides", sides, "at least 3")
    angle = 2 * math.pi * np.arange(sides) / sides
    folded = np.minimum(angle, 2 * math.pi - angle)
    sine = np.where(angle > math.pi, -1.0, 1.0) * _exact_sin(folded)
    return _exact_cos(folded)[:, None] * u + sine[:, None] * v


def _tangents(points: FloatArray) -> FloatArray:
    """(n, 3) directions of a smooth curve through the points: that of the parabola through each and its neighbours."""
    steps = np.diff(points, axis=0)
    length = np.linalg.norm(steps, axis=1, keepdims=True)
    slope = steps / length
    tangents = np.empty_like(points)
    tangents[1:-1] = (slope[:-1] * length[1:] + slope[1:] * length[:-1]) / (length[:-1] + length[1:])
    tangents[0] = slope[0] if len(points) == 2 else 2 * slope[0] - tangents[1]
    tangents[-1] = slope[-1] if len(points) == 2 else 2 * slope[-1] - tangents[-2]
    size = np.linalg.norm(tangents, axis=1, keepdims=True)
    _require(bool(np.all(size > 1e-9)), "points", "a curve that turns back on itself", "a turn of less than 180°")
    return tangents / size


def _carry(points: FloatArray, tangents: FloatArray, up: FloatArray) -> FloatArray:
    """(n, 3) normals carried along the curve without twist, the first one towards `up`."""
    for direction in (up, np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])):
        first = direction - (direction @ tangents[0]) * tangents[0]
        if np.linalg.norm(first) > 0.1 * np.linalg.norm(direction) > 0:
            break
    normals = [first / np.linalg.norm(first)]
    for k in range(len(points) - 1):
        step = points[k + 1] - points[k]
        normal, tangent = (w - 2 * (step @ w) / (step @ step) * step for w in (normals[-1], tangents[k]))
        turn = tangents[k + 1] - tangent
        if turn @ turn > 0:
            normal = normal - 2 * (turn @ normal) / (turn @ turn) * turn
        normal = normal - (normal @ tangents[k + 1]) * tangents[k + 1]
        normals.append(normal / np.linalg.norm(normal))
    return np.stack(normals)


def _close(rings: FloatArray, poles: FloatArray, name: str) -> Surface:
    """Join rings (k, sides, 3) to each other and to a pole at each end; turn the result outward."""
    count, sides, _ = rings.shape
    x = np.concatenate([rings.reshape(-1, 3), poles])
    number = np.arange(count * sides).reshape(count, sides)
    first, last = number[0], number[-1]
    start, end = np.full(sides, count * sides), np.full(sides, count * sides + 1)
    triangles = np.concatenate(
        [
            np.stack([start, np.roll(first, -1), first], axis=1),
            _quads(x, number[:-1], number[1:]),
            np.stack([end, last, np.roll(last, -1)], axis=1),
        ]
    )
    surface = Surface(x, triangles, name)
    return surface if surface.volume > 0 else surface.flipped()


def _quads(x: FloatArray, lower: IntArray, upper: IntArray) -> IntArray:
    """Triangles between rings (k, sides) and the ones after them, each quadrangle cut along its shorter diagonal.

    Where both are equal the cuts change like the fields of a chessboard: a plane of vertices then mirrors the triangles
    too, which cuts that all lean the same way would not allow.
    """
    a, b = lower.reshape(-1), np.roll(lower, -1, axis=1).reshape(-1)
    d, c = upper.reshape(-1), np.roll(upper, -1, axis=1).reshape(-1)
    ac, bd = np.linalg.norm(x[a] - x[c], axis=1), np.linalg.norm(x[b] - x[d], axis=1)
    even = np.indices(lower.shape).sum(axis=0).reshape(-1) % 2 == 0
    straight = np.where(np.abs(ac - bd) <= _TIE * bd, even, ac < bd)
    return _halves(np.stack([a, b, c, d], axis=1), straight)


def _halves(quads: IntArray, straight: BoolArray) -> IntArray:
    """Two triangles of each quadrangle a, b, c, d (n, 4): cut from a to c where `straight` (n,), else from b to d."""
    a, b, c, d = quads.T
    first = np.where(straight, (a, b, c), (a, b, d)).T
    second = np.where(straight, (a, c, d), (b, c, d)).T
    return np.stack([first, second], axis=1).reshape(-1, 3)
