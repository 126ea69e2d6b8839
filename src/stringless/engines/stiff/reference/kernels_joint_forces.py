"""Forces between the two bodies of a joint: actuators, springs, dampers, armature and limits (docs/theory/stiff.md, section 3).

All of them act at the end of the step. Effort e on coordinate k is the wrench `e T_k` on the carried body and its opposite
on the other, at the same point; the rate of the coordinate is `T_k · V_rel`. With stiffness k, damping c and armature a,
such an effort adds `(a + h c + h² k) T Tᵀ` to what resists V_rel, and `h e + a s` to the impulse, e being its part that does
not depend on velocities.

How the slope of a turning spring is taken:

- PLAIN: k in all directions, as the condensed solve has it;
- SYMMETRIC: `k sym(Jl⁻¹(x))` of its rotation vector x in all four blocks of the pair, which keeps them definite;
- EXACT: the true derivatives of everything, which are not symmetric; `joint_slopes` adds them.
"""

from __future__ import annotations

import math

from stringless.engines.stiff.kernels_limits import limit_force, limit_gains, side_of
from stringless.flesh.kernels_motion import clear
from stringless.jit import kernel
from stringless.model.joints import ball, free, registry
from stringless.spatial import mat3, rotation, vec3

BALL, FREE = registry.BALL, registry.FREE
PLAIN, SYMMETRIC, EXACT = 0, 1, 2
FURTHEST_TURN = 1.25 * math.pi
"""How far a spring may be wound [rad] before it pulls the other, shorter way."""


@kernel(inline=True)
def wound(Q_rest, Q):
    """Rotation vector from rest to Q along body axes, in the branch that Q's sign tells, up to `FURTHEST_TURN`.

    The sign of Q is kept from step to step, so a spring that is turned beyond half a turn pulls on the way it came; if it
    flipped there, a stiff one would shake. Beyond the bound, or if the sign of Q means nothing, the shorter way is taken.
    """
    x, y, z, w = rotation.normalise(rotation.multiply_quaternions(rotation.conjugate(Q_rest), Q))
    n = math.sqrt(x * x + y * y + z * z)
    angle = 2.0 * math.atan2(n, w)
    if angle > FURTHEST_TURN:
        return rotation.log_quaternion((x, y, z, w))
    s = 2.0 if n < 1e-9 else angle / n
    return s * x, s * y, s * z


@kernel(inline=True)
def measure_springs(skeleton, i, q, work):
    """Displacements of the springs of the joint of body i, into its pair."""
    row, pair = skeleton.tree[i], work.pairs[i]
    for k in range(row.nv):
        pair.x[k] = 0.0
    if row.sprung == 0:
        return
    rest, x = skeleton.rest, work.displacement
    registry.displacement(row, rest, q, x)
    for k in range(row.nv):
        pair.x[k] = x[row.v0 + k]
    if row.kind == BALL:
        vec3.store(pair.x, 0, wound(ball.quaternion(row, rest), ball.quaternion(row, q)))
    elif row.kind == FREE:
        vec3.store(pair.x, 0, wound(free.quaternion(row, rest), free.quaternion(row, q)))


@kernel(inline=True)
def clear_forces(pair_out):
    """No forces act between the bodies of a pair."""
    clear(pair_out.Z)
    for n in range(6):
        pair_out.push[n] = 0.0


@kernel(inline=True)
def add_outer(s, T, at, Z_out):
    """`Z += s t tᵀ`, with t the 6 numbers `T[at:]`."""
    for r in range(6):
        a = s * T[at + r]
        for c in range(6):
            Z_out[r, c] += a * T[at + c]


@kernel(inline=True)
def push_of_limit(skeleton, i, j, state, settings, limit_states):
    """Limit j of the joint of body i: side that pushes (0 if none), its force at rest, stiffness, damping, rate, gradient.

    The law of `kernels_limits`. `limit_states` tells which of them push; where it is None, those do that would at the speed v.
    """
    row = skeleton.tree[i]
    limit = skeleton.limits[row.l0 + j]
    value, g = registry.limit(row, state.q, j)
    rate = 0.0
    for k in range(min(row.nv, 3)):
        rate += g[k] * state.v[row.v0 + k]
    h, frequency = settings.dt, settings.limit_frequency
    stiffness, damping = limit_gains(limit, frequency)
    side = (
        side_of(limit, value, value + h * rate, h, frequency) if limit_states is None else limit_states[row.l0 + j].side
    )
    still = limit_force(limit, side, value, value, h, frequency) if side != 0 else 0.0
    return side, still, stiffness, damping, rate, g


