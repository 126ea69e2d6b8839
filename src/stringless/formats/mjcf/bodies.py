"""The tree of bodies, from nested elements to a list of body descriptions.

Our body frame is the moving frame of its joint, so it sits at the joint's anchor; `BodySpec.frame` says where the
file's frame is. A body with several joints becomes a chain of bodies, of which only the last has mass and shapes.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from stringless.formats.input.assembly import free_name
from stringless.formats.input.findings import HARMLESS, PHYSICS
from stringless.formats.input.frames import composed
from stringless.formats.input.xmltree import Element
from stringless.formats.mjcf.assets import Assets
from stringless.formats.mjcf.geoms import Geom, body_solid, read_geom
from stringless.formats.mjcf.joints import FileJoint, chain_problem, read_joint
from stringless.formats.mjcf.settings import read_place
from stringless.model.checks import suggest
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Pose, Vector
from stringless.model.shapes import Shape
from stringless.model.solids import Solid
from stringless.model.spec import GROUND, BodySpec, JointSpec

LEFT_OUT = {"site": HARMLESS, "camera": HARMLESS, "light": HARMLESS, "plugin": PHYSICS}
GENERATED = ("composite", "flexcomp", "replicate", "attach")
"""Elements that stand for bodies which MuJoCo makes; leaving them out would leave out part of the model."""
KNOWN = ("body", "joint", "freejoint", "geom", "inertial", "frame", *LEFT_OUT, *GENERATED)
BODY_PHYSICS = frozenset({"gravcomp", "mocap"})


@dataclass
class _Content:
    """What stands in a body, frames resolved: elements with their default class and their frame."""

    joints: list[FileJoint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    bodies: list[tuple[Element, str, Pose]] = field(default_factory=list)
    inertial: tuple[Element, Pose] | None = None


@dataclass(frozen=True)
class _Waiting:
    """A body that is still to be read."""

    element: Element
    parent: str
    parent_frame: Pose
    """The parent's file frame in the parent's body frame; for a root, the file's world in ours."""
    place: Pose
    """Frame that the body element stands in, in the parent's file frame."""
    inherited: str


