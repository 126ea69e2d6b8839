"""A motion between its keys: splines on the manifold."""

from __future__ import annotations

from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

BALL, FREE = registry.BALL, registry.FREE
UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel(inline=True)
def load4(values, k):
    """Read a quaternion from `values[k:]`."""
    return values[k], values[k + 1], values[k + 2], values[k + 3]


@kernel
def find_chords(tree, q, chord_out):
    """The straight way from each configuration to the next: rotation vectors, and differences of all else."""
    for i in range(chord_out.shape[0]):
        for b in range(tree.shape[0]):
            row = tree[b]
            k, at, rest = row.q0, row.v0, row.nv
            if row.kind == BALL or row.kind == FREE:
                turn = k + 3 if row.kind == FREE else k
                apart = rotation.multiply_quaternions(rotation.conjugate(load4(q[i], turn)), load4(q[i + 1], turn))
                d = rotation.log_quaternion(rotation.normalise(apart))
                vec3.store(chord_out[i], at, d)
                at, rest = at + 3, rest - 3
            for n in range(rest):
                chord_out[i, at + n] = q[i + 1, k + n] - q[i, k + n]


@kernel(inline=True)
def cubic(s, T, v0, d, v1):
    """Value and rate of the cubic over the time T that leaves 0 with rate v0 and reaches d with rate v1, at the share s."""
    x = T * s * (1.0 - s) * (1.0 - s) * v0 + s * s * (3.0 - 2.0 * s) * d + T * s * s * (s - 1.0) * v1
    rate = (1.0 - s) * (1.0 - 3.0 * s) * v0 + 6.0 * s * (1.0 - s) / T * d + s * (3.0 * s - 2.0) * v1
    return x, rate


@kernel
def sample_motion(tree, spline, times, q_out, v_out):
    """Configurations and velocities at `times`; before the first knot and after the last the motion stands still."""
    knots = spline.knots
    last = knots.shape[0] - 2
    i = 0
    for n in range(times.shape[0]):
        t = min(max(times[n], knots[0]), knots[last + 1])
        outside = t != times[n]
        if t < knots[i]:
            i = 0
        while i < last and t >= knots[i + 1]:
            i += 1
        T = knots[i + 1] - knots[i]
        s = (t - knots[i]) / T
        for b in range(tree.shape[0]):
            sample_joint(tree[b], spline, i, s, T, n, q_out, v_out)
        if outside:
            for d in range(v_out.shape[1]):
                v_out[n, d] = 0.0


@kernel(inline=True)
def sample_joint(row, spline, i, s, T, n, q_out, v_out):
    """One joint within interval i, to row n."""
    q_knots, chord, rates = spline.q, spline.chords, spline.rates
    k, at, count = row.q0, row.v0, row.nv
    R = UNTURNED
    if row.kind == BALL or row.kind == FREE:
        turn = k + 3 if row.kind == FREE else k
        d = vec3.load(chord[i], at)
        w0, w1 = vec3.load(rates[i], at), rotation.right_jacobian_inverse(d, vec3.load(rates[i + 1], at))
        a, b, c = cubic(s, T, w0[0], d[0], w1[0]), cubic(s, T, w0[1], d[1], w1[1]), cubic(s, T, w0[2], d[2], w1[2])
        x, rate = (a[0], b[0], c[0]), (a[1], b[1], c[1])
        Q = rotation.multiply_quaternions(load4(q_knots[i], turn), rotation.exp_quaternion(x))
        Q = rotation.normalise(Q)
        w = rotation.left_jacobian(vec3.scale(-1.0, x), rate)
        q_out[n, turn], q_out[n, turn + 1], q_out[n, turn + 2], q_out[n, turn + 3] = Q
        vec3.store(v_out[n], at, w)
        R = rotation.from_quaternion(Q)
        at, count = at + 3, count - 3
    for m in range(count):
        x_m, rate_m = cubic(s, T, rates[i, at + m], chord[i, at + m], rates[i + 1, at + m])
        q_out[n, k + m] = q_knots[i, k + m] + x_m
        v_out[n, at + m] = rate_m
    if row.kind == FREE:
        vec3.store(v_out[n], at, mat3.transform_back(R, vec3.load(v_out[n], at)))
