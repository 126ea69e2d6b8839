"""Rewind, try something else, and keep both.

Idea: everything that is simulated is on record. Here a worm reaches for a place with its tail; then we go back to the
middle of it, let go, and compare the two futures.

Run: python examples/05_rewind_and_branch.py
"""

from __future__ import annotations

import stringless as sl


def main() -> dict[str, float]:
    """Return how high the tail comes in each of the two futures [m]."""
    with sl.Project.create("worm") as project:
        tail = project.sim.model.body("bone_6").index
        reach = project.do("goal", kind="drag", bone="bone_6", target=[0.3, 0.25, 0.0])
        project.do("advance", seconds=0.4)
        project.do("rename_lane", lane=1, name="reached")

        project.do("go_to", time=0.1)
        project.do("release_goal", goal=reach)
        project.do("advance", seconds=0.3)
        project.do("rename_lane", lane=2, name="let go")

        heights = {}
        for lane in project.take.lanes.values():
            project.do("go_to", time=project.take.end(lane.id), lane=lane.id)
            heights[lane.name] = float(project.sim.body_poses().position[tail, 1])
        print(project.script())
    return heights


if __name__ == "__main__":
    for name, height in main().items():
        print(f"{name}: the tail is {height:.3f} m high")
