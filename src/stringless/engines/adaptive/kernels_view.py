"""How much of the picture a character takes up: budgets that fall with distance (docs/theory/adaptive.md, section 6)."""

from __future__ import annotations

import math

from stringless.engines.adaptive.rows import OUTSIDE
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

STEADY = 0.85
"""A share of the picture counts as what it was while it is neither below this part of it nor above it by as much."""
MARGIN = 0.25
"""A character that was in the picture counts as in it so far beyond its edge, in units of its size."""
PIXELS = 4.0
"""Of a character's height in the picture for each active joint: smaller parts cannot be told apart."""


@kernel
def find_origin(tree, members, i, q):
    """Where the origin of body i of a tree is."""
    p = (0.0, 0.0, 0.0)
    while i >= 0:
        row = tree[i]
        # A tree numbers its coordinates from its own first one on.
        R, r = registry.pose(row, q[members[i].q - row.q0 :])
        p = vec3.add(r, mat3.transform(R, p))
        p = vec3.add(vec3.load(row.p, 0), mat3.transform(mat3.load(row.R, 0), p))
        i = row.parent
    return p


@kernel
def share_of_picture(camera, place, radius, before):
    """The share of the picture's height that a ball takes up, 1 at most; OUTSIDE if it is not in it.

    `before` is what it was at the last update, 0 if there was no view: a share that has changed little is left as it was, and
    an edge is crossed later on the way out than on the way in.
    """
    apart = vec3.subtract(place, vec3.load(camera.eye, 0))
    depth = vec3.dot(apart, vec3.load(camera.forward, 0))
    aside = abs(vec3.dot(apart, vec3.load(camera.right, 0)))
    above = abs(vec3.dot(apart, vec3.load(camera.up, 0)))
    wide, tall = camera.wide, camera.tall
    beyond = max(
        -depth,
        (aside - wide * depth) / math.sqrt(1.0 + wide * wide),
        (above - tall * depth) / math.sqrt(1.0 + tall * tall),
    )
    if beyond > radius + (MARGIN * radius if before > 0.0 else 0.0):
        return OUTSIDE
    share = min(radius / (tall * depth), 1.0) if depth > radius else 1.0
    if before > 0.0 and STEADY * before <= share and STEADY * share <= before:
        return before
    return share


@kernel
def set_budget(row, tree, members, q, bodies_out, status_out):
    """Set budget and allowed error of a tree by how it is seen now; as configured if there is no view.

    A character that fills the picture has what is configured. One of the share s of its height has the budget `s active`, at
    least one joint, and the error `E/s²` (eq. 6.1). Out of the picture no joint is active.
    """
    camera, root = row.camera, row.root
    if camera.given == 0:
        bodies_out[root].share = 0.0
        status_out.budget, status_out.allowed_error = row.max_active, row.max_error
        return
    place = find_origin(tree, members, row.located, q)
    share = share_of_picture(camera, place, row.radius, bodies_out[root].share)
    bodies_out[root].share = share
    status_out.budget, status_out.allowed_error = 0, -1.0
    if share > 0.0:
        told_apart = int(min(share * camera.height / PIXELS, float(row.joints)))
        if row.max_error >= 0.0:
            status_out.budget, status_out.allowed_error = row.max_active, row.max_error / (share * share)
        else:
            status_out.budget = math.ceil(share * row.max_active)
        status_out.budget = min(status_out.budget, max(told_apart, 1), row.joints)


@kernel
def set_budgets(model, q, bodies_out, status_out):
    """Set budgets and allowed errors of all trees by how they are seen now."""
    for t in range(model.row.shape[0]):
        row = model.row[t]
        first, end = row.first, row.first + row.count
        set_budget(row, model.skeleton.tree[first:end], model.members[first:end], q, bodies_out, status_out[t])
