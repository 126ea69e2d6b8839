"""Closed triangle meshes as obstacles: the exact nearest point of the surface, and on which side of it a point is.

A coarse grid of depths tells quickly which points are far outside. For the others a walk down a tree of boxes finds
the nearest triangle. The side is told by the normal of the part of the triangle that is nearest: its face, an edge or a
corner, each with the mean normal of all faces around, weighted by their angles (Baerentzen and Aanaes 2005).
"""

import math

import numpy as np

from stringless.flesh.kernels_boxtree import LEAF, descend, gap_square, start_walk
from stringless.jit import kernel
from stringless.spatial import vec3

MESH_ROW = np.dtype(
    [
        ("first_triangle", np.int64),  # its triangles, in the order of its tree
        ("triangles", np.int64),
        ("first_box", np.int64),  # its boxes: the root is the second
        ("leaves", np.int64),
        ("first_depth", np.int64),  # its grid of depths, z running fastest
        ("counts", np.int64, (3,)),
        ("low", np.float64, (3,)),  # first point of the grid [m]
        ("cell", np.float64),  # [m]
    ],
    align=True,
)
FACET_ROW = np.dtype(
    [
        ("x", np.float64, (9,)),  # corners a, b, c [m]
        ("n", np.float64, (21,)),  # unit normals: of the face; of the edges ab, bc, ca; of the corners a, b, c
    ],
    align=True,
)
FACE, AB, BC, CA, A, B, C = 0, 1, 2, 3, 4, 5, 6


@kernel(inline=True)
def nearest_on_facet(facet, p):
    """Nearest point of a triangle, and the part of it that it lies on (Ericson, Real-Time Collision Detection, 5.1.5)."""
    a, b, c = vec3.load(facet.x, 0), vec3.load(facet.x, 3), vec3.load(facet.x, 6)
    u, v, ap = vec3.subtract(b, a), vec3.subtract(c, a), vec3.subtract(p, a)
    d1, d2 = vec3.dot(u, ap), vec3.dot(v, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        return a, A
    bp = vec3.subtract(p, b)
    d3, d4 = vec3.dot(u, bp), vec3.dot(v, bp)
    if d3 >= 0.0 and d4 <= d3:
        return b, B
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return vec3.add_scaled(a, d1 / (d1 - d3), u), AB
    cp = vec3.subtract(p, c)
    d5, d6 = vec3.dot(u, cp), vec3.dot(v, cp)
    if d6 >= 0.0 and d5 <= d6:
        return c, C
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return vec3.add_scaled(a, d2 / (d2 - d6), v), CA
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return vec3.add_scaled(b, s, vec3.subtract(c, b)), BC
    s = 1.0 / (va + vb + vc)
    return vec3.add_scaled(vec3.add_scaled(a, vb * s, u), vc * s, v), FACE


@kernel
def nearest_facet(mesh, facets, boxes, p, within, stack_work):
    """Depth and outward normal of a point whose distance from the surface of a mesh is at most `within`."""
    best = within * within
    depth, normal = -within, (0.0, 0.0, 1.0)
    top = start_walk(stack_work)
    while top > 0:
        top -= 1
        node = stack_work[top]
        if gap_square(boxes, mesh.first_box + node, p) > best:
            continue
        first, top = descend(node, mesh.leaves, top, stack_work)
        for k in range(max(first, 0), min(first + LEAF, mesh.triangles) if first >= 0 else 0):
            facet = facets[mesh.first_triangle + k]
            q, part = nearest_on_facet(facet, p)
            way = vec3.subtract(q, p)
            square = vec3.dot(way, way)
            if square < best:
                best = square
                n = vec3.load(facet.n, 3 * part)
                size = math.sqrt(square)
                inside = vec3.dot(way, n) >= 0.0
                depth = size if inside else -size
                # So near to the surface that the way has no direction, its normal serves.
                normal = n if size < 1e-9 else vec3.scale(1.0 / depth, way)
    return depth, normal


@kernel(inline=True)
def estimate_depth(mesh, depths, p):
    """Depth at the point of the grid that is nearest to `p`, and how far that is from `p`."""
    index, square = 0, 0.0
    for k in range(3):
        # An index for every target: on some `floor` gives a floating number.
        at = min(max(int(math.floor((p[k] - mesh.low[k]) / mesh.cell + 0.5)), 0), mesh.counts[k] - 1)  # noqa: RUF046
        index = index * mesh.counts[k] + at
        off = p[k] - mesh.low[k] - at * mesh.cell
        square += off * off
    return depths[mesh.first_depth + index], math.sqrt(square)


@kernel(inline=True)
def mesh_depth(mesh, meshes, p, radius, stack_work):
    """Depth and outward normal of a point; no more than a bound below `-radius` for one farther outside than that."""
    beside = math.sqrt(gap_square(meshes.boxes, mesh.first_box + 1, p))
    if beside > radius:
        return -beside, (0.0, 0.0, 1.0)
    d, off = estimate_depth(mesh, meshes.depths, p)
    if d + off < -radius:
        return d + off, (0.0, 0.0, 1.0)
    # No point of the surface can be farther than that; a little more, or rounding may leave none.
    return nearest_facet(mesh, meshes.facets, meshes.boxes, p, 1.001 * (abs(d) + off) + 1e-12, stack_work)


@kernel
def fill_depths(mesh, facets, boxes, size, stack_work, depths_out):
    """Depths at all points of the grid of a mesh; no point is farther from it than `size`."""
    at = mesh.first_depth
    for i in range(mesh.counts[0]):
        for j in range(mesh.counts[1]):
            for k in range(mesh.counts[2]):
                p = (mesh.low[0] + i * mesh.cell, mesh.low[1] + j * mesh.cell, mesh.low[2] + k * mesh.cell)
                d, _ = nearest_facet(mesh, facets, boxes, p, size, stack_work)
                depths_out[at] = d
                at += 1
