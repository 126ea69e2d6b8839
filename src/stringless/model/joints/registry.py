"""All joint types, and the kernels' way to the right one.

To add a joint type: write its file, then name it in `JOINT_TYPES`, in `pose` and in `axis` below. Only a type whose
configuration is not a vector, or whose limits are not its coordinates, also appears in the others.
"""

from __future__ import annotations

from stringless.jit import kernel
from stringless.model.joints import (
    ball,
    fixed,
    free,
    planar,
    prismatic,
    revolute,
    translational,
    universal,
)
from stringless.model.joints.base import JointType

JOINT_TYPES: dict[str, JointType] = {
    joint.name: joint
    for joint in (
        fixed.FIXED,
        revolute.REVOLUTE,
        prismatic.PRISMATIC,
        universal.UNIVERSAL,
        ball.BALL,
        planar.PLANAR,
        translational.TRANSLATIONAL,
        free.FREE,
    )
}

FIXED = fixed.FIXED.code
REVOLUTE = revolute.REVOLUTE.code
PRISMATIC = prismatic.PRISMATIC.code
UNIVERSAL = universal.UNIVERSAL.code
BALL = ball.BALL.code
PLANAR = planar.PLANAR.code
TRANSLATIONAL = translational.TRANSLATIONAL.code
FREE = free.FREE.code


@kernel(inline=True)
def pose(body, q):
    """T_J(q): rotation and position of the moving frame in the joint frame."""
    if body.kind == REVOLUTE:
        return revolute.pose(body, q)
    if body.kind == BALL:
        return ball.pose(body, q)
    if body.kind == PRISMATIC:
        return prismatic.pose(body, q)
    if body.kind == UNIVERSAL:
        return universal.pose(body, q)
    if body.kind == PLANAR:
        return planar.pose(body, q)
    if body.kind == TRANSLATIONAL:
        return translational.pose(body, q)
    if body.kind == FREE:
        return free.pose(body, q)
    return fixed.pose(body, q)


@kernel(inline=True)
def axis(body, q, k):
    """The axis that coordinate k turns about or slides along, through the body origin, along body axes."""
    if body.kind == REVOLUTE:
        return revolute.axis(body, q, k)
    if body.kind == BALL:
        return ball.axis(body, q, k)
    if body.kind == PRISMATIC:
        return prismatic.axis(body, q, k)
    if body.kind == UNIVERSAL:
        return universal.axis(body, q, k)
    if body.kind == PLANAR:
        return planar.axis(body, q, k)
    if body.kind == TRANSLATIONAL:
        return translational.axis(body, q, k)
    return free.axis(body, q, k)


@kernel(inline=True)
def integrate(body, q, dq, dt, q_out):
    """Write q ⊕ dt dq for this joint."""
    if body.kind == BALL:
        ball.integrate(body, q, dq, dt, q_out)
    elif body.kind == FREE:
        free.integrate(body, q, dq, dt, q_out)
    else:
        for k in range(body.nv):
            q_out[body.q0 + k] = q[body.q0 + k] + dt * dq[body.v0 + k]


@kernel(inline=True)
def advance(body, u, vdot, dt, kick, q_out, v_out):
    """One step of symplectic Euler in place: `v+ = v + kick vdot`, `q+ = q ⊕ h v+`; `kick` is h in an even row of steps.

    `u` is the velocity from which the velocity products in `vdot` were taken.
    """
    if body.kind == FREE:
        free.advance(body, u, vdot, dt, kick, q_out, v_out)
    else:
        for d in range(body.v0, body.v0 + body.nv):
            v_out[d] += kick * vdot[d]
        if body.kind == BALL:
            ball.integrate(body, q_out, v_out, dt, q_out)
        else:
            for k in range(body.nv):
                q_out[body.q0 + k] += dt * v_out[body.v0 + k]


@kernel(inline=True)
def reach(body, q_to, q, v, u, dt, kick, vdot_out):
    """Write the acceleration with which `advance` leads from (q, v) to the configuration `q_to` in the time `dt`.

    That may be several steps: the velocity is that of the straight way there.
    """
    if body.kind == FREE:
        free.reach(body, q_to, q, v, u, dt, kick, vdot_out)
    else:
        difference(body, q, q_to, vdot_out)
        for d in range(body.v0, body.v0 + body.nv):
            vdot_out[d] = (vdot_out[d] / dt - v[d]) / kick


@kernel(inline=True)
def difference(body, q_from, q_to, dq_out):
    """Write q_to ⊖ q_from for this joint, so that q_from ⊕ (q_to ⊖ q_from) = q_to."""
    if body.kind == BALL:
        ball.difference(body, q_from, q_to, dq_out)
    elif body.kind == FREE:
        free.difference(body, q_from, q_to, dq_out)
    else:
        for k in range(body.nv):
            dq_out[body.v0 + k] = q_to[body.q0 + k] - q_from[body.q0 + k]


@kernel(inline=True)
def stretch(body, q_rest, q, x_out):
    """Write how far the joint's spring is stretched; its effort is `-k x`, its energy `½ k x²`."""
    if body.kind == FREE:
        free.stretch(body, q_rest, q, x_out)
    else:
        difference(body, q_rest, q, x_out)


@kernel(inline=True)
def tangent_rate(body, x, u, rate_out):
    """Write dx/dt for q = q_0 ⊕ x moving with velocity u."""
    if body.kind == BALL:
        ball.tangent_rate(body, x, u, rate_out)
    elif body.kind == FREE:
        free.tangent_rate(body, x, u, rate_out)
    else:
        for k in range(body.nv):
            rate_out[body.v0 + k] = u[body.v0 + k]


@kernel(inline=True)
def limit(body, q, k):
    """Value of limit coordinate k, and its gradient by the joint's first three velocity coordinates."""
    if body.kind == BALL:
        return ball.limit(body, q, k)
    gradient = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    return q[body.q0 + k], gradient
