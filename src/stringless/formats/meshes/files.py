"""Finding and opening the mesh files that scene files name."""

from pathlib import Path
from urllib.parse import unquote, urlparse

from stringless.errors import InputError
from stringless.formats.meshes import read_with_trimesh
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
    """Vertices (n, 3) and triangles (m, 3), as they stand in it, of the mesh file that a scene in `folder` calls `name`.

    Raises:
        InputError: it is not there, or cannot be read as a mesh.
    """
    path = find_mesh(name, folder)
    if path is None:
        raise InputError(f"there is no mesh file '{name}'")
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
