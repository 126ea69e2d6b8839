"""Packing of what was recorded, beside the simulation."""

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

from stringless.timeline.chunk import Chunk
from stringless.timeline.store import ChunkIndex, Store

MOST = 2
"""Packings that may be under way or waiting."""
Place = tuple[int, int]
"""Branch, and number of the chunk in it."""


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
