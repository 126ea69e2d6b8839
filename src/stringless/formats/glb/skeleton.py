"""The bones of a model as nodes of a GLB file, each under its parent, and how they move."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from stringless.formats.glb.file import GlbFile
from stringless.formats.glb.shapes import body_mesh
from stringless.formats.output.clip import Drawn
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray

STILL = 1e-7
"""What moves less than this all the time is not animated [m, or sine of half the angle]."""


@dataclass(frozen=True)
class Skeleton:
    """Numbers of the nodes."""

    root: int
    """Stands in the world's origin and carries all others."""
    bones: list[int]
    """One for every body of the model, in its order."""


def add_skeleton(file: GlbFile, model: Model, hidden: set[int]) -> Skeleton:
    """Put a node for each body under that of its parent, as they stand at rest; `hidden` ones are not drawn."""
    bones = []
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
    return Skeleton(file.node(f"{model.name} skeleton", top=True, children=children.get(-1)), bones)


def animate_skeleton(file: GlbFile, model: Model, skeleton: Skeleton, drawn: Drawn) -> None:
    """Let every bone move against its parent as it did."""
    for body in model.bodies:
        position, R = drawn.position[:, body.index], drawn.rotation[:, body.index]
        if body.parent >= 0:
            R_up = np.swapaxes(drawn.rotation[:, body.parent], 1, 2)
            position = np.einsum("kij,kj->ki", R_up, position - drawn.position[:, body.parent])
            R = R_up @ R
        node, place = skeleton.bones[body.index], body.spec.place
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
