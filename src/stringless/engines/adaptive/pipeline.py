"""The walk of the adaptive engine: the clusters of every tree step on; now and then the active region is updated.

Trees do not know of each other, so one after the other runs through all steps, and only what moves is touched.
"""

from __future__ import annotations

from stringless.engines.adaptive.kernels_clusters import skeleton_of
from stringless.engines.adaptive.kernels_contact import (
    add_contact,
    begin_contact,
    count_steps,
    total_wrenches,
    transform_world,
)
from stringless.engines.adaptive.kernels_sleep import digest_inputs, fall_asleep, is_asleep, may_sleep_on, wake_up
from stringless.engines.adaptive.kernels_transfer import (
    load_clusters,
    scatter_active,
    slice_clusters,
    slice_contact,
    slice_contact_work,
    slice_skeleton,
)
from stringless.engines.adaptive.kernels_update import begin_tree, update_active_region
from stringless.engines.adaptive.records import AdaptiveModel, AdaptiveWork, TreeInputs
from stringless.engines.reduced.kernels_bones import first_diverged, load_joints, solve_accelerations, velocity_step
from stringless.engines.reduced.records import Span
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.model.records import Inputs

NO_TIME = 1e-300
"""Length of the step before, where v does not lag behind q: the next step then brings v to its middle, not farther [s]."""


@kernel
def step_clusters(model, state, settings, last, steps, loaded, work):
    """Steps of the clusters of a tree, by symplectic Euler as engine `reduced` does; the steps done, and what diverged or -1.

    `loaded`: there are wrenches on its bodies.
    """
    clusters, scratch, contact, m = work.clusters, work.scratch, model.contact, work.status.clusters
    if m == 0:
        return steps, -1
    skeleton, h = skeleton_of(clusters, m, work.status.nv, model.skeleton), settings.dt
    tree, dofs, q, v, absent = skeleton.tree, skeleton.dofs, clusters.q, clusters.v, model.absent
    u, vdot, bodies = scratch.steps[0], scratch.steps[1], scratch.bodies
    external = total_wrenches(contact, clusters.external[: m if loaded else 0], scratch.wrenches[:m])
    inputs = Inputs(absent.mask, vdot, absent.mask, absent.targets, clusters.tau, external)
    begin_contact(contact, m, bodies, work.contact)
    done, bad = 0, -1
    while done < steps:
        for d in range(dofs.shape[0]):
            u[d] = v[d] + 0.5 * last * clusters.vdot[d]
        span = Span(h, velocity_step(last, h), last)
        load_joints(skeleton, q, v, u, inputs, span, settings.limit_frequency, bodies, scratch.dofs, None, vdot)
        add_contact(contact, m, clusters, settings, scratch, work.contact, state)
        solve_accelerations(skeleton, inputs, external, None, bodies, scratch.dofs, vdot, scratch.vectors.effort)
        bad = first_diverged(dofs, v, vdot, span, settings.max_speed)
        if bad >= 0:
            break
        for i in range(m):
            registry.advance(tree[i], u, vdot, h, span.h_v, q, v)
        for d in range(dofs.shape[0]):
            clusters.vdot[d] = vdot[d]
        last = h
        done += 1
    count_steps(contact, model.row.root, done, state.bodies)
    return done, bad


@kernel
def run_tree(number, model, state, inputs, settings, last, moved, steps, work):
    """Advance one tree; the steps done, and the model's coordinate that diverged or -1.

    `moved`: the clusters are not those of the state.
    """
    contact, clusters, root = model.contact, work.clusters, model.row.root
    due, asked = min(int(state.bodies[root].due), settings.update_every), False
    digest = digest_inputs(contact, model, inputs, work.wrenches, settings)
    if is_asleep(contact, root, state.bodies):
        if last > 0.0 and may_sleep_on(contact, model, digest, moved, state):
            return steps, -1
        wake_up(contact, root, state.bodies)
        moved, asked = True, True
    now = begin_tree(model, state, inputs.tau, last, moved, work) or asked
    if last == 0.0:
        # Trees are updated one after the other, not all at the same step.
        due, now = settings.update_every - number % settings.update_every, True
    load_clusters(inputs, work)
    done, bad = 0, -1
    while done < steps and bad < 0:
        if done > 0 and inputs.springs.shape[0] > 0:
            load_clusters(inputs, work)
        if now or due == 0:
            scatter_active(model.members, work.status.clusters, clusters, state)
            if update_active_region(model, state, inputs, settings, last, work) and last > 0.0:
                last = NO_TIME
            due, now = due if due > 0 else settings.update_every, False
            if is_asleep(contact, root, state.bodies):
                fall_asleep(contact, model, digest, state, work)
                done = steps
                break
            load_clusters(inputs, work)
        wanted = min(steps - done, due) if inputs.springs.shape[0] == 0 else 1
        some, bad = step_clusters(model, state, settings, last, wanted, inputs.loaded.shape[0] > 0, work)
        last = settings.dt if some > 0 else last
        done += some
        due -= some
    scatter_active(model.members, work.status.clusters, clusters, state)
    state.bodies[root].due, state.bodies[root].criteria = due, model.row.criteria
    if bad >= 0:
        c = clusters.dofs[bad].body
        bad = model.members[clusters.body_of[c]].v + bad - clusters.tree[c].v0
    return done, bad


@kernel
def run_adaptive(model, state, inputs, settings, last, moved, steps, time, work):
    """Advance all trees by `steps` steps of symplectic Euler, the step before having had the length `last`.

    Inactive joints cost nothing until the active region is updated.
    Returns the steps done, the time reached and the coordinate that diverged (-1 if none did). If one did, the others may
    have gone on: the caller goes back and takes as many steps as were done.
    """
    least, bad = steps, -1
    if steps == 0:
        return 0, time, -1
    transform_world(model.contact, work.scratch.bodies, work.contact)
    for t in range(model.row.shape[0]):
        row = model.row[t]
        first, end = inputs.first_load[t], inputs.first_load[t + 1]
        tree = AdaptiveModel(
            row=row,
            skeleton=slice_skeleton(row, model.skeleton),
            members=model.members[row.first : row.first + row.count],
            weights=model.weights[row.v0 : row.v0 + row.nv],
            absent=model.absent,
            contact=slice_contact(row, model.contact),
        )
        loads = TreeInputs(
            tau=inputs.tau,
            loaded=inputs.loaded[first:end],
            springs=inputs.springs[inputs.first_spring[t] : inputs.first_spring[t + 1]],
        )
        tree_work = AdaptiveWork(
            status=work.status[t],
            clusters=slice_clusters(row, work.clusters),
            scratch=work.scratch,
            wrenches=work.wrenches[first:end],
            contact=slice_contact_work(row, work.contact),
        )
        done, lost = run_tree(t, tree, state, loads, settings, last, moved, least, tree_work)
        if lost >= 0:
            least, bad = done, lost
    for _ in range(least):
        time += settings.dt
    return least, time, bad
