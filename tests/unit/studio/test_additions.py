"""A scene, a performance, a command, an action and a benchmark, added as CONTRIBUTING.md says: all lists know them then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import stringless as sl
from sessions import RefusedError, studio
from stringless import bench
from stringless.bench import BENCHES, Bench
from stringless.bench.harness import Options, Row, at_most
from stringless.cli.app import app
from stringless.model import Scene
from stringless.performances import PERFORMANCES, Performance
from stringless.performances.base import MissedError
from stringless.project import Project
from stringless.project.commands import COMMANDS
from stringless.project.commands.registry import command
from stringless.project.commands.take import mark
from stringless.scenes import SCENES, SceneEntry
from stringless.scenes.pendulums import chain
from stringless.studio.actions import ACTIONS
from stringless.studio.actions.registry import Session, action


def lever(links: int = 2) -> Scene:
    """Some rods on hinges, hanging askew."""
    model = chain(links, length=0.5, mass=1.0, name="lever").build()
    return Scene(model, q=np.full(links, 1.0))


class LeverFall(Performance):
    """Nobody does anything."""

    name = "lever_fall"
    scene = "lever"
    summary = "let go: the lever falls"
    least = 0.01

    def perform(self) -> None:
        self.high = self.center[1]
        self.wait(0.2)

    def judge(self) -> None:
        self.find("fall", self.high - self.center[1], f"fell by {self.least} m", above=self.least)


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    @command("mark the first {count} seconds")
    def mark_seconds(project: Project, count: int) -> list[str]:
        """Mark every second."""
        names = [f"second {k}" for k in range(1, count + 1)]
        for k, name in enumerate(names, 1):
            mark(project, name, float(k))
        if count > 5:
            raise sl.InputError(f"found {count} seconds; expected 5 at most")
        return names

    @action(for_all=True)
    def count_bodies(session: Session, page: int, least: int = 0) -> int:
        """How many bodies there are, at least."""
        return max(least, len(session.require_state().project.sim.model.bodies))

    monkeypatch.setitem(SCENES, "lever", SceneEntry("lever", lever))
    monkeypatch.setitem(PERFORMANCES, "lever_fall", LeverFall)
    yield
    del COMMANDS["mark_seconds"], ACTIONS["count_bodies"]


def names(project: Project) -> list[str]:
    return [marker["name"] for marker in project.markers]


def test_a_scene_is_loaded_and_listed() -> None:
    assert len(sl.load("lever", links=3).model.bodies) == 3
    with pytest.raises(
        sl.InputError, match="option 'link' does not fit the built-in scene 'lever'; its options: 'links'"
    ):
        sl.load("lever", link=3)
    assert "Some rods on hinges, hanging askew." in CliRunner().invoke(app, ["scenes"]).stdout


def test_a_performance_plays_and_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LeverFall().run().facts["fall"] > LeverFall.least
    assert "let go: the lever falls" in CliRunner().invoke(app, ["perform"], env={"COLUMNS": "200"}).stdout
    monkeypatch.setattr(LeverFall, "least", 1.0)
    with pytest.raises(MissedError, match=r"performance 'lever_fall' missed: fell by 1.0 m \(.*fall 0.1"):
        LeverFall().run()


def test_a_command_is_undone_written_down_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "lever.stringless"
    with Project.create("lever", path) as project:
        assert project.do("mark_seconds", count=2) == ["second 1", "second 2"]
        assert project.undo() == "mark the first 2 seconds"
        assert names(project) == []
        project.redo()
        with pytest.raises(sl.InputError, match="found 6 seconds; expected 5 at most"):
            project.do("mark_seconds", count=6)
        assert names(project) == ["second 1", "second 2"], "a command that fails changes nothing"
        with pytest.raises(sl.InputError, match="'mark_seconds' does not fit: .*; it takes: count"):
            project.do("mark_seconds", seconds=2)
        assert "mark_seconds" in project.script()
    with Project.open(path) as again:
        assert names(again) == ["second 1", "second 2"]


def test_a_page_does_them_by_name(tmp_path: Path) -> None:
    with studio(tmp_path, "lever") as (_, page):
        assert page.do("mark_seconds", count=1) == ["second 1"]
        assert page.document.undo == "mark the first 1 seconds"
        assert page.do("count_bodies") == 2
        assert page.do("count_bodies", least=3) == 3
        with pytest.raises(RefusedError, match="'least' of 'count_bodies' is 'many'; expected `int`, got `str`"):
            page.do("count_bodies", least="many")
        with pytest.raises(
            RefusedError, match="nothing called 'count_body' that could be done. Did you mean 'count_bodies'"
        ):
            page.do("count_body")
        shown = {(row["kind"], row["name"]): row["description"] for row in page.do("gallery")}
        assert shown["scene", "lever"] == "Some rods on hinges, hanging askew."
        assert shown["performance", "lever_fall"] == LeverFall.summary


def test_a_benchmark_is_run_and_says_what_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(options: Options) -> list[Row]:
        return [{"case": "lever", "task": "load", "program": "ours", "links": 2 if options.quick else 3}]

    def claims(rows: Sequence[Row]) -> list[Row]:
        return [at_most("links of the lever", 2.0, float(rows[0]["links"]))]

    monkeypatch.setitem(BENCHES, "lever", Bench("lever", "loading a lever", measure, claims))
    document: dict[str, Any] = bench.run("lever", quick=True, against=["mujoco"])
    assert [row["case"] for row in document["rows"]] == ["lever"]
    assert [(claim["claim"], claim["value"], claim["holds"]) for claim in document["claims"]] == [
        ("links of the lever", 2.0, True)
    ]
    assert not bench.run("lever", against=["mujoco"])["claims"][0]["holds"]
