"""Letters come out in order, of moves and seeks only the newest."""

from __future__ import annotations

import time

from stringless.studio.message_queue import MOST, MessageQueue
from stringless.studio.messages import Do, Grab, Move, Release, Seek


def taken(box: MessageQueue) -> list[object]:
    return [message.content for message in box.take(0.0)]


def test_only_the_newest_move_of_a_hand_is_kept():
    box = MessageQueue()
    first, other = Move(0, 1), Move(1, 1)
    for page, message in ((1, first), (1, other), (2, Move(0, 7)), (1, Do(1, "x")), (1, Move(0, 2)), (1, Seek(1, 0.0))):
        box.put(page, message)
    box.put(1, Seek(2, 0.5))
    assert taken(box) == [other, Move(0, 7), Do(1, "x"), Move(0, 2), Seek(2, 0.5)]
    assert taken(box) == []


def test_a_move_stays_between_grab_and_release():
    box = MessageQueue()
    messages = [Move(0, 1), Release(1, 0), Move(0, 2), Grab(2, 0), Move(0, 3)]
    for message in messages:
        box.put(1, message)
    assert taken(box) == messages


def test_what_is_done_is_done_at_the_moment_that_was_sought_before():
    box = MessageQueue()
    letters = [Seek(1, 0.5), Do(1, "key"), Seek(2, 1.0), Grab(2, 0), Seek(3, 1.5)]
    for message in [Seek(0, 0.25), *letters]:
        box.put(1, message)
    assert taken(box) == letters


def test_a_page_that_says_too_much_is_not_heard():
    box = MessageQueue()
    for k in range(MOST):
        assert box.put(1, Do(k, "x"))
    assert not box.put(1, Do(MOST, "x"))
    assert box.put(2, Do(0, "x"))
    assert box.put(1, Move(0, 1))
    assert len(taken(box)) == MOST + 2
    assert box.put(1, Do(0, "x"))


def test_moves_may_wait_and_nothing_else_does():
    box = MessageQueue()
    box.put(1, Move(0, 1))
    begin = time.perf_counter()
    assert len(box.take(begin + 0.05, moves_too=False)) == 1
    assert time.perf_counter() >= begin + 0.05
    box.put(1, Do(1, "x"))
    assert len(box.take(time.perf_counter() + 100, moves_too=False)) == 1
    box.wake()
    assert box.take(time.perf_counter() + 100) == []