class BodyReader:
    """Reads the whole tree."""

    def __init__(self, assets: Assets) -> None:
        self._assets, self._compiler = assets, assets.compiler
        self.specs: list[BodySpec] = []
        self.starts: list[Vector] = []
        """Configuration of each joint in the pose that the file draws."""
        self.world_shapes: list[Shape] = []

    def read(self, worldbodies: Sequence[Element], world: Pose) -> None:
        """Read everything below the world; `world` is the pose of the file's world in ours."""
        self._taken = {name for top in worldbodies for body in top.walk("body") if (name := body.get("name"))}
        self._named: dict[str, Element] = {}
        waiting: list[_Waiting] = []
        for top in worldbodies:
            content = self._content(top, top.get("childclass", ""))
            if content.joints or content.inertial:
                top.error(f"{'a joint' if content.joints else 'an inertial'} in the world", "bodies and geoms")
            shapes = (geom.shape for geom in content.geoms)
            self.world_shapes.extend(dataclasses.replace(s, place=composed(world, s.place)) for s in shapes)
            waiting.extend(_Waiting(body, GROUND, world, place, cls) for body, cls, place in content.bodies)
        waiting.reverse()
        while waiting:
            waiting.extend(self._read_body(waiting.pop()))

    def _content(self, body: Element, inherited: str) -> _Content:
        content = _Content()
        for child, cls, frame in self._children(body, inherited):
            if child.tag == "body":
                content.bodies.append((child, cls, frame))
            elif child.tag in ("joint", "freejoint"):
                content.joints.append(read_joint(child, cls, frame, self._compiler, self._assets.defaults))
            elif child.tag == "geom":
                if geom := read_geom(child, cls, frame, self._assets):
                    content.geoms.append(geom)
            elif child.tag == "inertial":
                content.inertial = (child, frame)
            else:
                self._report(child)
        return content

    def _children(self, body: Element, inherited: str) -> Iterator[tuple[Element, str, Pose]]:
        """Children of a body and of the frames in it, in the order of the file."""
        waiting = [(child, inherited, Pose()) for child in reversed(body.children)]
        while waiting:
            child, cls, frame = waiting.pop()
            if child.tag != "frame":
                yield child, cls, frame
                continue
            attributes = child.attributes
            place = composed(frame, read_place(attributes, self._compiler))
            cls = attributes.text("childclass") or cls
            attributes.ignore("name")
            attributes.report_unread("frame")
            waiting.extend((below, cls, place) for below in reversed(child.children))

    def _report(self, element: Element) -> None:
        tag = element.tag
        if tag in LEFT_OUT:
            element.unused(f"element '{tag}'", LEFT_OUT[tag], expected="bodies, joints and geoms")
        elif tag in GENERATED:
            remedy = "Load the file in MuJoCo, save the compiled model as MJCF, and read that."
            element.error(f"'{tag}', from which MuJoCo makes bodies", "bodies", remedy)
        else:
            element.error(f"element '{tag}'", "an element of a body", suggest(tag, KNOWN))

    # --- one body ---

    def _read_body(self, waiting: _Waiting) -> list[_Waiting]:
        """Add one body and return those below it, the first last."""
        element = waiting.element
        attributes = element.attributes
        place = composed(waiting.place, read_place(attributes, self._compiler))
        inherited = attributes.text("childclass") or waiting.inherited
        attributes.ignore("name", "user", "simple", "fuse")
        attributes.report_unread("body", BODY_PHYSICS)
        name = self._name(element)
        content = self._content(element, inherited)
        problem = chain_problem(content.joints)
        if not problem and waiting.parent and any(joint.spec.kind == "free" for joint in content.joints):
            problem = "a free joint inside another body"
        if problem:
            element.error(problem, "joints that can be simulated")
            content.joints = content.joints[:1]
        solid = body_solid(content.inertial, content.geoms, self._assets)
        frame = self._add_chain(name, waiting, place, content, solid)
        return [_Waiting(body, name, frame, below, cls) for body, cls, below in reversed(content.bodies)]

    def _name(self, element: Element) -> str:
        """The body's name, or a new one if it has none or another's, which is an error."""
        name = element.get("name")
        if name and name not in self._named:
            self._named[name] = element
            return name
        if name:
            found = f"a name that {self._named[name].place} has"
            element.error(found, "one body of each name", "Rename one of them.")
            name = free_name(f"{name} ({element.place})", self._taken)
        else:
            name = free_name("body1", self._taken, "body")
        self._taken.add(name)
        return name

    def _add_chain(self, name: str, waiting: _Waiting, place: Pose, content: _Content, solid: Solid) -> Pose:
        """Add the body, and one before it for each further joint; return the file's frame in the last one."""
        parent, at = waiting.parent, composed(waiting.parent_frame, place)
        frame, spec = Pose(), JointSpec()
        for number, joint in enumerate(content.joints):
            if number > 0:
                between = f"{name}:{spec.name}"
                self.specs.append(BodySpec(name=between, parent=parent, joint=spec, place=at, frame=frame))
                parent, at = between, frame
            spec = joint.spec
            if not spec.name and len(content.joints) > 1:
                spec = dataclasses.replace(spec, name=f"{name}:{spec.kind}{number + 1}")
            if spec.kind == "free":  # its coordinates are the body's pose in the file's world
                at = waiting.parent_frame
            self.starts.append(_start(joint, place))
            at = composed(composed(at, Pose(joint.anchor)), joint.back)
            frame = Pose(tuple(-x if x else 0.0 for x in joint.anchor))
        shapes = tuple(geom.shape for geom in content.geoms)
        self.specs.append(_shifted(BodySpec(name=name, parent=parent, joint=spec, place=at), solid, shapes, frame))
        return frame


def _start(joint: FileJoint, place: Pose) -> Vector:
    """Configuration of a joint in the pose in which the file draws the body."""
    if joint.spec.kind == "free":
        return (*place.position, *place.rotation)
    return (joint.ref,) if joint.spec.axes else JOINT_TYPES[joint.spec.kind].neutral


def _shifted(spec: BodySpec, solid: Solid, shapes: tuple[Shape, ...], frame: Pose) -> BodySpec:
    """The body with its mass and shapes, which are given in the file's frame, expressed in its own."""
    center = frame.apply(solid.center_of_mass) if frame != Pose() else solid.center_of_mass
    return dataclasses.replace(
        spec,
        mass=solid.mass,
        center_of_mass=center,
        inertia=solid.inertia,  # the two frames have the same axes
        shapes=tuple(dataclasses.replace(shape, place=composed(frame, shape.place)) for shape in shapes),
        frame=frame,
    )
