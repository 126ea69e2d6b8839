"""Room for the derivatives of the dynamics, allocated when a thread first asks for them.

The derivatives work on coordinates in depth-first order: the coordinates beyond one follow it without a gap, and the
path from the root to one, packed by depth, is a prefix of the path to whatever lies beyond it. Then the mass matrix,
its factor and the derivatives are contiguous loops (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5).
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from stringless import jit
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.state.scratch import RecursionWork, scratch

INT, REAL = np.int64, np.float64
BLOCK = 16
"""How many coordinates of a path are treated at once: four vectors of four numbers."""
LINE = 8
"""Numbers in a cache line."""
SUM_COUNT = 28
"""Numbers of a body that are added up over what it carries."""

PACKED_BODY = np.dtype(
    [
        (
            "anchor",
            INT,
        ),  # body whose origin its quantities refer to, the first on the way from the root that moves; -1: none
        ("first", INT),  # packed index of its joint's first coordinate; the others follow
    ],
    align=True,
)
PACKED_DOF = np.dtype(
    [
        ("dof", INT),  # index in the model
        ("parent", INT),  # packed index of the previous coordinate on the way to the root, -1 at the root
        ("depth", INT),  # how many coordinates lie between this one and the root
        ("end", INT),  # packed index after the last coordinate beyond this one
        ("start", INT),  # packed index of the first coordinate of this one's tree ...
        ("stop", INT),  # ... and after the last
        (
            "joint",
            INT,
        ),  # first coordinate that acts at the same time as this one; itself if those of a joint act in turn
        ("straight", INT),  # 1: the tree's coordinates stand in the model in the same order without a gap
    ],
    align=True,
)
PATH_BLOCK = np.dtype(
    [
        ("path", REAL, (21, BLOCK)),  # S (6), Psi'' (6), Psi' (3), Psi^ (6), a column per coordinate of the path
        ("mass", REAL, (BLOCK,)),  # M_kj, k the coordinate at hand and j on the path to it
        ("q_row", REAL, (BLOCK,)),  # d tau_k / d q_j
        ("v_row", REAL, (BLOCK,)),  # d tau_k / d v_j
        ("q_column", REAL, (BLOCK,)),  # d tau_j / d q_k
        ("v_column", REAL, (BLOCK,)),  # d tau_j / d v_k
    ],
    align=True,
)
"""All in one row of known size: the compiler sees that nothing overlaps, and vectorises."""


class PackedModel(NamedTuple):
    """Bodies and coordinates in depth-first order."""

    bodies: Any
    """Rows of `PACKED_BODY`."""
    dofs: Any
    """Rows of `PACKED_DOF`, one for each packed coordinate."""


class DerivativeWork(NamedTuple):
    """What the derivatives work in."""

    tables: RecursionWork
    sums: FloatArray
    """About the anchor, by body. Added up over what it carries: mass, h (3), J (6), dJ/dt (6), momentum L, P, force m, f; then
    of the body alone: velocity (6), acceleration (6), offset by -g."""
    terms: FloatArray
    """By packed coordinate. What it does to all beyond it: S (6), Psi'' (6), angular part of Psi' (3), Psi^ (6); what it feels
    of them: Y (6), b (3), G (6), H (6)."""
    blocks: Any
    """The path to a coordinate: rows of `PATH_BLOCK`."""
    path: IntArray
    """Packed coordinates of that path."""
    vectors: FloatArray
    """Accelerations; efforts, then pivots; a unit motion and its rate, shape (4, nv)."""
    factors: FloatArray
    """By packed coordinate, and one row that belongs to none: L, and the mass matrix for hybrid dynamics, by depth."""
    rows: FloatArray
    """Rows of the linear equations: mass matrix by depth; then, by coordinate of the tree: derivatives by q, by v, and the
    inverse of the mass matrix; and what `clear_row` may write beyond."""


class DerivativeScratch:
    """One set of work tables for the derivatives of one model."""

    def __init__(self, model: Model) -> None:
        n, base = model.nv, scratch(model)
        self.packed = pack(model)
        packing = self.packed.dofs
        deepest = int(packing["depth"].max(initial=-1)) + 1
        widest = int((packing["stop"] - packing["start"]).max(initial=0))
        blocks = -(-deepest // BLOCK)
        tail = BLOCK * blocks
        self.work = DerivativeWork(
            tables=base.tables,
            sums=aligned((model.body_count, SUM_COUNT + 12)),
            terms=aligned((n, 42)),
            blocks=aligned_rows(blocks, PATH_BLOCK),
            path=np.zeros(deepest, INT),
            vectors=np.zeros((4, n)),
            factors=aligned((2, n + 1, tail)),
            rows=aligned((n + 1, tail + padded(3 * widest) + BLOCK)),
        )
        self.every = np.ones(n, dtype=np.bool_)
        self.no_matrices = np.zeros((0, 0, 0))
        self.no_mask, self.no_vector, self.no_external = base.no_mask, base.no_vector, base.no_external
        self.configuration, self.skeleton = base.configuration, base.skeleton
        self.entry: Any = None  # into the kernel, found at the first call


def derivative_scratch(model: Model) -> DerivativeScratch:
    """The calling thread's scratch for the derivatives of `model`."""
    try:
        return model.local.derivatives
    except AttributeError:
        model.local.derivatives = DerivativeScratch(model)
        return model.local.derivatives


