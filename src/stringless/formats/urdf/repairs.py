"""Faults that robot files in use have, mended as little as possible so that the model can be simulated.

Every mend is a warning. A reader does this only when it is called with `mend=True`.
"""

import dataclasses
from collections.abc import Sequence

import numpy as np

from stringless.formats.input.findings import Findings
from stringless.model.checks import TRIANGLE_TOLERANCE, body_problems, moment_problems
from stringless.model.joints import JOINT_TYPES
from stringless.model.neutral_configuration import neutral_inertias
from stringless.model.pose import Vector
from stringless.model.solids import components, tensor
from stringless.model.spec import BodySpec

TURNING_ARMATURE = 1e-4
"""Inertia given to a turning joint that carries nothing: that of a small hobby servo [kg·m²]."""
SLIDING_ARMATURE = 1e-2
"""Inertia given to a sliding joint that carries nothing [kg]."""


def trust_inertia(spec: BodySpec, findings: Findings) -> BodySpec:
    """Let moments of inertia that no real body can have pass as they are, with a warning."""
    numbers = bool(np.all(np.isfinite([spec.mass, *spec.inertia]))) and spec.mass >= 0
    if not numbers or not any(True for _ in moment_problems("", spec)):
        return spec
    _report_moments(spec, "They are taken as they are", findings, ", or read the file with mend=True")
    return dataclasses.replace(spec, trust_inertia=True)


def _report_moments(spec: BodySpec, what: str, findings: Findings, advice: str = "") -> None:
    remedy = f"{what}. Check units, signs and the point they refer to{advice}."
    found = "moments of inertia that no real body can have"
    findings.unused(found, f"link '{spec.name}'", remedy, expected="each at most the sum of the other two")


def mend_inertia(spec: BodySpec, findings: Findings) -> BodySpec:
    """Make the moments of inertia those of a real body, if they are not."""
    if not np.all(np.isfinite(spec.inertia)) or not any(spec.inertia):
        return spec
    if spec.mass == 0:
        findings.unused(
            "an inertia without a mass", f"link '{spec.name}'", "The inertia is left out.", expected="both or none"
        )
        return dataclasses.replace(spec, inertia=(0.0,) * 6)
    inertia = possible_inertia(spec.inertia)
    if inertia == spec.inertia:
        return spec
    _report_moments(spec, "The smaller ones were raised to the nearest possible", findings)
    return dataclasses.replace(spec, inertia=inertia)


def possible_inertia(inertia: Vector) -> Vector:
    """The nearest inertia that some distribution of mass has; the same one if it is possible already.

    Mass has positive second moments: P = tr(I)/2 - I must have no negative eigenvalue, so those are set to zero.
    """
    moments, axes = np.linalg.eigh(tensor(inertia))
    slack = TRIANGLE_TOLERANCE * max(moments[2], 0.0)
    if moments[0] >= -slack and moments[0] + moments[1] >= moments[2] - slack and moments[2] > 0:
        return inertia
    second = np.maximum(moments.sum() / 2 - moments, 0.0)
    return components(axes @ np.diag(second.sum() - second) @ axes.T)


def mend_massless(specs: Sequence[BodySpec], findings: Findings) -> list[BodySpec]:
    """Give a joint that moves no inertia at all an armature, without which it cannot be simulated."""
    if all(spec.mass and any(spec.inertia) for spec in specs):
        return list(specs)  # the usual case, without the work
    if any(True for spec in specs for _ in body_problems(spec)):
        return list(specs)  # errors that come first
    inertias, _ = neutral_inertias(specs)
    mended = []
    for spec, inertia in zip(specs, inertias, strict=True):
        if not np.any(inertia <= 0):
            mended.append(spec)
            continue
        kind = JOINT_TYPES[spec.joint.kind]
        least = [TURNING_ARMATURE if turns else SLIDING_ARMATURE for turns in kind.angular]
        armature = tuple(low if value <= 0 else 0.0 for low, value in zip(least, inertia, strict=True))
        mended.append(dataclasses.replace(spec, joint=dataclasses.replace(spec.joint, armature=armature)))
        remedy = f"The joint was given an armature of {TURNING_ARMATURE:g} kg·m² (or {SLIDING_ARMATURE:g} kg)."
        where = f"joint '{spec.joint.name or spec.name}'"
        findings.unused("a moving joint with no mass to move", where, remedy, expected="some mass beyond the joint")
    return mended
