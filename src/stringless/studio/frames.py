"""Frames: what changes all the time, as little-endian numbers after a header of 72 bytes.

After the header follow, in this order: position and quaternion of each body (7 float32), position of each node (3), the centre
of gravity and its velocity (6), point and force of each contact (6), of each goal its number, position, target, distance and
spring force (11), numbers of flagged elements (uint32), efforts (float32), active joints: a bit for each body, the lowest
first, in words of 32 (uint32), numbers of bodies that are given relative to their parents (uint32), and for each of these its
position and quaternion in its parent (7 float32).

Where most joints are inactive, the poses of all bodies are not computed sixty times a second: a frame then has none, but the
places in their parents of those bodies whose joint has moved since the last frame that was sent to this page; the first frame
has all of them.

Ghosts are several frames at once: a header of 24 bytes, then all times, all bodies, all nodes, all centres of gravity.

The first byte of anything the studio sends tells its kind; a message follows after four bytes.
"""

import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.spatial.arrays import BoolArray, FloatArray
from stringless.studio.messages import VERSION

MESSAGE, FRAME, GHOSTS = 0, 1, 2
"""First byte."""
HEADER = struct.Struct("<BBHIIIdffffIIIIIIII")
GHOSTS_HEADER = struct.Struct("<BBHIIIII")
LIVE, PRESENT, STALE, DIRECTED, TOUCHING = 1, 2, 4, 8, 16
"""Flags of a frame."""
AHEAD, BEFORE, POSE = 0, 1, 2
"""Roles of ghosts."""
GOAL = 11
"""Numbers for each goal."""
KINDS = ("<f4", "<f4", "<f4", "<f4", "<f4", "<u4", "<f4", "<u4", "<u4", "<f4")
"""Types of the arrays of a frame, in their order."""
NO_NUMBERS, NO_PLACES = np.zeros(0, np.uint32), np.zeros((0, 7), np.float32)


class Places(NamedTuple):
    """Bodies relative to their parents."""

    look: int
    """Number of the frame that they were found for, counted from 1."""
    values: NDArray[np.float32]
    """(n, 7): position and quaternion x, y, z, w."""
    since: NDArray[np.uint32]
    """Number of the frame at which each has moved last."""


class FrameData(NamedTuple):
    """The content of a frame."""

    epoch: int
    input: int
    """Newest move that it includes."""
    time: float
    wait: float
    """Since that move arrived [ms]; -1 if an earlier frame included it."""
    real_time: float
    kinetic: float
    """[J]; not a number where it is unknown."""
    potential: float
    flags: int
    poses: FloatArray
    """(n, 7): position and quaternion x, y, z, w; n is 0 if there are `places`."""
    nodes: FloatArray
    """(m, 3)."""
    center: FloatArray
    """Position and velocity, (6,)."""
    contacts: FloatArray
    """(k, 6)."""
    goals: FloatArray
    """(g, 11): number, position, target, distance, and the force on the body [N]; that is 0 unless the engine is `stiff`."""
    flagged: NDArray[np.uint32]
    effort: FloatArray
    moving: NDArray[np.uint32]
    """A bit for each body: whether its joint is active. Empty unless the engine is `adaptive` and has chosen."""
    places: Places | None = None


def pack_frame(sequence: int, frame: FrameData, seen: int = 0) -> bytes:
    """Pack a frame for a page that has the places of look `seen`, or none if 0."""
    moved, values = NO_NUMBERS, NO_PLACES
    if frame.places is not None:
        moved = np.flatnonzero(frame.places.since > seen).astype(np.uint32)
        values = frame.places.values[moved]
    arrays = (*frame[8:16], moved, values)
    counts = [len(array) for k, array in enumerate(arrays[:9]) if k != 2]  # there is one centre of gravity
    head = HEADER.pack(FRAME, VERSION, frame.flags, sequence, *frame[:7], *counts)
    return b"".join([head, *(pack_array(array, kind) for array, kind in zip(arrays, KINDS, strict=True))])


