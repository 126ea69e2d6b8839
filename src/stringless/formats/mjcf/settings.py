"""What `compiler` and `option` say about the whole file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stringless.formats.input.findings import PHYSICS, Findings
from stringless.formats.input.xmltree import Attributes, Element
from stringless.model.pose import Vector

PHYSICS_OPTIONS = frozenset({"wind", "magnetic", "density", "viscosity"})
KEPT_APART = {
    "fusestatic": "Static bodies stay bodies of their own; the motion is the same.",
    "discardvisual": "Visual geoms are kept.",
    "alignfree": "The frame of a free body stays the file's own.",
}
"""Settings of the compiler that would reshape the model, and what happens instead."""


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
