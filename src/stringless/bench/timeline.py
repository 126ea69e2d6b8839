"""Time: what recording costs, how fast any time of an hour is found, how large the file is, what a look ahead costs."""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stringless.bench.directing_cases import LANDED, PARTS, sway
from stringless.bench.harness import Options, Row, at_most, figure
from stringless.loader import load
from stringless.project import Project
from stringless.project.ghosts import Ghosts
from stringless.project.player import Player
from stringless.simulation import Simulation
from stringless.studio.launch import find_memory
from stringless.timeline.chunk import Chunk
from stringless.timeline.store import ChunkIndex, Store
from stringless.timeline.take import Take

SEEK, SIZE, SLOWDOWN, MEMORY = 50.0, 15.0, 1.10, 64.0
"""What we promise: worst seek [ms], file [MB a minute], live time with a look ahead over without, memory of an hour [MB]."""
SEEKS = 300
HEAD: Row = {"program": "stringless"}
CASES = ("worm", "finger", "humanoid")


def measure(options: Options) -> Iterator[Row]:
    """Record real motions, then look at an hour of the worm."""
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            options.report(f"{name}: recording")
            yield _recording(Path(folder), name, 4.0 if options.quick else 20.0)
        options.report("worm: an hour on record")
        yield _hour(Path(folder), 600 if options.quick else 3600)
        options.report("worm: looking ahead")
        yield _ghosts(2.0 if options.quick else 8.0)


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise about time."""
    for text, limit, key, case in (
        ("hour of the worm: slowest seek of a frame [ms]", SEEK, "worst_seek_ms", "hour"),
        ("hour of the worm: slowest return to a moment, ready to go on [ms]", SEEK, "worst_return_ms", "hour"),
        ("worm, directed: file per recorded minute [MB]", SIZE, "megabytes_per_minute", "worm"),
        ("hour of the worm: memory that recording it takes [MB]", MEMORY, "memory_mb", "hour"),
        ("worm: live time with a look ahead over without", SLOWDOWN, "ratio", "look ahead"),
    ):
        yield at_most(text, limit, *figure(rows, key, case=case))


def _recording(folder: Path, name: str, seconds: float) -> Row:
    """Time per simulated second with and without recording, in turns, and the size of the file."""
    path = folder / f"{name}.stringless"
    bare, project = _dragged(Simulation(load(name), record=0), name), Project.create(name, path)
    _dragged(project.sim, name)
    for sim in (bare, project.sim):
        sim.advance(0.05)
    spent = {"bare": [], "recorded": []}
    pieces = round(seconds / 0.1)
    for k in range(pieces):
        start = time.perf_counter()
        bare.advance(0.1)
        middle = time.perf_counter()
        project.sim.advance(0.1)
        if k % 5 == 4:
            project.keep()
        spent["bare"].append(middle - start)
        spent["recorded"].append(time.perf_counter() - middle)
    project_seconds = project.sim.time
    project.close()
    size = path.stat().st_size / project_seconds * 60 / 1e6
    with Project.open(path) as again:
        frames = sum(1 for _ in again.take.frames())
    times = {way: float(np.mean(np.sort(values)[: 3 * len(values) // 4])) / 0.1 for way, values in spent.items()}
    row: Row = {"frames": frames, "ratio": times["recorded"] / times["bare"], "real_time": 1 / times["recorded"]}
    return HEAD | {"case": name, "task": "recording"} | row | {"megabytes_per_minute": size}


def _dragged(sim: Simulation, name: str) -> Simulation:
    """Let it land, then let one bone be dragged up and down while another is held, as by two hands."""
    part = PARTS[name]
    if not part.bare:
        sim.advance(LANDED)
    sim.director.pin(part.pinned, position=False, orientation=True)
    goal = sim.director.drag(part.dragged)
    start, begin = goal.position, sim.time
    goal.target = lambda t: start + part.reach * sway(t - begin)
    return sim


def _hour(folder: Path, seconds: int) -> Row:
    """A long take, made of one recorded second again and again, in a real file."""
    path = folder / "hour.stringless"
    with Project.create("worm", path) as project:
        _dragged(project.sim, "worm")
        start = project.sim.time
        project.sim.advance(2.2)
        project.finish()
        second, _ = project.take.find(start + 1.0)
        before = find_memory("self")
        clock = time.perf_counter()
        _repeat(project.store, second, seconds)
        project.store.flush()
        append = (time.perf_counter() - clock) / seconds
        grown = find_memory("self") - before
    clock = time.perf_counter()
    with Project.open(path) as project:
        opening = time.perf_counter() - clock
        rng = np.random.default_rng(3)
        player = Player(project)
        seeks = [_timed(lambda t=t: player.seek(t, 1)) for t in rng.uniform(0.0, project.take.end(1), SEEKS)]
        returns = [_timed(lambda t=t: project.sim.go_to(t, 1)) for t in rng.uniform(0.0, start + 2.0, SEEKS // 3)]
        size = project.store.size() / 1e6
    row: Row = {"seconds": seconds, "append_ms": 1e3 * append, "open_ms": 1e3 * opening}
    for name, times in (("seek", seeks), ("return", returns)):
        row |= {f"{name}_ms": 1e3 * float(np.median(times)), f"worst_{name}_ms": 1e3 * max(times)}
    return HEAD | {"case": "hour", "task": "seeking"} | row | {"memory_mb": grown, "file_mb": size}


def _repeat(store: Store, second: Chunk, count: int) -> None:
    """Append a chunk over and over, each time a second later."""
    take = Take(store)
    known = store.chunks(1)
    shift = known[-1].last_time - second.frames[0].time + 1.0 / take.rate
    for k in range(count):
        frames = [frame._replace(time=frame.time + shift + k, step=frame.step + 1000 * k) for frame in second.frames]
        chunk = Chunk(second.inputs, second.grid, frames, second.states, second.changes, second.events)
        index = ChunkIndex(frames[0].time, frames[-1].time, len(frames))
        store.put_chunk(1, len(known) + k, index, chunk.pack())


def _ghosts(seconds: float) -> Row:
    """Wall time of half a second, live, again and again from the same state: with a look ahead beside it, and without."""
    sim = _dragged(Simulation(load("worm"), record=0), "worm")
    goal: Any = sim.director.goals[-1]
    path = goal.follower.path
    start = sim.save()
    spent: dict[bool, list[float]] = {False: [], True: []}
    with Ghosts(horizon=1.0) as ghosts:
        for k in range(2 * round(10 * seconds)):
            looking = k % 2 == 1
            sim.restore(start)
            clock = time.perf_counter()
            for _ in range(30):  # frames of a page
                goal.target = path(sim.time)  # as from a hand, once a frame
                if looking and ghosts.ready:
                    ghosts.request(sim)
                sim.advance(1 / 60)
            spent[looking].append(time.perf_counter() - clock)
            ghosts.wait()
        made = ghosts.made
    ratio = float(np.median(spent[True]) / np.median(spent[False]))
    return {**HEAD, "case": "look ahead", "task": "live", "ratio": ratio, "previews": made, "cores": os.cpu_count()}


def _timed(call: Any) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
