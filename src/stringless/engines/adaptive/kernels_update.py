"""The update of the active region: clusters of a tree as the state has them, and now and then other ones.

gather the tree -> budget by the view -> select joints -> form clusters -> momenta of the joints that stay active.
"""

from __future__ import annotations

from stringless.engines.adaptive.kernels_clusters import form_clusters, recall_active
from stringless.engines.adaptive.kernels_contact import (
    add_mean_wrenches,
    clear_wrenches,
    fade_wrenches,
    had_contact,
    mark_bodies_in_contact,
    transform_samples,
)
from stringless.engines.adaptive.kernels_energy_criterion import select_by_energy
from stringless.engines.adaptive.kernels_motion_criterion import select_by_motion
from stringless.engines.adaptive.kernels_ranking import activate_all
from stringless.engines.adaptive.kernels_rigidification import (
    activate_moving,
    has_inactive_motion,
    must_rigidify,
    restore_momenta,
)
from stringless.engines.adaptive.kernels_sleep import FIRST, is_at_rest
from stringless.engines.adaptive.kernels_targets import has_coefficients
from stringless.engines.adaptive.kernels_transfer import (
    gather_active,
    gather_tree,
    gather_velocities,
    scatter_active,
    scatter_velocities,
)
from stringless.engines.adaptive.kernels_view import set_budget
from stringless.engines.adaptive.rows import ENERGY
from stringless.jit import kernel


@kernel
def form_tree(model, work):
    """Make the clusters of a tree, whose configuration is in the scratch, and the spheres that tell where they may touch."""
    form_clusters(model.skeleton, work.scratch.q, work.clusters, work.status)
    transform_samples(model.contact, work.clusters, work.status.clusters, work.contact)


@kernel
def begin_tree(model, state, tau, last, moved, work):
    """Begin where the state stands; True if the active region must be updated at once.

    `moved`: the state was set from outside, so that the clusters are not those of it. An inactive joint that has a
    velocity must be brought to rest. Until then it carries a cluster: within clusters nothing moves.
    """
    clusters, scratch, tree, members = work.clusters, work.scratch, model.skeleton.tree, model.members
    due = state.bodies[model.row.root].criteria != model.row.criteria
    if moved:
        recall_active(members, state.bodies, clusters.active)
        gather_tree(model, state, tau, last, scratch)
        due = due or has_inactive_motion(tree, clusters.active, scratch.vectors.v)
        mark_bodies_in_contact(model.contact, state.anchors, work.contact)
        activate_moving(tree, scratch.vectors.v, clusters.active)
        form_tree(model, work)
        recall_active(members, state.bodies, clusters.active)
    gather_active(members, state, tau, work.status.clusters, clusters)
    return due


@kernel
def note_rest(contact, in_contact, model, state, inputs, external, settings, horizon, work):
    """Note how long a tree has been at rest. What a spring pulls is not: it may be pulled elsewhere as soon as it moves."""
    if contact is None:
        return
    root = state.bodies[model.row.root]
    resting = in_contact and inputs.springs.shape[0] == 0
    resting = resting and is_at_rest(model, inputs, external, settings, horizon, work)
    if resting:
        root.rest = root.rest + horizon if root.rest > 0.0 else FIRST  # the first time says nothing of before it
    else:
        root.rest = 0.0


@kernel
def select_region(model, state, inputs, settings, horizon, work):
    """Select the active joints of a tree that was gathered; how many change."""
    status, contact, root = work.status, model.contact, model.row.root
    if status.allowed_error < 0.0 and status.budget == model.row.joints:
        status.error = 0.0
        return activate_all(model.members, work.clusters.active)
    wrenches, loaded = work.scratch.external, inputs.loaded.shape[0] > 0
    for n in range(inputs.loaded.shape[0]):
        for k in range(6):
            wrenches[inputs.loaded[n], k] += work.wrenches[n, k]
    in_contact = had_contact(contact, root, state.bodies)
    if in_contact:
        tree, q, bodies = model.skeleton.tree, work.scratch.q, work.scratch.bodies
        add_mean_wrenches(contact, root, tree, state.bodies, q, bodies, wrenches)
    external = wrenches[: model.row.count if loaded or in_contact else 0]
    note_rest(contact, in_contact, model, state, inputs, external, settings, horizon, work)
    if settings.criterion == ENERGY:
        changes = select_by_energy(model, inputs.tau, external, settings, horizon, work)
    else:
        changes = select_by_motion(model, external, settings, horizon, work)
    for n in range(inputs.loaded.shape[0]):
        for k in range(6):
            wrenches[inputs.loaded[n], k] = 0.0
    clear_wrenches(contact, wrenches)
    return changes


@kernel
def update_active_region(model, state, inputs, settings, last, work):
    """Select the active joints of a tree for the steps up to the next update; returns whether something changes.

    Then velocities do not lag behind q any more (docs/theory/adaptive.md, section 4.2): half a step of the old accelerations with
    half a step of the new ones on top is what a step would be that went on from velocities that lag, and a chain of light links
    would gain energy at every change.
    """
    clusters, scratch, status, members = work.clusters, work.scratch, work.status, model.members
    v, horizon = scratch.vectors.cluster_v, settings.update_every * settings.dt
    gather_velocities(status.clusters, clusters, last, v)
    # Where nothing is new and nothing touches, motion of the clusters is all that there is to know.
    known = has_coefficients(status, horizon, settings.limit_frequency)
    gathered = model.contact is not None or settings.criterion != ENERGY or not known
    if gathered:
        gather_tree(model, state, inputs.tau, last, scratch)
    set_budget(model.row, model.skeleton.tree, members, state.q, state.bodies, status)
    changes = select_region(model, state, inputs, settings, horizon, work)
    fade_wrenches(model.contact, model.row.root, settings.update_every, state.bodies)
    status.updates += 1
    status.switches += changes
    rigidify = must_rigidify(status.clusters, clusters, v)
    if changes == 0 and not rigidify:
        return False
    if not gathered:
        gather_tree(model, state, inputs.tau, last, scratch)
    for i in range(members.shape[0]):
        state.bodies[members[i].body].active = 1.0 if clusters.active[i] else 0.0
    form_tree(model, work)
    scatter_velocities(model, clusters.active, scratch.vectors.v, state)
    gather_active(members, state, inputs.tau, status.clusters, clusters)
    if rigidify:
        restore_momenta(model, work)
        scatter_active(members, status.clusters, clusters, state)
    return True
