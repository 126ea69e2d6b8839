"""What `compiler` and `option` say about the whole file: units of angles, how turns are written, gravity."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stringless.formats.input.findings import PHYSICS, Findings
from stringless.formats.input.frames import about_axis, from_euler, from_z_axis, unit
from stringless.formats.input.xmltree import Attributes, Element
from stringless.formats.mjcf.defaults import ORIENTATIONS
from stringless.model.pose import Pose, Vector, quaternion_from_matrix

PHYSICS_OPTIONS = frozenset({"wind", "magnetic", "density", "viscosity"})
KEPT_APART = {
    "fusestatic": "Static bodies stay bodies of their own; the motion is the same.",
    "discardvisual": "Visual geoms are kept.",
    "alignfree": "The frame of a free body stays the file's own.",
}
"""Settings of the compiler that would reshape the model, and what happens instead."""
IDENTITY: Vector = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Compiler:
    """How the numbers of the file are to be understood."""

    degrees: bool = True
    euler: str = "xyz"
    autolimits: bool = True
    inertia_from_geom: str = "auto"
    """`auto`: where a body has no inertial; `true`: always; `false`: never."""
    inertia_groups: Vector = (0.0, 5.0)
    """Geom groups that have mass."""
    bound_mass: float = 0.0
    """Least mass of a body [kg]."""
    bound_inertia: float = 0.0
    """Least principal moment of inertia of a body [kg·m²]."""
    balance_inertia: bool = False
    total_mass: float = -1.0
    """Scale all masses to this sum, if positive [kg]."""
    mesh_folder: str = ""
    strip_path: bool = False


def merged(elements: Sequence[Element]) -> Attributes:
    """Attributes of several elements of one kind; the last one wins, as if they were one."""
    values = {key: value for element in elements for key, value in element.attrib.items()}
    if not elements:
        return Attributes(values, "file", Findings())
    return Attributes(values, elements[-1].label, elements[-1].findings, place=elements[-1].place)


def read_compiler(elements: Sequence[Element]) -> Compiler:
    """Read all `compiler` elements."""
    attributes = merged(elements)
    if attributes.text("coordinate", "local") != "local":
        remedy = "Convert the file: MuJoCo 2.2 and older save it with local coordinates."
        attributes.error("coordinate 'global'", "'local'", remedy)
    for key, consequence in KEPT_APART.items():
        if attributes.flag(key, False):
            attributes.findings.unused(f"compiler setting '{key}'", attributes.place, consequence)
    euler = attributes.text("eulerseq", "xyz")
    if len(euler) != 3 or not set(euler.lower()) <= set("xyz"):
        attributes.error(f"eulerseq '{euler}'", "three of the letters x, y, z, X, Y, Z")
        euler = "xyz"
    assets = attributes.text("assetdir")
    attributes.ignore("texturedir", "saveinertial", "usethread")
    compiler = Compiler(
        degrees=attributes.choice("angle", ("degree", "radian"), "degree") == "degree",
        euler=euler,
        autolimits=attributes.flag("autolimits", True),
        inertia_from_geom=attributes.choice("inertiafromgeom", ("auto", "true", "false"), "auto"),
        inertia_groups=attributes.numbers("inertiagrouprange", 2, (0.0, 5.0)),
        bound_mass=attributes.number("boundmass", 0.0),
        bound_inertia=attributes.number("boundinertia", 0.0),
        balance_inertia=attributes.flag("balanceinertia", False),
        total_mass=attributes.number("settotalmass", -1.0),
        mesh_folder=attributes.text("meshdir") or assets,
        strip_path=attributes.flag("strippath", False),
    )
    attributes.report_unread("compiler")
    _report_children(elements, ())
    return compiler


def read_gravity(elements: Sequence[Element]) -> Vector:
    """Gravity of all `option` elements, along the file's axes [m/s²]."""
    attributes = merged(elements)
    gravity = attributes.numbers("gravity", 3, (0.0, 0.0, -9.81))
    attributes.report_unread("option", PHYSICS_OPTIONS)
    flags = merged([flag for option in elements for flag in option.findall("flag")])
    if flags.choice("gravity", ("enable", "disable"), "enable") == "disable":
        gravity = (0.0, 0.0, 0.0)
    flags.report_unread("flag", set(flags.values))
    _report_children(elements, ("flag",))
    return gravity


def _report_children(elements: Iterable[Element], known: tuple[str, ...]) -> None:
    for element in elements:
        for child in element:
            if child.tag not in known:
                child.findings.unused(f"element '{child.tag}' of '{element.tag}'", child.place, PHYSICS)


def read_place(attributes: Attributes, compiler: Compiler) -> Pose:
    """Position and orientation of an element in its parent."""
    position = attributes.numbers("pos", 3, (0.0, 0.0, 0.0))
    given = [key for key in ORIENTATIONS if key in attributes]
    if len(given) > 1:
        attributes.error(" and ".join(given), "one way to give the orientation")
    if not given:
        return Pose(position)
    return Pose(position, _orientation(attributes, given[0], compiler))


def _orientation(attributes: Attributes, key: str, compiler: Compiler) -> Vector:
    """Quaternion x, y, z, w of the attribute `key`."""
    scale = math.pi / 180 if compiler.degrees else 1.0
    if key == "quat":
        return read_quaternion(attributes, key)
    if key == "axisangle":
        *axis, angle = attributes.numbers(key, 4, (0.0, 0.0, 1.0, 0.0))
        return about_axis(_direction(attributes, key, tuple(axis)), angle * scale)
    if key == "euler":
        angles = attributes.numbers(key, 3, (0.0, 0.0, 0.0))
        return from_euler(tuple(angle * scale for angle in angles), compiler.euler)
    if key == "zaxis":
        return from_z_axis(_direction(attributes, key, attributes.numbers(key, 3, (0.0, 0.0, 1.0))))
    values = attributes.numbers(key, 6, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
    return _from_xy_axes(attributes, values)


def read_quaternion(attributes: Attributes, key: str) -> Vector:
    """Read w, x, y, z of any length as a unit quaternion x, y, z, w."""
    w, x, y, z = attributes.numbers(key, 4, (1.0, 0.0, 0.0, 0.0))
    q = (x, y, z, w)
    if not any(q):
        attributes.error(f"{key} of length 0", "a quaternion w, x, y, z")
        return IDENTITY
    # A quaternion of unit length to the last digits keeps the digits of the file.
    return q if abs(math.hypot(*q) - 1) < 1e-15 else unit(q)


def _direction(attributes: Attributes, key: str, axis: Vector) -> Vector:
    if not any(axis):
        attributes.error(f"{key} with a direction of length 0", "a direction")
        return (0.0, 0.0, 1.0)
    return axis


def _from_xy_axes(attributes: Attributes, values: Vector) -> Vector:
    """Two axes, the second made perpendicular to the first."""
    x, y = np.array(values[:3]), np.array(values[3:])
    length = float(np.linalg.norm(x))
    if length > 0:
        x = x / length
        y = y - (x @ y) * x
    if length == 0 or np.linalg.norm(y) < 1e-9:
        attributes.error("xyaxes that span no plane", "two different directions")
        return IDENTITY
    y = y / np.linalg.norm(y)
    return tuple(float(value) for value in quaternion_from_matrix(np.column_stack([x, y, np.cross(x, y)])))
