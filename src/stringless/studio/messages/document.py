"""The document of the open project, and the state of its director and take."""

from typing import Any, Literal

from msgspec import Struct, field

from stringless.errors import renamed
from stringless.studio.messages.basic import Message, Number, Vector


class GoalInfo(Struct):
    """A goal of the director."""

    id: int
    kind: str
    character: int
    bone: str
    """Empty if it concerns the whole character."""
    priority: int
    weight: float
    stiffness: float = field(name="firmness")
    damping: float
    fade: float
    push: bool
    top_speed: float | None
    axes: list[Vector]
    """Directions that count."""
    turns: bool
    """Whether it holds an orientation."""
    held: bool
    """Whether a hand holds it now."""
    values: dict[str, Any] = field(default_factory=dict)
    """Of all fields that its kind has, by name."""
    firmness = renamed("firmness", "stiffness")


class GoalFieldInfo(Struct):
    """Something that can be set on a goal."""

    name: str
    label: str
    help: str
    kind: Literal["number", "switch", "axes"]
    unit: str
    low: float
    """Ends of a sensible range."""
    high: float
    step: float | None
    log: bool
    """Whether equal ways on a slider are equal factors."""
    usual: float | None
    """None if that differs from goal to goal."""
    unset: str
    """What it is called when it is None; empty if it must have a value."""


class GoalKindInfo(Struct):
    """A kind of goal."""

    kind: str
    label: str
    help: str
    icon: str
    unit: Literal["m", "rad"]
    """Of its error."""
    moves: list[Literal["target", "orientation"]]
    """What a hand can give it."""
    by_hand: bool
    """Whether dragging can begin one."""
    fields: list[GoalFieldInfo]


class TrackInfo(Struct):
    """A track of keyframes."""

    id: int
    joints: list[str]
    times: list[float]
    """Of the keys, in the time of the track [s]: time t of it is played at `started + (t - begin) / rate` of the take."""
    playing: bool
    started: float
    begin: float
    rate: float


class LaneInfo(Struct):
    """A branch of the take."""

    id: int
    name: str
    parent: int | None
    start: float
    """Where it leaves its parent [s]."""
    begin: float
    """Time of its first frame, that of its parents included [s]."""
    end: float
    deleted: bool
    stale: float | None = None
    """Time from which on it is out of date [s]; None if all of it is up to date."""


class SpanInfo(Struct):
    """What acted from when to when, on the branch that is shown."""

    kind: str
    """A kind of goal, or `passive`, `keyframes` or `directed`."""
    start: float
    end: float | None
    """None if it still acts."""


class MarkerInfo(Struct):
    """A named time."""

    name: str
    time: float


class JointState(Struct):
    """What moves a joint."""

    name: str
    state: Literal["directed", "passive", "keyframes", "free"]
    weight: float
    stiffness: float
    damping: float


class Document(Message):
    """The whole document, sent whenever it has changed."""

    revision: Number
    path: str
    """Empty while the project has no file of its own."""
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
    """How states are advanced. With `stiff`, goals are springs that pull from outside, and frames contain their forces."""
    supports: list[str]
    """What the engine can do: names of `stringless.engines.Feature` in lower case."""
    step: float
    """Step that the scene is made for [s]; `parameters` has the one in use."""
    parameters: dict[str, Any]
    """Of the simulation; under `flesh` those of each part of the flesh."""
    undo: str
    """Label of the step that undo would take back; empty if there is none."""
    redo: str
    recovered: str
    """What was found, in words, if the file was not closed cleanly; empty if it was."""
