"""A project to store, to damage and to compare with."""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections.abc import Callable

from stringless.timeline import ChunkIndex, Store


def fill(store: Store, seed: int = 1, chunks: int = 12) -> None:
    """Two lanes, chunks that grow, a journal with amended entries, files."""
    rng = random.Random(seed)
    for lane in range(2):
        store.put_branch(lane, {"name": f"take {lane} ä"})
        for number in range(chunks):
            for frames in (3, 7):
                store.put_chunk(lane, number, ChunkIndex(number, number + 0.9, frames), rng.randbytes(900 * frames))
    for number in range(1, 80):
        assert store.append({"command": "move", "to": rng.random(), "text": "x" * rng.randrange(200)}) == number
        if number % 3 == 0:
            store.amend(number, {"command": "drag", "to": rng.random()})
    store.set("title", "worm")
    store.set("title", "the worm")
    store.set("rate", 120.0)
    store.put_blob(rng.randbytes(9000))
    store.put_blob(b"scene" * 2000)


def everything(store: Store) -> dict[str, object]:
    """All that can be read."""
    return {
        "values": {key: store.get(key) for key in ("title", "rate", "none")},
        "lanes": store.branches(),
        "chunks": {lane: store.chunks(lane) for lane in store.branches()},
        "data": [store.read_chunk(lane, n) for lane in store.branches() for n in range(len(store.chunks(lane)))],
        "journal": list(store.journal()),
        "blobs": {name: store.read_blob(name) for name in store._contents.blobs},
    }


def in_child(action: Callable[[], None], *, user: int | None = None) -> int:
    """Run `action` in a copy of this process, without the rights of root if `user` is given; how it ended."""
    with warnings.catch_warnings():
        # Newer versions of Python warn of locks that other threads may hold; `action` uses none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            if user is not None and os.getuid() == 0:
                os.setgid(user)
                os.setuid(user)
            action()
            status = 0
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
