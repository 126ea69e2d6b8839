"""Mesh files: OBJ, STL, PLY and GLB, for shapes and for flesh.

A reader of one has a function beside it that counts the triangles which a file says it has, before the slow reading.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from stringless.formats.registry import register_reader

if TYPE_CHECKING:
    from stringless.errors import Problem
    from stringless.flesh.surface import Surface
    from stringless.formats.meshes.files import Triangles


def count_stl(path: Path) -> int:
    """The number in the head of a binary file, or the facets of a text."""
    with path.open("rb") as file:
        head = file.read(84)
    (count,) = struct.unpack("<I", head[80:84])
    return count if path.stat().st_size == 84 + 50 * count else _count_lines(path, rb"\bendfacet")


def count_ply(path: Path) -> int:
    """What the head announces."""
    with path.open("rb") as file:
        head = file.read(65536)
    found = re.search(rb"element\s+face\s+(\d+)", head)
    return int(found[1]) if found else 0


def count_glb(path: Path) -> int:
    """What the accessors of all meshes announce."""
    with path.open("rb") as file:
        magic, _, _, length, kind = struct.unpack("<4sIIII", file.read(20))
        if magic != b"glTF" or kind != 0x4E4F534A or length > path.stat().st_size:
            return 0
        scene = json.loads(file.read(length))
    accessors = scene.get("accessors", [])
    primitives = [part for mesh in scene.get("meshes", []) for part in mesh["primitives"]]
    counted = [part["indices"] if "indices" in part else part["attributes"]["POSITION"] for part in primitives]
    return sum(accessors[index]["count"] // 3 for index in counted)


def count_obj(path: Path) -> int:
    """The lines that begin a face."""
    return _count_lines(path, rb"^[ \t]*f[ \t]")


def _count_lines(path: Path, pattern: bytes) -> int:
    expression = re.compile(pattern, re.MULTILINE)
    total, rest = 0, b""
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            whole, newline, rest = (rest + block).rpartition(b"\n")
            total += len(expression.findall(whole + newline))
    return total + len(expression.findall(rest))


@register_reader("OBJ", kind="mesh", suffixes=(".obj",), media_type="model/obj", count=count_obj, rank=10)
def read_obj(path: Path) -> Triangles:
    """Read all faces of an OBJ file as triangles, those of more corners as a fan; materials and textures are passed over.

    Raises:
        ValueError: a line cannot be understood; the message names it.
    """
    import numpy as np

    vertices: list[tuple[float, ...]] = []
    triangles: list[tuple[int, int, int]] = []
    text = path.read_bytes().decode("utf-8", errors="replace").replace("\\\r\n", " ").replace("\\\n", " ")
    for number, line in enumerate(text.splitlines(), start=1):
        word, *values = line.split() or [""]
        try:
            if word == "v":
                x, y, z = values[:3]
                vertices.append((float(x), float(y), float(z)))
            elif word == "f":
                corners = [_index(value, len(vertices)) for value in values]
                triangles += [(corners[0], b, c) for b, c in itertools.pairwise(corners[1:])]
        except ValueError:
            raise ValueError(f"line {number}: {line.strip()[:60]!r}") from None
    return np.array(vertices, float).reshape(-1, 3), np.array(triangles, np.int64).reshape(-1, 3)


def _index(word: str, count: int) -> int:
    """Vertex of a corner such as `3`, `3/1/2` or `-1`, the last one so far, counted from 0."""
    index = int(word.split("/", 1)[0])
    if index == 0:
        raise ValueError("vertices are counted from 1")
    return index - 1 if index > 0 else count + index


@register_reader("STL", kind="mesh", suffixes=(".stl",), media_type="model/stl", count=count_stl, rank=20)
@register_reader("PLY", kind="mesh", suffixes=(".ply",), count=count_ply, rank=30)
@register_reader("GLB", kind="mesh", suffixes=(".glb",), media_type="model/gltf-binary", count=count_glb, rank=40)
def read_with_trimesh(path: Path, *, weld: bool = False) -> Triangles:
    """Read all faces of a file that trimesh understands.

    Args:
        path: of the file.
        weld: make one of vertices that are equal.
    """
    import numpy as np
    import trimesh

    if weld:
        mesh = trimesh.load_mesh(path)
        return np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger("trimesh").addHandler(logging.NullHandler())
        mesh = trimesh.load_mesh(str(path), file_type=path.suffix.lower()[1:], process=False, skip_materials=True)
    return np.array(mesh.vertices, float).reshape(-1, 3), np.array(mesh.faces, np.int64).reshape(-1, 3)


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
    from stringless.formats.meshes import surfaces

    path = Path(path)
    return surfaces.read_surface(path, scale, up, name or f"mesh '{path.name}'")
