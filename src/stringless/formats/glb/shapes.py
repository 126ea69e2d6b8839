"""Shapes of bodies and of the world as meshes of a GLB file."""

from collections.abc import Iterable

import numpy as np
import pygltflib as gltf

from stringless.formats.glb.file import GlbFile
from stringless.formats.output.shape_meshes import BODY_COLOR, WORLD_COLOR, shape_mesh, visible
from stringless.model.model import Model
from stringless.model.shapes import Shape
from stringless.spatial.arrays import FloatArray, IntArray

FLOOR_COLOR = (0.30, 0.31, 0.33, 1.0)
FLOOR_MARGIN = 2.0
"""How far a floor reaches beyond all that moves on it [m]."""


def body_mesh(file: GlbFile, name: str, shapes: Iterable[Shape]) -> int | None:
    """One mesh of all shapes of a body, along its axes; none if there is nothing to draw."""
    parts = _parts(file, shapes, BODY_COLOR)
    return file.mesh(name=name, primitives=parts) if parts else None


def add_world(file: GlbFile, model: Model, low: FloatArray, high: FloatArray) -> None:
    """What stands around: shapes of the world, and floors that reach under everything between two corners."""
    floors = [shape for shape in model.world_shapes if shape.kind == "plane"]
    if solid := _parts(file, model.world_shapes, WORLD_COLOR):
        file.node("world", top=True, mesh=file.mesh(name="world", primitives=solid))
    for shape in floors:
        part = _primitive(file, *_floor(shape, low, high), tuple(shape.color) or FLOOR_COLOR)
        file.node(shape.name or "floor", top=True, mesh=file.mesh(name="floor", primitives=[part]))


def _parts(file: GlbFile, shapes: Iterable[Shape], color: tuple[float, ...]) -> list[gltf.Primitive]:
    """Shapes in their body's axes, as far as there is something to draw."""
    parts = list[gltf.Primitive]()
    for shape in visible(shapes, meshes=True):
        if shape.surface is not None:
            points, triangles = shape.surface[0] * np.asarray(shape.size or (1.0, 1.0, 1.0)), shape.surface[1]
        else:
            points, triangles = shape_mesh(shape)
        x = points @ shape.place.matrix.T + np.asarray(shape.place.position)
        if len(triangles):
            parts.append(_primitive(file, x, triangles, tuple(shape.color) or color))
    return parts


def _primitive(file: GlbFile, x: FloatArray, triangles: IntArray, color: tuple[float, ...]) -> gltf.Primitive:
    attributes = gltf.Attributes(POSITION=file.points(x), NORMAL=file.vectors(normals(x[None], triangles)[0]))
    return gltf.Primitive(attributes=attributes, indices=file.triangles(triangles), material=file.material(color))


def _floor(shape: Shape, low: FloatArray, high: FloatArray) -> tuple[FloatArray, IntArray]:
    """A square in a plane, under the middle of the corners and wide enough for both."""
    R, origin = shape.place.matrix, np.asarray(shape.place.position)
    middle = (low + high) / 2
    center = middle - R[:, 2] * float(R[:, 2] @ (middle - origin))
    half = float(np.max(high - low)) / 2 + FLOOR_MARGIN
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    return center + corners @ R[:, :2].T, np.array([(0, 1, 2), (0, 2, 3)])


def normals(x: FloatArray, triangles: IntArray) -> FloatArray:
    """Unit normals of the vertices in each of k frames, (k, n, 3): of the triangles around, by their areas."""
    a, b, c = (x[:, triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    total = np.zeros(x.shape)
    for k in range(3):
        for frame, across in zip(total, face, strict=True):
            for axis in range(3):
                frame[:, axis] += np.bincount(triangles[:, k], across[:, axis], len(frame))
    length = np.linalg.norm(total, axis=2, keepdims=True)
    # A vertex without any area around has no normal of its own; up is as good as any.
    return np.where(length > 0, total / np.maximum(length, 1e-300), (0.0, 1.0, 0.0))
