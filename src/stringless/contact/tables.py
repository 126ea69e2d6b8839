"""What can touch what: obstacles and contact samples of a model, in tables.

An obstacle is a solid of the world, or of a body that carries no flesh. A contact sample is a small ball on such a body
that feels obstacles; a body with flesh feels them with the vertices of its skin instead, except those of bodies near its own
bone in the tree.
"""

import dataclasses
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK
from stringless.contact.kernels_restitution import MOST_LOST, RESTITUTION_ROW, RESTITUTION_WORK
from stringless.contact.kernels_shapes import CODES, OBSTACLE_ROW
from stringless.contact.kernels_skin import HIT_ROW
from stringless.contact.mesh_tables import closed_mesh, mesh_samples, mesh_tables
from stringless.contact.records import Contact, ContactWork, MeshTables, SkinTables
from stringless.contact.skin_tables import neighbours, skin_tables
from stringless.flesh.boxtree import STACK
from stringless.flesh.quantities import free_masses
from stringless.model.builder import about_origin, parallel_axes
from stringless.model.model import Body, Model
from stringless.model.pose import Vector, floats
from stringless.model.shapes import Shape
from stringless.model.solids import tensor
from stringless.spatial.arrays import FloatArray, IntArray

Mesh = tuple[FloatArray, IntArray]
STIFFNESS_SHARE = 0.25
"""Stiffness of a contact sample as a share of `m/dt²`, with m the mass behind it."""
INSET = 0.999
"""Where the corners of a box feel, as a part of its size: a stack of equal boxes must not slip off its own edges."""

SAMPLE_ROW = np.dtype(
    [
        ("body", np.int64),
        ("r", np.float64, (3,)),  # centre in the body frame [m]
        ("radius", np.float64),  # [m]
        ("kn", np.float64),  # [N/m]
        ("cn", np.float64),  # [N·s/m]
    ],
    align=True,
)


@dataclass(frozen=True, eq=False)
class ContactTables:
    """What can touch in a model."""

    obstacles: Any
    samples: Any
    meshes: MeshTables
    restitution: Any
    near: NDArray[np.int8]
    """(bodies, bodies) 1 for bodies too near in the tree to be in contact; of no size without flesh."""
    skin: SkinTables

    @property
    def record(self) -> Contact:
        """The tables as kernels take them."""
        return Contact(self.obstacles, self.samples, self.meshes, self.near, self.restitution, self.skin)

    @property
    def empty(self) -> bool:
        """Whether nothing can touch anything."""
        return len(self.obstacles) == 0 and len(self.skin.pairs) == 0


def contact_tables(model: Model, dt: float, friction: float, *, self_contact: bool = True) -> ContactTables:
    """Collect what can touch in a model; nothing in one with no ground to stand on, no flesh and but one tree of bodies.

    Without `self_contact`, skin does not feel skin.
    """
    world = [shape for shape in model.world_shapes if _collides(shape)]
    solid = [body.index for body in model.bodies if any(_collides(shape) for shape in body.shapes)]
    several = len(set(model.tree["root"][solid].tolist())) > 1
    bodies = model.bodies if world or several or model.flesh is not None else ()
    fleshed = set() if model.flesh is None else {int(bone) for bone in model.flesh.nodes["bone"]}
    bare = [body for body in bodies if body.index not in fleshed]
    solids = [_Solid(-1, "the world", shape) for shape in world]
    solids += [_Solid(b.index, f"body '{b.name}'", shape) for b in bare for shape in b.shapes if _collides(shape)]
    solids = [solid for solid in solids if solid.shape.kind != "mesh" or solid.mesh]
    obstacles = jit.rows(len(solids), OBSTACLE_ROW)
    meshes: list[Mesh] = []
    for row, solid in zip(obstacles, solids, strict=True):
        _obstacle_row(row, solid, friction, meshes)
    mark_runs(obstacles, model.tree["root"])
    samples = _sample_rows(model, solids, dt)
    near = neighbours(model, obstacles)
    restitution = _restitution_rows(model)
    for table in (obstacles, samples, restitution, near):
        table.flags.writeable = False
    skin = skin_tables(model, samples, near)
    if not self_contact:
        skin = skin._replace(pairs=skin.pairs[:0])
    return ContactTables(obstacles, samples, mesh_tables(meshes), restitution, near, skin)


