"""Messages from a page to the studio."""

from typing import Annotated, Any

from msgspec import Meta, field

from stringless.studio.messages.basic import Message, Name, Number, Quaternion, Vector


class Hello(Message):
    """The first message of a page. Answered by `Welcome`."""

    version: Number
    name: Name = "page"
    watch: bool = False
    """Whether the page only watches. One that does not becomes the director if there is none."""
    key: Name = ""
    """A word of the page's own, by which it is recognised when it reconnects; empty for none."""


class Do(Message):
    """Carry out a command of the project or an action of the studio. Answered by `Answer` or `Refusal`."""

    id: Number
    command: Name
    arguments: dict[str, Any] = field(default_factory=dict)


class Grab(Message):
    """A hand takes hold: a goal begins, and everything until the last hand lets go is one step of undo.

    Answered by `Answer` with the number of the goal. While posing, the hand moves the pose instead.

    Kind `edit` drags the motion that is open in the editor: `options` give `time`, the time in the motion [s], and `what`:
    `point` of the bone, `center` of gravity of the character, `turn`, of the bone by an orientation in the world, or `bend`, by
    one in its parent; or they give `nail`, whose target the hand then moves. All until it lets go is one step of undo.
    """

    id: Number
    pointer: Number
    """Which hand: any number that no other hand has."""
    kind: Name = "drag"
    """A kind of goal that a hand can begin, or `edit`."""
    bone: Name = ""
    """The bone that is dragged; for a centre of gravity or a turn, any bone of the character."""
    point: Vector = (0.0, 0.0, 0.0)
    """Of the bone that is held, along the bone's axes."""
    target: Vector | None = None
    orientation: Quaternion | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """Of the goal: priority, firmness, push, axes and so on."""


class Move(Message):
    """A hand moves; only the newest counts."""

    pointer: Number
    sequence: Number
    """Returned in the first frame that includes this move."""
    target: Vector | None = None
    orientation: Quaternion | None = None


class Release(Message):
    """A hand lets go, and its goal ends unless `keep`."""

    id: Number
    pointer: Number
    keep: bool = False


class Seek(Message):
    """Show a time on record; only the newest counts."""

    sequence: Number
    time: float
    lane: Number | None = None


class Wishes(Message):
    """What this page wants to be shown."""

    contacts: bool = True
    effort: bool = True
    flagged: bool = False
    """Elements of the flesh that are decomposed."""
    ahead: bool = False
    """Ghosts of the future."""
    horizon: Annotated[float, Meta(ge=0.1, le=5.0)] = 1.0
    """How far to look ahead [s]."""
    before: Annotated[int, Meta(ge=0, le=20)] = 0
    """Number of ghosts of the past."""
    spacing: Annotated[float, Meta(ge=0.01, le=5.0)] = 0.1
    """Time between two of them [s]."""
    cost: bool = False
    """The cost of a step, with engine `adaptive`; measured now and then beside the simulation."""


class Look(Message):
    """The camera of this page, sent now and then while it moves; only the newest counts.

    With engine `adaptive`, if the view is followed, joints are activated where the page that directs would see them.
    """

    eye: Vector
    target: Vector
    """In the middle of the picture."""
    up: Vector
    fov: float
    """From the lower edge to the upper one [rad]."""
    height: float
    """Of the picture [px]."""
    aspect: float
    """Width divided by height."""


class Acknowledge(Message):
    """A frame has been drawn; at most two are in flight."""

    sequence: Number
