"""Steps of clusters among obstacles: the walk of `flesh_step` without flesh, for the clusters of one tree.

kinematics -> forces (springs, stops, contact of what is near) -> dynamics -> check -> integration.
"""

from __future__ import annotations

from stringless.contact.kernels_step import into_body_axes
from stringless.engines.adaptive.kernels_touch import stand_still, touch_obstacles
from stringless.engines.reduced.kernels_bones import answer, first_diverged, kick_time, load_joints
from stringless.jit import kernel
from stringless.model.joints import registry


@kernel
def run_grounded(
    clusters, dofs, limits, rest, gravity, no_mask, tau, external, place, ground, last, h, frequency, max_speed, steps, body_work,
    dof_work, vector_work, effort_work, ground_work, anchors_out, kept_out, vdot_out, q_out, v_out,
):  # fmt: skip
    """Advance the clusters of a tree by `steps` steps of symplectic Euler: steps done, and the coordinate that ran away or -1.

    `external` are wrenches on the clusters along their own axes, `place` tells where bodies are in their clusters.
    """
    m = clusters.shape[0]
    u, vdot = vector_work[0], vector_work[1]
    ball_work, wrench = ground_work[4], ground_work[6][:m]
    if ball_work[m].first < ball_work[m].end:
        stand_still(body_work[m])
    for step in range(steps):
        for d in range(dofs.shape[0]):
            u[d] = v_out[d] + 0.5 * last * vdot_out[d]
        kick = kick_time(last, h)
        load_joints(
            clusters, dofs, limits, rest, q_out, v_out, u, no_mask, tau, h, kick, frequency, body_work, dof_work, vdot
        )
        touch_obstacles(m, place, ground, h, body_work, ground_work, anchors_out, kept_out)
        into_body_axes(external, wrench, body_work, wrench)
        answer(clusters, dofs, gravity, wrench, no_mask, vdot, body_work, dof_work, vdot, effort_work)
        bad = first_diverged(dofs, v_out, vdot, h, kick, max_speed)
        if bad >= 0:
            return step, bad
        for i in range(m):
            registry.advance(clusters[i], u, vdot, h, kick, q_out, v_out)
        for d in range(dofs.shape[0]):
            vdot_out[d] = vdot[d]
        last = h
    return steps, -1
