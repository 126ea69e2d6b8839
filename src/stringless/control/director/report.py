"""What a step came to, in words and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.characters import Character
from stringless.model.model import Model

RELAXED = {1 << 3: "joint limits", 1 << 2: "acceleration limits", 1 << 1: "friction of the support points"}


def report(row: Any, at_limits: dict[str, str]) -> dict[str, Any]:
    """A row of `REPORT_ROW` for people."""
    return {
        "at_limits": at_limits,
        "relaxed": [what for bit, what in RELAXED.items() if int(row["dropped"]) & bit],
        "relaxed_steps": int(row["drops"]),
        "saturated": int(row["saturated"]),
        "footholds": int(row["support_points"]),
        "correction": float(row["correction"]),
        "largest_correction": float(row["largest_correction"]),
    }


def held_joints(
    model: Model, character: Character, held: NDArray[np.int64], directed: NDArray[np.bool_]
) -> dict[str, str]:
    """Joints that a limit holds back, and which one: upper or lower. It slows them down before they are there."""
    found: dict[str, str] = {}
    for i in character.members:
        row, joint = model.tree[i], model.bodies[i].joint
        sides = held[int(row["l0"]) : int(row["l0"] + row["nl"])]
        if sides.any() and directed[joint.v_slice].any():
            found[joint.name] = "upper" if sides[np.flatnonzero(sides)[0]] > 0 else "lower"
    return found
