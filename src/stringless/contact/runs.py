"""Obstacles of one tree, looked at together: most contact samples are far from all of them.

Obstacles of a tree that follow each other in the table are a run; those of the world are each one of their own.
"""

from typing import Any

import numpy as np


def mark_runs(obstacles: Any, root: Any) -> None:
    """Tell each obstacle where its run ends, with the root of every body."""
    tree = np.array([root[body] if body >= 0 else -1 - j for j, body in enumerate(obstacles["body"])], np.int64)
    breaks = np.flatnonzero(np.append(tree[1:] != tree[:-1], True)) + 1
    obstacles["end"] = breaks[np.searchsorted(breaks, np.arange(len(obstacles)), side="right")]
