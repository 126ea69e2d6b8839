"""Writing our scene file: only what differs from the defaults, every number with all its digits."""

import json
import re
from typing import Any

import numpy as np

from stringless.formats.toml.bodies import COORDINATE_KEYS, SIZE_KEYS
from stringless.formats.toml.flesh import DEFAULTS as FLESH_KEYS
from stringless.model.builder import DEFAULT_AXES, GRAVITY
from stringless.model.flesh import FleshSpec
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec, JointSpec, is_loose

DT = 1e-3
"""Step of a scene that does not say otherwise [s]."""
LISTS = (tuple, list, np.ndarray)
HERE = Pose()
"""Where something is that says no place."""
BARE = re.compile(r"[A-Za-z0-9_-]+")
"""Keys that need no quotes."""
Entry = tuple[str, Any, Any]
"""A key, its value, and the default for which it is left out; there is none if that is None."""


def scene_text(scene: Scene, version: int, stem: str = "scene") -> str:
    """The whole file; `stem` is its name without the suffix, after which the side files of flesh are named."""
    model = scene.model
    lines = ["[scene]", f"format = {version}"]
    lines += _lines(
        ("name", scene.name, None),
        ("model_name", model.name, scene.name),
        ("description", scene.description, ""),
        ("gravity", model.gravity, GRAVITY),
        ("engine", scene.engine, "reduced"),
        ("dt", scene.dt, DT),
        ("study", "" if scene.study is None else json.dumps(scene.study), ""),
    )
    if isinstance(scene.active, int):
        lines.append(f"active = {scene.active}")
    elif scene.active is not None:
        lines += ["", "[scene.active]", *(f"{_key(name)} = {count}" for name, count in scene.active.items())]
    known: dict[int, list[str]] = {}  # lines of shapes: the bodies of a crowd share them
    for spec in model.specs:
        lines += _body_lines(spec, known)
    for shape in model.world_shapes:
        lines += _table("[[world_shape]]", *_shape_entries(shape))
    for k, flesh in enumerate(model.flesh.specs if model.flesh else (), start=1):
        keys = ((key, getattr(flesh, key), None) for key in FLESH_KEYS)
        bones = ("bones", holders(flesh), None)
        lines += _table("[[flesh]]", ("name", flesh.name, None), bones, ("material", flesh.material, None), *keys)
        for part in ("surface", "cage"):
            lines += _table(f"[flesh.{part}]", ("file", side_file(stem, k), None))
    for loop in model.loop_specs:
        given = ((key, getattr(loop, key), None) for key in ("name", "kind", "body_a"))
        lines += _table("[[loop]]", *given, ("body_b", loop.body_b, ""))
        lines += _table("[loop.place_a]", *_place_entries(loop.place_a), needed=False)
        lines += _table("[loop.place_b]", *_place_entries(loop.place_b), needed=False)
    for spring in scene.world_springs:
        keys = ("body", "anchor", "stiffness", "damping", "point")
        lines += _table("[[pull]]", *((key, getattr(spring, key), None) for key in keys))
    for key, values in (("q", scene.q), ("v", scene.v)):  # joints that do not start neutral and at rest, by name
        entries: list[Entry] = []
        for joint in model.joints:
            default = joint.kind.neutral if key == "q" else (0.0,) * joint.nv
            part = values[joint.q_slice if key == "q" else joint.v_slice]
            entries.append((_key(joint.name), _one_or_more(part), _one_or_more(default)))
        lines += _table(f"[start.{key}]", *entries, needed=False)
    return "\n".join(lines) + "\n"


def _body_lines(spec: BodySpec, known: dict[int, list[str]]) -> list[str]:
    zeros = (0.0,) * 6
    asked = bool(spec.shapes) and spec.mass > 0  # written even if zero where shapes would otherwise be asked for them
    lines = _table(
        "[[body]]",
        ("name", spec.name, None),
        ("parent", spec.parent, ""),
        *_place_entries(spec.place),
        ("mass", spec.mass, 0.0),
        ("center_of_mass", spec.center_of_mass, None if asked else zeros[:3]),
        ("inertia", spec.inertia, None if asked else zeros),
        ("trust_inertia", spec.trust_inertia, False),
    )
    lines += _table("[body.joint]", *_joint_entries(spec.joint, spec.name), needed=False)
    lines += _table("[body.frame]", *_place_entries(spec.frame), needed=False)
    for shape in spec.shapes:
        if id(shape) not in known:
            known[id(shape)] = _table("[[body.shape]]", *_shape_entries(shape))
        lines += known[id(shape)]
    return lines


def _joint_entries(joint: JointSpec, body: str) -> list[Entry]:
    kind, axes = JOINT_TYPES[joint.kind], joint.axes
    default = () if kind.sequential else DEFAULT_AXES[: kind.axis_count]
    values = ((key, value) for key in COORDINATE_KEYS if len(value := getattr(joint, key)))
    return [
        ("kind", joint.kind, "fixed"),
        ("name", joint.name or body, body),
        ("axis", axes[0], default[0] if len(default) == 1 else None)
        if len(axes) == 1
        else ("axes", axes, default if axes else ()),
        *((key, _one_or_more(value), _one_or_more(kind.neutral) if key == "rest" else ()) for key, value in values),
        ("actuated", joint.actuated, not is_loose(joint.kind)),
    ]


def _shape_entries(shape: Shape) -> list[Entry]:
    entries: list[Entry] = [("kind", shape.kind, None), ("name", shape.name, ""), ("file", shape.mesh, "")]
    at = 0
    for key, count in SIZE_KEYS[shape.kind]:
        entries.append((key, _one_or_more(shape.size[at : at + count]), None))
        at += count
    return [*entries, *_place_entries(shape.place), ("purpose", shape.purpose, "both"), ("color", shape.color, ())]


def _place_entries(place: Pose) -> list[Entry]:
    return [("position", place.position, HERE.position), ("rotation", place.rotation, HERE.rotation)]


def side_file(stem: str, number: int) -> str:
    """Name of the file beside the scene that holds the meshes of its flesh of this number."""
    return f"{stem}-flesh-{number}.npz"


def holders(flesh: FleshSpec) -> list[str]:
    """The bones of a flesh in the order in which its nodes name them."""
    return [name for name in dict.fromkeys(flesh.bones) if name]


# --- values -----------------------------------------------------------------------------------------------------------


def _table(head: str, *entries: Entry, needed: bool = True) -> list[str]:
    """A table with an empty line before it; nothing if there is nothing in it, unless it is needed."""
    lines = _lines(*entries)
    return ["", head, *lines] if lines or needed else []


def _lines(*entries: Entry) -> list[str]:
    """Lines of what would be written otherwise than its default: -0.0 is not 0.0."""
    given = ((key, _value(value), default) for key, value, default in entries if value is not default)
    return [f"{key} = {value}" for key, value, default in given if default is None or value != _value(default)]


def _one_or_more(values: Any) -> Any:
    """A single number without its list."""
    return values[0] if len(values) == 1 else values


def _value(value: Any) -> str:
    """A value as TOML has it; a number as the shortest text that reads back as the same."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, LISTS):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(float(value))  # of infinity it is inf, as in TOML


def text(value: str) -> str:
    """Text in quotes, escaped as in JSON, but for one more character that TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else text(name)
