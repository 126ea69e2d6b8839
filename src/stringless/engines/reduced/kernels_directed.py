"""One step of a directed scene, and many.

kinematics -> forces (flesh, contact, dampers, springs) -> director (goals to commands) -> dynamics -> check ->
integration -> momentum kept. The dynamics are solved once, for zero command; what the command adds is linear.
"""

from __future__ import annotations

from stringless.control.kernels_balance import keep_momentum, note_momentum
from stringless.control.kernels_direct import direct
from stringless.engines.reduced.kernels_bones import answer, first_diverged, follow
from stringless.engines.reduced.kernels_flesh import forces, move_on
from stringless.flesh.kernels_motion import copy_rows, first_lost_node
from stringless.jit import kernel


@kernel
def run_directed(
    model, inputs, tasks, h, frequency, max_speed, gains, full, steps, time, flesh_work, contact_work, director_work, state,
    work, result_out,
):  # fmt: skip
    """Advance a directed scene in place by `steps` steps of symplectic Euler. Returns as `run_flesh` does.

    Momentum is kept from step to step, so v is that of the time of q, and a step may follow one of any length.
    """
    skeleton, flesh, saved = model.skeleton, model.flesh, work.saved
    tree, dofs, nodes = skeleton.tree, skeleton.dofs, flesh.nodes
    for step in range(steps):
        copy_rows(state.anchors, saved.anchors)
        copy_rows(result_out.effort, saved.effort)
        copy_rows(state.memory, saved.memory)
        for d in range(dofs.shape[0]):
            work.u[d] = state.v[d] + 0.5 * h * state.vdot[d]
        if inputs.followed.shape[0] > 0:
            follow(tree, inputs.followed, inputs.targets[step], state.q, state.v, work.u, h, h, work.given)
        forces(
            tree, dofs, skeleton.limits, skeleton.rest, nodes, flesh.elements, flesh.materials, flesh.vertices,
            model.contact, state.q, state.v, work.u, inputs.prescribed, inputs.tau, inputs.external, h, h, frequency, gains,
            full, work.bodies, work.dofs, work.vdot, flesh_work[0], flesh_work[1], flesh_work[2], contact_work,
            state.anchors, state.x, state.xdot, work.f, work.wrench, result_out.contact_forces, result_out.counts,
        )  # fmt: skip
        answer(
            tree, dofs, skeleton.gravity, work.wrench, inputs.prescribed, work.given, work.bodies, work.dofs, work.vdot,
            result_out.effort,
        )  # fmt: skip
        for k in range(tasks.characters.shape[0]):
            direct(k, model, state, inputs, tasks, time, h, work, contact_work, director_work, result_out)
            note_momentum(k, model, state, tasks, work, director_work)
        bad = first_diverged(dofs, state.v, work.vdot, h, h, max_speed)
        lost = first_lost_node(nodes, work.f, state.xdot, h, max_speed)
        if bad >= 0 or lost >= 0:
            copy_rows(saved.anchors, state.anchors)
            copy_rows(saved.effort, result_out.effort)
            copy_rows(saved.memory, state.memory)
            return step, time, bad, lost
        move_on(
            tree, dofs, nodes, skeleton.gravity, work.u, work.vdot, work.f, h, h, state.x, state.xdot, state.vdot, state.q,
            state.v,
        )  # fmt: skip
        for k in range(tasks.characters.shape[0]):
            keep_momentum(k, model, tasks, h, director_work, state, result_out)
        time += h
    return steps, time, -1, -1
