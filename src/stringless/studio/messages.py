"""What a page, or a script, and the studio say to each other.

Every message is a struct of this file, sent as MessagePack with its name under `type`; frames are binary (`frames.py`). The
page's types are generated from here by `typescript.py`.

What can be done goes by name through `Do`: the commands of a project, and the actions of the studio (`actions/`). Only what
is sent many times a second, or shapes the connection itself, is a message of its own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

VERSION = 5
"""Counted up whenever an older page would misunderstand a newer studio."""

Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Name = Annotated[str, Meta(max_length=200)]
Vector = Annotated[tuple[float, float, float], Meta(description="Along world axes, or those of a bone [m].")]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""


class Message(Struct, tag=str.lower, tag_field="type", forbid_unknown_fields=True, omit_defaults=False):
    """Anything that is said."""


# --- what a page says ---


class Hello(Message):
    """First of all: who is there. Answered by `Welcome`."""

    version: Number
    name: Name = "page"
    watch: bool = False
    """Whether it only wants to look. One that does not becomes the director if there is none."""
    key: Name = ""
    """A word of its own by which a page is known when it comes back after its connection was lost; empty for none."""


class Do(Message):
    """Carry out a command of the project or an action of the studio; answered by `Answer` or `Refusal`."""

    id: Number
    command: Name
    arguments: dict[str, Any] = {}


class Grab(Message):
    """A hand takes hold: a goal begins, and everything until the last hand lets go is one step of undo.

    Answered by `Answer` with the number of the goal. While posing, the hand moves the pose instead.

    Kind `edit` drags the motion that is open in the editor: `options` say `time`, the moment of the motion [s], and `what`:
    `point` of the bone, `center` of gravity of the character, `turn`, of the bone by an orientation in the world, or `bend`, by
    one in its parent; or they say `nail`, whose target the hand then moves. All until it lets go is one step of undo.
    """

    id: Number
    pointer: Number
    """Which hand: any number that no other hand has."""
    kind: Literal["drag", "center", "turn", "edit"] = "drag"
    bone: Name = ""
    """What is dragged; of a centre of gravity or a turn, any bone of the character."""
    point: Vector = (0.0, 0.0, 0.0)
    """Of the bone that is held, along the bone's axes."""
    target: Vector | None = None
    orientation: Quaternion | None = None
    options: dict[str, Any] = {}
    """Of the goal: priority, firmness, push, axes and so on."""


class Move(Message):
    """A hand moves: only the newest counts."""

    pointer: Number
    sequence: Number
    """Comes back in the first frame that knows of it."""
    target: Vector | None = None
    orientation: Quaternion | None = None


class Release(Message):
    """A hand lets go, and the goal with it unless `keep`."""

    id: Number
    pointer: Number
    keep: bool = False


class Seek(Message):
    """Look at a moment on record: only the newest counts."""

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
    """Ghosts of what is to come."""
    horizon: Annotated[float, Meta(ge=0.1, le=5.0)] = 1.0
    """How far to look ahead [s]."""
    before: Annotated[int, Meta(ge=0, le=20)] = 0
    """How many ghosts of what has been."""
    spacing: Annotated[float, Meta(ge=0.01, le=5.0)] = 0.1
    """Time from one of them to the next [s]."""
    cost: bool = False
    """What a step costs, with engine `adaptive`; measured now and then beside the simulation."""


