"""Projects are opened, saved, found again and never lost; performances are played and taken over."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sessions import STOPPED, RefusedError, studio
from stringless.errors import InputError
from stringless.project import Project
from stringless.studio import frames
from stringless.studio.messages import Document, Notice, Scene, Status


def test_stop_saves_and_opening_again_finds_everything(tmp_path):
    chosen = tmp_path / "work"
    chosen.mkdir()
    with studio(tmp_path, folders=[chosen]) as (_, page):
        page.grab(bone="link_1", target=(0.6, -0.6, 0.0))
        page.until(0.4)
        page.release(keep=True)
        path = page.do("save_as", path="mine")
        assert path == str(chosen / "mine.stringless")
        assert page.document.path == path
        assert page.document.title == "mine"
        assert list((tmp_path / "unsaved").iterdir()) == []
        page.do("mark", name="here", time=0.2)
        page.do("speed", rate=-1)
        page.do("live")
        page.until(0.8)
        before = page.document
    with studio(tmp_path, path, folders=[chosen]) as (_, page):
        document = page.document
        assert (document.goals, document.markers, document.joints) == (before.goals, before.markers, before.joints)
        assert document.recovered == ""
        end = page.status.time
        assert end >= 0.8
        assert document.lanes[0].end == pytest.approx(end)
        assert page.do("files", folder=str(chosen))[0]["kind"] == "project"
        with pytest.raises(RefusedError, match="is open already"):
            page.do("open", source=path, kind="project")


def test_work_without_a_name_is_kept_and_offered(tmp_path):
    with studio(tmp_path) as (_, page):
        page.do("mark", name="here", time=0.0)
        assert page.do("recent") == []
    with studio(tmp_path) as (_, page):
        page.do("live")
        page.until(0.1)  # nothing that anybody has made
        rows = page.do("recent")
        assert len(rows) == 1
        assert "not saved" in rows[0]["title"]
        page.do("open", source=rows[0]["path"], kind="project")
        assert page.document.markers[0].name == "here"
        assert page.document.path == ""
    assert len(list((tmp_path / "unsaved").iterdir())) == 1


def test_files_elsewhere_cannot_be_reached(tmp_path):
    chosen = tmp_path / "work"
    chosen.mkdir()
    (tmp_path / "secret.stringless").write_bytes(b"x")
    with studio(tmp_path / "home", folders=[chosen]) as (_, page):
        for command, arguments in (
            ("open", {"source": str(tmp_path / "secret.stringless"), "kind": "project"}),
            ("open", {"source": "../secret.stringless", "kind": "project"}),
            ("save_as", {"path": str(tmp_path / "elsewhere")}),
            ("files", {"folder": str(tmp_path)}),
        ):
            with pytest.raises(RefusedError, match="outside of the folders"):
                page.do(command, **arguments)
        assert page.do("folders") == [str(chosen)]
        (chosen / "bad.urdf").write_text("<robot><link></robot>")
        epoch = page.audience.last(Scene).epoch
        with pytest.raises(RefusedError, match="bad.urdf"):
            page.do("open", source="bad.urdf", kind="file")
        assert page.audience.last(Scene).epoch == epoch
        page.do("live")
        page.until(0.1)


def test_another_scene_closes_the_one_before(tmp_path):
    with studio(tmp_path) as (session, page):
        page.do("mark", name="here", time=0.0)
        former = session.state.project
        page.do("open", source="pendulum")
        assert former.closed
        assert page.document.scene == "pendulum"
        assert page.document.markers == []
        page.audience.wait(lambda: page.frame.epoch == page.audience.last(Scene).epoch)
        page.do("new", scene="cart_pole")
        assert page.document.scene == "cart_pole"
    assert len(list((tmp_path / "unsaved").iterdir())) == 1


def test_what_cannot_be_opened_at_the_start_is_told(tmp_path):
    with studio(tmp_path, str(tmp_path / "none.stringless")) as (_, page):
        assert "none.stringless" in page.audience.last(Notice).text
        assert page.document.scene == "worm"


def test_without_a_name_the_worm_lies_on_the_floor_and_the_script_knows_it(tmp_path):
    with studio(tmp_path, "") as (session, page):
        assert page.document.scene == "worm"
        sim = session.state.project.sim
        assert 0.0 < sim.surface_positions[:, 1].min() < 0.01
        assert "sl.Project.create('worm', options={'above': 0.005})" in page.do("script")
        q = sim.q.copy()
    with Project.create("worm", options={"above": 0.005}) as project:
        assert np.array_equal(project.sim.q, q)
    with pytest.raises(InputError, match="above"):
        Project.create("pendulum", options={"above": 0.1})


def test_a_project_that_was_sent_is_kept_only_if_it_can_be_opened(tmp_path):
    good = tmp_path / "good.stringless"
    with Project.create("pendulum", good) as project:
        project.do("mark", name="here", time=0.0)
    with studio(tmp_path / "home") as (session, page):
        bad = session.storage.make_upload_path("mine")
        bad.write_bytes(b"no project")
        again = session.storage.make_upload_path("mine")
        assert again != bad
        again.write_bytes(good.read_bytes())
        assert page.do("recent") == [], "nobody has opened it"
        with pytest.raises(RefusedError):
            page.do("open", source=str(bad), kind="project")
        assert not bad.exists()
        page.do("open", source=str(again), kind="project")
        page.do("open", source="pendulum")
        assert [row["path"] for row in page.do("recent")] == [str(again)]
        never = session.storage.make_upload_path("mine")
        never.write_bytes(b"x")
    assert not never.exists()


def test_what_is_ours_is_for_its_owner_alone(tmp_path):
    home = tmp_path / "home"
    with studio(home) as (_, page):
        page.do("mark", name="here", time=0.0)
        page.do("save")
        page.do("save_as", path=str(home / "projects" / "mine"))
        page.do("open", source="pendulum")
        page.do("mark", name="here", time=0.0)
        page.do("save")
        private = [home, *home.rglob("*")]
        assert {path.name for path in private} >= {"recent.json", "unsaved", "projects"}
        found = {path: stat.S_IMODE(path.stat().st_mode) for path in private if path.parent != home / "projects"}
        assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in found.items()), found


def test_a_name_that_is_too_long_is_refused_in_our_words(tmp_path):
    with studio(tmp_path) as (_, page):
        for name in ("x" * 300, "folder/" + "ü" * 110):
            with pytest.raises(RefusedError, match="the name is too long: it takes .* bytes, and at most 200 fit"):
                page.do("save_as", path=name)
        assert page.document.path == ""


def test_a_performance_is_played_shown_and_taken_over(tmp_path):
    with studio(tmp_path) as (session, page):
        names = {row["name"]: row for row in page.do("gallery")}
        assert names["worm_jump"]["scene"] == "worm"
        assert names["worm_jump"]["picture"] == "pictures/worm_jump.webp"
        job = page.do("open", source="worm_jump", kind="performance")
        assert job == 1
        page.audience.wait(lambda: page.audience.last(Document).scene == "worm")
        status = page.status
        assert status.mode == "replay"
        assert status.jobs[0].state == "finished"
        page.audience.wait(lambda: page.frame.time > 0.02)
        assert not page.frame.flags & frames.PRESENT
        take = session.state.project.take
        assert take.end() == pytest.approx(2.4, abs=0.3)
        heights = [session.state.frame_builder.from_frame(frame).center[1] for frame in take.frames()]
        assert max(heights[len(heights) // 2 :]) > 0.1  # it has jumped
        assert "drag" in {span.kind for span in page.document.spans}
        page.do("pause")
        shown = page.status.time
        page.grab(bone="bone_6", target=(0.1, 0.2, 0.0))
        page.until(shown + 0.1)
        page.release()
        lanes = page.document.lanes
        assert lanes[1].parent == 1
        assert lanes[1].start == pytest.approx(shown, abs=0.01)
        assert "project.do('perform', name='worm_jump')" in page.do("script")


def test_a_performance_that_was_only_watched_is_not_kept(tmp_path):
    with studio(tmp_path) as (_, page):
        page.do("open", source="worm_jump", kind="performance")
        page.audience.wait(lambda: page.audience.last(Document).scene == "worm")
    assert list((tmp_path / "unsaved").iterdir()) == []


def test_a_performance_can_be_cancelled(tmp_path):
    with studio(tmp_path) as (_, page):
        job = page.do("open", source="starfish_escape", kind="performance")
        page.do("cancel_job", job=job)
        assert [job.id for job in page.status.jobs] == [job]
        page.audience.wait(lambda: page.audience.last(Status).jobs[0].state == "cancelled")
        assert page.document.scene == "double_pendulum"
        with pytest.raises(RefusedError, match="no job"):
            page.do("cancel_job", job=job)
        with pytest.raises(RefusedError, match="worm_jump"):
            page.do("open", source="worm_jum", kind="performance")


def test_stop_in_the_middle_of_everything(tmp_path):
    with studio(tmp_path) as (session, page):
        page.do("open", source="starfish_escape", kind="performance")
        page.grab(bone="link_1", target=(0.6, -0.6, 0.0))
        page.until(0.3)
        path = session.state.project.path
        assert session.stop(STOPPED)
        with Project.open(path) as project:
            assert project.recovered is None
            assert project.sim.time >= 0.3
            assert np.isfinite(project.sim.q).all()


def test_a_killed_session_is_recovered(tmp_path):
    program = (
        "import sys, os, time; sys.path.insert(0, sys.argv[2]); from pathlib import Path; from sessions import studio\n"
        "with studio(Path(sys.argv[1])) as (session, page):\n"
        "    page.grab(bone='link_1', target=(0.6, -0.6, 0.0)); page.until(0.5)\n"
        "    time.sleep(3.0); os._exit(9)\n"
    )
    tests = Path(__file__).resolve().parents[2]
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path), str(tests)], check=False).returncode == 9
    with studio(tmp_path) as (_, page):
        offer = page.audience.wait(lambda: page.audience.all(Notice))[0].offer
        assert offer.arguments["source"] == page.do("recent")[0]["path"]
        page.do(offer.command, **offer.arguments)
        assert page.document.recovered == "1 take and 1 step that can be undone"
        assert page.document.lanes[0].end > 0.4
        assert page.document.undo == "drag link_1"
