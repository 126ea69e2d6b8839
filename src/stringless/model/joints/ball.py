"""Ball joint: any turn. The configuration is a unit quaternion, the velocity the body's angular velocity."""

import math

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial import mat3, rotation, vec3


@kernel(inline=True)
def quaternion(body, q):
    """Read the unit quaternion of this joint."""
    k = body.q0
    return q[k], q[k + 1], q[k + 2], q[k + 3]


@kernel(inline=True)
def pose(body, q):
    """T_J: the turn itself."""
    return rotation.from_quaternion(quaternion(body, q)), (0.0, 0.0, 0.0)


@kernel(inline=True)
def axis(body, q, k):
    """S: [1; 0]."""
    return vec3.unit(k)


@kernel(inline=True)
def integrate(body, q, dq, dt, q_out):
    """R <- R exp(dt dq)."""
    step = rotation.exp_quaternion(vec3.scale(dt, vec3.load(dq, body.v0)))
    x, y, z, w = rotation.normalise(rotation.multiply_quaternions(quaternion(body, q), step))
    k = body.q0
    q_out[k], q_out[k + 1], q_out[k + 2], q_out[k + 3] = x, y, z, w


@kernel(inline=True)
def advance(body, u, vdot, dt, h_v, q_out, v_out):
    """`w+ = w + h_v wdot`, `R+ = R exp(h w+)`."""
    for d in range(body.v0, body.v0 + body.nv):
        v_out[d] += h_v * vdot[d]
    integrate(body, q_out, v_out, dt, q_out)


@kernel(inline=True)
def difference(body, q_from, q_to, dq_out):
    """log(R_fromᵀ R_to)."""
    back = rotation.conjugate(quaternion(body, q_from))
    step = rotation.multiply_quaternions(back, quaternion(body, q_to))
    vec3.store(dq_out, body.v0, rotation.log_quaternion(step))


@kernel(inline=True)
def reach(body, q_to, q, v, u, dt, h_v, vdot_out):
    """The acceleration with which `advance` leads to `q_to`."""
    difference(body, q, q_to, vdot_out)
    for d in range(body.v0, body.v0 + body.nv):
        vdot_out[d] = (vdot_out[d] / dt - v[d]) / h_v


@kernel(inline=True)
def tangent_rate(body, x, u, rate_out):
    """Rate of x in R exp(x) when the body turns with u: `Jr(x)⁻¹ u`."""
    k = body.v0
    vec3.store(rate_out, k, rotation.right_jacobian_inverse(vec3.load(x, k), vec3.load(u, k)))


@kernel(inline=True)
def limit(body, q, k):
    """Value of limit coordinate k and its gradient by the body's turn (docs/theory/articulated.md, section 2.4)."""
    a = vec3.load(body.axes, 0)
    Q = rotation.normalise(quaternion(body, q))
    if k == 0:
        return _swing(a, Q)
    if k == 1:
        return _twist(a, Q)
    x = rotation.log_quaternion(Q)
    angle = math.sqrt(vec3.dot(x, x))
    return angle, vec3.scale(1.0 / max(angle, 1e-12), x)


@kernel(inline=True)
def _swing(a, Q):
    R = rotation.from_quaternion(Q)
    b = mat3.transform(R, a)
    n = vec3.cross(a, b)
    sine = math.sqrt(vec3.dot(n, n))
    # The gradient is given along body axes: (a x R a)/|a x R a|, turned back.
    return math.atan2(sine, vec3.dot(a, b)), vec3.scale(1.0 / max(sine, 1e-12), mat3.transform_back(R, n))


@kernel(inline=True)
def _twist(a, Q):
    v = (Q[0], Q[1], Q[2])
    w = Q[3]
    va = vec3.dot(v, a)
    # Choose the sign of the quaternion that keeps the twist within half a turn.
    angle = 2.0 * math.atan2(va, w) if w >= 0.0 else 2.0 * math.atan2(-va, -w)
    n = vec3.add(vec3.scale(w, vec3.subtract(vec3.scale(w, a), vec3.cross(v, a))), vec3.scale(va, v))
    return angle, vec3.scale(1.0 / max(va * va + w * w, 1e-12), n)


BALL = JointType(
    name="ball",
    code=4,
    nq=4,
    axis_count=1,
    dof_names=("x", "y", "z"),
    angular=(True, True, True),
    limit_names=("swing", "twist", "turn"),
    neutral=(0.0, 0.0, 0.0, 1.0),
    sequential=False,
    pose=pose,
    axis=axis,
    integrate=integrate,
    advance=advance,
    reach=reach,
    difference=difference,
    displacement=difference,
    tangent_rate=tangent_rate,
    limit=limit,
)
"""The axis is the one that swing and twist refer to: the bone. `turn` bounds the whole rotation angle."""
