"""Shapes of a scene as triangles: those that look alike share a mesh, and large scenes get coarse ones."""

from collections.abc import Callable, Hashable, Iterator
from functools import partial

import numpy as np

from stringless.formats.output.shape_meshes import (
    BODY_COLOR,
    WORLD_COLOR,
    Mesh,
    bar,
    covered_bones,
    shape_mesh,
    visible,
)
from stringless.model import Model
from stringless.model.shapes import Shape
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.studio.frames import pack_array
from stringless.studio.messages import MeshInfo, ShapeInfo

MANY = 2000
"""Number of shapes above which each is small on the page, and all of them together cost too much if they are round."""
COARSE, COARSEST = 0.4, 0.25
"""Share of the usual sides and rings that shapes have then, and small ones among them."""
SMALL = 0.1
"""Length of a shape that counts as small then [m]."""


class Meshes:
    """The meshes of a scene, each once."""

    def __init__(self) -> None:
        self.all: list[MeshInfo] = []
        self._known: dict[Hashable, int] = {}

    def number(self, key: Hashable, make: Callable[[], Mesh], smooth: bool = True) -> int:
        """The number of the mesh with this key, made if it is the first; meshes of our own are smooth."""
        if key not in self._known:
            points, triangles = make()
            self._known[key] = len(self.all)
            self.all.append(MeshInfo(pack_array(points), pack_array(triangles, "<u4"), smooth))
        return self._known[key]


def build_shapes(model: Model) -> tuple[list[MeshInfo], list[ShapeInfo]]:
    """Meshes, and the shapes of bodies and of the world that use them, without flesh."""
    covered = covered_bones(model)
    meshes, shapes = Meshes(), list[ShapeInfo]()
    detail = COARSE if sum(len(body.shapes) for body in model.bodies) > MANY else 1.0
    for body, parts in [(-1, model.world_shapes), *((body.index, body.shapes) for body in model.bodies)]:
        usual = WORLD_COLOR if body < 0 else BODY_COLOR
        for mesh, color in _list_meshes(model, meshes, body, parts, detail):
            r, g, b, a = (*(color or usual), 1.0)[:4]
            shapes.append(ShapeInfo(body, mesh, body in covered, (r, g, b, a)))
    return meshes.all, shapes


def _list_meshes(
    model: Model, meshes: Meshes, body: int, shapes: tuple[Shape, ...], detail: float
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Mesh and own colour of everything that is drawn of a body; a body without shapes is drawn as a bar."""
    plain = visible(shapes)
    for shape in plain:
        key = (shape.kind, shape.size, shape.place)
        share = COARSEST if detail < 1.0 and 2 * sum(shape.size[:2]) < SMALL else detail
        yield meshes.number(key, lambda s=shape, k=share: _place_mesh(s, *shape_mesh(s, k))), tuple(shape.color)
    if not plain and body >= 0:
        part = model.bodies[body]
        end = tuple(-c for c in part.spec.place.position) if part.parent >= 0 else (0.0, 0.0, 0.0)
        yield meshes.number(end, lambda: bar(end)), ()
    for shape in shapes:
        if shape.kind == "mesh" and shape.purpose != "collision" and shape.surface is not None:
            key = (id(shape.surface), shape.size, shape.place)
            points, triangles = shape.surface
            points = points * np.asarray(shape.size or (1.0, 1.0, 1.0))
            yield meshes.number(key, partial(_place_mesh, shape, points, triangles), False), tuple(shape.color)


def _place_mesh(shape: Shape, points: FloatArray, triangles: IntArray) -> Mesh:
    """The mesh of a shape along the axes of its body."""
    return points @ shape.place.matrix.T + np.asarray(shape.place.position), triangles
