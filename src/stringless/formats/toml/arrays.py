"""Side files of a scene: the meshes of its flesh as NumPy arrays, every number with all its digits.

A `.npz` file may hold a surface (`vertices`, `triangles` and perhaps `colors`), a cage (`nodes`, `tets`) and what its
nodes hang on (`bone`, a number in the list of bones or -1 for the ground, and `fixed`), all in one or apart.
"""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from stringless.errors import InputError
from stringless.formats.output.whole_file import write_whole
from stringless.model.flesh import FleshSpec
from stringless.spatial.arrays import BoolArray

MAX_BYTES = 512 * 2**20
"""Largest file that is read."""


def write_flesh(path: Path, flesh: FleshSpec, bones: list[str]) -> None:
    """Write surface, cage and attachment of `flesh`; `bones` are the names that its nodes' bones count in."""
    number = {name: k for k, name in enumerate(bones)} | {"": -1}
    arrays: dict[str, Any] = {
        "vertices": flesh.vertices,
        "triangles": flesh.triangles,
        "colors": flesh.colors,
        "nodes": flesh.nodes,
        "tets": flesh.tets,
        "bone": np.array([number[name] for name in flesh.bones], np.int64),
        "fixed": np.asarray(flesh.fixed, bool),
    }
    write_whole(path, lambda file: np.savez_compressed(file, **arrays))


def read_arrays(path: Path, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> list[Any]:
    """The arrays of these names, and after them the optional ones, none where a file has no such.

    Raises:
        InputError: the file cannot be read, or an array is missing.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"'{path}' has more than {MAX_BYTES // 2**20} MB; give a smaller mesh")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            missing = [name for name in names if name not in arrays.files]
            if missing:
                held = ", ".join(arrays.files) or "none"
                raise InputError(f"'{path}' has no array '{missing[0]}'; its arrays: {held}")
            return [arrays[name] if name in arrays.files else None for name in (*names, *optional)]
    except (OSError, ValueError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"'{path}' cannot be read as a NumPy .npz file ({error})") from None


def attachment_of(path: Path, number: Any, fixed: Any, bones: list[str]) -> tuple[tuple[str, ...], BoolArray]:
    """The bone of each node and whether it is fixed to it, from the arrays `bone` and `fixed` of a file."""
    good = number.ndim == 1 and np.issubdtype(number.dtype, np.integer) and np.shape(fixed) == number.shape
    if not good or np.any((number < -1) | (number >= len(bones))):
        raise InputError(f"'{path}': expected arrays bone and fixed with numbers from -1 to {len(bones) - 1} in bone")
    return tuple([*bones, ""][k] for k in number), np.asarray(fixed, bool)
