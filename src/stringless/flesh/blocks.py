"""Elements as the vector instructions want them: 64 of one material side by side, one number of all after the other."""

import itertools
from typing import Any

import numpy as np

from stringless import jit

LANES = 64
"""Elements side by side."""

BLOCK_ROW = np.dtype(
    [
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
    spans = [(a, min(a + LANES, high)) for low, high in itertools.pairwise(edges) for a in range(low, high, LANES)]
    blocks = jit.rows(len(spans), BLOCK_ROW)
    for block, (a, b) in zip(blocks, spans, strict=True):
        some, count = elements[a:b], b - a
        block["count"], block["material"] = count, material[a]
        block["n"][:, :count], block["Dm_inv"][:, :count] = some["n"].T, some["Dm_inv"].T
        block["volume"][:count] = some["volume"]
    blocks.flags.writeable = False
    return blocks
