"""Elements as the vector instructions want them: 64 of one material side by side, one number of all after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless import jit

LANES = 64
"""Elements side by side."""

BLOCK_ROW = np.dtype(
    [
        ("first", np.int64),  # number of the first element in the table of elements
        ("count", np.int64),  # how many there are; lanes beyond it hold zeros
        ("material", np.int64),  # row in the table of materials
        ("n", np.int64, (4, LANES)),  # nodes
        ("Dm_inv", np.float64, (9, LANES)),  # inverse of [X1-X0, X2-X0, X3-X0] at rest [1/m]
        ("volume", np.float64, (LANES,)),  # filled volume at rest [m³]
    ],
    align=True,
)


def element_blocks(elements: Any) -> Any:
    """The elements in blocks, in their order; a new material begins a new block."""
    material = np.asarray(elements["material"])
    edges = [0, *(np.flatnonzero(np.diff(material)) + 1), len(elements)]
    starts = [(a, b) for low, high in zip(edges, edges[1:], strict=False) for a in range(low, high, LANES) for b in [high]]
    blocks = jit.rows(len(starts), BLOCK_ROW)
    for block, (a, end) in zip(blocks, starts, strict=True):
        some = elements[a : min(a + LANES, end)]
        count = len(some)
        block["first"], block["count"], block["material"] = a, count, material[a]
        block["n"][:, :count], block["Dm_inv"][:, :count] = some["n"].T, some["Dm_inv"].T
        block["volume"][:count] = some["volume"]
    blocks.flags.writeable = False
    return blocks
