"""Pose a stopped character: drag a bone, the others follow as far as they must (inverse kinematics).

The same levels and bounds as in directing, on positions instead of accelerations: pins first, then drags, joint limits
always; of all poses that do it the one nearest to the present is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless import jit
from stringless.control.characters import Character
from stringless.control.checks import numbers
from stringless.control.goals.fields import directions
from stringless.control.kernels_hierarchy import solve_levels
from stringless.control.kernels_quadratic import BOUND_ROW
from stringless.control.kernels_styles import ROBUST
from stringless.control.records import Bounds, LevelProgram, TaskRows
from stringless.control.workspace import allocate, solver_work
from stringless.kinematics import body_poses, point_jacobian
from stringless.model.joints import registry
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray

REACH = 0.1
"""How far a point is moved in one iteration, as a share of the character's size."""
TURN = 0.2
"""How far a joint turns in one iteration [rad]."""


@dataclass
class Handle:
    """A point of a bone and where it shall be."""

    body: int
    point: FloatArray
    target: FloatArray
    level: int
    axes: FloatArray = field(default_factory=lambda: np.eye(3))


class Poser:
    """Finds poses of one character."""

    def __init__(self, model: Model, character: Character, q: ArrayLike, *, move_root: bool = False) -> None:
        """Start from the configuration `q`; the root stays where it is unless `move_root`."""
        self.model, self.character = model, character
        self.q = model.vector(q, model.nq, "q").copy()
        free = list(character.actuators)
        if move_root and character.passive_root:
            row = model.tree[character.root]
            free += list(range(int(row["v0"]), int(row["v0"] + row["nv"])))
        self.columns = np.array(sorted(free), dtype=np.int64)
        self.handles: list[Handle] = []

    def pin(self, bone: str | int, point: ArrayLike = (0.0, 0.0, 0.0), axes: Any = None) -> Handle:
        """Hold a point of a bone where it is."""
        return self._add(bone, point, None, 1, axes)

    def drag(self, bone: str | int, target: ArrayLike, point: ArrayLike = (0.0, 0.0, 0.0), axes: Any = None) -> Handle:
        """Move a point of a bone to a target."""
        return self._add(bone, point, target, 3, axes)

    def _add(self, bone: str | int, point: ArrayLike, target: ArrayLike | None, level: int, axes: Any) -> Handle:
        body = self.model.body(bone).index
        local = numbers(point, "point")
        place = self._place(body, local) if target is None else numbers(target, "target")
        handle = Handle(body, local, place, level, directions(axes))
        self.handles.append(handle)
        return handle

    def _place(self, body: int, point: FloatArray) -> FloatArray:
        poses = body_poses(self.model, self.q)
        return poses.position[body] + poses.rotation[body] @ point

    def error(self, handle: Handle) -> float:
        """Distance of a handle from its target, along the directions that count [m]."""
        return float(np.linalg.norm(handle.axes @ (handle.target - self._place(handle.body, handle.point))))

    def solve(self, iterations: int = 100, tolerance: float = 1e-6) -> FloatArray:
        """Move the pose until nothing gets better; returns the configuration."""
        for _ in range(iterations):
            step = self._iterate()
            self.q = self.model.integrate(self.q, step)
            if np.abs(step).max(initial=0.0) < tolerance:
                break
        return self.q

    def _iterate(self) -> FloatArray:
        model, n = self.model, len(self.columns)
        rows: list[FloatArray] = []
        right: list[float] = []
        sizes: list[float] = []
        ends: list[int] = []
        for level in sorted({handle.level for handle in self.handles}):
            for handle in self.handles:
                if handle.level == level:
                    gap = handle.target - self._place(handle.body, handle.point)
                    gap *= min(1.0, REACH * self.character.size / max(float(np.linalg.norm(gap)), 1e-12))
                    J = point_jacobian(model, self.q, handle.body, handle.point)[:, self.columns]
                    rows += list(handle.axes @ J)
                    right += list(handle.axes @ gap)
                    sizes += [float(np.linalg.norm(J))] * len(handle.axes)
            ends.append(len(rows))
        work, wanted, x = solver_work(len(rows), n), task_rows(rows, right, sizes, ends, n), np.zeros(n)
        work.N[:] = np.eye(n)
        program = LevelProgram(n, len(ends), ROBUST**2, True, True, np.eye(n), x.copy())
        solve_levels(program, self._bounds(), wanted, work, np.zeros(0, dtype=np.int8), x)
        step = np.zeros(model.nv)
        step[self.columns] = x
        return step

    def _bounds(self) -> Bounds:
        """Joint limits, and no joint too far at once."""
        model, n = self.model, len(self.columns)
        column = {int(d): k for k, d in enumerate(self.columns)}
        rows, lower, upper = list(np.eye(n)), [-TURN] * n, [TURN] * n
        tree = model.tree.view(np.recarray)
        for i in self.character.members:
            row = tree[i]
            for j in range(int(row["nl"])):
                limit = model.limits[int(row["l0"]) + j]
                value, g = registry.limit(row, self.q, j)
                line = np.zeros(n)
                for k in range(min(int(row["nv"]), 3)):
                    if int(row["v0"]) + k in column:
                        line[column[int(row["v0"]) + k]] = g[k]
                if line.any():
                    rows.append(line)
                    # From beyond a limit the way back is always open.
                    lower.append(min(float(limit["lower"]) - value, 0.0))
                    upper.append(max(float(limit["upper"]) - value, 0.0))
        table = jit.rows(len(rows), BOUND_ROW)
        table["lower"], table["upper"] = lower, upper
        return Bounds(len(rows), np.array(rows).reshape(-1, n), table)


def task_rows(
    rows: Sequence[FloatArray], right: Sequence[float], sizes: Sequence[float], ends: Sequence[int], unknowns: int
) -> TaskRows:
    """Rows `A x = b` of all levels, whose ends are given."""
    A = np.array(rows, dtype=np.float64).reshape(-1, unknowns)
    b, size, scale = np.array(right, dtype=np.float64), np.array(sizes, dtype=np.float64), np.linalg.norm(A, axis=1)
    work = allocate(TaskRows, {"rows": len(A), "unknowns": unknowns, "nv": 0})
    return work._replace(A=A, b=b, scale=scale, size=size, ends=np.array(ends, dtype=np.int64))
