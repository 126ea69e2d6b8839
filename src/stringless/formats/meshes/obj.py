"""OBJ files, as far as they describe a shape: vertices and faces. Materials and textures are passed over."""

import itertools
from pathlib import Path

import numpy as np

from stringless.spatial.arrays import FloatArray, IntArray


def read_obj(path: Path) -> tuple[FloatArray, IntArray]:
    """Vertices (n, 3) and triangles (m, 3) of all objects in a file; faces of more corners are cut into a fan.

    Raises:
        ValueError: a line cannot be understood; the message names it.
    """
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
