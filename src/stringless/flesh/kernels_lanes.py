"""Many elements side by side, one loop for all materials.

A loop over lanes becomes vector instructions because all that it reads and writes stands in rows of fixed length
(`BLOCK_ROW`, `BLOCK_WORK`, `ASIDE_WORK`): the compiler sees that no two of them overlap. Each material has a loop of its own,
made from the one that is written here.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from stringless import jit
from stringless.flesh.kernels_diagonal import compose, decompose
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

REAL = np.float64
LANES = 64
"""Elements side by side."""

BLOCK_ROW = np.dtype(
    [
        ("count", np.int64),  # how many there are; lanes beyond it hold zeros
        ("material", np.int64),  # row in the table of materials
        ("n", np.int64, (4, LANES)),  # nodes
        ("Dm_inv", REAL, (9, LANES)),  # inverse of [X1-X0, X2-X0, X3-X0] at rest [1/m]
        ("volume", REAL, (LANES,)),  # filled volume at rest [m³]
    ],
    align=True,
)
BLOCK_WORK = np.dtype(
    [
        ("edges", REAL, (9, LANES)),  # Ds = [x1-x0, x2-x0, x3-x0] of every element [m]
        ("F", REAL, (9, LANES)),  # deformation gradient
        ("inside", REAL, (LANES,)),  # 1: within the range of the plain form
        ("f", REAL, (9, LANES)),  # forces on all nodes but the first, 0 where it is not [N]
    ],
    align=True,
)
ASIDE_WORK = np.dtype(
    [
        ("element", np.int64, (LANES,)),  # elements that were put aside to be decomposed
        ("F", REAL, (9, LANES)),
        ("P", REAL, (9, LANES)),  # first Piola stress [Pa]
    ],
    align=True,
)


class ElasticWork(NamedTuple):
    """Scratch of the elastic forces."""

    block: Any
    """The block of elements at hand: one row of `BLOCK_WORK`."""
    aside: Any
    """Elements that were put aside to be decomposed: one row of `ASIDE_WORK`."""


def elastic_scratch() -> ElasticWork:
    """Allocate it, once per simulation."""
    return ElasticWork(jit.rows(1, BLOCK_WORK), jit.rows(1, ASIDE_WORK))


def element_blocks(elements: Any) -> Any:
    """The elements in blocks, in their order; a new material begins a new block."""
    material = np.asarray(elements["material"])
    edges = [0, *(np.flatnonzero(np.diff(material)) + 1), len(elements)]
    spans = [(a, min(a + LANES, high)) for low, high in itertools.pairwise(edges) for a in range(low, high, LANES)]
    blocks = jit.rows(len(spans), BLOCK_ROW)
    for block, (a, b) in zip(blocks, spans, strict=True):
        some, count = elements[a:b], b - a
        block["count"], block["material"] = count, material[a]
        block["n"][:, :count], block["Dm_inv"][:, :count] = some["n"].T, some["Dm_inv"].T
        block["volume"][:count] = some["volume"]
    blocks.flags.writeable = False
    return blocks


@kernel(inline=True)
def load_lane(rows, l):
    """Nine numbers of one element, a matrix by rows."""
    return rows[0, l], rows[1, l], rows[2, l], rows[3, l], rows[4, l], rows[5, l], rows[6, l], rows[7, l], rows[8, l]


@kernel(inline=True)
def store_lane(l, a, rows_out):
    """Write nine numbers of one element."""
    rows_out[0, l], rows_out[1, l], rows_out[2, l] = a[0], a[1], a[2]
    rows_out[3, l], rows_out[4, l], rows_out[5, l] = a[3], a[4], a[5]
    rows_out[6, l], rows_out[7, l], rows_out[8, l] = a[6], a[7], a[8]


@kernel(inline=True)
def corner_forces(P, B, k):
    """`[f1 f2 f3] = -V P Dm⁻ᵀ` with k = -V (eq. 14), the forces on all nodes but the first, one after the other."""
    f1 = vec3.scale(k, mat3.transform(P, (B[0], B[1], B[2])))
    f2 = vec3.scale(k, mat3.transform(P, (B[3], B[4], B[5])))
    f3 = vec3.scale(k, mat3.transform(P, (B[6], B[7], B[8])))
    return (f1[0], f1[1], f1[2], f2[0], f2[1], f2[2], f3[0], f3[1], f3[2])


@kernel(lanes=True)
def deform_lanes(block, block_work):
    """`F = Ds Dm⁻¹` of a block whose elements are all to be decomposed."""
    for l in range(LANES):
        F = mat3.multiply(load_lane(block_work.edges, l), load_lane(block.Dm_inv, l))
        block_work.inside[l] = 0.0
        store_lane(l, F, block_work.F)


def make_plain_lanes(plain: Any) -> Any:
    """The loop over a block's elements for the law whose plain form this is."""

    @kernel(lanes=True)
    def plain_lanes(material, block, block_work):
        """Deformation of a block, whether each element is within the range, and its forces; zero for those that are not."""
        for l in range(LANES):
            B = load_lane(block.Dm_inv, l)
            F = mat3.multiply(load_lane(block_work.edges, l), B)
            inside, P = plain(F, material)
            f = corner_forces(P, B, -block.volume[l] if inside else 0.0)
            block_work.inside[l] = 1.0 if inside else 0.0
            store_lane(l, F, block_work.F)
            store_lane(l, f, block_work.f)

    return plain_lanes


def make_stretch_lanes(by_stretch: Any) -> Any:
    """The loop over elements that were put aside, for the law whose form by stretches this is."""

    @kernel(lanes=True)
    def stretch_lanes(material, count, aside_work):
        """Stress of `count` elements side by side by their principal stretches."""
        for l in range(count):
            u, v, w, s, a, b, e = decompose(load_lane(aside_work.F, l))
            p = by_stretch(s, material)[1]
            store_lane(l, compose(u, v, w, p, a, b, e), aside_work.P)

    return stretch_lanes
