"""The way from the end velocities of a step to the next poses: joint coordinates move on, bodies follow them.

Coordinates that are vectors move by `h s`. Ball and free joints turn their bodies in the world, `R+ = exp(h w) R`, and take
the coordinates that fit.
"""

from __future__ import annotations

import math

from stringless.engines.stiff.kernels_momentum import central_inertia, own_center
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose
from stringless.model.joints import ball, registry
from stringless.spatial import mat3, rotation, vec3

BALL, FREE = registry.BALL, registry.FREE
ITERATIONS = 12
"""Of Newton's method for the turn of a body; three are many where it turns by less than a radian in a step."""
CONVERGED = 1e-13
"""Share of its momentum that may be wrong then."""
FARTHEST = 1.5
"""Half of the turn over a step to which that goes on as it should [rad]; beyond, bodies turn less."""


@kernel(inline=True)
def take_velocities(tree, dofs, gravity, vdot, h, body_work, v_out):
    """Velocities of joints and bodies after the solved accelerations have acted for a step."""
    for d in range(dofs.shape[0]):
        v_out[d] += h * vdot[d]
    fall = (gravity[0], gravity[1], gravity[2])
    for i in range(tree.shape[0]):
        work = body_work[i]
        vec3.store(work.V, 0, vec3.add_scaled(vec3.load(work.V, 0), h, vec3.load(work.A, 0)))
        vec3.store(work.V, 3, vec3.add_scaled(vec3.load(work.V, 3), h, vec3.add(vec3.load(work.A, 3), fall)))


@kernel(inline=True)
def store_quaternion(k, Q, q_out):
    """Write a quaternion, with the sign that is nearer to what is there: it tells how a spring was wound."""
    s = Q[0] * q_out[k] + Q[1] * q_out[k + 1] + Q[2] * q_out[k + 2] + Q[3] * q_out[k + 3]
    sign = -1.0 if s < 0.0 else 1.0
    for j in range(4):
        q_out[k + j] = sign * Q[j]


@kernel(inline=True)
def half_tangent(z):
    """`tan(x)/x` and its derivative by `z = x²`. Near a quarter of a turn the tangent is continued by a straight line."""
    if z < 0.04:
        value = 1.0 + z * (
            1.0 / 3.0 + z * (2.0 / 15.0 + z * (17.0 / 315.0 + z * (62.0 / 2835.0 + z * 1382.0 / 155925.0)))
        )
        return value, 1.0 / 3.0 + z * (4.0 / 15.0 + z * (17.0 / 105.0 + z * (248.0 / 2835.0)))
    x = math.sqrt(z)
    t = math.tan(min(x, FARTHEST))
    slope = 1.0 + t * t
    t += slope * max(x - FARTHEST, 0.0)
    return t / x, 0.5 * (x * slope - t) / (x * z)


@kernel(inline=True)
def middle_turn(I, start, h):
    """The rate at which an inertia turns on that begins with `start` and keeps its momentum, along axes as the step begins.

    It turns about u by `2x = h |u|`. With L its momentum as the step begins and L' as it ends, seen from the inertia, their
    mean is `M = L - tan(x) u/|u| x M`, and the change `-2 tan(x) u/|u| x M`. If `M = I u`, that change does no work: the energy
    is kept, however thin the body. So `I u + tan(x)/|u| u x I u = L`, by Newton's method. Turning on with `start` itself would
    gain energy step by step.
    """
    L = mat3.transform_symmetric(I, start)
    enough = CONVERGED * CONVERGED * vec3.dot(L, L)
    half = 0.5 * h
    u = start
    for _ in range(ITERATIONS):
        ratio, by_square = half_tangent(half * half * vec3.dot(u, u))
        k = half * ratio
        M = mat3.transform_symmetric(I, u)
        twist = vec3.cross(u, M)
        off = vec3.subtract(vec3.add_scaled(M, k, twist), L)
        if vec3.dot(off, off) <= enough:
            x = half * math.sqrt(vec3.dot(u, u))
            return vec3.scale(math.atan(k / half * x) / x, u) if x > FARTHEST else u
        s = 2.0 * half * half * half * by_square
        a = column(0, (I[0], I[3], I[4]), k, s, u, M, twist)
        b = column(1, (I[3], I[1], I[5]), k, s, u, M, twist)
        c = column(2, (I[4], I[5], I[2]), k, s, u, M, twist)
        across = vec3.cross(b, c)
        det = vec3.dot(a, across)
        if det == 0.0:
            return start
        change = (vec3.dot(off, across), vec3.dot(a, vec3.cross(off, c)), vec3.dot(a, vec3.cross(b, off)))
        u = vec3.add_scaled(u, -1.0 / det, change)
    return start


@kernel(inline=True)
def column(j, I_j, k, s, u, M, twist):
    """Column j of the derivative of `I u + k u x I u` by u."""
    e = vec3.unit(j)
    change = vec3.subtract(vec3.cross(u, I_j), vec3.cross(M, e))
    return vec3.add_scaled(vec3.add_scaled(I_j, k, change), s * u[j], twist)


@kernel(inline=True)
def middle_rate(row, h, w, R):
    """Angular velocity in the middle of a step that begins with w, of a body for itself."""
    I = central_inertia(row)
    if I[0] * I[1] * I[2] <= 0.0:
        return w
    return mat3.transform(R, middle_turn(I, mat3.transform_back(R, w), h))


