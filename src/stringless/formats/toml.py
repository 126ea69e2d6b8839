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
gets centre of mass and inertia from its shapes. Flesh is described in `toml_flesh`, loops in `toml_loops`. A spring from a
body to a point of the world is a `[[pull]]` with `body`, `anchor`, `stiffness`, `damping` and `point`.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from stringless.engines.config import Engine
from stringless.errors import ModelError, Problem
from stringless.formats.assembly import finish_scene
from stringless.formats.findings import Findings
from stringless.formats.flesh_files import write_flesh
from stringless.formats.source import Source, decode_utf8, read_source
from stringless.formats.tables import Table
from stringless.formats.toml_bodies import read_body, read_shape
from stringless.formats.toml_flesh import read_flesh
from stringless.formats.toml_loops import read_loop
from stringless.formats.toml_writer import DT, holders, scene_text, side_file
from stringless.formats.whole_file import write_whole
from stringless.model.builder import GRAVITY, ModelBuilder, ordered
from stringless.model.checks import suggest
from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Vector
from stringless.model.pulls import Pull
from stringless.model.scene import Scene
from stringless.model.spec import BodySpec
from stringless.simulation.diagnosis import step_problems

FORMAT = 1
"""Version of the layout of the file."""
PLACE = re.compile(r"\s*\(at (line \d+, column \d+|end of document)\)$")


def read_toml(path_or_text: str | os.PathLike[str], *, findings: Findings | None = None) -> Scene:
    """Read a scene file of ours.

    Args:
        path_or_text: a file, or its content.
        findings: collects errors and warnings, for a caller that wants them even when reading fails.

    Raises:
        InputError: the file cannot be opened.
        ModelError: with everything that is wrong with its content.
    """
    findings = findings if findings is not None else Findings()
    source = read_source(path_or_text, _is_toml_text)
    file = Table(_parse(source), "", findings)
    scene = file.table("scene")
    _check_format(scene, findings, source)
    name = scene.text("name") or (source.path.stem if source.path else "scene")
    builder = ModelBuilder(scene.text("model_name") or name, gravity=scene.vector("gravity", 3, GRAVITY))
    description = scene.text("description")
    engine = scene.choice("engine", get_args(Engine), "reduced")
    dt = scene.number("dt", DT)
    active = _read_active(scene)
    study = _read_study(scene, findings)
    scene.report_unknown()
    builder.specs = [read_body(table, source.folder, findings) for table in file.tables("body")]
    builder.world_shapes = [
        shape
        for table in file.tables("world_shape")
        if (shape := read_shape(table, source.folder, findings)) is not None
    ]
    for table in file.tables("flesh"):
        read_flesh(table, source.folder, builder, findings)
    builder.loops = [read_loop(table, findings) for table in file.tables("loop")]
    pulls = tuple(_read_pull(table) for table in file.tables("pull"))
    start = file.table("start")
    q, v = _read_start(start, "q", builder.specs, findings), _read_start(start, "v", builder.specs, findings)
    start.report_unknown()
    file.report_unknown()
    if findings.errors and "flesh" in file:  # bones without their flesh may have no mass: that is not what is wrong
        findings.extend(builder.plain_problems())
        findings.extend(step_problems(dt))
        raise findings.stop(source.subject)
    return finish_scene(
        builder, findings, source, name=name, q=q, v=v, description=description, engine=engine, dt=dt, active=active,
        pulls=pulls,
        study=study,
    )  # fmt: skip


def write_toml(scene: Scene, path: str | os.PathLike[str]) -> Path:
    """Write a scene; reading the file gives the same tables to the last bit. Returns the path.

    The meshes of flesh go into files beside it, `NAME-flesh-1.npz` and so on. A file appears whole or not at all.
    Warnings and the name of the source file are not kept.
    """
    path = Path(path)
    if scene.model.flesh is not None:
        for number, flesh in enumerate(scene.model.flesh.specs, start=1):
            write_flesh(path.with_name(side_file(path.stem, number)), flesh, holders(flesh))
    content = scene_text(scene, FORMAT, path.stem).encode()
    write_whole(path, lambda file: file.write(content))
    return path


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


def _check_format(scene: Table, findings: Findings, source: Source) -> None:
    version = scene.number("format", FORMAT)
    if version != FORMAT:
        remedy = "Use a newer version of this program." if version > FORMAT else ""
        findings.error("scene", f"format = {version:g}", f"format = {FORMAT}", remedy)
        raise findings.stop(source.subject)


def _read_active(scene: Table) -> int | dict[str, int] | None:
    """How many joints of each character may move: one number for all, or by the name of the root body."""
    if not isinstance(scene.values.get("active"), Mapping):
        count = scene.whole("active", 0)
        return count if "active" in scene else None
    given = scene.table("active")
    given.where = "scene.active"
    return {name: given.whole(name, 0) for name in given.values}


def _read_pull(table: Table) -> Pull:
    """A spring from a point of a body to a point of the world; the scene checks what it says."""
    here = (0.0, 0.0, 0.0)
    pull = Pull(
        table.text("body"),
        table.vector("anchor", 3, here),
        table.number("stiffness", 0.0),
        table.number("damping", 0.0),
        table.vector("point", 3, here),
    )
    table.report_unknown()
    return pull


def _read_study(scene: Table, findings: Findings) -> dict[str, Any] | None:
    """A motion to edit, as JSON: TOML cannot say that something is absent within a list."""
    written = scene.text("study")
    if "study" not in scene:
        return None
    try:
        study = json.loads(written)
    except ValueError as error:
        study = error
    if not isinstance(study, dict):
        findings.error("scene", f"study = '{written[:40]}'", "a motion to edit, written as a JSON object")
        return None
    return study


def _read_start(start: Table, key: str, specs: list[BodySpec], findings: Findings) -> Vector:
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
        errors = len(findings.errors)
        values = given.one_or_more(name) if name in given else default
        if len(values) != len(default):
            if len(findings.errors) == errors:
                found = f"{len(values)} numbers for joint '{name}'"
                findings.error(given.where, found, f"{len(default)} for a {kind.name} joint")
            values = default
        vector.extend(values)
    for name in given.values:
        if name not in names:
            findings.error(given.where, f"joint '{name}'", "a joint of this file", suggest(name, names))
    return tuple(vector)
