"""The way from the end velocities of a step to the next poses: joint coordinates move on, bodies follow them.

Coordinates that are vectors move by `h s`. Ball and free joints turn their bodies in the world, `R+ = exp(h w) R`, and take
the coordinates that fit.
"""

from __future__ import annotations

import math

from stringless.jit import kernel
from stringless.kinematics.kernels import place
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3
from stringless.stiff.momentum import spread

BALL, FREE = registry.BALL, registry.FREE
ITERATIONS = 2
"""To the middle of a step."""
FARTHEST = 0.5
"""How far the rate in the middle of a step may be from that at its beginning, as a share of it."""


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
def put_quaternion(k, Q, q_out):
    """Write a quaternion, with the sign that is nearer to what is there."""
    s = Q[0] * q_out[k] + Q[1] * q_out[k + 1] + Q[2] * q_out[k + 2] + Q[3] * q_out[k + 3]
    sign = -1.0 if s < 0.0 else 1.0
    for j in range(4):
        q_out[k + j] = sign * Q[j]


@kernel(inline=True)
def middle_rate(row, h, w, R):
    """Angular velocity in the middle of a step that begins with w, of a body that keeps its angular momentum meanwhile.

    With `L = I(R) w`, the implicit rule of the midpoint `u = I(exp(h u/2) R)⁻¹ L`, by a few iterations: turning on with w
    itself would gain energy step by step.
    """
    arm = vec3.scale(1.0 / row.mass, vec3.load(row.h, 0)) if row.mass > 0.0 else (0.0, 0.0, 0.0)
    I = mat3.add_symmetric(mat3.load_symmetric(row.I_o, 0), spread(-row.mass, arm))
    if I[0] * I[1] * I[2] <= 0.0:
        return w
    L = mat3.transform(R, mat3.transform_symmetric(I, mat3.transform_back(R, w)))
    u = w
    for _ in range(ITERATIONS):
        half = rotation.from_quaternion(rotation.exp_quaternion(vec3.scale(0.5 * h, u)))
        there = mat3.multiply(half, R)
        new = mat3.transform(there, mat3.solve_symmetric(I, mat3.transform_back(there, L)))
        change = vec3.subtract(new, w)
        size, own = math.sqrt(vec3.dot(change, change)), math.sqrt(vec3.dot(w, w))
        share = 1.0 if size <= FARTHEST * own else FARTHEST * own / size
        u = vec3.add_scaled(w, share, change)
    return u


@kernel(inline=True)
def turn(tree, i, h, body_work, q_out, v_out):
    """Coordinates of a ball or free joint whose body turns on in the world, its parent standing where it will.

    The centre of mass of a free body moves straight on, and its velocity is given along the new axes. Rates of turning stay
    as they were solved for: an armature counts with their change.
    """
    row = tree[i]
    work = body_work[i]
    is_free = row.kind == FREE
    w, v = vec3.load(work.V, 0), vec3.load(work.V, 3)
    R_old = mat3.load(work.R, 0)
    step = rotation.exp_quaternion(vec3.scale(h, middle_rate(row, h, w, R_old)))
    R = mat3.multiply(rotation.from_quaternion(step), R_old)
    turned = R
    w_parent = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        R_P = mat3.load(body_work[row.parent].R, 0)
        turned = mat3.multiply(mat3.transpose(R_P), turned)
        w_parent = vec3.load(body_work[row.parent].V, 0)
    if row.turned == 1:
        turned = mat3.multiply(mat3.transpose(mat3.load(row.R, 0)), turned)
    put_quaternion(row.q0 + (3 if is_free else 0), rotation.to_quaternion(turned), q_out)
    if is_free:
        arm = vec3.scale(1.0 / row.mass, vec3.load(row.h, 0)) if row.mass > 0.0 else (0.0, 0.0, 0.0)
        c, c_new = mat3.transform(R_old, arm), mat3.transform(R, arm)
        moving = vec3.add(v, vec3.cross(w, c))
        p = vec3.subtract(vec3.add_scaled(vec3.add(vec3.load(work.p, 0), c), h, moving), c_new)
        v_new = vec3.subtract(moving, vec3.cross(w, c_new))
        if row.parent >= 0:
            parent = body_work[row.parent]
            apart = vec3.subtract(p, vec3.load(parent.p, 0))
            v_new = vec3.subtract(v_new, vec3.add(vec3.load(parent.V, 3), vec3.cross(w_parent, apart)))
            p = mat3.transform_back(mat3.load(parent.R, 0), apart)
        p = vec3.subtract(p, vec3.load(row.p, 0))
        if row.turned == 1:
            p = mat3.transform_back(mat3.load(row.R, 0), p)
        vec3.store(q_out, row.q0, p)
        vec3.store(v_out, row.v0 + 3, mat3.transform_back(R, v_new))


@kernel
def move_joints(tree, h, body_work, q_out, v_out):
    """Next coordinates of all joints, and with them the next poses of all bodies.

    Roots first: a ball joint must know where its parent will stand.
    """
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.kind == BALL or row.kind == FREE:
            turn(tree, i, h, body_work, q_out, v_out)
        else:
            for k in range(row.nv):
                q_out[row.q0 + k] += h * v_out[row.v0 + k]
        place(tree, i, q_out, body_work)