class Packet:
    """A frame on its way: packed once for all pages or, if it has places, for each by what that has seen."""

    def __init__(self, sequence: int, frame: FrameData) -> None:
        """Nothing of the frame may change afterwards, except arrays that are packed here."""
        self.sequence = sequence
        self.version = (frame.epoch, frame.places.look if frame.places is not None else 0)
        """Its scene and look."""
        self._frame = frame._replace(poses=np.zeros((0, 7))) if frame.places is not None else None
        self._data = pack_frame(sequence, frame) if frame.places is None else b""

    def pack_for(self, seen: tuple[int, int]) -> bytes:
        """The bytes for a page whose last frame had that scene and look."""
        if self._frame is None:
            return self._data
        return pack_frame(self.sequence, self._frame, seen[1] if seen[0] == self.version[0] else 0)


def unpack_frame(data: bytes) -> tuple[int, FrameData]:
    """Number and content of a frame; the arrays are views of `data`."""
    _, _, flags, sequence, *head = HEADER.unpack_from(data)
    bodies, nodes, contacts, goals, flagged, effort, moving, _ = head[7:]
    shapes = ((bodies, 7), (nodes, 3), (6,), (contacts, 6), (goals, GOAL), (flagged,), (effort,), (moving,))
    parts, offset = list[Any](), HEADER.size
    for shape, kind in zip(shapes, KINDS, strict=False):
        parts.append(np.frombuffer(data, kind, math.prod(shape), offset).reshape(shape))
        offset += parts[-1].nbytes
    return sequence, FrameData._make([*head[:7], flags, *parts, None])


def unpack_places(data: bytes) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Numbers of the bodies that a frame gives relative to their parents, and their places, (k,) and (k, 7)."""
    count: int = HEADER.unpack_from(data)[-1]
    numbers = np.frombuffer(data, "<u4", count, len(data) - 32 * count)
    return numbers, np.frombuffer(data, "<f4", 7 * count, len(data) - 28 * count).reshape(-1, 7)


class Assembler:
    """Computes the poses of all bodies from their places in their parents, as every receiver of frames has to."""

    def __init__(self, parents: Sequence[int]) -> None:
        self.parents = np.array(parents, dtype=np.int64)
        self.places = np.zeros((len(self.parents), 7))
        depth = np.zeros(len(self.parents), dtype=np.int64)
        for i, parent in enumerate(parents):
            depth[i] = depth[parent] + 1 if parent >= 0 else 0
        self._levels = [np.flatnonzero(depth == level) for level in range(int(depth.max(initial=-1)) + 1)]

    def take(self, data: bytes) -> None:
        """Read a frame; none may be left out."""
        numbers, places = unpack_places(data)
        self.places[numbers] = places

    def poses(self) -> FloatArray:
        """Position and quaternion of all bodies in the world, (n, 7)."""
        poses = self.places.copy()
        for some in self._levels[1:]:
            parent, place = poses[self.parents[some]], self.places[some]
            (p, u, w), (r, x, y) = (np.split(rows, (3, 6), axis=1) for rows in (parent, place))
            turn = 2.0 * np.cross(u, r)
            poses[some, :3] = p + r + w * turn + np.cross(u, turn)
            poses[some, 3:6] = w * x + y * u + np.cross(u, x)
            poses[some, 6] = (w * y)[:, 0] - np.sum(u * x, axis=1)
        return poses


def pack_ghosts(
    role: int, epoch: int, time: FloatArray, poses: FloatArray, nodes: FloatArray, centers: FloatArray
) -> bytes:
    """Pack ghosts: shapes (k,), (k, n, 7), (k, m, 3), (k, 3)."""
    head = GHOSTS_HEADER.pack(GHOSTS, VERSION, role, epoch, len(time), poses.shape[1], nodes.shape[1], 0)
    return b"".join([head, *(pack_array(part) for part in (time, poses, nodes, centers))])


def pack_bits(flags: BoolArray) -> NDArray[np.uint32]:
    """A bit for each flag, the lowest first, in words of 32."""
    whole = np.zeros(-(-len(flags) // 32) * 32, dtype=np.bool_)
    whole[: len(flags)] = flags
    return np.packbits(whole, bitorder="little").view("<u4")


def unpack_bits(words: NDArray[np.uint32], count: int) -> BoolArray:
    """The flags in words of `pack_bits`; none if there are no words."""
    bits = np.unpackbits(np.ascontiguousarray(words, dtype="<u4").view(np.uint8), bitorder="little")
    return bits[:count].astype(np.bool_)


def pack_array(values: NDArray[Any], kind: str = "<f4") -> bytes:
    """The numbers of an array as bytes."""
    return np.ascontiguousarray(values, dtype=kind).tobytes()
