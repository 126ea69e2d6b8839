"""Clusters against obstacles of the world: only what is near enough is looked at.

Around all probes of a body there is a ball, and one around those of a cluster. A step looks at the balls of clusters; of a
cluster
that reaches an obstacle at those of its bodies; of such a body at its probes, which feel what they feel in engine `reduced`. A
body that something holds already is looked at wherever it is: a point may have gone through a thin box. So nothing is missed.
"""

from __future__ import annotations

import math

from stringless.contact.kernels import forget, in_reach
from stringless.contact.kernels_probes import feel_run
from stringless.contact.kernels_runs import is_held, widen
from stringless.engines.adaptive.kernels_clusters import POSITION
from stringless.engines.adaptive.rows import PRESS, STEPS
from stringless.flesh.kernels_motion import row3, set_row3
from stringless.jit import kernel
from stringless.kinematics.kernels import place as place_body
from stringless.spatial import mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
WIDER = 1.0 + 1e-9
"""Balls are so much larger than they need to be: rounding must not lose what just touches."""
ALL = 1.0 - 1e-12
"""A body of this share of its cluster's mass is all of it."""
LEFT = 0.25
"""Of what was summed up for a look at a tree, at most this share of an interval is left for the next."""


# --- when clusters are formed --------------------------------------------------------------------------------------------


@kernel
def find_held(pads, obstacles, anchors, pad_work):
    """Find out which bodies obstacles hold already."""
    for k in range(pads.shape[0]):
        held = 0
        for i in range(pads[k].first, pads[k].first + pads[k].count):
            if is_held(0, obstacles.shape[0], anchors[i]):
                held = 1
        pad_work[k].held = held


@kernel
def sort_pads(count, pads, cluster_of, order_work, pad_work, ball_work):
    """List the bodies that can touch cluster by cluster; those that hang on the ground rigidly come last."""
    for c in range(count + 1):
        ball_work[c].end = 0
    for k in range(pads.shape[0]):
        c = cluster_of[pads[k].body]
        pad_work[k].cluster = c if c >= 0 else count
        ball_work[pad_work[k].cluster].end += 1
    total = 0
    for c in range(count + 1):
        some = ball_work[c].end
        ball_work[c].first = ball_work[c].end = total
        total += some
    for k in range(pads.shape[0]):
        ball = ball_work[pad_work[k].cluster]
        order_work[ball.end] = k
        ball.end += 1


@kernel
def surround(pads, order, pad_work, ball_work):
    """The ball around the bodies of one cluster, about the middle of the box around theirs; and whether one is held."""
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    held = 0
    for n in range(ball_work.first, ball_work.end):
        k = order[n]
        low, high = widen(low, high, vec3.load(pad_work[k].c, 0), pads[k].radius)
        held |= pad_work[k].held
    middle = vec3.scale(0.5, vec3.add(low, high))
    radius = 0.0
    for n in range(ball_work.first, ball_work.end):
        k = order[n]
        apart = vec3.subtract(vec3.load(pad_work[k].c, 0), middle)
        radius = max(radius, math.sqrt(vec3.dot(apart, apart)) + pads[k].radius)
    vec3.store(ball_work.c, 0, middle)
    ball_work.radius, ball_work.held = WIDER * radius, held


@kernel(inline=True)
def springiness(own, mass):
    """Share of the restitution that a body's landings have if it is rigidly part of a cluster: `√(m/M)`, 1 if it is all of it.

    The damper of a point is made for its own body, and brakes a heavier cluster by this share of what it should. A limp character
    lands dead, because its joints give way; one that is held rigid would bounce.
    """
    return math.sqrt(own / mass) if own < ALL * mass else 1.0


@kernel
def seat_pads(count, pads, probes, clusters, cluster_of, place, seated_work, order_work, pad_work, ball_work):
    """Put the probes of a tree into the frames of its `count` clusters, and balls around them.

    What hangs on the ground rigidly is one more cluster here. Nothing moves it, but what it feels must be known when joints are
    chosen.
    """
    sort_pads(count, pads, cluster_of, order_work, pad_work, ball_work)
    for k in range(pads.shape[0]):
        pad, work = pads[k], pad_work[k]
        R, p = mat3.load(place[pad.body], 0), vec3.load(place[pad.body], POSITION)
        vec3.store(work.c, 0, vec3.add(p, mat3.transform(R, vec3.load(pad.c, 0))))
        work.spring = springiness(pad.mass, clusters[work.cluster].mass) if work.cluster < count else 1.0
        for i in range(pad.first, pad.first + pad.count):
            seated_work[i] = probes[i]
            seated_work[i].body = work.cluster
            vec3.store(seated_work[i].r, 0, vec3.add(p, mat3.transform(R, vec3.load(probes[i].r, 0))))
    for c in range(count + 1):
        if ball_work[c].end > ball_work[c].first:
            surround(pads, order_work, pad_work, ball_work[c])


# --- every step -------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def reaches(x, radius, obstacles, nothing, h, obstacle_work):
    """Whether a ball about x may touch an obstacle; if it does not, no ball within it does."""
    near = False
    for j in range(obstacles.shape[0]):
        near = near or in_reach(j, obstacles[j], obstacle_work[j], x, radius, h, nothing)
    return near


