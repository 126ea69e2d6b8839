"""Fixed joint: no freedom; the body is one with its parent."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType


@kernel(inline=True)
def pose(body, q):
    """T_J: the identity."""
    return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


FIXED = JointType(
    name="fixed", code=0, nq=0, dof_names=(), angular=(), limit_names=(), neutral=(), reversal="same order", pose=pose
)
