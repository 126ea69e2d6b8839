"""Time by hand: rewind, resume, branch, replay, keyframes, ghosts."""

from __future__ import annotations

import numpy as np
import pytest

from stage import Stage

HEAD = "bone_0"


@pytest.fixture
def stage(lying):
    return lying


def record(stage: Stage, seconds: float = 0.4) -> None:
    """Simulate on for a while and stop."""
    stage.run_to(stage.frame["time"] + seconds, 2.0)
    stage.act("speed", rate=0.25)


def test_space_runs_and_stops(stage):
    stage.press("Space")
    stage.until("live", lambda: stage.status["mode"] == "live")
    stage.press("Space")
    stage.until("paused", lambda: stage.status["mode"] == "paused")


def test_scrubbing_shows_what_was(stage):
    start = stage.pixel(stage.head)
    stage.pull(start, (start[0], start[1] - 140))
    stage.until("up", lambda: stage.head[1] > 0.1)
    high, moment = stage.head, stage.frame["time"]
    stage.let_go()
    record(stage, 0.8)
    assert stage.head[1] < high[1] - 0.03
    stage.scrub(moment)
    stage.until("the head is up again", lambda: stage.head[1] > high[1] - 0.05)
    assert not stage.status["present"]


def test_going_on_from_the_past_branches_and_keeps_the_old_future(stage):
    record(stage)
    end = stage.status["end"]
    stage.scrub(end - 0.2)
    start = stage.pixel(stage.head)
    stage.pull(start, (start[0], start[1] - 120))
    lanes = stage.until("a second lane", lambda: stage.doc["lanes"] if len(stage.doc["lanes"]) == 2 else None)
    stage.let_go()
    stage.until("time passes", lambda: stage.status["mode"] == "live")
    stage.press("Space")
    stage.until("it stands", lambda: stage.status["mode"] == "paused")
    assert lanes[1]["parent"] == lanes[0]["id"]
    assert lanes[0]["end"] == pytest.approx(end, abs=0.02), "the old future is kept"
    stage.page.get_by_test_id(f"lane-{lanes[0]['id']}").click()
    stage.until("the old lane is looked at", lambda: stage.status["lane"] == lanes[0]["id"])


def test_a_resume_button_says_what_it_will_do(stage):
    record(stage)
    stage.scrub(stage.status["end"] - 0.2)
    stage.shows("resume", "Resume").click()
    stage.until("live", lambda: stage.status["mode"] == "live")
    stage.until("a branch", lambda: len(stage.doc["lanes"]) == 2)


def test_replay_in_a_loop_does_not_simulate(stage):
    record(stage)
    end = stage.status["end"]
    stage.watch()
    stage.act("speed", rate=1.0)
    stage.act("replay", start=0.0, loop=True)
    stage.until("replaying", lambda: stage.status["mode"] == "replay")
    stage.until("the end", lambda: max(stage.seen_times, default=0.0) > 0.8 * end)

    def again():
        times = stage.seen_times
        late = next(k for k, time in enumerate(times) if time > 0.8 * end)
        return any(time < 0.5 * end for time in times[late:])

    stage.until("the beginning again", again)
    assert stage.status["end"] == pytest.approx(end)
    stage.press("Space")
    stage.until("it stands", lambda: stage.status["mode"] == "paused")


def test_single_frames(stage):
    record(stage)
    seen = [stage.frame["time"]]
    for _ in range(3):
        stage.press("ArrowLeft")
        stage.until("one back", lambda: stage.frame["time"] < seen[-1])
        seen.append(stage.frame["time"])
    assert seen[1] - seen[2] == pytest.approx(1 / 120, abs=0.0011), "to the nearest step"
    stage.press("ArrowRight")
    stage.until("one forward", lambda: stage.frame["time"] == pytest.approx(seen[2]))


def test_a_pose_becomes_a_key_and_plays(stage):
    stage.press("p")
    stage.until("posing", lambda: stage.status["posing"])
    before = stage.head
    start = stage.pixel(before)
    stage.take_hold(start, (start[0] + 30, start[1] - 90))
    stage.let_go()
    stage.click("pose-key")
    track = stage.until("a key", lambda: [track for track in stage.doc["tracks"] if track["times"]])[0]
    stage.until("posing is over", lambda: not stage.status["posing"])
    stage.page.get_by_test_id("play-keys").click()
    stage.until("it plays", lambda: stage.doc["tracks"][0]["playing"])
    stage.act("live")
    stage.until("the joints take the pose", lambda: stage.head[1] > before[1] + 0.02)
    assert len(track["times"]) >= 1


def test_the_ghost_of_the_future_agrees_with_the_future(stage):
    start = stage.pixel(stage.head)
    stage.pull(start, (start[0] + 20, start[1] - 110))
    stage.until("it moves", lambda: stage.head[1] > 0.08)
    stage.stand()
    now = stage.frame["time"]
    stage.page.evaluate("""() => {
        window.ahead = null;
        window.stringless.onGhosts.add((ghosts) => { if (ghosts.role === 0) window.ahead = {
            time: Array.from(ghosts.time), centers: Array.from(ghosts.centers) }; });
    }""")
    stage.page.keyboard.down("g")

    def ghost():
        ahead = stage.page.evaluate("window.ahead")
        return ahead if ahead and ahead["time"] and abs(ahead["time"][-1] - now - 1.0) < 0.01 else None

    ahead = stage.until("a ghost of the second to come", ghost)
    stage.page.keyboard.up("g")
    times, centers = np.array(ahead["time"]), np.array(ahead["centers"]).reshape(-1, 3)
    assert times[-1] - times[0] > 0.75, "the horizon is a second"
    end = float(times[-1]) + 0.05  # times of ghosts are rounded: the frame of the last one is not to be missed
    stage.run_to(end, 1.0)
    moments, real = stage.recorded_centers(now, end)
    assert moments[-1] > times[-1]
    came = np.array([np.interp(times, moments, real[:, k]) for k in range(3)]).T
    assert np.linalg.norm(centers[-1] - centers[0]) > 1e-3, "something happens in that time"
    assert np.diff(moments).max() < 0.02, "no long gap to guess over"
    assert np.linalg.norm(came - centers, axis=1).max() < 5e-3
    stage.let_go()


def test_markers_and_speed(stage):
    stage.press("m")
    stage.until("a marker", lambda: stage.doc["markers"])
    stage.shows("speed-1-8").click()
    stage.until("slower", lambda: stage.status["rate"] == pytest.approx(0.125))
