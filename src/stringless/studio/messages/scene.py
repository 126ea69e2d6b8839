"""The scene as a page draws it."""

from msgspec import Struct

from stringless.studio.messages.basic import Message, Number, Vector


class BodyInfo(Struct):
    """A bone."""

    name: str
    parent: int
    """-1 for the world."""
    character: int
    """-1 if it belongs to none."""
    place: Vector
    """Position of its joint on the parent, at the neutral configuration."""
    mass: float
    joint: str
    kind: str
    """Of the joint."""
    v: int
    """Index of its first coordinate among the velocities and efforts."""
    nv: int
    turns: list[bool]
    """Whether each of its coordinates turns; if not, it slides."""
    loose: bool
    """Whether its joint holds on to nothing, so that there is nothing to push against."""
    limits: list[tuple[float, float]]
    effort: list[float]
    """Limit of each of its actuators; -1 if it has none."""
    stiffness: list[float]
    damping: list[float]
    axis: Vector | None
    """Hinge axis along the axes of its parent; None if its joint is no hinge."""


class MeshInfo(Struct):
    """Triangles of shapes, along the axes of their bodies."""

    points: bytes
    """float32, three each [m]."""
    triangles: bytes
    """uint32, three each."""
    smooth: bool
    """Whether triangles that share a vertex also share its normal; if not, steep edges are sharp."""


class ShapeInfo(Struct):
    """A shape to draw. Those that look alike share a mesh."""

    body: int
    """-1 for the world."""
    mesh: int
    """Its index among the scene's meshes."""
    covered: bool
    """Whether flesh hides it."""
    color: tuple[float, float, float, float]


class FleshInfo(Struct):
    """Flesh: a surface carried by the nodes of a cage, each vertex by at most four."""

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
    """Connected bones that can be directed."""

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
    """The scene. Frames name their scene by its `epoch`."""

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
    """Middle of the scene, for the first view."""
    extent: float
    """Size of the scene [m]."""
