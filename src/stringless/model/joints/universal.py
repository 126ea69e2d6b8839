"""Universal joint: a turn about a first axis, then about a second one carried along."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial import mat3, rotation, vec3


@kernel(inline=True)
def pose(body, q):
    """T_J: R(a1, q1) R(a2, q2)."""
    first = rotation.about_axis(vec3.load(body.axes, 0), q[body.q0])
    second = rotation.about_axis(vec3.load(body.axes, 3), q[body.q0 + 1])
    return mat3.multiply(first, second), (0.0, 0.0, 0.0)


@kernel(inline=True)
def axis(body, q, k):
    """S: [(R(a2, q2)ᵀ a1; 0), (a2; 0)]."""
    a2 = vec3.load(body.axes, 3)
    if k == 1:
        return a2
    second = rotation.about_axis(a2, q[body.q0 + 1])
    return mat3.transform_back(second, vec3.load(body.axes, 0))


UNIVERSAL = JointType(
    name="universal",
    code=3,
    nq=2,
    axis_count=2,
    dof_names=("first", "second"),
    angular=(True, True),
    limit_names=("first", "second"),
    neutral=(0.0, 0.0),
    reversal="opposite order",
    distinct_axes=True,
    pose=pose,
    axis=axis,
)
