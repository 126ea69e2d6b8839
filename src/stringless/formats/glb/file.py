"""The container of a GLB file: numbers go into one buffer, what describes them into the tables of glTF 2.0."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib as gltf
from numpy.typing import ArrayLike

from stringless.formats.output.whole_file import write_whole
from stringless.spatial.arrays import FloatArray

KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
CODES = {"<f4": gltf.FLOAT, "<u4": gltf.UNSIGNED_INT, "<u2": gltf.UNSIGNED_SHORT, "|u1": gltf.UNSIGNED_BYTE}


class GlbFile:
    """A glTF document that grows."""

    def __init__(self, extras: dict[str, Any]) -> None:
        """Begin with an empty scene; `extras` are application-specific data."""
        self._top: list[int] = []
        self.document = gltf.GLTF2(
            asset=gltf.Asset(version="2.0", generator="Stringless", extras=extras),
            scene=0,
            scenes=[gltf.Scene(nodes=self._top)],
        )
        self._bytes = bytearray()
        self._materials: dict[tuple[float, ...], int] = {}

    # --- numbers ---

    def numbers(self, values: ArrayLike, dtype: str = "<f4", *, bounds: bool = False, target: int | None = None) -> int:
        """Put an array (k,) or (k, c) into the buffer; gives the number of its accessor."""
        array = np.ascontiguousarray(values, dtype)
        self._bytes.extend(b"\0" * (-len(self._bytes) % 4))
        part = gltf.BufferView(buffer=0, byteOffset=len(self._bytes), byteLength=array.nbytes, target=target)
        self._bytes.extend(array.tobytes())
        view, code = self._add(self.document.bufferViews, part), CODES[array.dtype.str]
        kind = KINDS[array.shape[1] if array.ndim == 2 else 1]
        accessor = gltf.Accessor(bufferView=view, componentType=code, count=len(array), type=kind)
        if bounds:
            flat = array.reshape(len(array), -1)
            accessor.min, accessor.max = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
        return self._add(self.document.accessors, accessor)

    def points(self, values: ArrayLike) -> int:
        """Positions, shape (k, 3) [m]."""
        return self.numbers(values, bounds=True, target=gltf.ARRAY_BUFFER)

    def vectors(self, values: ArrayLike, dtype: str = "<f4") -> int:
        """What else the vertices have."""
        return self.numbers(values, dtype, target=gltf.ARRAY_BUFFER)

    def triangles(self, values: ArrayLike) -> int:
        """Corners of triangles."""
        return self.numbers(np.ravel(values), "<u4", target=gltf.ELEMENT_ARRAY_BUFFER)

    # --- things ---

    @staticmethod
    def _add(table: list[Any], item: Any) -> int:
        table.append(item)
        return len(table) - 1

    def node(self, name: str, *, top: bool = False, **fields: Any) -> int:
        """Another node; gives its number. A name that is taken gets a number."""
        taken = {node.name for node in self.document.nodes}
        free = (f"{name} {k}" if k > 1 else name for k in itertools.count(1))
        unique = next(each for each in free if each not in taken)
        number = self._add(self.document.nodes, gltf.Node(name=unique, **fields))
        if top:
            self._top.append(number)
        return number

    def mesh(self, **fields: Any) -> int:
        """Another mesh."""
        return self._add(self.document.meshes, gltf.Mesh(**fields))

    def skin(self, **fields: Any) -> int:
        """Another skin."""
        return self._add(self.document.skins, gltf.Skin(**fields))

    def material(self, color: tuple[float, ...]) -> int:
        """A plain surface of this colour, red, green, blue, alpha as seen on a screen; one for all meshes of the same colour."""
        red, green, blue, alpha = (*color, 1.0)[:4]
        key = (red, green, blue, alpha)
        if key not in self._materials:
            base, mode = [*linear((red, green, blue)).tolist(), alpha], "OPAQUE" if alpha == 1 else "BLEND"
            look = gltf.PbrMetallicRoughness(baseColorFactor=base, metallicFactor=0.0, roughnessFactor=0.7)
            name = f"color {len(self._materials) + 1}"
            material = gltf.Material(name=name, pbrMetallicRoughness=look, alphaMode=mode, alphaCutoff=None)
            self._materials[key] = self._add(self.document.materials, material)
        return self._materials[key]

    # --- motion ---

    def begin_animation(self, name: str, time: FloatArray) -> None:
        """Begin the one animation; all its channels have a key at each of these times."""
        self._time = self.numbers(time, bounds=True)
        self.document.animations.append(gltf.Animation(name=name))

    def channel(self, node: int, path: str, values: ArrayLike) -> None:
        """Let a node move: `path` is translation, rotation or weights."""
        animation = self.document.animations[0]
        sampler = gltf.AnimationSampler(input=self._time, output=self.numbers(values), interpolation="LINEAR")
        animation.samplers.append(sampler)
        target = gltf.AnimationChannelTarget(node=node, path=path)
        animation.channels.append(gltf.AnimationChannel(sampler=len(animation.samplers) - 1, target=target))

    def write(self, path: Path) -> None:
        """Write it, whole or not at all."""
        self.document.buffers.append(gltf.Buffer(byteLength=len(self._bytes)))
        self.document.set_binary_blob(bytes(self._bytes))
        if not self.document.animations[0].channels:
            self.document.animations = []
        write_whole(path, lambda file: file.write(b"".join(self.document.save_to_bytes())))


def linear(color: ArrayLike) -> FloatArray:
    """Colours of a screen (sRGB, IEC 61966-2-1) as amounts of light, which glTF wants."""
    c = np.asarray(color, float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
