"""Frames: what changes at every moment, as little-endian numbers behind a header of 72 bytes.

Behind the header, in this order: of each body its position and quaternion (7 float32), of each node its position (3), the
centre of gravity and its velocity (6), of each contact its point and force (6), of each goal its number, where it is, where it
shall be, how far that is and the force of its spring (11), numbers of flagged elements (uint32), efforts (float32), which
joints move: a bit of each body, the lowest first, in words of 32 (uint32), numbers of bodies that are told by their parents
(uint32), and of each of these its position and quaternion in its parent (7 float32).

Where most joints are held, nobody forms the poses of all bodies sixty times a second: a frame has none then, but the places in
their parents of those bodies whose joint has moved since the last frame that went to this page; the first has all of them.

Ghosts are several moments at once: a header of 24 bytes, then all times, all bodies, all nodes, all centres of gravity.

The first byte of anything the studio sends tells what it is; a message follows after four bytes.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
"""Numbers that tell of a goal."""
Floats = NDArray[np.float64]
NO_NUMBERS, NO_PLACES = np.zeros(0, np.uint32), np.zeros((0, 7), np.float32)


class Moment(NamedTuple):
    """What a frame tells."""

    epoch: int
    input: int
    """Newest move that it knows of."""
    time: float
    wait: float
    """Since that move arrived [ms]; -1 if it was told before."""
    real_time: float
    kinetic: float
    """[J]; not a number where it is not known."""
    potential: float
    flags: int
    poses: Floats
    """(n, 7): position and quaternion x, y, z, w. None if bodies are told by their parents."""
    nodes: Floats
    """(m, 3)."""
    center: Floats
    """Position and velocity, (6,)."""
    contacts: Floats
    """(k, 6)."""
    goals: Floats
    """(g, 11): number, place, target, distance, and the force on the body [N]; that is 0 unless the engine is `stiff`."""
    flagged: NDArray[np.uint32]
    effort: Floats
    moving: NDArray[np.uint32]
    """Of each body a bit: whether its joint was chosen to move. Empty unless the engine is `adaptive` and has chosen."""
    places: Places | None = None
    """Where bodies are in their parents, in the place of `poses`."""


class Places(NamedTuple):
    """Bodies as they stand in their parents at one look."""

    look: int
    """Number of the look, counted up from 1."""
    values: NDArray[np.float32]
    """(n, 7): position and quaternion x, y, z, w."""
    since: NDArray[np.uint32]
    """Look at which each has moved last."""


def pack_frame(sequence: int, moment: Moment, seen: int = 0) -> bytes:
    """A frame as it is sent to a page that has `seen` bodies in their parents at that look, at none if 0."""
    numbers, places = NO_NUMBERS, NO_PLACES
    if moment.places is not None:
        numbers = np.flatnonzero(moment.places.since > seen).astype(np.uint32)
        places = moment.places.values[numbers]
    counts = [
        len(part)
        for part in (
            moment.poses, moment.nodes, moment.contacts, moment.goals, moment.flagged, moment.effort, moment.moving, numbers,
        )
    ]  # fmt: skip
    head = HEADER.pack(
        FRAME, VERSION, moment.flags, sequence, moment.epoch, moment.input, moment.time, moment.wait, moment.real_time,
        moment.kinetic, moment.potential, *counts,
    )  # fmt: skip
    before = [moment.poses, moment.nodes, moment.center, moment.contacts, moment.goals]
    floats = [_float32(part) for part in before]
    after = [_uint32(moment.flagged), _float32(moment.effort), _uint32(moment.moving), _uint32(numbers)]
    return b"".join([head, *floats, *after, _float32(places)])


class Parcel:
    """A frame on its way: packed once for all pages, or, if it tells what has moved, for each by what that has seen."""

    def __init__(self, sequence: int, moment: Moment) -> None:
        """Nothing of the moment may change any more, but arrays that are packed here."""
        self.sequence = sequence
        self.stage = (moment.epoch, moment.places.look if moment.places is not None else 0)
        """Which scene it shows, and at which look."""
        self._moment = moment._replace(poses=np.zeros((0, 7))) if moment.places is not None else None
        self._data = pack_frame(sequence, moment) if moment.places is None else b""

    def packed(self, seen: tuple[int, int]) -> bytes:
        """As it is sent to a page whose last frame was of that scene and look."""
        if self._moment is None:
            return self._data
        return pack_frame(self.sequence, self._moment, seen[1] if seen[0] == self.stage[0] else 0)


def unpack_frame(data: bytes) -> tuple[int, Moment]:
    """Number and content of a frame that was sent; its arrays look into `data`."""
    _, _, flags, sequence, epoch, newest, time, wait, real_time, kinetic, potential, *counts = HEADER.unpack_from(data)
    bodies, nodes, contacts, goals, flagged, effort, moving, _ = counts
    shapes = ((bodies, 7), (nodes, 3), (6,), (contacts, 6), (goals, GOAL), (flagged,), (effort,), (moving,))
    kinds = ("<f4", "<f4", "<f4", "<f4", "<f4", "<u4", "<f4", "<u4")
    parts, offset = list[Any](), HEADER.size
    for shape, kind in zip(shapes, kinds, strict=True):
        count = math.prod(shape)
        parts.append(np.frombuffer(data, kind, count, offset).reshape(shape))
        offset += 4 * count
    return sequence, Moment(epoch, newest, time, wait, real_time, kinetic, potential, flags, *parts)


def unpack_places(data: bytes) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Bodies that a frame tells by their parents, and where they are in them, (k,) and (k, 7)."""
    count: int = HEADER.unpack_from(data)[-1]
    numbers = np.frombuffer(data, "<u4", count, len(data) - 32 * count)
    return numbers, np.frombuffer(data, "<f4", 7 * count, len(data) - 28 * count).reshape(-1, 7)


