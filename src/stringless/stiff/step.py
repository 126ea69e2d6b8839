"""One implicit step, and many: the walk of the stiff engine.

poses -> springs, dampers and stops of joints -> forces on bodies with their slopes -> one solve for the end velocities ->
check -> momenta -> joint coordinates -> poses rebuilt.
"""

from __future__ import annotations

from stringless.dynamics.kernels_joints import recouple, resist, stop
from stringless.jit import kernel
from stringless.kinematics.kernels import move, place
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3
from stringless.stiff.advance import move_joints, take_velocities
from stringless.stiff.loads import lead_bodies, lead_joints
from stringless.stiff.momentum import keep_momenta
from stringless.stiff.settle import expect, settle
from stringless.stiff.solve import condense

FREE = registry.FREE


@kernel(inline=True)
def begin(tree, dofs, q, v, body_work, dof_work):
    """Poses, velocities and axes of all bodies; velocity products have no part in an implicit step."""
    for i in range(tree.shape[0]):
        R, r = place(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        for k in range(6):
            body_work[i].eta[k] = 0.0


@kernel(inline=True)
def follow(tree, followed, q_to, q, v, h, given_out):
    """Prescribe the accelerations that lead to the configuration `q_to` at the end of the step, where `followed` says so."""
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv == 0 or not followed[row.v0]:
            continue
        if row.kind == FREE:
            k = row.q0 + 3
            Q = (q[k], q[k + 1], q[k + 2], q[k + 3])
            to = rotation.multiply_quaternions(rotation.conjugate(Q), (q_to[k], q_to[k + 1], q_to[k + 2], q_to[k + 3]))
            apart = vec3.subtract(vec3.load(q_to, row.q0), vec3.load(q, row.q0))
            vec3.store(given_out, row.v0, rotation.log_quaternion(rotation.normalise(to)))
            vec3.store(given_out, row.v0 + 3, mat3.transform_back(rotation.from_quaternion(Q), apart))
        else:
            registry.difference(row, q, q_to, given_out)
        for d in range(row.v0, row.v0 + row.nv):
            given_out[d] = (given_out[d] / h - v[d]) / h


@kernel(inline=True)
def arrive(tree, followed, q_to, q_out):
    """Put the joints that follow a path where it is."""
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nv > 0 and followed[row.v0]:
            for k in range(row.q0, row.q0 + row.nq):
                q_out[k] = q_to[k]


@kernel(inline=True)
def first_runaway(dofs, v, max_speed):
    """First coordinate whose speed is not a number or too high to be true; -1 if there is none."""
    for d in range(dofs.shape[0]):
        if not abs(v[d]) <= max_speed:  # NaN fails the comparison
            return d
    return -1


@kernel(inline=True)
def load_joints(
    tree, dofs, limits, rest, script, q, v, prescribed, tau, time, h, ahead, frequency, body_work, dof_work, stretch_work
):  # fmt: skip
    """Efforts on all joints and their slopes: actuators, springs, dampers, goals, stops.

    They are taken where the joints will be after the time `ahead` at the speed v, in the first solve of a step at h, in
    later ones, whose q is where the step ends, at 0.
    """
    for i in range(tree.shape[0]):
        resist(tree, dofs, i, rest, q, v, prescribed, tau, ahead, h, h, dof_work, stretch_work)
    lead_joints(script, tree, dofs, q, v, time, h, ahead, dof_work, stretch_work)
    for i in range(tree.shape[0]):
        stop(tree, limits, i, q, v, prescribed, ahead, h, h, frequency, body_work, dof_work)


@kernel
def run_stiff(
    tree, dofs, limits, rest, gravity, prescribed, followed, targets, tau, external, script, sizes, h, frequency, max_speed,
    newton, is_start, steps, time, body_work, dof_work, tree_work, given_work, q_work, v_work, stiff_work, wrench_work,
    felt_out, report_out, effort_out, vdot_out, momenta_out, q_out, v_out,
):  # fmt: skip
    """Advance the state in place by `steps` implicit steps.

    `is_start` says that the momenta are not known yet and follow from q and v. Returns the steps done, the time reached and
    the coordinate that ran away (-1 if none did): the state is then that of the last good step.
    """
    for step in range(steps):
        begin(tree, dofs, q_out, v_out, body_work, dof_work)
        if is_start and step == 0:
            keep_momenta(tree, body_work, momenta_out)
        if followed.shape[0] > 0:
            follow(tree, followed, targets[step], q_out, v_out, h, given_work)
        for d in range(dofs.shape[0]):
            v_work[d] = v_out[d]
        load_joints(
            tree, dofs, limits, rest, script, q_out, v_work, prescribed, tau, time, h, h, frequency, body_work, dof_work,
            vdot_out,
        )  # fmt: skip
        condense(
            tree, dofs, gravity, prescribed, given_work, external, stiff_work, wrench_work, momenta_out, h, body_work,
            dof_work, vdot_out, effort_out,
        )  # fmt: skip
        for i in range(tree.shape[0]):
            recouple(tree, i, body_work, dof_work, vdot_out)
        take_velocities(tree, dofs, gravity, vdot_out, h, body_work, v_work)
        bad = first_runaway(dofs, v_work, max_speed)
        if bad >= 0:
            return step, time, bad
        keep_momenta(tree, body_work, momenta_out)
        for d in range(dofs.shape[0]):
            v_out[d] = v_work[d]
        expect(tree, prescribed, momenta_out, h, body_work, tree_work)
        move_joints(tree, h, True, body_work, q_out, v_out)
        if followed.shape[0] > 0:
            arrive(tree, followed, targets[step], q_out)
        settle(tree, gravity, body_work, tree_work, momenta_out, q_out)
        time += h
    return steps, time, -1