@kernel(inline=True)
def store_free_velocity(tree, i, R_old, body_work, v_out):
    """Velocity of a free joint's body, whose centre of mass moves straight on, along the axes that it has turned to."""
    row, work = tree[i], body_work[i]
    R = mat3.load(work.R, 0)
    w = vec3.load(work.V, 0)
    arm = own_center(row)
    other = vec3.subtract(mat3.transform(R_old, arm), mat3.transform(R, arm))
    v = vec3.add(vec3.load(work.V, 3), vec3.cross(w, other))
    if row.parent >= 0:
        parent = body_work[row.parent]
        apart = vec3.subtract(vec3.load(work.p, 0), vec3.load(parent.p, 0))
        v = vec3.subtract(v, vec3.add(vec3.load(parent.V, 3), vec3.cross(vec3.load(parent.V, 0), apart)))
    vec3.store(v_out, row.v0 + 3, mat3.transform_back(R, v))


@kernel(inline=True)
def turn_joint(tree, i, h, share, tree_work, body_work, q_out, v_out):
    """Coordinates and pose of a ball or free joint whose body turns on in the world, its parent standing where it will.

    The centre of mass of a free body moves straight on, and its velocity is given along the new axes. Rates of turning stay
    as they were solved for: an armature counts with their change.
    """
    row = tree[i]
    work = body_work[i]
    is_free = row.kind == FREE
    w = vec3.load(work.V, 0)
    R_old = mat3.load(work.R, 0)
    whole = tree_work[tree_work[row.root].head]
    rate = vec3.add(w, vec3.load(whole.lead, 0)) if whole.floating == 1 else middle_rate(row, h, w, R_old)
    R = mat3.multiply(rotation.exp_matrix(vec3.scale(h, rate)), R_old)
    turned = R
    if row.parent >= 0:
        turned = mat3.multiply(mat3.transpose(mat3.load(body_work[row.parent].R, 0)), turned)
    if row.turned == 1:
        turned = mat3.multiply(mat3.transpose(mat3.load(row.R, 0)), turned)
    Q = rotation.to_quaternion(turned)
    if share < 1.0:
        old = ball.quaternion(row, q_out)
        way = rotation.log_quaternion(rotation.normalise(rotation.multiply_quaternions(rotation.conjugate(old), Q)))
        Q = rotation.multiply_quaternions(old, rotation.exp_quaternion(vec3.scale(share, way)))
    store_quaternion(row.q0 + (3 if is_free else 0), Q, q_out)
    if is_free:
        arm = own_center(row)
        c, c_new = mat3.transform(R_old, arm), mat3.transform(R, arm)
        moving = vec3.add(vec3.load(work.V, 3), vec3.cross(w, c))
        p = vec3.subtract(vec3.add_scaled(vec3.add(vec3.load(work.p, 0), c), h, moving), c_new)
        if row.parent >= 0:
            parent = body_work[row.parent]
            p = mat3.transform_back(mat3.load(parent.R, 0), vec3.subtract(p, vec3.load(parent.p, 0)))
        p = vec3.subtract(p, vec3.load(row.p, 0))
        if row.turned == 1:
            p = mat3.transform_back(mat3.load(row.R, 0), p)
        vec3.store(q_out, row.q0, p)
    if is_free or share < 1.0:
        find_pose(tree, i, q_out, body_work)
        if is_free:
            store_free_velocity(tree, i, R_old, body_work, v_out)
        return
    # Its rotation is known: going back to it by the quaternion, as `find_pose` does, would keep its children waiting.
    mat3.store(work.R, 0, R)
    r = vec3.load(row.p, 0)
    if row.parent >= 0:
        r = mat3.transform(mat3.load(body_work[row.parent].R, 0), r)
        vec3.store(work.r, 0, r)
        r = vec3.add(vec3.load(body_work[row.parent].p, 0), r)
    vec3.store(work.p, 0, r)


@kernel(inline=True)
def allowed_share(row, limit_states):
    """Share of its way that a ball joint may go before the first limit that was not solved for."""
    share = 1.0
    for j in range(row.nl):
        share = min(share, limit_states[row.l0 + j].share)
    return share


@kernel(inline=True)
def find_followed_pose(tree, i, target, body_work, q_out, v_out):
    """Put a joint that follows a path where it is."""
    row = tree[i]
    R_old = mat3.load(body_work[i].R, 0)
    for k in range(row.q0, row.q0 + row.nq):
        q_out[k] = target[k]
    find_pose(tree, i, q_out, body_work)
    if row.kind == FREE:
        store_free_velocity(tree, i, R_old, body_work, v_out)


@kernel
def move_joints(tree, state, followed, h, is_open, work):
    """Next coordinates of all joints, and with them the next poses of all bodies.

    Roots first: a ball joint must know where its parent will stand. `is_open` says that not all limits are settled.
    """
    q, v, bodies, limits = state.q, state.v, work.bodies, work.limits
    for i in range(tree.shape[0]):
        row = tree[i]
        if followed.shape[0] > 0 and row.nv > 0 and followed[row.v0]:
            find_followed_pose(tree, i, work.target, bodies, q, v)
        elif row.kind == BALL or row.kind == FREE:
            share = allowed_share(row, limits) if is_open else 1.0
            turn_joint(tree, i, h, share, work.trees, bodies, q, v)
        else:
            for k in range(row.nv):
                share = limits[row.l0 + k].share if is_open and k < row.nl else 1.0
                q[row.q0 + k] += h * share * v[row.v0 + k]
            find_pose(tree, i, q, bodies)
