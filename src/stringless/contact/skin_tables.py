"""Regions of the skin, and which of them can touch.

A region is the skin that goes with one bone, or the contact samples of one body without flesh. Bodies within two steps in the
tree are neighbours and feel nothing of each other, so that bending a joint pushes nothing; so are bones whose skin hangs
together within two steps (a ring of bones is closed by its skin), and what overlaps when the model stands at rest.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from stringless import jit
from stringless.contact.kernels_shapes import MESH, depth
from stringless.contact.kernels_skin import HIT_ROW, REGION_ROW, TRIANGLE_ROW, find_hits
from stringless.contact.records import SkinPoints, SkinTables
from stringless.kinematics.bodies import body_poses
from stringless.model.flesh import Flesh
from stringless.model.model import Model
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray


def neighbours(model: Model, obstacles: Any) -> NDArray[np.int8]:
    """(bodies, bodies) 1 for pairs that feel nothing of each other; of no size without flesh."""
    flesh = model.flesh
    if flesh is None:
        return np.zeros((0, 0), np.int8)
    count = model.body_count
    linked = np.eye(count, dtype=np.int64)
    child = np.flatnonzero(model.tree["parent"] >= 0)
    linked[child, model.tree["parent"][child]] = 1
    triangles = _triangles(flesh)
    bones = flesh.vertices["bone"][triangles]
    for k in range(3):
        a, b = bones[:, k], bones[:, k - 1]
        held = (a >= 0) & (b >= 0)
        linked[a[held], b[held]] = 1
    linked = np.maximum(linked, linked.T)
    near = (linked @ linked > 0).astype(np.int8)
    for bone, body in _overlaps(model, flesh, obstacles):
        near[bone, body] = near[body, bone] = 1
    return near


def _overlaps(model: Model, flesh: Flesh, obstacles: Any) -> Iterator[tuple[int, int]]:
    """Bone of the skin and bare body of the same tree that overlap at rest."""
    places, matrices = body_poses(model, model.neutral())
    skin = np.concatenate([part.vertices for part in flesh.specs])
    bones, root = flesh.vertices["bone"], model.tree["root"]
    for obstacle in obstacles.view(np.recarray):
        body = int(obstacle.body)
        if body < 0 or obstacle.kind == MESH:
            continue
        place = places[body] + matrices[body] @ obstacle.p
        turn = matrices[body] @ obstacle.R.reshape(3, 3)
        local = (skin - place) @ turn
        same = (bones >= 0) & (root[np.maximum(bones, 0)] == root[body])
        for i in np.flatnonzero(same & (np.linalg.norm(local, axis=1) < obstacle.reach)):
            if depth(obstacle, tuple(local[i]))[0] > 0:
                yield int(bones[i]), body


def skin_tables(model: Model, samples: Any, near: NDArray[np.int8]) -> SkinTables:
    """Cut the skin of all characters into regions and pair them."""
    flesh = model.flesh
    if flesh is None:
        nothing = SkinTables(
            jit.rows(0, REGION_ROW), np.zeros(0, np.int64), np.zeros((0, 2), np.int64), jit.rows(0, TRIANGLE_ROW)
        )
        for table in nothing:
            table.flags.writeable = False  # as those of flesh: compiled code tells the two apart
        return nothing
    part = np.repeat(np.arange(len(flesh.specs)), [len(spec.vertices) for spec in flesh.specs])
    bone = flesh.vertices["bone"]
    # Skin of the ground has no bone: each part is a region of its own.
    label = np.where(bone >= 0, bone, -1 - part)
    corners, reaches = with_images(_triangles(flesh), _reaches(flesh), flesh.vertices["mirror"])
    owner = np.sort(label[corners], axis=1)[:, 1]  # the region of two corners, if two have one
    labels = [int(name) for name in np.unique(owner)]
    bare = [int(body) for body in np.unique(samples["body"])]
    regions = jit.rows(len(labels) + len(bare), REGION_ROW)
    triangles = jit.rows(len(corners), TRIANGLE_ROW)
    order = np.argsort(owner, kind="stable")
    triangles["v"], triangles["reach"] = corners[order], reaches[order]
    members: list[IntArray] = []
    for row, name in zip(regions, labels, strict=False):
        _fill_region(row, np.unique(corners[owner == name]), members)
        row["first_triangle"], row["last_triangle"] = np.searchsorted(owner[order], [name, name + 1])
    for row, body in zip(regions[len(labels) :], bare, strict=True):
        _fill_region(row, len(bone) + np.flatnonzero(samples["body"] == body), members)
    listed = np.concatenate(members) if members else np.zeros(0, np.int64)
    everyone = [*labels, *bare]
    pairs = np.array(list(_pairs(everyone, len(labels), near, bone, part)), np.int64).reshape(-1, 2)
    for table in (regions, listed, pairs, triangles):
        table.flags.writeable = False
    tables = SkinTables(regions, listed, pairs, triangles)
    apart = pairs[_apart_at_rest(model, flesh, tables, everyone, samples)]
    apart.flags.writeable = False
    return SkinTables(regions, listed, apart, triangles)


def _triangles(flesh: Flesh) -> IntArray:
    """(m, 3) triangles of all parts."""
    starts = np.cumsum([0, *(len(part.vertices) for part in flesh.specs[:-1])])
    return np.concatenate([part.triangles + start for part, start in zip(flesh.specs, starts, strict=True)])


def with_images(corners: IntArray, reaches: FloatArray, mirror: IntArray) -> tuple[IntArray, FloatArray]:
    """Triangles and their reaches; where vertices have mirror images, with the images that are no triangles themselves.

    A quadrangle across the plane is cut along one diagonal, which the plane does not mirror: for contact it is cut along
    both, and the halves share the force.
    """
    known = {frozenset(triangle): k for k, triangle in enumerate(corners.tolist())}
    images = [mirror[triangle[::-1]] for triangle in corners]
    twins = [known.get(frozenset(image.tolist()), -1) for image in images]
    paired = np.array([min(reach, reaches[k]) if k >= 0 else reach for reach, k in zip(reaches, twins, strict=True)])
    added = [k for k, twin in enumerate(twins) if twin < 0 and images[k].min() >= 0]
    return np.concatenate([corners, *(images[k][None] for k in added)]), np.concatenate([paired, paired[added]])


def _fill_region(row: Any, points: IntArray, members: list[IntArray]) -> None:
    row["first_point"] = sum(len(m) for m in members)
    row["last_point"] = row["first_point"] + len(points)
    members.append(points.astype(np.int64))


def _pairs(
    names: list[int], skins: int, near: NDArray[np.int8], bone: IntArray, part: IntArray
) -> Iterator[tuple[int, int]]:
    """Regions that are no neighbours, at least one of them skin. Names are bodies, or -1 less the part of bone-less skin."""
    for j, b in enumerate(names):
        for i, a in enumerate(names[: min(j, skins)]):
            if a >= 0 and b >= 0:
                if not near[a, b]:
                    yield i, j
            # Skin of the ground is a neighbour of all that belongs to its part.
            elif j >= skins or not set(part[_of(a, bone, part)]) & set(part[_of(b, bone, part)]):
                yield i, j


def _of(name: int, bone: IntArray, part: IntArray) -> BoolArray:
    return bone == name if name >= 0 else (bone < 0) & (part == -1 - name)


def _apart_at_rest(model: Model, flesh: Flesh, tables: SkinTables, names: list[int], samples: Any) -> BoolArray:
    """Which pairs remain without those of one tree that touch already when the model stands at rest."""
    root = model.tree["root"]
    places, matrices = body_poses(model, model.neutral())
    held = [places[p["body"]] + matrices[p["body"]] @ p["r"] for p in samples]
    x = np.concatenate([*(part.vertices for part in flesh.specs), np.reshape(held, (-1, 3))])
    points = SkinPoints(x, len(flesh.vertices), samples)
    boxes, hits = np.zeros((len(names), 6)), jit.rows(len(x), HIT_ROW)
    keep = np.ones(len(tables.pairs), bool)
    for k, (i, j) in enumerate(tables.pairs):
        if min(names[i], names[j]) >= 0 and root[names[i]] == root[names[j]]:
            keep[k] = not find_hits(tables._replace(pairs=tables.pairs[k : k + 1]), points, boxes, hits)
    return keep


def _reaches(flesh: Flesh) -> FloatArray:
    """Half the thickness of the flesh under every triangle: radius of the largest ball inside that touches it [m].

    The ball shrinks until no vertex is in it: `r = |p - q|²/(2 n·(p - q))` for the vertex q nearest to its centre.
    """
    found: list[FloatArray] = []
    for part in flesh.specs:
        corners = part.vertices[part.triangles]
        p = corners.mean(axis=1)
        n = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        n /= np.maximum(np.linalg.norm(n, axis=1), 1e-300)[:, None]
        tree = KDTree(part.vertices)
        r = np.full(len(p), float(np.ptp(part.vertices, axis=0).max()))
        for _ in range(30):
            gap = p - part.vertices[tree.query(p - r[:, None] * n)[1]]
            along = np.einsum("ij,ij->i", gap, n)
            fit = np.einsum("ij,ij->i", gap, gap) / (2 * np.maximum(along, 1e-300))
            smaller = (along > 0) & (fit < (1 - 1e-9) * r)
            if not smaller.any():
                break
            r[smaller] = fit[smaller]
        found.append(r)
    return np.concatenate(found)
