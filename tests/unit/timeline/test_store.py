import json
import os
import sqlite3
import threading

import numpy as np
import pytest

from projects import everything, fill
from stringless.errors import InputError, ProjectError
from stringless.timeline import ChunkIndex, Store, writer


@pytest.fixture(params=["file", "temporary"])
def store(request, tmp_path):
    made = Store.create(tmp_path / "a.stringless") if request.param == "file" else Store.temporary()
    with made:
        yield made


def test_reads_what_was_handed_over_before_and_after_it_is_written(store, truth):
    fill(store)
    assert everything(store) == truth
    store.flush()
    assert store._writer.waiting() == []
    assert everything(store) == truth


def test_a_file_holds_everything_after_closing(tmp_path, truth):
    path = tmp_path / "a.stringless"
    with Store.create(path) as store:
        assert store.path == path
        fill(store)
    assert os.listdir(tmp_path) == ["a.stringless"]
    for readonly in (False, True):
        with Store.open(path, readonly=readonly) as store:
            assert store.recovered is None
            assert everything(store) == truth
    assert os.listdir(tmp_path) == ["a.stringless"]


def test_a_project_goes_on_where_it_was(tmp_path):
    path = tmp_path / "a.stringless"
    for session in range(4):
        with Store.create(path) if session == 0 else Store.open(path) as store:
            assert store.append({"session": session}) == 2 * session + 1
            store.append({"open": True})
            store.put_chunk(5, session, ChunkIndex(session, session, 1), bytes([session]))
            store.set("session", session)
            name = store.put_blob(b"same")
        with Store.open(path) as store:
            store.amend(2 * session + 2, {"end": session})
    with Store.open(path) as store:
        expected = [entry for session in range(4) for entry in ({"session": session}, {"end": session})]
        assert list(store.journal()) == list(enumerate(expected, 1))
        assert list(store.journal(after=6)) == [(7, {"session": 3}), (8, {"end": 3})]
        assert [store.read_chunk(5, n) for n in range(4)] == [b"\0", b"\1", b"\2", b"\3"]
        assert store.get("session") == 3
        assert store.read_blob(name) == b"same"
        assert len(store._contents.blobs) == 1


def test_returned_values_are_copies(store):
    entry = {"to": [1, 2]}
    store.append(entry)
    store.set("view", entry)
    entry["to"].append(3)
    store.get("view")["to"].append(4)
    assert store.get("view") == {"to": [1, 2]}
    assert list(store.journal()) == [(1, {"to": [1, 2]})]


def test_odd_values_come_back(store):
    odd = {"text": 'line\nbreak \0 \ud800 "quote" ☃', "far": float("inf"), "tiny": 5e-324, "none": None}
    store.set("new\nline", odd)
    store.append(odd)
    store.flush()
    assert store.get("new\nline") == odd
    assert list(store.journal()) == [(1, odd)]
    assert json.dumps(store.get("new\nline")) == json.dumps(odd)


def test_wrong_arguments(store, monkeypatch):
    with pytest.raises(InputError, match="chunk 1 of branch 0: expected a branch from 0 on and a number of 0 to 0"):
        store.put_chunk(0, 1, ChunkIndex(0, 1, 1), b"")
    with pytest.raises(InputError, match="branch -1: expected a number of 0 to"):
        store.put_branch(-1, {})
    monkeypatch.setattr("stringless.timeline.store.LARGEST_BODY", 10)
    with pytest.raises(InputError, match="cannot keep chunk 0: found 11 bytes, expected at most 10"):
        store.put_chunk(0, 0, ChunkIndex(0, 1, 1), bytes(11))
    with pytest.raises(InputError, match="no chunk 0 in branch 3, which has 0"):
        store.read_chunk(3, 0)
    with pytest.raises(InputError, match="no file 'abc'"):
        store.read_blob("abc")
    with pytest.raises(InputError, match="cannot amend entry 1 of the journal: only the last, 0, may change"):
        store.amend(1, {})
    with pytest.raises(InputError, match="cannot keep value 1: .*expected what JSON can say"):
        store.set("a", {1, 2})
    assert store.get("a") is None
    store.flush()
    assert store.chunks(0) == []


def test_numbers_of_numpy_are_numbers(store):
    for number in np.arange(3):
        store.put_branch(number, {})
        store.put_chunk(number, np.int32(0), ChunkIndex(np.float32(0.5), np.float64(1), np.int64(7)), memoryview(b"ab"))
    store.flush()
    assert list(store.branches()) == [0, 1, 2]
    assert store.chunks(2) == [ChunkIndex(0.5, 1.0, 7)]
    assert store.read_chunk(2, 0) == b"ab"


def test_closed_and_read_only_stores_say_so(tmp_path):
    store = Store.create(tmp_path / "a.stringless")
    store.close()
    store.close()
    with pytest.raises(ProjectError, match="is closed; open it again"):
        store.append({})
    with (
        Store.open(tmp_path / "a.stringless", readonly=True) as store,
        pytest.raises(ProjectError, match="was opened with readonly=True; open it without to change it"),
    ):
        store.append({})


