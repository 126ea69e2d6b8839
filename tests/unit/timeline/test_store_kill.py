"""Processes that are killed while they write."""

import os
import random
import struct
import subprocess
import sys
import time

import pytest

from stringless.timeline import Store

WRITE = """if True:
    import mmap, os, random, struct, sys, time
    from stringless.timeline import ChunkIndex, Store, writer
    path, mode, seed = sys.argv[1:]
    writer.LOG_LIMIT = 300_000
    random.seed(seed)
    store = Store.create(path)
    with open(path + ".handed", "wb+") as file:
        file.write(bytes(8))
        file.flush()
        handed = mmap.mmap(file.fileno(), 8)
    print("ready", flush=True)
    while True:
        end = time.monotonic() + (0.15 if mode == "reopening" else 1e9)
        while time.monotonic() < end:
            count = len(store.chunks(0))
            for frames in (1, 2):
                store.put_chunk(0, count, ChunkIndex(count, count, frames), random.randbytes(6000 * frames))
                now = time.time()
                store.append({"chunks": count + 1, "time": now})
                handed[:] = struct.pack("d", now)
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
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for child in children:
        time.sleep(rng.random() * 0.3)
        child.kill()
        child.wait()
        child.stdout.close()
    for path in paths:
        check_recovered(path, mode)


def check_recovered(path, mode):
    last_handed_over = struct.unpack("d", (path.parent / f"{path.name}.handed").read_bytes())[0]
    with Store.open(path) as store:
        entries = list(store.journal())
        chunks = store.chunks(0)
        data = [store.read_chunk(0, number) for number in range(len(chunks))]
        recovered = store.recovered
    assert [number for number, _ in entries] == list(range(1, len(entries) + 1))
    assert [len(body) for body in data] == [6000 * chunk.frames for chunk in chunks]
    assert entries or last_handed_over - path.stat().st_ctime < MOST_LOST
    if entries:
        assert last_handed_over - entries[-1][1]["time"] < MOST_LOST
        # What was handed over first is there if what came later is.
        assert entries[-1][1]["chunks"] <= len(chunks) <= entries[-1][1]["chunks"] + 1
    if mode == "writing":
        assert recovered is not None
        assert recovered.journal_rows == len(entries)
        assert recovered.frames == sum(chunk.frames for chunk in chunks)
        assert last_handed_over - MOST_LOST < recovered.last_commit
    assert not os.path.exists(f"{path}-wal")
    assert not os.path.exists(f"{path}-shm")
