"""Packing beside the simulation: no queue grows, the newest is what is kept, and nothing is lost."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from stringless.timeline import packer
from stringless.timeline.chunk import Chunk, Frame
from stringless.timeline.store import Store
from stringless.timeline.take import Take

EMPTY = np.zeros((0, 3))
SOON = 30.0
"""What a thread may take to begin on a busy machine [s]."""


def grow(chunk: Chunk, count: int, first: int = 0) -> None:
    for k in range(first + len(chunk.frames), first + len(chunk.frames) + count):
        row = np.full(2, float(k))
        chunk.add(Frame(k / 120, k, row, row, row, EMPTY, np.zeros(0, np.int64), EMPTY))


@pytest.fixture
def take(tmp_path):
    with Store.create(tmp_path / "take.stringless") as store:
        take = Take(store)
        take.begin_branch(parent=None, time=0.0, step=0)
        yield take
        take.settle()


@pytest.fixture
def held(monkeypatch):
    """Packings that do not go on before they may: how many frames each has begun with, and a gate."""
    begun, gate, seen = [], threading.Event(), threading.Event()
    pack = Chunk.pack

    def slowly(chunk):
        begun.append(len(chunk.frames))
        seen.set()
        assert gate.wait(SOON)
        return pack(chunk)

    monkeypatch.setattr(Chunk, "pack", slowly)
    yield begun, gate, seen
    gate.set()


def steps(take: Take) -> list[int]:
    """What the store has, as somebody who opens it finds it."""
    chunks = [Chunk.unpack(take.store.read_chunk(1, k)) for k in range(len(take.store.chunks(1)))]
    return [frame.step for chunk in chunks for frame in chunk.frames]


def test_an_open_chunk_is_packed_once_more_however_often_it_was_kept(take, held):
    begun, gate, seen = held
    chunk = Chunk({}, 1.0)
    take.open_chunk(chunk)
    for _ in range(24):
        grow(chunk, 5)
        take.keep()
        assert seen.wait(SOON)
        assert len(take._packing) <= packer.MOST
    gate.set()
    take.settle()
    assert begun == [5, 120]
    assert steps(take) == list(range(120))


def test_chunks_come_in_order_and_the_open_one_waits_until_there_is_room(take, held):
    begun, gate, seen = held
    first, second = Chunk({}, 1.0), Chunk({}, 1.0)
    take.open_chunk(first)
    grow(first, 60)
    take.keep()
    assert seen.wait(SOON)
    grow(first, 60)
    take.open_chunk(second)  # the first is full, and waits
    grow(second, 10, first=120)
    take.keep()  # no room
    assert len(take._packing) == packer.MOST
    gate.set()
    take.settle()
    assert begun == [60, 120]
    take.keep()
    take.settle()
    grow(second, 10, first=120)
    take.close_chunk()
    take.settle()
    assert begun == [60, 120, 10, 20]
    assert steps(take) == list(range(140))


def test_a_full_chunk_waits_for_room_and_is_never_left_out(take, held):
    _, gate, _ = held
    for k in range(packer.MOST + 2):
        chunk = Chunk({}, 1.0)
        take.open_chunk(chunk)
        grow(chunk, 120, first=120 * k)
        if len(take._packing) == packer.MOST:
            threading.Timer(0.05, gate.set).start()
        take.close_chunk()
    take.settle()
    assert steps(take) == list(range(120 * (packer.MOST + 2)))


def test_states_are_packed_once(monkeypatch, take):
    made = []
    monkeypatch.setattr("stringless.timeline.chunk.pack_state", lambda state: made.append(state) or b"state")
    chunk = Chunk({}, 1.0)
    take.open_chunk(chunk)
    for k in range(3):
        grow(chunk, 10)
        chunk.states.append((10 * k, object()))
        take.keep()
        take.settle()
    assert len(made) == 3
    assert [at for at, _ in Chunk.unpack(take.store.read_chunk(1, 0)).states] == [0, 10, 20]


def test_what_goes_wrong_beside_is_raised_and_the_chunk_can_be_handed_over_again(monkeypatch, take):
    chunk = Chunk({}, 1.0)
    take.open_chunk(chunk)
    grow(chunk, 3)
    with monkeypatch.context() as patch:
        patch.setattr(Chunk, "pack", lambda chunk: 1 / 0)
        take.keep()
        with pytest.raises(ZeroDivisionError):
            take.settle()
    grow(chunk, 3)
    take.keep()
    take.settle()
    assert steps(take) == list(range(6))
