"""Efforts on joints in a step, all that is stiff taken at its end: springs, dampers, goals, stops, armatures."""

from __future__ import annotations

from stringless.dynamics.kernels_joints import resist
from stringless.engines.stiff.kernels_loads import lead_joints
from stringless.engines.stiff.kernels_momentum import turn_armature
from stringless.engines.stiff.kernels_stops import hold_stops
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

FREE = registry.FREE


@kernel(inline=True)
def reset_axes(tree, i, q, body_work, dof_work):
    """Axes of a limited ball joint along its body again: its stops may have chosen others."""
    row = tree[i]
    if row.nl > 0 and row.sequential == 0:
        R = mat3.load(body_work[i].R, 0)
        for k in range(row.nv):
            vec3.store(dof_work[row.v0 + k].a, 0, mat3.transform(R, registry.axis(row, q, k)))


@kernel(inline=True)
def load_joints(
    tree, dofs, limits, rest, script, q, v, v_start, prescribed, tau, time, h, ahead, frequency, stops, body_work,
    dof_work, stretch_work,
):  # fmt: skip
    """Efforts on all joints and their slopes: actuators, springs, dampers, goals, stops, and armatures.

    They are taken where the joints will be after the time `ahead` at the speed v, in the first solve of a step at h, in
    later ones, whose q is where the step ends, at 0. Armatures count with the whole change of v since the step began.
    """
    for i in range(tree.shape[0]):
        resist(tree, dofs, i, rest, q, v, prescribed, tau, ahead, h, h, dof_work, stretch_work)
        row = tree[i]
        if row.kind == FREE:
            turn_armature(tree, dofs, i, v_start, body_work, dof_work)
        for d in range(row.v0, row.v0 + row.nv):
            if dofs[d].armature != 0.0:
                dof_work[d].tau -= dofs[d].armature * (v[d] - v_start[d]) / h
    lead_joints(script, tree, dofs, rest, q, v, time, h, ahead, dof_work, stretch_work)
    for i in range(tree.shape[0]):
        if tree[i].nl > 0 and stops[tree[i].l0].far == 0:
            hold_stops(tree, limits, i, h, frequency, stops, body_work, dof_work)
