"""Loops: constraints that close a chain of bodies, which a tree of joints cannot hold by itself.

A character that holds a bar with both hands is a tree (one hand may even be a joint) and one constraint more. Each of
the two ends is a frame, one on a body, the other on a second body or on the ground.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stringless import jit
from stringless.errors import Problem
from stringless.model.checks import name_problems, pose_problems, suggest
from stringless.model.pose import Pose, numbers
from stringless.model.rows import INT, REAL
from stringless.model.spec import GROUND

LOOP_KINDS = {"point": 3, "hinge": 5, "weld": 6}
"""How many directions each kind closes: two points stay together; so do the z axes of both ends; so do the frames."""

LOOP_ROW = np.dtype(
    [
        ("a", INT),  # index of the first body
        ("b", INT),  # index of the second body, -1 for the ground
        ("rows", INT),  # 3, 5 or 6: directions that are closed
        ("R_a", REAL, (9,)),  # frame of the end on the first body: rotation ...
        ("p_a", REAL, (3,)),  # ... and position [m]
        ("R_b", REAL, (9,)),  # frame of the end on the second body, or in the world
        ("p_b", REAL, (3,)),
    ],
    align=True,
)


@dataclass(frozen=True)
class LoopSpec:
    """Two frames that a constraint keeps together."""

    name: str
    kind: str
    """`point`: the origins stay together. `hinge`: the z axes too. `weld`: the whole frames."""
    body_a: str
    body_b: str = GROUND
    """Empty for the ground."""
    place_a: Pose = field(default_factory=Pose)
    """The first end, in the frame of `body_a`."""
    place_b: Pose = field(default_factory=Pose)
    """The second end, in the frame of `body_b`, or in the world."""

    def __post_init__(self) -> None:
        """Keep plain places: a bare position may be given."""
        for name in ("place_a", "place_b"):
            if not isinstance(getattr(self, name), Pose):
                object.__setattr__(self, name, Pose(numbers(getattr(self, name), f"{name} of loop '{self.name}'")))
        object.__setattr__(self, "body_b", self.body_b or GROUND)


def loop_problems(loops: Sequence[LoopSpec], bodies: Collection[str]) -> Iterator[Problem]:
    """Everything wrong with the loops that can be seen without knowing where the bodies are."""
    yield from name_problems("loop", (loop.name for loop in loops))
    for loop in loops:
        where = f"loop '{loop.name}'"
        if loop.kind not in LOOP_KINDS:
            yield Problem(where, f"kind '{loop.kind}'", "a known kind of loop", suggest(loop.kind, LOOP_KINDS))
        yield from _end_problems(where, loop, bodies)
        yield from pose_problems(f"{where}, place_a", loop.place_a)
        yield from pose_problems(f"{where}, place_b", loop.place_b)


def _end_problems(where: str, loop: LoopSpec, bodies: Collection[str]) -> Iterator[Problem]:
    if loop.body_a == GROUND:
        yield Problem(where, "no first body", "the name of a body", "Only the second end can be the ground.")
        return
    if loop.body_a == loop.body_b:
        yield Problem(where, f"both ends on body '{loop.body_a}'", "two bodies, or one and the ground")
    for body in dict.fromkeys((loop.body_a, loop.body_b)):
        if body != GROUND and body not in bodies:
            yield Problem(where, f"body '{body}', which does not exist", "an existing body", suggest(body, bodies))


def freeze_loops(loops: Sequence[LoopSpec], index: dict[str, int]) -> Any:
    """The table that kernels read; `index` tells the number of each body."""
    table = jit.rows(len(loops), LOOP_ROW)
    for row, loop in zip(table, loops, strict=True):
        row["a"], row["b"], row["rows"] = index[loop.body_a], index.get(loop.body_b, -1), LOOP_KINDS[loop.kind]
        for end, place in (("a", loop.place_a), ("b", loop.place_b)):
            turn = np.asarray(place.rotation, float)
            row[f"R_{end}"] = Pose(rotation=tuple(turn / np.linalg.norm(turn))).matrix.ravel()
            row[f"p_{end}"] = place.position
    table.flags.writeable = False
    return table
