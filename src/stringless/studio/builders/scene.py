"""The scene message: everything of a scene that stays the same from frame to frame."""

import math
from collections.abc import Callable, Hashable, Iterator
from functools import partial

import numpy as np

from stringless.control.characters import find_characters
from stringless.formats.output.shape_meshes import (
    BODY_COLOR,
    SKIN_COLOR,
    WORLD_COLOR,
    Mesh,
    bar,
    covered_bones,
    shape_mesh,
    visible,
)
from stringless.model import Model
from stringless.model import Scene as ModelScene
from stringless.model.joints.revolute import REVOLUTE
from stringless.model.model import Body
from stringless.model.shapes import Shape
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.studio.builders import make_vector
from stringless.studio.builders.frame import FrameBuilder
from stringless.studio.frames import pack_array
from stringless.studio.messages import BodyInfo, CharacterInfo, FleshInfo, MeshInfo, PullInfo, Scene, ShapeInfo, Vector

SMALLEST = 0.3
"""A scene is never shown smaller than this [m]."""
MANY = 2000
"""Number of shapes above which each is small on the page, and all of them together cost too much if they are round."""
COARSE, COARSEST = 0.4, 0.25
"""Share of the usual sides and rings that shapes have then, and small ones among them."""
SMALL = 0.1
"""Length of a shape that counts as small then [m]."""


def build_scene(scene: ModelScene, epoch: int) -> Scene:
    """The scene message."""
    model = scene.model
    low, high = _find_corners(scene)
    meshes, shapes = build_shapes(model)
    return Scene(
        epoch=epoch,
        name=scene.name,
        description=scene.description,
        bodies=_list_bodies(model),
        characters=[
            CharacterInfo(each.name, int(each.root), [int(i) for i in each.members], each.size, each.passive_root)
            for each in find_characters(model)
        ],
        meshes=meshes,
        shapes=shapes,
        flesh=_build_flesh(model),
        pulls=[
            PullInfo(model.body(p.body).index, make_vector(p.point), make_vector(p.anchor), p.stiffness, p.damping)
            for p in scene.world_springs
        ],
        loops=len(model.loop_specs),
        floor=_find_floor(model),
        gravity=make_vector(model.gravity),
        center=make_vector((low + high) / 2),
        extent=max(float(np.max(high - low)), SMALLEST),
    )


def _list_bodies(model: Model) -> list[BodyInfo]:
    character_of = {int(i): each.index for each in find_characters(model) for i in each.members}
    found: list[BodyInfo] = []
    for body in model.bodies:
        joint, row = body.joint, model.tree[body.index]
        limits = model.limits[int(row["l0"]) : int(row["l0"] + row["nl"])]
        dofs = model.dofs[joint.v_slice]
        efforts = [float(effort) if math.isfinite(effort) else -1.0 for effort in dofs["effort"]]
        found.append(
            BodyInfo(
                name=body.name,
                parent=body.parent,
                character=character_of.get(body.index, -1),
                place=make_vector(body.spec.place.position),
                mass=float(row["mass"]),
                joint=joint.name,
                kind=joint.kind.name,
                v=joint.v_slice.start,
                nv=joint.nv,
                turns=list(joint.kind.angular),
                loose=joint.kind.loose,
                limits=[(float(limit["lower"]), float(limit["upper"])) for limit in limits],
                effort=efforts if joint.spec.actuated else [],
                stiffness=dofs["stiffness"].tolist(),
                damping=dofs["damping"].tolist(),
                axis=_find_axis(body),
            )
        )
    return found


def _find_axis(body: Body) -> Vector | None:
    """The axis of a hinge along the axes of its parent."""
    if body.joint.kind is not REVOLUTE:
        return None
    axis = np.asarray(body.joint.spec.axes[0])
    return make_vector(body.spec.place.matrix @ axis / np.linalg.norm(axis))


