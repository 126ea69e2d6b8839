"""Frames: what changes at every moment, as little-endian numbers behind a header of 68 bytes.

Behind the header, in this order: of each body its position and quaternion (7 float32), of each node its position (3), the
centre of gravity and its velocity (6), of each contact its point and force (6), of each goal its number, where it is, where it
shall be, how far that is and the force of its spring (11), numbers of flagged elements (uint32), efforts (float32), and which
joints move: a bit of each body, the lowest first, in words of 32 (uint32).

Ghosts are several moments at once: a header of 24 bytes, then all times, all bodies, all nodes, all centres of gravity.

The first byte of anything the studio sends tells what it is; a message follows after four bytes.
"""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.studio.messages import VERSION

MESSAGE, FRAME, GHOSTS = 0, 1, 2
"""First byte."""
HEADER = struct.Struct("<BBHIIIdffffIIIIIII")
GHOSTS_HEADER = struct.Struct("<BBHIIIII")
LIVE, PRESENT, STALE, DIRECTED, TOUCHING = 1, 2, 4, 8, 16
"""Flags of a frame."""
AHEAD, BEFORE, POSE = 0, 1, 2
"""Roles of ghosts."""
GOAL = 11
"""Numbers that tell of a goal."""
Floats = NDArray[np.float64]


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
    """(n, 7): position and quaternion x, y, z, w."""
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


def pack_frame(sequence: int, moment: Moment) -> bytes:
    """A frame as it is sent."""
    counts = [
        len(part)
        for part in (
            moment.poses, moment.nodes, moment.contacts, moment.goals, moment.flagged, moment.effort, moment.moving,
        )
    ]  # fmt: skip
    head = HEADER.pack(
        FRAME, VERSION, moment.flags, sequence, moment.epoch, moment.input, moment.time, moment.wait, moment.real_time,
        moment.kinetic, moment.potential, *counts,
    )  # fmt: skip
    before = [moment.poses, moment.nodes, moment.center, moment.contacts, moment.goals]
    floats = [_float32(part) for part in before]
    return b"".join([head, *floats, _uint32(moment.flagged), _float32(moment.effort), _uint32(moment.moving)])


def unpack_frame(data: bytes) -> tuple[int, Moment]:
    """Number and content of a frame that was sent; its arrays look into `data`."""
    _, _, flags, sequence, epoch, newest, time, wait, real_time, kinetic, potential, *counts = HEADER.unpack_from(data)
    bodies, nodes, contacts, goals, flagged, effort, moving = counts
    shapes = ((bodies, 7), (nodes, 3), (6,), (contacts, 6), (goals, GOAL), (flagged,), (effort,), (moving,))
    kinds = ("<f4", "<f4", "<f4", "<f4", "<f4", "<u4", "<f4", "<u4")
    parts, offset = list[Any](), HEADER.size
    for shape, kind in zip(shapes, kinds, strict=True):
        count = math.prod(shape)
        parts.append(np.frombuffer(data, kind, count, offset).reshape(shape))
        offset += 4 * count
    return sequence, Moment(epoch, newest, time, wait, real_time, kinetic, potential, flags, *parts)


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


def _float32(values: Floats) -> bytes:
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def _uint32(values: NDArray[np.uint32]) -> bytes:
    return np.ascontiguousarray(values, dtype="<u4").tobytes()
