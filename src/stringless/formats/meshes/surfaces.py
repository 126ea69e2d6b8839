"""From a mesh file to a closed surface."""

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np

from stringless.errors import InputError, ModelError, Problem
from stringless.flesh.surface import Surface
from stringless.flesh.surface_checks import FARTHEST, count_problem, lost_vertices
from stringless.flesh.surface_repair import Repair, join_overlaps
from stringless.formats.registry import Reader, find_readers, list_readers, list_suffixes
from stringless.spatial.arrays import FloatArray

# Rotations that bring the up axis of a file to y.
_TURNS = {
    "x": np.array([(0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]),
    "y": np.eye(3),
    "z": np.array([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)]),
}


def read_surface(path: Path, scale: float, up: str, name: str) -> tuple[Surface, list[Problem]]:
    """Read and repair a file, as `read_surface` of the package says."""
    if not (math.isfinite(scale) and scale > 0):
        raise InputError(f"scale: found {scale}; expected a positive number, the file's unit in metres")
    if up not in _TURNS:
        raise InputError(f"up: found '{up}'; expected x, y or z")
    vertices, triangles = _load(path, name)
    lost = lost_vertices(scale * vertices)
    if len(lost):
        found = f"{len(lost)} vertices with a coordinate that is not a finite number, or beyond {FARTHEST:g} m"
        raise ModelError(name, [Problem(name, found, "finite coordinates", "Export the file again.")])
    repair = Repair(Surface(scale * vertices @ _TURNS[up].T, triangles, name))
    repair.run()
    return join_overlaps(repair.surface, repair.notes)


def _load(path: Path, name: str) -> tuple[FloatArray, Any]:
    """Vertices and triangles as they stand in the file."""

    def refuse(found: str, expected: str, remedy: str = "") -> ModelError:
        return ModelError(name, [Problem(str(path), found, expected, remedy)])

    reader = next(iter(find_readers(path, "mesh")), None)
    if reader is None:
        known = ", ".join(suffix[1:] for suffix in list_suffixes(list_readers("mesh")))
        raise refuse(f"a file of type '{path.suffix}'", f"one of {known}", "Convert it.")
    if not path.is_file():
        raise refuse("no file", "a mesh file", "Check the path.")
    if path.stat().st_size == 0:
        raise refuse("an empty file", "a mesh file", "Export it again.")
    too_many = count_problem(name, _announced_triangles(path, reader))
    if too_many:
        raise ModelError(name, [too_many])
    try:
        vertices, triangles = reader.function(path)
    except Exception as error:  # every format's parser raises its own
        reason = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, ImportError):  # the reader fell back to guessing how the text is encoded
            reason = "neither the binary nor the text form of this type"
        raise refuse(f"something that cannot be read ({reason[:200]})", f"a {reader.name} file") from error
    if len(triangles) == 0:
        raise refuse("no triangles", "a mesh", "Export the surface, not only points or curves.")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise refuse("a triangle that names a vertex which does not exist", f"vertices from 0 to {len(vertices) - 1}")
    too_many = count_problem(name, len(triangles))
    if too_many:
        raise ModelError(name, [too_many])
    return vertices, triangles


def _announced_triangles(path: Path, reader: Reader) -> int:
    """How many triangles a file says it has, before the slow reading; 0 if that cannot be told."""
    try:
        return reader.count(path) if reader.count is not None else 0
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, struct.error):
        return 0  # not a proper file; the reader will say so
