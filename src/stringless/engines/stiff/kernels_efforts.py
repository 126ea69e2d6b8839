"""Efforts on joints in a step, all that is stiff taken at its end: springs, dampers, goals, limits, armatures."""

from __future__ import annotations

from stringless.dynamics.kernels_joints import load_joint
from stringless.engines.stiff.kernels_goals import add_joint_springs
from stringless.engines.stiff.kernels_limits import add_limits
from stringless.engines.stiff.kernels_momentum import add_armature_rate
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

FREE = registry.FREE


@kernel(inline=True)
def reset_axes(tree, i, q, body_work, dof_work):
    """Axes of a limited ball joint along its body again: its limits may have chosen others."""
    row = tree[i]
    if row.nl > 0 and row.sequential == 0:
        R = mat3.load(body_work[i].R, 0)
        for k in range(row.nv):
            vec3.store(dof_work[row.v0 + k].a, 0, mat3.transform(R, registry.axis(row, q, k)))


@kernel(inline=True)
def load_joints(skeleton, iterate, v_start, inputs, goals, settings, time, work, displacement_work):
    """Efforts on all joints and their slopes: actuators, springs, dampers, goals, limits, and armatures.

    They are taken where the joints will be after the time `iterate.ahead` at its speed: in the first solve of a step that is
    the step, in later ones, whose q is where the step ends, 0. Armatures count with the whole change of v since it began.
    """
    tree, dofs, h = skeleton.tree, skeleton.dofs, settings.dt
    q, v, ahead = iterate.q, iterate.v, iterate.ahead
    for i in range(tree.shape[0]):
        load_joint(skeleton, i, q, v, inputs.prescribed, inputs.tau, ahead, h, h, work.dofs, displacement_work)
        row = tree[i]
        if row.kind == FREE:
            add_armature_rate(tree, dofs, i, v_start, work.bodies, work.dofs)
        for d in range(row.v0, row.v0 + row.nv):
            if dofs[d].armature != 0.0:
                work.dofs[d].tau -= dofs[d].armature * (v[d] - v_start[d]) / h
    add_joint_springs(goals, skeleton, iterate, time, h, work.dofs, displacement_work)
    for i in range(tree.shape[0]):
        if tree[i].nl > 0 and work.limits[tree[i].l0].far == 0:
            add_limits(skeleton, i, settings, work.limits, work.bodies, work.dofs)
