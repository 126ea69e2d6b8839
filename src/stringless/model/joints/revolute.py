"""Revolute joint (pin, hinge): one turn about an axis."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial import rotation, vec3


@kernel(inline=True)
def pose(body, q):
    """T_J: a turn by q about the axis."""
    return rotation.about_axis(vec3.load(body.axes, 0), q[body.q0]), (0.0, 0.0, 0.0)


@kernel(inline=True)
def axis(body, q, k):
    """S: (a; 0)."""
    return vec3.load(body.axes, 0)


REVOLUTE = JointType(
    name="revolute",
    code=1,
    nq=1,
    axis_count=1,
    dof_names=("angle",),
    angular=(True,),
    limit_names=("angle",),
    neutral=(0.0,),
    reversal="same order",
    pose=pose,
    axis=axis,
)
