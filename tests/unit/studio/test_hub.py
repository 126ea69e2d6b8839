"""Messages all arrive, of frames only the newest; what makes no sense is answered and heard by nobody."""

import asyncio
import threading
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from stringless.studio import connection, frames
from stringless.studio.connection import CloseCode
from stringless.studio.frames import FrameData, Places, unpack_frame
from stringless.studio.hub import MOST_PAGES, Hub
from stringless.studio.messages import (
    VERSION,
    Acknowledge,
    Answer,
    Do,
    Edit,
    FromStudio,
    Grab,
    Hello,
    Move,
    Notice,
    Refusal,
    Scene,
    Seek,
    Wishes,
)

encode = msgspec.msgpack.encode
decode = msgspec.msgpack.Decoder(FromStudio).decode


SCENE = Scene(1, "empty", "", [], [], [], [], None, [], 0, None, (0.0, -9.81, 0.0), (0.0, 0.0, 0.0), 1.0)


class Listener:
    """A session that only writes down what it receives."""

    def __init__(self):
        self.received = []

    def add_page(self, page, hello):
        self.received.append(("joined", page, hello.name))

    def remove_page(self, page):
        self.received.append(("left", page))

    def receive(self, page, message):
        self.received.append((page, message))


def make_frame(time=0.0):
    none = np.zeros((0, 6))
    return FrameData(
        1,
        0,
        time,
        -1.0,
        1.0,
        0.0,
        0.0,
        frames.LIVE,
        np.arange(14.0).reshape(2, 7),
        np.ones((3, 3)),
        np.zeros(6),
        none,
        np.full((1, 11), 2.0),
        np.array([5, 6], np.uint32),
        np.array([7.0]),
        np.array([2**31 + 1, 8], np.uint32),
    )


def waiting(page):
    """All that is waiting to be sent, frames last."""
    return list(iter(page.take_next, None))


def said(page):
    return [decode(data[4:]) for data in waiting(page) if data[0] == frames.MESSAGE]


@pytest.fixture
def stage():
    """A hub whose loop runs what it is given when told to."""
    loop = asyncio.new_event_loop()
    hub, listener = Hub(), Listener()
    hub.listener = listener
    hub.run_in(loop)

    def settle():
        loop.run_until_complete(asyncio.sleep(0))

    def welcome(hello=None):
        page = hub.add_connection()
        hub.receive(page, encode(hello or Hello(VERSION)))
        hub.send(page.number, SCENE)
        settle()
        waiting(page)
        return page

    yield SimpleNamespace(hub=hub, listener=listener, settle=settle, welcome=welcome, loop=loop)
    if not loop.is_closed():
        loop.close()


# --- from the session to the pages ---


def test_messages_arrive_all_and_in_order(stage):
    pages = stage.welcome(), stage.welcome()
    for k in range(100):
        stage.hub.send(None, Notice("info", str(k)))
    stage.hub.send(pages[0].number, Answer(1, "for one"))
    stage.settle()
    assert [message.text for message in said(pages[1])] == [str(k) for k in range(100)]
    assert said(pages[0])[-1] == Answer(1, "for one")


def test_of_frames_only_the_newest_and_two_under_way(stage):
    page = stage.welcome()
    for k in range(5):
        stage.hub.send_frame(make_frame(k))
        stage.settle()
    first = waiting(page)
    assert [unpack_frame(data)[1].time for data in first] == [4.0]
    stage.hub.send_frame(make_frame(5))
    stage.settle()
    second = waiting(page)
    for k in range(6, 9):
        stage.hub.send_frame(make_frame(k))
    stage.settle()
    assert len(second) == 1
    assert waiting(page) == [], "two are under way"
    stage.hub.receive(page, encode(Acknowledge(unpack_frame(second[0])[0])))
    assert [unpack_frame(data)[1].time for data in waiting(page)] == [8.0], "the newest, once they are drawn"


def test_each_page_is_told_what_has_moved_since_its_own_last_frame(stage):
    slow, quick = stage.welcome(), stage.welcome()
    for page in (slow, quick):
        page.begin_scene()
    values, since = np.zeros((3, 7), np.float32), np.ones(3, np.uint32)
    told = {slow.number: [], quick.number: []}
    heard = {number: np.full((3, 7), -1.0) for number in told}
    for k in range(1, 7):
        values[k % 3], since[k % 3] = k, k
        places = Places(k, values.copy(), since.copy())
        stage.hub.send_frame(make_frame(k)._replace(poses=np.zeros((0, 7)), places=places))
        stage.settle()
        for page in (quick, slow) if k in (1, 6) else (quick,):
            for data in waiting(page):
                numbers, rows = frames.unpack_places(data)
                told[page.number].append(numbers.tolist())
                heard[page.number][numbers] = rows
                stage.hub.receive(page, encode(Acknowledge(unpack_frame(data)[0])))
    assert told[quick.number] == [[0, 1, 2], [2], [0], [1], [2], [0]]
    assert told[slow.number] == [[0, 1, 2], [0, 1, 2]]
    for number in told:
        np.testing.assert_array_equal(heard[number], values)
    quick.begin_scene()
    stage.hub.send_frame(make_frame(7)._replace(poses=np.zeros((0, 7)), places=Places(7, values.copy(), since.copy())))
    stage.settle()
    assert frames.unpack_places(waiting(quick)[0])[0].tolist() == [0, 1, 2], "of a scene that begins it knows nothing"