class Look(Message):
    """From where this page looks, said now and then while its camera moves: only the newest counts.

    With engine `adaptive` and if the view is followed, joints are spent where the page that directs would see them.
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
    """Width by height."""


class Acknowledge(Message):
    """A frame has been drawn; at most two are under way."""

    sequence: Number


FromPage = Hello | Do | Grab | Move | Release | Seek | Wishes | Look | Acknowledge


# --- what the studio says ---


class Welcome(Message):
    """Answers `Hello`."""

    version: Number
    software: str
    page: Number
    """The number of this connection."""
    session: str
    """Another one means that the studio was started anew."""
    commands: list[CommandInfo]
    keep: list[str]
    """Kinds of files that can be written."""


class CommandInfo(Struct):
    """A command or action, as a list would show it."""

    name: str
    summary: str
    signature: str


class BodyInfo(Struct):
    """A bone."""

    name: str
    parent: int
    """-1 for the world."""
    character: int
    """-1 if nobody can direct it."""
    place: Vector
    """Of its joint on the parent, at the neutral configuration."""
    mass: float
    joint: str
    kind: str
    """Of the joint."""
    v: int
    """Its first coordinate among the velocities and efforts."""
    nv: int
    limits: list[tuple[float, float]]
    effort: list[float]
    """What each of its actuators can give; a number without bound is -1."""
    stiffness: list[float]
    damping: list[float]


class MeshInfo(Struct):
    """Triangles that shapes are drawn with, along the axes of their bodies."""

    points: bytes
    """float32, three each [m]."""
    triangles: bytes
    """uint32, three each."""
    smooth: bool
    """Whether triangles that share a vertex also share its normal; if not, edges that are steep are sharp."""


class ShapeInfo(Struct):
    """A shape that is drawn. Those that look alike share a mesh."""

    body: int
    """-1 for the world."""
    mesh: int
    """Its place among the scene's meshes."""
    covered: bool
    """Whether flesh hides it."""
    color: tuple[float, float, float, float]


class FleshInfo(Struct):
    """Flesh: a surface that nodes of a cage carry, at most four each."""

    nodes: int
    masses: bytes
    """float32, of each node [kg]."""
    fixed: bytes
    """uint8, of each node: 1 if it is fixed to a bone."""
    bones: bytes
    """int32, of each node: the bone it belongs to, -1 for the ground."""
    tets: bytes
    """uint32, four nodes each."""
    carriers: bytes
    """uint32, four nodes of each vertex of the surface."""
    weights: bytes
    """float32, four of each vertex."""
    triangles: bytes
    """uint32, three vertices each."""
    colors: bytes
    """float32, three of each vertex; empty for the default."""
    vertex_bones: bytes
    """int32, of each vertex: the bone nearest to it."""


class CharacterInfo(Struct):
    """Bones that hang together and can be directed."""

    name: str
    root: int
    bodies: list[int]
    size: float
    root_free: bool
    """Whether its root moves freely, so that it can be turned and its centre of gravity dragged."""


class Scene(Message):
    """What there is to draw. Frames say by `epoch` which scene they are of."""

    epoch: Number
    name: str
    description: str
    bodies: list[BodyInfo]
    characters: list[CharacterInfo]
    meshes: list[MeshInfo]
    shapes: list[ShapeInfo]
    flesh: FleshInfo | None
    floor: float | None
    """Height of the ground [m]; None if there is none."""
    gravity: Vector
    center: Vector
    """Middle of the stage, for the first look."""
    extent: float
    """Size of the stage [m]."""


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
    """What was found if the program had died with the file open."""


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
    """Of holding the others, at the last choices, summed over the characters; -1 if nobody has asked for a bound."""
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
    nails: list[NailInfo]
    locked: list[tuple[str, str]]
    """Attributes that stay as they are, each with a body, or with nothing for all bodies."""
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


class Log(Message):
    """Lines of Python that do what was done since the last ones."""

    lines: list[str]
    reset: bool = False
    """Whether they replace all before."""


class Answer(Message):
    """What came of a `Do`, `Grab` or `Release`."""

    id: Number
    result: Any = None


class Refusal(Message):
    """Why something was not done; nothing has changed then. `id` is None if the message had none that could be read."""

    id: Number | None
    error: str


class Notice(Message):
    """Something that a person should read."""

    level: Literal["info", "warning", "error"]
    text: str


FromStudio = Welcome | Scene | Document | Status | Edit | Log | Answer | Refusal | Notice
