"""Skin against skin: of one character between bones that are no neighbours, and of different characters.

Every point of a region (vertices of the skin near a bone, or the contact samples of a body without flesh) is compared with the
triangles of other regions whose boxes meet its own. A point is inside where it stands behind a triangle, above its
area, and less deep than half the thickness of the flesh there. Of several the nearest counts, and those that are nearly as
near share the force with it: a point on an edge, or between two triangles that mirror each other, must not be pushed to
the side of the one that happens to be first in the list.

The force on the point and that on the triangle are equal and opposite and have no moment together, so that linear and
angular momentum are kept to rounding.
"""

import math

import numpy as np

from stringless.contact.kernels import interpolate, point_velocity, spread_force
from stringless.contact.kernels_penalty import friction_force, normal_force
from stringless.contact.records import DAMPING, FRICTION, RESTITUTION, STIFFNESS, SkinPoints
from stringless.flesh.kernels_motion import add_row3, push_bone, row3
from stringless.jit import kernel
from stringless.spatial import vec3

REGION_ROW = np.dtype(
    [
        ("first_point", np.int64),  # its points in the list of members, which may name a point of a border twice
        ("last_point", np.int64),  # (one beyond)
        ("first_triangle", np.int64),  # its triangles
        ("last_triangle", np.int64),
    ],
    align=True,
)
TRIANGLE_ROW = np.dtype(
    [
        ("v", np.int64, (3,)),  # vertices
        ("reach", np.float64),  # how deep behind it a point counts as inside [m]
    ],
    align=True,
)
CANDIDATES = 16
"""Triangles that a point is pushed by at most: six meet in a corner, twice as many with their mirror images."""
HIT_ROW = np.dtype(
    [
        ("count", np.int64),  # triangles that a point is behind
        ("t", np.int64, (CANDIDATES,)),  # which
        ("d", np.float64, (CANDIDATES,)),  # how deep [m]
        ("inside", np.float64, (CANDIDATES,)),  # 1: above their area, less where it is above the rim around it
    ],
    align=True,
)
OVERLAP = 0.1
"""How far below zero the weight of a corner may be where a point still counts as above a triangle: no gaps along the
edges of a dent."""
NEARLY = 0.1
"""Triangles that are this share deeper above a point than the nearest one push it no more."""


@kernel(inline=True)
def point_radius(i, points):
    """Radius of a point: 0 for a vertex of the skin [m]."""
    return points.samples[i - points.skin].radius if i >= points.skin else 0.0


@kernel(inline=True)
def bound_region(region, members, points, box_out):
    """Box around the points of a region: low and high corner."""
    low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
    for k in range(region.first_point, region.last_point):
        x = row3(points.x, members[k])
        r = point_radius(members[k], points)
        low = (min(low[0], x[0] - r), min(low[1], x[1] - r), min(low[2], x[2] - r))
        high = (max(high[0], x[0] + r), max(high[1], x[1] + r), max(high[2], x[2] + r))
    vec3.store(box_out, 0, low)
    vec3.store(box_out, 3, high)


@kernel(inline=True)
def boxes_apart(a, b):
    """Tell whether two boxes have no point in common."""
    before = a[0] > b[3] or a[1] > b[4] or a[2] > b[5]
    return before or b[0] > a[3] or b[1] > a[4] or b[2] > a[5]


@kernel(inline=True)
def is_beside(x, r, box):
    """Tell whether a ball is outside a box."""
    before = x[0] < box[0] - r or x[1] < box[1] - r or x[2] < box[2] - r
    return before or x[0] > box[3] + r or x[1] > box[4] + r or x[2] > box[5] + r


