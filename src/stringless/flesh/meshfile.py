"""Closed surfaces from mesh files: OBJ, STL, PLY and GLB."""

from __future__ import annotations

import json
import logging
import math
import re
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np

from stringless.errors import InputError, ModelError, Problem
from stringless.flesh.objfile import read_obj
from stringless.flesh.surface import Floats, Surface, signed_volumes
from stringless.flesh.surface_checks import FARTHEST, check_surface, count_problem, lost_vertices
from stringless.flesh.surface_repair import Repair

# Rotations that bring the up axis of a file to y.
_TURNS = {
    "x": np.array([(0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]),
    "y": np.eye(3),
    "z": np.array([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)]),
}


def read_surface(
    path: str | Path, *, scale: float = 1.0, up: Literal["x", "y", "z"] = "y", name: str = ""
) -> tuple[Surface, list[Problem]]:
    """Read a mesh file and repair it to a closed surface; return it with a warning for every repair.

    Args:
        path: of an OBJ, STL, PLY or GLB file.
        scale: length of the file's unit [m], 0.001 for millimetres.
        up: the axis of the file that points up; it becomes y.
        name: what messages call the surface; the name of the file if not given.

    Raises:
        InputError: `scale` or `up` is out of range.
        ModelError: the file cannot be read, or not be repaired to a closed surface; the message says why.
    """
    path = Path(path)
    if not (math.isfinite(scale) and scale > 0):
        raise InputError(f"scale: found {scale}; expected a positive number, the file's unit in metres")
    if up not in _TURNS:
        raise InputError(f"up: found '{up}'; expected x, y or z")
    name = name or f"mesh '{path.name}'"
    vertices, triangles = _load(path, name)
    lost = lost_vertices(scale * vertices)
    if len(lost):
        found = f"{len(lost)} vertices with a coordinate that is not a finite number, or beyond {FARTHEST:g} m"
        raise ModelError(name, [Problem(name, found, "finite coordinates", "Export the file again.")])
    repair = Repair(Surface(scale * vertices @ _TURNS[up].T, triangles, name))
    repair.run()
    return _without_crossings(repair.surface, repair.notes)


def _load(path: Path, name: str) -> tuple[Floats, Any]:
    """Vertices and triangles as they stand in the file."""
    kind = path.suffix.lower().removeprefix(".")

    def refuse(found: str, expected: str, remedy: str = "") -> ModelError:
        return ModelError(name, [Problem(str(path), found, expected, remedy)])

    if kind not in KINDS:
        raise refuse(f"a file of type '{path.suffix}'", f"one of {', '.join(KINDS)}", "Convert it.")
    if not path.is_file():
        raise refuse("no file", "a mesh file", "Check the path.")
    if path.stat().st_size == 0:
        raise refuse("an empty file", "a mesh file", "Export it again.")
    too_many = count_problem(name, _announced_triangles(path, kind))
    if too_many:
        raise ModelError(name, [too_many])
    try:
        vertices, triangles = _parse(path, kind)
    except Exception as error:  # every format's parser raises its own
        reason = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, ImportError):  # the reader fell back to guessing how the text is encoded
            reason = "neither the binary nor the text form of this type"
        raise refuse(f"something that cannot be read ({reason[:200]})", f"a {kind.upper()} file") from error
    if len(triangles) == 0:
        raise refuse("no triangles", "a mesh", "Export the surface, not only points or curves.")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise refuse("a triangle that names a vertex which does not exist", f"vertices from 0 to {len(vertices) - 1}")
    too_many = count_problem(name, len(triangles))
    if too_many:
        raise ModelError(name, [too_many])
    return vertices, triangles


def _parse(path: Path, kind: str) -> tuple[Floats, Any]:
    if kind == "obj":
        return read_obj(path)
    import trimesh  # here, because it is slow to import and few scenes need it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger("trimesh").addHandler(logging.NullHandler())
        mesh = trimesh.load_mesh(str(path), file_type=kind, process=False, skip_materials=True)
    return np.array(mesh.vertices, float).reshape(-1, 3), np.array(mesh.faces, np.int64).reshape(-1, 3)


