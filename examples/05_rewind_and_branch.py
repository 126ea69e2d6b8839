"""Rewind, try something else, and keep both.

Idea: everything that is simulated is on record. Here a humanoid reaches up with its right hand; then we go back
to the middle of it, let go, and compare the two futures.

Run: python examples/05_rewind_and_branch.py
"""

from __future__ import annotations

import stringless as sl


def main() -> dict[str, float]:
    """Return how high the hand is in each of the two futures [m]."""
    with sl.Project.create("humanoid") as project:
        hand = project.sim.model.body("right_hand").index
        reach = project.do("goal", kind="drag", bone="right_hand", target=[-0.3, 1.8, 0.3])
        project.do("advance", seconds=0.4)
        project.do("rename_lane", lane=1, name="reached")

        project.do("go_to", time=0.1)
        project.do("release_goal", goal=reach)
        project.do("passive")
        project.do("advance", seconds=0.3)
        project.do("rename_lane", lane=2, name="let go")

        heights = {}
        for lane in project.take.branches.values():
            project.do("go_to", time=project.take.end(lane.id), lane=lane.id)
            heights[lane.name] = float(project.sim.body_poses().position[hand, 1])
        print(project.script())
    return heights


if __name__ == "__main__":
    for name, height in main().items():
        print(f"{name}: the hand is {height:.3f} m high")