@kernel(inline=True)
def load_coordinates(skeleton, i, state, inputs, h, work):
    """Actuators, springs, dampers and armatures of the joint of body i: an effort, and an inertia that goes with it."""
    row, pair = skeleton.tree[i], work.pairs[i]
    measure_springs(skeleton, i, state.q, work)
    for k in range(row.nv):
        d = row.v0 + k
        dof = skeleton.dofs[d]
        pair.k[k], pair.c[k] = dof.stiffness, dof.damping
        still = -dof.stiffness * pair.x[k]
        if inputs.prescribed.shape[0] == 0 or not inputs.prescribed[d]:
            still += min(max(inputs.tau[d], -dof.effort), dof.effort)
        pair.a[k] = dof.armature
        pair.e[k] = still - dof.damping * state.v[d]
        impulse = h * still + dof.armature * state.v[d]
        for n in range(6):
            pair.push[n] += impulse * pair.duals[6 * k + n]


@kernel(inline=True)
def load_limits(skeleton, i, state, prescribed, settings, limit_states, pair_work):
    """Limits of a joint: stiffness, damping and effort join those of the coordinate that they bound.

    Those of a ball joint, swing, twist and turn, act each along its own direction n in the world.
    """
    row, pair = skeleton.tree[i], pair_work[i]
    is_ball = row.sequential == 0
    if row.nl == 0 or (is_ball and prescribed.shape[0] > 0 and prescribed[row.v0]):
        return
    R = mat3.load(pair.R, 0)
    for j in range(row.nl):
        side, back, stiffness, damping, rate, g = push_of_limit(skeleton, i, j, state, settings, limit_states)
        if side == 0:
            continue
        still = -side * back
        if is_ball:
            s, n = pair.limits, mat3.transform(R, g)
            pair.limit[s], pair.limits = j, s + 1
            vec3.store(pair.limit_n, 3 * s, n)
            pair.limit_e[s] = still - damping * rate
            pair.limit_k[s], pair.limit_c[s] = stiffness, damping
            vec3.add_to(pair.push, 0, vec3.scale(settings.dt * still, n))
        else:
            pair.k[j] += stiffness
            pair.c[j] += damping
            pair.e[j] += still - damping * rate
            for k in range(6):
                pair.push[k] += settings.dt * still * pair.duals[6 * j + k]


@kernel(inline=True)
def add_turning_spring(s, x, Z_out):
    """`Z += s sym(Jl⁻¹(x))`, which is `1 + c [x]²`."""
    for k in range(3):
        y = rotation.left_jacobian_inverse(x, vec3.unit(k))
        z = rotation.right_jacobian_inverse(x, vec3.unit(k))
        for n in range(3):
            Z_out[n, k] += 0.5 * s * (y[n] + z[n])


@kernel(inline=True)
def load_joint(skeleton, i, state, inputs, settings, slope, limit_states, work):
    """All forces of the joint of body i: `push` and Z of its pair, with the slope as asked; EXACT leaves stiffness out."""
    row, pair = skeleton.tree[i], work.pairs[i]
    h = settings.dt
    clear_forces(pair)
    pair.limits = 0
    load_coordinates(skeleton, i, state, inputs, h, work)
    load_limits(skeleton, i, state, inputs.prescribed, settings, limit_states, work.pairs)
    hh = 0.0 if slope == EXACT else h * h
    turning = row.sprung == 1 and (row.kind == BALL or row.kind == FREE) and slope == SYMMETRIC
    for k in range(row.nv):
        held = pair.a[k] + h * pair.c[k]
        if not (turning and k < 3):
            held += hh * pair.k[k]
        if held != 0.0:
            add_outer(held, pair.duals, 6 * k, pair.Z)
    if turning:
        x = mat3.transform(mat3.load(pair.R, 0), vec3.load(pair.x, 0))
        add_turning_spring(hh * pair.k[0], x, pair.Z)
    for s in range(pair.limits):
        held = h * pair.limit_c[s] + hh * pair.limit_k[s]
        for r in range(3):
            for c in range(3):
                pair.Z[r, c] += held * pair.limit_n[3 * s + r] * pair.limit_n[3 * s + c]
