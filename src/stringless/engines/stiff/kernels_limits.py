"""Joint limits of the stiff engine: one-sided springs and dampers, in force exactly where the step ends beyond them.

With x how far a limit coordinate is beyond its limit, x₀ as the step begins and x at its end, a limit pushes with

    f = k x + (c/h) (x - max(x₀, 0)),    k = max(f² I, k_min),    c = 2 √(k I),

and not at all where that is negative. The damper acts along the way that is gone beyond the limit, so the force grows from
zero where the limit is passed: f never falls with x and has no jumps. So the step has one solution, and it costs energy:
what a limit gives back it has taken before. Which limits push is found in rounds: first those that the old velocities would
have push, then those that the solved ones ask for, until nothing changes. Mostly the first guess is right. If rounds run out,
a joint that would pass a limit that was not solved for is held back at it: what has cost nothing must not give energy.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.dynamics.kernels_joints import SWING, TWIST, decouple
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import vec3

LIMIT_STATE = np.dtype(
    [
        ("far", np.int64),  # 1: this ball joint cannot reach any of its limits in the step; the rest is not known then
        ("side", np.int64),  # 1: pushes back from the upper limit, -1: from the lower one, 0: does not push
        ("start", np.float64),  # the limit coordinate as the step begins [rad or m] ...
        ("end", np.float64),  # ... and as it ends if the velocities in hand stay
        ("to", np.float64),  # where the solved step was to lead it
        ("share", np.float64),  # of its way that the coordinate may go, if rounds have run out before all was settled
        ("g", np.float64, (3,)),  # its gradient by the joint's first three velocity coordinates
    ],
    align=True,
)
"""One row per limit."""


@kernel(inline=True)
def limit_gains(limit, frequency):
    """Stiffness and damping of a limit."""
    stiffness = max(frequency * frequency * limit.inertia, limit.least_stiffness)
    return stiffness, 2.0 * math.sqrt(stiffness * limit.inertia)


@kernel(inline=True)
def limit_force(limit, side, start, end, h, frequency):
    """Force of a limit on one side for a step from `start` to `end`; negative if it would have to pull."""
    edge = limit.upper if side > 0 else limit.lower
    stiffness, damping = limit_gains(limit, frequency)
    before, after = side * (start - edge), side * (end - edge)
    return stiffness * after + damping / h * (after - max(before, 0.0))


@kernel(inline=True)
def side_of(limit, start, end, h, frequency):
    """Which of the two sides of a limit pushes in a step from `start` to `end`, 0 for none."""
    if end > limit.upper:
        return 1 if limit_force(limit, 1, start, end, h, frequency) > 0.0 else 0
    if end < limit.lower:
        return -1 if limit_force(limit, -1, start, end, h, frequency) > 0.0 else 0
    return 0


@kernel(inline=True)
def is_unbounded(row, j, limit):
    """Whether this is a swing or a turn that is bounded by nothing: none goes farther than half a turn."""
    return row.sequential == 0 and j != TWIST and limit.upper >= math.pi and limit.lower <= 0.0


@kernel(inline=True)
def is_far(row, limits, q, way, prescribed):
    """Whether a ball joint that turns on by `way` at most stays within all of its limits; one that is led has none.

    Neither swing nor twist is larger than the whole turn, and that is less than `2 tan(turn/2)`: no arc tangent is needed.
    """
    if prescribed.shape[0] > 0 and prescribed[row.v0]:
        return True
    least = math.pi
    for j in range(row.nl):
        limit = limits[row.l0 + j]
        if not is_unbounded(row, j, limit):
            least = min(least, min(limit.upper, -limit.lower) if j == TWIST or limit.lower > 0.0 else limit.upper)
    left = least - way
    x, y, z, w = q[row.q0], q[row.q0 + 1], q[row.q0 + 2], q[row.q0 + 3]
    return left > 0.0 and 4.0 * (x * x + y * y + z * z) < left * left * w * w


@kernel(inline=True)
def turn_speed(row, v):
    """No less than how fast a ball joint turns."""
    return abs(v[row.v0]) + abs(v[row.v0 + 1]) + abs(v[row.v0 + 2])


@kernel(inline=True)
def toward_end(row, j, value, g, v, ahead):
    """The swing or turn of a ball joint that may pass its straight pose within the step, along the direction it leaves in.

    Both are sizes of vectors, `value g`, and grow on either side of zero, where they have no gradient.
    """
    w = vec3.load(v, row.v0)
    if j == SWING:
        a = vec3.load(row.axes, 0)
        w = vec3.add_scaled(w, -vec3.dot(a, w), a)
    if ahead * ahead * vec3.dot(w, w) <= value * value:
        return value, g
    end = vec3.add_scaled(vec3.scale(value, g), ahead, w)
    size = math.sqrt(vec3.dot(end, end))
    if size <= 0.0:
        return value, g
    n = vec3.scale(1.0 / size, end)
    return value * vec3.dot(g, n), n


@kernel(inline=True)
def measure_joint(row, limits, iterate, h, limit_states_out):
    """Where the limit coordinates of one joint begin and end at the speed of the iterate."""
    q, v, ahead = iterate.q, iterate.v, iterate.ahead
    for j in range(row.nl):
        state = limit_states_out[row.l0 + j]
        state.far = 0
        if is_unbounded(row, j, limits[row.l0 + j]):
            state.g[0], state.g[1], state.g[2] = 0.0, 0.0, 0.0
            state.start, state.end = 0.0, 0.0
            continue
        value, g = registry.limit(row, q, j)
        if row.sequential == 0 and j != TWIST:
            value, g = toward_end(row, j, value, g, v, ahead)
        rate = 0.0
        for k in range(min(row.nv, 3)):
            state.g[k] = g[k]
            rate += g[k] * v[row.v0 + k]
        state.start, state.end = value + (ahead - h) * rate, value + ahead * rate


@kernel
def measure_limits(skeleton, iterate, prescribed, settings, limit_states_out):
    """Where all limit coordinates begin and end at the speed of the iterate, and which limits push then.

    They are now at q and will be `ahead` in time when the step ends. A ball joint whose acceleration is prescribed has no
    limits: its coordinates must stay what they are.
    """
    tree, limits, h, frequency = skeleton.tree, skeleton.limits, settings.dt, settings.limit_frequency
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nl == 0:
            continue
        way = iterate.ahead * turn_speed(row, iterate.v) if row.sequential == 0 else 0.0
        if row.sequential == 0 and is_far(row, limits, iterate.q, way, prescribed):
            for j in range(row.nl):
                limit_states_out[row.l0 + j].far, limit_states_out[row.l0 + j].side = 1, 0
            continue
        measure_joint(row, limits, iterate, h, limit_states_out)
        for j in range(row.nl):
            state = limit_states_out[row.l0 + j]
            state.side = side_of(limits[row.l0 + j], state.start, state.end, h, frequency)


@kernel(inline=True)
def add_limits(skeleton, i, settings, limit_states, body_work, dof_work):
    """Put the limits of the joint of body i that push into its row: an effort, and `(h c + h² k) g gᵀ`.

    That couples the coordinates of a ball joint, whose axes are then chosen along which it does not.
    """
    row, h, frequency = skeleton.tree[i], settings.dt, settings.limit_frequency
    first = row.v0
    coupled = False
    coupling = body_work[i].Jh  # not needed before the way in
    for j in range(row.nl):
        state = limit_states[row.l0 + j]
        if state.side == 0:
            continue
        if row.sequential == 0 and not coupled:
            coupled = True
            for k in range(9):
                coupling[k] = 0.0
            for k in range(3):
                coupling[4 * k] = dof_work[first + k].arm
        limit = skeleton.limits[row.l0 + j]
        stiffness, damping = limit_gains(limit, frequency)
        force = limit_force(limit, state.side, state.start, state.end, h, frequency)
        held = h * (damping + h * stiffness)
        for k in range(min(row.nv, 3)):
            dof_work[first + k].tau -= state.side * force * state.g[k]
            if row.sequential == 1:
                dof_work[first + k].arm += held * state.g[k]
            else:
                for n in range(3):
                    coupling[3 * k + n] += held * state.g[k] * state.g[n]
    if coupled:
        decouple(first, coupling, dof_work)


@kernel
def judge_limits(skeleton, iterate, vdot, prescribed, settings, is_last, limit_states_out):
    """Which limits push in the step as it is solved; whether that differs from what was solved for.

    In the last round it is noted instead how far the coordinates may go.
    """
    tree, limits, h, frequency = skeleton.tree, skeleton.limits, settings.dt, settings.limit_frequency
    changed = False
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nl > 0 and limit_states_out[row.l0].far == 1:
            for j in range(row.nl if is_last else 0):
                limit_states_out[row.l0 + j].share = 1.0
            way = iterate.ahead * turn_speed(row, iterate.v) + h * h * turn_speed(row, vdot)
            if is_far(row, limits, iterate.q, way, prescribed):
                continue
            measure_joint(row, limits, iterate, h, limit_states_out)
        for j in range(row.nl):
            state = limit_states_out[row.l0 + j]
            gain = 0.0
            for k in range(min(row.nv, 3)):
                gain += state.g[k] * vdot[row.v0 + k]
            limit, end = limits[row.l0 + j], state.end + h * h * gain
            side = side_of(limit, state.start, end, h, frequency)
            state.to = end
            changed = changed or side != state.side
            if not is_last:
                state.side = side
                continue
            state.share = 1.0
            if state.side == 0 and side != 0:
                left = (limit.upper if side > 0 else limit.lower) - state.start
                state.share = max(left / (end - state.start), 0.0) if end != state.start else 0.0
    return changed


@kernel(inline=True)
def energy_in_limit(limit, value, frequency):
    """Energy of a limit whose coordinate is here [J]."""
    beyond = max(value - limit.upper, limit.lower - value, 0.0)
    stiffness, _ = limit_gains(limit, frequency)
    return 0.5 * stiffness * beyond * beyond


@kernel
def charge_limits(skeleton, q, frequency, limit_states, tree_work):
    """Note what the limits of ball joints hold in their new poses beyond what the step was solved for.

    Swing and twist do not go on along their gradients where a joint turns far; what that brings in, no motion has paid for.
    """
    tree = skeleton.tree
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nl == 0 or row.sequential == 1 or limit_states[row.l0].far == 1:
            continue
        whole = tree_work[tree_work[row.root].head]
        for j in range(row.nl):
            limit = skeleton.limits[row.l0 + j]
            if not is_unbounded(row, j, limit):
                value, _ = registry.limit(row, q, j)
                to = limit_states[row.l0 + j].to
                whole.unpaid += energy_in_limit(limit, value, frequency) - energy_in_limit(limit, to, frequency)