def test_save_as_copies_what_is_not_yet_written(store, truth, tmp_path):
    fill(store)
    store.save_as(tmp_path / "copy.stringless")
    store.append({"later": True})
    with Store.open(tmp_path / "copy.stringless") as copy:
        assert copy.recovered is None
        assert everything(copy) == truth
    with pytest.raises(ProjectError, match="copy.stringless' exists already and was not changed; choose another name"):
        store.save_as(tmp_path / "copy.stringless")
    store.save_as(tmp_path / "copy.stringless", overwrite=True)
    with Store.open(tmp_path / "copy.stringless") as copy:
        assert list(copy.journal())[-1] == (80, {"later": True})


def test_saving_never_replaces_an_open_project(tmp_path):
    with Store.create(tmp_path / "a.stringless") as one, Store.create(tmp_path / "b.stringless") as other:
        for path in (one.path, other.path):
            with pytest.raises(ProjectError, match="is open in this process already"):
                one.save_as(path, overwrite=True)


def test_threads_may_write_read_and_save_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("stringless.timeline.copies.PAGES_AT_A_TIME", 3)
    monkeypatch.setattr(writer, "COMMIT_EVERY", 0.001)
    failures = []

    def write(lane):
        try:
            store.put_branch(lane, {})
            for number in range(60):
                store.put_chunk(lane, number, ChunkIndex(number, number, 1), bytes([lane, number]) * 5000)
                other = number // 2
                assert store.read_chunk(lane, other) == bytes([lane, other]) * 5000
                store.append({"lane": lane})
        except BaseException as error:
            failures.append(error)

    with Store.create(tmp_path / "a.stringless") as store:
        threads = [threading.Thread(target=write, args=(lane,)) for lane in range(4)]
        for thread in threads:
            thread.start()
        copies = [tmp_path / f"copy{number}.stringless" for number in range(8)]
        for path in copies:
            store.save_as(path)
        for thread in threads:
            thread.join()
    assert failures == []
    with Store.open(tmp_path / "a.stringless") as store:
        assert [number for number, _ in store.journal()] == list(range(1, 241))
        assert [len(store.chunks(lane)) for lane in range(4)] == [60] * 4
    for path in copies:
        with Store.open(path) as store:
            everything(store)


class LockWithTurns:
    """A lock whose holder, when it lets others have their turn, lets a commit happen."""

    def __init__(self, lock, turn):
        self._lock, self._turn = lock, turn
        self.acquire = lock.acquire
        self.turns = 0

    def release(self):
        self._lock.release()
        self._turn(self.turns)
        self.turns += 1

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *error):
        self._lock.__exit__(*error)


@pytest.mark.parametrize("turn", [0, 1, 15, None])
def test_a_commit_while_a_copy_is_made_is_in_it_whole(tmp_path, monkeypatch, truth, turn):
    monkeypatch.setattr(writer, "COMMIT_EVERY", 1e6)  # commits happen only when told
    monkeypatch.setattr("stringless.timeline.copies.PAGES_AT_A_TIME", 3)
    with Store.create(tmp_path / "a.stringless") as store:
        fill(store)
        store.flush()
        store.set("title", "new")
        store.append({"new": True})
        store.put_chunk(0, 12, ChunkIndex(12, 13, 1), bytes(9000))
        expected = everything(store)
        lock = LockWithTurns(store._writer.connection_lock, lambda now: turn in (None, now) and store._writer.write())
        store._writer.connection_lock = lock
        store.save_as(tmp_path / "b.stringless")
        assert lock.turns > 15
    with Store.open(tmp_path / "b.stringless") as copy:
        assert everything(copy) == expected


def test_a_first_commit_at_the_end_of_a_copy(tmp_path, monkeypatch, truth):
    monkeypatch.setattr(writer, "COMMIT_EVERY", 1e6)
    with Store.create(tmp_path / "a.stringless") as store:
        fill(store)
        store._writer.connection_lock = LockWithTurns(store._writer.connection_lock, lambda now: store._writer.write())
        store.save_as(tmp_path / "b.stringless")
    with Store.open(tmp_path / "b.stringless") as copy:
        assert everything(copy) == truth


def test_the_log_is_worked_into_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "LOG_LIMIT", 200_000)
    with Store.create(tmp_path / "a.stringless") as store:
        for number in range(30):
            store.put_chunk(0, number, ChunkIndex(number, number, 1), os.urandom(50_000))
            store.flush()
            assert os.path.getsize(tmp_path / "a.stringless-wal") <= 300_000
        assert os.path.getsize(tmp_path / "a.stringless") > 1_000_000
        assert store.size() >= 1_500_000


def test_sqlite_itself_finds_nothing_wrong(tmp_path):
    with Store.create(tmp_path / "a.stringless") as store:
        fill(store)
    connection = sqlite3.connect(tmp_path / "a.stringless")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("SELECT count(*) FROM journal").fetchall() == [(79,)]
    connection.close()