def test_a_slow_page_keeps_no_other_from_frames(stage):
    slow, quick = stage.welcome(), stage.welcome()
    seen = 0
    for k in range(20):
        stage.hub.send_frame(make_frame(k))
        stage.settle()
        waiting(slow)
        for data in waiting(quick):
            seen += 1
            stage.hub.receive(quick, encode(Acknowledge(unpack_frame(data)[0])))
    assert seen == 20
    assert stage.hub.find_frame_rate(quick.number) == 20.0
    assert stage.hub.find_frame_rate(slow.number) == 2.0


def test_a_frame_is_read_as_it_was_packed(stage):
    sequence, found = unpack_frame(frames.pack_frame(9, make_frame(1.5)))
    assert sequence == 9
    for name, value in make_frame(1.5)._asdict().items():
        np.testing.assert_array_equal(getattr(found, name), value, err_msg=name)


def test_ghosts_are_the_newest_of_each_role(stage):
    page, other = stage.welcome(), stage.welcome()
    for role, data in ((0, b"\2old"), (1, b"\2before"), (0, b"\2new")):
        stage.hub.send_ghosts(page.number, role, data)
    stage.settle()
    assert waiting(page) == [b"\2new", b"\2before"]
    assert waiting(other) == []


def test_of_some_messages_only_the_newest_is_sent_after_what_was_said_before(stage):
    page, other = stage.welcome(), stage.welcome()
    for revision in (1, 2, 3):
        stage.hub.send_latest(None, Edit(open=False, epoch=1, revision=revision, done=0.0))
        stage.hub.send(None, Notice("info", str(revision)))
    stage.settle()
    for one in (page, other):
        assert [getattr(m, "text", None) or m.revision for m in said(one)] == ["1", "2", "3", 3]


def test_nobody_sees_frames_before_the_scene(stage):
    page = stage.hub.add_connection()
    stage.hub.receive(page, encode(Hello(VERSION)))
    stage.hub.send(None, Notice("info", "to all"))
    stage.hub.send_frame(make_frame())
    stage.settle()
    assert waiting(page) == []
    stage.hub.send(page.number, Notice("info", "welcome"))
    stage.hub.send_frame(make_frame())
    stage.hub.send_ghosts(None, 0, b"\2ghosts")
    stage.settle()
    assert len(waiting(page)) == 1, "it could not tell what they show"
    stage.hub.send(page.number, SCENE)
    stage.hub.send_frame(make_frame())
    stage.settle()
    first, second = waiting(page)
    assert (first[0], second[0]) == (frames.MESSAGE, frames.FRAME), "a scene comes before its frames"


def test_a_page_that_does_not_read_is_closed_with_a_reason(stage, monkeypatch):
    monkeypatch.setattr(connection, "MOST_MESSAGES", 10)
    lazy, other = stage.welcome(), stage.welcome()
    for _ in range(11):
        stage.hub.send(None, Notice("info", "x"))
        stage.settle()
        waiting(other)
    assert lazy.closing == (CloseCode.SLOW, "the page did not read what was sent to it")
    assert waiting(lazy) == []
    assert other.closing is None


def test_any_thread_may_speak_also_when_all_is_over(stage):
    page = stage.welcome()
    thread = threading.Thread(target=stage.hub.send, args=(None, Notice("info", "from afar")))
    thread.start()
    thread.join()
    stage.settle()
    assert [message.text for message in said(page)] == ["from afar"]
    stage.loop.close()
    stage.hub.send(None, Notice("info", "to nobody"))
    stage.hub.send_frame(make_frame())


# --- from the pages to the session ---


def test_what_is_said_gets_to_the_session(stage):
    page = stage.welcome(Hello(VERSION, "ann"))
    words = [Move(1, 5, (0.0, 1.0, 2.0)), Seek(6, 1.5), Wishes(), Do(1, "undo"), Grab(2, 1)]
    for word in words:
        stage.hub.receive(page, encode(word))
    assert stage.listener.received == [("joined", page.number, "ann"), *((page.number, word) for word in words)]
    stage.hub.remove_connection(page)
    assert stage.listener.received[-1] == ("left", page.number)


