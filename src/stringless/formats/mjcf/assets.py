"""Meshes and materials that geoms refer to by name."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from stringless.errors import InputError
from stringless.formats.input.findings import PHYSICS
from stringless.formats.input.source import Source
from stringless.formats.input.xmltree import Attributes, Element
from stringless.formats.meshes.files import Triangles, load_mesh
from stringless.formats.mjcf.defaults import Defaults
from stringless.formats.mjcf.settings import IDENTITY, Compiler, read_quaternion
from stringless.model.pose import Pose, Vector

INLINE = ("vertex", "builtin")
SOLID_KINDS = ("convex", "exact", "legacy")


@dataclass(frozen=True)
class MeshAsset:
    """A mesh file and how it is to be placed."""

    file: str
    """Path from the folder of the main file; empty for a mesh that is written out in the file."""
    scale: Vector
    frame: Pose
    """Where the mesh file's own frame sits in the frame that geoms place."""
    solid: bool = True
    """False for a hollow shell."""


class Assets:
    """What the `asset` elements define."""

    def __init__(self, elements: Iterable[Element], compiler: Compiler, defaults: Defaults, source: Source) -> None:
        """Read meshes and materials; report the rest."""
        self.compiler, self.defaults, self._source = compiler, defaults, source
        self.meshes: dict[str, MeshAsset] = {}
        self.colors: dict[str, Vector] = {}
        self._triangles: dict[str, Triangles] = {}
        for element in (child for asset in elements for child in asset):
            if element.tag == "mesh":
                self._read_mesh(element)
            elif element.tag == "material":
                attributes = self.defaults.attributes(element)
                self.colors[element.get("name", "")] = attributes.numbers("rgba", 4, (1.0, 1.0, 1.0, 1.0))
                attributes.report_unread("material")
            else:
                remedy = PHYSICS if element.tag in ("hfield", "model") else "It is left out; only drawing needs it."
                element.unused(f"asset '{element.tag}'", remedy)

    def _read_mesh(self, element: Element) -> None:
        attributes = self.defaults.attributes(element)
        file = self._path(attributes.text("file"))
        name = element.get("name") or PurePosixPath(file).stem
        inline = [key for key in INLINE if key in attributes]
        if not file and not inline:
            element.error("no file", 'an attribute file="..."')
        scale = attributes.numbers("scale", 3, (1.0, 1.0, 1.0))
        position = attributes.numbers("refpos", 3, (0.0, 0.0, 0.0))
        rotation = read_quaternion(attributes, "refquat")
        if len(set(scale)) > 1 and rotation != IDENTITY:
            element.error("refquat with an uneven scale", "one of the two")
        solid = attributes.choice("inertia", (*SOLID_KINDS, "shell"), "convex") != "shell"
        attributes.ignore("vertex", "normal", "texcoord", "face", "builtin", "params", "maxhullvert", "smoothnormal")
        attributes.report_unread("mesh")
        # A vertex of the file goes to scale * Rᵀ (vertex - refpos).
        moved = tuple(s * p for s, p in zip(scale, position, strict=True))
        frame = Pose(moved, rotation).inverse() if any(moved) or rotation != IDENTITY else Pose()
        self.meshes[name] = MeshAsset(file, scale, frame, solid)

    def _path(self, file: str) -> str:
        """Path as seen from the main file's folder."""
        path = PurePosixPath(file.replace("\\", "/"))
        if self.compiler.strip_path and file:
            path = PurePosixPath(path.name)
        if not file or path.is_absolute():
            return file
        return str(PurePosixPath(self.compiler.mesh_folder.replace("\\", "/")) / path)

    def color(self, attributes: Attributes) -> Vector:
        """Colour of a geom: its own, or its material's; empty for the default."""
        material = attributes.text("material")
        own = attributes.numbers("rgba", 4, ())
        if material and material not in self.colors:
            attributes.error(f"material '{material}'", "a material of the file's assets")
        return own or self.colors.get(material, ())

    def triangles(self, mesh: MeshAsset) -> Triangles:
        """Vertices and triangles of a mesh file; read once.

        Raises:
            InputError: the file is missing or unreadable.
        """
        if not mesh.file:
            raise InputError("the mesh is written out in the file, which is not supported")
        if mesh.file not in self._triangles:
            self._triangles[mesh.file] = load_mesh(mesh.file, self._source.folder)
        return self._triangles[mesh.file]