@kernel(inline=True)
def above(triangle, points, x):
    """Height of `x` over a triangle, the unit normal, and the gradients of the weights of its last two corners."""
    a, b, c = row3(points, triangle.v[0]), row3(points, triangle.v[1]), row3(points, triangle.v[2])
    u, v = vec3.subtract(b, a), vec3.subtract(c, a)
    N = vec3.cross(u, v)
    s = 1.0 / max(vec3.dot(N, N), 1e-300)
    arm = vec3.subtract(x, a)
    n = vec3.scale(math.sqrt(s), N)
    grad_b, grad_c = vec3.scale(s, vec3.cross(v, N)), vec3.scale(s, vec3.cross(N, u))
    return vec3.dot(n, arm), n, grad_b, grad_c, vec3.dot(grad_b, arm), vec3.dot(grad_c, arm)


@kernel
def note_hits(region, other, box, skin, points, hit_work):
    """For every point of a region in the `box` of another, note the triangles of that which it is behind."""
    for k in range(region.first_point, region.last_point):
        i = skin.members[k]
        x = row3(points.x, i)
        r = point_radius(i, points)
        if is_beside(x, r, box):
            continue
        for t in range(other.first_triangle, other.last_triangle):
            triangle = skin.triangles[t]
            height, _n, _grad_b, _grad_c, w_b, w_c = above(triangle, points.x, x)
            lowest = min(w_b, w_c, 1.0 - w_b - w_c)
            if r - height > 0.0 and height >= -triangle.reach and lowest > -OVERLAP:
                note_triangle(t, r - height, min(1.0, 1.0 + lowest / OVERLAP), hit_work[i])


@kernel(inline=True)
def note_triangle(t, d, inside, hit_out):
    """Add a triangle to those that a point is behind, in place of the deepest if there are too many."""
    k = hit_out.count
    for n in range(hit_out.count):
        if hit_out.t[n] == t:
            return  # a point of a border is looked at once for each region that it belongs to
    if k == CANDIDATES:
        k = 0
        for n in range(1, CANDIDATES):
            if hit_out.d[n] > hit_out.d[k]:
                k = n
        if d >= hit_out.d[k]:
            return
    else:
        hit_out.count += 1
    hit_out.t[k] = t
    hit_out.d[k] = d
    hit_out.inside[k] = inside


@kernel(inline=True)
def least_depth(hit):
    """Depth below the nearest triangle [m]."""
    d = hit.d[0]
    for k in range(1, hit.count):
        d = min(d, hit.d[k])
    return d


@kernel(inline=True)
def share_of(hit, k, nearest):
    """How much triangle k has to say: all of it where it is the nearest and the point is above its area."""
    return hit.inside[k] * max(0.0, 1.0 - (hit.d[k] / nearest - 1.0) / NEARLY)


@kernel
def find_hits(skin, points, box_work, hit_work):
    """Fill `hit_work` with the triangles that each point is behind; return how many points are behind any."""
    for i in range(hit_work.shape[0]):
        hit_work[i].count = 0
    for i in range(skin.regions.shape[0]):
        bound_region(skin.regions[i], skin.members, points, box_work[i])
    for k in range(skin.pairs.shape[0]):
        a, b = skin.pairs[k, 0], skin.pairs[k, 1]
        if not boxes_apart(box_work[a], box_work[b]):
            note_hits(skin.regions[a], skin.regions[b], box_work[b], skin, points, hit_work)
            note_hits(skin.regions[b], skin.regions[a], box_work[a], skin, points, hit_work)
    count = 0
    for i in range(hit_work.shape[0]):
        if hit_work[i].count > 0:
            count += 1
    return count


@kernel(inline=True)
def push_vertex(i, f, vertices, f_out, force_out):
    """Add a force to a vertex of the skin, in the table of contact forces and at the nodes that carry it."""
    add_row3(i, f, force_out)
    spread_force(vertices[i], f, f_out)


