"""Free joint: no constraint. Position and unit quaternion; the velocity is the body twist, angular first."""

from stringless.jit import kernel
from stringless.model.joints.base import JointType
from stringless.spatial import mat3, rotation, vec3


@kernel(inline=True)
def quaternion(body, q):
    """Read the unit quaternion of this joint, which follows the position."""
    k = body.q0 + 3
    return q[k], q[k + 1], q[k + 2], q[k + 3]


@kernel(inline=True)
def pose(body, q):
    """T_J: the pose itself."""
    return rotation.from_quaternion(quaternion(body, q)), vec3.load(q, body.q0)


@kernel(inline=True)
def axis(body, q, k):
    """S: the six unit twists, three turns and three shifts."""
    return vec3.unit(k % 3)


@kernel(inline=True)
def integrate(body, q, dq, dt, q_out):
    """T <- T exp(dt dq), the exponential of SE(3)."""
    Q = quaternion(body, q)
    x = vec3.scale(dt, vec3.load(dq, body.v0))
    moved = rotation.left_jacobian(x, vec3.scale(dt, vec3.load(dq, body.v0 + 3)))
    p = vec3.add(vec3.load(q, body.q0), mat3.transform(rotation.from_quaternion(Q), moved))
    X, Y, Z, W = rotation.normalise(rotation.multiply_quaternions(Q, rotation.exp_quaternion(x)))
    k = body.q0
    vec3.store(q_out, k, p)
    q_out[k + 3], q_out[k + 4], q_out[k + 5], q_out[k + 6] = X, Y, Z, W


@kernel(inline=True)
def advance(body, u, vdot, dt, h_v, q_out, v_out):
    """One step of symplectic Euler, the linear velocity along world axes: a spinning body flies straight.

    `w+ = w + h_v wdot`, `R+ = R exp(h w+)`; the origin's velocity R v has the rate `R (vdot + w x v)`, with w x v as it was
    in `vdot`, taken from `u`; and `p+ = p + h R+ v+`.
    """
    k = body.v0
    Q = quaternion(body, q_out)
    R = rotation.from_quaternion(Q)
    w, v = vec3.load(v_out, k), vec3.load(v_out, k + 3)
    rate = vec3.add(vec3.load(vdot, k + 3), vec3.cross(vec3.load(u, k), vec3.load(u, k + 3)))
    moving = mat3.transform(R, vec3.add_scaled(v, h_v, rate))
    w = vec3.add_scaled(w, h_v, vec3.load(vdot, k))
    turned = rotation.multiply_quaternions(Q, rotation.exp_quaternion(vec3.scale(dt, w)))
    X, Y, Z, W = rotation.normalise(turned)
    vec3.store(v_out, k, w)
    vec3.store(v_out, k + 3, mat3.transform_back(rotation.from_quaternion((X, Y, Z, W)), moving))
    k = body.q0
    vec3.store(q_out, k, vec3.add_scaled(vec3.load(q_out, k), dt, moving))
    q_out[k + 3], q_out[k + 4], q_out[k + 5], q_out[k + 6] = X, Y, Z, W


@kernel(inline=True)
def reach(body, q_to, q, v, u, dt, h_v, vdot_out):
    """The acceleration with which `advance` leads to `q_to`."""
    k = body.v0
    Q = quaternion(body, q)
    turn = rotation.multiply_quaternions(rotation.conjugate(Q), quaternion(body, q_to))
    w = vec3.scale(1.0 / dt, rotation.log_quaternion(rotation.normalise(turn)))
    apart = vec3.subtract(vec3.load(q_to, body.q0), vec3.load(q, body.q0))
    moving = vec3.scale(1.0 / dt, mat3.transform_back(rotation.from_quaternion(Q), apart))
    rate = vec3.scale(1.0 / h_v, vec3.subtract(moving, vec3.load(v, k + 3)))
    vec3.store(vdot_out, k, vec3.scale(1.0 / h_v, vec3.subtract(w, vec3.load(v, k))))
    vec3.store(vdot_out, k + 3, vec3.subtract(rate, vec3.cross(vec3.load(u, k), vec3.load(u, k + 3))))


@kernel(inline=True)
def difference(body, q_from, q_to, dq_out):
    """log(T_from⁻¹ T_to), the logarithm of SE(3)."""
    Q = quaternion(body, q_from)
    step = rotation.multiply_quaternions(rotation.conjugate(Q), quaternion(body, q_to))
    x = rotation.log_quaternion(rotation.normalise(step))
    apart = vec3.subtract(vec3.load(q_to, body.q0), vec3.load(q_from, body.q0))
    moved = mat3.transform_back(rotation.from_quaternion(Q), apart)
    vec3.store(dq_out, body.v0, x)
    vec3.store(dq_out, body.v0 + 3, rotation.left_jacobian_inverse(x, moved))


@kernel(inline=True)
def displacement(body, q_rest, q, x_out):
    """Turn and shift of a spring, along body axes: `log(R_restᵀ R)` and `Rᵀ (p - p_rest)`.

    Unlike the logarithm of SE(3) its squares are an energy whose gradient is `k x`.
    """
    Q = quaternion(body, q)
    turn = rotation.multiply_quaternions(rotation.conjugate(quaternion(body, q_rest)), Q)
    apart = vec3.subtract(vec3.load(q, body.q0), vec3.load(q_rest, body.q0))
    vec3.store(x_out, body.v0, rotation.log_quaternion(rotation.normalise(turn)))
    vec3.store(x_out, body.v0 + 3, mat3.transform_back(rotation.from_quaternion(Q), apart))


@kernel(inline=True)
def tangent_rate(body, x, u, rate_out):
    """Rate of x in T exp(x) when the body moves with twist u, to fourth order: `u + ad(x)u/2 + ad(x)²u/12`.

    The next term of the series is of the fourth power of x, beyond what a fourth-order integrator can see.
    """
    k = body.v0
    xw, xv = vec3.load(x, k), vec3.load(x, k + 3)
    w, v = vec3.load(u, k), vec3.load(u, k + 3)
    aw = vec3.cross(xw, w)
    av = vec3.add(vec3.cross(xv, w), vec3.cross(xw, v))
    bw = vec3.cross(xw, aw)
    bv = vec3.add(vec3.cross(xv, aw), vec3.cross(xw, av))
    vec3.store(rate_out, k, vec3.add_scaled(vec3.add_scaled(w, 0.5, aw), 1.0 / 12.0, bw))
    vec3.store(rate_out, k + 3, vec3.add_scaled(vec3.add_scaled(v, 0.5, av), 1.0 / 12.0, bv))


FREE = JointType(
    name="free",
    code=7,
    nq=7,
    dof_names=("wx", "wy", "wz", "vx", "vy", "vz"),
    angular=(True, True, True, False, False, False),
    limit_names=(),
    neutral=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    sequential=False,
    loose=True,
    pose=pose,
    axis=axis,
    integrate=integrate,
    advance=advance,
    reach=reach,
    difference=difference,
    displacement=displacement,
    tangent_rate=tangent_rate,
)