def _announced_triangles(path: Path, kind: str) -> int:
    """How many triangles a file says it has, before the slow reading; 0 if that cannot be told."""
    try:
        return KINDS[kind](path)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, struct.error):
        return 0  # not a proper file; the reader will say so


def _count_stl(path: Path) -> int:
    with path.open("rb") as file:
        head = file.read(84)
    (count,) = struct.unpack("<I", head[80:84])
    return count if path.stat().st_size == 84 + 50 * count else _count_lines(path, rb"\bendfacet")


def _count_ply(path: Path) -> int:
    with path.open("rb") as file:
        head = file.read(65536)
    found = re.search(rb"element\s+face\s+(\d+)", head)
    return int(found[1]) if found else 0


def _count_glb(path: Path) -> int:
    with path.open("rb") as file:
        magic, _, _, length, kind = struct.unpack("<4sIIII", file.read(20))
        if magic != b"glTF" or kind != 0x4E4F534A or length > path.stat().st_size:
            return 0
        scene = json.loads(file.read(length))
    accessors = scene.get("accessors", [])
    primitives = [part for mesh in scene.get("meshes", []) for part in mesh["primitives"]]
    counted = [part["indices"] if "indices" in part else part["attributes"]["POSITION"] for part in primitives]
    return sum(accessors[index]["count"] // 3 for index in counted)


def _count_lines(path: Path, pattern: bytes) -> int:
    expression = re.compile(pattern, re.MULTILINE)
    total, rest = 0, b""
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            whole, newline, rest = (rest + block).rpartition(b"\n")
            total += len(expression.findall(whole + newline))
    return total + len(expression.findall(rest))


KINDS: dict[str, Callable[[Path], int]] = {
    "obj": lambda path: _count_lines(path, rb"^[ \t]*f[ \t]"),
    "stl": _count_stl,
    "ply": _count_ply,
    "glb": _count_glb,
}
"""File types, by the end of their name, and how to count what one announces."""


# --- places where the surface crosses itself --------------------------------------------------------------------------


def _without_crossings(surface: Surface, notes: list[Problem]) -> tuple[Surface, list[Problem]]:
    """Join pieces that overlap; refuse what remains wrong."""
    problems = check_surface(surface)
    if any(problem.severity == "error" for problem in problems):
        joined = _join_pieces(surface)
        if joined is None:
            raise ModelError(surface.name, problems + notes)
        found, expected = "pieces that overlap", "a surface that does not cross itself"
        notes = [*notes, Problem(surface.name, found, expected, "They were joined into one.", severity="warning")]
        surface, problems = joined, check_surface(joined)
        if any(problem.severity == "error" for problem in problems):
            raise ModelError(surface.name, problems + notes)
    return surface, notes + problems


def _join_pieces(surface: Surface) -> Surface | None:
    """The union of the solid pieces without the hollow ones; none if that does not help or cannot be done."""
    import manifold3d as manifold  # here, because few scenes need it

    pieces = surface.components
    if pieces.max() == 0:
        return None
    volumes = np.bincount(pieces, weights=signed_volumes(surface.corners - surface.bounds.mean(axis=0)))
    solids: list[Any] = []
    hollows: list[Any] = []
    for piece, volume in enumerate(volumes):
        triangles = surface.triangles[pieces == piece]
        used, numbers = np.unique(triangles, return_inverse=True)
        corners = numbers.reshape(-1, 3) if volume > 0 else numbers.reshape(-1, 3)[:, ::-1]
        mesh = manifold.Mesh64(surface.vertices[used], np.ascontiguousarray(corners, np.uint64))
        body = manifold.Manifold(mesh)
        if body.status() != manifold.Error.NoError or body.is_empty():
            return None
        (solids if volume > 0 else hollows).append(body)
    joined = manifold.Manifold.batch_boolean(solids, manifold.OpType.Add)
    for hollow in hollows:
        joined = joined - hollow
    mesh = joined.to_mesh64()
    if len(mesh.tri_verts) == 0:
        return None
    repair = Repair(
        Surface(np.array(mesh.vert_properties[:, :3], float), np.array(mesh.tri_verts, np.int64), surface.name)
    )
    repair.run()
    return repair.surface
