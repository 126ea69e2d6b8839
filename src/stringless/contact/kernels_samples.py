"""Contact samples of bodies without flesh against obstacles: tree by tree, for most trees are far from all others."""

import math

from stringless.contact.kernels import find_contact_force, in_reach, release_slots
from stringless.contact.kernels_runs import is_held, is_met, mark_met, widen
from stringless.contact.records import Ball, ContactForces, Obstacle
from stringless.flesh.kernels_motion import add_row3, push_bone, row3, set_row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def sample_center(sample, body_work):
    """Where the centre of a contact sample is."""
    body = body_work[sample.body]
    return vec3.add(vec3.load(body.p, 0), mat3.transform(mat3.load(body.R, 0), vec3.load(sample.r, 0)))


@kernel(inline=True)
def transform_samples(samples, body_work, point_out):
    """Where the centres of all contact samples are."""
    for i in range(samples.shape[0]):
        set_row3(i, sample_center(samples[i], body_work), point_out)


@kernel(inline=True)
def sample_ball(sample, x):
    """A contact sample whose centre is at x, as obstacles meet it."""
    return Ball(sample.radius, sample.kn, sample.cn, x, x)


@kernel(inline=True)
def add_run_forces(i, body, ball, first, end, contact, settings, body_work, contact_work, anchor_work, forces_out):
    """Forces of some obstacles on contact sample i; returns the slots of those that touch it, as bits."""
    kept = 0
    for j in range(first, end):
        obstacle = Obstacle(j, contact.obstacles[j], contact_work.obstacles[j], contact.meshes)
        if not in_reach(obstacle, ball.x, ball.radius, settings.h, anchor_work):
            continue
        slot, f, point = find_contact_force(obstacle, body, ball, settings, body_work, contact_work.stack, anchor_work)
        if slot >= 0:
            kept |= 1 << slot
            add_row3(i, f, forces_out.points)
            add_row3(i, vec3.cross(vec3.subtract(point, ball.x), f), contact_work.moments)
            push_bone(body, point, f, body_work, forces_out.bodies)
            if obstacle.row.body >= 0:
                push_bone(obstacle.row.body, point, vec3.scale(-1.0, f), body_work, forces_out.bodies)
    return kept


@kernel(inline=True)
def transform_tree_samples(first, tree, samples, body_work, force_out, point_out, moment_out):
    """Transform the samples of one tree, from the first on, and clear their forces; where they end, and a box around them."""
    root, i = tree[samples[first].body].root, first
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    while i < samples.shape[0] and tree[samples[i].body].root == root:
        here = sample_center(samples[i], body_work)
        low, high = widen(low, high, here, samples[i].radius)
        set_row3(i, here, point_out)
        set_row3(i, (0.0, 0.0, 0.0), force_out)
        set_row3(i, (0.0, 0.0, 0.0), moment_out)
        i += 1
    return i, low, high


@kernel(inline=True)
def add_tree_forces(i, body, ball, tree, contact, settings, body_work, contact_work, anchor_work, forces_out):
    """Forces on a sample of the runs that are marked and of those that hold it; the slots of what touches it, as bits."""
    obstacles, placed, kept, first = contact.obstacles, contact_work.obstacles, 0, 0
    while first < obstacles.shape[0]:
        end = obstacles[first].end
        if (placed[first].met == 1 or is_held(first, end, anchor_work)) and is_met(
            first, tree, obstacles, body, ball.x, ball.radius, settings.h, anchor_work, placed
        ):
            kept |= add_run_forces(
                i, body, ball, first, end, contact, settings, body_work, contact_work, anchor_work, forces_out
            )
        first = end
    return kept


@kernel
def add_sample_forces(skin, tree, contact, settings, body_work, contact_work, state, forces_out):
    """Forces of obstacles of the world and of other trees on all contact samples; returns how many touch.

    The samples follow the `skin` vertices among the contact points. A ball is touched at its rim: `contact_work.moments` gets
    the moments of the forces about its centre.
    """
    samples, obstacles, anchors = contact.samples, contact.obstacles, state.anchors[skin:]
    points, forces = contact_work.points[skin:], ContactForces(forces_out.points[skin:], forces_out.bodies)
    count, first = 0, 0
    while first < samples.shape[0]:
        end, low, high = transform_tree_samples(
            first, tree, samples, body_work, forces.points, points, contact_work.moments
        )
        root = tree[samples[first].body].root
        some = mark_met(root, tree, obstacles, low, high, settings.h, contact_work.obstacles)
        for i in range(first, end):
            if not (some or is_held(0, obstacles.shape[0], anchors[i])):
                continue  # and it has no anchors to release
            ball = sample_ball(samples[i], row3(points, i))
            kept = add_tree_forces(
                i, samples[i].body, ball, tree, contact, settings, body_work, contact_work, anchors[i], forces
            )
            release_slots(kept, anchors[i])
            if kept > 0:
                count += 1
        first = end
    return count
