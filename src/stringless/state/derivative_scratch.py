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

ANCHOR, FIRST = range(2)
"""Columns of the table of packed bodies:

ANCHOR: body whose origin this body's quantities refer to, the first on the way from the root that moves; -1 if none;
FIRST: packed index of the joint's first coordinate; the others follow.
"""
DOF, PARENT, DEPTH, END, START, STOP, JOINT, STRAIGHT = range(8)
"""Columns of the table of packed coordinates:

DOF: index in the model;
PARENT: packed index of the previous coordinate on the way to the root, -1 at the root;
DEPTH: how many coordinates lie between this one and the root;
END: packed index after the last coordinate beyond this one;
START, STOP: packed index of the first coordinate of this one's tree, and after the last;
JOINT: first coordinate that acts at the same time as this one; itself if those of a joint act in turn;
STRAIGHT: 1 if the tree's coordinates stand in the model in the same order without a gap.
"""

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

    bodies: IntArray
    """Columns ANCHOR and FIRST of every body."""
    dofs: IntArray
    """Columns DOF to STRAIGHT of every packed coordinate."""


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
        """Allocate for `model`."""
        n, base = model.nv, scratch(model)
        self.packed = PackedModel(*pack(model))
        packing = self.packed.dofs
        deepest = int(packing[:, DEPTH].max(initial=-1)) + 1
        widest = int((packing[:, STOP] - packing[:, START]).max(initial=0))
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


def pack(model: Model) -> tuple[IntArray, IntArray]:
    """Number the coordinates depth first; tables of the bodies and of the packed coordinates."""
    n = model.nv
    parents = [int(parent) for parent in model.dofs["parent"]]
    order = depth_first(parents)
    index = {d: k for k, d in enumerate(order)} | {-1: -1}
    dofs = np.zeros((n, 8), INT)
    for k, d in enumerate(order):
        up = index[parents[d]]
        body = model.tree[int(model.dofs["body"][d])]
        joint = k if body["sequential"] else index[int(body["v0"])]
        dofs[k, [DOF, PARENT, END, JOINT]] = d, up, k + 1, joint
        dofs[k, [DEPTH, START]] = (0, k) if up < 0 else (dofs[up, DEPTH] + 1, dofs[up, START])
    for k in range(n - 1, -1, -1):
        up = dofs[k, PARENT]
        if up >= 0:
            dofs[up, END] = max(dofs[up, END], dofs[k, END])
    dofs[:, STOP] = dofs[dofs[:, START], END]
    for start, stop in np.unique(dofs[:, [START, STOP]], axis=0):
        dofs[start:stop, STRAIGHT] = np.all(np.diff(dofs[start:stop, DOF]) == 1)
    return _pack_bodies(model, index), dofs


def _pack_bodies(model: Model, index: dict[int, int]) -> IntArray:
    bodies = np.full((model.body_count, 2), -1, INT)
    for i, row in enumerate(model.tree):
        anchor = -1 if row["parent"] < 0 else bodies[row["parent"], ANCHOR]
        bodies[i, ANCHOR] = i if anchor < 0 and row["nv"] > 0 else anchor
        bodies[i, FIRST] = index[int(row["v0"])] if row["nv"] > 0 else -1
    return bodies


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
