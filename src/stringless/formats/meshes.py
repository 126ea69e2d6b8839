"""Finding and opening the mesh files that scene files name."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

import numpy as np
from numpy.typing import NDArray

from stringless.errors import InputError
from stringless.flesh.objfile import read_obj

Triangles = tuple[NDArray[np.float64], NDArray[np.int64]]


def find_mesh(name: str, folder: Path | None) -> Path | None:
    """Find the file that a scene in `folder` calls `name`; none if it is not there.

    `package://robot/arm.stl` is looked for in a folder `robot` at or above the scene's own.
    """
    link = urlparse(name)
    if link.scheme == "package":
        inside = Path(link.netloc) / unquote(link.path).lstrip("/")
        above = [folder.resolve(), *folder.resolve().parents] if folder else []
        return next((base / inside for base in above if (base / inside).is_file()), None)
    path = Path(unquote(link.path)) if link.scheme == "file" else Path(name)
    if not path.is_absolute():
        if folder is None:
            return None
        path = folder / path
    return path if path.is_file() else None


def load_triangles(path: Path) -> Triangles:
    """Vertices (n, 3) and triangles (m, 3) of a mesh file, as it stands in the file.

    Raises:
        InputError: the file cannot be read as a mesh.
    """
    try:
        if path.suffix.lower() == ".obj":
            vertices, triangles = read_obj(path)
        else:
            import trimesh  # here, because it is slow to import and few files need it

            mesh = trimesh.load_mesh(path)
            vertices, triangles = np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)
    except Exception as error:  # every format's parser raises its own
        raise InputError(f"cannot read mesh '{path}': {error}") from error
    if len(triangles) == 0:
        raise InputError(f"mesh '{path}' has no triangles")
    return vertices, triangles
