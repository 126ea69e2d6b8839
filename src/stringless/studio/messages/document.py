"""All that was made."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from stringless.studio.messages.basic import Message, Number, Vector


class GoalInfo(Struct):
    """A goal as the director has it."""

    id: int
    kind: str
    character: int
    bone: str
    """Empty if it is about the whole character."""
    priority: int
    weight: float
    firmness: float
    damping: float
    fade: float
    push: bool
    top_speed: float | None
    axes: list[Vector]
    """Directions that count."""
    turns: bool
    """Whether an orientation is held."""
    held: bool
    """Whether a hand holds it just now."""


class TrackInfo(Struct):
    """Keyframes."""

    id: int
    joints: list[str]
    times: list[float]
    """Of the keys, in the time of the track [s]: a time t of it is played at `started + (t - begin) / rate` of the take."""
    playing: bool
    started: float
    begin: float
    rate: float


class LaneInfo(Struct):
    """A lane of the take."""

    id: int
    name: str
    parent: int | None
    start: float
    """Where it leaves its parent [s]."""
    begin: float
    """Where its first frame is, that of its parents included [s]."""
    end: float
    deleted: bool
    stale: float | None = None
    """From when on it does not show what would happen now [s]; None if it does."""


class SpanInfo(Struct):
    """What acted for a while, on the lane that is looked at."""

    kind: Literal["drag", "center", "turn", "pose", "pin", "passive", "keyframes", "directed"]
    start: float
    end: float | None
    """None if it goes on."""


class MarkerInfo(Struct):
    """A name of a moment."""

    name: str
    time: float


class JointState(Struct):
    """Who moves a joint."""

    name: str
    state: Literal["directed", "passive", "keyframes", "free"]
    weight: float
    stiffness: float
    damping: float


class Document(Message):
    """All that was made, whenever it has changed."""

    revision: Number
    path: str
    """Empty while it has no file of its own."""
    title: str
    scene: str
    goals: list[GoalInfo]
    tracks: list[TrackInfo]
    joints: list[JointState]
    lanes: list[LaneInfo]
    spans: list[SpanInfo]
    markers: list[MarkerInfo]
    styles: list[str]
    """Of each character: acceleration, torque or velocity."""
    director: dict[str, Any]
    """limit_firmness, top_acceleration, counted_friction, keep_momentum."""
    engine: Literal["reduced", "stiff", "adaptive"]
    """How states are advanced. With `stiff` goals are springs that pull from outside, and frames tell their forces."""
    step: float
    """Length of a step that the scene is made for [s]; `parameters` has the one in use."""
    parameters: dict[str, Any]
    """Of the simulation; under `flesh` those of each part of the flesh."""
    undo: str
    """What undo would take back; empty if there is nothing."""
    redo: str
    recovered: str
    """What was found, in words, if the program had died with the file open; empty if it was closed."""