def _build_flesh(model: Model) -> FleshInfo | None:
    flesh = model.flesh
    if flesh is None:
        return None
    firsts = np.cumsum([0, *(len(part.vertices) for part in flesh.specs)])
    triangles = [part.triangles + first for part, first in zip(flesh.specs, firsts, strict=False)]
    usual = [np.broadcast_to(SKIN_COLOR, part.vertices.shape) for part in flesh.specs]
    colors = [part.colors if len(part.colors) else gray for part, gray in zip(flesh.specs, usual, strict=True)]
    colored = any(len(part.colors) for part in flesh.specs)
    return FleshInfo(
        nodes=len(flesh.nodes),
        masses=pack_array(flesh.nodes["mass"]),
        fixed=pack_array(flesh.nodes["fixed"], "u1"),
        bones=pack_array(flesh.nodes["bone"], "<i4"),
        tets=pack_array(flesh.elements["n"], "<u4"),
        carriers=pack_array(flesh.vertices["n"], "<u4"),
        weights=pack_array(flesh.vertices["w"]),
        triangles=pack_array(np.concatenate(triangles), "<u4"),
        colors=pack_array(np.concatenate(colors)) if colored else b"",
        vertex_bones=pack_array(flesh.vertices["bone"], "<i4"),
    )


def _find_floor(model: Model) -> float | None:
    levels = [s.place.position[1] for s in model.world_shapes if s.kind == "plane" and s.place.matrix[1, 2] > 0.99]
    return float(levels[0]) if levels else None


def _find_corners(scene: ModelScene) -> tuple[FloatArray, FloatArray]:
    """Corners of the box around all bodies and nodes at the start."""
    snapshot = FrameBuilder(scene.model).from_pose(scene.q.copy())
    points = np.concatenate([snapshot.poses[:, :3], snapshot.nodes])
    return (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))


class Meshes:
    """The meshes of a scene, each once."""

    def __init__(self) -> None:
        self.all: list[MeshInfo] = []
        self._known: dict[Hashable, int] = {}

    def number(self, key: Hashable, make: Callable[[], Mesh], smooth: bool = True) -> int:
        """The number of the mesh with this key, made if it is the first; meshes of our own are smooth."""
        if key not in self._known:
            points, triangles = make()
            self._known[key] = len(self.all)
            self.all.append(MeshInfo(pack_array(points), pack_array(triangles, "<u4"), smooth))
        return self._known[key]


def build_shapes(model: Model) -> tuple[list[MeshInfo], list[ShapeInfo]]:
    """Meshes, and the shapes of bodies and of the world that use them, without flesh."""
    covered = covered_bones(model)
    meshes, shapes = Meshes(), list[ShapeInfo]()
    detail = COARSE if sum(len(body.shapes) for body in model.bodies) > MANY else 1.0
    for body, parts in [(-1, model.world_shapes), *((body.index, body.shapes) for body in model.bodies)]:
        usual = WORLD_COLOR if body < 0 else BODY_COLOR
        for mesh, color in _list_meshes(model, meshes, body, parts, detail):
            r, g, b, a = (*(color or usual), 1.0)[:4]
            shapes.append(ShapeInfo(body, mesh, body in covered, (r, g, b, a)))
    return meshes.all, shapes


def _list_meshes(
    model: Model, meshes: Meshes, body: int, shapes: tuple[Shape, ...], detail: float
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Mesh and own colour of everything that is drawn of a body; a body without shapes is drawn as a bar."""
    plain = visible(shapes)
    for shape in plain:
        key = (shape.kind, shape.size, shape.place)
        share = COARSEST if detail < 1.0 and 2 * sum(shape.size[:2]) < SMALL else detail
        yield meshes.number(key, lambda s=shape, k=share: _place_mesh(s, *shape_mesh(s, k))), tuple(shape.color)
    if not plain and body >= 0:
        part = model.bodies[body]
        end = tuple(-c for c in part.spec.place.position) if part.parent >= 0 else (0.0, 0.0, 0.0)
        yield meshes.number(end, lambda: bar(end)), ()
    for shape in shapes:
        if shape.kind == "mesh" and shape.purpose != "collision" and shape.surface is not None:
            key = (id(shape.surface), shape.size, shape.place)
            points, triangles = shape.surface
            points = points * np.asarray(shape.size or (1.0, 1.0, 1.0))
            yield meshes.number(key, partial(_place_mesh, shape, points, triangles), False), tuple(shape.color)


def _place_mesh(shape: Shape, points: FloatArray, triangles: IntArray) -> Mesh:
    return points @ shape.place.matrix.T + np.asarray(shape.place.position), triangles
