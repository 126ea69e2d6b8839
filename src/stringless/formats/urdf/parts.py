"""Links and joints of a URDF file, one at a time."""

import dataclasses
from dataclasses import dataclass, field

from stringless.formats.input.findings import HARMLESS, PHYSICS
from stringless.formats.input.frames import composed, from_euler, from_z_axis, unit
from stringless.formats.input.xmltree import Attributes, Element
from stringless.model.pose import Pose, Vector
from stringless.model.shapes import Shape, ShapePurpose
from stringless.model.solids import turn_inertia
from stringless.model.spec import BodySpec, JointSpec

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
LINK_PARTS = ("inertial", "visual", "collision")
JOINT_PARTS = ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic")


@dataclass(frozen=True)
class UrdfJoint:
    """A joint and the two links it connects."""

    child: str
    parent: str
    spec: JointSpec
    place: Pose
    """Of the joint in the parent link."""
    turn: Pose = field(default_factory=Pose)
    """Further turn that brings our joint axes where the kind wants them (a planar joint's z along its normal)."""
    element: Element = field(default_factory=lambda: Element(""))
    """That it was read from."""


class RobotParts:
    """Reads links and joints; knows the materials they refer to."""

    def __init__(self, root: Element) -> None:
        """Collect the materials of `root`, wherever they are defined."""
        self._colors: dict[str, Vector] = {}
        for material in root.walk("material"):
            color = self._own_color(material)
            if color:
                self._colors.setdefault(material.get("name", ""), color)

    def _attributes(self, owner: Element, part: Element) -> Attributes:
        where = f"{part.tag} of {owner.tag} '{owner.get('name', '')}' ({part.place})"
        return Attributes(part.attrib, where, part.findings, place=part.place)

    def _report_parts(self, element: Element, known: tuple[str, ...]) -> None:
        for part in element:
            if part.tag not in known:
                element.unused(f"element '{part.tag}' of a {element.tag}", HARMLESS)

    def _origin(self, owner: Element, element: Element) -> Pose:
        part = element.find("origin")
        if part is None:
            return Pose()
        attributes = self._attributes(owner, part)
        position = attributes.numbers("xyz", 3, (0.0, 0.0, 0.0))
        angles = attributes.numbers("rpy", 3, (0.0, 0.0, 0.0))
        rotation = from_euler(angles, "XYZ") if any(angles) else (0.0, 0.0, 0.0, 1.0)
        if "quat_xyzw" in attributes:
            rotation = unit(attributes.numbers("quat_xyzw", 4, (0.0, 0.0, 0.0, 1.0)))
        attributes.report_unread("origin")
        return Pose(position, rotation)

    # --- joints ---

    def read_joint(self, element: Element) -> UrdfJoint:
        """Read one joint; what it must name and does not is an error, and empty."""
        attributes = element.attributes
        name = attributes.required("name")
        kind = attributes.choice("type", KINDS, "fixed") if attributes.required("type") else "fixed"
        attributes.report_unread("joint")
        parent, child = self._linked(element, "parent"), self._linked(element, "child")
        axis = self._axis(element)
        lower, upper, effort, speed = self._limits(element, kind)
        spec = JointSpec(
            kind=KINDS[kind],
            name=name,
            axes=(axis,) if KINDS[kind] in ("revolute", "prismatic") else (),
            lower=lower,
            upper=upper,
            effort=effort,
            speed=speed,
            damping=self._damping(element, kind),
            actuated=kind != "floating",
        )
        if element.find("mimic") is not None:
            remedy = "The joint is left free to move on its own, so the motion will differ from the file's."
            element.unused("a joint that mimics another", remedy, expected="independent joints")
        self._report_parts(element, JOINT_PARTS)
        turn = Pose(rotation=from_z_axis(axis)) if kind == "planar" and axis != (0.0, 0.0, 1.0) else Pose()
        return UrdfJoint(child, parent, spec, self._origin(element, element), turn, element)

    def _linked(self, joint: Element, role: str) -> str:
        part = joint.find(role)
        if part is None:
            joint.error(f"no {role}", f'an element <{role} link="..."/>')
            return ""
        return self._attributes(joint, part).required("link")

    def _axis(self, joint: Element) -> Vector:
        part = joint.find("axis")
        if part is None:
            return (1.0, 0.0, 0.0)
        axis = self._attributes(joint, part).numbers("xyz", 3, (1.0, 0.0, 0.0))
        if joint.get("type") == "planar" and not any(axis):
            joint.error("axis 0 0 0", "a direction, not zero", "Give the normal of the plane.")
        return axis

    def _limits(self, joint: Element, kind: str) -> tuple[Vector, Vector, Vector, Vector]:
        """Lower, upper, effort and speed; empty where there is no limit."""
        part = joint.find("limit")
        bounded = kind in ("revolute", "prismatic")
        if part is None or kind == "fixed":
            if bounded:
                remedy = "It is taken as unlimited. Add <limit lower=... upper=.../>, or make it continuous."
                joint.findings.warn(joint.label, "no limit", f"a limit, as every {kind} joint has", remedy)
            return (), (), (), ()
        attributes = self._attributes(joint, part)
        effort, speed = (self._bound(joint, attributes, key) for key in ("effort", "velocity"))
        lower, upper = (attributes.numbers(key, 1, (0.0,), infinite=True) for key in ("lower", "upper"))
        attributes.report_unread("limit")
        if not bounded:
            if kind == "continuous" and ("lower" in attributes or "upper" in attributes):
                remedy = "They are ignored, as the format says. Make the joint revolute if it is to have them."
                joint.findings.warn(joint.label, "limits of a continuous joint", "no lower and upper", remedy)
            return (), (), effort, speed
        if "lower" not in attributes and "upper" not in attributes:
            remedy = "By the format both are 0, so that the joint cannot move. Write them out."
            joint.findings.warn(joint.label, "a limit without lower and upper", "both", remedy)
        return lower, upper, effort, speed

    def _bound(self, joint: Element, attributes: Attributes, key: str) -> Vector:
        value = attributes.number(key, 0.0, infinite=True)
        if value > 0:
            return (value,)
        if key in attributes:
            what = f"{key} limit of 0 or less"
            joint.unused(what, "It is taken as no limit.", expected=f"a positive {key}")
        return ()

    def _damping(self, joint: Element, kind: str) -> Vector:
        part = joint.find("dynamics")
        if part is None:
            return ()
        attributes = self._attributes(joint, part)
        damping, friction = attributes.number("damping", 0.0), attributes.number("friction", 0.0)
        attributes.report_unread("dynamics", set(part.attrib))
        if kind == "fixed":
            return ()
        if friction:
            joint.unused("dry friction in a joint", PHYSICS, expected="viscous damping only")
        return (damping,) if damping else ()

    # --- links ---

    def read_link(self, element: Element, joint: UrdfJoint, parent_frame: Pose) -> BodySpec:
        """Read one link as the body that `joint` carries; `parent_frame` is the parent link's frame in its body."""
        mass, center, inertia = self._inertial(element)
        shapes = [
            shape
            for purpose in ("visual", "collision")
            for part in element.findall(purpose)
            if (shape := self._shape(element, part, purpose))
        ]
        self._report_parts(element, LINK_PARTS)
        frame = Pose()
        if joint.turn != Pose():
            frame = joint.turn.inverse()
            center, inertia = frame.apply(center), turn_inertia(inertia, frame.matrix)
            shapes = [dataclasses.replace(shape, place=frame @ shape.place) for shape in shapes]
        return BodySpec(
            name=element.get("name", ""),
            parent=joint.parent,
            joint=joint.spec,
            place=composed(composed(parent_frame, joint.place), joint.turn),
            mass=mass,
            center_of_mass=center,
            inertia=inertia,
            shapes=tuple(shapes),
            frame=frame,
        )

    def _inertial(self, link: Element) -> tuple[float, Vector, Vector]:
        """Mass [kg], centre of mass [m] and inertia about it along the link's axes [kg·m²]."""
        part = link.find("inertial")
        if part is None:
            return 0.0, (0.0, 0.0, 0.0), (0.0,) * 6
        mass = tensor = None
        if (element := part.find("mass")) is not None:
            mass = self._attributes(link, element).required_number("value")
        if (element := part.find("inertia")) is not None:
            attributes = self._attributes(link, element)
            moments = (attributes.required_number(key) for key in ("ixx", "iyy", "izz"))
            tensor = (*moments, *(attributes.number(key, 0.0) for key in ("ixy", "ixz", "iyz")))
        for name, value in (("mass", mass), ("inertia", tensor)):
            if value is None:
                link.findings.error(f"inertial of {link.label}", f"no {name}", f"an element <{name} .../>")
        origin = self._origin(link, part)
        tensor = tensor or (0.0,) * 6
        if origin.rotation != Pose().rotation:
            tensor = turn_inertia(tensor, origin.matrix)
        return mass or 0.0, origin.position, tensor

    def _shape(self, link: Element, part: Element, purpose: ShapePurpose) -> Shape | None:
        geometry = part.find("geometry")
        solid = next(iter(geometry), None) if geometry is not None else None
        attributes = self._attributes(link, part)
        if solid is None:
            attributes.error("no geometry", "<geometry> with a box, sphere, cylinder, capsule or mesh")
            return None
        shape = self._solid(link, solid, attributes)
        if shape is None:
            return None
        color = self._color(part.find("material"), attributes)
        place = self._origin(link, part)
        return dataclasses.replace(shape, place=place, purpose=purpose, name=part.get("name", ""), color=color)

    def _solid(self, link: Element, solid: Element, owner: Attributes) -> Shape | None:
        attributes = self._attributes(link, solid)
        if solid.tag == "box":
            x, y, z = attributes.numbers("size", 3, (0.0, 0.0, 0.0))
            return Shape(kind="box", size=(x / 2, y / 2, z / 2))
        if solid.tag == "sphere":
            return Shape(kind="sphere", size=attributes.numbers("radius", 1, (0.0,)))
        if solid.tag in ("cylinder", "capsule"):
            size = (attributes.number("radius", 0.0), attributes.number("length", 0.0) / 2)
            return Shape(kind=solid.tag, size=size)
        if solid.tag == "mesh":
            file, scale = attributes.required("filename"), attributes.numbers("scale", 3, (1.0, 1.0, 1.0))
            return Shape(kind="mesh", size=scale, mesh=file) if file else None
        owner.error(f"geometry '{solid.tag}'", "box, sphere, cylinder, capsule or mesh")
        return None

    def _color(self, material: Element | None, owner: Attributes) -> Vector:
        if material is None:
            return ()
        if material.find("texture") is not None:
            material.findings.unused("texture of a material", material.place)
        color = self._own_color(material)
        if not color and material.get("name") and material.get("name") not in self._colors:
            owner.unused(f"material '{material.get('name')}' without a colour", "The default colour is used.")
        return color or self._colors.get(material.get("name", ""), ())

    def _own_color(self, material: Element) -> Vector:
        part = material.find("color")
        if part is None:
            return ()
        return self._attributes(material, part).numbers("rgba", 4, ())
