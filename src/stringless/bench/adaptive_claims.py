"""What we promise about steps in which few joints move, from the rows measured."""

from __future__ import annotations

from stringless.bench.adaptive_cases import ACTIVE, CROWD, LINKS, PENDULUM, PROMISED_SHARE, RARE, USUAL
from stringless.bench.claims import at_least
from stringless.bench.options import Row

OURS, FULL = "stringless adaptive", "stringless reduced"
STEP, CHOSEN, CALLED = "step", "step, chosen every {interval}", "step, chosen every {interval}, Simulation.step"
SINGLY = f"step, chosen every {USUAL}, one a call"
"""Tasks: steps with the joints that were chosen once; with a choice every so many steps; the same as a user calls it,
many steps at once or each alone."""
FALLING, RESTING = "step, after the fall", "step, after 8 s"
"""Tasks of the crowd on the ground."""
ALONE, UPDATED = 50.0, 50.0
"""How many times as fast a step with one joint and one force must be as one with all, without and with choices."""
EVEN = 150.0
"""Joints up to which a step must be no slower than that of engine `reduced`."""
OFTEN, SELDOM = 5.0, 10.0
"""How many times as fast as `reduced` the crowd must be, with usual and with rarer choices."""


def claims(rows: list[Row]) -> list[Row]:
    """Every figure we promise, from the rows measured."""
    found: list[Row] = []
    for task, limit, text in (
        (STEP, ALONE, "joints chosen once"),
        (CHOSEN.format(interval=USUAL), UPDATED, f"joints chosen every {USUAL} steps"),
    ):
        all_move, one_moves = pendulum_time(rows, task, LINKS), pendulum_time(rows, task, 1)
        ratio = all_move / one_moves if all_move and one_moves else None
        claim = f"pendulum of {LINKS} links, one force, {text}: time with all joints over time with one"
        found.append(at_least(claim, ratio, limit, "one of the rows is missing"))
    text = f"pendulum of {LINKS} links, one force, chosen every {USUAL} steps: joints at which `reduced` is as fast"
    found.append(at_least(text, break_even(rows), EVEN, "a row is missing, or the engine is never faster"))
    for interval, limit in ((USUAL, OFTEN), (RARE, SELDOM)):
        row = find(rows, case=CROWD, task=CHOSEN.format(interval=interval), program=OURS, share=PROMISED_SHARE)
        text = f"{CROWD}, {100 * PROMISED_SHARE:g} % of its joints, chosen every {interval} steps: times as fast as `reduced`"
        found.append(at_least(text, row.get("faster") if row else None, limit, "no such row"))
    return found


def pendulum_time(rows: list[Row], task: str, active: int) -> float | None:
    """Time of a step of the pendulum with one force on it [µs]."""
    row = find(rows, case=PENDULUM, task=task, program=OURS, active=active, forces=1)
    return None if row is None else row.get("microseconds")


def break_even(rows: list[Row]) -> float | None:
    """Active joints at which the adaptive engine, choosing as usual, is as fast as `reduced`: between those measured.

    All joints of the pendulum, if it is faster with all that were measured.
    """
    task = CHOSEN.format(interval=USUAL)
    measured = [find(rows, case=PENDULUM, task=task, program=OURS, active=active, forces=1) for active in ACTIVE]
    points = [(float(row["active"]), float(row["faster"])) for row in measured if row is not None]
    if not points or points[0][1] < 1.0 or points[-1][0] < EVEN:
        return None
    before, high = points[0]
    for active, faster in points[1:]:
        if faster < 1.0:
            return before + (active - before) * (high - 1.0) / (high - faster)
        before, high = active, faster
    return before


def find(rows: list[Row], **keys: str | float) -> Row | None:
    """The row with these entries."""
    return next((row for row in rows if keys.items() <= row.items()), None)
