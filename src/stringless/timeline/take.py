"""The take: everything that was ever simulated here, in branches.

A branch is an unbroken stretch of simulated time. Going on from a time in the past begins another branch there; the old
future stays in its own. Before its beginning a branch is what its parent was.
"""

import bisect
import math
import threading
import time as wall
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import NamedTuple

from stringless.errors import InputError, ProjectError, renamed, renamed_arguments
from stringless.timeline.chunk import Chunk, Event, Frame
from stringless.timeline.store import ChunkIndex, Store

KEPT = 6
"""Chunks that are kept unpacked, the last ones looked at."""
MOST = 2
"""Packings that may be under way or waiting."""
Place = tuple[int, int]
"""Branch, and number of the chunk in it."""


@dataclass
class Branch:
    """An unbroken stretch of simulated time."""

    id: int
    parent: int | None
    """The branch it has branched off from, if any."""
    begin: float
    """Time of its first frame [s]."""
    step: int
    """Steps before its first frame."""
    name: str
    deleted: bool = False
    """Hidden, until it is restored."""
    made: float = 0.0
    """When, in seconds since 1970."""
    scene: str = ""
    """Which scene it shows, where there may be several."""

    @property
    def first_name(self) -> str:
        """What it is called until it is renamed."""
        return f"take {self.id}"


class Piece(NamedTuple):
    """A stretch of a branch."""

    branch: int
    start: float
    end: float
    lane = renamed("lane", "branch")


