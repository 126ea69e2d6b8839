"""Triangles and colours to draw the shapes of a model with. Edges that are to be seen have vertices of their own on each side."""

from collections.abc import Iterable

import numpy as np

from stringless.flesh import generators
from stringless.model.model import Model
from stringless.model.neutral_configuration import neutral_places
from stringless.model.shapes import Shape
from stringless.spatial.arrays import FloatArray, IntArray

BODY_COLOR = (0.86, 0.66, 0.43, 1.0)
WORLD_COLOR = (0.52, 0.54, 0.58, 1.0)
SKIN_COLOR = (0.85, 0.55, 0.42)
THIN = 0.02
"""Radius of the bar that stands for a body without shapes [m]."""
Mesh = tuple[FloatArray, IntArray]


def visible(shapes: Iterable[Shape], *, meshes: bool = False) -> list[Shape]:
    """The solids for drawing, or all if there are none for drawing; `meshes` with known triangles are solids if so said."""
    solid = [s for s in shapes if s.kind not in ("plane", "mesh") or (meshes and s.surface is not None)]
    return [shape for shape in solid if shape.purpose != "collision"] or solid


def covered_bones(model: Model) -> set[int]:
    """Bones that lie in the flesh they hold; a bone that sticks out is drawn."""
    inside: set[int] = set()
    for spec in model.flesh.specs if model.flesh else ():
        low, high = spec.vertices.min(axis=0), spec.vertices.max(axis=0)
        places = neutral_places(model.specs)
        for name in set(spec.bones) - {""}:
            shapes = visible(model.body(name).shapes)
            ends = [(places[name] @ shape.place).apply(point) for shape in shapes for point in shape_mesh(shape)[0]]
            if all(np.all(low <= end) and np.all(end <= high) for end in ends):
                inside.add(model.body(name).index)
    return inside


def shape_mesh(shape: Shape, detail: float = 1.0) -> Mesh:
    """Vertices (n, 3) [m] and triangles (m, 3) of a shape in its own axes; `detail` is a factor on its sides and rings."""
    size = shape.size

    def some(count: int, least: int) -> int:
        return max(least, round(detail * count))

    if shape.kind in ("sphere", "ellipsoid"):
        radii = size if len(size) == 3 else (size[0],) * 3
        surface = generators.ellipsoid((0, 0, 0), radii, some(15, 3), some(24, 6))
        return surface.vertices, surface.triangles
    if shape.kind == "capsule":
        surface = generators.capsule((0, 0, -size[1]), (0, 0, size[1]), size[0], some(16, 4), some(20, 6))
        return surface.vertices, surface.triangles
    if shape.kind == "cylinder":
        return _cylinder(size[0], size[1], some(32, 8))
    surface = generators.box((0, 0, 0), 2 * np.asarray(size))  # creased: every triangle with vertices of its own
    return surface.corners.reshape(-1, 3), np.arange(3 * len(surface.triangles)).reshape(-1, 3)


def bar(end: tuple[float, ...]) -> Mesh:
    """A thin bar from the origin, or a ball if it goes nowhere."""
    surface = generators.capsule((0, 0, 0), end, THIN, 12, 12) if any(end) else generators.sphere(radius=THIN)
    return surface.vertices, surface.triangles


def _cylinder(radius: float, half: float, sides: int) -> Mesh:
    """Along z: a wall with normals of its own, and two discs."""
    tube = generators.turned([(-half, radius), (half, radius)], sides)
    x = tube.vertices[:, [2, 0, 1]]
    cap = np.any(tube.triangles >= 2 * sides, axis=1)
    ends = tube.triangles[cap]
    return np.concatenate([x, x]), np.concatenate([tube.triangles[~cap], ends + len(x)])
