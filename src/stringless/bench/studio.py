"""The studio: frames that arrive and how long an input takes, with a real server, a real socket and a hand that moves."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from stringless.bench.directing_cases import PARTS
from stringless.bench.harness import Options, Row, at_least, at_most, figure
from stringless.studio.client import Client, connect
from stringless.studio.launch import launch

FRAMES, WAIT, STOP = 55.0, 20.0, 2.0
"""What we promise with the worm directed live: frames a second, from an input to its frame in the server [ms], and from Ctrl-C
to the end, with everything saved [s]."""
PREPARED = 600.0
HAND = 1 / 120
"""Between two moves of the hand, as of a good mouse [s]."""
STROKE = 1.5
"""Of the hand's way up and down [s]."""
CASES = ("worm",)


def measure(options: Options) -> Iterator[Row]:
    """Start a studio in a process of its own, and drag the worm's head up and down through the socket."""
    for name in CASES:
        options.report(f"{name}: directing through the socket")
        with launch(name) as studio, connect(studio.address, name="bench") as client:
            row = _drag(client, name, PARTS[name].dragged, 5.0 if options.quick else 20.0)
            yield row | {"stop_s": studio.interrupt()}


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise about the studio."""
    worm = "worm, directed live"
    yield at_least(f"{worm}: frames delivered a second", FRAMES, *figure(rows, "frames_per_second", case="worm"))
    yield at_most(f"{worm}: input to frame in the server, median [ms]", WAIT, *figure(rows, "wait_ms", case="worm"))
    yield at_most(f"{worm}: from Ctrl-C to the end [s]", STOP, *figure(rows, "stop_s", case="worm"))


def _drag(client: Client, name: str, bone: str, seconds: float) -> Row:
    client.wait(lambda: client.status.preparing is None, PREPARED)
    client.do("speed", rate=1.0)
    client.do("live")
    client.wait(lambda: client.frame.time > 1.0, 60.0)
    with client.grab(bone) as hand:
        _lead(hand, 1.0, client.scene.extent)
        client.waits.clear()
        client.round_trips.clear()
        frames, simulated, start = client.frame_count, client.frame.time, time.perf_counter()
        _lead(hand, seconds, client.scene.extent)
        passed = time.perf_counter() - start
        frames, simulated = client.frame_count - frames, client.frame.time - simulated
    row: Row = {"program": "stringless", "case": name, "task": "directed live", "seconds": passed}
    row |= {"frames_per_second": frames / passed, "inputs": round(passed / HAND), "real_time": simulated / passed}
    for key, taken in (("wait_ms", client.waits), ("round_trip_ms", client.round_trips)):
        row |= {key: float(np.median(taken)), f"{key}_99": float(np.quantile(taken, 0.99))}
    return row


def _lead(hand: Any, seconds: float, extent: float) -> None:
    """Up and down, at the pace of a mouse."""
    x, y, z = (float(value) for value in hand.start)
    start = time.perf_counter()
    step = 0
    while (passed := step * HAND) < seconds:
        height = 0.1 * extent * (0.5 - 0.5 * math.cos(2 * math.pi * passed / STROKE))
        hand.move((x, y + height, z))
        step += 1
        time.sleep(max(0.0, start + step * HAND - time.perf_counter()))
