"""The force on one point in contact: a spring along the normal, a spring with Coulomb's limit along the surface.

docs/theory/contact.md, section 1. The tangential spring is anchored where the contact began; when the force exceeds the
friction cone the anchor is dragged along. Anchors are kept in the obstacles' frames, so that friction holds on moving
obstacles too, and one for each obstacle, so that a point in a corner does not creep.
"""

import math

import numpy as np

from stringless.jit import kernel
from stringless.spatial import vec3

SLOW = 0.05
"""Restitution acts on ways out faster than this [m/s], and fully beyond twice this."""
DEPTH_DAMPING = 3.0
"""Damping without restitution, per depth and stiffness [s/m]."""
MOST_DAMPING = 4 / 3
"""Most of that damping, per stiffness and step: `m/h` with the mass that the stiffness was chosen for."""

SLOTS = 3
"""Obstacles that a point sticks to at once: the walls of a corner. Further ones brake it only."""

ANCHOR_ROW = np.dtype(
    [
        ("obstacle", np.int64, (SLOTS,)),  # which obstacles the point touches, -1 for none
        ("face", np.int64, (SLOTS,)),  # of a box: the face it came in by, -1 for none
        (
            "a",
            np.float64,
            (3 * SLOTS,),
        ),  # anchors in the obstacles' frames; of a ball, relative to where it touches [m]
    ],
    align=True,
)


@kernel(inline=True)
def normal_force(d, rate, kn, cn, h, restitution):
    """Push along the normal: never a pull.

    `kn d - cn vn`; with `restitution` below 1 the way out is pushed only by that share of the spring, and damping that
    grows with the depth (Hunt and Crossley) takes more on the way in. Slow ways out are spared: a force that jumps with
    the sign of the speed would shake a point at rest for ever.
    """
    lost = (1.0 - restitution) * min(max(rate / SLOW - 1.0, 0.0), 1.0)
    cn += (1.0 - restitution) * kn * min(DEPTH_DAMPING * d, MOST_DAMPING * h)
    return max(0.0, (1.0 - lost) * kn * d - cn * rate)


@kernel(inline=True)
def friction_force(gap, slip, fn, kt, ct, friction):
    """Force along the surface and the share of it that the anchor can hold (1: it sticks)."""
    f = (-kt * gap[0] - ct * slip[0], -kt * gap[1] - ct * slip[1], -kt * gap[2] - ct * slip[2])
    size = math.sqrt(vec3.dot(f, f))
    most = friction * fn
    share = most / size if size > most else 1.0
    return vec3.scale(share, f), share
