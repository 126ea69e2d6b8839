"""The task table: everything that the step reads of the goals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless import jit
from stringless.control.characters import Character, find_characters
from stringless.control.director.checks import STYLES
from stringless.control.goals import Goal
from stringless.control.records import TaskTables
from stringless.control.tables import CHARACTER_ROW, MEMORY_ROW, TASK_ROW
from stringless.control.workspace import MOST_POSES, TASK_ROWS
from stringless.errors import InputError
from stringless.model.model import Model

if TYPE_CHECKING:
    from stringless.control.director.director import Director

TICK = 0.004
"""How often a target that moves by a function of time is looked up [s]; in between it moves straight on."""


def make_memory(model: Model) -> Any:
    """What directing remembers between steps, at a start."""
    memory = jit.rows(len(find_characters(model)), MEMORY_ROW)
    memory["last_contact"] = -math.inf
    return memory


@dataclass
class TaskTable:
    """The tables that kernels take, and which rows of the tasks belong to which goal."""

    tables: TaskTables
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """From `id(goal)` to its first row and the one after its last."""

    def refresh(self, goal: Goal) -> bool:
        """Write a goal's rows again; False if their number has changed."""
        first, end = self.places.get(id(goal), (0, 0))
        rows = goal.tasks() if end > first else []
        if len(rows) != end - first:
            return False
        for row, fields in zip(self.tables.tasks[first:end], rows, strict=True):
            self.fill(row, fields)
        return True

    def fill(self, row: Any, fields: Mapping[str, Any]) -> None:
        """Write one task; a pose goes to the table of poses, into the row that the task has there."""
        for name, value in fields.items():
            if name == "goes_to":
                self.tables.poses[row["pose"]], self.tables.pose_weights[row["pose"]] = value
            else:
                row[name] = value


def write_task_table(director: Director) -> TaskTable:
    """All tables, for the goals and joints as they are now."""
    model = director.model
    characters = jit.rows(len(director.characters), CHARACTER_ROW)
    tasks: list[dict[str, Any]] = []
    owners: list[Goal] = []
    columns: list[int] = []
    members: list[int] = []
    column_of = np.full(model.nv, -1, dtype=np.int64)
    for character in director.characters:
        row = characters[character.index]
        ours = [d for d in character.actuators.tolist() if director.directed[d]]
        column_of[ours] = np.arange(len(ours))
        goals = [goal for goal in director.goals if goal.character == character.index] if ours else []
        entries = sorted(((goal, fields) for goal in goals for fields in goal.tasks()), key=lambda e: e[0].priority)
        levels = {priority: k for k, priority in enumerate(dict.fromkeys(goal.priority for goal, _ in entries))}
        row["first_member"], row["last_member"] = len(members), len(members) + len(character.members)
        row["first_column"], row["last_column"] = len(columns), len(columns) + len(ours)
        row["first_task"], row["last_task"] = len(tasks), len(tasks) + len(entries)
        row["levels"], row["push"] = len(levels), any(goal.push for goal in goals)
        _write_character(director, character, bool(ours), row)
        members += character.members.tolist()
        columns += ours
        owners += [goal for goal, _ in entries]
        tasks += [{**fields, "level": levels[goal.priority]} for goal, fields in entries]
    _check_room(tasks)
    poses = 1 + sum("goes_to" in fields for fields in tasks)
    table = TaskTable(
        TaskTables(
            characters=characters,
            members=np.array(members, dtype=np.int64),
            columns=np.array(columns, dtype=np.int64),
            column_of=column_of,
            tasks=jit.rows(len(tasks), TASK_ROW),
            poses=np.tile(director.rest_pose, (poses, 1)),
            pose_weights=np.ones((poses, model.nv)),
            weights=director.weights,
        )
    )
    table.tables.tasks["pose"] = np.cumsum(["goes_to" in fields for fields in tasks])
    for k, (row, fields, goal) in enumerate(zip(table.tables.tasks, tasks, owners, strict=True)):
        table.fill(row, fields)
        table.places[id(goal)] = (table.places.get(id(goal), (k, k))[0], k + 1)
    return table


def _write_character(director: Director, character: Character, directed: bool, row_out: Any) -> None:
    """What a character is, and how it shall move."""
    keyed = any(track.mask[character.actuators].any() for track in director.tracks)
    row_out["root"], row_out["passive"], row_out["mass"] = character.root, character.passive_root, character.mass
    row_out["style"] = STYLES[director.styles[character.index]]
    row_out["correct"] = director.keep_momentum and character.passive_root and (directed or keyed)
    row_out["top_acceleration"] = director.top_acceleration
    row_out["mu"], row_out["limit_kp"] = director.assumed_friction, director.limit_stiffness**2
    law = director.rest_laws[character.index]
    stiffness, damping = law["stiffness"], law["damping"]
    row_out["rest_kp"], row_out["rest_kv"] = stiffness**2, 2 * damping * stiffness if stiffness > 0 else damping


def _check_room(tasks: list[dict[str, Any]]) -> None:
    rows = sum(int(fields.get("count", 0)) for fields in tasks)
    poses = sum("goes_to" in fields for fields in tasks)
    if rows > TASK_ROWS or poses > MOST_POSES:
        raise InputError(
            f"goals ask for {rows} directions and {poses} poses at once; at most {TASK_ROWS} directions and {MOST_POSES} "
            "poses are possible. Release goals that are no longer needed, or let some count fewer axes"
        )
