"""Directing: time per step with Cartesian control, against prescribed joints over the same motion.

Kim & Pollard 2008, Table 2: they found factors of 1.8 (worm), 1.6 (fish) and 3.3 (finger). Each frame of a directed motion
is simulated again and again in turns with the same frame whose joints are prescribed, so that the flesh deforms alike.
Then how calm and close drags are, and how near the least a style stays: see `directing_hand`.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from stringless.bench import directing_cases, directing_hand
from stringless.bench.directing_cases import STROKE, TASKS, Frame, Take
from stringless.bench.harness import NO_ROW, Options, Repeat, Row, at_most, best_times, figure, parts

OURS = "stringless"
REST = "response, style, bounds"
"""What directing takes without any goal: how accelerations answer to commands, the style's optimum and the bounds on it."""


def measure(options: Options) -> Iterator[Row]:
    """Every task of every character."""
    for name, part in directing_cases.PARTS.items():
        for task in TASKS:
            if not (part.bare and task.startswith("centre")):
                options.report(f"{name}: {task}")
                yield from measure_task(name, task, options)
    yield from directing_hand.measure_hand(options)


def measure_task(name: str, task: str, options: Options) -> list[Row]:
    """Mean time per step over one stroke, both ways; and where the director's time goes in the middle of it."""
    take = Take(name, task)
    frames = round(STROKE / take.seconds)
    spent: list[tuple[float, float]] = []
    split: list[Row] = []
    apart = 0.0
    for k in range(frames):
        frame = take.frame()
        if options.quick and k % 4:
            continue
        contestants = {"directed": frame.directed, "prescribed": frame.prescribed}
        times = best_times(contestants, 0.0 if options.quick else 0.03)
        spent.append((times["directed"] / frame.steps, times["prescribed"] / frame.steps))
        apart = max(apart, frame.apart())
        if k == frames // 2 - (frames // 2) % 4:
            split = split_time(frame, 0.05 if options.quick else 0.3)
    directed, prescribed = (float(x) for x in np.mean(spent, axis=0))
    head: Row = {"case": name, "task": task, "program": OURS}
    row: Row = {"microseconds": 1e6 * directed, "prescribed_microseconds": 1e6 * prescribed}
    row |= {"ratio": directed / prescribed, "real_time": directed / take.part.dt, "apart": apart}
    return [head | row, *(head | part for part in split)]


def split_time(frame: Frame, seconds: float) -> list[Row]:
    """Where the director's time goes: for keeping momentum, for rows and levels of the goals, and for the rest, per step.

    The frame again with less and less to direct: parts are differences between whole frames of the same compiled code, so their
    sum is the directed frame less the prescribed one. Without some of its goals a character moves a little differently.
    """
    rows = frame.sim.director.task_tables().characters
    calm = rows.copy()
    calm["correct"] = 0
    idle = calm.copy()
    idle["last_task"], idle["levels"] = idle["first_task"], 0
    variants = {"all": frame.directed, "momentum": _with(frame, rows, calm), "goals": _with(frame, rows, idle)}
    _, taken = parts(variants | {REST: frame.prescribed}, seconds)
    return [{"phase": name, "microseconds": 1e6 * time / frame.steps} for name, time in taken.items()]


def _with(frame: Frame, rows: Any, other: Any) -> Repeat:
    """The frame with other entries in the director's table of characters; the table is put back afterwards."""
    before = rows.copy()

    def run(count: int) -> None:
        rows[:] = other
        try:
            frame.directed(count)
        finally:
            rows[:] = before

    return run


# --- claims -----------------------------------------------------------------------------------------------------------

PROMISED = ("worm", "fish", "finger")
OVERHEAD = 2.0
REAL_TIME = 4.0
CALM, CLOSE = 3.0, 0.004
HARDEST, EXCESS = 100.0, 1e-3


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise about directing, from the rows measured: the worst task of each character counts."""
    for name in PROMISED:
        for key, limit, text in (
            ("ratio", OVERHEAD, f"{name}: most time per step with Cartesian control over that with prescribed joints"),
            (
                "real_time",
                1 / REAL_TIME,
                f"{name}, directed: most time over simulated time (at least {REAL_TIME:g}x real time)",
            ),
        ):
            worst = max((row[key] for row in rows if row["case"] == name and key in row), default=None)
            yield at_most(text, limit, worst, NO_ROW)
    for key, limit, text in (
        ("fastest", CALM, "fastest joint [rad/s]"),
        ("missed", CLOSE, "mean error [m]"),
    ):
        yield at_most(
            f"worm, head led 10 cm up and 2 cm inward at 1 Hz: {text}",
            limit,
            *figure(rows, key, case="worm", task="slow loop"),
        )
    for key, limit, text in (
        ("hardest", HARDEST, "straight chain pulled along itself, any style: hardest acceleration of a joint [rad/s²]"),
        ("excess", EXCESS, "any style: most that it costs beyond the least of a dense program, as a share"),
    ):
        yield at_most(text, limit, max((row[key] for row in rows if key in row), default=None), NO_ROW)
