"""Mesh files: OBJ, STL, PLY and GLB, for shapes and for flesh."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stringless.formats.meshes.counts import count_glb, count_obj, count_ply, count_stl
from stringless.formats.registry import register_reader

if TYPE_CHECKING:
    from stringless.errors import Problem
    from stringless.flesh.surface import Surface


@register_reader("OBJ", kind="mesh", suffixes=(".obj",), media_type="model/obj", count=count_obj, rank=10)
def read_obj(path: Path) -> tuple[Any, Any]:
    """Read all faces of an OBJ file."""
    from stringless.formats.meshes import obj

    return obj.read_obj(path)


@register_reader("STL", kind="mesh", suffixes=(".stl",), media_type="model/stl", count=count_stl, rank=20)
@register_reader("PLY", kind="mesh", suffixes=(".ply",), count=count_ply, rank=30)
@register_reader("GLB", kind="mesh", suffixes=(".glb",), media_type="model/gltf-binary", count=count_glb, rank=40)
def read_with_trimesh(path: Path, *, weld: bool = False) -> tuple[Any, Any]:
    """Read all faces of a file that trimesh understands.

    Args:
        path: of the file.
        weld: make one of vertices that are equal.
    """
    from stringless.formats.meshes import files

    return files.read_with_trimesh(path, weld)


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
