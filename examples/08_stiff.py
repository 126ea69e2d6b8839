"""Pull a robot by its hand as with a haptic pen, and feel what its joints do.

Idea: in the stiff engine a goal is a spring. Its stiffness is the character's mass times the square of the goal's
stiffness, and `sim.reaction` tells its force. With the springs of the joints switched off the arm is limp, and the hand
feels little more than its weight.

Run: python examples/08_stiff.py
"""

from __future__ import annotations

import math

import stringless as sl

AWAY = (0.5, 1.3, 0.4)
"""Where the hand is pulled to [m]."""


def main() -> dict[str, float]:
    """Return the force felt with springs in the joints and without, and what Hooke's law makes of the first [N]."""
    sim = sl.Simulation(sl.load("robot"))  # made for the stiff engine, in steps of 1/60 s
    sim.advance(2.0)
    hand = sim.director.drag("left_hand")
    hand.target = AWAY
    sim.advance(3.0)
    forces = {"sprung": math.hypot(*sim.reaction(hand)[3:])}
    forces["hooke"] = sim.model.mass * hand.stiffness**2 * hand.error

    sim.configure(joint_springs=0.0)
    sim.advance(3.0)
    forces["limp"] = math.hypot(*sim.reaction(hand)[3:])

    report = sim.engine.report[0]
    print(f"steps of {1e3 * sim.config.dt:.1f} ms; of the last one: {report}")
    return forces


if __name__ == "__main__":
    for name, force in main().items():
        print(f"{name}: {force:.1f} N")
