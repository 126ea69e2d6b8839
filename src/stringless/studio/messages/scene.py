"""What there is to draw."""

from __future__ import annotations

from msgspec import Struct

from stringless.studio.messages.basic import Message, Number, Vector


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
    axis: Vector | None
    """About which alone it turns, along the axes of its parent; None if its joint is no hinge."""


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


class PullInfo(Struct):
    """A spring with a damper from a point of a bone to one of the world: the force `k (anchor - x) - c v`."""

    body: int
    point: Vector
    """Of the bone, along its axes."""
    anchor: Vector
    """In the world."""
    stiffness: float
    """k [N/m]."""
    damping: float
    """c [N s/m]."""


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
    pulls: list[PullInfo]
    loops: int
    """Joints that close a ring of bodies."""
    floor: float | None
    """Height of the ground [m]; None if there is none."""
    gravity: Vector
    center: Vector
    """Middle of the stage, for the first look."""
    extent: float
    """Size of the stage [m]."""
