"""Fast bodies: what a point meets on its way through a step, though it would be past it at the end."""

from __future__ import annotations

import math

from stringless.contact.kernels import find_depth, point_velocity
from stringless.contact.kernels_shapes import BOX, PLANE
from stringless.jit import kernel
from stringless.spatial import vec3

MOST_STRIDES = 24
"""Of the search for where a fast point meets an obstacle."""
MET = 1e-5
"""How near it has to come [m]."""


@kernel(inline=True)
def on_the_way(obstacle, body, here, h, radius, body_work):
    """Whether a ball comes near an obstacle on the straight way that it takes through the step, as the obstacle sees it."""
    row = obstacle.row
    if row.kind == PLANE:
        return False
    apart = vec3.subtract(here, vec3.load(obstacle.placed.p, 0))
    way = vec3.subtract(point_velocity(body, here, body_work), point_velocity(row.body, here, body_work))
    way = vec3.scale(h, way)
    share = -vec3.dot(apart, way) / max(vec3.dot(way, way), 1e-300)
    nearest = vec3.add_scaled(apart, min(max(share, 0.0), 1.0), way)
    reach = row.reach + radius
    return vec3.dot(nearest, nearest) <= reach * reach


@kernel
def run_into(obstacle, radius, local, way, stack_work, anchor_work):
    """How deep a ball that goes straight from `local` along `way` would be past the surface that it meets first.

    The search strides by the distance that is left, so it passes through nothing, however thin. Returns whether it meets
    the obstacle from outside, the depth behind the surface there, its normal, and the face of a box.
    """
    long = math.sqrt(vec3.dot(way, way))
    share = 0.0
    for _ in range(MOST_STRIDES):
        there = vec3.add_scaled(local, share, way)
        d, n, _ = find_depth(obstacle, radius, there, there, stack_work, anchor_work)
        if d > 0.0 and share == 0.0:
            return False, 0.0, n, -1
        if d > -MET:
            if vec3.dot(way, n) >= 0.0:
                return False, 0.0, n, -1
            face = -1
            for k in range(3):
                if obstacle.row.kind == BOX and abs(n[k]) > 0.999:
                    face = 2 * k + (1 if n[k] > 0.0 else 0)
            return True, d - (1.0 - share) * vec3.dot(way, n), n, face
        share -= d / long
        if share >= 1.0:
            break
    return False, 0.0, (0.0, 0.0, 0.0), -1
