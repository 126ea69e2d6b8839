"""Joints: MJCF writes where a joint's anchor and axis are in the body that it moves.

Actuators say which joints the character can drive, and how strongly. How they are controlled is not taken over.
"""

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass

from stringless.formats.input.findings import PHYSICS
from stringless.formats.input.frames import about_axis, unit
from stringless.formats.input.xmltree import Attributes, Element
from stringless.formats.mjcf.defaults import ACTUATORS, Defaults
from stringless.formats.mjcf.settings import Compiler
from stringless.model.checks import suggest
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Pose, Vector
from stringless.model.spec import BodySpec, JointSpec

KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "free"}
LIMITED = ("true", "false", "auto")
NOT_SIMULATED = (
    *("frictionloss", "springdamper", "springyield", "margin", "actuatorgravcomp"),
    *("solreflimit", "solimplimit", "solreffriction", "solimpfriction"),
)
OTHER_TARGETS = ("tendon", "site", "body", "cranksite", "slidersite", "refsite")
JOINT_CHANGES = frozenset({"armature", "damping", "delay"})


@dataclass(frozen=True)
class FileJoint:
    """A joint as the file gives it."""

    spec: JointSpec
    anchor: Vector = (0.0, 0.0, 0.0)
    """In the file's body frame [m]."""
    ref: float = 0.0
    """Coordinate in the pose in which the file draws the body [rad or m]."""

    @property
    def back(self) -> Pose:
        """Motion of the joint from its coordinate `ref` to zero."""
        if self.ref == 0:
            return Pose()
        (axis,) = self.spec.axes
        if self.spec.kind == "revolute":
            return Pose(rotation=about_axis(axis, -self.ref))
        return Pose(tuple(-self.ref * x for x in unit(axis)))


def read_joint(element: Element, inherited: str, frame: Pose, compiler: Compiler, defaults: Defaults) -> FileJoint:
    """Read one joint that sits in `frame`."""
    if element.tag == "freejoint":
        element.attributes.ignore("name", "group", "align")
        return FileJoint(JointSpec(kind="free", name=element.get("name")))
    attributes = defaults.attributes(element, inherited)
    kind = attributes.choice("type", KINDS, "hinge")
    anchor = attributes.numbers("pos", 3, (0.0, 0.0, 0.0))
    axis = attributes.numbers("axis", 3, (0.0, 0.0, 1.0))
    if frame != Pose():
        anchor, axis = frame.apply(anchor), Pose(rotation=frame.rotation).apply(axis)
    scale = math.pi / 180 if compiler.degrees and kind in ("hinge", "ball") else 1.0
    ref = scale * attributes.number("ref", 0.0)
    slack = scale * attributes.number("springref", 0.0)
    lower, upper = _range(attributes, kind, scale, compiler)
    single = kind in ("hinge", "slide")
    spec = JointSpec(
        kind=KINDS[kind],
        name=element.get("name", ""),
        axes=(axis,) if single else (),
        lower=lower,
        upper=upper,
        stiffness=_coefficient(attributes, "stiffness"),
        damping=_coefficient(attributes, "damping"),
        armature=_if_any(attributes.number("armature", 0.0)),
        rest=(slack,) if single and slack else (),
        effort=_effort(attributes, kind),
    )
    attributes.ignore("group", "user")
    _report(attributes)
    if kind == "free":
        if spec.stiffness:
            attributes.findings.unused("a spring on a free joint", f"joint '{spec.name}'", PHYSICS)
        return FileJoint(JointSpec(kind="free", name=spec.name, damping=spec.damping, armature=spec.armature))
    return FileJoint(spec, anchor, ref if single else 0.0)


def _report(attributes: Attributes) -> None:
    for key in ("frictionloss", "springdamper", "margin"):
        if key in attributes and not any(attributes.numbers(key, 2, (0.0,), least=1)):
            attributes.ignore(key)
        elif key in attributes:
            attributes.unused(f"attribute '{key}' of 'joint'", PHYSICS)
    attributes.report_unread("joint", NOT_SIMULATED)


def _coefficient(attributes: Attributes, key: str) -> Vector:
    """The linear coefficient of a spring or damper; MuJoCo knows higher ones too."""
    values = attributes.numbers(key, 3, (0.0,), least=1)
    if any(values[1:]):
        attributes.unused(f"nonlinear {key} of a joint", PHYSICS)
    return _if_any(values[0])


def _range(attributes: Attributes, kind: str, scale: float, compiler: Compiler) -> tuple[Vector, Vector]:
    limited = attributes.choice("limited", LIMITED, "auto")
    low, high = attributes.numbers("range", 2, (0.0, 0.0), infinite=True)
    if kind == "free":
        return (), ()
    unit = "m" if kind == "slide" else "degrees" if compiler.degrees else "rad"
    shown = f"range from {low:g} to {high:g} {unit}"
    if limited == "auto":
        if "range" in attributes and not compiler.autolimits:
            remedy = 'Write limited="true" or "false", or set autolimits="true" in the compiler element.'
            attributes.error("a range without limited, and autolimits off", "both", remedy)
        if low > high:
            remedy = "The joint is taken as unlimited, as MuJoCo does. Exchange the two numbers."
            attributes.warn(shown, "lower <= upper", remedy)
        limited = "true" if low < high else "false"
    if limited == "false":
        return (), ()
    if kind == "ball":
        if low != 0:
            attributes.error(f"{shown} of a ball joint", "one that starts at 0")
        return (), (math.inf, math.inf, scale * high)
    if low > high:
        attributes.error(shown, "lower <= upper", "Exchange or correct the two.")
        return (), ()
    return (scale * low,), (scale * high,)


