"""Ghosts: of the future, which must come true, and of the past."""

from __future__ import annotations

import numpy as np
import pytest

from sessions import Visitor, studio
from stringless.studio import frames
from stringless.studio.frames import GHOSTS_HEADER
from stringless.studio.messages import Seek, Wishes


def unpack(data: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Times, poses, nodes and centres."""
    _, _, _, _, count, bodies, nodes, _ = GHOSTS_HEADER.unpack(data[: GHOSTS_HEADER.size])
    numbers = np.frombuffer(data, "<f4", offset=GHOSTS_HEADER.size)
    parts = np.split(numbers, np.cumsum([count, count * bodies * 7, count * nodes * 3]))
    return parts[0], parts[1].reshape(count, bodies, 7), parts[2].reshape(count, nodes, 3), parts[3].reshape(count, 3)


def newest(page: Visitor, role: int) -> bytes:
    return [data for to, shown, data in page.audience.shown if shown == role and to in (None, page.number)][-1]


def test_the_ghost_of_the_future_comes_true(tmp_path):
    with studio(tmp_path, "worm") as (session, page):
        page.do("live")
        page.until(0.3)
        page.grab(bone="bone_6", target=(0.1, 0.12, 0.0))
        page.until(0.4)
        page.do("pause")
        page.audience.wait(lambda: not page.frame.flags & frames.LIVE)
        now = page.frame.time
        page.session.receive(1, Wishes(ahead=True, horizon=0.5))

        def there():
            if not any(role == frames.AHEAD for _, role, _ in page.audience.shown):
                return False
            return unpack(newest(page, frames.AHEAD))[0][-1] == pytest.approx(now + 0.5, abs=1e-3)

        page.audience.wait(there)
        times, poses, nodes, centers = unpack(newest(page, frames.AHEAD))
        assert len(times) == 8
        assert np.all(np.diff(times) > 0)
        steps = round(0.5 / session.state.project.sim.config.dt)
        page.do("advance", steps=steps)
        page.audience.wait(lambda: page.frame.time == pytest.approx(now + 0.5, abs=1e-6))
        moment = page.frame
        assert poses[-1] == pytest.approx(moment.poses, abs=1e-6)
        assert nodes[-1] == pytest.approx(moment.nodes, abs=1e-6)
        assert centers[-1] == pytest.approx(moment.center[:3], abs=1e-6)


def test_ghosts_of_the_past_and_of_the_recorded_future(tmp_path):
    with studio(tmp_path) as (session, page):
        page.do("live")
        page.until(1.0)
        page.do("pause")
        session.receive(1, Wishes(ahead=True, horizon=0.4, before=3, spacing=0.1))
        session.receive(1, Seek(1, 0.45))
        page.audience.wait(lambda: not page.frame.flags & frames.PRESENT)
        take = session.state.project.take

        def shows(role, wanted):
            found = [data for _, shown, data in page.audience.shown if shown == role]
            times = unpack(found[-1])[0] if found else []
            return len(times) == len(wanted) and times == pytest.approx(wanted, abs=1 / 60)

        page.audience.wait(lambda: shows(frames.BEFORE, [0.4, 0.3, 0.2]))
        page.audience.wait(lambda: shows(frames.AHEAD, 0.45 + 0.05 * np.arange(1, 9)))
        for role in (frames.BEFORE, frames.AHEAD):
            times, poses, _, _ = unpack(newest(page, role))
            for time, pose in zip(times, poses, strict=True):
                frame = take.frame(float(time) + 1e-4, 1)
                assert pose == pytest.approx(session.state.frame_builder.from_frame(frame).poses, abs=1e-6)
        session.receive(1, Wishes())
        page.audience.wait(lambda: shows(frames.BEFORE, []) and shows(frames.AHEAD, []))
