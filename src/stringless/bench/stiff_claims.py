"""What we promise about stiff joints in long steps, from the rows measured."""

from __future__ import annotations

from stringless.bench.claims import at_most
from stringless.bench.options import Row
from stringless.bench.stiff_cases import KINDS, PROMISED

OURS = "stringless"
WATCH = "10 s at {ms:g} ms"
"""The task of a chain that is watched."""
LONGEST = 500.0
"""Time for a step of 1,000 links [µs]."""
LINEAR = 1.2
"""Time per link of 10,000 links over that of 1,000."""
GAP = 1e-9
"""How far joints may open [m]."""
HANDS = ("hand", LED := "hand led by a glove")
HAND = 15.0
"""Time for a step of the hand's bones [µs]."""


def claims(rows: list[Row]) -> list[Row]:
    """Every figure we promise, from the rows measured."""
    found: list[Row] = []
    for kind in KINDS:
        sizes = {row["links"]: row for row in rows if row["case"].startswith(kind) and row["task"] == "step, by size"}
        taken = sizes[1000]["microseconds"] if 1000 in sizes else None
        found.append(at_most(f"{kind} chain of 1,000 links: time per step [µs]", taken, LONGEST, "no such row"))
        per_link = [sizes[links]["nanoseconds_per_link"] for links in (1000, 10000) if links in sizes]
        ratio = per_link[1] / per_link[0] if len(per_link) == 2 else None
        text = f"{kind} chain: time per link of 10,000 links over that of 1,000"
        found.append(at_most(text, ratio, LINEAR, "one of the sizes is not among the rows"))
    for chain in PROMISED:
        found += watch_claims(rows, chain.name)
    for case in HANDS:
        row = find(rows, case=case, task="step", program=OURS)
        text = f"articulated solve of the {case}, 16 bones [µs]"
        found.append(at_most(text, row["microseconds"] if row else None, HAND, "no such row"))
    return found


def watch_claims(rows: list[Row], case: str) -> list[Row]:
    """Of one chain: stable with its limits hit, gaps closed, no energy gained in short steps."""
    found: list[Row] = []
    for ms in (10, 30):
        task = WATCH.format(ms=ms)
        row = find(rows, case=case, task=task, program=OURS) or {}
        bad = None if row.get("stable") is None else float(not (row["stable"] and row["stops"] > 0))
        found.append(at_most(f"{case}, {task}, limits hit: 0 if stable", bad, 0.0, "no such row"))
        still = None if row.get("still") is None else float(row["still"])
        text = f"{case}, {task}: 1 if it comes to stand still in the air"
        found.append(at_most(text, still, 0.0, "it did not last"))
        gap = row.get("gap") if row.get("stable") else None
        found.append(
            at_most(
                f"{case}, {task}: largest gap of a joint, whose poses follow from its coordinates [m]",
                gap,
                GAP,
                "it did not stay stable",
            )
        )
        if ms == 10:
            text = f"{case}, {task}: largest rise of energy above its start, over what it can fall"
            found.append(at_most(text, row.get("energy_gain"), 0.0, "no such row"))
    return found


def find(rows: list[Row], **keys: str) -> Row | None:
    """The row with these entries."""
    return next((row for row in rows if keys.items() <= row.items()), None)