@pytest.mark.parametrize(
    ("data", "number", "about"),
    [
        (b"", None, "truncated"),
        (b"\xc1", None, "is malformed"),
        (b"garbage", None, "Expected `object`"),
        ("text", None, "expected MessagePack in a binary message, got text"),
        (encode({"type": "do", "id": 7}), 7, "missing required field `command`"),
        (encode({"type": "burn", "id": 7}), 7, "Invalid value 'burn'"),
        (encode({"type": "do", "id": 7, "command": "undo", "more": 1}), 7, "unknown field `more`"),
        (encode({"type": "do", "id": -7, "command": "undo"}), None, ">= 0"),
        (encode({"type": "do", "id": 7, "command": "x" * 300}), 7, "length <= 200"),
        (encode({"type": "move", "pointer": 1, "sequence": 1, "target": [1, 2]}), None, "length 3"),
        (encode({"type": "grab", "id": 7, "pointer": 1, "kind": 5}), 7, "Expected `str`"),
        (b"\x91" * 5000, None, "is malformed"),
        (encode({"type": "do", "id": 7, "command": "undo"})[:-2], None, "truncated"),
    ],
)
def test_what_makes_no_sense_is_refused_and_heard_by_nobody(stage, data, number, about):
    page, other = stage.welcome(), stage.welcome()
    before = list(stage.listener.received)
    stage.hub.receive(page, data)
    (refusal,) = said(page)
    assert isinstance(refusal, Refusal)
    assert refusal.id == number
    assert about in refusal.error
    assert stage.listener.received == before
    assert page.closing is None, "one mistake is no reason to part"
    assert said(other) == []


def test_hello_comes_first(stage):
    page = stage.hub.add_connection()
    stage.hub.receive(page, encode(Do(1, "undo")))
    (refusal,) = said(page)
    assert refusal.error == "a page must say hello first, this one said 'do'"
    assert page.closing == (CloseCode.MISUSED, refusal.error)
    stage.hub.remove_connection(page)
    assert stage.listener.received == []


def test_hello_is_said_once(stage):
    page = stage.welcome()
    stage.hub.receive(page, encode(Hello(VERSION)))
    assert "said already" in said(page)[0].error
    assert len(stage.listener.received) == 1


def test_a_page_that_comes_back_takes_the_place_of_its_old_connection(stage):
    old, other, new = stage.hub.add_connection(), stage.hub.add_connection(), stage.hub.add_connection()
    for page, key in ((old, "abc"), (other, ""), (new, "abc")):
        stage.hub.receive(page, encode(Hello(VERSION, key=key)))
    assert old.closing == (CloseCode.GONE, "this page has come back by another connection")
    assert new.closing is None
    assert other.closing is None


def test_another_version_is_told_so(stage):
    page = stage.hub.add_connection()
    stage.hub.receive(page, encode(Hello(VERSION + 1)))
    assert page.closing == (
        CloseCode.OTHER_VERSION,
        f"the page speaks version {VERSION + 1} and this studio version {VERSION}; reload the page",
    )
    assert stage.listener.received == []


def test_a_flood_is_dammed(stage):
    page, other = stage.welcome(), stage.welcome()
    for k in range(10_000):
        stage.hub.receive(page, encode(Seek(k, 0.0)))
    heard = len(stage.listener.received)
    assert heard < 6000
    assert page.closing == (CloseCode.FLOODING, "the page sent far too much at once")
    assert said(page)[-1].error == "the page sent far too much at once"
    stage.hub.receive(other, encode(Seek(1, 0.0)))
    assert len(stage.listener.received) == heard + 1


def test_nonsense_counts_more(stage):
    page = stage.welcome()
    for _ in range(1000):
        stage.hub.receive(page, b"garbage")
    assert page.closing == (CloseCode.FLOODING, "the page sent far too much that is malformed")
    assert len(said(page)) < 500


def test_whoever_said_nonsense_is_told_so_whichever_limit_comes_first(stage):
    page = stage.welcome()
    stage.hub.receive(page, b"\xc1 garbage")
    for number in range(5000):
        stage.hub.receive(page, encode(Move(1, number, (0.0, 0.0, 0.0))))
    assert page.closing == (CloseCode.FLOODING, "the page sent far too much that is malformed")


def test_a_page_that_waits_for_no_answer_has_to(stage):
    page = stage.welcome()
    for k in range(connection.MOST_REQUESTS + 1):
        stage.hub.receive(page, encode(Do(k, "undo")))
    assert said(page) == [Refusal(connection.MOST_REQUESTS, "500 requests of this page wait for an answer already")]
    stage.hub.send(page.number, Answer(0))
    stage.settle()
    stage.hub.receive(page, encode(Do(9999, "undo")))
    assert stage.listener.received[-1] == (page.number, Do(9999, "undo"))


def test_there_is_room_for_so_many_and_then_again_when_one_leaves(stage):
    pages = [stage.welcome() for _ in range(MOST_PAGES)]
    late = stage.hub.add_connection()
    assert late.closing == (CloseCode.FULL, f"{MOST_PAGES} pages are connected already; close one of them")
    stage.hub.receive(late, encode(Hello(VERSION)))
    assert len(stage.listener.received) == MOST_PAGES
    stage.hub.remove_connection(late)
    stage.hub.remove_connection(pages[0])
    assert stage.hub.add_connection().closing is None


def test_at_the_end_all_are_told(stage):
    page = stage.welcome()
    stage.hub.close()
    stage.settle()
    assert page.closing == (CloseCode.GONE, "the studio has been stopped")
