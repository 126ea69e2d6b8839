"""Probes of bodies without flesh against obstacles: tree by tree, for most trees are far from all others."""

from __future__ import annotations

import math

from stringless.contact.kernels import feel, forget, in_reach
from stringless.contact.kernels_runs import is_held, is_met, mark_met, widen
from stringless.flesh.kernels_motion import add_row3, push_bone, row3, set_row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def probe_place(probe, body_work):
    """Where the middle of a probe is."""
    body = body_work[probe.body]
    return vec3.add(vec3.load(body.p, 0), mat3.transform(mat3.load(body.R, 0), vec3.load(probe.r, 0)))


@kernel(inline=True)
def place_probes(probes, body_work, point_out):
    """Where the middles of all probes are."""
    for i in range(probes.shape[0]):
        set_row3(i, probe_place(probes[i], body_work), point_out)


@kernel(inline=True)
def feel_run(
    i, probe, here, first, end, obstacles, meshes, h, gains, body_work, obstacle_work, stack_work, anchor_work, force_out,
    moment_out, wrench_out,
):  # fmt: skip
    """Forces of some obstacles on a probe; returns the slots of those that touch it, as bits."""
    kept = 0
    for j in range(first, end):
        obstacle = obstacles[j]
        if not in_reach(j, obstacle, obstacle_work[j], here, probe.radius, h, anchor_work):
            continue
        slot, f, point = feel(
            j, obstacle, obstacle_work[j], meshes, probe.body, probe.kn, probe.cn, probe.radius, here, here, h, gains,
            body_work, stack_work, anchor_work,
        )  # fmt: skip
        if slot >= 0:
            kept |= 1 << slot
            add_row3(i, f, force_out)
            add_row3(i, vec3.cross(vec3.subtract(point, here), f), moment_out)
            push_bone(probe.body, point, f, body_work, wrench_out)
            if obstacle.body >= 0:
                push_bone(obstacle.body, point, vec3.scale(-1.0, f), body_work, wrench_out)
    return kept


@kernel(inline=True)
def place_tree(first, tree, probes, body_work, force_out, point_out, moment_out):
    """Place the probes of one tree, from the first on, and clear their forces; where they end, and a box around them."""
    root, i = tree[probes[first].body].root, first
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    while i < probes.shape[0] and tree[probes[i].body].root == root:
        here = probe_place(probes[i], body_work)
        low, high = widen(low, high, here, probes[i].radius)
        set_row3(i, here, point_out)
        set_row3(i, (0.0, 0.0, 0.0), force_out)
        set_row3(i, (0.0, 0.0, 0.0), moment_out)
        i += 1
    return i, low, high


@kernel
def feel_all(
    i, probe, here, tree, obstacles, meshes, h, gains, body_work, obstacle_work, stack_work, anchor_work, force_out,
    moment_out, wrench_out,
):  # fmt: skip
    """Forces on a probe of the runs that are marked and of those that hold it; the slots of what touches it, as bits."""
    kept, first = 0, 0
    while first < obstacles.shape[0]:
        end = obstacles[first].end
        if (obstacle_work[first].met == 1 or is_held(first, end, anchor_work)) and is_met(
            first, tree, obstacles, probe.body, here, probe.radius, h, anchor_work, obstacle_work
        ):
            kept |= feel_run(
                i, probe, here, first, end, obstacles, meshes, h, gains, body_work, obstacle_work, stack_work,
                anchor_work, force_out, moment_out, wrench_out,
            )  # fmt: skip
        first = end
    return kept


@kernel
def probe_forces(
    tree, probes, obstacles, meshes, h, gains, body_work, obstacle_work, stack_work, anchor_work, force_out, point_out,
    moment_out, wrench_out,
):  # fmt: skip
    """Forces of obstacles of the world and of other trees on all probes; returns how many touch.

    A ball is touched at its rim: `moment_out` gets the moments of the forces about its middle.
    """
    count, first = 0, 0
    while first < probes.shape[0]:
        end, low, high = place_tree(first, tree, probes, body_work, force_out, point_out, moment_out)
        some = mark_met(tree[probes[first].body].root, tree, obstacles, low, high, h, obstacle_work)
        for i in range(first, end):
            if not (some or is_held(0, obstacles.shape[0], anchor_work[i])):
                continue  # and it has no anchors to forget
            kept = feel_all(
                i, probes[i], row3(point_out, i), tree, obstacles, meshes, h, gains, body_work, obstacle_work, stack_work,
                anchor_work[i], force_out, moment_out, wrench_out,
            )  # fmt: skip
            forget(kept, anchor_work[i])
            if kept > 0:
                count += 1
        first = end
    return count
