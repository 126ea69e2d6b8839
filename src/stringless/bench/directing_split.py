"""Where the director's time goes: the frame again with less and less to direct.

Parts are differences between whole frames of the same compiled code, so their sum is the directed frame less the
prescribed one. Without some of its goals a character moves a little differently within the frame.
"""

from __future__ import annotations

import itertools
from typing import Any

from stringless.bench.directing_cases import Frame
from stringless.bench.options import Row
from stringless.bench.timing import Repeat, best_times

REST = "response, style, bounds"
"""What is left without any goal: how accelerations answer to commands, the style's optimum and the bounds on it."""


def split(frame: Frame, seconds: float) -> list[Row]:
    """Time per step for keeping momentum, for rows and levels of the goals, and for the rest."""
    cast = frame.sim.director.script()[0]
    variants: dict[str, Repeat] = {"all": frame.directed}
    less = cast.copy()
    less["correct"] = 0
    variants["momentum"] = _with(frame, cast, less.copy())
    less["last_task"], less["levels"] = less["first_task"], 0
    variants["goals"] = _with(frame, cast, less)
    variants[REST] = frame.prescribed
    times = best_times(variants, seconds)
    return [
        {"phase": name, "microseconds": 1e6 * max(times[before] - times[name], 0.0) / frame.steps}
        for before, name in itertools.pairwise(variants)
    ]


def _with(frame: Frame, cast: Any, other: Any) -> Repeat:
    """The frame with other entries in the director's table of who acts; the table is put back afterwards."""
    before = cast.copy()

    def run(count: int) -> None:
        cast[:] = other
        try:
            frame.directed(count)
        finally:
            cast[:] = before

    return run
