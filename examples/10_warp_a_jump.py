"""Repair the timing of a jump that failed.

Idea: a hand pulls the worm's head up, as in Figure 1 of Kim & Pollard 2008, but too slowly: the worm sits up and stays on
the floor. The recorded commands are then replayed in a third of the time, and the worm leaves the floor. Warped back, the
jump fails again: nothing but the timing differs.

Run: python examples/10_warp_a_jump.py
"""

from __future__ import annotations

import math

import stringless as sl
from stringless.control.live import TimedPath
from stringless.timeline.drawing import draw

BEGIN, SLOW, QUICK = 0.4, 0.24, 0.08
"""When the hand begins, and how long it takes to pull the head up [s]."""


def pull_up_head(sim: sl.Simulation) -> None:
    """Let the worm come to rest, pull its head up by 0.35 m, hold on for a moment and let go."""
    sim.advance(BEGIN)
    head = sim.director.drag("bone_0", point=(-0.045, 0.0, 0.0), stiffness=40.0)
    x, y, z = head.position
    shares = [k / 24 for k in range(25)]
    places = [(x, y + s * s * (3 - 2 * s) * (0.35 - y), z) for s in shares]  # begins and ends softly
    head.target = TimedPath([BEGIN + s * SLOW for s in shares], places)
    sim.advance(SLOW + 0.2)
    head.release()
    sim.advance(0.4)


def find_clearance(sim: sl.Simulation, branch: int) -> float:
    """How high the lowest point of the worm was above the floor, at most [m]."""
    frames = sim.take.frames(BEGIN, None, branch)
    return max(float(draw(sim.model, frame).skin[:, 1].min()) for frame in frames)


def make_sine(end: float) -> list[list[float]]:
    """Knots of the paper's own warp, `t' = t + (0.05 / t_f) sin(2 pi t / t_f)` with `t_f` the end."""
    times = [k * end / 100 for k in range(101)]
    return [[t, t + 0.05 / end * math.sin(2 * math.pi * t / end) if 0 < t < end else t] for t in times]


def main() -> dict[str, float]:
    """Return how far the worm leaves the floor with each timing [m]."""
    sim = sl.Simulation(sl.load("worm", above=0.005))
    pull_up_head(sim)
    take = sim.take
    quick = take.warp(BEGIN, BEGIN + SLOW, QUICK / SLOW)
    slow = take.warp(BEGIN, BEGIN + QUICK, SLOW / QUICK, branch=quick.id)
    sine = take.warp(knots=make_sine(take.end(quick.id)), branch=quick.id)
    timings = {"as recorded": 1, "three times as fast": quick.id, "slow again": slow.id, "off by a sine": sine.id}
    return {timing: find_clearance(sim, branch) for timing, branch in timings.items()}


if __name__ == "__main__":
    for timing, clearance in main().items():
        print(f"{timing}: {1000 * clearance:.0f} mm above the floor")
