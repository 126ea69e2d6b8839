"""The last steps that all readers share: unique joint names, the model, and the scene."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from stringless.errors import ModelError, Problem
from stringless.formats.input.findings import Findings
from stringless.formats.input.source import Source
from stringless.kinematics import check_loops
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.spec import BodySpec
from stringless.simulation.diagnosis import step_problems


def name_joints(specs: Sequence[BodySpec]) -> list[BodySpec]:
    """Name the joints the file left unnamed: like their body, or `body:kind` where a file's joint has that name."""
    taken = {spec.joint.name for spec in specs if spec.joint.name}
    named = []
    for spec in specs:
        name = spec.joint.name
        if not name:
            name = free_name(spec.name, taken, f"{spec.name}:{spec.joint.kind}")
            taken.add(name)
        named.append(dataclasses.replace(spec, joint=dataclasses.replace(spec.joint, name=name)))
    return named


def free_name(wanted: str, taken: set[str], other: str = "") -> str:
    """Return `wanted`, or else `other`, or else `other` with a number, whichever is not taken yet."""
    other = other or wanted
    if wanted not in taken:
        return wanted
    if other not in taken:
        return other
    return next(name for name in (f"{other}{number}" for number in range(2, len(taken) + 3)) if name not in taken)


def finish_scene(
    builder: ModelBuilder,
    findings: Findings,
    source: Source,
    *,
    q: Vector = (),
    v: Vector = (),
    dt: float = 1e-3,
    **fields: Any,
) -> Scene:
    """Build model and scene, or raise `ModelError` with every error of the file and of the model.

    `fields` are further ones of `Scene`.
    """
    if findings.errors:  # problems of the model and of the scene belong to the same answer
        findings.extend(builder.problems() or _open_loops(builder, q))
        findings.extend(step_problems(dt))
        raise findings.stop(source.subject)
    try:
        model, start = builder.build(), {"q": np.array(q, float), "v": np.array(v, float)}
        return Scene(model, **start, dt=dt, warnings=tuple(findings.warnings), source=source.path, **fields)
    except ModelError as error:
        findings.extend(error.problems)
        raise findings.stop(source.subject) from None


def _open_loops(builder: ModelBuilder, q: Vector) -> Sequence[Problem]:
    """Loops that are open at the start q; none if that is not a configuration of the model."""
    try:
        model = builder.build()
        start = np.array(q, float) if len(q) else model.neutral()
        if start.shape == (model.nq,):
            check_loops(model, start)
    except ModelError as error:
        return error.problems
    return []
