"""Writing our scene file: only what differs from the defaults, every number with all its digits."""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterable, Sequence

from stringless.formats.toml.bodies import COORDINATE_KEYS, SIZE_KEYS
from stringless.formats.toml.flesh import DEFAULTS as FLESH_KEYS
from stringless.model.builder import DEFAULT_AXES, GRAVITY
from stringless.model.flesh import FleshSpec
from stringless.model.joints import JOINT_TYPES
from stringless.model.loops import LoopSpec
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import LOOSE, BodySpec, JointSpec

DT = 1e-3
"""Step of a scene that does not say otherwise [s]."""
BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
HERE = Pose()
"""Where something is that says no place."""
PLAIN = re.compile(r"[ !#-\[\]-~]*")
"""Texts that need no escapes."""
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def scene_text(scene: Scene, version: int, stem: str = "scene") -> str:
    """The whole file; `stem` is its name without the ending, after which the side files of flesh are named."""
    model = scene.model
    lines = ["[scene]", f"format = {version}", f"name = {text(scene.name)}"]
    if model.name != scene.name:
        lines.append(f"model_name = {text(model.name)}")
    if scene.description:
        lines.append(f"description = {text(scene.description)}")
    if not same(model.gravity, GRAVITY):
        lines.append(f"gravity = {numbers(model.gravity)}")
    if scene.engine != "reduced":
        lines.append(f"engine = {text(scene.engine)}")
    if not same([scene.dt], [DT]):
        lines.append(f"dt = {number(scene.dt)}")
    if scene.study is not None:
        lines.append(f"study = {text(json.dumps(scene.study))}")
    if isinstance(scene.active, int):
        lines.append(f"active = {scene.active}")
    elif scene.active is not None:
        lines.extend(["", "[scene.active]", *(f"{_key(name)} = {count}" for name, count in scene.active.items())])
    known: dict[int, list[str]] = {}  # lines of shapes: the bodies of a crowd share them
    for spec in model.specs:
        lines.extend(_body_lines(spec, known))
    for shape in model.world_shapes:
        lines.extend(["", "[[world_shape]]", *_shape_lines(shape)])
    for k, flesh in enumerate(model.flesh.specs if model.flesh else (), start=1):
        lines.extend(_flesh_lines(flesh, side_file(stem, k)))
    for loop in model.loop_specs:
        lines.extend(_loop_lines(loop))
    for pull in scene.pulls:
        lines.extend(["", "[[pull]]", f"body = {text(pull.body)}", f"anchor = {numbers(pull.anchor)}"])
        lines.extend([f"stiffness = {number(pull.stiffness)}", f"damping = {number(pull.damping)}"])
        lines.append(f"point = {numbers(pull.point)}")
    lines.extend(_start_lines(scene))
    return "\n".join(lines) + "\n"


def _body_lines(spec: BodySpec, known: dict[int, list[str]]) -> list[str]:
    lines = ["", "[[body]]", f"name = {text(spec.name)}"]
    if spec.parent:
        lines.append(f"parent = {text(spec.parent)}")
    lines.extend(_place_lines(spec.place))
    zeros = (0.0,) * 6
    if not same([spec.mass], [0.0]):
        lines.append(f"mass = {number(spec.mass)}")
    # Written even if zero where shapes would otherwise be asked for them.
    asked = bool(spec.shapes) and spec.mass > 0
    if asked or not same(spec.center_of_mass, zeros[:3]):
        lines.append(f"center_of_mass = {numbers(spec.center_of_mass)}")
    if asked or not same(spec.inertia, zeros):
        lines.append(f"inertia = {numbers(spec.inertia)}")
    if spec.trust_inertia:
        lines.append("trust_inertia = true")
    lines.extend(_joint_lines(spec.joint, spec.name))
    if _place_lines(spec.frame):
        lines.extend(["", "[body.frame]", *_place_lines(spec.frame)])
    for shape in spec.shapes:
        if id(shape) not in known:
            known[id(shape)] = ["", "[[body.shape]]", *_shape_lines(shape)]
        lines.extend(known[id(shape)])
    return lines


def _joint_lines(joint: JointSpec, body: str) -> list[str]:
    kind = JOINT_TYPES[joint.kind]
    lines = [f"kind = {text(joint.kind)}"] if joint.kind != "fixed" else []
    if joint.name and joint.name != body:
        lines.append(f"name = {text(joint.name)}")
    if not _same_axes(joint.axes, DEFAULT_AXES[: kind.axis_count]) or (kind.sequential and joint.axes):
        if len(joint.axes) == 1:
            lines.append(f"axis = {numbers(joint.axes[0])}")
        elif joint.axes:
            lines.append("axes = [" + ", ".join(numbers(axis) for axis in joint.axes) + "]")
    for key in COORDINATE_KEYS:
        values = getattr(joint, key)
        if not len(values) or (key == "rest" and same(values, kind.neutral)):
            continue
        lines.append(f"{key} = {number(values[0]) if len(values) == 1 else numbers(values)}")
    if joint.actuated != (joint.kind not in LOOSE):
        lines.append(f"actuated = {str(joint.actuated).lower()}")
    return ["", "[body.joint]", *lines] if lines else []


