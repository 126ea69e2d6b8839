"""Clusters against obstacles of the world: only what is near enough is examined (docs/theory/adaptive.md, section 5.1).

Around all contact samples of a body there is a sphere, and one around those of a cluster. A step looks at the spheres of
clusters; where one reaches an obstacle at those of its bodies; of such a body at its samples, with the forces of engine
`reduced`. A body that touches already is examined wherever it is: a point may have gone through a thin box. So nothing is missed.
"""

from __future__ import annotations

import math

from stringless.contact.kernels import in_reach, release_slots, transform_obstacles
from stringless.contact.kernels_runs import is_held, widen
from stringless.contact.kernels_samples import add_run_forces, sample_ball
from stringless.contact.kernels_step import into_body_axes
from stringless.contact.records import DAMPING, RESTITUTION, STIFFNESS, ContactForces, ContactSettings, Obstacle
from stringless.engines.adaptive.kernels_clusters import IDENTITY, POSITION, ZERO3
from stringless.flesh.kernels_motion import row3, set_row3
from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose
from stringless.spatial import mat3, vec3

WIDER = 1.0 + 1e-9
"""Spheres are so much larger than they need to be: rounding must not lose what just touches."""
ALL = 1.0 - 1e-12
"""A body of this share of its cluster's mass is all of it."""
LEFT = 0.25
"""Of the wrenches summed up for an update, at most this share of an interval is left for the next."""


# --- when clusters are formed --------------------------------------------------------------------------------------------


@kernel
def mark_bodies_in_contact(contact, anchors, work):
    """Mark the bodies that are in contact with obstacles already."""
    if contact is None:
        return
    for k in range(contact.bodies.shape[0]):
        row = contact.bodies[k]
        in_contact = 0
        for i in range(row.first, row.first + row.count):
            if is_held(0, contact.obstacles.shape[0], anchors[i]):
                in_contact = 1
        work.bodies[k].in_contact = in_contact


@kernel
def sort_bodies(count, bodies, cluster_of, work):
    """List the bodies that can touch cluster by cluster; those that are fixed to the ground come last."""
    for c in range(count + 1):
        work.spheres[c].end = 0
    for k in range(bodies.shape[0]):
        c = cluster_of[bodies[k].body]
        work.bodies[k].cluster = c if c >= 0 else count
        work.spheres[work.bodies[k].cluster].end += 1
    total = 0
    for c in range(count + 1):
        some = work.spheres[c].end
        work.spheres[c].first = work.spheres[c].end = total
        total += some
    for k in range(bodies.shape[0]):
        sphere = work.spheres[work.bodies[k].cluster]
        work.order[sphere.end] = k
        sphere.end += 1


@kernel
def bound_cluster(c, bodies, work):
    """The sphere around the bodies of one cluster, about the middle of the box around theirs; and whether one touches."""
    sphere, order = work.spheres[c], work.order
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    in_contact = 0
    for n in range(sphere.first, sphere.end):
        k = order[n]
        low, high = widen(low, high, vec3.load(work.bodies[k].c, 0), bodies[k].radius)
        in_contact |= work.bodies[k].in_contact
    middle = vec3.scale(0.5, vec3.add(low, high))
    radius = 0.0
    for n in range(sphere.first, sphere.end):
        k = order[n]
        apart = vec3.subtract(vec3.load(work.bodies[k].c, 0), middle)
        radius = max(radius, math.sqrt(vec3.dot(apart, apart)) + bodies[k].radius)
    vec3.store(sphere.c, 0, middle)
    sphere.radius, sphere.in_contact = WIDER * radius, in_contact


@kernel(inline=True)
def restitution_share(own, mass):
    """Share of the restitution that a body's contacts have if it is rigidly part of a cluster: `√(m/M)`, 1 if it is all of it.

    The damper of a sample is made for its own body, and brakes a heavier cluster by this share of what it should. A limp
    character lands without a bounce, because its joints give way; one that is rigid would bounce.
    """
    return math.sqrt(own / mass) if own < ALL * mass else 1.0


