"""Finding and opening the mesh files that scene files name."""

import logging
import warnings
from pathlib import Path
from urllib.parse import unquote, urlparse

import numpy as np

from stringless.errors import InputError
from stringless.formats.registry import find_readers
from stringless.spatial.arrays import FloatArray, IntArray

Triangles = tuple[FloatArray, IntArray]


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


def load_mesh(name: str, folder: Path | None) -> Triangles:
    """Vertices (n, 3) and triangles (m, 3) of the mesh file that a scene in `folder` calls `name`.

    Raises:
        InputError: it is not there, or cannot be read as a mesh.
    """
    path = find_mesh(name, folder)
    if path is None:
        raise InputError(f"there is no mesh file '{name}'")
    return load_triangles(path)


def load_triangles(path: Path) -> Triangles:
    """Vertices (n, 3) and triangles (m, 3) of a mesh file, as it stands in the file.

    Raises:
        InputError: the file cannot be read as a mesh.
    """
    try:
        reader = next(iter(find_readers(path, "mesh")), None)
        if reader is None:
            vertices, triangles = read_with_trimesh(path, weld=True)  # which knows many more
        else:
            vertices, triangles = reader.function(path, **({"weld": True} if "weld" in reader.options else {}))
    except Exception as error:  # every format's parser raises its own
        raise InputError(f"cannot read mesh '{path}': {error}") from error
    if len(triangles) == 0:
        raise InputError(f"mesh '{path}' has no triangles")
    return vertices, triangles


def read_with_trimesh(path: Path, weld: bool) -> Triangles:
    """Vertices (n, 3) and triangles (m, 3) of any file that trimesh understands; with `weld` each vertex is there once."""
    import trimesh  # here, because it is slow to import and few files need it

    if weld:
        mesh = trimesh.load_mesh(path)
        return np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.getLogger("trimesh").addHandler(logging.NullHandler())
        mesh = trimesh.load_mesh(str(path), file_type=path.suffix.lower()[1:], process=False, skip_materials=True)
    return np.array(mesh.vertices, float).reshape(-1, 3), np.array(mesh.faces, np.int64).reshape(-1, 3)
