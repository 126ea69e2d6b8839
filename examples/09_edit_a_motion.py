"""Edit a motion and make it a take.

Idea: a humanoid is thrown into a somersault. We open what was recorded, nail its hand to a place that it should
pass, let the editor find the throw that does it, and record the edited motion to go on directing from.

Run: python examples/09_edit_a_motion.py
"""

from __future__ import annotations

import numpy as np

import stringless as sl


def main() -> float:
    """Return how far the hand is from where it should be, on the take that was recorded [m]."""
    sim = sl.Simulation(sl.load("humanoid"), dt=2e-3)
    sim.advance(0.6)
    editor = sl.editing.open_take(sim).editor
    place = editor.point("right_hand", 0.5) + np.array([0.0, 0.15, 0.1])
    editor.nail("right_hand", time=0.5, target=place)
    for edit in editor.solve():
        print(f"{edit.before:.4f} -> {edit.after:.4f} m")
    sim.go_to(0.0)  # what is recorded from here on is a branch of the take
    sl.editing.record(sim, editor)
    sim.go_to(0.5)
    hand = sim.body_poses().position[sim.model.body("right_hand").index]
    return float(np.linalg.norm(hand - place))


if __name__ == "__main__":
    print(f"the hand is {main() * 1000:.2f} mm from where it should be")