def _shape_lines(shape: Shape) -> list[str]:
    lines = [f"kind = {text(shape.kind)}"]
    if shape.name:
        lines.append(f"name = {text(shape.name)}")
    if shape.mesh:
        lines.append(f"file = {text(shape.mesh)}")
    at = 0
    for key, count in SIZE_KEYS[shape.kind]:
        part = shape.size[at : at + count]
        at += count
        lines.append(f"{key} = {number(part[0]) if count == 1 else numbers(part)}")
    lines.extend(_place_lines(shape.place))
    if shape.purpose != "both":
        lines.append(f"purpose = {text(shape.purpose)}")
    if len(shape.color):
        lines.append(f"color = {numbers(shape.color)}")
    return lines


def side_file(stem: str, number: int) -> str:
    """Name of the file beside the scene that holds the meshes of its flesh of this number."""
    return f"{stem}-flesh-{number}.npz"


def holders(flesh: FleshSpec) -> list[str]:
    """The bones of a flesh in the order in which its nodes name them."""
    return [name for name in dict.fromkeys(flesh.bones) if name]


def _flesh_lines(flesh: FleshSpec, file: str) -> list[str]:
    lines = ["", "[[flesh]]", f"name = {text(flesh.name)}"]
    lines.append("bones = [" + ", ".join(text(name) for name in holders(flesh)) + "]")
    lines.append(f"material = {text(flesh.material)}")
    lines.extend(f"{key} = {number(getattr(flesh, key))}" for key in FLESH_KEYS)
    for part in ("surface", "cage"):
        lines.extend(["", f"[flesh.{part}]", f"file = {text(file)}"])
    return lines


def _loop_lines(loop: LoopSpec) -> list[str]:
    lines = ["", "[[loop]]", f"name = {text(loop.name)}", f"kind = {text(loop.kind)}", f"body_a = {text(loop.body_a)}"]
    if loop.body_b:
        lines.append(f"body_b = {text(loop.body_b)}")
    for end, place in (("a", loop.place_a), ("b", loop.place_b)):
        if _place_lines(place):
            lines.extend(["", f"[loop.place_{end}]", *_place_lines(place)])
    return lines


def _place_lines(place: Pose) -> list[str]:
    lines = []
    if not same(place.position, HERE.position):
        lines.append(f"position = {numbers(place.position)}")
    if not same(place.rotation, HERE.rotation):
        lines.append(f"rotation = {numbers(place.rotation)}")
    return lines


def _start_lines(scene: Scene) -> list[str]:
    """Joints that do not start neutral and at rest, by name."""
    lines: list[str] = []
    for key, values in (("q", scene.q), ("v", scene.v)):
        entries = []
        for joint in scene.model.joints:
            part = values[joint.q_slice if key == "q" else joint.v_slice]
            default = joint.kind.neutral if key == "q" else (0.0,) * joint.nv
            if not same(part, default):
                entries.append(f"{_key(joint.name)} = {number(part[0]) if len(part) == 1 else numbers(part)}")
        if entries:
            lines.extend(["", f"[start.{key}]", *entries])
    return lines


# --- values -----------------------------------------------------------------------------------------------------------


def same(a: Iterable[float], b: Iterable[float]) -> bool:
    """Whether two vectors have the same bits; -0.0 is not 0.0."""
    a, b = list(a), list(b)
    return len(a) == len(b) and struct.pack(f"{len(a)}d", *a) == struct.pack(f"{len(b)}d", *b)


def _same_axes(a: Sequence[Iterable[float]], b: Sequence[Iterable[float]]) -> bool:
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))


def number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    value = float(value)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def numbers(values: Iterable[float]) -> str:
    """A list of numbers."""
    return "[" + ", ".join(number(value) for value in values) + "]"


def text(value: str) -> str:
    """Text in quotes, with everything escaped that TOML wants escaped."""
    if PLAIN.fullmatch(value):
        return f'"{value}"'
    return '"' + "".join(_escaped(character) for character in value) + '"'


def _escaped(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character < " " or character == "\x7f":
        return f"\\u{ord(character):04x}"
    return character


def _key(name: str) -> str:
    return name if name and set(name) <= BARE else text(name)
