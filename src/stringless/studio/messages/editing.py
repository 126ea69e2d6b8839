"""The motion that is open in the editor."""

from typing import Any, Literal

from msgspec import Struct, field

from stringless.studio.messages.basic import Message, Number, Vector


class TransitionInfo(Struct):
    """An event of an edited motion that leads from one of its clips to the next."""

    index: int
    """Its position among the transitions; `edit_cut` takes it."""
    kind: Literal["grip", "release", "bounce"]
    body: str
    """Empty for a release."""
    point: Vector
    """Of the body, along its axes."""
    time: float
    """When it happens in the motion as it is now [s]."""
    free: bool
    """Whether edits may change its time."""
    surface: dict[str, Any] | None
    """The plane or bar that triggers it; None if it happens at a given time."""
    missed: bool
    """Whether the body misses that surface."""
    gap: float
    """Distance at which the body passes the surface [m]; 0 if it meets it."""
    text: str
    """A sentence about it."""
    data: dict[str, Any]
    """As the document has it."""


class NailInfo(Struct):
    """A constraint on an edited motion."""

    id: int
    kind: str
    """point, velocity, rotation, joint, spin, center, or another that the editor knows."""
    body: str
    """Empty if it concerns the whole character."""
    time: float
    """[s]."""
    target: list[float]
    """Three numbers; for a rotation a quaternion x, y, z, w."""
    point: Vector
    """Of the body, along its axes."""
    strength: float
    now: list[float]
    """The present value, in the form of `target`."""
    place: Vector
    """Where the point of the body, or the centre of gravity, is at that time."""
    error: float
    """Distance from the target, without the strength [m, rad, m/s, rad/s]."""


class Edit(Message, kw_only=True):
    """The motion that is open in the editor, sent whenever it has changed; during a drag only the newest is sent."""

    open: bool
    """Whether there is one; if not, all the rest is empty."""
    epoch: Number
    """Of the scene whose bodies are shown."""
    lane: int | None = None
    """The branch it was taken from; None if from none."""
    begin: float = 0.0
    """Where on that branch it begins [s]."""
    duration: float = 0.0
    """[s]."""
    revision: Number
    """A different number whenever the motion or its constraints have changed."""
    times: list[float] = field(default_factory=list)
    """Of the transitions [s]."""
    transitions: list[TransitionInfo] = field(default_factory=list)
    bars: list[dict[str, Any]] = field(default_factory=list)
    """Bars of the motion, each in the form of a transition's `surface`: one may trigger it now, or did when it was opened."""
    nails: list[NailInfo] = field(default_factory=list)
    locked: list[tuple[str, str]] = field(default_factory=list)
    """Attributes that stay as they are, each with a body, or with an empty name for all bodies."""
    keeps_start: bool = False
    """Whether the initial pose stays; see `edit_keep_start`."""
    masses: dict[str, float] = field(default_factory=dict)
    """How much attributes resist being changed."""
    strengths: dict[str, float] = field(default_factory=dict)
    """Weight of each kind of nail."""
    options: dict[str, Any] = field(default_factory=dict)
    """What may change beside the initial state; see `edit_allow`."""
    error: float = 0.0
    """Of all nails together, with their strengths."""
    worst: float = 0.0
    """Error of the nail that is farthest off, without its strength."""
    done: float
    """An error that is no larger counts as met."""
    warning: str = ""
    """Why the last request was not fulfilled; empty if it was."""
    refused: bool = False
    """Whether the last search has left the motion as it was because the nails conflict; `edit_solve` with `nearest` takes the
    closest motion all the same."""
    held: bool = False
    """Whether a hand drags it."""
    busy: bool = False
    """Whether the studio still searches for a better motion; `edit_stop` ends that."""
    columns: int = 0
    """Number of free parameters of an edit."""
    bodies: int = 0
    """Bodies of a sample: all of the scene, in its order."""
    samples: bytes = b""
    """float32, times of the samples [s]."""
    poses: bytes = b""
    """float32, x, y, z, qx, qy, qz, qw of each body for each sample."""
    before: bytes = b""
    """Poses, at the same times, of the motion before the drag or, without a drag, as it was opened; empty if the same."""
    centers: bytes = b""
    """float32, centre of gravity at each sample."""
