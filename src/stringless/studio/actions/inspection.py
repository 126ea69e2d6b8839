"""Inspection: the script, paths through space, curves over time. Nothing is changed."""

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from stringless.studio.actions.registry import action
from stringless.studio.session_state import SessionState
from stringless.timeline.chunk import Frame

Count = Annotated[int, Meta(ge=2, le=2000)]
"""Points of a path or curve."""


@action(for_all=True)
def script(state: SessionState) -> str:
    """Everything that was done, as a Python program."""
    return state.project.script()


@action(for_all=True)
def trail(
    state: SessionState,
    bone: str = "",
    start: float | None = None,
    end: float | None = None,
    count: Count = 200,
    lane: int | None = None,
) -> list[list[float]]:
    """The path of a bone through space, or of the centre of gravity if none is named."""
    body = state.frame_builder.model.body(bone).index if bone else -1
    snapshots = map(state.frame_builder.from_frame, _list_frames(state, lane, start, end, count))
    return [(seen.poses[body, :3] if bone else seen.center[:3]).tolist() for seen in snapshots]


@action(for_all=True)
def curves(
    state: SessionState,
    lane: int | None = None,
    start: float | None = None,
    end: float | None = None,
    count: Count = 400,
) -> dict[str, Any]:
    """Over time: the height of the centre of gravity, and how much every joint was given."""
    builder = state.frame_builder
    frames = list(_list_frames(state, lane, start, end, count))
    efforts: dict[str, list[float]] = {}
    for joint in builder.model.joints:
        if joint.nv and joint.spec.actuated:
            values = (frame.effort[joint.v_slice] for frame in frames)
            efforts[joint.name] = [float(value[0] if joint.nv == 1 else np.linalg.norm(value)) for value in values]
    heights = [float(builder.from_frame(frame).center[1]) for frame in frames]
    return {"time": [frame.time for frame in frames], "height": heights, "effort": efforts}


def _list_frames(
    state: SessionState, branch: int | None, start: float | None, end: float | None, count: int
) -> Iterator[Frame]:
    """Frames at evenly spaced times, each once; only those that show the present scene."""
    take = state.project.take
    number = state.player.branch if branch is None else branch
    if number is None:
        return
    first, last = take.begin(number), take.end(number)
    start, end = first if start is None else max(start, first), last if end is None else min(end, last)
    seen = -1
    for time in np.linspace(start, end, count) if end >= start else ():
        frame = take.frame(float(time), number)
        if frame.step != seen and state.project.scene_at(float(time), number).model is state.frame_builder.model:
            seen = frame.step
            yield frame