@kernel
def transform_samples(contact, clusters, count, work):
    """Put the contact samples of a tree into the frames of its `count` clusters, and spheres around them.

    What is fixed to the ground is one more cluster here. Nothing moves it, but the forces on it must be known at an update.
    """
    if contact is None:
        return
    sort_bodies(count, contact.bodies, clusters.cluster_of, work)
    for k in range(contact.bodies.shape[0]):
        row, body = contact.bodies[k], work.bodies[k]
        R, p = mat3.load(clusters.place[row.body], 0), vec3.load(clusters.place[row.body], POSITION)
        vec3.store(body.c, 0, vec3.add(p, mat3.transform(R, vec3.load(row.c, 0))))
        body.restitution = (
            restitution_share(row.mass, clusters.tree[body.cluster].mass) if body.cluster < count else 1.0
        )
        for i in range(row.first, row.first + row.count):
            work.samples[i] = contact.samples[i]
            work.samples[i].body = body.cluster
            at = vec3.add(p, mat3.transform(R, vec3.load(contact.samples[i].r, 0)))
            vec3.store(work.samples[i].r, 0, at)
    for c in range(count + 1):
        if work.spheres[c].end > work.spheres[c].first:
            bound_cluster(c, contact.bodies, work)


# --- every step -------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def reaches_obstacle(x, radius, contact, h, work):
    """Whether a sphere about x may touch an obstacle; if it does not, no sphere within it does."""
    near = False
    for j in range(contact.obstacles.shape[0]):
        obstacle = Obstacle(j, contact.obstacles[j], work.obstacles[j], contact.meshes)
        near = near or in_reach(obstacle, x, radius, h, contact.no_anchors[0])
    return near


@kernel
def add_body_contacts(k, R, p, origin, contact, settings, scratch, work, state):
    """Forces of obstacles on the samples of body `contact.bodies[k]`, whose cluster is at (R, p); 1 if one touches.

    `origin` is that of the body.
    """
    row, was_in_contact = contact.bodies[k], work.bodies[k].in_contact
    given, share = settings.gains, work.bodies[k].restitution
    gains = (given[STIFFNESS], given[DAMPING], share * given[RESTITUTION])
    ours, forces = ContactSettings(settings.dt, gains), ContactForces(work.forces, scratch.wrenches)
    m, f, in_contact = ZERO3, ZERO3, 0
    for i in range(row.first, row.first + row.count):
        here = vec3.add(p, mat3.transform(R, vec3.load(work.samples[i].r, 0)))
        set_row3(i, ZERO3, work.forces)
        set_row3(i, ZERO3, work.moments)
        sample, every = work.samples[i], contact.obstacles.shape[0]
        ball, anchor = sample_ball(sample, here), state.anchors[i]
        kept = add_run_forces(i, sample.body, ball, 0, every, contact, ours, scratch.bodies, work, anchor, forces)
        if kept > 0 or was_in_contact == 1:
            release_slots(kept, state.anchors[i])
        if kept > 0:
            in_contact = 1
            force = row3(work.forces, i)
            f = vec3.add(f, force)
            m = vec3.add(m, vec3.add(row3(work.moments, i), vec3.cross(vec3.subtract(here, origin), force)))
    if in_contact == 1:
        for n in range(3):
            state.bodies[row.index].wrench[n] += m[n]
            state.bodies[row.index].wrench[3 + n] += f[n]
    return in_contact


@kernel
def add_cluster_contacts(count, place, contact, settings, scratch, work, state):
    """Wrenches of obstacles on the clusters of a tree, about their origins along world axes, into `scratch.wrenches`.

    Motions of the clusters are in `scratch.bodies`, and a row that stands still behind them for what is fixed to the ground.
    """
    h = settings.dt
    for c in range(count + 1):
        sphere = work.spheres[c]
        for n in range(6):
            scratch.wrenches[c, n] = 0.0
        if sphere.first == sphere.end:
            continue
        R, p = mat3.load(scratch.bodies[c].R, 0), vec3.load(scratch.bodies[c].p, 0)
        x = vec3.add(p, mat3.transform(R, vec3.load(sphere.c, 0)))
        if sphere.in_contact == 0 and not reaches_obstacle(x, sphere.radius, contact, h, work):
            continue
        in_contact = 0
        for n in range(sphere.first, sphere.end):
            k = work.order[n]
            row, body = contact.bodies[k], work.bodies[k]
            x = vec3.add(p, mat3.transform(R, vec3.load(body.c, 0)))
            if body.in_contact == 1 or reaches_obstacle(x, row.radius, contact, h, work):
                origin = vec3.add(p, mat3.transform(R, vec3.load(place[row.body], POSITION)))
                body.in_contact = add_body_contacts(k, R, p, origin, contact, settings, scratch, work, state)
                in_contact |= body.in_contact
        sphere.in_contact = in_contact


