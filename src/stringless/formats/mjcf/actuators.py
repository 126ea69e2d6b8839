"""Actuators: which joints the character can drive, and how strongly. How they are controlled is not taken over."""

import dataclasses
import math
from collections.abc import Iterable

from stringless.formats.input.findings import PHYSICS
from stringless.formats.input.xmltree import Attributes, Element
from stringless.formats.mjcf.defaults import ACTUATORS, Defaults
from stringless.formats.mjcf.joints import LIMITED, symmetric
from stringless.model.checks import suggest
from stringless.model.joints import JOINT_TYPES
from stringless.model.spec import BodySpec

OTHER_TARGETS = ("tendon", "site", "body", "cranksite", "slidersite", "refsite")
JOINT_CHANGES = frozenset({"armature", "damping", "delay"})


def drive_joints(elements: Iterable[Element], specs: list[BodySpec], defaults: Defaults) -> None:
    """Set efforts and passive joints of `specs` from all actuators.

    A file with actuators leaves the joints without one passive. If an actuator pulls on anything but a joint, which
    joints it moves cannot be told, so that all stay driven.
    """
    reader = _Reader({spec.joint.name: spec for spec in specs}, defaults)
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


class _Reader:
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
