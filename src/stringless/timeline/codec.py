"""Arrays as few bytes: what a take keeps of every second.

A packed chunk is the length of a header, the header as JSON, and the arrays one after the other, each compressed on its
own so that one can be read without the others. Numbers are stored exactly, except where a `grid` is given: positions for
display are rounded to it, and only their second difference in time is kept, which is small in smooth motion.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.errors import ProjectError

LEVEL = 3
"""Of compression: what more would save takes several times as long."""
LARGEST_CELL = 2**28
"""Positions beyond so many cells of the grid are stored as they are."""
LENGTH = struct.Struct("<I")


def pack(arrays: Mapping[str, NDArray[Any]], about: Any = None, grids: Mapping[str, float] | None = None) -> bytes:
    """Arrays by name, with `about`, any JSON value, in the header; those in `grids` are rounded to the cell given."""
    blocks: list[bytes] = []
    entries: dict[str, Any] = {}
    at = 0
    for name, array in arrays.items():
        grid = (grids or {}).get(name)
        entry, block = _encode(array, grid)
        entries[name] = {**entry, "at": at, "bytes": len(block)}
        blocks.append(block)
        at += len(block)
    header = zlib.compress(json.dumps({"about": about, "arrays": entries}).encode(), LEVEL)
    return b"".join([LENGTH.pack(len(header)), header, *blocks])


class Packed:
    """A packed chunk, of which arrays are read when they are asked for."""

    def __init__(self, data: bytes) -> None:
        try:
            (length,) = LENGTH.unpack_from(data)
            header = json.loads(zlib.decompress(data[LENGTH.size : LENGTH.size + length]))
            self.about: Any = header["about"]
            self._entries: dict[str, Any] = header["arrays"]
        except (struct.error, zlib.error, ValueError, KeyError, TypeError) as error:
            raise ProjectError(
                f"recorded frames cannot be read ({error}); they were not written by this program"
            ) from None
        self._data, self._start = data, LENGTH.size + length

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __getitem__(self, name: str) -> NDArray[Any]:
        entry = self._entries[name]
        first = self._start + entry["at"]
        return _decode(entry, self._data[first : first + entry["bytes"]])


def _encode(array: NDArray[Any], grid: float | None) -> tuple[dict[str, Any], bytes]:
    entry: dict[str, Any] = {"shape": list(array.shape), "dtype": array.dtype.str}
    if array.dtype == np.uint8:  # bytes that were packed already
        return {**entry, "plain": True}, array.tobytes()
    if grid is not None and array.size and np.abs(array).max() < grid * LARGEST_CELL:
        cells = np.rint(array / grid).astype(np.int32)
        bends = np.diff(cells, n=2, axis=0, prepend=np.zeros_like(cells[:1]).repeat(2, axis=0))
        zigzag = (bends << 1) ^ (bends >> 31)  # small numbers of either sign get small codes
        return {**entry, "grid": grid}, zlib.compress(_planes(zigzag), LEVEL)
    return entry, zlib.compress(_planes(array), LEVEL)


def _decode(entry: Mapping[str, Any], block: bytes) -> NDArray[Any]:
    if entry.get("plain"):
        return np.frombuffer(block, np.uint8).reshape(entry["shape"])
    raw, shape = zlib.decompress(block), entry["shape"]
    if "grid" in entry:
        zigzag = _from_planes(raw, np.dtype(np.int32), shape)
        bends = (zigzag >> 1) & 0x7FFFFFFF ^ -(zigzag & 1)
        cells = np.cumsum(np.cumsum(bends, axis=0, dtype=np.int32), axis=0, dtype=np.int32)
        return cells * float(entry["grid"])
    return _from_planes(raw, np.dtype(entry["dtype"]), shape)


def _planes(array: NDArray[Any]) -> bytes:
    """First bytes of all numbers, then second bytes, and so on: bytes of one kind compress better together."""
    parts = np.ascontiguousarray(array).view(np.uint8).reshape(-1, array.dtype.itemsize)
    return parts.T.tobytes()


def _from_planes(raw: bytes, dtype: np.dtype[Any], shape: list[int]) -> NDArray[Any]:
    parts = np.frombuffer(raw, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(parts.T).reshape(-1).view(dtype).reshape(shape)
