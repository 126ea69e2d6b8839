"""A goal from outside of the package: directed, commanded, kept, restored, and told to pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stringless as sl
from sessions import RefusedError, studio
from stringless.control.goals import GOAL_TYPES, Goal, GoalField, list_goal_types, register_goal
from stringless.errors import InputError
from stringless.plugins import load_plugins
from stringless.project import Project
from stringless.studio.builders.document import describe_goal_kinds, find_spans
from stringless.studio.messages import Welcome
from stringless.timeline.chunk import Event

TIP = "link_1"


@pytest.fixture(autouse=True)
def height() -> Iterator[type[Goal]]:
    from height_goal import Height

    register_goal(Height)
    yield Height
    del GOAL_TYPES["height"]


def test_the_director_meets_it() -> None:
    sim = sl.Simulation(sl.load("double_pendulum"))
    goal = sim.director.add("height", TIP, height=-0.3, stiffness=8.0)
    sim.advance(2.0)
    assert goal.error < 0.01
    assert sim.director.poses().position[goal.body][1] == pytest.approx(-0.3, abs=0.01)
    with pytest.raises(InputError, match=r"height is nan; expected a finite number \[m\]"):
        goal.height = float("nan")
    with pytest.raises(InputError, match="gentle is 1; expected True or False"):
        goal.gentle = 1
    with pytest.raises(InputError, match="a height has no option 'heigt'. Did you mean 'height'"):
        sim.director.add("height", TIP, heigt=0.1)


def test_it_survives_being_written_down() -> None:
    sim = sl.Simulation(sl.load("double_pendulum"))
    goal = sim.director.add("height", TIP, height=-0.3, gentle=True)
    data = json.loads(json.dumps(sim.director.as_data()))
    other = sl.Simulation(sl.load("double_pendulum"))
    other.director.restore_data(data)
    assert other.director.as_data() == sim.director.as_data()
    for each in (sim, other):
        each.step(50)
    assert (sim.q == other.q).all()
    goal.release()
    sim.director.restore_data(data)
    assert sim.director.goals == [goal], "whoever held it holds it again"
    del GOAL_TYPES["height"]
    with pytest.raises(InputError, match="there is no goal 'height'"):
        other.director.restore_data(data)
    GOAL_TYPES["height"] = type(goal)


def test_a_project_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "own.stringless"
    with Project.create("double_pendulum", path) as project:
        number = project.do("goal", kind="height", bone=TIP, height=-0.2)
        goal: Any = project.sim.director.goal(number)
        project.do("set_goal", goal=number, height=-0.4, gentle=True)
        assert (goal.height, goal.gentle) == (-0.4, True)
        project.undo()
        assert (goal.height, goal.gentle) == (-0.2, False)
        project.do("move_goal", goal=number, target=[0.0, -0.5, 0.0])
        assert goal.height == -0.5
        with pytest.raises(InputError, match="a height has no orientation; turn a drag, a pin or a turn"):
            project.do("move_goal", goal=number, orientation=[0, 0, 0, 1])
        with pytest.raises(InputError, match="a height has no 'bone' that can be set"):
            project.do("set_goal", goal=number, bone="link_0")
        before = project.sim.director.as_data()
    with Project.open(path) as again:
        assert again.sim.director.as_data()["goals"] == before["goals"]


def test_pages_are_told_of_it(tmp_path: Path) -> None:
    with studio(tmp_path) as (_, page):
        known = {kind.kind: kind for kind in page.audience.last(Welcome).goals}
        own = known["height"]
        assert list(known) == [goal.kind for goal in list_goal_types()]
        assert (own.label, own.unit, own.moves, own.by_hand) == ("Hold height", "m", ["target"], True)
        assert own.help == "A bone is held at a height, and may move sideways."
        assert [field.name for field in own.fields][-2:] == ["height", "gentle"]
        page.do("live")
        page.grab(kind="height", bone=TIP, target=(0.0, -0.4, 0.0))
        page.move(target=(0.0, -0.35, 0.0))
        page.until(0.2)
        page.release(keep=True)
        page.do("pause")
        (goal,) = page.document.goals
        assert (goal.kind, goal.bone) == ("height", TIP)
        assert goal.values == {
            "weight": 1.0,
            "firmness": 30.0,
            "damping": 1.0,
            "fade": 0.0,
            "push": False,
            "height": -0.35,
            "gentle": False,
        }
        assert "height" in [span.kind for span in page.document.spans]
        with pytest.raises(RefusedError, match="a hand cannot begin a pin; it can begin: center, drag, height, turn"):
            page.grab(pointer=5, kind="pin", bone=TIP)
        with pytest.raises(RefusedError, match="there is no goal 'bite'"):
            page.grab(pointer=5, kind="bite", bone=TIP)


def test_an_installed_package_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "heights-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: heights\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stringless.goals]\nheights = height_goal\n")
    del GOAL_TYPES["height"]
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "height_goal", raising=False)
    load_plugins.cache_clear()
    director = sl.Simulation(sl.load("double_pendulum")).director
    assert director.add("height", TIP).kind == "height"
    load_plugins.cache_clear()


def test_every_kind_describes_itself() -> None:
    for kind in describe_goal_kinds():
        assert kind.label
        assert kind.help.endswith(".")
        for field in kind.fields:
            assert field.label
            assert field.help.endswith(".")
            assert field.kind != "number" or field.low < field.high


def test_spans_of_a_goal_that_is_not_registered() -> None:
    """A take on record is shown even if the package that its goals come from is not installed."""
    found = find_spans([Event(0.0, "levitate begins"), Event(1.0, "levitate ends")], 2.0, set())
    assert [(span.kind, span.start, span.end) for span in found] == [("levitate", 0.0, 1.0)]


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ({"kind": "drag", "label": "Other"}, "has the kind 'drag', which is Drag's"),
        ({"kind": "keyframes", "label": "Other"}, "has the kind 'keyframes'; expected a name such as 'drag'"),
        ({"kind": "My goal", "label": "Other"}, "has the kind 'My goal'; expected a name"),
        ({"kind": "mine"}, "has no label"),
        (
            {"kind": "mine", "label": "M", "fields": 2 * (GoalField("a", "A", "An a."),)},
            "describes a field twice: a, a",
        ),
    ],
)
def test_what_cannot_be_registered(attributes: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        register_goal(type("Mine", (Goal,), attributes))
    assert "mine" not in GOAL_TYPES