class Take:
    """Frames, full states and commands, in branches; kept in a store."""

    def __init__(self, store: Store, *, rate: float = 120.0) -> None:
        """Go on with what the store holds; `rate` is that of new frames [1/s]."""
        self.store, self.rate = store, rate
        self.branches: dict[int, Branch] = {number: Branch(**data) for number, data in store.branches().items()}
        self.current: int = max(self.branches, default=0)
        """The branch that is being recorded, or was last."""
        self._index: dict[int, list[ChunkIndex]] = {branch: store.chunks(branch) for branch in self.branches}
        self._open: Chunk | None = None
        self._kept = 0  # how many of its frames the store has
        self._packing = Packer(store)
        self._cache: OrderedDict[tuple[int, int], Chunk] = OrderedDict()

    lanes = renamed("lanes", "branches")
    lane = renamed("lane", "branch")

    # --- branches ---

    def begin_branch(self, *, parent: int | None, time: float, step: int, scene: str = "") -> Branch:
        """Begin another branch."""
        self.close_chunk()
        number = max(self.branches, default=0) + 1
        branch = Branch(number, parent, time, step, f"take {number}", made=wall.time(), scene=scene)
        self.branches[number], self._index[number] = branch, []
        self.current = number
        self._keep(branch)
        return branch

    def go_on(self, branch: int) -> None:
        """Record into a branch that is there already, from its end on."""
        self.close_chunk()
        self.current = branch

    def branch(self, branch: int | str | None = None) -> Branch:
        """A branch by number or name; the current one if none is given."""
        if isinstance(branch, str):
            found = [other for other in self.branches.values() if other.name == branch]
            if len(found) == 1:
                return found[0]
            names = ", ".join(f"'{other.name}'" for other in self.branches.values())
            raise InputError(
                f"{'several branches are' if found else 'no branch is'} called '{branch}'; there are: {names}"
            )
        number = self.current if branch is None else branch
        if number not in self.branches:
            raise InputError(
                f"there is no branch {number}; there are: {', '.join(map(str, self.branches)) or 'none yet'}"
            )
        return self.branches[number]

    @renamed_arguments(lane="branch")
    def rename(self, branch: int | str, name: str) -> None:
        """Give a branch a name of its own."""
        chosen = self.branch(branch)
        self.check_name(name, chosen)
        if chosen.name != name:
            chosen.name = name
            self._keep(chosen)

    def check_name(self, name: str, chosen: Branch | None = None) -> None:
        """Refuse a name that a branch, or one that is to come, cannot have."""
        if not name.strip():
            which = "a branch" if chosen is None else f"branch {chosen.id}"
            raise InputError(f"{which} cannot be called {name!r}; give it a name that can be read")
        if any(other.name == name and other is not chosen for other in self.branches.values()):
            raise InputError(f"another branch is called '{name}' already")

    @renamed_arguments(lane="branch")
    def delete(self, branch: int | str, deleted: bool = True) -> None:
        """Hide a branch, or restore it with `deleted=False`; nothing of it is lost, and its children stay."""
        chosen = self.branch(branch)
        if chosen.deleted != deleted:
            chosen.deleted = deleted
            self._keep(chosen)

    def children(self, branch: int | str | None = None) -> list[Branch]:
        """Branches that have branched off from one."""
        number = self.branch(branch).id
        return [other for other in self.branches.values() if other.parent == number]

    @renamed_arguments(lane="branch")
    def lineage(self, branch: int | str | None = None) -> list[Piece]:
        """The pieces that make up a branch's whole past, first things first."""
        here = self.branch(branch)
        pieces = [Piece(here.id, here.begin, self.end(here.id))]
        while here.parent is not None:
            pieces.append(Piece(here.parent, self.branches[here.parent].begin, here.begin))
            here = self.branches[here.parent]
        return pieces[::-1]

    @renamed_arguments(lane="branch")
    def begin(self, branch: int | str | None = None) -> float:
        """The first time that a branch, or what it came from, knows of [s]."""
        return self.lineage(branch)[0].start

    @renamed_arguments(lane="branch")
    def end(self, branch: int | str | None = None) -> float:
        """Time of the last frame of a branch [s]."""
        chosen = self.branch(branch)
        if self._open is not None and chosen.id == self.current and self._open.frames:
            return self._open.frames[-1].time
        index = self._index[chosen.id]
        return index[-1].last_time if index else chosen.begin

    # --- recording ---

    def open_chunk(self, chunk: Chunk) -> None:
        """Record into this chunk from now on."""
        self.close_chunk()
        self._open, self._kept = chunk, 0

    @property
    def growing(self) -> Chunk | None:
        """The chunk that is being recorded."""
        return self._open

    def keep(self) -> None:
        """Hand what was recorded to the store, also a chunk that is not full yet, unless the store is behind already."""
        self._hand_over(wait=False)

    def _hand_over(self, *, wait: bool) -> None:
        chunk = self._open
        if chunk is None or not chunk.frames or len(chunk.frames) == self._kept:
            return
        place = self.current, len(self._index[self.current])
        if self._packing.hand_over(place, chunk, wait=wait):
            self._kept = len(chunk.frames)

    def settle(self) -> None:
        """Return when the store has everything, and raise what went wrong there."""
        self._packing.settle()

    def close_chunk(self) -> None:
        """Finish the chunk that is being recorded."""
        self._hand_over(wait=True)
        chunk, self._open = self._open, None
        if chunk is not None and chunk.frames:
            index = self._index[self.current]
            self._remember((self.current, len(index)), chunk)
            index.append(ChunkIndex(chunk.frames[0].time, chunk.frames[-1].time, len(chunk.frames)))

    def _keep(self, branch: Branch) -> None:
        self.store.put_branch(branch.id, asdict(branch))

    # --- looking ---

    @renamed_arguments(lane="branch")
    def owner(self, time: float, branch: int | str | None = None) -> Branch:
        """The branch in which this time of a branch's past was recorded."""
        here = self.branch(branch)
        while time < here.begin and here.parent is not None:
            here = self.branches[here.parent]
        return here

    def find(self, time: float, branch: int | str | None = None) -> tuple[Chunk, int]:
        """The chunk and the row in it of the last frame at or before a time."""
        here = self.owner(time, branch)
        index = self._index[here.id]
        growing = self._open if here.id == self.current else None
        if growing is not None and growing.frames and (not index or time >= growing.frames[0].time):
            return growing, growing.row(time)
        if not index:
            raise InputError(f"branch {here.id} has no frames yet; simulate something first")
        later = bisect.bisect_right(index, time, key=lambda chunk: chunk.first_time)
        chunk = self._chunk(here.id, max(later - 1, 0))
        return chunk, chunk.row(time)

    def _chunk(self, branch: int, number: int) -> Chunk:
        place = (branch, number)
        if place not in self._cache:
            if not self._index[branch][number].frames:
                first, last = self._index[branch][number][:2]
                raise ProjectError(
                    f"the frames of branch '{self.branches[branch].name}' from {first:.3f} s to {last:.3f} s were lost when a "
                    "damaged file was rescued; go to a time before or after them"
                )
            self.settle()
            self._remember(place, Chunk.unpack(self.store.read_chunk(branch, number)))
        self._cache.move_to_end(place)
        return self._cache[place]

    def _remember(self, place: tuple[int, int], chunk: Chunk) -> None:
        self._cache[place] = chunk
        while len(self._cache) > KEPT:
            self._cache.popitem(last=False)

    @renamed_arguments(lane="branch")
    def frame(self, time: float, branch: int | str | None = None) -> Frame:
        """The last frame at or before a time."""
        chunk, row = self.find(time, branch)
        return chunk.frames[row]

    def _pieces(self, start: float, end: float | None, branch: int | str | None) -> Iterator[tuple[Chunk, Piece]]:
        """Chunks of a branch and its past between two times, each with the piece of its branch that counts."""
        lineage = self.lineage(branch)
        for piece in lineage:
            last = min(piece.end, piece.end if end is None else end)
            # A branch begins with the frame that it has left its parent at.
            last = last if piece is lineage[-1] else min(last, math.nextafter(piece.end, -math.inf))
            part = Piece(piece.branch, max(piece.start, start), last)
            for number, index in enumerate(self._index[piece.branch]):
                if index.frames and index.last_time >= part.start and index.first_time <= part.end:
                    yield self._chunk(piece.branch, number), part
            if piece.branch == self.current and self._open is not None:
                yield self._open, part

    def own_chunks(self, branch: int | str | None = None) -> Iterator[Chunk]:
        """The chunks of a branch itself, without its past."""
        number = self.branch(branch).id
        for k, index in enumerate(self._index[number]):
            if index.frames:
                yield self._chunk(number, k)
        if number == self.current and self._open is not None:
            yield self._open

    @renamed_arguments(lane="branch")
    def frames(self, start: float = 0.0, end: float | None = None, branch: int | str | None = None) -> Iterator[Frame]:
        """All frames of a branch and its past between two times, both included."""
        last = -1
        for chunk, part in self._pieces(start, end, branch):
            for frame in list(chunk.frames):
                # Where recording was taken up again, a frame stands twice.
                if part.start <= frame.time <= part.end and frame.step > last:
                    last = frame.step
                    yield frame

    @renamed_arguments(lane="branch")
    def events(self, start: float = 0.0, end: float | None = None, branch: int | str | None = None) -> list[Event]:
        """What happened between two times."""
        pieces = self._pieces(start, end, branch)
        return [event for chunk, part in pieces for event in chunk.events if part.start <= event.time <= part.end]

    def joined(self, pieces: Sequence[Piece]) -> Iterator[Frame]:
        """Frames of several pieces one after the other, with times that run on from zero."""
        shift = 0.0
        for piece in pieces:
            first: float | None = None
            last = piece.start
            for frame in self.frames(piece.start, piece.end, piece.branch):
                first, last = frame.time if first is None else first, frame.time
                yield frame._replace(time=frame.time - first + shift)
            shift += 0.0 if first is None else last - first + 1.0 / self.rate