def pack(model: Model) -> PackedModel:
    """Number the coordinates depth first."""
    parents = [int(parent) for parent in model.dofs["parent"]]
    order = depth_first(parents)
    index = {d: k for k, d in enumerate(order)} | {-1: -1}
    dofs, bodies = jit.rows(model.nv, PACKED_DOF), jit.rows(model.body_count, PACKED_BODY)
    for k, d in enumerate(order):
        row, up, body = dofs[k], index[parents[d]], model.tree[int(model.dofs["body"][d])]
        row["dof"], row["parent"], row["end"] = d, up, k + 1
        row["joint"] = k if body["sequential"] else index[int(body["v0"])]
        row["depth"], row["start"] = (0, k) if up < 0 else (dofs[up]["depth"] + 1, dofs[up]["start"])
    for row in dofs[::-1]:
        if row["parent"] >= 0:
            dofs[row["parent"]]["end"] = max(dofs[row["parent"]]["end"], row["end"])
    dofs["stop"] = dofs["end"][dofs["start"]]
    for start in np.unique(dofs["start"]):
        tree = dofs[start : dofs[start]["stop"]]
        tree["straight"] = np.all(np.diff(tree["dof"]) == 1)
    for i, (row, body) in enumerate(zip(bodies, model.tree, strict=True)):
        anchor = -1 if body["parent"] < 0 else bodies[body["parent"]]["anchor"]
        row["anchor"] = i if anchor < 0 and body["nv"] > 0 else anchor
        row["first"] = index[int(body["v0"])] if body["nv"] > 0 else -1
    return PackedModel(bodies, dofs)


def depth_first(parents: Sequence[int]) -> list[int]:
    """Order a forest, given by each element's parent (-1 at a root): each element is followed by all beyond it."""
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]  # the last list, number -1, holds the roots
    for element in range(len(parents) - 1, -1, -1):
        children[parents[element]].append(element)
    order: list[int] = []
    waiting = children[-1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(children[order[-1]])
    return order


def padded(count: int) -> int:
    """Round up to whole cache lines of numbers."""
    return -(-count // LINE) * LINE


def aligned(shape: tuple[int, ...]) -> FloatArray:
    """Zeros that begin at a cache line: a vector that straddles two costs twice."""
    count = math.prod(shape)
    room = np.zeros(count + LINE)
    skip = -(room.ctypes.data // room.itemsize) % LINE
    return room[skip : skip + count].reshape(shape)


def aligned_rows(count: int, layout: np.dtype[Any]) -> Any:
    """`jit.rows` that begin at a cache line."""
    table = aligned((count * layout.itemsize // LINE,)).view(layout)
    return table.view(type(jit.rows(0, layout)))
