"""A scene in words and numbers that a page can draw."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.control.characters import characters
from stringless.formats.output.replay import SKIN_COLOR
from stringless.model import Model
from stringless.model import Scene as ModelScene
from stringless.model.joints.revolute import REVOLUTE
from stringless.model.model import Body
from stringless.studio.drawing import describe_shapes, floats, numbers
from stringless.studio.messages import BodyInfo, CharacterInfo, FleshInfo, PullInfo, Scene, Vector
from stringless.studio.showing import Painter

Floats = NDArray[np.float64]
SMALLEST = 0.3
"""A stage is never shown smaller than this [m]."""


def describe_scene(scene: ModelScene, epoch: int) -> Scene:
    """All that stays while frames go by."""
    model = scene.model
    low, high = _corners(scene)
    meshes, shapes = describe_shapes(model)
    return Scene(
        epoch=epoch,
        name=scene.name,
        description=scene.description,
        bodies=_bodies(model),
        characters=[
            CharacterInfo(actor.name, int(actor.root), [int(i) for i in actor.members], actor.size, actor.passive_root)
            for actor in characters(model)
        ],
        meshes=meshes,
        shapes=shapes,
        flesh=_flesh(model),
        pulls=[
            PullInfo(model.body(pull.body).index, vector(pull.point), vector(pull.anchor), pull.stiffness, pull.damping)
            for pull in scene.pulls
        ],
        loops=len(model.loop_specs),
        floor=_floor(model),
        gravity=vector(model.gravity),
        center=vector((low + high) / 2),
        extent=max(float(np.max(high - low)), SMALLEST),
    )


def vector(values: ArrayLike) -> Vector:
    """Three numbers."""
    x, y, z = np.asarray(values, float)
    return (float(x), float(y), float(z))


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
                place=vector(body.spec.place.position),
                mass=float(row["mass"]),
                joint=joint.name,
                kind=joint.kind.name,
                v=joint.v_slice.start,
                nv=joint.nv,
                limits=[(float(limit["lower"]), float(limit["upper"])) for limit in limits],
                effort=efforts if joint.spec.actuated else [],
                stiffness=dofs["stiffness"].tolist(),
                damping=dofs["damping"].tolist(),
                axis=_axis(body),
            )
        )
    return found


def _axis(body: Body) -> Vector | None:
    """Of a hinge, as its parent sees it."""
    if body.joint.kind is not REVOLUTE:
        return None
    axis = np.asarray(body.joint.spec.axes[0])
    return vector(body.spec.place.matrix @ axis / np.linalg.norm(axis))


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
        masses=floats(flesh.nodes["mass"]),
        fixed=flesh.nodes["fixed"].astype(np.uint8).tobytes(),
        bones=flesh.nodes["bone"].astype("<i4").tobytes(),
        tets=numbers(flesh.elements["n"]),
        carriers=numbers(flesh.vertices["n"]),
        weights=floats(flesh.vertices["w"]),
        triangles=numbers(np.concatenate(triangles)),
        colors=floats(np.concatenate(colors)) if colored else b"",
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
