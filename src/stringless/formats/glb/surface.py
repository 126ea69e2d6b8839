"""Flesh in a GLB file: a skin that the bones carry, and morph targets for all that it does beyond that.

Seen from its bone a vertex hardly moves. What it moves is written as a sum of few shapes, the same for the whole clip, with
weights that are animated; every glTF player plays that. Weights stay between 0 and 1, where Blender keeps them.
"""

import numpy as np
import pygltflib as gltf

from stringless.formats.glb.few_shapes import FewShapes, fewest_shapes
from stringless.formats.glb.file import GlbFile, linear
from stringless.formats.glb.shapes import normals
from stringless.formats.output.clip import Drawn, Progress
from stringless.formats.output.shape_meshes import SKIN_COLOR
from stringless.model.flesh import FleshSpec
from stringless.model.model import Model
from stringless.model.neutral_configuration import neutral_places
from stringless.spatial.arrays import FloatArray, IntArray

BOUND = 5e-4
"""No vertex is further from where it was than this in any frame [m] ..."""
BOUND_OF_SIZE = 1e-3
"""... nor than this share of what the flesh measures."""
BLOCK = 64
"""Frames whose normals are worked out at a time."""


def add_flesh(file: GlbFile, model: Model, nodes: list[int], drawn: Drawn, progress: Progress) -> float:
    """Write the surfaces of all flesh on the nodes of the bones and of the ground; gives how far a vertex may be off [m]."""
    flesh = model.flesh
    assert flesh is not None
    skin = _add_joints(file, model, nodes)
    bones = np.where(flesh.vertices["bone"] < 0, model.body_count, flesh.vertices["bone"])
    first, count, worst = 0, len(flesh.specs), 0.0
    for number, spec in enumerate(flesh.specs):
        part = slice(first, first + len(spec.vertices))
        first = part.stop
        seen = _Seen(model, spec, bones[part], drawn, part)
        bound = min(BOUND, BOUND_OF_SIZE * float(np.ptp(spec.vertices, axis=0).max()))
        worst = max(worst, bound)
        few = fewest_shapes(seen.offsets, bound, lambda done, k=number: progress((k + 0.7 * done) / count))
        node = _add_surface(file, spec, bones[part], skin, few, seen)
        weights = np.concatenate([np.ones((len(few.weights), 1)), few.weights], axis=1)
        file.channel(node, "weights", weights.ravel())
        progress((number + 1) / count)
    return worst


def _add_joints(file: GlbFile, model: Model, nodes: list[int]) -> int:
    """The skin that ties vertices to bones, all as they are at rest; the ground is the last joint."""
    places = neutral_places(model.specs)
    back = np.zeros((model.body_count + 1, 4, 4))
    back[:] = np.eye(4)
    for body in model.bodies:
        place = places[body.name].inverse()
        back[body.index, :3, :3], back[body.index, :3, 3] = place.matrix, place.position
    columns = np.swapaxes(back, 1, 2).reshape(-1, 16)
    return file.skin(name=model.name, skeleton=nodes[-1], joints=nodes, inverseBindMatrices=file.numbers(columns))


class _Seen:
    """A surface as its bones see it, each vertex by its own, turned to how they stand at rest."""

    def __init__(self, model: Model, spec: FleshSpec, bones: IntArray, drawn: Drawn, part: slice) -> None:
        """Work out `offsets`, how far the vertices are from rest, shape (k, 3 n) [m]."""
        places = neutral_places(model.specs)
        self.rest, self.triangles, self.bones = spec.vertices, spec.triangles, bones
        self.skin = drawn.skin[:, part]
        still = np.broadcast_to(np.eye(3), (len(self.skin), 1, 3, 3))
        R_0 = np.array([*(places[body.name].matrix for body in model.bodies), np.eye(3)])
        p_0 = np.array([*(places[body.name].position for body in model.bodies), np.zeros(3)])
        # A = R R_0ᵀ and b carry a point from where it is at rest to where its bone has it.
        self.A = np.concatenate([drawn.rotation, still], axis=1) @ np.swapaxes(R_0, 1, 2)
        p = np.concatenate([drawn.position, np.zeros((len(self.skin), 1, 3))], axis=1)
        self.b = p - np.einsum("kbij,bj->kbi", self.A, p_0)
        self.offsets = np.empty((len(self.skin), 3 * len(bones)), np.float32)
        for k, x in enumerate(self.skin):
            self.offsets[k] = (self._back(k, x - self.b[k, bones]) - self.rest).ravel()

    def _back(self, frame: int, vectors: FloatArray) -> FloatArray:
        """Vectors at the vertices turned from the world to rest."""
        return np.einsum("vji,vj->vi", self.A[frame, self.bones], vectors)

    def normals(self, frames: slice) -> FloatArray:
        """Of the surface as it was, turned to rest, shape (k, 3 n)."""
        world = normals(self.skin[frames].astype(np.float64), self.triangles)
        return np.array([self._back(frames.start + k, n).ravel() for k, n in enumerate(world)])


def _add_surface(file: GlbFile, spec: FleshSpec, bones: IntArray, skin: int, few: FewShapes, seen: _Seen) -> int:
    """Write one surface at rest with its targets: first the offset, then the directions."""
    count = len(spec.vertices)
    upright = normals(spec.vertices[None], spec.triangles)[0]
    joints = np.zeros((count, 4))
    joints[:, 0] = bones
    attributes = gltf.Attributes(
        POSITION=file.points(spec.vertices),
        NORMAL=file.vectors(upright),
        JOINTS_0=file.vectors(joints, "<u2"),
        WEIGHTS_0=file.vectors(np.tile((1.0, 0.0, 0.0, 0.0), (count, 1))),
    )
    if len(spec.colors):
        attributes.COLOR_0 = file.vectors(linear(spec.colors))
    turns = _normal_targets(few, seen, upright)
    shapes = np.concatenate([few.offset[None], few.directions])
    targets = [
        gltf.Attributes(POSITION=file.points(shape.reshape(-1, 3)), NORMAL=file.vectors(turn.reshape(-1, 3)))
        for shape, turn in zip(shapes, turns, strict=True)
    ]
    color = (1.0, 1.0, 1.0) if len(spec.colors) else SKIN_COLOR
    primitive = gltf.Primitive(
        attributes=attributes, indices=file.triangles(spec.triangles), material=file.material(color), targets=targets
    )
    names = ["offset", *(f"shape {k + 1}" for k in range(len(few.directions)))]
    mesh = file.mesh(name=spec.name, primitives=[primitive], weights=[0.0] * len(shapes), extras={"targetNames": names})
    return file.node(f"{spec.name} surface", top=True, mesh=mesh, skin=skin)


def _normal_targets(few: FewShapes, seen: _Seen, upright: FloatArray) -> FloatArray:
    """How the normals change with each target: what fits the true ones best, by least squares over all frames."""
    weights = np.concatenate([np.ones((len(few.weights), 1)), few.weights], axis=1)
    right = np.zeros((weights.shape[1], upright.size))
    for start in range(0, len(weights), BLOCK):
        block = slice(start, min(start + BLOCK, len(weights)))
        right += weights[block].T @ (seen.normals(block) - upright.ravel())
    return np.asarray(np.linalg.lstsq(weights.T @ weights, right, rcond=1e-9)[0], np.float64)
