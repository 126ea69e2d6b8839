"""Tables of the closed meshes that are obstacles, and the points that stand for them when they touch others."""

import warnings
from collections.abc import Sequence

import numpy as np

from stringless import jit
from stringless.contact.kernels_meshes import FACET_ROW, MESH_ROW, fill_depths
from stringless.contact.records import MeshTables
from stringless.errors import InputError, StringlessWarning
from stringless.flesh.boxtree import STACK, BoxTree, build_tree
from stringless.flesh.surface import directed_edges
from stringless.model.shapes import Shape
from stringless.model.solids import mesh_solid
from stringless.spatial.arrays import FloatArray, IntArray

CELLS = 24
"""Cells of the grid of depths along the longest side of a mesh."""
MOST_SAMPLES = 32
"""Points that stand for a mesh at most."""


def closed_mesh(shape: Shape, where: str) -> tuple[FloatArray, IntArray] | None:
    """Scaled vertices and outward triangles of a mesh shape; none, with a warning, if it cannot push back."""
    found = f"mesh '{shape.mesh}' of {where} touches nothing: "
    if shape.surface is None:
        remedy = "give the shape its `surface`, or use boxes, spheres, capsules and cylinders for contact"
        warnings.warn(f"{found}its triangles are not known; {remedy}", StringlessWarning, stacklevel=2)
        return None
    vertices = np.asarray(shape.surface[0], float) * np.asarray(shape.size or (1.0, 1.0, 1.0))
    try:
        mesh_solid(vertices, shape.surface[1])
    except InputError as error:
        remedy = "close it, or use boxes, spheres, capsules and cylinders for contact"
        warnings.warn(f"{found}{error}; {remedy}", StringlessWarning, stacklevel=2)
        return None
    # Files repeat a corner for each triangle.
    vertices, same = np.unique(vertices, axis=0, return_inverse=True)
    triangles = same.reshape(-1)[np.asarray(shape.surface[1], np.int64)]
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    flat = np.linalg.norm(np.cross(b - a, c - a), axis=1) <= 1e-14 * np.ptp(vertices, axis=0).max() ** 2
    triangles = triangles[~flat]
    a, b, c = (vertices[triangles[:, k]] - vertices.mean(axis=0) for k in range(3))
    if np.einsum("ij,ij->", a, np.cross(b, c)) < 0:
        triangles = triangles[:, ::-1]
    return vertices, np.ascontiguousarray(triangles)


def mesh_samples(mesh: tuple[FloatArray, IntArray]) -> FloatArray:
    """(n, 3) vertices of a mesh that lie as far apart as possible, beginning with the farthest out [m]."""
    vertices = mesh[0]
    gap = np.linalg.norm(vertices - vertices.mean(axis=0), axis=1)
    chosen = [int(np.argmax(gap))]
    gap = np.full(len(vertices), np.inf)
    while len(chosen) < min(MOST_SAMPLES, len(vertices)):
        gap = np.minimum(gap, np.linalg.norm(vertices - vertices[chosen[-1]], axis=1))
        chosen.append(int(np.argmax(gap)))
    return vertices[chosen]


def mesh_tables(solids: Sequence[tuple[FloatArray, IntArray]]) -> MeshTables:
    """Trees, normals and grids of closed meshes."""
    meshes = jit.rows(len(solids), MESH_ROW)
    trees = [_tree(vertices, triangles) for vertices, triangles in solids]
    facets = jit.rows(sum(len(tree.order) for tree in trees), FACET_ROW)
    boxes = np.concatenate([np.zeros((0, 6)), *(tree.bounds for tree in trees)])
    first_triangle = first_box = first_depth = 0
    for row, tree, (vertices, triangles) in zip(meshes, trees, solids, strict=True):
        row["first_triangle"], row["triangles"] = first_triangle, len(triangles)
        row["first_box"], row["leaves"], row["first_depth"] = first_box, len(tree.bounds) // 2, first_depth
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        cell = float(np.max(high - low)) / CELLS
        row["low"], row["cell"], row["counts"] = low - cell, cell, np.ceil((high - low) / cell) + 3
        ours = facets[first_triangle : first_triangle + len(triangles)]
        ours["x"], ours["n"] = vertices[triangles[tree.order]].reshape(-1, 9), _normals(vertices, triangles)[tree.order]
        first_triangle, first_box = first_triangle + len(triangles), first_box + len(tree.bounds)
        first_depth += int(np.prod(row["counts"]))
    depths = np.zeros(first_depth)
    for table in (meshes, facets, boxes):
        table.flags.writeable = False
    for k, (vertices, _) in enumerate(solids):
        size = 3.0 * float(np.linalg.norm(np.ptp(vertices, axis=0)))
        fill_depths(meshes[k], facets, boxes, size, np.zeros(STACK, np.int64), depths)
    depths.flags.writeable = False
    return MeshTables(meshes, facets, boxes, depths)


def _tree(vertices: FloatArray, triangles: IntArray) -> BoxTree:
    corners = vertices[triangles]
    return build_tree(corners.min(axis=1), corners.max(axis=1))


def _normals(vertices: FloatArray, triangles: IntArray) -> FloatArray:
    """(m, 21) normals of the face, the edges ab, bc, ca and the corners a, b, c of every triangle."""
    x = vertices[triangles]
    face = _unit(np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]))
    at_corner = np.zeros_like(vertices)
    for k in range(3):
        u, v = _unit(x[:, (k + 1) % 3] - x[:, k]), _unit(x[:, (k + 2) % 3] - x[:, k])
        angle = np.arccos(np.clip(np.einsum("ij,ij->i", u, v), -1, 1))
        np.add.at(at_corner, triangles[:, k], angle[:, None] * face)
    sides = np.sort(directed_edges(triangles), axis=1)
    _, side = np.unique(sides, axis=0, return_inverse=True)
    sums = np.zeros((len(sides), 3))
    np.add.at(sums, side.reshape(-1), np.repeat(face, 3, axis=0))
    at_edge = sums[side.reshape(-1)]
    corner = _unit(at_corner[triangles].reshape(-1, 3)).reshape(-1, 9)
    return np.concatenate([face, _unit(at_edge).reshape(-1, 9), corner], axis=1)


def _unit(a: FloatArray) -> FloatArray:
    return a / np.maximum(np.linalg.norm(a, axis=1), 1e-300)[:, None]
