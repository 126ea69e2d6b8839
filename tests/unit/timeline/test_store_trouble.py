"""Disks that are full or slow: nothing handed over is forgotten, memory is bounded."""

import os
import resource
import signal
import threading

import pytest

from projects import everything, fill, in_child
from stringless.errors import ProjectError
from stringless.timeline import ChunkIndex, Store, writer


def limit_pages(store, pages):
    store._writer.connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()


@pytest.fixture(params=["file", "temporary"])
def store(request, tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "RETRY_EVERY", 0.02)
    made = Store.create(tmp_path / "a.stringless") if request.param == "file" else Store.temporary()
    with made:
        made.append({"first": True})
        made.flush()
        yield made


def test_a_full_disk_is_told_and_nothing_is_forgotten(store, tmp_path, truth):
    limit_pages(store, 12)
    store.amend(1, {"amended": True})
    fill_from_second_entry(store)
    with pytest.raises(ProjectError, match="the disk is full. What was written before is intact .*free some space"):
        store.flush()
    assert "the disk is full" in str(store.trouble)
    expected = everything(store)
    assert expected["data"] == truth["data"]
    assert expected["journal"][0] == (1, {"amended": True})

    with pytest.raises(ProjectError, match="the disk is full"):
        store.close()
    store.save_as(tmp_path / "elsewhere.stringless")
    limit_pages(store, 100_000)
    store.flush()
    assert store.trouble is None
    assert everything(store) == expected
    for path in [tmp_path / "elsewhere.stringless", store.path]:
        store.close()
        if path:
            with Store.open(path) as copy:
                assert copy.recovered is None
                assert everything(copy) == expected


def fill_from_second_entry(store):
    append = store.append
    store.append = lambda entry: append(entry) - 1
    amend = store.amend
    store.amend = lambda number, entry: amend(number + 1, entry)
    fill(store)
    del store.append, store.amend


def test_writing_is_tried_again_until_it_works(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "RETRY_EVERY", 0.02)
    with Store.create(tmp_path / "a.stringless") as store:
        limit_pages(store, 12)
        store.put_chunk(0, 0, ChunkIndex(0, 1, 1), os.urandom(100_000))
        wait_until(lambda: store.trouble is not None)
        limit_pages(store, 100_000)
        wait_until(lambda: store.trouble is None and not store._writer.waiting())


def wait_until(condition):
    """Wait, but not for ever."""
    tick = threading.Event()
    for _ in range(6000):
        if condition():
            return
        tick.wait(0.01)
    raise AssertionError("it did not happen")


def test_a_store_in_trouble_can_be_abandoned(store):
    limit_pages(store, 12)
    store.put_chunk(0, 0, ChunkIndex(0, 1, 1), os.urandom(100_000))
    with pytest.raises(ProjectError, match="the disk is full"):
        store.close()
    store.append({"still": "open"})
    store.close(abandon=True)
    if store.path:
        with Store.open(store.path) as again:
            assert list(again.journal()) == [(1, {"first": True})]
            assert again.recovered is not None


def test_memory_is_bounded_while_the_disk_is_full(store, monkeypatch):
    monkeypatch.setattr(writer, "MEMORY_LIMIT", 1_000_000)
    limit_pages(store, 12)
    handed = 0

    def hand_over_for_ever():
        nonlocal handed
        while True:
            store.put_chunk(0, handed, ChunkIndex(handed, handed, 1), bytes([handed]) * 90_000)
            handed += 1

    with pytest.raises(ProjectError, match="the disk is full"):
        hand_over_for_ever()
    assert 10 <= handed <= 12
    assert sum(row.size() for row in store._writer.waiting()) <= 1_000_000
    assert len(store.chunks(0)) == handed
    assert [store.read_chunk(0, number)[:1] for number in range(handed)] == [bytes([n]) for n in range(handed)]
    limit_pages(store, 100_000)
    store.flush()
    store.put_chunk(0, handed, ChunkIndex(handed, handed, 1), b"more")


def test_a_disk_that_hangs_holds_up_neither_commits_nor_reading(tmp_path, monkeypatch):
    path = tmp_path / "a.stringless"
    with Store.create(path) as store:
        monkeypatch.setattr(writer, "MEMORY_LIMIT", 1_000_000)
        goes_on = threading.Event()
        monkeypatch.setattr(writer, "sync", lambda descriptor: goes_on.wait())

        def write():
            for number in range(20):
                store.put_chunk(0, number, ChunkIndex(number, number, 1), bytes([number]) * 90_000)

        thread = threading.Thread(target=write)
        thread.start()
        wait_until(lambda: len(store.chunks(0)) == 11 and not store._writer._uncommitted)
        thread.join(0.3)
        assert thread.is_alive()
        assert len(store.chunks(0)) == 11
        assert store.read_chunk(0, 10)[:1] == bytes([10])
        assert store._writer.connection.execute("SELECT count(*) FROM chunk").fetchone() == (11,)
        goes_on.set()
        thread.join()
    with Store.open(path) as store:
        assert [store.read_chunk(0, number)[:1] for number in range(20)] == [bytes([n]) for n in range(20)]


def test_one_chunk_larger_than_memory_allows_goes_through(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "MEMORY_LIMIT", 100_000)
    with Store.create(tmp_path / "a.stringless") as store:
        for number in range(3):
            store.put_chunk(0, number, ChunkIndex(number, number, 1), bytes(300_000))
    with Store.open(tmp_path / "a.stringless") as store:
        assert len(store.chunks(0)) == 3


def test_a_limit_of_the_system_on_file_size(tmp_path, truth):
    path = tmp_path / "a.stringless"
    with Store.create(path) as store:
        fill(store)

    def write():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        with Store.open(path) as store:
            resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
            store.put_chunk(0, 12, ChunkIndex(12, 13, 1), os.urandom(60_000))
            with pytest.raises(ProjectError, match="cannot (read or )?write the project '.*a.stringless'"):
                store.flush()
            assert everything(store)["data"][:12] == truth["data"][:12]
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            store.flush()
            assert store.trouble is None

    assert in_child(write) == 0
    with Store.open(path) as store:
        assert store.recovered is None
        assert len(store.read_chunk(0, 12)) == 60_000
        assert everything(store)["journal"] == truth["journal"]


@pytest.mark.parametrize("failure", [OSError(5, "Input/output error"), MemoryError()])
def test_a_disk_that_does_not_sync_is_trouble(tmp_path, monkeypatch, failure):
    def fail(descriptor):
        raise failure

    with Store.create(tmp_path / "a.stringless") as store:
        with monkeypatch.context() as broken:
            broken.setattr(writer, "sync", fail)
            store.append({"a": 1})
            with pytest.raises(
                ProjectError, match="cannot use the project .*(Input/output error|MemoryError). What was written"
            ):
                store.flush()
            assert list(store.journal()) == [(1, {"a": 1})]
        wait_until(lambda: store.trouble is None and not store._writer.waiting())
    with Store.open(tmp_path / "a.stringless") as store:
        assert list(store.journal()) == [(1, {"a": 1})]


def test_save_as_to_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def write():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with Store.temporary() as store:
            fill(store)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
            with pytest.raises(ProjectError, match="cannot (read or )?write the project '.*b.stringless'"):
                store.save_as(tmp_path / "b.stringless")

    assert in_child(write) == 0
    assert os.listdir(tmp_path) == []
