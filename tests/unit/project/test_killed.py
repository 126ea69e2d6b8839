"""A program that is killed at any moment loses at most a second of what was done, and says so at the next start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from stringless.project import Project
from stringless.timeline.store import Store

NURSERY = """
import json, mmap, os, random, signal, struct, sys, time
from stringless.project import Project
from stringless.project.player import Player

def work(path, ready):
    project = Project.open(path)
    player = Player(project)
    project.do("advance", steps=10)
    project.save()
    os.write(ready, b"x")
    player.live()
    count = 0
    while True:
        player.tick()
        count += 1
        if count % 10 == 0:
            project.do("mark", name=repr(time.time()), time=project.sim.time)
        if count % 97 == 0:
            player.seek(project.sim.time / 2)
            player.live()
        done[:] = struct.pack("dd", time.time(), count)
        time.sleep(0.002)

done = mmap.mmap(-1, 16)  # shared with the child: when it did something last, and how often it has
folder, kills = sys.argv[1], int(sys.argv[2])
with Project.create("pendulum") as project:  # what is loaded now need not be loaded fifty times
    project.do("advance", steps=10)
random.seed(11)
for k in range(kills):
    path = os.path.join(folder, f"{k}.stringless")
    Project.create("pendulum", path).close()
    read, ready = os.pipe()
    done[:] = bytes(16)
    child = os.fork()
    if not child:
        try:
            work(path, ready)
        finally:
            os._exit(1)
    os.read(read, 1)
    wanted = random.uniform(0.0, 150.0)
    while struct.unpack("dd", done)[1] < wanted:
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    os.close(read), os.close(ready)
    print(json.dumps([path, struct.unpack("dd", done)[0]]), flush=True)
"""
KILLS = 50


def test_killed_at_fifty_moments(tmp_path):
    nursery = subprocess.run(
        [sys.executable, "-c", NURSERY, str(tmp_path), str(KILLS)], capture_output=True, text=True, check=False
    )
    assert nursery.returncode == 0, nursery.stderr
    killed = [json.loads(line) for line in nursery.stdout.splitlines()]
    assert len(killed) == KILLS
    marked = [check(Path(path), last) for path, last in killed]
    assert sum(marked) > KILLS / 2, "most were in the middle of something"


def check(path: Path, last: float) -> bool:
    """Open what is left, see how much was lost of what was done until `last`, and go on; whether anything had been marked."""
    with Project.open(path) as project:
        assert project.recovered is not None
        assert last - project.recovered.last_commit < 1.0
        marks = [float(marker["name"]) for marker in project.markers]
        if marks:
            assert last - max(marks) < 1.0
        if project.take.branches:
            times = [frame.time for frame in project.take.frames()]
            assert times == sorted(times)
            project.do("go_to", time=times[len(times) // 2])
        project.do("advance", steps=20)
        while project.history.done:
            project.undo()
        assert project.markers == []
        return bool(marks)


@pytest.mark.parametrize("scene", ["worm"])
def test_what_is_recovered_goes_on_as_if_nothing_had_been(tmp_path, scene):
    path = tmp_path / "a.stringless"
    program = f"""
import os
from stringless.project import Project
project = Project.create({scene!r}, {str(path)!r})
project.do("goal", kind="center", target=[0.0, 0.2, 0.0], push=True)
project.do("advance", steps=300)
project.save()
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    with Project.open(path) as project, Project.create(scene) as unbroken:
        assert project.recovered is not None
        assert project.position.step == 300
        project.do("advance", steps=50)
        unbroken.do("goal", kind="center", target=[0.0, 0.2, 0.0], push=True)
        unbroken.do("advance", steps=350)
        assert np.array_equal(project.sim.q, unbroken.sim.q)
        assert np.array_equal(project.sim.state.x, unbroken.sim.state.x)


def test_a_lane_whose_first_frames_were_lost_is_gone_back_from(tmp_path):
    path = tmp_path / "half.stringless"
    with Project.create("pendulum", path) as project:
        project.do("advance", steps=50)
        end = project.sim.time
    with Store.open(path) as store:  # killed after the lane was begun, before any of its frames was written
        store.put_branch(2, {**store.branches()[1], "id": 2, "parent": 1, "begin": end, "name": "take 2"})
        store.set("position", {"lane": 2, "time": end})
    with Project.open(path) as project:
        assert project.position.branch == 1
        assert project.sim.time == pytest.approx(end)