class Packer:
    """Packs chunks and gives them to a store, in the order in which they came."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._packer = ThreadPoolExecutor(1, "packing frames")
        self._jobs: deque[Future[None]] = deque()
        self._lock = threading.Lock()
        self._waiting: dict[Place, tuple[ChunkIndex, Chunk]] = {}
        """What no packing has begun with."""

    def __len__(self) -> int:
        """Packings that are under way or waiting, or have failed and not raised their error yet."""
        return len(self._jobs)

    def hand_over(self, place: Place, chunk: Chunk, *, wait: bool) -> bool:
        """Pack what a chunk holds now; at once if the store is no file.

        A version of it that still waits is replaced. Where too much is on its way already, waits for that or, if not told
        to, does nothing. Tells whether it was taken.
        """
        index = ChunkIndex(chunk.frames[0].time, chunk.frames[-1].time, len(chunk.frames))
        if self._store.path is None:
            self._store.put_chunk(*place, index, chunk.pack())
            return True
        self.settle(finished_only=True)
        if self._replaced(place, index, chunk):
            return True
        if len(self._jobs) >= MOST and not wait:
            return False
        while len(self._jobs) >= MOST:
            self._jobs.popleft().result()
        self._waiting[place] = index, chunk.copy()
        self._jobs.append(self._packer.submit(self._pack, place))
        return True

    def _replaced(self, place: Place, index: ChunkIndex, chunk: Chunk) -> bool:
        """Put a chunk in the place of an older version that waits; whether one did."""
        with self._lock:
            if place not in self._waiting:
                return False
            self._waiting[place] = index, chunk.copy()
            return True

    def _pack(self, place: Place) -> None:
        with self._lock:
            index, chunk = self._waiting.pop(place)
        self._store.put_chunk(*place, index, chunk.pack())

    def settle(self, *, finished_only: bool = False) -> None:
        """Return when the store has everything, and raise what went wrong there."""
        while self._jobs and (self._jobs[0].done() or not finished_only):
            self._jobs.popleft().result()
