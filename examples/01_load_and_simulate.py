"""Load a scene, set it in motion, read what happens.

Idea: a scene holds a frozen model and where it starts; a simulation advances its state. Here a rod swings from a hinge
and gives back at the bottom the height it has lost.

Run: python examples/01_load_and_simulate.py [SCENE or FILE]
"""

from __future__ import annotations

import sys

import stringless as sl


def main(source: str = "pendulum") -> float:
    """Simulate two seconds and return the largest change of the total energy, relative to the motion's."""
    scene = sl.load(source)
    model = scene.model
    print(f"{scene.name}: {scene.description}")
    print(f"{model.body_count} bodies, {model.nv} degrees of freedom, {model.mass:.3g} kg")
    print("joints:", ", ".join(f"{joint.name} ({joint.kind.name})" for joint in model.joints[:5]))

    sim = sl.Simulation(scene, dt=1e-3)
    start, change, motion = sim.energy().total, 0.0, 0.0
    print("  time     height of the centre of gravity   kinetic   potential energy")
    for _ in range(8):
        sim.advance(0.25)
        energy = sim.energy()
        change = max(change, abs(energy.total - start))
        motion = max(motion, energy.kinetic)
        print(
            f"{sim.time:5.2f} s {sim.center_of_gravity[1]:15.3f} m {energy.kinetic:24.3f} J {energy.potential:9.3f} J"
        )
    return change / motion


if __name__ == "__main__":
    print(f"energy changed by {100 * main(*sys.argv[1:]):.2f} % of the motion's")
