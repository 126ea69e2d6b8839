"""A joint type as somebody else would add it: one module outside of the package."""

from __future__ import annotations

from stringless.jit import kernel
from stringless.model.joints import JointType, register_joint
from stringless.spatial import rotation, vec3


@kernel(inline=True)
def pose(body, q):
    """T_J: a turn by q0 about the axis, and a shift by q1 along it."""
    a = vec3.load(body.axes, 0)
    return rotation.about_axis(a, q[body.q0]), vec3.scale(q[body.q0 + 1], a)


@kernel(inline=True)
def axis(body, q, k):
    """S: [(a; 0), (0; a)]."""
    return vec3.load(body.axes, 0)


CYLINDRICAL = register_joint(
    JointType(
        name="cylindrical",
        nq=2,
        axis_count=1,
        dof_names=("angle", "shift"),
        angular=(True, False),
        limit_names=("angle", "shift"),
        neutral=(0.0, 0.0),
        reversal="same order",
        pose=pose,
        axis=axis,
    )
)
