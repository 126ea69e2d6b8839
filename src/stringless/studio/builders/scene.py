"""The scene message: everything of a scene that stays the same from frame to frame."""

import math

import numpy as np

from stringless.control.characters import characters
from stringless.formats.output.shape_meshes import SKIN_COLOR
from stringless.model import Model
from stringless.model import Scene as ModelScene
from stringless.model.joints.revolute import REVOLUTE
from stringless.model.model import Body
from stringless.spatial.arrays import FloatArray
from stringless.studio.builders import make_vector
from stringless.studio.builders.frame import FrameBuilder
from stringless.studio.builders.shapes import build_shapes
from stringless.studio.frames import pack_array
from stringless.studio.messages import BodyInfo, CharacterInfo, FleshInfo, PullInfo, Scene, Vector

SMALLEST = 0.3
"""A scene is never shown smaller than this [m]."""


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
            for each in characters(model)
        ],
        meshes=meshes,
        shapes=shapes,
        flesh=_build_flesh(model),
        pulls=[
            PullInfo(model.body(p.body).index, make_vector(p.point), make_vector(p.anchor), p.stiffness, p.damping)
            for p in scene.pulls
        ],
        loops=len(model.loop_specs),
        floor=_find_floor(model),
        gravity=make_vector(model.gravity),
        center=make_vector((low + high) / 2),
        extent=max(float(np.max(high - low)), SMALLEST),
    )


def _list_bodies(model: Model) -> list[BodyInfo]:
    character_of = {int(i): each.index for each in characters(model) for i in each.members}
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
    colors = [
        part.colors if len(part.colors) else np.broadcast_to(SKIN_COLOR, (len(part.vertices), 3)) for part in flesh.specs
    ]  # fmt: skip
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
    """Height of the ground, if there is one."""
    levels = [s.place.position[1] for s in model.world_shapes if s.kind == "plane" and s.place.matrix[1, 2] > 0.99]
    return float(levels[0]) if levels else None


def _find_corners(scene: ModelScene) -> tuple[FloatArray, FloatArray]:
    """Corners of the box around all bodies and nodes at the start."""
    snapshot = FrameBuilder(scene.model).from_pose(scene.q.copy())
    points = np.concatenate([snapshot.poses[:, :3], snapshot.nodes])
    return (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
