"""The motion editor in a session, as a test uses it."""

from __future__ import annotations

import time

import numpy as np

from sessions import Visitor
from stringless.studio.messages import Edit

SOON = 60.0
"""What a search may take on a busy machine [s]."""
SEEN = 1e-5
"""Float32 and a straight line between two steps [m]."""
TURN = (0.0, 0.0, 0.3894183, 0.9210610)


def opened(page: Visitor) -> Edit:
    return page.audience.wait(lambda: (told := page.audience.all(Edit)) and told[-1].open and told[-1], SOON)


def quiet(page: Visitor) -> Edit:
    """The motion when nothing more is searched for, and everything was told."""
    end = time.monotonic() + SOON
    workspace, edits = page.session.state.workspace, page.session.state.project.edits
    while workspace.is_busy or workspace.is_held or workspace.is_changed or workspace.data is not edits.data:
        assert time.monotonic() < end
        time.sleep(0.01)
    return page.audience.last(Edit)


def poses(edit: Edit) -> np.ndarray:
    return np.frombuffer(edit.poses, "<f4").reshape(-1, edit.bodies, 7)


def times(edit: Edit) -> np.ndarray:
    return np.frombuffer(edit.samples, "<f4")


def drag(page: Visitor, by: tuple[float, float, float] = (0.2, 0.1, 0.0), bone: str = "link 3") -> Edit:
    """Drag a bone at the middle of the motion, and wait until all is found."""
    edit = page.audience.last(Edit)
    k = len(times(edit)) // 2
    start = poses(edit)[k, [body.name for body in page.session.state.project.scene().model.specs].index(bone), :3]
    page.grab(kind="edit", bone=bone, options={"time": float(times(edit)[k])})
    for share in (0.3, 0.6, 1.0):
        page.move(target=tuple(float(x + share * d) for x, d in zip(start, by, strict=True)))
        time.sleep(0.03)
    page.release()
    return quiet(page)


def turn(page: Visitor, **options: object) -> Edit:
    """Turn the middle link, and wait until all is found."""
    page.grab(kind="edit", bone="link 2", options=options)
    page.move(orientation=TURN)
    page.release()
    return quiet(page)