@kernel
def feel_pad(pad, was_held, spring, R, p, origin, ground, h, body_work, ground_work, anchors_out, kept_out):
    """Forces of obstacles on the probes of a body whose cluster is at (R, p); 1 if one touches. `origin` is that of the body."""
    obstacles, meshes, _, _, _, gains, _ = ground
    own = (gains[0], gains[1], spring * gains[2])
    obstacle_work, stack_work, seated, _, _, _, wrench, moment, touch = ground_work
    m, f, held = ZERO3, ZERO3, 0
    for i in range(pad.first, pad.first + pad.count):
        here = vec3.add(p, mat3.transform(R, vec3.load(seated[i].r, 0)))
        set_row3(i, ZERO3, touch)
        set_row3(i, ZERO3, moment)
        kept = feel_run(
            i, seated[i], here, 0, obstacles.shape[0], obstacles, meshes, h, own, body_work, obstacle_work, stack_work,
            anchors_out[i], touch, moment, wrench,
        )  # fmt: skip
        if kept > 0 or was_held == 1:
            forget(kept, anchors_out[i])
        if kept > 0:
            held = 1
            f = vec3.add(f, row3(touch, i))
            m = vec3.add(m, vec3.add(row3(moment, i), vec3.cross(vec3.subtract(here, origin), row3(touch, i))))
    if held == 1:
        for k in range(3):
            kept_out[pad.owner, PRESS + k] += m[k]
            kept_out[pad.owner, PRESS + 3 + k] += f[k]
    return held


@kernel
def touch_obstacles(count, place, ground, h, body_work, ground_work, anchors_out, kept_out):
    """Wrenches of obstacles on the clusters of a tree, about their origins along world axes, into the scratch of the ground.

    Motions of the clusters are in `body_work`, and a row that stands still behind them for what hangs on the ground.
    """
    obstacles, _, _, pads, nothing, _, _ = ground
    obstacle_work, _, _, pad_work, ball_work, order, wrench, _, _ = ground_work
    for c in range(count + 1):
        ball = ball_work[c]
        for k in range(6):
            wrench[c, k] = 0.0
        if ball.first == ball.end:
            continue
        R, p = mat3.load(body_work[c].R, 0), vec3.load(body_work[c].p, 0)
        x = vec3.add(p, mat3.transform(R, vec3.load(ball.c, 0)))
        if ball.held == 0 and not reaches(x, ball.radius, obstacles, nothing[0], h, obstacle_work):
            continue
        held = 0
        for n in range(ball.first, ball.end):
            pad, work = pads[order[n]], pad_work[order[n]]
            x = vec3.add(p, mat3.transform(R, vec3.load(work.c, 0)))
            if work.held == 1 or reaches(x, pad.radius, obstacles, nothing[0], h, obstacle_work):
                origin = vec3.add(p, mat3.transform(R, vec3.load(place[pad.body], POSITION)))
                work.held = feel_pad(
                    pad, work.held, work.spring, R, p, origin, ground, h, body_work, ground_work, anchors_out, kept_out
                )  # fmt: skip
                held |= work.held
        ball.held = held


@kernel(inline=True)
def stand_still(row_work):
    """A row of the table of motions for what does not move: the world's own frame."""
    mat3.store(row_work.R, 0, IDENTITY)
    vec3.store(row_work.p, 0, ZERO3)
    vec3.store(row_work.V, 0, ZERO3)
    vec3.store(row_work.V, 3, ZERO3)


# --- when a tree is looked at -----------------------------------------------------------------------------------------


@kernel
def is_pressed(root, pads, kept):
    """Whether obstacles have touched a tree since it was looked at last, or lately before that."""
    if kept[root, STEPS] > 0.0:
        for k in range(pads.shape[0]):
            for n in range(PRESS, PRESS + 6):
                if kept[pads[k].owner, n] != 0.0:
                    return True
    return False


@kernel
def lean(root, tree, pads, kept, q, body_work, external_out):
    """Add to the wrenches on bodies, along their own axes, the mean of what obstacles did to each since the last look.

    The force of one step would not do: contact is stiff, and what it does in a step says little about a whole interval.
    """
    share = 1.0 / kept[root, STEPS]
    for i in range(tree.shape[0]):
        place_body(tree, i, q, body_work)
    for k in range(pads.shape[0]):
        row, i = kept[pads[k].owner], pads[k].body
        R = mat3.load(body_work[i].R, 0)
        vec3.add_to(external_out[i], 0, vec3.scale(share, mat3.transform_back(R, vec3.load(row, PRESS))))
        vec3.add_to(external_out[i], 3, vec3.scale(share, mat3.transform_back(R, vec3.load(row, PRESS + 3))))


@kernel
def fade(root, pads, interval, kept_out):
    """Begin a new mean of the wrenches of obstacles; a little of the old one stays, in case a tree is looked at again at once."""
    share = min(1.0, LEFT * interval / max(kept_out[root, STEPS], 1.0))
    kept_out[root, STEPS] *= share
    for k in range(pads.shape[0]):
        for n in range(PRESS, PRESS + 6):
            kept_out[pads[k].owner, n] *= share


@kernel
def clear_pads(pads, external_out):
    """No wrenches on the bodies that can touch."""
    for k in range(pads.shape[0]):
        for n in range(6):
            external_out[pads[k].body, n] = 0.0