class Assembler:
    """Puts bodies together whose places in their parents are told, as whoever receives frames has to."""

    def __init__(self, parents: Sequence[int]) -> None:
        """Nothing was told yet."""
        self.parents = np.array(parents, dtype=np.int64)
        self.places = np.zeros((len(self.parents), 7))
        depth = np.zeros(len(self.parents), dtype=np.int64)
        for i, parent in enumerate(parents):
            depth[i] = depth[parent] + 1 if parent >= 0 else 0
        self._levels = [np.flatnonzero(depth == level) for level in range(int(depth.max(initial=-1)) + 1)]

    def take(self, data: bytes) -> None:
        """Hear a frame; none that was sent may be left out."""
        numbers, places = unpack_places(data)
        self.places[numbers] = places

    def poses(self) -> Floats:
        """Position and quaternion of all bodies in the world, (n, 7): those of the parent, then those in it."""
        poses = self.places.copy()
        for some in self._levels[1:]:
            parent, place = poses[self.parents[some]], self.places[some]
            (p, u, w), (r, x, y) = (np.split(rows, (3, 6), axis=1) for rows in (parent, place))
            turn = 2.0 * np.cross(u, r)
            poses[some, :3] = p + r + w * turn + np.cross(u, turn)
            poses[some, 3:6] = w * x + y * u + np.cross(u, x)
            poses[some, 6] = (w * y)[:, 0] - np.sum(u * x, axis=1)
        return poses


def pack_ghosts(role: int, epoch: int, time: Floats, poses: Floats, nodes: Floats, centers: Floats) -> bytes:
    """Several moments, as they are sent: shapes (k,), (k, n, 7), (k, m, 3), (k, 3)."""
    head = GHOSTS_HEADER.pack(GHOSTS, VERSION, role, epoch, len(time), poses.shape[1], nodes.shape[1], 0)
    return b"".join([head, *(_float32(part) for part in (time, poses, nodes, centers))])


def pack_bits(flags: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """A bit for each flag, the lowest first, in words of 32."""
    whole = np.zeros(-(-len(flags) // 32) * 32, dtype=np.bool_)
    whole[: len(flags)] = flags
    return np.packbits(whole, bitorder="little").view("<u4")


def unpack_bits(words: NDArray[np.uint32], count: int) -> NDArray[np.bool_]:
    """The flags in words that `pack_bits` has made; none if there are no words."""
    bits = np.unpackbits(np.ascontiguousarray(words, dtype="<u4").view(np.uint8), bitorder="little")
    return bits[:count].astype(np.bool_)


def _float32(values: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def _uint32(values: NDArray[np.uint32]) -> bytes:
    return np.ascontiguousarray(values, dtype="<u4").tobytes()
