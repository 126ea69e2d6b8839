"""Drive a hand by a live stream of glove angles, and feel what its fingers touch.

Idea: a glove sends what it measures whenever it has something, from a thread of its own; here it plays back a recording of
five taps on a table. The simulation takes up what has arrived and steps on to it, implicitly, a sixtieth of a second at a
time. Samples are only targets of springs: where the table is in the way a finger stays behind its angles and presses.

Run: python examples/07_glove.py [SPEED]
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from typing import Any, NamedTuple

import stringless as sl
from stringless.scenes.glove import glove_angles, palm_pose

BEGIN, END, RATE = 5.6, 9.0, 60.0
"""Of the recording [s], and how often the glove sends [1/s]."""


class Sample(NamedTuple):
    """What a glove sends: its own time, the angles of all joints, and where the palm is and how it is turned."""

    time: float
    angles: dict[str, Any]
    place: Any
    turn: Any


def wear_glove(stream: queue.SimpleQueue[Sample | None], speed: float) -> None:
    """Send samples at the pace of the clock, then None. Any device with a driver can do this instead."""
    for k in range(round((END - BEGIN) * RATE)):
        moment = BEGIN + k / RATE
        palm = palm_pose(moment)
        stream.put(Sample(k / RATE, glove_angles(moment), palm.position, palm.rotation))
        time.sleep(1 / (RATE * speed))
    stream.put(None)


def main(speed: float = 1.0) -> dict[str, float]:
    """Return the fingers that have pressed on the table, and how hard each of them did [N]."""
    sim = sl.Simulation(sl.load("hand", soft=False))
    sim.warm_up()
    stream: queue.SimpleQueue[Sample | None] = queue.SimpleQueue()
    threading.Thread(target=wear_glove, args=(stream, speed), daemon=True).start()
    arm = fingers = None
    pressed: dict[str, float] = {}
    while (sample := stream.get()) is not None:
        if arm is None or fingers is None:
            arm = sim.director.drag("palm", orientation=sample.turn, stiffness=60.0)
            fingers = sim.director.pose(sample.angles, stiffness=300.0)
        arm.target = sample.place
        arm.turn(sample.turn)
        fingers.set(sample.angles)
        sim.advance(sample.time + 1 / RATE - sim.time)
        for finger, force in touching(sim):
            pressed[finger] = max(pressed.get(finger, 0.0), force)
    for finger, force in pressed.items():
        print(f"the {finger} pressed with up to {force:.2f} N")
    return pressed


def touching(sim: sl.Simulation) -> list[tuple[str, float]]:
    """Fingers that touch something now, and the upward force on each [N]."""
    points, forces = sim.contact_points()
    bodies = sim.contact_samples["body"][points]
    return [(sim.model.bodies[b].name.split("_")[0], float(f[1])) for b, f in zip(bodies, forces, strict=True)]


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
