"""Steps of lumps among obstacles: the walk of `flesh_step` without flesh, for the lumps of one tree.

kinematics -> forces (springs, stops, contact of what is near) -> dynamics -> check -> integration.
"""

from __future__ import annotations

from stringless.adaptive.touch import stand_still, touch_obstacles
from stringless.contact.step import into_body_axes
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.simulation.step import answer, first_runaway, kick_time, load_joints


@kernel
def run_grounded(
    lumps, dofs, limits, rest, gravity, no_mask, tau, external, place, ground, last, h, frequency, max_speed, steps, body_work,
    dof_work, vector_work, effort_work, ground_work, anchors_out, kept_out, vdot_out, q_out, v_out,
):  # fmt: skip
    """Advance the lumps of a tree by `steps` steps of symplectic Euler; the steps done, and the coordinate that ran away or -1.

    `external` are wrenches on the lumps along their own axes, `place` tells where bodies are in their lumps.
    """
    m = lumps.shape[0]
    u, vdot = vector_work[0], vector_work[1]
    ball_work, wrench = ground_work[4], ground_work[6][:m]
    if ball_work[m].first < ball_work[m].end:
        stand_still(body_work[m])
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u[d] = v_out[d] + 0.5 * last * vdot_out[d]
        kick = kick_time(last, h)
        load_joints(
            lumps, dofs, limits, rest, q_out, v_out, u, no_mask, tau, h, kick, frequency, body_work, dof_work, vdot
        )
        touch_obstacles(m, place, ground, h, body_work, ground_work, anchors_out, kept_out)
        into_body_axes(external, wrench, body_work, wrench)
        answer(lumps, dofs, gravity, wrench, no_mask, vdot, body_work, dof_work, vdot, effort_work)
        bad = first_runaway(dofs, v_out, vdot, h, kick, max_speed)
        if bad >= 0:
            return step, bad
        for i in range(m):
            registry.advance(lumps[i], u, vdot, h, kick, q_out, v_out)
        for d in range(dofs.shape[0]):
            vdot_out[d] = vdot[d]
        last = h
    return steps, -1
