"""About a second of a take: frames for the eye, full states to go on from, and what was commanded meanwhile."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from stringless.errors import ProjectError
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.state import State
from stringless.timeline.patch import Patch, apply

FRAMES = 120
"""Frames in a full chunk."""
COLUMNS = ("time", "step", "q", "v", "effort", "nodes")
"""What every frame has a row of."""
FILED_AS = {"kept": "bodies"}
"""What arrays of a state are called in files, where that differs."""
LEVEL = 3
"""Of compression: what more would save takes several times as long."""
LARGEST_CELL = 2**28
"""Positions beyond so many cells of the grid are stored as they are."""
LENGTH = struct.Struct("<I")


class Frame(NamedTuple):
    """What the view draws at one time; `nodes` and forces are rounded, the rest is exact."""

    time: float
    """[s]."""
    step: int
    """Steps since the beginning of the take."""
    q: FloatArray
    v: FloatArray
    effort: FloatArray
    """What every actuator gave, shape (nv,)."""
    nodes: FloatArray
    """Free nodes of the flesh in the world, shape (m, 3) [m]."""
    points: IntArray
    """Points in contact: skin vertices first, then contact samples."""
    forces: FloatArray
    """On them, shape (k, 3) [N]."""


class Change(NamedTuple):
    """Inputs that changed after so many steps."""

    step: int
    patch: Patch


class Event(NamedTuple):
    """Something that happened, and when [s]."""

    time: float
    what: str


class ReadFrames(Sequence[Frame]):
    """Frames of a packed chunk, each made when it is asked for."""

    def __init__(self, packed: Packed) -> None:
        self.columns = [packed[name] for name in COLUMNS]
        self.ends = np.cumsum(packed["touching"])
        self.points, self.forces = packed["points"], packed["forces"]

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, place: int) -> Frame: ...

    @overload
    def __getitem__(self, place: slice) -> list[Frame]: ...

    def __getitem__(self, place: int | slice) -> Frame | list[Frame]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        place = range(len(self))[place]
        time, step, q, v, effort, nodes = (column[place] for column in self.columns)
        touching = slice(int(self.ends[place - 1]) if place else 0, int(self.ends[place]))
        points, forces = self.points[touching].astype(np.int64), self.forces[touching].astype(np.float64)
        return Frame(float(time), int(step), q, v, effort.astype(np.float64), nodes, points, forces)


@dataclass
class Chunk:
    """Some frames in a row of one branch; only one that is being recorded grows."""

    inputs: Any
    """All that was commanded at the first frame."""
    grid: float
    """Cell that nodes are rounded to [m]."""
    frames: Sequence[Frame] = field(default_factory=lambda: list[Frame]())
    states: list[tuple[int, bytes | State]] = field(default_factory=list)
    """Full states, by the frame they belong to; those that were read are still packed."""
    changes: list[Change] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    packed: dict[int, bytes] = field(default_factory=dict, repr=False)
    """States that were packed already, by their place among the states; a chunk and its copies share them."""

    @property
    def full(self) -> bool:
        """Whether the next frame belongs into another chunk."""
        return len(self.frames) >= FRAMES

    def row(self, time: float) -> int:
        """The last frame at or before `time`; the first if all are later."""
        frames = self.frames
        times = frames.columns[0] if isinstance(frames, ReadFrames) else [frame.time for frame in frames]
        return max(int(np.searchsorted(times, time, side="right")) - 1, 0)

    def inputs_at(self, step: int) -> Any:
        """What was commanded when the simulation went on after so many steps."""
        inputs = self.inputs
        for change in self.changes:
            if change.step <= step:
                inputs = apply(inputs, change.patch)
        return inputs

    def pack(self) -> bytes:
        """All of it in few bytes."""
        frames = self.frames
        arrays: dict[str, NDArray[Any]] = {
            name: np.array([getattr(frame, name) for frame in frames]) for name in COLUMNS
        }
        arrays["effort"] = arrays["effort"].astype(np.float32)
        arrays["touching"] = np.array([len(frame.points) for frame in frames], np.int32)
        arrays["points"] = np.concatenate([frame.points for frame in frames]).astype(np.int32)
        arrays["forces"] = np.concatenate([frame.forces for frame in frames]).astype(np.float32)
        for k, (_, state) in enumerate(self.states):
            if k not in self.packed:  # once is enough
                self.packed[k] = state if isinstance(state, bytes) else pack_state(state)
            arrays[f"state{k}"] = np.frombuffer(self.packed[k], np.uint8)
        about = {
            "inputs": self.inputs,
            "grid": self.grid,
            "changes": self.changes,
            "events": self.events,
            "states": [row for row, _ in self.states],
        }
        return pack(arrays, about, {"nodes": self.grid})

    @classmethod
    def unpack(cls, data: bytes) -> Chunk:
        """Read what `pack` has made."""
        packed = Packed(data)
        about = packed.about
        states: list[tuple[int, bytes | State]] = [
            (row, packed[f"state{k}"].tobytes()) for k, row in enumerate(about["states"])
        ]
        changes = [Change(*change) for change in about["changes"]]
        events = [Event(*event) for event in about["events"]]
        return cls(about["inputs"], about["grid"], ReadFrames(packed), states, changes, events)

    def copy(self) -> Chunk:
        """What there is now, while this one may grow."""
        lists = list(self.frames), list(self.states), list(self.changes), list(self.events)
        return Chunk(self.inputs, self.grid, *lists, self.packed)

    def add(self, frame: Frame) -> None:
        """Record a frame."""
        assert isinstance(self.frames, list)
        self.frames.append(frame)


def pack_state(state: State) -> bytes:
    """Every bit of a state."""
    arrays = {FILED_AS.get(name, name): _plain(getattr(state, name)) for name in State.arrays()}
    return pack(arrays, {"time": state.time, "dt": state.dt})


def unpack_state(data: bytes, like: State) -> State:
    """A state again, of the same kind as `like`."""
    packed = Packed(data)
    state = like.copy()
    state.time, state.dt = packed.about["time"], packed.about["dt"]
    for name in State.arrays():
        there = getattr(state, name)
        filed = FILED_AS.get(name, name)
        if filed in packed or there.size:  # files of earlier versions know nothing of arrays that are empty in them
            _plain(there)[...] = packed[filed]
    return state


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """Rows of a table as numbers without meaning; other arrays as they are."""
    if array.dtype.names is None:
        return array
    return array.view(np.int8).reshape(len(array), array.dtype.itemsize)


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
