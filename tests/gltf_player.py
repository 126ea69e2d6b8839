"""A slow player of GLB files, straight from the specification of glTF 2.0: where is every vertex at a time?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygltflib
from scipy.spatial.transform import Rotation, Slerp

TYPES = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Player:
    """A file, and how to look at it."""

    def __init__(self, path: Path) -> None:
        self.document = pygltflib.GLTF2().load_binary(str(path))
        self.blob = self.document.binary_blob()
        self.nodes = self.document.nodes
        self.parents = {child: k for k, node in enumerate(self.nodes) for child in node.children or []}

    def numbers(self, accessor: int) -> np.ndarray:
        entry = self.document.accessors[accessor]
        view = self.document.bufferViews[entry.bufferView]
        width = WIDTHS[entry.type]
        start = (view.byteOffset or 0) + (entry.byteOffset or 0)
        values = np.frombuffer(self.blob, TYPES[entry.componentType], entry.count * width, start)
        return values.reshape(-1, width) if width > 1 else values

    def node(self, name: str) -> int:
        (found,) = (k for k, node in enumerate(self.nodes) if node.name == name)
        return found

    @property
    def times(self) -> np.ndarray:
        return self.numbers(self.document.animations[0].samplers[0].input).astype(float)

    def value(self, node: int, path: str, time: float):
        """What a channel says at a time; None without a channel."""
        for animation in self.document.animations:
            for channel in animation.channels:
                if channel.target.node == node and channel.target.path == path:
                    sampler = animation.samplers[channel.sampler]
                    assert sampler.interpolation == "LINEAR"
                    keys = self.numbers(sampler.input).astype(float)
                    values = self.numbers(sampler.output).astype(float).reshape(len(keys), -1)
                    time = np.clip(time, keys[0], keys[-1])
                    if path == "rotation" and len(keys) > 1:
                        return Slerp(keys, Rotation.from_quat(values))(time).as_quat()
                    return np.array([np.interp(time, keys, column) for column in values.T])
        return None

    def pose(self, node: int, time: float) -> np.ndarray:
        """World matrix of a node."""
        entry = self.nodes[node]
        translation = self.value(node, "translation", time)
        rotation = self.value(node, "rotation", time)
        X = np.eye(4)
        X[:3, 3] = (entry.translation or (0, 0, 0)) if translation is None else translation
        X[:3, :3] = Rotation.from_quat((entry.rotation or (0, 0, 0, 1)) if rotation is None else rotation).as_matrix()
        return self.pose(self.parents[node], time) @ X if node in self.parents else X

    def surface(self, name: str, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and unit normals of a skinned mesh with morph targets, in the world."""
        node = self.nodes[self.node(name)]
        mesh = self.document.meshes[node.mesh]
        (part,) = mesh.primitives
        weights = self.value(self.node(name), "weights", time)
        weights = np.array(mesh.weights) if weights is None else weights
        x, n = (self.numbers(accessor).astype(float) for accessor in (part.attributes.POSITION, part.attributes.NORMAL))
        for weight, target in zip(weights, part.targets, strict=True):
            x = x + weight * self.numbers(target["POSITION"])
            n = n + weight * self.numbers(target["NORMAL"])
        skin = self.document.skins[node.skin]
        back = np.swapaxes(self.numbers(skin.inverseBindMatrices).reshape(-1, 4, 4), 1, 2)
        X = np.array([self.pose(joint, time) @ inverse for joint, inverse in zip(skin.joints, back, strict=True)])
        joints, shares = (self.numbers(accessor) for accessor in (part.attributes.JOINTS_0, part.attributes.WEIGHTS_0))
        X_v = np.einsum("vk,vkij->vij", shares, X[joints])
        n = np.einsum("vij,vj->vi", X_v[:, :3, :3], n)
        return np.einsum("vij,vj->vi", X_v[:, :3, :3], x) + X_v[:, :3, 3], n / np.linalg.norm(n, axis=1, keepdims=True)
