"""From an MJCF file to a scene; its first keyframe becomes the start."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from stringless.formats.input.assembly import finish_scene, name_joints
from stringless.formats.input.findings import HARMLESS, PHYSICS, Findings
from stringless.formats.input.frames import Up, world_pose, world_vector
from stringless.formats.input.xmltree import Attributes, Element, read_root
from stringless.formats.mjcf.assets import Assets
from stringless.formats.mjcf.bodies import BodyReader
from stringless.formats.mjcf.defaults import Defaults
from stringless.formats.mjcf.geoms import scale_total
from stringless.formats.mjcf.includes import expand_includes
from stringless.formats.mjcf.joints import drive_joints
from stringless.formats.mjcf.settings import read_compiler, read_gravity
from stringless.model.builder import ModelBuilder
from stringless.model.checks import suggest
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Vector, rotation_matrix
from stringless.model.scene import Scene
from stringless.model.spec import BodySpec
from stringless.spatial.arrays import FloatArray

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
    sections = defaultdict[str, list[Element]](list)
    for child in root:
        sections[child.tag].append(child)
    _report_sections(sections)
    compiler = read_compiler(sections["compiler"])
    gravity = read_gravity(sections["option"])
    defaults = Defaults(sections["default"])
    assets = Assets(sections["asset"], compiler, defaults, source)
    bodies = BodyReader(assets)
    bodies.read(sections["worldbody"], world_pose(up))
    specs = scale_total(name_joints(bodies.specs), compiler.total_mass)
    drive_joints(sections["actuator"], specs, defaults)
    q, v = read_start(sections["keyframe"], specs, bodies.starts)

    name = root.get("model") or (source.path.stem if source.path else "model")
    builder = ModelBuilder(name, gravity=world_vector(gravity, up))
    builder.specs, builder.world_shapes = specs, bodies.world_shapes
    return finish_scene(builder, findings, source, q=q, v=v)


def _report_sections(sections: Mapping[str, list[Element]]) -> None:
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


def read_start(
    sections: Iterable[Element], specs: Sequence[BodySpec], drawn: Sequence[Vector]
) -> tuple[Vector, Vector]:
    """Configuration and velocity at the start: those of the first key, or the pose in which the file is drawn."""
    q = tuple(number for part in drawn for number in part)
    nv = sum(JOINT_TYPES[spec.joint.kind].nv for spec in specs)
    v = (0.0,) * nv
    keys = [key for section in sections for key in section if key.tag == "key"]
    for key in keys[1:]:
        key.unused("a further keyframe", "Only the first is used, as the start.")
    if not keys:
        return q, v
    attributes = keys[0].attributes
    attributes.ignore("name")
    qpos, qvel = _vector(attributes, "qpos", len(q)), _vector(attributes, "qvel", nv)
    attributes.report_unread("key")
    if qpos is not None:
        q = _configuration(specs, qpos, attributes) or q
    return q, v if qvel is None else _velocity(specs, q, qvel)


def _vector(attributes: Attributes, key: str, count: int) -> Vector | None:
    if key not in attributes:
        return None
    given = len(attributes.text(key).split())
    if given != count:
        remedy = "The scene starts in the pose that the file draws."
        attributes.warn(f"{given} numbers of {key}", f"{count} for this model", remedy)
        return None
    return attributes.numbers(key, count, ()) or None


def _configuration(specs: Sequence[BodySpec], qpos: Vector, attributes: Attributes) -> Vector | None:
    """Move the w of every quaternion to its end, and make it unit length."""
    q = np.array(qpos)
    at = 0
    for spec in specs:
        kind = JOINT_TYPES[spec.joint.kind]
        at += kind.nq
        if kind.is_vector:
            continue
        part = np.roll(q[at - 4 : at], -1)
        length = np.linalg.norm(part)
        if not length > 0:
            found = f"a quaternion of length 0 for joint '{spec.joint.name or spec.name}'"
            attributes.warn(found, "length 1", "The scene starts in the pose that the file draws.")
            return None
        q[at - 4 : at] = part if abs(length - 1) < 1e-15 else part / length
    return _floats(q)


def _velocity(specs: Sequence[BodySpec], q: Vector, qvel: Vector) -> Vector:
    """MuJoCo's free joints move linearly along world axes, first; ours along body axes, last."""
    v = np.array(qvel)
    iq = iv = 0
    for spec in specs:
        kind = JOINT_TYPES[spec.joint.kind]
        iq, iv = iq + kind.nq, iv + kind.nv
        if kind.name == "free":
            R = rotation_matrix(q[iq - 4 : iq])
            linear, angular = v[iv - 6 : iv - 3].copy(), v[iv - 3 : iv].copy()
            v[iv - 6 : iv] = np.concatenate([angular, R.T @ linear])
    return _floats(v)


def _floats(values: FloatArray) -> Vector:
    return tuple(float(value) for value in values)
