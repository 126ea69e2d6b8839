"""Shapes of a scene as triangles that a page can draw: those that look alike share a mesh, and many are drawn coarsely."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

import numpy as np
from numpy.typing import NDArray

from stringless.formats.output.replay import covered_bones
from stringless.formats.output.replay_meshes import BODY_COLOR, WORLD_COLOR, Mesh, bar, shape_mesh, visible
from stringless.model import Model
from stringless.model.shapes import Shape
from stringless.studio.messages import MeshInfo, ShapeInfo

Floats = NDArray[np.float64]
MANY = 2000
"""Shapes from which on each is small on the page, and all of them together cost too much if they are round."""
COARSE, COARSEST = 0.4, 0.25
"""Share of the usual sides and rings that shapes have then, and small ones among them."""
SMALL = 0.1
"""Length of a shape that counts as small then [m]."""


class Meshes:
    """Meshes by what they are of."""

    def __init__(self) -> None:
        """None yet."""
        self.all: list[MeshInfo] = []
        self._known: dict[Hashable, int] = {}

    def number(self, key: Hashable, make: Callable[[], Mesh], smooth: bool = True) -> int:
        """The number of a mesh, made if it is the first of its kind; what we make ourselves is smooth where it is joined."""
        if key not in self._known:
            points, triangles = make()
            self._known[key] = len(self.all)
            self.all.append(MeshInfo(floats(points), numbers(triangles), smooth))
        return self._known[key]


def describe_shapes(model: Model) -> tuple[list[MeshInfo], list[ShapeInfo]]:
    """Meshes, and the shapes that are drawn with them: of bodies and of the world, but for flesh."""
    covered = covered_bones(model)
    meshes, shapes = Meshes(), list[ShapeInfo]()
    detail = COARSE if sum(len(body.shapes) for body in model.bodies) > MANY else 1.0
    for body, parts in [(-1, model.world_shapes), *((body.index, body.shapes) for body in model.bodies)]:
        usual = WORLD_COLOR if body < 0 else BODY_COLOR
        for mesh, color in _drawn(model, meshes, body, parts, detail):
            r, g, b, a = (*(color or usual), 1.0)[:4]
            shapes.append(ShapeInfo(body, mesh, body in covered, (r, g, b, a)))
    return meshes.all, shapes


def _drawn(
    model: Model, meshes: Meshes, body: int, shapes: tuple[Shape, ...], detail: float
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Mesh and own colour of all that is drawn of a body."""
    plain = visible(shapes)
    for shape in plain:
        key = (shape.kind, shape.size, shape.place)
        yield meshes.number(key, lambda shape=shape: _placed(shape, detail)), tuple(shape.color)
    if not plain and body >= 0:
        part = model.bodies[body]
        end = tuple(-c for c in part.spec.place.position) if part.parent >= 0 else (0.0, 0.0, 0.0)
        yield meshes.number(end, lambda: bar(end)), ()
    for shape in shapes:
        if shape.kind == "mesh" and shape.purpose != "collision" and shape.surface is not None:
            key = (id(shape.surface), shape.size, shape.place)
            yield meshes.number(key, lambda shape=shape: _surface(shape), False), tuple(shape.color)


def _placed(shape: Shape, detail: float) -> Mesh:
    """A shape along its body's axes."""
    small = detail < 1.0 and 2 * sum(shape.size[:2]) < SMALL
    points, triangles = shape_mesh(shape, COARSEST if small else detail)
    return points @ shape.place.matrix.T + np.asarray(shape.place.position), triangles


def _surface(shape: Shape) -> Mesh:
    assert shape.surface is not None
    points = shape.surface[0] * np.asarray(shape.size or (1.0, 1.0, 1.0))
    return points @ shape.place.matrix.T + np.asarray(shape.place.position), shape.surface[1]


def floats(values: Floats) -> bytes:
    """As little-endian float32."""
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def numbers(values: NDArray[np.int64]) -> bytes:
    """As little-endian uint32."""
    return np.ascontiguousarray(values, dtype="<u4").tobytes()
