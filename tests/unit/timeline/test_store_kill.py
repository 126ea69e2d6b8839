"""Processes that are killed while they write."""

import os
import random
import subprocess
import sys
import time

import pytest

from stringless.timeline import Store

WRITE = """if True:
    import os, random, sys, time
    from stringless.timeline import ChunkIndex, Store, writer
    path, mode, seed = sys.argv[1:]
    writer.LOG_LIMIT = 300_000
    random.seed(seed)
    store = Store.create(path)
    print("ready", flush=True)
    while True:
        end = time.monotonic() + (0.15 if mode == "reopening" else 1e9)
        while time.monotonic() < end:
            count = len(store.chunks(0))
            for frames in (1, 2):
                store.put_chunk(0, count, ChunkIndex(count, count, frames), random.randbytes(6000 * frames))
                store.append({"chunks": count + 1, "time": time.time()})
            time.sleep(random.random() * 0.005)
        store.close()
        store = Store.open(path)
"""
ROUNDS = 10
AT_ONCE = 5
MOST_LOST = 1.0
"""Seconds of work that a killed process may lose: what was promised."""


@pytest.mark.parametrize("mode", ["writing"] * (ROUNDS // 2) + ["reopening"] * (ROUNDS // 2))
def test_a_killed_process_loses_less_than_a_second(tmp_path, mode, request):
    seed = request.node.name
    rng = random.Random(seed)
    paths = [tmp_path / f"{number}.stringless" for number in range(AT_ONCE)]
    command = [sys.executable, "-c", WRITE]
    children = [
        subprocess.Popen([*command, path, mode, f"{seed} {path.name}"], stdout=subprocess.PIPE, text=True)
        for path in paths
    ]
    killed = {}
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for path, child in zip(paths, children, strict=True):
        time.sleep(rng.random() * 0.3)
        killed[path] = time.time()
        child.kill()
        child.wait()
        child.stdout.close()
    for path in paths:
        check_recovered(path, killed[path], mode)


def check_recovered(path, killed, mode):
    with Store.open(path) as store:
        entries = list(store.journal())
        chunks = store.chunks(0)
        data = [store.read_chunk(0, number) for number in range(len(chunks))]
        recovered = store.recovered
    assert [number for number, _ in entries] == list(range(1, len(entries) + 1))
    assert [len(body) for body in data] == [6000 * chunk.frames for chunk in chunks]
    assert entries or killed - path.stat().st_ctime < MOST_LOST
    if entries:
        assert killed - entries[-1][1]["time"] < MOST_LOST
        # What was handed over first is there if what came later is.
        assert entries[-1][1]["chunks"] <= len(chunks) <= entries[-1][1]["chunks"] + 1
    if mode == "writing":
        assert recovered is not None
        assert recovered.journal_rows == len(entries)
        assert recovered.frames == sum(chunk.frames for chunk in chunks)
        assert killed - MOST_LOST < recovered.last_commit <= killed
    assert not os.path.exists(f"{path}-wal")
    assert not os.path.exists(f"{path}-shm")
