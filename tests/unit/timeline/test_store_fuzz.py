"""Bit flips and cuts anywhere in a file: the truth or a clear error, and a rescue that finds only what is true."""

import os
import random
import shutil
import signal

import pytest

from projects import everything, fill, in_child
from stringless.errors import ProjectError
from stringless.timeline import ChunkIndex, Store, rescue, store_file, writer
from stringless.timeline.schema import PAGE

CASES = 300


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch):
    """Nobody pulls a plug here."""
    monkeypatch.setattr(writer, "sync", lambda descriptor: None)


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    path = tmp_path_factory.mktemp("intact") / "a.stringless"
    with Store.create(path) as store:
        fill(store)
        store.flush()
        fill_again(store)
    return path.read_bytes()


def fill_again(store):
    """Replace rows after they were written, so that the file has free pages and pages that were used before."""
    for number in range(4):
        chunk = store.read_chunk(0, number)
        store.put_chunk(0, number, ChunkIndex(number, number, 1), b"short")
        store.flush()
        store.put_chunk(0, number, ChunkIndex(number, number + 0.9, 7), chunk)
        store.flush()
    store.put_chunk(1, 11, ChunkIndex(11, 11.9, 7), store.read_chunk(1, 11))


def damage(data, rng):
    """Cut the file, or flip bits anywhere, at the head of a page, or in the first pages."""
    data = bytearray(data)
    if rng.random() < 0.15:
        return bytes(data[: rng.randrange(1, len(data))])
    for _ in range(rng.choice([1, 1, 2, 20])):
        place = rng.randrange(3)
        if place == 0:
            at = rng.randrange(len(data))
        elif place == 1:
            at = rng.randrange(len(data) // PAGE) * PAGE + rng.randrange(40)
        else:
            at = rng.choice([rng.randrange(100), rng.randrange(8 * PAGE)])
        data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


@pytest.mark.parametrize("part", range(10))
def test_damage_gives_the_truth_or_an_error(tmp_path, intact, truth, part, monkeypatch):
    if part % 2:  # as in a file that is too large to check its structure
        monkeypatch.setattr(store_file, "QUICK_CHECK_LIMIT", 0)
    outcomes = set()
    for case in range(part * CASES // 10, (part + 1) * CASES // 10):
        rng = random.Random(case)
        path = tmp_path / f"{case}.stringless"
        path.write_bytes(damage(intact, rng))
        outcomes.add(read_and_compare(path, truth))
        if case % 3 == 0:
            outcomes.add(write_and_compare(path, truth))
    assert outcomes == {"true", "error"}


def read_and_compare(path, truth):
    before = path.read_bytes()
    try:
        with Store.open(path, readonly=True) as store:
            assert everything(store) == truth
        return "true"
    except ProjectError:
        return "error"
    finally:
        assert path.read_bytes() == before


def write_and_compare(path, truth):
    before = path.read_bytes()
    try:
        store = Store.open(path)
    except ProjectError:
        assert path.read_bytes() == before
        assert os.path.exists(f"{path}-wal") is False
        return "error"
    try:
        with store:
            store.append({"more": 1})
            store.put_chunk(0, 12, ChunkIndex(12, 13, 1), bytes(50_000))
        with Store.open(path) as store:
            found = everything(store)
    except ProjectError:
        store.close(abandon=True)
        return "error"
    assert found["journal"] == [*truth["journal"], (80, {"more": 1})]
    assert found["data"] == [*truth["data"][:12], bytes(50_000), *truth["data"][12:]]
    assert all(found[name] == truth[name] for name in ("values", "lanes", "blobs"))
    return "true"


@pytest.mark.parametrize("part", range(10))
def test_rescue_finds_only_what_is_true(tmp_path, intact, truth, part):
    rescued = 0
    for case in range(part * CASES // 10, (part + 1) * CASES // 10):
        path, target = tmp_path / f"{case}.stringless", tmp_path / f"{case}-saved.stringless"
        path.write_bytes(damage(intact, random.Random(case)))
        before = path.read_bytes()
        try:
            report = rescue(path, target)
        except ProjectError:
            assert len(before) < 3 * PAGE
            continue
        assert path.read_bytes() == before
        rescued += check_rescued(target, report, truth)
        if read_and_compare(path, truth) == "true":
            assert report.lost == ()
    assert rescued > CASES // 10 // 2


def check_rescued(target, report, truth):
    with Store.open(target) as store:
        found = everything(store)
    true_chunks = {
        (lane, number): (index, data)
        for (lane, number, index), data in zip(
            ((lane, n, index) for lane in truth["lanes"] for n, index in enumerate(truth["chunks"][lane])),
            truth["data"],
            strict=True,
        )
    }
    kept = dict.fromkeys(("value", "lane", "chunk", "journal", "blob"), 0)
    with Store.open(target) as store:
        for lane in range(2):
            for number, index in enumerate(store.chunks(lane)):
                if index.frames:
                    assert (index, store.read_chunk(lane, number)) == true_chunks[lane, number]
                    kept["chunk"] += 1
    for number, entry in found["journal"]:
        if entry != {"lost": True}:
            assert (number, entry) == truth["journal"][number - 1]
            kept["journal"] += 1
    assert found["lanes"].items() <= truth["lanes"].items()
    assert found["blobs"].items() <= truth["blobs"].items()
    assert all(value in (None, truth["values"][name]) for name, value in found["values"].items())
    kept["lane"], kept["blob"] = len(found["lanes"]), len(found["blobs"])
    kept["value"] = sum(value is not None for value in found["values"].values())
    assert report.kept == kept
    return report.kept != dict.fromkeys(kept, 0)


def test_rescue_of_an_intact_file_is_complete(tmp_path, intact, truth):
    path = tmp_path / "a.stringless"
    path.write_bytes(intact)
    report = rescue(path, tmp_path / "b.stringless")
    assert report.lost == ()
    assert report.kept == {"value": 2, "lane": 2, "chunk": 24, "journal": 79, "blob": 2}
    with Store.open(tmp_path / "b.stringless") as store:
        assert everything(store) == truth


def test_rescue_names_what_is_lost(tmp_path, intact, truth):
    path = tmp_path / "a.stringless"
    data = bytearray(intact)
    for wanted in (truth["data"][3][3000:3008], str(truth["journal"][2][1]["to"]).encode(), b"take 1"):
        data[data.index(wanted)] ^= 4
    path.write_bytes(data)
    report = rescue(path, tmp_path / "b.stringless")
    assert set(report.lost) == {"chunk 3 of branch 0", "entry 3 of the journal", "1 of kind 'lane'"}
    with Store.open(tmp_path / "b.stringless") as store:
        assert store.chunks(0)[3] == ChunkIndex(3, 3.9, 0)
        assert dict(store.journal())[3] == {"lost": True}
        assert store.branches() == {0: truth["lanes"][0]}


def test_rescue_refuses_what_is_no_project_or_exists(tmp_path, intact):
    (tmp_path / "a.stringless").write_bytes(b"x" * 10_000)
    with pytest.raises(ProjectError, match="found nothing of a project in '.*a.stringless' that is intact"):
        rescue(tmp_path / "a.stringless", tmp_path / "b.stringless")
    with pytest.raises(ProjectError, match="there is no project"):
        rescue(tmp_path / "none.stringless", tmp_path / "b.stringless")
    (tmp_path / "a.stringless").write_bytes(intact)
    (tmp_path / "b.stringless").write_bytes(b"mine")
    with pytest.raises(ProjectError, match="b.stringless' exists already and was not changed"):
        rescue(tmp_path / "a.stringless", tmp_path / "b.stringless")
    assert (tmp_path / "b.stringless").read_bytes() == b"mine"


def test_damage_in_the_log_gives_an_earlier_state_and_says_so(tmp_path):
    path = tmp_path / "a.stringless"
    with Store.create(path) as store:
        fill(store)
        states = [everything(store)["journal"]]
    for number in range(80, 100):
        states.append([*states[-1], (number, {"number": number})])

    def write():
        store = Store.open(path)
        for number in range(80, 100):
            store.append({"number": number})
            store.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(write) == -signal.SIGKILL
    log = (tmp_path / "a.stringless-wal").read_bytes()
    lengths = set()
    for case in range(60):
        rng = random.Random(case)
        copy = tmp_path / f"copy{case}.stringless"
        shutil.copy(path, copy)
        damaged = bytearray(log)
        damaged[rng.choice([rng.randrange(len(log)), rng.randrange(60)])] ^= 1 << rng.randrange(8)
        (tmp_path / f"copy{case}.stringless-wal").write_bytes(
            damaged[: rng.choice([len(log), rng.randrange(len(log))])]
        )
        try:
            with Store.open(copy, readonly=case % 2 == 0) as store:
                assert store.recovered is not None
                found = list(store.journal())
        except ProjectError:
            continue
        assert found in states
        lengths.add(len(found))
    assert len(lengths) > 5
