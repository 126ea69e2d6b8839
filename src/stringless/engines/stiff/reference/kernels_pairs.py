"""The pair of bodies that a joint connects, each with a pose of its own, as the joint sees them.

In maximal coordinates a body has a row of 13 numbers: position of its centre of mass, turn of its axes (unit quaternion
x, y, z, w), angular velocity, velocity of the centre of mass, all in the world. A body without mass takes its origin as its
centre. Displacements and velocities of a body are (angular, linear) at its centre of mass.

What a joint sees of two such motions is the relative twist at the carried body's origin,

    V_rel = (w_c - w_p,  v_c + w_c x r_c - v_p - w_p x r_p),

with r from each centre of mass to that point: the motion of the carried body as seen from the one that carries it.
"""

from __future__ import annotations

import numpy as np

from stringless.engines.stiff.kernels_momentum import own_center
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

REVOLUTE, PRISMATIC, UNIVERSAL = registry.REVOLUTE, registry.PRISMATIC, registry.UNIVERSAL
BALL, PLANAR, TRANSLATIONAL, FREE = registry.BALL, registry.PLANAR, registry.TRANSLATIONAL, registry.FREE
INT, REAL = np.int64, np.float64
POSE_ROW = 13
"""Numbers of a body: centre of mass 0 to 2, quaternion 3 to 6, angular velocity 7 to 9, velocity 10 to 12."""
TURN, SPIN, MOVE = 3, 7, 10

PAIR_WORK = np.dtype(
    [
        # Where the bodies are.
        ("R", REAL, (9,)),  # axes of the carried body
        ("R_J", REAL, (9,)),  # axes of the joint's place in the carrying body
        ("r_c", REAL, (3,)),  # from the carried body's centre of mass to its origin [m]
        ("r_p", REAL, (3,)),  # from the carrying body's centre of mass to the same point [m]
        ("d", REAL, (3,)),  # from the joint's place to the same point [m]
        ("V", REAL, (6,)),  # relative twist
        # Coordinates: effort e on coordinate k is the wrench e T_k on the carried body, and its rate is T_k · V_rel.
        ("duals", REAL, (36,)),  # T_k, six numbers each
        ("k", REAL, (6,)),  # stiffness, joint limits included
        ("c", REAL, (6,)),  # damping, joint limits included
        ("a", REAL, (6,)),  # inertia on the coordinate itself, its armature
        ("e", REAL, (6,)),  # effort
        ("x", REAL, (6,)),  # displacement of the spring
        # Limits of a ball joint that push back: directions, efforts, stiffnesses, dampings.
        ("limits", INT),
        ("limit", INT, (3,)),  # which one it is
        ("limit_n", REAL, (9,)),
        ("limit_e", REAL, (3,)),
        ("limit_k", REAL, (3,)),
        ("limit_c", REAL, (3,)),
        # Constraints: rows · V_rel + value / h = 0.
        ("turn_rows", INT),  # the first of them are about turns, the others about shifts
        ("rows", INT),
        ("row", REAL, (36,)),
        ("value", REAL, (6,)),  # how far the constraint is from being kept [rad or m]
        # What the joint's forces add to the system, at the carried body's origin.
        ("push", REAL, (6,)),  # impulse
        ("Z", REAL, (6, 6)),  # inertia: Z V_rel is what they resist with
    ],
    align=True,
)


@kernel(inline=True)
def store_row(at, Q, w, v, body_out):
    """Write the row of a body: where its centre of mass is, how it is turned, and how it moves."""
    vec3.store(body_out, 0, at)
    for k in range(4):
        body_out[TURN + k] = Q[k]
    vec3.store(body_out, SPIN, w)
    vec3.store(body_out, MOVE, v)


@kernel(inline=True)
def axes_of(bodies, i):
    """Rotation matrix of body i."""
    return rotation.from_quaternion((bodies[i, TURN], bodies[i, TURN + 1], bodies[i, TURN + 2], bodies[i, TURN + 3]))


