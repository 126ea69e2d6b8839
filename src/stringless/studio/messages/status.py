"""The present status of the studio."""

from typing import Literal

from msgspec import Struct, field

from stringless.studio.messages.basic import Message


class Preparation(Struct):
    """Work that takes a while before anything can be shown."""

    text: str
    done: int = 0
    total: int = 0
    """0 if unknown."""


class JobInfo(Struct):
    """A long job in the background; `cancel_job` cancels it."""

    id: int
    title: str
    done: float
    """0 to 1."""
    state: Literal["running", "finished", "failed", "cancelled"]
    text: str
    download: str
    """Address of the result; empty if there is none."""


class DetailInfo(Struct):
    """Active joints and their cost, with engine `adaptive`."""

    moving: int
    """Active joints; a floating root does not count."""
    joints: int
    """All joints that could be active."""
    most: int
    """Joints of the character that has most of them."""
    characters: int
    """Number of characters with joints."""
    error: float
    """Caused by inactive joints, at the last updates, summed over the characters whose error is known; -1 if no bound was set,
    or all are out of the picture."""
    step: float
    """Time that a step takes now [µs]; -1 if it was not measured."""
    whole: float
    """Time that a step would take with all joints active [µs]; -1 if it was not measured."""
    follows: bool
    """Whether joints are activated where the page that directs sees them; see action `follow_view`."""
    near: int
    """Active joints of the character that is seen largest; -1 without a view, or if the record is shown."""
    far: int
    """The same of the one that is seen smallest."""
    hidden: int
    """Characters out of the picture, which have no active joint."""
    asleep: int
    """Characters at rest, which cost nothing; 0 if the record is shown."""


class Status(Message, kw_only=True):
    """The present status, sent several times a second."""

    mode: Literal["paused", "live", "replay"] = "paused"
    time: float = 0.0
    lane: int | None = None
    present: bool = True
    """Whether the simulation itself is shown, and not the record."""
    stale: bool = False
    """Whether what is shown is out of date."""
    rate: float = 0.25
    """Wanted simulated seconds per second; -1 for as fast as possible."""
    begin: float = 0.0
    end: float = 0.0
    """Of the branch that is shown [s]."""
    loop: bool = False
    range: tuple[float, float] | None = None
    """That is replayed [s]."""
    real_time: float = 0.0
    """Simulated seconds per second of work: above 1 it could run faster."""
    frames: float = 0.0
    """Sent per second to this page."""
    latency: float = -1.0
    """From an input's arrival to the frame that includes it, median of the last ones [ms]; -1 if there were none."""
    director: int | None = None
    """The page that directs."""
    pages: int = 0
    posing: bool = False
    auto_key: bool = False
    preparing: Preparation | None = None
    trouble: str = ""
    """Why the simulation stopped by itself; it then stands at the last good step."""
    at_limits: dict[str, str] = field(default_factory=dict)
    """Joints that are held back by a limit, and which limit."""
    saturated: int = 0
    """Actuators at their limit."""
    detail: DetailInfo | None = None
    """None unless the engine is `adaptive`."""
    jobs: list[JobInfo] = field(default_factory=list)
