"""Planar joint: shifts along the joint frame's x and y, then a turn about its z."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial.trigonometry import sincos


@kernel(inline=True)
def pose(body, q):
    """T_J: Trans(x, y, 0) Rz(angle)."""
    k = body.q0
    s, c = sincos(q[k + 2])
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), (q[k], q[k + 1], 0.0)


@kernel(inline=True)
def axis(body, q, k):
    """S: the shifts turned into the body, then the turn."""
    s, c = sincos(q[body.q0 + 2])
    if k == 0:
        return (c, -s, 0.0)
    if k == 1:
        return (s, c, 0.0)
    return (0.0, 0.0, 1.0)


PLANAR = JointType(
    name="planar",
    code=5,
    nq=3,
    dof_names=("x", "y", "angle"),
    angular=(False, False, True),
    limit_names=("x", "y", "angle"),
    neutral=(0.0, 0.0, 0.0),
    loose=True,
    pose=pose,
    axis=axis,
)
