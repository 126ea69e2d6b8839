"""The phases of one step; `pipeline` has them in order. Flesh, contact and the director may be absent: None, and not compiled."""

from __future__ import annotations

from stringless.contact.kernels_step import flesh_forces, into_body_axes
from stringless.contact.records import FLESH_DAMPING
from stringless.control.kernels_balance import keep_momentum, note_momentum
from stringless.control.kernels_direct import direct
from stringless.engines.reduced.kernels_bones import first_diverged, follow_path, solve_accelerations
from stringless.flesh.kernels_dampers import load_dampers, settle_dampers
from stringless.flesh.kernels_mirror import keep_mirrored
from stringless.flesh.kernels_motion import copy_rows, fall, first_lost_node
from stringless.jit import kernel
from stringless.model.joints import registry


@kernel(inline=True)
def set_product_velocities(state, span, work):
    """`u = v + h/2 vdot`, from which velocity products are taken, with the acceleration of the step before.

    v lags half a step behind q. Where the inertia depends on q, velocity products taken from v would add or remove energy, step
    after step.
    """
    for d in range(state.v.shape[0]):
        work.u[d] = state.v[d] + 0.5 * span.last * state.vdot[d]


@kernel(inline=True)
def follow_targets(tree, inputs, step, parts, span, state, work):
    """Prescribe the accelerations of coordinates that follow a path to where it is at the end of the step, `parts` ahead."""
    if inputs.followed.shape[0] > 0:
        to, ahead = inputs.targets[step], parts * span.h
        follow_path(tree, inputs.followed, to, state.q, state.v, work.u, ahead, span.h_v, work.given)


@kernel(inline=True)
def apply_surroundings(model, state, inputs, settings, h, work, elastic_work, contact_work, result_out):
    """Forces of flesh and contact on nodes; on bodies, together with the given ones, as wrenches along their axes."""
    if elastic_work is None and contact_work is None:
        return
    flesh_forces(
        model, state, settings, h, True, work.bodies, elastic_work, contact_work, work.f, work.wrench, result_out
    )
    into_body_axes(inputs.external, work.wrench, work.bodies, work.wrench)


@kernel(inline=True)
def solve_bones(model, state, inputs, settings, span, work, phases_work, result_out):
    """Accelerations of the joints, and efforts of those that are prescribed (hybrid dynamics)."""
    skeleton, dampers, bodies, dofs = model.skeleton, phases_work.dampers, work.bodies, work.dofs
    if phases_work.elastic is None and phases_work.contact is None:
        solve_accelerations(skeleton, inputs, inputs.external, dampers, bodies, dofs, work.vdot, result_out.effort)
    else:
        load_flesh_dampers(model, state, settings, span, work, dampers)
        solve_accelerations(skeleton, inputs, work.wrench, dampers, bodies, dofs, work.vdot, result_out.effort)


@kernel(inline=True)
def load_flesh_dampers(model, state, settings, span, work, damper_work):
    """What dampers do to bones, for accelerations that are not known yet."""
    if damper_work is not None:
        nodes, scale = model.flesh.nodes, settings.gains[FLESH_DAMPING]
        load_dampers(nodes, state.x, state.xdot, work.f, scale, span.h_v, work.bodies, damper_work)


@kernel(inline=True)
def direct_characters(model, state, inputs, tasks, time, h, work, contact_work, director_work, result_out):
    """From goals to accelerations and efforts: those of zero command are there, what a command adds is linear."""
    if director_work is not None:
        for k in range(tasks.characters.shape[0]):
            direct(k, model, state, inputs, tasks, time, h, work, contact_work, director_work, result_out)
            note_momentum(k, model, state, tasks, work, director_work)


@kernel(inline=True)
def settle_flesh_dampers(model, state, settings, span, work, damper_work):
    """Forces of dampers on nodes, now that the bones' accelerations are what they will be."""
    if damper_work is not None:
        nodes, gravity, scale = model.flesh.nodes, model.skeleton.gravity, settings.gains[FLESH_DAMPING]
        settle_dampers(nodes, state.x, state.xdot, gravity, scale, span.h_v, work.bodies, damper_work, work.f)


@kernel(inline=True)
def find_diverged(skeleton, flesh, state, span, max_speed, work):
    """The velocity coordinate and the node that diverged, -1 for none."""
    coordinate = first_diverged(skeleton.dofs, state.v, work.vdot, span, max_speed)
    if flesh is None:
        return coordinate, -1
    return coordinate, first_lost_node(flesh.nodes, work.f, state.xdot, span.h_v, max_speed)


@kernel(inline=True)
def move_bones(skeleton, span, work, state):
    """`v+ = v + h vdot`, `q+ = q ⊕ h v+`."""
    for i in range(skeleton.tree.shape[0]):
        registry.advance(skeleton.tree[i], work.u, work.vdot, span.h, span.h_v, state.q, state.v)
    copy_rows(work.vdot, state.vdot)


@kernel(inline=True)
def move_nodes(skeleton, flesh, span, work, state):
    """The same for free nodes."""
    if flesh is not None:
        fall(flesh.nodes, skeleton.gravity, work.f, span.h, span.h_v, state.x, state.xdot)
        keep_mirrored(skeleton.tree, flesh.nodes, span.h, state.x, state.xdot)


@kernel(inline=True)
def keep_momenta(model, tasks, h, director_work, state, result_out):
    """Take from directed characters what a step of finite length has added to their momentum."""
    if director_work is not None:
        for k in range(tasks.characters.shape[0]):
            keep_momentum(k, model, tasks, h, director_work, state, result_out)
