"""From a URDF file to a scene.

Joint coordinates keep the file's meaning; only the world that the root hangs from is turned to Y up.
"""

import dataclasses
import os
from collections.abc import Iterator

from stringless.formats.input.assembly import finish_scene, free_name, name_joints
from stringless.formats.input.findings import HARMLESS, Findings
from stringless.formats.input.frames import Up, world_pose
from stringless.formats.input.source import Source
from stringless.formats.input.xmltree import Element, read_root
from stringless.formats.urdf.parts import RobotParts, UrdfJoint
from stringless.formats.urdf.repairs import mend_inertia, mend_massless, trust_inertia
from stringless.model.builder import ModelBuilder
from stringless.model.checks import body_problems, suggest
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


def read_robot(
    path_or_text: str | os.PathLike[str], floating: bool, up: Up, mend: bool, findings: Findings | None
) -> Scene:
    """Read a robot, as `read_urdf` says."""
    findings = findings or Findings()
    source, root = read_root(path_or_text, "robot", "URDF", findings)
    _refuse_macros(root, findings, source)
    _report_unused(root)
    name = root.get("name") or (source.path.stem if source.path else "robot")
    builder = ModelBuilder(name)
    specs = _specs(root, findings, world_pose(up), floating)
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
            remedy = "Expand the file with the xacro program first."
            findings.error(element.place, f"macro '{element.tag}'", "plain URDF", remedy)
            raise findings.stop(source.subject)


def _report_unused(root: Element) -> None:
    for child in root:
        if child.tag in READ:
            continue
        remedy = UNUSED.get(child.tag, HARMLESS)
        child.unused(f"element '{child.tag}'", remedy, expected="links, joints and materials")


def _specs(root: Element, findings: Findings, world: Pose, floating: bool) -> list[BodySpec]:
    """All links, parents before children, each with the joint that carries it.

    Where the joints form no tree, which is an error, what hangs on nothing is hung on the world, so that the content
    of every link and joint is looked at all the same.
    """
    parts = RobotParts(root)
    links, further = _links(root)
    carriers, spare = _carriers(_joints(root, parts), links)
    for joint in spare:
        findings.extend(body_problems(BodySpec(name=joint.child, joint=joint.spec, place=joint.place)))
    roots = [name for name in links if name not in carriers]
    if not links and not further:
        findings.error("robot", "no link", "at least one link")
    _check_roots(roots, findings)
    cut = _check_loops(links, carriers, findings)

    root_joint = JointSpec(kind="free") if floating else JointSpec()
    starts = [UrdfJoint(child=name, parent=GROUND, spec=JointSpec(), place=world) for name in roots]
    starts[:1] = [dataclasses.replace(start, spec=root_joint) for start in starts[:1]]
    carried: dict[str, list[UrdfJoint]] = {}
    for joint in carriers.values():
        if joint.child in cut or joint.parent not in links:
            starts.append(dataclasses.replace(joint, parent=GROUND))
        else:
            carried.setdefault(joint.parent, []).append(joint)
    specs: list[BodySpec] = []
    waiting = [(start, Pose()) for start in reversed(starts)]
    while waiting:
        joint, parent_frame = waiting.pop()
        spec = parts.read_link(links[joint.child], joint, parent_frame)
        specs.append(spec)
        waiting.extend((child, spec.frame) for child in reversed(carried.get(joint.child, [])))
    alone = UrdfJoint(child="", parent=GROUND, spec=JointSpec(), place=world)
    specs.extend(dataclasses.replace(parts.read_link(link, alone, Pose()), name=name) for name, link in further)
    return name_joints(specs)


def _links(root: Element) -> tuple[dict[str, Element], list[tuple[str, Element]]]:
    """The links by name, and those without a name of their own, which are errors, with one to tell them by."""
    links: dict[str, Element] = {}
    further: list[tuple[str, Element]] = []
    for link, name in _named(root.findall("link")):
        if name == link.get("name"):
            links[name] = link
            continue
        if not link.get("name"):
            link.error("no name", 'an attribute name="..."')
        further.append((name, link))
    return links, further


def _joints(root: Element, parts: RobotParts) -> list[UrdfJoint]:
    """All joints, each with a name."""
    joints = [(parts.read_joint(element), name) for element, name in _named(root.findall("joint"))]
    return [dataclasses.replace(joint, spec=dataclasses.replace(joint.spec, name=name)) for joint, name in joints]


def _named(elements: list[Element]) -> Iterator[tuple[Element, str]]:
    """Elements with their names; one that has none, or that of another, which is an error, gets one to tell it by."""
    taken, first = {element.get("name") for element in elements}, dict[str, Element]()
    for element in elements:
        name = element.get("name")
        if name in first:
            element.error(f"a name that {first[name].place} has", f"one {element.tag} of each name")
        if not name or name in first:
            name = free_name(f"{name} ({element.place})".strip(), taken)
            taken.add(name)
        first[name] = element
        yield element, name


def _carriers(joints: list[UrdfJoint], links: dict[str, Element]) -> tuple[dict[str, UrdfJoint], list[UrdfJoint]]:
    """The joint that carries each link, by the link's name, and the joints that carry none."""
    carriers: dict[str, UrdfJoint] = {}
    spare: list[UrdfJoint] = []
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name and name not in links:
                joint.element.error(f"{role} '{name}', which is no link", "a link", suggest(name, links))
        if joint.child in carriers:
            other = carriers[joint.child].spec.name
            remedy = "URDF cannot close loops: remove one of the two joints."
            found = f"link '{joint.child}', which joint '{other}' carries already"
            joint.element.error(found, "one joint for each link", remedy)
        if joint.child in carriers or joint.child not in links:
            spare.append(joint)
        else:
            carriers[joint.child] = joint
    return carriers, spare


def _check_roots(roots: list[str], findings: Findings) -> None:
    if len(roots) > 1:
        shown = ", ".join(f"'{name}'" for name in roots[:5]) + (", ..." if len(roots) > 5 else "")
        remedy = "Connect them with joints (of type fixed, if they do not move)."
        findings.error("robot", f"{len(roots)} links that no joint carries: {shown}", "one root", remedy)


def _check_loops(links: dict[str, Element], carriers: dict[str, UrdfJoint], findings: Findings) -> set[str]:
    """Report loops of joints; return one link of each."""
    settled: set[str] = set()
    cut: set[str] = set()
    for name in links:
        path: list[str] = []
        while name in carriers and name not in settled and name not in path:
            path.append(name)
            name = carriers[name].parent
        if name in path:
            loop = path[path.index(name) :]
            chain = " -> ".join(f"'{link}'" for link in [*loop, name])
            joints = ", ".join(f"'{carriers[link].spec.name}'" for link in loop)
            found = f"a loop of parents {chain}, by the joints {joints}"
            findings.error(f"link '{name}'", found, "a tree", "Remove one of these joints.")
            cut.add(name)
        settled.update(path)
    return cut
