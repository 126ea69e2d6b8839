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
def clear_bound(p, nx, kind, lower, upper, G_out, bounds_out):
    """Start a bound with an empty row."""
    bounds_out[p].lower, bounds_out[p].upper = lower, upper
    bounds_out[p].kind, bounds_out[p].dropped = kind, 0
    for c in range(nx):
        G_out[p, c] = 0.0


@kernel
def joint_bounds(tree, limits, members, column_of, nx, q, v, kp, p, G_out, bounds_out):
    """`qdd <= kp (limit - q) - kd v` and its mirror image, kd = 2 √kp: a joint comes to rest at its limit."""
    kd = 2.0 * math.sqrt(kp)
    for k in range(members.shape[0]):
        row = tree[members[k]]
        if row.nl == 0 or column_of[row.v0] < 0:
            continue
        for j in range(row.nl):
            limit = limits[row.l0 + j]
            if limit.lower == -np.inf and limit.upper == np.inf:
                continue
            value, g = registry.limit(row, q, j)
            rate = 0.0
            for c in range(min(row.nv, 3)):
                rate += g[c] * v[row.v0 + c]
            clear_bound(p, nx, JOINTS, kp * (limit.lower - value) - kd * rate,
                        kp * (limit.upper - value) - kd * rate, G_out, bounds_out)  # fmt: skip
            for c in range(min(row.nv, 3)):
                G_out[p, column_of[row.v0 + c]] = g[c]
            bounds_out[p].limit = row.l0 + j
            p += 1
    return p


@kernel
def note_held(tree, members, p, nx, G, bounds, x, held_out):
    """Which joint limits hold a joint back under the command x: 1 at its upper side, -1 at its lower one, else 0."""
    for k in range(members.shape[0]):
        row = tree[members[k]]
        for j in range(row.l0, row.l0 + row.nl):
            held_out[j] = 0
    for i in range(p):
        bound = bounds[i]
        if bound.kind == JOINTS and bound.dropped == 0:
            value = dot(nx, G[i], x)
            if value >= bound.upper - AT_BOUND * (1.0 + abs(bound.upper)):
                held_out[bound.limit] = 1
            elif value <= bound.lower + AT_BOUND * (1.0 + abs(bound.lower)):
                held_out[bound.limit] = -1


@kernel
def torque_bounds(dofs, columns, nx, T, t0, p, G_out, bounds_out):
    """`|T x + t0| <= effort` for every actuator whose effort is limited."""
    n = columns.shape[0]
    for k in range(n):
        d = columns[k]
        most = dofs[d].effort
        if most < np.inf:
            clear_bound(p, nx, TORQUES, -most - t0[d], most - t0[d], G_out, bounds_out)
            for c in range(n):
                G_out[p, c] = T[d, c]
            p += 1
    return p


@kernel
def other_bounds(n, nx, most, footholds, mu, p, G_out, bounds_out):
    """Accelerations within `most`; reactions that push, within a pyramid of friction."""
    if most < np.inf:
        for c in range(n):
            clear_bound(p, nx, ACCELERATIONS, -most, most, G_out, bounds_out)
            G_out[p, c] = 1.0
            p += 1
    for k in range(footholds):
        c = n + 3 * k
        clear_bound(p, nx, CONES, 0.0, np.inf, G_out, bounds_out)
        G_out[p, c] = 1.0
        p += 1
        for s in range(2):
            clear_bound(p, nx, CONES, -np.inf, 0.0, G_out, bounds_out)
            G_out[p, c], G_out[p, c + 1 + s] = -mu, 1.0
            clear_bound(p + 1, nx, CONES, 0.0, np.inf, G_out, bounds_out)
            G_out[p + 1, c], G_out[p + 1, c + 1 + s] = mu, 1.0
            p += 2
    return p
