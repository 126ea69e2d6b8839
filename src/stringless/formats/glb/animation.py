"""From a clip to a GLB file: the bones of a model as nodes, each under its parent, and how they move."""

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from stringless.formats.glb.file import GlbFile
from stringless.formats.glb.shapes import add_world, body_mesh
from stringless.formats.glb.surface import add_flesh
from stringless.formats.output.clip import Clip, Drawn, Progress
from stringless.formats.output.shape_meshes import covered_bones
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray

STILL = 1e-7
"""What moves less than this all the time is not animated [m, or sine of half the angle]."""


def write_animation(clip: Clip, path: Path, world: bool, progress: Progress) -> None:
    """Write a clip, as `write_glb` says."""
    model = clip.model
    drawn = clip.drawn(lambda done: progress(0.3 * done))
    extras = {"units": "m, s, y up", "scene": clip.scene, "lane": clip.name, "start": float(clip.frames[0].time)}
    file = GlbFile(extras)
    nodes = _add_skeleton(file, model, covered_bones(model))
    file.begin_animation(clip.name, clip.time)
    _animate_skeleton(file, model, nodes, drawn)
    if model.flesh is not None:
        told = lambda done: progress(0.3 + 0.6 * min(done, 1.0))  # noqa: E731
        extras["surface_error"] = add_flesh(file, model, nodes, drawn, told)
    if world:
        points = np.concatenate([drawn.position.reshape(-1, 3), drawn.skin.reshape(-1, 3)])
        add_world(file, model, points.min(axis=0), points.max(axis=0))
    progress(0.9)
    file.write(path)
    progress(1.0)


def _add_skeleton(file: GlbFile, model: Model, hidden: set[int]) -> list[int]:
    """Put a node for each body under that of its parent, as they stand at rest; `hidden` ones are not drawn.

    The last node stands in the world's origin and carries all others.
    """
    bones = list[int]()
    for body in model.bodies:
        mesh = None if body.index in hidden else body_mesh(file, body.name, body.shapes)
        place = body.spec.place
        bones.append(file.node(body.name, translation=list(place.position), rotation=list(place.rotation), mesh=mesh))
    children: dict[int, list[int]] = {}
    for body in model.bodies:
        children.setdefault(body.parent, []).append(bones[body.index])
    for parent, below in children.items():
        if parent >= 0:
            file.document.nodes[bones[parent]].children = below
    return [*bones, file.node(f"{model.name} skeleton", top=True, children=children.get(-1))]


def _animate_skeleton(file: GlbFile, model: Model, nodes: list[int], drawn: Drawn) -> None:
    """Let every bone move against its parent as it did."""
    for body in model.bodies:
        position, R = drawn.position[:, body.index], drawn.rotation[:, body.index]
        if body.parent >= 0:
            R_up = np.swapaxes(drawn.rotation[:, body.parent], 1, 2)
            position = np.einsum("kij,kj->ki", R_up, position - drawn.position[:, body.parent])
            R = R_up @ R
        node, place = nodes[body.index], body.spec.place
        if np.abs(position - np.asarray(place.position)).max() > STILL:
            file.channel(node, "translation", position)
        rotation = unbroken(Rotation.from_matrix(R).as_quat())
        if np.abs(1 - np.abs(rotation @ np.asarray(place.rotation))).max() > STILL**2:
            file.channel(node, "rotation", rotation)


def unbroken(quaternions: FloatArray) -> FloatArray:
    """The same rotations, each given by that of its two quaternions that is nearer to the one before."""
    turned = np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0
    signs = np.where(np.cumsum(turned) % 2 == 1, -1.0, 1.0)
    return quaternions * np.concatenate([[1.0], signs])[:, None]
