"""Direct a character through the studio's socket, beside whoever looks at the page.

Idea: a script can do everything that the page can. It takes hold of the tip of a finger, leads it up along an arc, holds
it there, lets go, and takes that back. Give the address that a studio has printed to watch it in the browser; without one
it starts a studio of its own.

Run: python examples/06_direct_over_the_wire.py [ADDRESS]
"""

from __future__ import annotations

import contextlib
import math
import sys
import tempfile
from pathlib import Path

from stringless.studio.client import Client, connect
from stringless.studio.server import Studio


def main(address: str = "") -> float:
    """Return how much of the way up the bone has gone, from 0 to 1."""
    with contextlib.ExitStack() as stack:
        if not address:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            address = stack.enter_context(Studio("finger", port=0, home=home)).address
        studio = stack.enter_context(connect(address))
        studio.direct()  # others go on watching, and can take over in the same way
        studio.wait(lambda: studio.status.preparing is None, timeout=600)
        scene = studio.scene
        way = lead_up(studio, scene.bodies[scene.characters[0].bodies[-1]].name)
        print(f"undo would take back '{studio.document.undo}'")
        studio.do("undo")
    return way


def lead_up(studio: Client, bone: str, radius: float = 0.02, seconds: float = 1.0) -> float:
    """Lead a bone up along half a circle, at the pace of the simulation."""
    studio.do("speed", rate=1.0)
    studio.do("live")
    studio.wait(lambda: studio.frame.time > 1.0)
    with studio.grab(bone) as hand:
        begin = studio.next_frame().time
        while (passed := studio.next_frame().time - begin) < 2 * seconds:
            angle = math.pi * min(passed / seconds, 1.0)
            hand.move(hand.start + (radius * math.sin(angle), radius * (1 - math.cos(angle)), 0.0))
        way = float(studio.position(bone)[1] - hand.start[1]) / (2 * radius)
    studio.do("pause")
    return way


if __name__ == "__main__":
    print(f"the bone went {100 * main(*sys.argv[1:2]):.0f} % of the way up")
