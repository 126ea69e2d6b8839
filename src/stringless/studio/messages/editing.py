"""The motion that is open in the editor."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from stringless.studio.messages.basic import Message, Number, Vector


class TransitionInfo(Struct):
    """Something that happens in an edited motion, and leads from one clip of it to the next."""

    index: int
    """Its place among them; `edit_cut` takes it."""
    kind: Literal["grip", "release", "bounce"]
    body: str
    """Empty for a release."""
    point: Vector
    """Of the body, along its axes."""
    time: float
    """When it happens, in the motion as it is now [s]."""
    free: bool
    """Whether edits may move its time."""
    surface: dict[str, Any] | None
    """The plane or bar that it waits for; None if it happens at a time."""
    missed: bool
    """Whether the body does not meet what it waits for."""
    gap: float
    """How far from it the body passes [m]; 0 if it meets it."""
    text: str
    """A sentence about it."""
    data: dict[str, Any]
    """As the document has it."""


class NailInfo(Struct):
    """Something that is wanted of an edited motion."""

    id: int
    kind: str
    """point, velocity, rotation, joint, spin, center, or another that the editor knows."""
    body: str
    """Empty if it is about the whole character."""
    time: float
    """[s]."""
    target: list[float]
    """Three numbers; of a rotation a quaternion x, y, z, w."""
    point: Vector
    """Of the body, along its axes."""
    strength: float
    now: list[float]
    """What there is of it now, as `target` is given."""
    place: Vector
    """Where the point of the body, or the centre of gravity, is at that moment."""
    error: float
    """How far it is from what is wanted, without its strength [m, rad, m/s, rad/s]."""


class Edit(Message):
    """The motion that is open in the editor, whenever it has changed; while a hand drags only the newest is sent."""

    open: bool
    """Whether there is one; if not, all the rest is empty."""
    epoch: Number
    """Of the scene whose bodies it tells."""
    lane: int | None
    """The lane it was taken from; None if from none."""
    begin: float
    """Where on that lane it begins [s]."""
    duration: float
    """[s]."""
    revision: Number
    """Another number whenever the motion or what is wanted of it has changed."""
    times: list[float]
    """Of the transitions [s]."""
    transitions: list[TransitionInfo]
    bars: list[dict[str, Any]]
    """That the motion knows, each as the `surface` of a transition: one may wait for it now, or did when it was opened."""
    nails: list[NailInfo]
    locked: list[tuple[str, str]]
    """Attributes that stay as they are, each with a body, or with nothing for all bodies."""
    keeps_start: bool
    """Whether the pose that it begins with stays; `edit_keep_start` says so."""
    masses: dict[str, float]
    """How much attributes resist being changed."""
    strengths: dict[str, float]
    """How much each kind of nail counts."""
    options: dict[str, Any]
    """What may change beside the start; `edit_allow` says so."""
    error: float
    """Of all nails together, with their strengths."""
    worst: float
    """Error of the nail that is farthest off, without its strength."""
    done: float
    """An error that is no larger counts as met."""
    warning: str
    """Why the last wish was not fulfilled; empty if it was."""
    refused: bool
    """Whether the last search has left the motion as it was because not all that is nailed can be had; `edit_solve` with
    `nearest` takes the nearest motion all the same."""
    held: bool
    """Whether a hand drags it."""
    busy: bool
    """Whether the studio still looks for a better motion; `edit_stop` ends that."""
    columns: int
    """How many numbers an edit may change."""
    bodies: int
    """Bodies of a sample: all of the scene, in its order."""
    samples: bytes
    """float32, times of the samples [s]."""
    poses: bytes
    """float32, x, y, z, qx, qy, qz, qw of each body for each sample."""
    before: bytes
    """Poses, at the same times, of the motion before the drag or, if nobody drags, as it was opened; empty if the same."""
    centers: bytes
    """float32, centre of gravity at each sample."""
