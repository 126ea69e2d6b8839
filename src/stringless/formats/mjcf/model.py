"""From an MJCF file to a scene."""

import os

from stringless.formats.input.assembly import finish_scene, name_joints
from stringless.formats.input.findings import HARMLESS, PHYSICS, Findings
from stringless.formats.input.frames import Up, world_pose, world_vector
from stringless.formats.input.source import Source
from stringless.formats.input.xmltree import Element, read_root
from stringless.formats.mjcf.actuators import drive_joints
from stringless.formats.mjcf.assets import Assets
from stringless.formats.mjcf.bodies import BodyReader
from stringless.formats.mjcf.defaults import Defaults
from stringless.formats.mjcf.geoms import GeomReader
from stringless.formats.mjcf.includes import expand_includes
from stringless.formats.mjcf.inertials import scale_total
from stringless.formats.mjcf.joints import JointReader
from stringless.formats.mjcf.keyframes import read_start
from stringless.formats.mjcf.settings import read_compiler, read_gravity
from stringless.model.builder import ModelBuilder
from stringless.model.checks import suggest
from stringless.model.scene import Scene

READ = ("compiler", "option", "default", "asset", "worldbody", "actuator", "keyframe")
LEFT_OUT = {
    **dict.fromkeys(("contact", "equality", "tendon", "deformable", "extension"), PHYSICS),
    **dict.fromkeys(("sensor", "custom", "size", "statistic", "visual"), HARMLESS),
}
"""Sections that are not used, and what that means."""


def read_model(path_or_text: str | os.PathLike[str], up: Up, findings: Findings | None) -> Scene:
    """Read a model, as `read_mjcf` says."""
    findings = findings or Findings()
    source, root = read_root(path_or_text, "mujoco", "MJCF", findings, {"robot": "Read it as URDF."})
    expand_includes(root, source)
    sections: dict[str, list[Element]] = {}
    for child in root:
        sections.setdefault(child.tag, []).append(child)
    _report_sections(sections)
    return _read_sections(root, sections, source, up, findings)


def _read_sections(
    root: Element, sections: dict[str, list[Element]], source: Source, up: Up, findings: Findings
) -> Scene:
    def section(tag: str) -> list[Element]:
        return sections.get(tag, [])

    compiler = read_compiler(section("compiler"))
    gravity = read_gravity(section("option"))
    defaults = Defaults(section("default"))
    assets = Assets(section("asset"), compiler, defaults, source)
    geoms, joints = GeomReader(compiler, defaults, assets), JointReader(compiler, defaults)
    bodies = BodyReader(compiler, joints, geoms)
    bodies.read(section("worldbody"), world_pose(up))
    specs = scale_total(name_joints(bodies.specs), compiler.total_mass)
    drive_joints(section("actuator"), specs, defaults)
    q, v = read_start(section("keyframe"), specs, bodies.starts)

    name = root.get("model") or (source.path.stem if source.path else "model")
    builder = ModelBuilder(name, gravity=world_vector(gravity, up))
    builder.specs, builder.world_shapes = specs, bodies.world_shapes
    return finish_scene(builder, findings, source, q=q, v=v)


def _report_sections(sections: dict[str, list[Element]]) -> None:
    for tag, elements in sections.items():
        if tag in READ:
            continue
        if tag not in LEFT_OUT:
            known = (*READ, *LEFT_OUT)
            elements[0].error(f"section '{tag}'", "a section of MJCF", suggest(tag, known))
        elif LEFT_OUT[tag] == HARMLESS:
            for element in elements:
                element.findings.unused(f"section '{tag}'", element.place)
        else:
            for child in (child for element in elements for child in element):
                child.unused(f"{tag} '{child.tag}'", LEFT_OUT[tag])
