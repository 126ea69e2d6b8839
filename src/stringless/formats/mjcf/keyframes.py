"""The first keyframe becomes the start of the scene."""

from collections.abc import Iterable, Sequence

import numpy as np

from stringless.formats.input.xmltree import Attributes, Element
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Vector, rotation_matrix
from stringless.model.spec import BodySpec
from stringless.spatial.arrays import FloatArray

OTHER = ("time", "act", "ctrl", "mpos", "mquat")


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
