"""Division of steps, and the way back from one that failed."""

from __future__ import annotations

from stringless.engines.reduced.kernels_bones import velocity_step
from stringless.engines.reduced.records import Span
from stringless.flesh.kernels_motion import copy_rows, copy_table
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
def divide_step(h, halvings, last, director_work):
    """One part of a step of length h. Directing keeps momentum from step to step, so its v is that of the time of q."""
    piece = h / (1 << halvings)
    if director_work is None:
        return Span(piece, velocity_step(last, piece), last)
    return Span(piece, piece, piece)


@kernel(inline=True)
def larger(a, b):
    """The larger of two numbers; not a number if one of them is."""
    return a if not b > a and b == b else b


@kernel(inline=True)
def measure_joints(dofs, v, vdot, h):
    """How far a step's accelerations and its velocities turn or slide joints, as shares of what they may."""
    leap, rush = 0.0, 0.0
    for d in range(dofs.shape[0]):
        if dofs[d].rotational == 1:
            leap = larger(leap, h * h * abs(vdot[d]) / SWERVE)
            rush = larger(rush, h * abs(v[d]) / TURN)
        else:
            leap = larger(leap, h * h * abs(vdot[d]) / SHOVE)
    return leap, rush


@kernel(inline=True)
def measure_nodes(nodes, sizes, gravity, xdot, h, work, leap, rush):
    """The same for free nodes, in cells around them; `leap` and `rush` are those of the joints."""
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0:
            for k in range(3):
                leap = larger(leap, h * h * abs(work.f[i, k] / node.mass + gravity[k]) / (LEAP * sizes[i]))
                slip = xdot[i, k] - (work.bodies[node.bone].V[3 + k] if node.bone >= 0 else 0.0)
                rush = larger(rush, h * abs(slip) / (RUSH * sizes[i]))
    return leap, rush


@kernel
def count_halvings(skeleton, flesh, sizes, state, h, work):
    """How often a step of length h should be halved, from the motion and the accelerations at its beginning.

    Half a step is half the way of a velocity, and a quarter of that of an acceleration.
    """
    leap, rush = measure_joints(skeleton.dofs, state.v, work.vdot, h)
    if flesh is not None:
        leap, rush = measure_nodes(flesh.nodes, sizes, skeleton.gravity, state.xdot, h, work, leap, rush)
    count = 0
    # Written so that NaN asks for all there is.
    while count < FINEST and not (leap <= 1.0 and rush <= 1.0):
        leap *= 0.25
        rush *= 0.5
        count += 1
    return count


@kernel(inline=True)
def copy_results(state, effort, director_work, state_out, effort_out):
    """Put by what the forces of a step write besides accelerations, or take it back."""
    copy_rows(state.anchors, state_out.anchors)
    copy_rows(effort, effort_out)
    if director_work is not None:
        copy_rows(state.memory, state_out.memory)


@kernel(inline=True)
def copy_motion(state, state_out):
    """Copy where everything is and how it moves."""
    copy_rows(state.q, state_out.q)
    copy_rows(state.v, state_out.v)
    copy_rows(state.vdot, state_out.vdot)
    copy_table(state.x, state_out.x)
    copy_table(state.xdot, state_out.xdot)


@kernel(inline=True)
def note_division(halvings, split_out):
    """Count steps that were divided, and remember how finely at most."""
    if halvings > 0:
        split_out[0] += 1
        split_out[1] = max(split_out[1], halvings)
