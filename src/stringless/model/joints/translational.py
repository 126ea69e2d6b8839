"""Translational joint: three sliding axes, no turn. A particle of flesh is carried by one."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial import vec3


@kernel(inline=True)
def pose(body, q):
    """T_J: a shift."""
    return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3.load(q, body.q0)


@kernel(inline=True)
def axis(body, q, k):
    """S: [0; 1]."""
    return vec3.unit(k)


TRANSLATIONAL = JointType(
    name="translational",
    code=6,
    nq=3,
    dof_names=("x", "y", "z"),
    angular=(False, False, False),
    limit_names=("x", "y", "z"),
    neutral=(0.0, 0.0, 0.0),
    reversal="same order",
    pose=pose,
    axis=axis,
)