def _effort(attributes: Attributes, kind: str) -> Vector:
    limited = attributes.choice("actuatorfrclimited", LIMITED, "auto")
    low, high = attributes.numbers("actuatorfrcrange", 2, (0.0, 0.0), infinite=True)
    if limited == "false" or low >= high or kind == "free":
        return ()
    return (symmetric(low, high, attributes),)


def symmetric(low: float, high: float, attributes: Attributes) -> float:
    """Largest size of an effort between two bounds; ours are the same in both directions."""
    if low != -high:
        remedy = "The larger of the two bounds is used for both directions."
        attributes.unused("an effort range that differs by direction", remedy, expected="a symmetric range")
    return max(abs(low), abs(high))


def chain_problem(joints: list[FileJoint]) -> str:
    """What is wrong with several joints on one body, if anything; MuJoCo refuses the same."""
    kinds = [joint.spec.kind for joint in joints]
    if "free" in kinds and len(kinds) > 1:
        return "a free joint beside other joints"
    if sum(JOINT_TYPES[kind].nv for kind in kinds) > 6:
        return "more than 6 degrees of freedom"
    if "ball" in kinds and any(kind in ("ball", "revolute") for kind in kinds[kinds.index("ball") + 1 :]):
        return "a ball joint followed by another turning joint"
    return ""


def _if_any(value: float) -> Vector:
    return (value,) if value else ()


def drive_joints(elements: Iterable[Element], specs: list[BodySpec], defaults: Defaults) -> None:
    """Set efforts and passive joints of `specs` from all actuators.

    A file with actuators leaves the joints without one passive. If an actuator pulls on anything but a joint, which
    joints it moves cannot be told, so that all stay driven.
    """
    reader = _Actuators({spec.joint.name: spec for spec in specs}, defaults)
    for element in (child for section in elements for child in section):
        reader.read(element)
    if not reader.seen:
        return
    for index, spec in enumerate(specs):
        nv = JOINT_TYPES[spec.joint.kind].nv
        joint = spec.joint
        if spec.joint.name in reader.efforts:
            effort = min(reader.efforts[joint.name], *(joint.effort or (math.inf,)))
            joint = dataclasses.replace(joint, effort=(effort,) if math.isfinite(effort) else ())
        elif nv and not reader.elsewhere:
            joint = dataclasses.replace(joint, actuated=False)
        specs[index] = dataclasses.replace(spec, joint=joint)


class _Actuators:
    """Efforts of joints by name, as far as actuators have been read."""

    def __init__(self, bodies: dict[str, BodySpec], defaults: Defaults) -> None:
        self._bodies, self._defaults = bodies, defaults
        self.efforts: dict[str, float] = {}
        self.seen = self.elsewhere = False

    def read(self, element: Element) -> None:
        """Add one actuator to the efforts."""
        self.seen = True
        if element.tag not in ACTUATORS:
            self.elsewhere = True
            element.unused(f"actuator '{element.tag}'", PHYSICS, expected="a motor of a joint")
            return
        attributes = self._defaults.attributes(element)
        targets = [key for key in OTHER_TARGETS if key in element.attrib]
        name = attributes.text("joint") or attributes.text("jointinparent")
        if targets or not name:
            self.elsewhere = True
            what = f"an actuator on a {targets[0] if targets else 'nothing'}"
            element.unused(what, PHYSICS, expected="an actuator on a joint")
            return
        if name not in self._bodies:
            element.error(f"joint '{name}'", "a joint", suggest(name, self._bodies))
            return
        kind = self._bodies[name].joint.kind
        if kind == "free":
            remedy = "It is left out: a character moves by its joints, and nothing outside it pulls."
            element.unused("an actuator on a free joint", remedy, expected="a joint inside")
            return
        self.efforts[name] = self.efforts.get(name, 0.0) + self._effort(element, attributes, kind)
        self._report(element, attributes)

    def _effort(self, element: Element, attributes: Attributes, kind: str) -> float:
        """Largest force or torque on the joint; infinite if the file sets none [N or N·m]."""
        gear = attributes.numbers("gear", 6, (1.0,), least=1)
        if kind == "ball":
            element.unused("an actuator on a ball joint", "The whole joint is driven, without a limit of effort.")
            return math.inf
        force = self._bound(attributes, "force")
        if element.tag == "motor":
            force = min(force, self._bound(attributes, "ctrl"))
        return abs(gear[0]) * force if math.isfinite(force) else math.inf

    def _bound(self, attributes: Attributes, what: str) -> float:
        limited = attributes.choice(f"{what}limited", LIMITED, "auto")
        low, high = attributes.numbers(f"{what}range", 2, (0.0, 0.0), infinite=True)
        if limited == "false" or low >= high:
            return math.inf
        return symmetric(low, high, attributes)

    def _report(self, element: Element, attributes: Attributes) -> None:
        for key in JOINT_CHANGES:
            if key in attributes:
                element.unused(f"attribute '{key}' of an actuator", PHYSICS)
        if element.tag != "motor":
            remedy = "The joint can be driven; how, is the director's business."
            element.unused(f"control law of a '{element.tag}' actuator", remedy)