@kernel(inline=True)
def total_wrenches(contact, external, wrenches):
    """The wrenches that clusters are stepped with: with contact those that `add_contact` finds, else the given ones."""
    if contact is None:
        return external
    return wrenches


@kernel(inline=True)
def transform_world(contact, body_work, work):
    """World pose of every obstacle; none is carried by a body."""
    if contact is not None:
        transform_obstacles(contact.obstacles, body_work, work.obstacles)


@kernel(inline=True)
def begin_contact(contact, count, body_work, work):
    """Behind the `count` clusters, a row of motions for what is fixed to the ground, if that can touch: it stands still."""
    if contact is None:
        return
    if work.spheres[count].first < work.spheres[count].end:
        row = body_work[count]
        mat3.store(row.R, 0, IDENTITY)
        vec3.store(row.p, 0, ZERO3)
        vec3.store(row.V, 0, ZERO3)
        vec3.store(row.V, 3, ZERO3)


@kernel(inline=True)
def add_contact(contact, count, clusters, settings, scratch, work, state):
    """Contact of clusters, if there are obstacles: wrenches on them along their own axes, with the given ones."""
    if contact is None:
        return
    add_cluster_contacts(count, clusters.place, contact, settings, scratch, work, state)
    into_body_axes(clusters.external, scratch.wrenches[:count], scratch.bodies, scratch.wrenches)


@kernel(inline=True)
def count_steps(contact, root, steps, bodies_out):
    """Over how many steps wrenches of obstacles are summed up for the next update."""
    if contact is not None:
        bodies_out[root].steps += steps


# --- when the active region is updated ----------------------------------------------------------------------------------


@kernel
def had_contact(contact, root, bodies):
    """Whether a tree has been in contact with obstacles since its last update, or lately before that."""
    if contact is None:
        return False
    if bodies[root].steps > 0.0:
        for k in range(contact.bodies.shape[0]):
            for n in range(6):
                if bodies[contact.bodies[k].index].wrench[n] != 0.0:
                    return True
    return False


@kernel
def add_mean_wrenches(contact, root, tree, bodies, q, body_work, external_out):
    """Add to the wrenches on bodies, along their own axes, the mean of what obstacles did to each since the last update.

    The force of one step would not do: contact is stiff, and what it does in a step says little about a whole interval.
    """
    if contact is None:
        return
    share = 1.0 / bodies[root].steps
    for i in range(tree.shape[0]):
        find_pose(tree, i, q, body_work)
    for k in range(contact.bodies.shape[0]):
        wrench, i = bodies[contact.bodies[k].index].wrench, contact.bodies[k].body
        R = mat3.load(body_work[i].R, 0)
        vec3.add_to(external_out[i], 0, vec3.scale(share, mat3.transform_back(R, vec3.load(wrench, 0))))
        vec3.add_to(external_out[i], 3, vec3.scale(share, mat3.transform_back(R, vec3.load(wrench, 3))))


@kernel
def fade_wrenches(contact, root, interval, bodies_out):
    """Begin a new mean of the wrenches of obstacles; a little of the old one stays, in case the next update is soon."""
    if contact is None:
        return
    share = min(1.0, LEFT * interval / max(bodies_out[root].steps, 1.0))
    bodies_out[root].steps *= share
    for k in range(contact.bodies.shape[0]):
        for n in range(6):
            bodies_out[contact.bodies[k].index].wrench[n] *= share


@kernel
def clear_wrenches(contact, external_out):
    """No wrenches on the bodies that can touch."""
    if contact is None:
        return
    for k in range(contact.bodies.shape[0]):
        for n in range(6):
            external_out[contact.bodies[k].body, n] = 0.0
