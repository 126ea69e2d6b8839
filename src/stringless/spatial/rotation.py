"""Rotations: matrices, unit quaternions (x, y, z, w), exponential and logarithm.

docs/theory/articulated.md, section 1.3. The series below take over where the closed forms would divide small numbers.
"""

import math

from stringless.jit import kernel
from stringless.spatial import vec3
from stringless.spatial.trigonometry import angle_of, sincos

SMALL_ANGLE = 1e-3
"""Below this angle [rad] the series are exact to rounding (their next term is of order 1e-12 relative or less)."""


@kernel(inline=True)
def about_axis(a, angle):
    """Rotation matrix of a turn by `angle` about the unit axis `a` (Rodrigues)."""
    s, c = sincos(angle)
    return compose_turn(1.0 - c, s, c, a)


@kernel(inline=True)
def compose_turn(k, s, c, a):
    """Return `k a aᵀ + s [a] + c 1`."""
    kx, ky, kz = vec3.scale(k, a)
    sx, sy, sz = vec3.scale(s, a)
    x = (kx * a[0] + c, kx * a[1] - sz, kx * a[2] + sy)
    y = (ky * a[0] + sz, ky * a[1] + c, ky * a[2] - sx)
    z = (kz * a[0] - sy, kz * a[1] + sx, kz * a[2] + c)
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@kernel(inline=True)
def exp_matrix(x):
    """Rotation matrix of the rotation vector `x`: `1 + a [x] + b [x]²`, `a = sin t/t`, `b = (1 - cos t)/t²`, `t = |x|`.

    Up to half a radian both are taken by their series, which needs neither root nor division.
    """
    z = vec3.dot(x, x)
    if z > 0.25:
        t = math.sqrt(z)
        return about_axis(vec3.scale(1.0 / t, x), t)
    a = -1.0 / 5040.0 + z * (1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0)))
    a = 1.0 + z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * a))
    b = -1.0 / 40320.0 + z * (1.0 / 3628800.0 + z * (-1.0 / 479001600.0 + z * (1.0 / 87178291200.0)))
    b = 0.5 + z * (-1.0 / 24.0 + z * (1.0 / 720.0 + z * b))
    return compose_turn(b, a, 1.0 - b * z, x)


@kernel(inline=True)
def from_quaternion(q):
    """Rotation matrix of a quaternion, which need not be unit to the last digit."""
    x, y, z, w = q
    n = 2.0 / (x * x + y * y + z * z + w * w)
    xx, yy, zz = n * x * x, n * y * y, n * z * z
    xy, xz, yz = n * x * y, n * x * z, n * y * z
    wx, wy, wz = n * w * x, n * w * y, n * w * z
    return 1.0 - yy - zz, xy - wz, xz + wy, xy + wz, 1.0 - xx - zz, yz - wx, xz - wy, yz + wx, 1.0 - xx - yy


@kernel(inline=True)
def multiply_quaternions(a, b):
    """Compose two turns: first `b`, then `a`."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


@kernel(inline=True)
def conjugate(q):
    """The inverse turn."""
    return -q[0], -q[1], -q[2], q[3]


@kernel(inline=True)
def normalise(q):
    """The same turn with unit length."""
    s = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]


@kernel(inline=True)
def exp_quaternion(x):
    """Unit quaternion of the rotation vector `x`: `(sin(t/2)/t x, cos(t/2))`, `t = |x|`; up to half a radian by its series."""
    t2 = vec3.dot(x, x)
    if t2 > 0.25:
        t = math.sqrt(t2)
        s, w = sincos(0.5 * t)
        s /= t
    else:
        z = 0.25 * t2
        s = -1.0 / 5040.0 + z * (1.0 / 362880.0 + z * (-1.0 / 39916800.0 + z * (1.0 / 6227020800.0)))
        s = 0.5 + 0.5 * z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * s))
        w = -1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 + z * (1.0 / 479001600.0)))
        w = 1.0 + z * (-0.5 + z * (1.0 / 24.0 + z * w))
    return s * x[0], s * x[1], s * x[2], w


@kernel(inline=True)
def log_quaternion(q):
    """Rotation vector, at most half a turn long, of a quaternion, which need not be unit to the last digit.

    By the arc tangent; the arc cosine would lose half of the digits near the identity.
    """
    sign = 1.0 if q[3] >= 0.0 else -1.0
    x, y, z, w = sign * q[0], sign * q[1], sign * q[2], sign * q[3]
    n = math.sqrt(x * x + y * y + z * z)
    s = 2.0 / w if n < 1e-9 else 2.0 * angle_of(w, n) / n
    return s * x, s * y, s * z


@kernel(inline=True)
def right_jacobian_inverse(x, y):
    """Return `Jr(x)⁻¹ y = y + x×y/2 + c x×(x×y)`: rate of the rotation vector x when the body turns with y."""
    t2 = vec3.dot(x, x)
    t = math.sqrt(t2)
    # sin t vanishes at half a turn, where c is 1/pi²: the half-angle form has no such hole below a full turn.
    c = 1.0 / 12.0 + t2 / 720.0 if t < SMALL_ANGLE else (1.0 - 0.5 * t / math.tan(0.5 * t)) / t2
    xy = vec3.cross(x, y)
    xxy = vec3.cross(x, xy)
    return vec3.add_scaled(vec3.add_scaled(y, 0.5, xy), c, xxy)


@kernel(inline=True)
def left_jacobian(x, y):
    """Return `Jl(x) y = y + a x×y + b x×(x×y)`."""
    t2 = vec3.dot(x, x)
    t = math.sqrt(t2)
    if t < SMALL_ANGLE:
        a = 0.5 - t2 / 24.0
        b = 1.0 / 6.0 - t2 / 120.0
    else:
        half = math.sin(0.5 * t)
        a = 2.0 * half * half / t2
        b = (t - math.sin(t)) / (t2 * t)
    xy = vec3.cross(x, y)
    xxy = vec3.cross(x, xy)
    return vec3.add_scaled(vec3.add_scaled(y, a, xy), b, xxy)


@kernel(inline=True)
def left_jacobian_inverse(x, y):
    """Return `Jl(x)⁻¹ y = Jr(-x)⁻¹ y`."""
    return right_jacobian_inverse((-x[0], -x[1], -x[2]), y)


@kernel(inline=True)
def to_quaternion(R):
    """Unit quaternion of a rotation, by its largest component (Shepperd 1978)."""
    trace = R[0] + R[4] + R[8]
    if trace >= R[0] and trace >= R[4] and trace >= R[8]:
        Q = (R[7] - R[5], R[2] - R[6], R[3] - R[1], 1.0 + trace)
    elif R[0] >= R[4] and R[0] >= R[8]:
        Q = (1.0 + R[0] - R[4] - R[8], R[1] + R[3], R[2] + R[6], R[7] - R[5])
    elif R[4] >= R[8]:
        Q = (R[1] + R[3], 1.0 + R[4] - R[0] - R[8], R[5] + R[7], R[2] - R[6])
    else:
        Q = (R[2] + R[6], R[5] + R[7], 1.0 + R[8] - R[0] - R[4], R[3] - R[1])
    return normalise(Q)