def retuned_contact(tables: ContactTables, *, ratio: float, friction: float, self_contact: bool) -> ContactTables:
    """The same tables for a step that is `ratio` times shorter, and another friction; quick enough for a slider."""
    obstacles, samples = tables.obstacles.copy(), tables.samples.copy()
    obstacles["friction"] = friction
    samples["kn"] *= ratio**2
    samples["cn"] *= ratio
    for table in (obstacles, samples):
        table.flags.writeable = False
    skin = tables.skin if self_contact else tables.skin._replace(pairs=tables.skin.pairs[:0])
    return dataclasses.replace(tables, obstacles=obstacles, samples=samples, skin=skin)


def stiffen_contacts(tables: ContactTables, model: Model) -> ContactTables:
    """The same tables for an implicit step, where a light body is as stiff as the heaviest tree that may rest on it needs.

    An explicit step has to choose the stiffness of a body by its own mass.
    """
    root = model.tree["root"]
    trees = np.bincount(root, model.tree["mass"] + _free_masses(model), model.body_count)
    leaning = {int(root[body]) for body in tables.obstacles["body"] if body >= 0}
    samples = tables.samples.copy()
    for row in samples:
        own = float(model.tree["mass"][row["body"]])
        most = max((trees[other] for other in leaning - {int(root[row["body"]])}), default=0.0)
        factor = max(1.0, most / own) if own > 0 else 1.0
        row["kn"] *= factor
        row["cn"] *= factor
    samples.flags.writeable = False
    return dataclasses.replace(tables, samples=samples)


def contact_work(tables: ContactTables, skin: int) -> ContactWork:
    """Scratch for a model with `skin` surface vertices."""
    points = skin + len(tables.samples)
    return ContactWork(
        obstacles=jit.rows(len(tables.obstacles), OBSTACLE_WORK),
        stack=np.zeros(STACK, np.int64),
        restitution=jit.rows(len(tables.restitution), RESTITUTION_WORK),
        points=np.zeros((points, 3)),
        boxes=np.zeros((len(tables.skin.regions), 6)),
        hits=jit.rows(points, HIT_ROW),
        listed=np.zeros(points, np.int64),
        moments=np.zeros((len(tables.samples), 3)),
    )


def _collides(shape: Shape) -> bool:
    return shape.purpose != "visual" and shape.kind in CODES


def _restitution_rows(model: Model) -> Any:
    """Weights of the trees, and how firmly the flesh of each bone may be damped: `a h < 2/(1 + flesh/bone)`."""
    rows = jit.rows(model.body_count, RESTITUTION_ROW)
    flesh = _free_masses(model)
    root, bone = model.tree["root"], model.tree["mass"]
    rows["weight"] = np.linalg.norm(model.gravity) * np.bincount(root, bone + flesh, model.body_count)[root]
    total = bone + flesh
    rows["most"] = np.minimum(MOST_LOST, np.divide(bone, total, out=np.zeros_like(total), where=total > 0))
    return rows


def _free_masses(model: Model) -> FloatArray:
    """Mass of the free flesh on every bone [kg]."""
    if model.flesh is None:
        return np.zeros(model.body_count)
    bone, mass = model.flesh.nodes["bone"], free_masses(model.flesh)
    return np.bincount(bone[bone >= 0], mass[bone >= 0], model.body_count).astype(np.float64)


class _Solid:
    """A shape that can touch, and its mesh if it has one that is closed."""

    def __init__(self, body: int, where: str, shape: Shape) -> None:
        self.body, self.shape = body, shape
        self.mesh = closed_mesh(shape, where) if shape.kind == "mesh" else None

    @property
    def reach(self) -> float:
        """Radius of a ball around the shape's place that holds it; inf for a plane [m]."""
        kind, size = self.shape.kind, self.shape.size
        if self.mesh is not None:
            return float(np.linalg.norm(self.mesh[0], axis=1).max())
        if kind == "capsule":
            return float(sum(size))
        return math.inf if kind == "plane" else float(np.linalg.norm(size))

    def samples(self) -> list[tuple[Vector, float]]:
        """Balls that stand for it: centres in the body frame and radii [m]."""
        if self.mesh is None:
            return shape_samples(self.shape)
        return [(self.shape.place.apply(tuple(point)), 0.0) for point in mesh_samples(self.mesh)]


