"""Directing: time per step with Cartesian control, against prescribed joints over the same motion.

Kim & Pollard 2008, Table 2: they found factors of 1.8 (worm), 1.6 (fish) and 3.3 (finger). Each frame of a directed motion
is simulated again and again in turns with the same frame whose joints are prescribed, so that the flesh deforms alike.
"""

from __future__ import annotations

import numpy as np

from stringless.bench import directing_cases
from stringless.bench.claims import at_most
from stringless.bench.directing_cases import STROKE, TASKS, Take
from stringless.bench.directing_split import split
from stringless.bench.options import Measured, Options, Row
from stringless.bench.timing import best_times, limit_threads

OURS = "stringless"
PROMISED = ("worm", "fish", "finger")
OVERHEAD = 2.0
REAL_TIME = 4.0


def measure(options: Options) -> Measured:
    """Every task of every character, then the figures beside what we promise."""
    limit_threads()
    rows: list[Row] = []
    for name, part in directing_cases.PARTS.items():
        for task in TASKS:
            if not (part.bare and task.startswith("centre")):
                options.report(f"{name}: {task}")
                rows += measure_task(name, task, options)
    return Measured(rows, claims(rows))


def measure_task(name: str, task: str, options: Options) -> list[Row]:
    """Mean time per step over one stroke, both ways; and where the director's time goes in the middle of it."""
    take = Take(name, task)
    frames = round(STROKE / take.seconds)
    spent: dict[str, list[float]] = {"directed": [], "prescribed": []}
    parts: list[Row] = []
    apart = 0.0
    for k in range(frames):
        frame = take.frame()
        if options.quick and k % 4:
            continue
        contestants = {"directed": frame.directed, "prescribed": frame.prescribed}
        times = best_times(contestants, 0.0 if options.quick else 0.03)
        for way, taken in times.items():
            spent[way].append(taken / frame.steps)
        apart = max(apart, frame.apart())
        if k == frames // 2 - (frames // 2) % 4:
            parts = split(frame, 0.05 if options.quick else 0.3)
    directed, prescribed = (float(np.mean(spent[way])) for way in ("directed", "prescribed"))
    head: Row = {"case": name, "task": task, "program": OURS}
    row: Row = {"microseconds": 1e6 * directed, "prescribed_microseconds": 1e6 * prescribed}
    row |= {"ratio": directed / prescribed, "real_time": directed / take.part.dt, "apart": apart}
    return [{**head, **row}, *[{**head, **part} for part in parts]]


def claims(rows: list[Row]) -> list[Row]:
    """Every figure we promise about directing, from the rows measured: the worst task of each character counts."""
    found: list[Row] = []
    for name in PROMISED:
        tasks = [row for row in rows if row["case"] == name and "ratio" in row]
        text = f"{name}: most time per step with Cartesian control over that with prescribed joints"
        worst = max((row["ratio"] for row in tasks), default=None)
        found.append(at_most(text, worst, OVERHEAD, "there is no such row"))
        text = f"{name}, directed: most time over simulated time (at least {REAL_TIME:g}x real time)"
        slowest = max((row["real_time"] for row in tasks), default=None)
        found.append(at_most(text, slowest, 1 / REAL_TIME, "there is no such row"))
    return found
