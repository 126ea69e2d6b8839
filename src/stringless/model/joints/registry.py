"""All joint types, and the kernels' way to the right one.

A joint type is one file of this folder, which is found by itself, or is registered from outside with `register_joint`. The
kernels below choose by the number of the type. They are written from what is registered, each a chain of ifs:

    def pose(body, q):
        if body.kind == 1:
            return revolute_pose(body, q)
        ...
        return fixed_pose(body, q)
"""

import dataclasses
import linecache
from pathlib import Path
from typing import Any

from stringless.errors import InputError
from stringless.jit import collect, kernel, replace_kernels
from stringless.model.joints.base import JointType
from stringless.plugins import load_plugins

GROUP = "stringless.joints"
"""Entry points of other packages, whose modules register joint types."""
COMMON = ("revolute", "ball")
"""Types that are asked for first."""
FIRST_OUTSIDE = 100
"""Number of the first type from outside of the package."""

JOINT_TYPES = collect("stringless.model.joints", JointType)
_known = list(JOINT_TYPES.values())
"""Every type that some model may have, those that were registered again with their first definition, too."""

FIXED, REVOLUTE, PRISMATIC, UNIVERSAL, BALL, PLANAR, TRANSLATIONAL, FREE = (
    JOINT_TYPES[name].code
    for name in ("fixed", "revolute", "prismatic", "universal", "ball", "planar", "translational", "free")
)

pose: Any
"""`pose(body, q)`: T_J(q), rotation and position of the moving frame in the joint frame."""
axis: Any
"""`axis(body, q, k)`: the axis that coordinate k turns about or slides along, through the body origin, along body axes."""
integrate: Any
"""`integrate(body, q, dq, dt, q_out)`: write q ⊕ dt dq for this joint."""
advance: Any
"""`advance(body, u, vdot, dt, h_v, q_out, v_out)`: one step of symplectic Euler in place, `v+ = v + h_v vdot`, `q+ = q ⊕ h v+`.

`h_v` is the length of the velocity step, h in an even row of steps; `u` is the velocity from which the velocity products in
`vdot` were taken."""
reach: Any
"""`reach(body, q_to, q, v, u, dt, h_v, vdot_out)`: write the acceleration with which `advance` leads from (q, v) to the
configuration `q_to` in the time `dt`. That may be several steps: the velocity is that of the straight way there."""
difference: Any
"""`difference(body, q_from, q_to, dq_out)`: write q_to ⊖ q_from for this joint, so that q_from ⊕ (q_to ⊖ q_from) = q_to."""
displacement: Any
"""`displacement(body, q_rest, q, x_out)`: displacement from rest; the spring's effort is `-k x`, its energy `½ k x²`."""
tangent_rate: Any
"""`tangent_rate(body, x, u, rate_out)`: write dx/dt for q = q_0 ⊕ x moving with velocity u."""
limit: Any
"""`limit(body, q, k)`: value of limit coordinate k, and its gradient by the joint's first three velocity coordinates."""

ARGUMENTS = {
    "pose": "body, q",
    "axis": "body, q, k",
    "integrate": "body, q, dq, dt, q_out",
    "advance": "body, u, vdot, dt, h_v, q_out, v_out",
    "reach": "body, q_to, q, v, u, dt, h_v, vdot_out",
    "difference": "body, q_from, q_to, dq_out",
    "displacement": "body, q_rest, q, x_out",
    "tangent_rate": "body, x, u, rate_out",
    "limit": "body, q, k",
}
"""The kernels of a joint type that others call."""


def find_joint(name: str) -> JointType | None:
    """The joint type of this name; other packages that have joint types are loaded only if it is none of the known ones."""
    if name not in JOINT_TYPES:
        load_plugins(GROUP, "joint types")
    return JOINT_TYPES.get(name)


def register_joint(joint: JointType) -> JointType:
    """Add a joint type from outside of the package; returns it with its number.

    Kernels that are compiled already are compiled again when a model needs them next.

    Raises:
        InputError: the type is not what it says, or is of a sort that engines and editor cannot deal with.
    """
    from stringless.model.joint_checks import check_type  # what kernels do does not depend on it

    check_type(joint)
    known = JOINT_TYPES.get(joint.name)
    if known and (known.code < FIRST_OUTSIDE or known.pose.__module__ != joint.pose.__module__):
        raise InputError(f"joint type '{joint.name}' is registered already; give yours another name")
    joint = dataclasses.replace(joint, code=max(FIRST_OUTSIDE, _known[-1].code + 1))
    _known.append(joint)
    JOINT_TYPES[joint.name] = joint
    _write_kernels()
    _replace_dependents()
    return joint


def _replace_dependents() -> None:
    outside = [joint for joint in _known if joint.code >= FIRST_OUTSIDE]
    replace_kernels(Path(__file__), *(getattr(joint, name) for joint in outside for name in ARGUMENTS))


def _order(joint: JointType) -> tuple[int, int]:
    """Common types first; a fixed joint, which has the fewest kernels, last."""
    return COMMON.index(joint.name) if joint.name in COMMON else 3 if joint.name == "fixed" else 2, joint.code


def _write_kernels() -> None:
    for name in ARGUMENTS:
        globals()[name] = _write_kernel(name)


def _write_kernel(name: str) -> Any:
    """The kernel `name` of whatever joint a body has, in words that an error can show."""
    joints = [joint for joint in sorted(_known, key=_order) if getattr(joint, name) is not None]
    usual = getattr(JointType, name, None)
    special = [joint for joint in joints if getattr(joint, name) is not usual]
    last = joints[-1] if usual is None else None
    call = f"{name}({ARGUMENTS[name]})"
    scope: dict[str, Any] = {"__name__": __name__, f"vector_{name}": usual}
    lines = [f"def {call}:"]
    for joint in special:
        owner = joint.name if joint.code < FIRST_OUTSIDE else f"{joint.name}_{joint.code}"
        scope[f"{owner}_{name}"] = getattr(joint, name)
        if joint is last:
            lines.append(f"    return {owner}_{call}")
        else:
            lines += [f"    if body.kind == {joint.code}:", f"        return {owner}_{call}"]
    if not last:
        lines.append(f"    return vector_{call}")
    text, file = "\n".join(lines) + "\n", f"<joint types: {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)
    return kernel(inline=True)(scope[name])


_write_kernels()
