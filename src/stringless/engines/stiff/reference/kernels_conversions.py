"""Between joint coordinates and the poses and velocities of bodies, both ways."""

from __future__ import annotations

import math

from stringless.engines.stiff.kernels_momentum import own_center
from stringless.engines.stiff.kernels_poses import store_quaternion
from stringless.engines.stiff.reference.kernels_joint_rows import opening, set_rows
from stringless.engines.stiff.reference.kernels_pairs import MOVE, SPIN, along, axes_of, relate, store_row
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

REVOLUTE, PRISMATIC, UNIVERSAL = registry.REVOLUTE, registry.PRISMATIC, registry.UNIVERSAL
BALL, PLANAR, TRANSLATIONAL, FREE = registry.BALL, registry.PLANAR, registry.TRANSLATIONAL, registry.FREE
TWO_PI = 2.0 * math.pi
ZERO = (0.0, 0.0, 0.0)


@kernel
def bodies_from_joints(tree, dofs, q, v, bodies_out):
    """Rows of all bodies (`pairs.POSE_ROW`) from coordinates and velocities of joints: whole joints, to rounding."""
    for i in range(tree.shape[0]):
        row = tree[i]
        R, r = registry.pose(row, q)
        if row.turned == 1:
            R_X = mat3.load(row.R, 0)
            R, r = mat3.multiply(R_X, R), mat3.transform(R_X, r)
        at = vec3.add(vec3.load(row.p, 0), r)
        w, u = ZERO, ZERO
        if row.parent >= 0:
            parent = bodies_out[row.parent]
            R_P = axes_of(bodies_out, row.parent)
            R = mat3.multiply(R_P, R)
            r = mat3.transform(R_P, vec3.subtract(at, own_center(tree[row.parent])))
            at = vec3.add(vec3.load(parent, 0), r)
            w = vec3.load(parent, SPIN)
            u = vec3.add(vec3.load(parent, MOVE), vec3.cross(w, r))
        for k in range(row.nv):
            a = mat3.transform(R, registry.axis(row, q, k))
            if dofs[row.v0 + k].rotational == 1:
                w = vec3.add_scaled(w, v[row.v0 + k], a)
            else:
                u = vec3.add_scaled(u, v[row.v0 + k], a)
        c = mat3.transform(R, own_center(row))
        store_row(vec3.add(at, c), rotation.to_quaternion(R), w, vec3.add(u, vec3.cross(w, c)), bodies_out[i])


@kernel(inline=True)
def near(angle, before):
    """The same angle, whole turns added so that it is nearest to `before`."""
    return angle + TWO_PI * math.floor((before - angle) / TWO_PI + 0.5)


@kernel(inline=True)
def turn_about(a, Q):
    """Angle of the turn Q about the unit axis a, whatever else it turns."""
    return 2.0 * math.atan2(Q[0] * a[0] + Q[1] * a[1] + Q[2] * a[2], Q[3])


@kernel(inline=True)
def angle_about(a, b, c):
    """Angle from b to c about the unit axis a."""
    b = vec3.add_scaled(b, -vec3.dot(a, b), a)
    c = vec3.add_scaled(c, -vec3.dot(a, c), a)
    return math.atan2(vec3.dot(a, vec3.cross(b, c)), vec3.dot(b, c))


@kernel(inline=True)
def project(tree, i, pair, q_out):
    """Coordinates of the joint of body i that come nearest to the relative pose; `q_out` holds the last ones."""
    row = tree[i]
    at = row.q0
    R_J = mat3.load(pair.R_J, 0)
    R = mat3.multiply(mat3.transpose(R_J), mat3.load(pair.R, 0))
    d = mat3.transform_back(R_J, vec3.load(pair.d, 0))
    a, b = vec3.load(row.axes, 0), vec3.load(row.axes, 3)
    if row.kind == REVOLUTE:
        q_out[at] = near(turn_about(a, rotation.to_quaternion(R)), q_out[at])
    elif row.kind == PRISMATIC:
        q_out[at] = vec3.dot(a, d)
    elif row.kind == UNIVERSAL:
        q_out[at] = near(angle_about(a, b, mat3.transform(R, b)), q_out[at])
        q_out[at + 1] = near(angle_about(b, mat3.transform_back(R, a), a), q_out[at + 1])
    elif row.kind == BALL:
        store_quaternion(at, rotation.to_quaternion(R), q_out)
    elif row.kind == PLANAR:
        q_out[at], q_out[at + 1] = d[0], d[1]
        q_out[at + 2] = near(turn_about((0.0, 0.0, 1.0), rotation.to_quaternion(R)), q_out[at + 2])
    elif row.kind == TRANSLATIONAL:
        vec3.store(q_out, at, d)
    elif row.kind == FREE:
        vec3.store(q_out, at, d)
        store_quaternion(at + 3, rotation.to_quaternion(R), q_out)


@kernel
def see_joints(tree, bodies, pair_work, q_out):
    """Pairs and coordinates of all joints from the rows of bodies; returns the largest gap [m] and misalignment [rad].

    `q_out` must hold the coordinates from before: angles stay continuous with them.
    """
    gap, turn = 0.0, 0.0
    for i in range(tree.shape[0]):
        relate(tree, i, bodies, pair_work)
        set_rows(tree, i, pair_work)
        project(tree, i, pair_work[i], q_out)
        open_by, turned_by = opening(tree, i, pair_work[i])
        gap, turn = max(gap, open_by), max(turn, turned_by)
    return gap, turn


@kernel
def joints_from_bodies(tree, bodies, pair_work, q_out, v_out):
    """Coordinates and velocities of joints from the rows of bodies, otherwise as `see_joints`.

    What keeps the bodies of a joint from being where its coordinates say, the gaps, coordinates cannot tell.
    """
    gap, turn = see_joints(tree, bodies, pair_work, q_out)
    for i in range(tree.shape[0]):
        pair = pair_work[i]
        for k in range(tree[i].nv):
            v_out[tree[i].v0 + k] = along(pair.duals, k, vec3.load(pair.V, 0), vec3.load(pair.V, 3))
    return gap, turn
