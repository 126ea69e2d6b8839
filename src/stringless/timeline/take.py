"""The take: everything that was ever simulated here, in branches.

A branch is an unbroken stretch of simulated time. Going on from a time in the past begins another branch there; the old
future stays in its own. Before its beginning a branch is what its parent was.
"""

from __future__ import annotations

import bisect
import math
import time as wall
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import NamedTuple, Protocol

from stringless.errors import InputError, ProjectError, renamed, renamed_arguments
from stringless.timeline.chunk import Chunk, Event, Frame
from stringless.timeline.packer import Packer
from stringless.timeline.store import ChunkIndex, Store
from stringless.timeline.time_map import NEAR, Knots, TimeMap, check_time, make_time_map

KEPT = 6
"""Chunks that are kept unpacked, the last ones looked at."""


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


class Warp(Protocol):
    """Recorded commands, on their way to a branch of their own at other times."""

    def simulate(self, report: Callable[[float], None] | None = None) -> None:
        """Simulate them, if that was not done; `report` hears the share that is done, and what it raises ends it."""

    def keep(self) -> Branch:
        """Make what was simulated a branch of the take."""
        ...

    def close(self) -> None:
        """Give back what it took; nothing more can be done with it."""


class Replayer(Protocol):
    """Whoever records into a take, and can replay its commands."""

    def finish(self) -> None:
        """Record up to the very last step."""

    def prepare_warp(self, time_map: TimeMap, branch: Branch, until: float) -> Warp:
        """Make ready to replay a branch along a map of time, up to a recorded time."""
        ...


class Take:
    """Frames, full states and commands, in branches; kept in a store."""

    def __init__(self, store: Store, *, rate: float = 120.0, replayer: Replayer | None = None) -> None:
        """Go on with what the store holds; `rate` is that of new frames [1/s], `replayer` can replay what was commanded."""
        self.store, self.rate = store, rate
        self.replayer = replayer
        """What records into it, and can replay its commands; None for one that is only read."""
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
        branch = self._add_branch(parent, time, step, scene)
        self.current = branch.id
        return branch

    def _add_branch(self, parent: int | None, time: float, step: int, scene: str) -> Branch:
        number = max(self.branches, default=0) + 1
        branch = Branch(number, parent, time, step, f"take {number}", made=wall.time(), scene=scene)
        self.branches[number], self._index[number] = branch, []
        self._keep(branch)
        return branch

    def adopt(self, other: Take, parent: int) -> Branch:
        """Keep the branch that another take has recorded last, from a time of `parent` on; recording goes on where it was."""
        other.close_chunk()
        other.settle()
        source = other.branch()
        branch = self._add_branch(parent, source.begin, source.step, source.scene)
        for number, index in enumerate(other._index[source.id]):
            self.store.put_chunk(branch.id, number, index, other.store.read_chunk(source.id, number))
            self._index[branch.id].append(index)
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

    # --- commands at other times ---

    def warp(
        self,
        start: float | None = None,
        end: float | None = None,
        factor: float | None = None,
        *,
        knots: Knots | None = None,
        branch: int | str | None = None,
        until: float | None = None,
        report: Callable[[float], None] | None = None,
    ) -> Branch:
        """Replay the recorded commands of a stretch at other times, by simulating from its start, as a new branch.

        The old branch is kept, and the simulation stays where it is; go to a time of the new branch to go on from there.

        Args:
            start: of the stretch; the beginning of the branch if not given [s].
            end: of the stretch; the end of the branch if not given [s]. Commands after it are shifted.
            factor: how many times as long the stretch takes.
            knots: instead of a factor, pairs of a recorded time and when it is to happen, both rising, straight in between [s].
            branch: number or name; the current one if not given.
            until: recorded time up to which commands are replayed; the end of the branch if not given [s].
            report: hears the share that is done, from 0 to 1; what it raises ends the simulation, and nothing is kept.

        Raises:
            InputError: there is no such stretch, or the factor or the knots make no sense, or a command cannot be warped.
            DivergenceError: the new motion diverged; nothing is kept.
        """
        with closing(self.prepare_warp(start, end, factor, knots=knots, branch=branch, until=until)) as warp:
            warp.simulate(report)
            return warp.keep()

    def prepare_warp(
        self,
        start: float | None = None,
        end: float | None = None,
        factor: float | None = None,
        *,
        knots: Knots | None = None,
        branch: int | str | None = None,
        until: float | None = None,
    ) -> Warp:
        """What `warp` does, up to the simulation, which another thread may then do while this one goes on."""
        if self.replayer is None or not self.branches:
            raise InputError("there are no recorded commands to warp; simulate something first")
        self.replayer.finish()
        chosen = self.branch(branch)
        begin, last = self.begin(chosen.id), self.end(chosen.id)
        time_map = make_time_map(start, end, factor, knots, (begin, last, chosen.name))
        until = last if until is None else check_time(until, "time until which commands are replayed")
        if not time_map.end <= until + NEAR or not until <= last + NEAR:
            raise InputError(
                f"commands cannot be replayed until {until!r} s; expected a time from the end of the stretch, "
                f"{time_map.end:.4g} s, to the end of branch '{chosen.name}', {last:.4g} s"
            )
        return self.replayer.prepare_warp(time_map, chosen, until)

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

    def pieces(self, start: float, end: float | None, branch: int | str | None) -> Iterator[tuple[Chunk, Piece]]:
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
        for chunk, part in self.pieces(start, end, branch):
            for frame in list(chunk.frames):
                # Where recording was taken up again, a frame stands twice.
                if part.start <= frame.time <= part.end and frame.step > last:
                    last = frame.step
                    yield frame

    @renamed_arguments(lane="branch")
    def events(self, start: float = 0.0, end: float | None = None, branch: int | str | None = None) -> list[Event]:
        """What happened between two times."""
        pieces = self.pieces(start, end, branch)
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
