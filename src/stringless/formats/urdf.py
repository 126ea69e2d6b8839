"""URDF, the robot description of ROS: a tree of links and joints, Z up.

Joint coordinates keep the file's meaning; only the world that the root hangs from is turned to Y up.
"""

from __future__ import annotations

import os

from stringless.formats.assembly import finish_scene, name_joints
from stringless.formats.findings import HARMLESS, Findings
from stringless.formats.frames import Up, world_pose
from stringless.formats.mending import mend_inertia, mend_massless, trust_inertia
from stringless.formats.source import Source, read_source
from stringless.formats.urdf_parts import RobotParts, UrdfJoint
from stringless.formats.xmltree import Element, is_xml_text, parse_xml
from stringless.model.builder import ModelBuilder
from stringless.model.checks import suggest
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.spec import GROUND, BodySpec, JointSpec

READ = ("link", "joint", "material")
UNUSED = {
    "transmission": "It is left out; every joint counts as driven.",
    "ros2_control": "It is left out; every joint counts as driven.",
    "gazebo": "It is left out, and with it the simulator settings it holds, such as contact or gravity turned off.",
}
"""What leaving out an element means, where it is not harmless."""


def read_urdf(
    path_or_text: str | os.PathLike[str],
    *,
    floating: bool = False,
    up: Up = "z",
    mend: bool = False,
    findings: Findings | None = None,
) -> Scene:
    """Read a URDF robot.

    Args:
        path_or_text: a file, or the XML itself.
        floating: give the root link a free joint; otherwise it is fixed to the world.
        up: which axis points up in the file.
        mend: replace moments of inertia that no body can have by the nearest possible, and give joints that move no
            mass an armature. Otherwise such moments are taken as they are, because many files in use have them, and
            massless joints are refused. Either way a warning names them.
        findings: collects errors and warnings, for a caller that wants them even when reading fails.

    Raises:
        InputError: the file cannot be opened.
        ModelError: with everything that is wrong with its content.
    """
    findings = findings if findings is not None else Findings()
    source = read_source(path_or_text, is_xml_text)
    root = parse_xml(source)
    if root.tag != "robot":
        findings.error(root.place, f"root element '{root.tag}'", "'robot', as in every URDF file")
        raise findings.stop(source.subject)
    _refuse_macros(root, findings, source)
    _report_unused(root, findings)
    name = root.get("name") or (source.path.stem if source.path else "robot")
    builder = ModelBuilder(name)
    specs = _specs(root, findings, source, world_pose(up), floating)
    if mend:
        specs = mend_massless([mend_inertia(spec, findings) for spec in specs], findings)
    else:
        specs = [trust_inertia(spec, findings) for spec in specs]
    for spec in specs:
        builder.add(spec)
    return finish_scene(builder, findings, source)


def _refuse_macros(root: Element, findings: Findings, source: Source) -> None:
    for element in root.walk():
        if element.tag.startswith("xacro:"):
            findings.error(
                element.place, f"macro '{element.tag}'", "plain URDF", "Expand the file with the xacro program first."
            )
            raise findings.stop(source.subject)


def _report_unused(root: Element, findings: Findings) -> None:
    for child in root:
        if child.tag in READ:
            continue
        remedy = UNUSED.get(child.tag, HARMLESS)
        findings.unused(f"element '{child.tag}'", child.label, remedy, expected="links, joints and materials")


def _specs(root: Element, findings: Findings, source: Source, world: Pose, floating: bool) -> list[BodySpec]:
    """All links, parents before children, each with the joint that carries it."""
    parts = RobotParts(root, findings)
    links = {child.get("name", ""): child for child in root if child.tag == "link"}
    _check_link_names(root, findings)
    joints = [joint for child in root if child.tag == "joint" and (joint := parts.read_joint(child))]
    errors = len(findings.errors)
    carriers = _carriers(joints, links, findings)
    roots = [name for name in links if name not in carriers]
    _check_roots(links, roots, carriers, findings)
    if len(findings.errors) > errors:  # no tree to walk: look at each link alone, then give up
        for link in links.values():
            parts.read_link(link, UrdfJoint(child="", parent=GROUND, spec=JointSpec(), place=world), Pose())
        raise findings.stop(source.subject)
    carried: dict[str, list[UrdfJoint]] = {}
    for joint in carriers.values():
        carried.setdefault(joint.parent, []).append(joint)

    root_joint = JointSpec(kind="free", actuated=False) if floating else JointSpec()
    start = UrdfJoint(child=roots[0], parent=GROUND, spec=root_joint, place=world)
    specs: list[BodySpec] = []
    waiting = [(start, Pose())]
    while waiting:
        joint, parent_frame = waiting.pop()
        spec = parts.read_link(links[joint.child], joint, parent_frame)
        specs.append(spec)
        waiting.extend((child, spec.frame) for child in reversed(carried.get(joint.child, [])))
    return name_joints(specs)


def _check_link_names(root: Element, findings: Findings) -> None:
    first: dict[str, Element] = {}
    for link in (child for child in root if child.tag == "link"):
        name = link.get("name", "")
        if not name:
            findings.error(link.label, "no name", 'an attribute name="..."')
        elif name in first:
            findings.error(link.label, f"a name that {first[name].place} has", "one link of each name")
        first.setdefault(name, link)


def _carriers(joints: list[UrdfJoint], links: dict[str, Element], findings: Findings) -> dict[str, UrdfJoint]:
    """The joint that carries each link, by the link's name."""
    carriers: dict[str, UrdfJoint] = {}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                findings.error(joint.where, f"{role} '{name}', which is no link", "a link", suggest(name, links))
        if joint.child in carriers:
            other = carriers[joint.child].spec.name
            findings.error(
                joint.where, f"link '{joint.child}', which joint '{other}' carries already", "one joint for each link",
                "URDF cannot close loops: remove one of the two joints.",
            )  # fmt: skip
        carriers.setdefault(joint.child, joint)
    return carriers


def _check_roots(
    links: dict[str, Element], roots: list[str], carriers: dict[str, UrdfJoint], findings: Findings
) -> None:
    if not links:
        findings.error("robot", "no link", "at least one link")
    elif not roots:
        findings.error("robot", "joints that form a loop through all links", "one link that no joint carries")
    elif len(roots) > 1:
        shown = ", ".join(f"'{name}'" for name in roots[:5]) + (", ..." if len(roots) > 5 else "")
        findings.error(
            "robot", f"{len(roots)} links that no joint carries: {shown}", "one root",
            "Connect them with joints (of type fixed, if they do not move).",
        )  # fmt: skip
    else:
        _check_reachable(links, roots[0], carriers, findings)


def _check_reachable(links: dict[str, Element], root: str, carriers: dict[str, UrdfJoint], findings: Findings) -> None:
    """Report loops of joints that hang on nothing."""
    hanging = {root}
    for name in links:
        path: list[str] = []
        while name in carriers and name not in hanging and name not in path:
            path.append(name)
            name = carriers[name].parent
        if name in hanging:
            hanging.update(path)
        elif name in path:
            chain = " -> ".join(f"'{link}'" for link in [*path[path.index(name) :], name])
            findings.error(f"link '{name}'", f"a loop of parents {chain}", "a tree", "Remove one of these joints.")
            hanging.update(path)
