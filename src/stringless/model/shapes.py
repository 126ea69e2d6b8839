"""Shapes a body is made of: for mass, for contact and for drawing."""

from dataclasses import dataclass, field
from typing import Literal

from stringless.model.pose import Pose, Vector
from stringless.spatial.arrays import FloatArray, IntArray

ShapeKind = Literal["box", "sphere", "capsule", "cylinder", "ellipsoid", "plane", "mesh"]
ShapePurpose = Literal["collision", "visual", "both"]

SIZE_NAMES: dict[str, tuple[str, ...]] = {
    "box": ("half x", "half y", "half z"),
    "sphere": ("radius",),
    "capsule": ("radius", "half length"),
    "cylinder": ("radius", "half length"),
    "ellipsoid": ("radius x", "radius y", "radius z"),
    "plane": (),
    "mesh": ("scale x", "scale y", "scale z"),
}
"""What the numbers of `size` mean [m]; capsules and cylinders lie along their own z axis, a plane faces its +z."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A solid fixed to a body, or to the world."""

    kind: ShapeKind
    size: Vector = ()
    """Meaning by kind, see `SIZE_NAMES` [m]."""
    place: Pose = field(default_factory=Pose)
    """Where the shape sits in its body."""
    purpose: ShapePurpose = "both"
    name: str = ""
    mesh: str = ""
    """Path of the mesh file, for kind `mesh`, as the source file wrote it."""
    surface: tuple[FloatArray, IntArray] | None = field(default=None, compare=False, repr=False)
    """Vertices (n, 3) [m] before scaling and triangles (m, 3) of a mesh, where they are known: contact needs them."""
    color: Vector = ()
    """Red, green, blue, alpha from 0 to 1; empty for the default."""
