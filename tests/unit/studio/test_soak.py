"""Half a minute of directing at random through the real socket: nothing breaks, nothing grows without end."""

from collections import deque
from types import SimpleNamespace

import pytest

from stringless.studio.client import LostError
from stringless.studio.messages import Notice, Refusal
from stringless.studio.soak import RandomUser, RandomWatcher, find_quantiles, soak

SECONDS = 30.0
MEMORY = 200.0
"""MB that half a minute may add: kernels of scenes that were not on stage before are loaded, and a minute of the worm on
record is a few MB. A leak of frames would be 60 times 20 kB a second for every page, and of scenes 5 MB each."""


def test_half_a_minute_of_anything_breaks_nothing():
    report = soak(SECONDS)
    assert report.errors == []
    assert report.seconds >= SECONDS
    assert report.frames > 100
    assert report.inputs > 100
    assert len(report.acts) >= 10, "of everything that comes to mind"
    assert report.memory_mb["most"] - report.memory_mb["settled"] < MEMORY
    assert set(report.as_dict()) >= {"frames", "inputs", "acts", "wait_ms", "round_trip_ms", "memory_mb", "errors"}


@pytest.mark.parametrize(
    "said",
    [Notice("error", "Something unexpected happened: KeyError: 1"), Refusal(None, "this did not work: KeyError: 1")],
)
def test_a_fault_of_the_studio_is_noticed(said):
    person = RandomUser(SimpleNamespace(notices=deque([said]), send=lambda data: None), 1)
    person.acts = {"garbage": person.acts["garbage"]}
    person.act()
    (error,) = person.report.errors
    assert "KeyError: 1 after garbage" in error


def test_trouble_of_the_character_is_no_fault():
    person = RandomUser(SimpleNamespace(notices=deque([Notice("error", "velocities grew")]), send=lambda data: None), 1)
    person.acts = {"garbage": person.acts["garbage"]}
    person.act()
    assert person.report.errors == []


def test_a_lost_connection_is_noticed():
    def send(data):
        raise LostError("the connection to the studio is lost: gone")

    person = RandomUser(SimpleNamespace(notices=deque(), send=send), 1)
    person.acts = {"garbage": person.acts["garbage"]}
    person.act()
    assert person.report.errors == ["garbage: the connection to the studio is lost: gone"]


def test_a_flood_that_nobody_stops_is_noticed():
    def wait(condition):
        raise TimeoutError

    watcher = RandomWatcher("nowhere")
    watcher._flood(SimpleNamespace(send=lambda data: None, wait=wait, close=lambda: None))
    assert watcher.finish() == ["nobody stopped a flood of messages"]


def test_quantiles():
    assert find_quantiles([]) == {}
    assert find_quantiles(range(101)) == {"50 %": 50.0, "90 %": 90.0, "99 %": 99.0, "100 %": 100.0}
