"""Bounds that every command keeps: joint limits, torque limits, acceleration limits, the cone of ground reactions.

docs/theory/control.md, section 4. If not all can be kept together, kinds are given up in the order of their numbers, the
highest first: limits of joints, then of accelerations. Torque limits are what the actuators can do, and always hold.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.control.kernels_linear import dot
from stringless.jit import kernel
from stringless.model.joints import registry

TORQUES, CONES, ACCELERATIONS, JOINTS = 0, 1, 2, 3
"""Kinds."""
AT_BOUND = 1e-8
"""A bound counts as reached within this share of its size."""


@kernel(inline=True)
def start_bound(p, unknowns, kind, lower, upper, bounds_out):
    """Start a bound with an empty row."""
    row = bounds_out.rows[p]
    row.lower, row.upper = lower, upper
    row.kind, row.dropped = kind, 0
    for c in range(unknowns):
        bounds_out.G[p, c] = 0.0


@kernel
def add_joint_bounds(skeleton, character, motion, unknowns, p, bounds_out):
    """`qdd <= kp (limit - q) - kd v` and its mirror image, kd = 2 √kp: a joint comes to rest at its limit."""
    kp, q, v = character.limit_kp, motion.q, motion.v
    kd = 2.0 * math.sqrt(kp)
    for k in range(character.members.shape[0]):
        row = skeleton.tree[character.members[k]]
        if row.nl == 0 or character.column_of[row.v0] < 0:
            continue
        for j in range(row.nl):
            limit = skeleton.limits[row.l0 + j]
            if limit.lower == -np.inf and limit.upper == np.inf:
                continue
            value, g = registry.limit(row, q, j)
            rate = 0.0
            for c in range(min(row.nv, 3)):
                rate += g[c] * v[row.v0 + c]
            lower, upper = kp * (limit.lower - value) - kd * rate, kp * (limit.upper - value) - kd * rate
            start_bound(p, unknowns, JOINTS, lower, upper, bounds_out)
            for c in range(min(row.nv, 3)):
                bounds_out.G[p, character.column_of[row.v0 + c]] = g[c]
            bounds_out.rows[p].limit = row.l0 + j
            p += 1
    return p


@kernel
def note_held_limits(tree, members, unknowns, bounds, x, held_out):
    """Which joint limits hold a joint back under the command x: 1 at its upper side, -1 at its lower one, else 0."""
    for k in range(members.shape[0]):
        row = tree[members[k]]
        for j in range(row.l0, row.l0 + row.nl):
            held_out[j] = 0
    for i in range(bounds.size):
        bound = bounds.rows[i]
        if bound.kind == JOINTS and bound.dropped == 0:
            value = dot(unknowns, bounds.G[i], x)
            if value >= bound.upper - AT_BOUND * (1.0 + abs(bound.upper)):
                held_out[bound.limit] = 1
            elif value <= bound.lower + AT_BOUND * (1.0 + abs(bound.lower)):
                held_out[bound.limit] = -1


@kernel
def add_torque_bounds(dofs, columns, effect, p, bounds_out):
    """`|T x + t0| <= effort` for every actuator whose effort is limited."""
    n = columns.shape[0]
    for k in range(n):
        d = columns[k]
        most = dofs[d].effort
        if most < np.inf:
            start_bound(p, effect.unknowns, TORQUES, -most - effect.t0[d], most - effect.t0[d], bounds_out)
            for c in range(n):
                bounds_out.G[p, c] = effect.T[d, c]
            p += 1
    return p


@kernel
def add_acceleration_bounds(directed, unknowns, most, p, bounds_out):
    """Accelerations of the directed coordinates within `most`."""
    if most < np.inf:
        for c in range(directed):
            start_bound(p, unknowns, ACCELERATIONS, -most, most, bounds_out)
            bounds_out.G[p, c] = 1.0
            p += 1
    return p


@kernel
def add_cone_bounds(directed, unknowns, mu, p, bounds_out):
    """Reactions that push, within a pyramid of friction."""
    for c in range(directed, unknowns, 3):
        start_bound(p, unknowns, CONES, 0.0, np.inf, bounds_out)
        bounds_out.G[p, c] = 1.0
        p += 1
        for s in range(2):
            start_bound(p, unknowns, CONES, -np.inf, 0.0, bounds_out)
            bounds_out.G[p, c], bounds_out.G[p, c + 1 + s] = -mu, 1.0
            start_bound(p + 1, unknowns, CONES, 0.0, np.inf, bounds_out)
            bounds_out.G[p + 1, c], bounds_out.G[p + 1, c + 1 + s] = mu, 1.0
            p += 2
    return p
