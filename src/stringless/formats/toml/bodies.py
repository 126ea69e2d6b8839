"""Bodies, joints, shapes and loops of our scene file.

```toml
[[loop]]
name = "left grip"
kind = "hinge"                    # point, hinge (about the z axes of both places) or weld
body_a = "left_hand"
body_b = "bar"                    # left out: the ground

[loop.place_a]                    # of the end on body_a, in its frame; left out: its origin
position = [0.0, -0.08, 0.0]

[loop.place_b]                    # of the other end, in the frame of body_b or in the world
position = [0.0, 0.0, -0.2]
```
"""

import dataclasses
import math
from pathlib import Path
from typing import cast

from stringless.errors import InputError
from stringless.formats.input.frames import from_euler
from stringless.formats.meshes.files import load_mesh
from stringless.formats.toml.tables import Table
from stringless.model.joints import JOINT_TYPES, find_joint
from stringless.model.loops import LoopSpec
from stringless.model.pose import Pose, Vector
from stringless.model.shapes import SIZE_NAMES, Shape, ShapeKind, ShapePurpose
from stringless.model.solids import Solid, combine, has_volume, shape_solid
from stringless.model.spec import BodySpec, JointSpec, is_loose

PURPOSES = ("both", "collision", "visual")
COORDINATE_KEYS = ("lower", "upper", "stiffness", "damping", "armature", "rest", "effort", "speed")
SIZE_KEYS: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("half_size", 3),),
    "sphere": (("radius", 1),),
    "capsule": (("radius", 1), ("half_length", 1)),
    "cylinder": (("radius", 1), ("half_length", 1)),
    "ellipsoid": (("radii", 3),),
    "plane": (),
    "mesh": (("scale", 3),),
}
"""How a shape's size is written: keys and how many numbers each has."""


def read_body(table: Table) -> BodySpec:
    """Read one `[[body]]`."""
    name = table.text("name")
    if not name:
        table.error("no name", 'a line name = "..."')
    shapes = tuple(shape for part in table.tables("shape") if (shape := read_shape(part)) is not None)
    spec = BodySpec(
        name=name,
        parent=table.text("parent"),
        joint=_read_joint(table.table("joint")),
        place=read_place(table),
        trust_inertia=table.flag("trust_inertia", False),
        shapes=shapes,
        frame=read_frame(table.table("frame")),
        **vars(_read_mass(table, shapes)),
    )
    table.report_unknown()
    return spec


def read_place(table: Table) -> Pose:
    """Read `position` and `rotation`, a quaternion, or `rotation_degrees`, turns about the fixed x, y and z."""
    position = table.vector("position", 3, (0.0, 0.0, 0.0))
    rotation = table.vector("rotation", 4, (0.0, 0.0, 0.0, 1.0))
    angles = table.vector("rotation_degrees", 3, ())
    if "rotation" in table and "rotation_degrees" in table:
        table.error("rotation and rotation_degrees", "one of the two")
    elif angles:
        rotation = from_euler(tuple(math.radians(angle) for angle in angles), "XYZ")
    return Pose(position, rotation)


def read_frame(table: Table) -> Pose:
    """Read a table that holds a place and nothing else."""
    place = read_place(table)
    table.report_unknown()
    return place


def _read_joint(table: Table) -> JointSpec:
    find_joint(table.text("kind", "fixed"))  # of another package, perhaps
    kind = table.choice("kind", tuple(JOINT_TYPES), "fixed")
    values = {key: table.one_or_more(key) for key in COORDINATE_KEYS}
    joint = JointSpec(
        kind=kind,
        name=table.text("name"),
        axes=_read_axes(table),
        actuated=table.flag("actuated", not is_loose(kind)),
        **values,
    )
    table.report_unknown()
    return joint


def _read_axes(table: Table) -> tuple[Vector, ...]:
    """Read `axis`, one direction, or `axes`, a list of them."""
    axis = table.vector("axis", 3, ())
    axes = table.nested("axes")
    if axis and axes:
        table.error("axis and axes", "one of the two")
    return (axis,) if axis else axes


def _read_mass(table: Table, shapes: tuple[Shape, ...]) -> Solid:
    """Mass, centre of mass and inertia: as written, or from the shapes where they are left out."""
    center = table.vector("center_of_mass", 3, (0.0, 0.0, 0.0))
    inertia = table.vector("inertia", 6, (0.0,) * 6)
    mass, density = table.number("mass", 0.0), table.number("density", 0.0)
    if "mass" in table and "density" in table:
        table.error("mass and density", "one of the two")
    written = "inertia" in table or "center_of_mass" in table
    if "density" in table and (written or not shapes):
        table.error("a density", "one only with shapes, and without inertia or center_of_mass")
    elif (mass > 0 or density > 0) and shapes and not written:
        return _from_shapes(table, shapes, mass, density)
    return Solid(mass, center, inertia)


def _from_shapes(table: Table, shapes: tuple[Shape, ...], mass: float, density: float) -> Solid:
    solids = [shape for shape in shapes if shape.kind != "plane"]
    touching = [shape for shape in solids if shape.purpose != "visual"]
    try:
        parts = [_solid(shape, density or 1.0, table.folder) for shape in touching or solids]
    except InputError as error:
        table.error(str(error), "shapes with a volume", "Write center_of_mass and inertia out.")
        return Solid(mass)
    if not parts:
        return Solid(mass)
    whole = combine(parts)
    return whole.scaled(mass) if mass and whole.mass else whole


def _solid(shape: Shape, density: float, folder: Path | None) -> Solid:
    if not has_volume(shape):
        return Solid()  # reported with the shape
    if shape.kind != "mesh":
        return shape_solid(shape, density=density)
    return shape_solid(shape, density=density, mesh=load_mesh(shape.mesh, folder))


def read_shape(table: Table) -> Shape | None:
    """Read one shape of a body or of the world; none if it has no kind that is known."""
    if "kind" not in table:
        table.error("no kind", "a line kind = ... with " + ", ".join(f'"{k}"' for k in SIZE_NAMES))
        return None
    kind = table.choice("kind", tuple(SIZE_NAMES), "")
    if not kind:
        return None
    size: list[float] = []
    for key, count in SIZE_KEYS[kind]:
        default = (1.0,) * count
        if key not in table and kind != "mesh":
            table.error(f"no {key}", f"a line {key} = ... for a {kind} [m]")
        size.extend(table.vector(key, count, default) if count > 1 else (table.number(key, 1.0),))
    shape = Shape(
        kind=cast("ShapeKind", kind),
        size=tuple(size),
        place=read_place(table),
        purpose=cast("ShapePurpose", table.choice("purpose", PURPOSES, "both")),
        name=table.text("name"),
        mesh=table.text("file") if kind == "mesh" else "",
        color=table.vector("color", 4, ()),
    )
    table.report_unknown()
    return _with_surface(shape, table.folder) if kind == "mesh" and shape.purpose != "visual" else shape


def _with_surface(shape: Shape, folder: Path | None) -> Shape:
    """The shape with the triangles that contact needs, where their file can be read; contact says so where it cannot."""
    try:
        return dataclasses.replace(shape, surface=load_mesh(shape.mesh, folder))
    except InputError:
        return shape


def read_loop(table: Table) -> LoopSpec:
    """Read one loop; the builder checks its names."""
    loop = LoopSpec(
        table.text("name"),
        table.text("kind"),
        table.text("body_a"),
        table.text("body_b"),
        read_frame(table.table("place_a")),
        read_frame(table.table("place_b")),
    )
    table.report_unknown()
    return loop