def _obstacle_row(row: Any, solid: _Solid, friction: float, meshes: list[Mesh]) -> None:
    shape = solid.shape
    row["kind"], row["body"], row["friction"], row["reach"] = CODES[shape.kind], solid.body, friction, solid.reach
    row["R"], row["p"] = shape.place.matrix.ravel(), shape.place.position
    row["mesh"] = -1
    if solid.mesh is None:
        row["sizes"][: len(shape.size)] = shape.size
    else:
        row["mesh"] = len(meshes)
        meshes.append(solid.mesh)


def mark_runs(obstacles: Any, root: Any) -> None:
    """Tell each obstacle where its run ends, with the root of every body.

    Obstacles of one tree that follow each other are a run, which is looked at together: most contact samples are far from all of
    it. Those of the world are each one of their own.
    """
    tree = np.array([root[body] if body >= 0 else -1 - j for j, body in enumerate(obstacles["body"])], np.int64)
    breaks = np.flatnonzero(np.append(tree[1:] != tree[:-1], True)) + 1
    obstacles["end"] = breaks[np.searchsorted(breaks, np.arange(len(obstacles)), side="right")]


def _sample_rows(model: Model, solids: list[_Solid], dt: float) -> Any:
    """Contact samples of all bodies. Those of bodies that are copies of each other, as in a crowd, are worked out once."""
    own: dict[int, list[_Solid]] = {}
    for solid in solids:
        own.setdefault(solid.body, []).append(solid)
    own.pop(-1, None)
    made: dict[Any, FloatArray] = {}
    found: list[FloatArray] = []
    for index, some in own.items():
        spec = model.bodies[index].spec
        key = (id(spec.shapes), spec.mass, spec.center_of_mass, spec.inertia)
        if key not in made:
            made[key] = np.reshape(list(_body_samples(model.bodies[index], some, dt)), (-1, 6))
        found.append(made[key])
    table = np.concatenate([np.zeros((0, 6)), *found])
    samples = jit.rows(len(table), SAMPLE_ROW)
    samples["body"] = np.repeat(np.array(list(own), np.int64), [len(rows) for rows in found])
    samples["r"], samples["radius"], samples["kn"], samples["cn"] = table[:, :3], table[:, 3], table[:, 4], table[:, 5]
    return samples


def _body_samples(body: Body, solids: list[_Solid], dt: float) -> Iterator[tuple[float, ...]]:
    """Where each contact sample of a body is, its radius, stiffness and damping."""
    points = [point for solid in solids for point in solid.samples()]
    share = min(len(points), 4)
    for place, radius in points:
        # A joint can only make a body harder to push: the free body is the lower bound.
        mass = _mass_behind(body, place) / share
        stiff = STIFFNESS_SHARE * mass / dt**2
        yield (*place, radius, stiff, min(0.35 * mass / dt, math.sqrt(stiff * mass)))


def _mass_behind(body: Body, point: Vector) -> float:
    """Effective mass of the free body at a point, for the direction easiest to push: `1/(1/m + r²/I)`."""
    spec = body.spec
    if spec.mass == 0:
        return 0.0
    inertia = about_origin(spec) - spec.mass * parallel_axes(spec.center_of_mass)
    least = float(np.linalg.eigvalsh(tensor(floats(inertia)))[0])
    arm = float(np.sum(np.square(np.subtract(point, spec.center_of_mass))))
    return 1.0 / (1.0 / spec.mass + arm / max(least, 1e-9 * spec.mass))


def shape_samples(shape: Shape) -> list[tuple[Vector, float]]:
    """Balls that stand for a shape when it touches others: centres in the body frame and radii [m]."""
    size = shape.size
    if shape.kind == "sphere":
        local: list[Vector] = [(0.0, 0.0, 0.0)]
        radius = size[0]
    elif shape.kind == "capsule":
        local, radius = [(0.0, 0.0, z) for z in (-size[1], 0.0, size[1])], size[0]
    elif shape.kind == "box":
        local, radius = list(itertools.product(*((-INSET * half, INSET * half) for half in size))), 0.0
    elif shape.kind == "cylinder":
        angles = [2 * math.pi * k / 8 for k in range(8)]
        local = [(size[0] * math.cos(a), size[0] * math.sin(a), z) for z in (-size[1], size[1]) for a in angles]
        radius = 0.0
    elif shape.kind == "ellipsoid":
        axes = [tuple(s * size[k] if j == k else 0.0 for j in range(3)) for k in range(3) for s in (-1, 1)]
        local, radius = axes, 0.0
    else:
        return []
    return [(shape.place.apply(point), radius) for point in local]