@kernel(inline=True)
def relate(tree, i, bodies, pair_work):
    """Find the frames of the joint of body i, and its relative twist."""
    row, pair = tree[i], pair_work[i]
    p = row.parent
    R = axes_of(bodies, i)
    r_c = vec3.scale(-1.0, mat3.transform(R, own_center(row)))
    at = vec3.add(vec3.load(bodies[i], 0), r_c)
    w, w_p = vec3.load(bodies[i], SPIN), (0.0, 0.0, 0.0)
    v, v_p = vec3.add(vec3.load(bodies[i], MOVE), vec3.cross(w, r_c)), (0.0, 0.0, 0.0)
    R_J = mat3.load(row.R, 0)
    place = vec3.load(row.p, 0)
    r_p = at
    if p >= 0:
        R_P = mat3.load(pair_work[p].R, 0)
        R_J = mat3.multiply(R_P, R_J) if row.turned == 1 else R_P
        r_p = vec3.subtract(at, vec3.load(bodies[p], 0))
        place = vec3.add(vec3.load(pair_work[p].r_c, 0), mat3.transform(R_P, place))
        w_p = vec3.load(bodies[p], SPIN)
        v_p = vec3.add(vec3.load(bodies[p], MOVE), vec3.cross(w_p, r_p))
    mat3.store(pair.R, 0, R)
    mat3.store(pair.R_J, 0, R_J)
    vec3.store(pair.r_c, 0, r_c)
    vec3.store(pair.r_p, 0, r_p)
    vec3.store(pair.d, 0, vec3.subtract(r_p, place))
    vec3.store(pair.V, 0, vec3.subtract(w, w_p))
    vec3.store(pair.V, 3, vec3.subtract(v, v_p))
    set_axes(tree, i, pair_work)


@kernel(inline=True)
def column(R, k):
    """Axis k of a frame."""
    return R[k], R[3 + k], R[6 + k]


@kernel(inline=True)
def put_axis(k, is_turn, a, pair_out):
    """Store T of coordinate k, a turn about `a` or a shift along it."""
    for j in range(3):
        pair_out.duals[6 * k + j] = a[j] if is_turn else 0.0
        pair_out.duals[6 * k + 3 + j] = 0.0 if is_turn else a[j]


@kernel(inline=True)
def set_axes(tree, i, pair_work):
    """Directions T of the joint's coordinates: dual to its motion axes S, `T_k · S_j = 1` if k = j, else 0.

    Most are carried by the joint's place in the parent; those of ball and free joints, and the second axis of a universal
    joint, by the body.
    """
    row, pair = tree[i], pair_work[i]
    R, R_J = mat3.load(pair.R, 0), mat3.load(pair.R_J, 0)
    if row.kind == REVOLUTE or row.kind == PRISMATIC:
        put_axis(0, row.kind == REVOLUTE, mat3.transform(R_J, vec3.load(row.axes, 0)), pair)
    elif row.kind == UNIVERSAL:
        a, b = mat3.transform(R_J, vec3.load(row.axes, 0)), mat3.transform(R, vec3.load(row.axes, 3))
        cosine = vec3.dot(vec3.load(row.axes, 0), vec3.load(row.axes, 3))
        s = 1.0 / (1.0 - cosine * cosine)
        put_axis(0, True, vec3.scale(s, vec3.add_scaled(a, -cosine, b)), pair)
        put_axis(1, True, vec3.scale(s, vec3.add_scaled(b, -cosine, a)), pair)
    elif row.kind == PLANAR:
        for k in range(3):
            put_axis(k, k == 2, column(R_J, k), pair)
    elif row.kind == TRANSLATIONAL:
        for k in range(3):
            put_axis(k, False, column(R_J, k), pair)
    else:
        for k in range(row.nv):
            put_axis(k, k < 3, column(R, k % 3), pair)


@kernel(inline=True)
def along(T, k, w, v):
    """`T_k · (w, v)`, with T_k one of the rows of 6 numbers in T."""
    turn = T[6 * k] * w[0] + T[6 * k + 1] * w[1] + T[6 * k + 2] * w[2]
    return turn + T[6 * k + 3] * v[0] + T[6 * k + 4] * v[1] + T[6 * k + 5] * v[2]
