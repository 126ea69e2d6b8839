"""The director: holds the goals and hands them to the step as tables."""

from __future__ import annotations

import copy
import functools
import math
import weakref
from collections.abc import Mapping, MutableMapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.characters import Character
from stringless.control.checks import number
from stringless.control.director.checks import SETTINGS, Style, check_options, check_style
from stringless.control.director.data import make_data, restore_director
from stringless.control.director.modes import Modes
from stringless.control.director.observer import PoseLike
from stringless.control.director.task_tables import TICK, TaskTable, write_task_table
from stringless.control.goals import Center, Drag, Goal, Pin, Pose, Turn, find_goal_type
from stringless.control.poser import Poser
from stringless.control.records import TaskTables
from stringless.control.workspace import DirectorWorkspace
from stringless.errors import InputError, renamed, renamed_arguments
from stringless.model.model import Model
from stringless.state import State

Type = TypeVar("Type", bound=Goal)
RELAXED = {1 << 3: "joint limits", 1 << 2: "acceleration limits", 1 << 1: "friction of the support points"}
"""Kinds of bounds that a step had to give up, by the bit that says so."""


class Director(Modes):
    """Turns goals into joint accelerations, at every step of a simulation.

    Nothing but the character's own actuators acts: a goal that they cannot reach is missed, and `report` says by how much.
    """

    def __init__(self, model: Model, state: State) -> None:
        """Direct the characters of `model` as they are in `state`, which is followed from then on."""
        super().__init__(model, state)
        self.goals: list[Goal] = []
        self.workspace = DirectorWorkspace(model, self.characters)
        self.weights = np.ones(model.nv)
        self.styles: list[str] = ["acceleration"] * len(self.characters)
        self.rest_pose = model.neutral()
        self.rest_laws = [{"stiffness": math.sqrt(40.0), "damping": 5.0 / math.sqrt(40.0)} for _ in self.characters]
        self.limit_stiffness = 30.0
        """How fast joint limits may be approached, as a natural frequency [1/s]."""
        self.top_acceleration = math.inf
        """Largest acceleration of any directed coordinate [rad/s² or m/s²]."""
        self.assumed_friction = 0.6
        """Friction that a push-off assumes."""
        self.keep_momentum = True
        """Whether momentum is kept to rounding by a small rigid motion after each step."""
        self._tables: TaskTable | None = None
        self.known: MutableMapping[int, Goal] = weakref.WeakValueDictionary()
        """All goals that are still referred to, also those that were released."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Check settings whenever they are set, and let them take effect at the next step."""
        if name in SETTINGS:
            value = SETTINGS[name](value)
            object.__setattr__(self, "_tables", None)
            object.__setattr__(self, "revision", self.__dict__.get("revision", 0) + 1)
        object.__setattr__(self, name, value)

    def as_data(self) -> dict[str, Any]:
        """Everything that was set, as plain data that JSON can hold; see `director.data`."""
        return make_data(self)

    def commands(self) -> dict[str, Any] | None:
        """What `as_data` returns, without events; None if all is as at the beginning."""
        data = self.as_data()
        del data["events"], data["next_id"]
        return None if data == self._blank else data

    @functools.cached_property
    def _blank(self) -> dict[str, Any]:
        data = make_data(Director(self.model, self.state))
        del data["events"], data["next_id"]
        return data

    def restore_data(self, data: Mapping[str, Any]) -> None:
        """Become what `as_data` returned. Goals and keyframes keep their numbers, and those still there stay the same objects.

        The state is not part of it: restore that first, with `Simulation.restore`.
        """
        restore_director(self, data)

    def forget(self) -> None:
        """Go back to how it was at the beginning."""
        restore_director(self, self._blank)

    def copy_for(self, state: State) -> Director:
        """The same director of another state; model and kernels' scratch are not part of the copy."""
        shared: dict[int, Any] = {
            id(self.model): self.model,
            id(self.characters): self.characters,
            id(self.state): state,
        }
        return copy.deepcopy(self, shared)

    def __getstate__(self) -> dict[str, Any]:
        """What was set and what the last step reported; tables and scratch are built again."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("workspace", "known", "_tables")}
        return kept | {
            "reported": (self.workspace.report, self.workspace.work.held),
            "named": [(goal.id, goal) for goal in self.goals],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore what was kept."""
        report, held = state.pop("reported")
        named = state.pop("named")
        self.__dict__.update(state, _tables=None)
        self.workspace = DirectorWorkspace(self.model, self.characters)
        self.workspace.report[:], self.workspace.work.held[:] = report, held
        self.known = weakref.WeakValueDictionary(named)
        self.springs.forget()  # copied tables would be writable, which is another type to compiled code
        self.revision += 1

    # --- goals ---

    @renamed_arguments(firmness="stiffness")
    def add(self, kind: str, *arguments: Any, **options: Any) -> Goal:
        """Add a goal of any registered kind; `drag`, `pin`, `turn`, `center` and `pose` are short for this."""
        return self._begin(find_goal_type(kind), *arguments, **options)

    def _begin(self, goal_type: type[Type], *arguments: Any, **options: Any) -> Type:
        check_options(goal_type, arguments, options)
        goal = goal_type(self, *arguments, **options)
        character = goal.character  # of a body without actuators, this says so
        self.goals.append(goal)
        self.known[goal.id] = goal
        if not self.directed[self.characters[character].actuators].any():
            self.take(character)
        self.note_event(f"{goal.kind} begins")
        self.rebuild()
        return goal

    @renamed_arguments(firmness="stiffness")
    def drag(self, bone: str | int, target: Any = None, **options: Any) -> Drag:
        """Drag a point of a bone to a target; see `goals.drag.Drag`."""
        return self._begin(Drag, bone, target, **options)

    @renamed_arguments(firmness="stiffness")
    def pin(self, bone: str | int, **options: Any) -> Pin:
        """Hold a bone where it is; see `goals.drag.Pin`."""
        return self._begin(Pin, bone, **options)

    @renamed_arguments(firmness="stiffness")
    def turn(self, orientation: Any = None, **options: Any) -> Turn:
        """Turn the whole character; see `goals.turn.Turn`."""
        return self._begin(Turn, orientation, **options)

    @renamed_arguments(firmness="stiffness")
    def center(self, target: Any = None, **options: Any) -> Center:
        """Drag the centre of gravity; see `goals.center.Center`."""
        return self._begin(Center, target, **options)

    @renamed_arguments(firmness="stiffness")
    def pose(self, pose: ArrayLike | Mapping[str, ArrayLike] | None = None, **options: Any) -> Pose:
        """Move joints to a pose; see `goals.pose.Pose`."""
        return self._begin(Pose, pose, **options)

    def goal(self, number: int) -> Goal:
        """The goal of this number."""
        for goal in self.goals:
            if goal.id == number:
                return goal
        raise InputError(f"there is no goal {number}; there are: {[goal.id for goal in self.goals]}")

    def drop(self, goal: Goal) -> None:
        """Forget a goal that was released."""
        self.goals = [other for other in self.goals if other is not goal]
        self.note_event(f"{goal.kind} ends")
        self.rebuild()

    def release(self) -> None:
        """Release all goals."""
        for goal in list(self.goals):
            goal.release()

    # --- poses ---

    def poser(self, character: str | int | None = None, *, move_root: bool = False) -> Poser:
        """Find poses by dragging bones of the stopped character; see `poser.Poser`."""
        return Poser(self.model, self.characters[self.find_character(character)], self.state.q, move_root=move_root)

    # --- how ---

    def style(self, style: Style, character: str | int | None = None) -> None:
        """Choose what is minimised: joint `acceleration`, `torque` or `velocity`."""
        index = self.find_character(character)
        check_style(style, self.rest_laws[index])
        self.styles[index] = style
        self.rebuild()

    def set_joint_weights(self, weights: Mapping[str, float]) -> None:
        """Set joint weights: above 1, a joint does less of what the style minimises, below 1 more."""
        if not isinstance(weights, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"weights are {weights!r}; expected numbers by joint name, as in {{'elbow': 3.0}}")
        joints = [self.model.joint(name) for name in weights]
        values = [number(value, f"weight of joint '{name}'", above=0.0) for name, value in weights.items()]
        for joint, value in zip(joints, values, strict=True):
            self.weights[joint.v_slice] = value
        self.rebuild()

    @renamed_arguments(firmness="stiffness")
    def set_rest_pose(
        self,
        pose: PoseLike | None = None,
        *,
        stiffness: float = math.sqrt(40.0),
        damping: float = 5.0 / math.sqrt(40.0),
        character: str | int | None = None,
    ) -> None:
        """Choose the rest pose: joints that no goal needs drift to `pose`, the neutral one if not given.

        A `stiffness` of 0 only slows them down, with `damping` [1/s] then.
        """
        index = self.find_character(character)
        stiffness = number(stiffness, "stiffness of the rest pose", least=0.0)
        damping = number(damping, "damping of the rest pose", least=0.0)
        check_style(self.styles[index], {"stiffness": stiffness, "damping": damping})
        if pose is not None:
            self.rest_pose = self.whole_pose(pose, self.model.neutral())
        self.rest_laws[index] = {"stiffness": stiffness, "damping": damping}
        self.rebuild()

    # --- for the step ---

    def rebuild(self) -> None:
        """Build the tables again before the next step."""
        self._tables = None
        self.revision += 1

    def refresh(self, goal: Goal) -> None:
        """Write a goal's rows again; which goals there are has not changed."""
        if self._tables is not None and not self._tables.refresh(goal):
            self.rebuild()

    def task_tables(self) -> TaskTables:
        """Everything that the step reads of the goals."""
        if self._tables is None:
            self._tables = write_task_table(self)
        return self._tables.tables

    def find_rows(self, goal: Goal) -> tuple[int, int]:
        """First row of a goal among all tasks, and the one after its last."""
        self.task_tables()
        assert self._tables is not None
        return self._tables.places.get(id(goal), (0, 0))

    def sample_targets(self, dt: float) -> int:
        """Sample targets that move by themselves; for how many steps they hold, 0 if there are none.

        Ticks are counted from time zero, so that it makes no difference how a simulation is cut into calls.
        """
        tick = max(1, round(TICK / dt))
        done = round(self.time / dt) % tick
        start = (round(self.time / dt) - done) * dt
        moving = [goal for goal in self.goals if goal.sample_targets(start, tick * dt)]
        for goal in moving:
            self.refresh(goal)
        return tick - done if moving else 0

    def report(self, character: str | int | None = None) -> dict[str, Any]:
        """What the last step did: bounds that could not be kept, joints that limits hold back, and more numbers."""
        whole = self.characters[self.find_character(character)]
        row = self.workspace.report[whole.index]
        return {
            "at_limits": self._held_joints(whole),
            "relaxed": [what for bit, what in RELAXED.items() if int(row["dropped"]) & bit],
            "relaxed_steps": int(row["drops"]),
            "saturated": int(row["saturated"]),
            "footholds": int(row["support_points"]),
            "correction": float(row["correction"]),
            "largest_correction": float(row["largest_correction"]),
        }

    def _held_joints(self, character: Character) -> dict[str, str]:
        """Joints that a limit holds back, and which one: upper or lower. It slows them down before they are there."""
        found: dict[str, str] = {}
        for i in character.members:
            row, joint = self.model.tree[i], self.model.bodies[i].joint
            sides = self.workspace.work.held[int(row["l0"]) : int(row["l0"] + row["nl"])]
            if sides.any() and self.directed[joint.v_slice].any():
                found[joint.name] = "upper" if sides[np.flatnonzero(sides)[0]] > 0 else "lower"
        return found

    # --- names of earlier versions ---

    weigh = renamed("weigh", "set_joint_weights")
    posture = renamed("posture", "set_rest_pose")
    limit_firmness = renamed("limit_firmness", "limit_stiffness")
    counted_friction = renamed("counted_friction", "assumed_friction")
