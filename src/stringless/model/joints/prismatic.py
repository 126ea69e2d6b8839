"""Prismatic joint (slider): one shift along an axis."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial import vec3


@kernel(inline=True)
def pose(body, q):
    """T_J: a shift by q along the axis."""
    return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3.scale(q[body.q0], vec3.load(body.axes, 0))


@kernel(inline=True)
def axis(body, q, k):
    """S: (0; a)."""
    return vec3.load(body.axes, 0)


PRISMATIC = JointType(
    name="prismatic",
    code=2,
    nq=1,
    axis_count=1,
    dof_names=("shift",),
    angular=(False,),
    limit_names=("shift",),
    neutral=(0.0,),
    reversal="same order",
    pose=pose,
    axis=axis,
)
