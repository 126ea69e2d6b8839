"""What came of a step, in words and numbers."""

from __future__ import annotations

from typing import Any

RELAXED = {1 << 3: "joint limits", 1 << 2: "acceleration limits", 1 << 1: "friction of the footholds"}


def report(row: Any) -> dict[str, Any]:
    """A row of `REPORT_ROW` for people."""
    return {
        "relaxed": [what for bit, what in RELAXED.items() if int(row["dropped"]) & bit],
        "relaxed_steps": int(row["drops"]),
        "saturated": int(row["saturated"]),
        "footholds": int(row["footholds"]),
        "correction": float(row["correction"]),
        "largest_correction": float(row["largest_correction"]),
    }
