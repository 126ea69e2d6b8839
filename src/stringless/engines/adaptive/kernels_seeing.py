"""How much of the picture a character takes up, and what of it is worth moving: budgets that fall with distance."""

from __future__ import annotations

import math

from stringless.engines.adaptive.rows import EYE, FORWARD, HEIGHT, LOOKED, OUT, RIGHT, SEEN, TALL, UP, WIDE
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

STEADY = 0.85
"""A share of the picture counts as what it was while it is neither below this part of it nor above it by as much."""
MARGIN = 0.25
"""Who was in the picture is still counted as in it so far beyond its edge, in units of their size."""
PIXELS = 4.0
"""Of a character's height in the picture for each joint that moves: smaller parts than that nobody tells apart."""


@kernel
def base_place(tree, members, base, q):
    """Where the body `base` of a tree is: its root, or what floats on a root that is fixed to the ground."""
    p, i = (0.0, 0.0, 0.0), base
    while i >= 0:
        row = tree[i]
        # A tree numbers its coordinates from its own first one on.
        R, r = registry.pose(row, q[members[i].q - row.q0 :])
        p = vec3.add(r, mat3.transform(R, p))
        p = vec3.add(vec3.load(row.p, 0), mat3.transform(mat3.load(row.R, 0), p))
        i = row.parent
    return p


@kernel
def share_of_picture(view, place, size, before):
    """The share of the picture's height that a ball takes up, 1 at most; `OUT` if it is not in it.

    `before` is what it was at the last look, 0 if nobody looked: a share that has changed little is left as it was, and an
    edge is crossed later on the way out than on the way in.
    """
    apart = vec3.subtract(place, vec3.load(view, EYE))
    depth = vec3.dot(apart, vec3.load(view, FORWARD))
    aside = abs(vec3.dot(apart, vec3.load(view, RIGHT)))
    above = abs(vec3.dot(apart, vec3.load(view, UP)))
    wide, tall = view[WIDE], view[TALL]
    beyond = max(
        -depth,
        (aside - wide * depth) / math.sqrt(1.0 + wide * wide),
        (above - tall * depth) / math.sqrt(1.0 + tall * tall),
    )
    if beyond > size + (MARGIN * size if before > 0.0 else 0.0):
        return OUT
    share = min(size / (tall * depth), 1.0) if depth > size else 1.0
    if before > 0.0 and STEADY * before <= share and STEADY * share <= before:
        return before
    return share


@kernel
def see(tree, members, q, kept_out, part_out):
    """Set budget and error of a tree by how it is seen now; as they were asked for if nobody looks.

    A character that fills the picture has what was asked for. One of the share s of its height has the budget `s active`, at
    least one joint. A deviation d [m/s] of a mass is seen as s d, and energies go with its square: with an error E it is
    `E/s²`, so that the eye sees alike much of it everywhere. What is out of the picture has no joint that moves.
    """
    view, root = part_out.sight, part_out.root
    if view[LOOKED] == 0.0:
        kept_out[root, SEEN] = 0.0
        part_out.budget, part_out.max_error = part_out.asked, part_out.allowed
        return
    place = base_place(tree, members, part_out.base, q)
    share = share_of_picture(view, place, part_out.size, kept_out[root, SEEN])
    kept_out[root, SEEN] = share
    part_out.budget, part_out.max_error = 0, -1.0
    if share > 0.0:
        told_apart = int(min(share * view[HEIGHT] / PIXELS, float(part_out.joints)))
        if part_out.allowed >= 0.0:
            part_out.budget, part_out.max_error = part_out.asked, part_out.allowed / (share * share)
        else:
            part_out.budget = math.ceil(share * part_out.asked)
        part_out.budget = min(part_out.budget, max(told_apart, 1), part_out.joints)


@kernel
def see_all(tree, members, q, kept_out, trees_out):
    """Set budgets and errors of all trees by how they are seen now."""
    for t in range(trees_out.shape[0]):
        first, end = trees_out[t].first, trees_out[t].first + trees_out[t].count
        see(tree[first:end], members[first:end], q, kept_out, trees_out[t])
