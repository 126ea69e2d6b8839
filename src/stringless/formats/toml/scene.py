"""Our own scene file: TOML that a person can read and write, and that keeps every number to the last digit.

```toml
[scene]
format = 1
name = "pendulum"

[[body]]
name = "rod"
position = [0.0, 1.0, 0.0]        # of the joint in the parent [m]
mass = 1.0                        # [kg]

[body.joint]
kind = "revolute"
axis = [0.0, 0.0, 1.0]

[[body.shape]]
kind = "capsule"
radius = 0.02
half_length = 0.2

[start.q]
rod = 0.5
```

Units are SI and radians, Y is up, quaternions are x, y, z, w. A body with shapes and a mass or density but no inertia
gets centre of mass and inertia from its shapes. Flesh is described in `toml.flesh`, loops in `toml.bodies`. A spring from a
body to a point of the world is a `[[pull]]` with `body`, `anchor`, `stiffness`, `damping` and `point`.
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from stringless.engines.config import EngineName
from stringless.errors import ModelError, Problem
from stringless.formats.input.assembly import finish_scene
from stringless.formats.input.findings import Findings
from stringless.formats.input.source import Source, decode_utf8, read_source
from stringless.formats.output.whole_file import write_whole
from stringless.formats.toml.arrays import write_flesh
from stringless.formats.toml.bodies import read_body, read_loop, read_shape
from stringless.formats.toml.flesh import read_flesh
from stringless.formats.toml.tables import Table
from stringless.formats.toml.text import DT, holders, scene_text, side_file
from stringless.model.builder import GRAVITY, ModelBuilder, ordered
from stringless.model.checks import suggest
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.spec import BodySpec
from stringless.model.world_springs import WorldSpring
from stringless.simulation.diagnosis import step_problems

FORMAT = 1
"""Version of the layout of the file."""
PLACE = re.compile(r"\s*\(at (line \d+, column \d+|end of document)\)$")


def read_scene(path_or_text: str | os.PathLike[str], findings: Findings | None) -> Scene:
    """Read a scene file, as `read_toml` says."""
    findings = findings or Findings()
    source = read_source(path_or_text, _is_toml_text)
    file = Table(_parse(source), "", findings, source.folder)
    scene = file.table("scene")
    _check_format(scene, source)
    name = scene.text("name") or (source.path.stem if source.path else "scene")
    builder = ModelBuilder(scene.text("model_name") or name, gravity=scene.vector("gravity", 3, GRAVITY))
    dt = scene.number("dt", DT)
    about: dict[str, Any] = {
        "description": scene.text("description"),
        "engine": scene.choice("engine", get_args(EngineName), "reduced"),
        "active": _read_active(scene),
        "study": _read_study(scene),
    }
    scene.report_unknown()
    builder.specs = [read_body(table) for table in file.tables("body")]
    builder.world_shapes = [shape for table in file.tables("world_shape") if (shape := read_shape(table)) is not None]
    for table in file.tables("flesh"):
        read_flesh(table, builder)
    builder.loops = [read_loop(table) for table in file.tables("loop")]
    world_springs = tuple(_read_world_spring(table) for table in file.tables("pull"))
    start = file.table("start")
    q, v = _read_start(start, "q", builder.specs), _read_start(start, "v", builder.specs)
    start.report_unknown()
    file.report_unknown()
    if findings.errors and "flesh" in file:  # bones without their flesh may have no mass: that is not what is wrong
        findings.extend(builder.plain_problems())
        findings.extend(step_problems(dt))
        raise findings.stop(source.subject)
    return finish_scene(builder, findings, source, q=q, v=v, dt=dt, name=name, world_springs=world_springs, **about)


def write_scene(scene: Scene, path: Path) -> list[Path]:
    """Write a scene, as `write_toml` says; returns its file and those beside it."""
    files = [path]
    for number, flesh in enumerate(scene.model.flesh.specs if scene.model.flesh else (), start=1):
        files.append(path.with_name(side_file(path.stem, number)))
        write_flesh(files[-1], flesh, holders(flesh))
    content = scene_text(scene, FORMAT, path.stem).encode()
    write_whole(path, lambda file: file.write(content))
    return files


def _is_toml_text(text: str) -> bool:
    return "\n" in text or text.lstrip().startswith("[") or not text.strip()


def _parse(source: Source) -> dict[str, Any]:
    text = decode_utf8(source).replace("\r\n", "\n")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = PLACE.search(message)
        where = place.group(1) if place else "file"
        found = f"broken TOML ({PLACE.sub('', message)})"
        problem = Problem(where, found, "valid TOML", "Mend the file at or just before this place.")
    except RecursionError:
        problem = Problem("file", "lists or tables nested too deeply", "at most some levels")
    raise ModelError(source.subject, [problem])


def _check_format(scene: Table, source: Source) -> None:
    version = scene.number("format", FORMAT)
    if version != FORMAT:
        remedy = "Use a newer version of this program." if version > FORMAT else ""
        scene.error(f"format = {version:g}", f"format = {FORMAT}", remedy)
        raise scene.findings.stop(source.subject)


def _read_active(scene: Table) -> int | dict[str, int] | None:
    """How many joints of each character may move: one number for all, or by the name of the root body."""
    if not isinstance(scene.values.get("active"), Mapping):
        count = scene.whole("active", 0)
        return count if "active" in scene else None
    given = scene.table("active")
    given.where = "scene.active"
    return {name: given.whole(name, 0) for name in given.values}


def _read_world_spring(table: Table) -> WorldSpring:
    """A spring from a point of a body to a point of the world; the scene checks what it says."""
    here = (0.0, 0.0, 0.0)
    spring = WorldSpring(
        table.text("body"),
        table.vector("anchor", 3, here),
        table.number("stiffness", 0.0),
        table.number("damping", 0.0),
        table.vector("point", 3, here),
    )
    table.report_unknown()
    return spring


def _read_study(scene: Table) -> dict[str, Any] | None:
    """A motion to edit, as JSON: TOML cannot say that something is absent within a list."""
    written = scene.text("study")
    if "study" not in scene:
        return None
    try:
        study = json.loads(written)
    except ValueError as error:
        study = error
    if not isinstance(study, dict):
        scene.error(f"study = '{written[:40]}'", "a motion to edit, written as a JSON object")
        return None
    return study


def _read_start(start: Table, key: str, specs: list[BodySpec]) -> Vector:
    """Put the values of named joints into one vector in the model's order; others stay neutral, or at rest."""
    given = start.table(key)
    given.where = f"start.{key}"
    names = [spec.joint.name or spec.name for spec in specs]
    vector: list[float] = []
    for spec in ordered(specs):
        name = spec.joint.name or spec.name
        kind = JOINT_TYPES.get(spec.joint.kind)
        if kind is None:
            continue  # reported with the joint
        default = kind.neutral if key == "q" else (0.0,) * kind.nv
        errors = len(given.findings.errors)
        values = given.one_or_more(name) if name in given else default
        if len(values) != len(default):
            if len(given.findings.errors) == errors:
                given.error(f"{len(values)} numbers for joint '{name}'", f"{len(default)} for a {kind.name} joint")
            values = default
        vector.extend(values)
    for name in given.values:
        if name not in names:
            given.error(f"joint '{name}'", "a joint of this file", suggest(name, names))
    return tuple(vector)
