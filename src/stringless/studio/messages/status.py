"""How it stands."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from stringless.studio.messages.basic import Message


class Preparation(Struct):
    """Something that takes a while before anything can be shown."""

    text: str
    done: int
    total: int
    """0 if nobody knows."""


class JobInfo(Struct):
    """Something long that goes on beside everything else, and can be cancelled by `cancel_job`."""

    id: int
    title: str
    done: float
    """0 to 1."""
    state: Literal["running", "finished", "failed", "cancelled"]
    text: str
    download: str
    """Where the result is to be fetched; empty if there is none."""


class DetailInfo(Struct):
    """How much of the characters moves, with engine `adaptive`."""

    moving: int
    """Joints that move now; a floating root does not count."""
    joints: int
    """All that could."""
    most: int
    """Joints of the character that has most of them."""
    characters: int
    """How many have joints."""
    error: float
    """Of holding the others, at the last choices, summed over the characters whose error is known; -1 if nobody has asked for
    a bound, or all are out of the picture."""
    step: float
    """What a step takes as it is now [µs]; -1 if it was not measured."""
    whole: float
    """What a step would take if all joints moved [µs]; -1 if it was not measured."""
    follows: bool
    """Whether joints are spent where the page that directs sees them; action `follow_view` says so."""
    near: int
    """Joints that move of the character that is seen largest; -1 if nobody looks, or the record is shown."""
    far: int
    """The same of the one that is seen smallest."""
    hidden: int
    """Characters that are out of the picture, of which no joint moves."""
    asleep: int
    """Characters that have come to rest on something, and cost nothing; 0 if the record is shown."""


class Status(Message):
    """How it stands, several times a second."""

    mode: Literal["paused", "live", "replay"]
    time: float
    lane: int | None
    present: bool
    """Whether the simulation itself is looked at, and not the record."""
    stale: bool
    """Whether what is looked at is not what would happen now."""
    rate: float
    """Seconds simulated per second wanted; -1 for as fast as possible."""
    begin: float
    end: float
    """Of the lane that is looked at [s]."""
    loop: bool
    range: tuple[float, float] | None
    """That is replayed [s]."""
    real_time: float
    """Seconds simulated per second of work: above 1 it could run faster."""
    frames: float
    """Sent per second to this page."""
    latency: float
    """From an input's arrival to the frame that knows of it, median of the last ones [ms]; -1 if there were none."""
    director: int | None
    """The page that directs."""
    pages: int
    posing: bool
    auto_key: bool
    preparing: Preparation | None
    trouble: str
    """Why the simulation stopped by itself; it then stands at the last good moment."""
    at_limits: dict[str, str]
    """Joints that a limit holds back, and which one."""
    saturated: int
    """Actuators at their limit."""
    detail: DetailInfo | None
    """None unless the engine is `adaptive`."""
    jobs: list[JobInfo]
