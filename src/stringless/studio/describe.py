"""A scene in words and numbers that a page can draw."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stringless.control.characters import characters
from stringless.formats.replay import SKIN_COLOR, covered_bones
from stringless.formats.replay_meshes import BODY_COLOR, WORLD_COLOR, drawn_meshes
from stringless.model import Model
from stringless.model import Scene as ModelScene
from stringless.model.shapes import Shape
from stringless.studio.messages import BodyInfo, CharacterInfo, FleshInfo, MeshInfo, Scene, Vector
from stringless.studio.showing import Painter

Floats = NDArray[np.float64]
SMALLEST = 0.3
"""A stage is never shown smaller than this [m]."""


def describe_scene(scene: ModelScene, epoch: int) -> Scene:
    """All that stays while frames go by."""
    model = scene.model
    low, high = _corners(scene)
    return Scene(
        epoch=epoch,
        name=scene.name,
        description=scene.description,
        bodies=_bodies(model),
        characters=[
            CharacterInfo(actor.name, int(actor.root), [int(i) for i in actor.members], actor.size, actor.passive_root)
            for actor in characters(model)
        ],
        meshes=_meshes(model),
        flesh=_flesh(model),
        floor=_floor(model),
        gravity=vector(model.gravity),
        center=vector((low + high) / 2),
        extent=max(float(np.max(high - low)), SMALLEST),
    )


def vector(values: Floats) -> Vector:
    """Three numbers."""
    return (float(values[0]), float(values[1]), float(values[2]))


def _bodies(model: Model) -> list[BodyInfo]:
    whose = {int(i): actor.index for actor in characters(model) for i in actor.members}
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
                character=whose.get(body.index, -1),
                place=vector(np.asarray(body.spec.place.position)),
                mass=float(row["mass"]),
                joint=joint.name,
                kind=joint.kind.name,
                v=joint.v_slice.start,
                nv=joint.nv,
                limits=[(float(limit["lower"]), float(limit["upper"])) for limit in limits],
                effort=efforts if joint.spec.actuated else [],
                stiffness=dofs["stiffness"].tolist(),
                damping=dofs["damping"].tolist(),
            )
        )
    return found


def _meshes(model: Model) -> list[MeshInfo]:
    covered = covered_bones(model)
    drawn = [
        _mesh(
            int(mesh["body"]), np.array(mesh["points"]), np.array(mesh["triangles"]), tuple(mesh["color"]),
            int(mesh["body"]) in covered,
        )
        for mesh in drawn_meshes(model, set())
    ]  # fmt: skip
    for body, shapes in [(-1, model.world_shapes), *((body.index, body.shapes) for body in model.bodies)]:
        seen = [shape for shape in shapes if shape.kind == "mesh" and shape.purpose != "collision"]
        drawn += [_surface(shape, body, body in covered) for shape in seen if shape.surface is not None]
    return drawn


def _surface(shape: Shape, body: int, covered: bool) -> MeshInfo:
    assert shape.surface is not None
    points = shape.surface[0] * np.asarray(shape.size or (1.0, 1.0, 1.0))
    placed = points @ shape.place.matrix.T + np.asarray(shape.place.position)
    color = tuple(shape.color) or (WORLD_COLOR if body < 0 else BODY_COLOR)
    return _mesh(body, placed, shape.surface[1], color, covered)


def _mesh(body: int, points: Floats, triangles: NDArray[np.int64], color: tuple[float, ...], covered: bool) -> MeshInfo:
    r, g, b, a = (*color, 1.0)[:4]
    return MeshInfo(body, covered, (r, g, b, a), _floats(points), _numbers(triangles))


def _flesh(model: Model) -> FleshInfo | None:
    flesh = model.flesh
    if flesh is None:
        return None
    triangles: list[NDArray[np.int64]] = []
    colors: list[Floats] = []
    first = 0
    for part in flesh.specs:
        triangles.append(part.triangles + first)
        first += len(part.vertices)
        colors.append(part.colors if len(part.colors) else np.broadcast_to(SKIN_COLOR, (len(part.vertices), 3)))
    colored = any(len(part.colors) for part in flesh.specs)
    return FleshInfo(
        nodes=len(flesh.nodes),
        masses=_floats(flesh.nodes["mass"]),
        fixed=flesh.nodes["fixed"].astype(np.uint8).tobytes(),
        bones=flesh.nodes["bone"].astype("<i4").tobytes(),
        tets=_numbers(flesh.elements["n"]),
        carriers=_numbers(flesh.vertices["n"]),
        weights=_floats(flesh.vertices["w"]),
        triangles=_numbers(np.concatenate(triangles)),
        colors=_floats(np.concatenate(colors)) if colored else b"",
        vertex_bones=flesh.vertices["bone"].astype("<i4").tobytes(),
    )


def _floor(model: Model) -> float | None:
    for shape in model.world_shapes:
        if shape.kind == "plane" and shape.place.matrix[1, 2] > 0.99:
            return float(shape.place.position[1])
    return None


def _corners(scene: ModelScene) -> tuple[Floats, Floats]:
    """Of the room that what moves takes up at the start."""
    drawn = Painter(scene.model).of_pose(scene.q.copy())
    points = np.concatenate([drawn.poses[:, :3], drawn.nodes])
    return (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))


def _floats(values: Floats) -> bytes:
    return np.ascontiguousarray(values, dtype="<f4").tobytes()


def _numbers(values: NDArray[np.int64]) -> bytes:
    return np.ascontiguousarray(values, dtype="<u4").tobytes()
