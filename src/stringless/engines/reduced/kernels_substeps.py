"""How often a step must be halved."""

from __future__ import annotations

from stringless.jit import kernel

FINEST = 5
"""A step is halved at most this often."""
LEAP, RUSH = 0.2, 0.5
"""How far acceleration and velocity against the bone may carry a node in a step, as a share of the cells around it."""
SWERVE, TURN = 0.1, 0.3
"""How far acceleration and velocity may turn a joint in a step [rad]."""
SHOVE = 0.01
"""How far acceleration may slide a joint in a step [m]."""


@kernel(inline=True)
def larger(a, b):
    """The larger of two numbers; not a number if one of them is."""
    return a if not b > a and b == b else b


@kernel
def halvings_wanted(dofs, nodes, sizes, gravity, v, vdot, f, xdot, h, body_work):
    """How often a step of length h should be halved, from the motion and the accelerations at its beginning.

    Half a step is half the way of a velocity, and a quarter of that of an acceleration.
    """
    leap, rush = 0.0, 0.0
    for d in range(dofs.shape[0]):
        if dofs[d].turns == 1:
            leap = larger(leap, h * h * abs(vdot[d]) / SWERVE)
            rush = larger(rush, h * abs(v[d]) / TURN)
        else:
            leap = larger(leap, h * h * abs(vdot[d]) / SHOVE)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0:
            for k in range(3):
                leap = larger(leap, h * h * abs(f[i, k] / node.mass + gravity[k]) / (LEAP * sizes[i]))
                slip = xdot[i, k] - (body_work[node.bone].V[3 + k] if node.bone >= 0 else 0.0)
                rush = larger(rush, h * abs(slip) / (RUSH * sizes[i]))
    count = 0
    # Written so that NaN asks for all there is.
    while count < FINEST and not (leap <= 1.0 and rush <= 1.0):
        leap *= 0.25
        rush *= 0.5
        count += 1
    return count