@kernel
def push_apart(vertices, triangles, points, xdot, settings, hits, body_work, moment_work, f_out, forces_out):
    """Forces between all points and the triangles that they are behind, by their shares."""
    for i in range(hits.shape[0]):
        hit = hits[i]
        if hit.count > 0:
            nearest = least_depth(hit)
            total = 0.0
            for k in range(hit.count):
                total += share_of(hit, k, nearest)
            for k in range(hit.count):
                share = share_of(hit, k, nearest) / total
                if share > 0.0:
                    t = triangles[hit.t[k]]
                    push_pair(i, share, t, vertices, points, xdot, settings, body_work, moment_work, f_out, forces_out)


@kernel
def push_pair(i, share, t, vertices, points, xdot, settings, body_work, moment_work, f_out, forces_out):
    """A share of the force between a point and a triangle. Friction brakes slipping, and holds nothing.

    The point stands `d` below the triangle, so friction along both would turn the pair; forces `-n (d ft · grad w)` on
    the corners take that moment back.
    """
    skin, force_out = points.skin, forces_out.points
    x = row3(points.x, i)
    height, n, grad_b, grad_c, w_b, w_c = above(t, points.x, x)
    A, B, C = vertices[t.v[0]], vertices[t.v[1]], vertices[t.v[2]]
    w_a = 1.0 - w_b - w_c
    there = vec3.add_scaled(vec3.scale(w_a, interpolate(A, xdot)), w_b, interpolate(B, xdot))
    there = vec3.add_scaled(there, w_c, interpolate(C, xdot))
    kn, cn, d = min(A.kn, B.kn, C.kn), min(A.cn, B.cn, C.cn), -height
    foot = vec3.add_scaled(x, d, n)
    if i < skin:
        moving = interpolate(vertices[i], xdot)
        kn, cn = min(kn, vertices[i].kn), min(cn, vertices[i].cn)
    else:
        sample = points.samples[i - skin]
        moving = point_velocity(sample.body, foot, body_work)
        kn, cn, d = min(kn, sample.kn), min(cn, sample.cn), d + sample.radius
    kn, cn = settings.gains[STIFFNESS] * kn, settings.gains[DAMPING] * cn
    drift = vec3.subtract(moving, there)
    rate = vec3.dot(drift, n)
    fn = normal_force(d, rate, kn, cn, settings.h, settings.gains[RESTITUTION])
    slip = vec3.add_scaled(drift, -rate, n)
    ft, _ = friction_force((0.0, 0.0, 0.0), slip, fn, kn, cn, settings.gains[FRICTION])
    ft = vec3.scale(share, ft)
    f = vec3.add_scaled(ft, share * fn, n)
    turn_b, turn_c = 0.0, 0.0
    if i < skin:
        push_vertex(i, f, vertices, f_out, force_out)
        turn_b, turn_c = d * vec3.dot(ft, grad_b), d * vec3.dot(ft, grad_c)
    else:
        add_row3(i, f, force_out)
        add_row3(i - skin, vec3.cross(vec3.subtract(foot, x), f), moment_work)
        push_bone(points.samples[i - skin].body, foot, f, body_work, forces_out.bodies)
    push_vertex(t.v[0], vec3.add_scaled(vec3.scale(-w_a, f), turn_b + turn_c, n), vertices, f_out, force_out)
    push_vertex(t.v[1], vec3.add_scaled(vec3.scale(-w_b, f), -turn_b, n), vertices, f_out, force_out)
    push_vertex(t.v[2], vec3.add_scaled(vec3.scale(-w_c, f), -turn_c, n), vertices, f_out, force_out)


@kernel(inline=True)
def add_skin_forces(vertices, contact, xdot, settings, body_work, contact_work, f_out, forces_out):
    """Forces of skin on skin, and of skin on contact samples; returns how many points touch."""
    skin, hits, moments = contact.skin, contact_work.hits, contact_work.moments
    if skin.pairs.shape[0] == 0:
        return 0
    points = SkinPoints(contact_work.points, vertices.shape[0], contact.samples)
    count = find_hits(skin, points, contact_work.boxes, hits)
    if count > 0:
        push_apart(vertices, skin.triangles, points, xdot, settings, hits, body_work, moments, f_out, forces_out)
    return count
