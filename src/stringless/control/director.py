"""The director: holds the goals and hands them to the step as tables."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless import jit
from stringless.control.characters import Character, characters
from stringless.control.goals import GOAL_TYPES, Center, Drag, Goal, Pin, Pose, Turn
from stringless.control.keyframes import Keyframes
from stringless.control.posing import Poser
from stringless.control.stage import Stage
from stringless.control.tables import ACCELERATION, CAST_ROW, MEMORY_ROW, TASK_ROW, TORQUE, VELOCITY
from stringless.errors import InputError
from stringless.flesh.quantities import carry_nodes
from stringless.kinematics import BodyPoses, body_poses, body_velocities
from stringless.model.checks import suggest
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.state import State

FloatArray = NDArray[np.float64]
Style = Literal["acceleration", "torque", "velocity"]
STYLES: dict[str, int] = {"acceleration": ACCELERATION, "torque": TORQUE, "velocity": VELOCITY}
TICK = 0.004
"""How often a target that moves by a function of time is looked up [s]; in between it moves straight on."""
RELAXED = {1 << 3: "joint limits", 1 << 2: "acceleration limits", 1 << 1: "friction of the footholds"}


class Event(NamedTuple):
    """A switch and its time."""

    time: float
    what: str


class Director:
    """Turns goals into joint accelerations, at every step of a simulation.

    Nothing but the character's own actuators acts: a goal that they cannot reach is missed, and `report` says by how much.
    """

    def __init__(self, model: Model, state: State) -> None:
        """Direct the characters of `model` as they are in `state`, which is followed from then on."""
        self.model, self.state = model, state
        self.cast: tuple[Character, ...] = characters(model)
        if not self.cast:
            raise InputError(f"model '{model.name}' has no actuators; there is nobody to direct")
        self.goals: list[Goal] = []
        self.stage = Stage(model, self.cast)
        self.directed = np.zeros(model.nv, dtype=np.bool_)
        self.weights = np.ones(model.nv)
        self.pose_table, self.pose_weights = np.zeros((1, model.nq)), np.zeros((1, model.nv))
        self._styles = ["acceleration"] * len(self.cast)
        self._posture = [{"firmness": math.sqrt(40.0), "damping": 5.0 / math.sqrt(40.0)} for _ in self.cast]
        self.pose_table[0], self.pose_weights[0] = model.neutral(), 1.0
        self.limit_firmness = 30.0
        """How firmly joint limits are approached [1/s]."""
        self.top_acceleration = math.inf
        """Largest acceleration of any directed coordinate [rad/s² or m/s²]."""
        self.counted_friction = 0.6
        """Friction that a push-off counts on."""
        self.keep_momentum = True
        """Whether momentum is kept to rounding by a small rigid motion after each step."""
        self.events: list[Event] = []
        """Every switch, with its time."""
        self.tracks: list[Keyframes] = []
        """Keyframes that play."""
        self._springs = np.zeros((2, model.nv))  # stiffness and damping of passive joints
        self._spring_rest = model.neutral()
        self._skeleton: tuple[Any, Any, FloatArray] | None = None
        self._free_rows: list[int] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._tables: dict[str, Any] | None = None

    # --- the present ---

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.state.time

    def poses(self) -> BodyPoses:
        """World poses of all bodies now."""
        return body_poses(self.model, self.state.q)

    def orientation(self, body: int) -> FloatArray:
        """Quaternion of a body now."""
        return np.array(quaternion_from_matrix(self.poses().rotation[body]))

    def center_of_gravity(self, character: int = 0) -> tuple[FloatArray, FloatArray]:
        """Position and velocity of a character's centre of gravity, flesh included [m, m/s]."""
        actor, model = self.cast[character], self.model
        moving = body_velocities(model, self.state.q, self.state.v)
        poses = self.poses()
        masses = model.tree["mass"][actor.members]
        arms = np.einsum("bij,bj->bi", poses.rotation[actor.members], model.tree["h"][actor.members])
        first = (masses[:, None] * poses.position[actor.members] + arms).sum(axis=0)
        angular, linear = moving[actor.members, :3], moving[actor.members, 3:]
        momentum = (masses[:, None] * linear + np.cross(angular, arms)).sum(axis=0)
        if model.flesh is not None:
            carry_nodes(model, self.state.q, self.state.v, self.state.x, self.state.xdot)
            nodes = model.flesh.nodes
            ours = (nodes["fixed"] == 0) & np.isin(nodes["bone"], actor.members)
            first = first + nodes["mass"][ours] @ self.state.x[ours]
            momentum = momentum + nodes["mass"][ours] @ self.state.xdot[ours]
        return first / actor.mass, momentum / actor.mass

    @property
    def is_acting(self) -> bool:
        """Whether any joint is directed or on keyframes."""
        return bool(self.tracks) or bool(self.directed.any())

    def copy_for(self, state: State) -> Director:
        """The same director of another state; model and kernels' scratch are not part of the copy."""
        stage = Stage(self.model, self.cast)
        stage.report[:] = self.stage.report
        shared = {id(self.model): self.model, id(self.cast): self.cast, id(self.state): state, id(self.stage): stage}
        other = copy.deepcopy(self, shared)
        other._skeleton = None  # copied tables would be writable, which is another type to compiled code
        other.rebuild()
        return other

    # --- who ---

    def find_character(self, name: str | int | None) -> int:
        """Index of a character: of the only one if none is given, else by its number or the name of any of its bodies."""
        if isinstance(name, (int, np.integer)):
            if not 0 <= name < len(self.cast):
                raise InputError(f"there is no character {name}; they are numbered from 0 to {len(self.cast) - 1}")
            return int(name)
        if name is None:
            if len(self.cast) > 1:
                names = ", ".join(f"'{actor.name}'" for actor in self.cast)
                raise InputError(f"there are {len(self.cast)} characters; say which one is meant: {names}")
            return 0
        return self.character_of(self.model.body(name).index)

    def character_of(self, body: int) -> int:
        """Index of the character that a body belongs to."""
        root = int(self.model.tree[body]["root"])
        for actor in self.cast:
            if actor.root == root:
                return actor.index
        raise InputError(
            f"body '{self.model.bodies[body].name}' belongs to nothing that has actuators; "
            f"choose one of: {', '.join(actor.name for actor in self.cast)}"
        )

    def root(self, character: int) -> int:
        """Root body of a character."""
        return self.cast[character].root

    def size(self, character: int) -> float:
        """Rough length of a character [m]."""
        return self.cast[character].size

    # --- goals ---

    def add(self, kind: str, *arguments: Any, **options: Any) -> Goal:
        """Add a goal of any registered kind; `drag`, `pin`, `turn`, `center` and `pose` are short for this."""
        if kind not in GOAL_TYPES:
            raise InputError(f"there is no goal '{kind}'. {suggest(kind, GOAL_TYPES)}")
        goal = GOAL_TYPES[kind](self, *arguments, **options)
        character = goal.character  # of a body that nobody can drive, this says so
        self.goals.append(goal)
        if not self.directed[self.cast[character].actuators].any():
            self.take(character)
        self.note(f"{kind} begins")
        self.rebuild()
        return goal

    def drag(self, bone: str | int, target: Any = None, **options: Any) -> Drag:
        """Drag a point of a bone to a target; see `goals.place.Drag`."""
        goal = self.add("drag", bone, target, **options)
        assert isinstance(goal, Drag)
        return goal

    def pin(self, bone: str | int, **options: Any) -> Pin:
        """Hold a bone where it is; see `goals.place.Pin`."""
        goal = self.add("pin", bone, **options)
        assert isinstance(goal, Pin)
        return goal

    def turn(self, orientation: ArrayLike | None = None, **options: Any) -> Turn:
        """Turn the whole character; see `goals.turning.Turn`."""
        goal = self.add("turn", orientation, **options)
        assert isinstance(goal, Turn)
        return goal

    def center(self, target: Any = None, **options: Any) -> Center:
        """Drag the centre of gravity; see `goals.center.Center`."""
        goal = self.add("center", target, **options)
        assert isinstance(goal, Center)
        return goal

    def pose(self, pose: ArrayLike | Mapping[str, ArrayLike] | None = None, **options: Any) -> Pose:
        """Move joints to a pose; see `goals.pose.Pose`."""
        goal = self.add("pose", pose, **options)
        assert isinstance(goal, Pose)
        return goal

    def drop(self, goal: Goal) -> None:
        """Forget a goal that was released."""
        self.goals = [other for other in self.goals if other is not goal]
        if isinstance(goal, Pose):
            self._free_rows.append(goal.row)
        self.note(f"{goal.kind} ends")
        self.rebuild()

    def release(self) -> None:
        """Release all goals."""
        for goal in list(self.goals):
            goal.release()

    # --- which joints ---

    def take(self, character: str | int | None = None, joints: Sequence[str] | None = None) -> None:
        """Direct joints: all actuators of a character, or those named."""
        self._switch(character, joints, True)

    def leave(self, character: str | int | None = None, joints: Sequence[str] | None = None) -> None:
        """Stop directing joints: they go limp, or do what `Simulation.tau` says."""
        self._switch(character, joints, False)

    def _chosen(self, character: str | int | None, joints: Sequence[str] | None) -> NDArray[np.int64]:
        """Coordinates of the joints named, or of all actuators of a character."""
        if joints is None:
            return self.cast[self.find_character(character)].actuators
        if isinstance(joints, str) or not len(joints):
            raise InputError(f"joints are {joints!r}; expected a list of one or more joint names")
        chosen = np.concatenate([np.arange(self.model.nv)[self.model.joint(name).v_slice] for name in joints])
        allowed = np.concatenate([actor.actuators for actor in self.cast])
        for d in chosen:
            if d not in allowed:
                raise InputError(f"joint {self.model.dof_name(int(d))} has no actuator and cannot be directed")
        return chosen.astype(np.int64)

    def _switch(self, character: str | int | None, joints: Sequence[str] | None, on: bool) -> None:
        chosen = self._chosen(character, joints)
        for track in [track for track in self.tracks if on and np.any(track.mask[chosen])]:
            track.stop()
        if np.any(self.directed[chosen] != on) or np.any(self._springs[:, chosen]):
            self.directed[chosen] = on
            self._springs[:, chosen] = 0.0
            self._skeleton = None
            self.note(f"{len(chosen)} coordinates {'directed' if on else 'left'}")
            self.rebuild()

    def passive(
        self,
        joints: Sequence[str] | None = None,
        *,
        stiffness: float = 0.0,
        damping: float = 0.0,
        pose: ArrayLike | Mapping[str, ArrayLike] | None = None,
        character: str | int | None = None,
    ) -> None:
        """Let joints go, on a spring and a damper toward a pose: limp at 0, a soft landing in between, stiff.

        Args:
            joints: those that go passive; all actuators of the character if not named.
            stiffness: of the spring [N·m/rad or N/m].
            damping: of the damper [N·m·s/rad or N·s/m].
            pose: in which the springs are slack; the present one if not given.
            character: name of any of its bodies; needed where there are several and no joints are named.
        """
        for name, value in (("stiffness", stiffness), ("damping", damping)):
            if not (math.isfinite(value) and value >= 0):
                raise InputError(f"{name} is {value}; expected a finite number of 0 or more")
        whole = self.whole_pose(self.state.q if pose is None else pose, self.state.q)
        chosen = self._chosen(character, joints)
        for track in [track for track in self.tracks if np.any(track.mask[chosen])]:
            track.stop()
        self.directed[chosen] = False
        self._springs[0, chosen], self._springs[1, chosen] = stiffness, damping
        for d in chosen:
            joint = self.model.bodies[int(self.model.dofs[d]["body"])].joint
            self._spring_rest[joint.q_slice] = whole[joint.q_slice]
        self._skeleton = None
        self.note(f"{len(chosen)} coordinates passive")
        self.rebuild()

    def skeleton(self) -> tuple[Any, Any, FloatArray]:
        """Tables of bodies, coordinates and rest of springs, the passive joints' springs included."""
        model = self.model
        if not self._springs.any():
            return model.tree, model.dofs, model.q_rest
        if self._skeleton is None:
            tree, dofs = model.tree.copy(), model.dofs.copy()
            stiff, own = self._springs[0], model.dofs["stiffness"]
            total = own + stiff
            share = np.where(total > 0, stiff / np.maximum(total, 1e-300), 0.0)
            rest = model.integrate(model.q_rest, share * model.difference(model.q_rest.copy(), self._spring_rest))
            dofs["stiffness"], dofs["damping"] = total, model.dofs["damping"] + self._springs[1]
            for d in np.flatnonzero(stiff):
                tree["sprung"][int(dofs["body"][d])] = 1
            for table in (tree, dofs, rest):
                table.flags.writeable = False
            self._skeleton = tree, dofs, rest
        return self._skeleton

    def start_track(self, track: Keyframes) -> None:
        """Let keyframes take over their joints."""
        for other in [other for other in self.tracks if other is not track and np.any(other.mask & track.mask)]:
            other.stop()
        self.directed[track.mask] = False
        self._springs[:, track.mask] = 0.0
        self._skeleton = None
        self.tracks = [*(other for other in self.tracks if other is not track), track]
        self.note("keyframes begin")
        self.rebuild()

    def stop_track(self, track: Keyframes) -> None:
        """Direct the joints of keyframes again."""
        self.tracks = [other for other in self.tracks if other is not track]
        self.directed[track.mask] = True
        self.note("keyframes end")
        self.rebuild()

    @property
    def followed(self) -> NDArray[np.bool_]:
        """Coordinates that keyframes prescribe now."""
        found = np.zeros(self.model.nv, dtype=np.bool_)
        for track in self.tracks:
            found |= track.mask
        return found

    def targets(self, times: FloatArray) -> FloatArray:
        """Where keyframes lead at times of the simulation, shape (k, nq)."""
        q = np.tile(self.state.q, (len(times), 1))
        for track in self.tracks:
            rows = track.targets(times)
            for name in track.joints:
                place = self.model.joint(name).q_slice
                q[:, place] = rows[:, place]
        return q

    def keyframes(self, joints: Sequence[str] | None = None, character: str | int | None = None) -> Keyframes:
        """An empty track of keyframes; see `keyframes.Keyframes`."""
        return Keyframes(self, joints, character=character)

    def poser(self, character: str | int | None = None, *, move_root: bool = False) -> Poser:
        """Find poses by dragging bones of the stopped character; see `posing.Poser`."""
        return Poser(self.model, self.cast[self.find_character(character)], self.state.q, move_root=move_root)

    def note(self, what: str) -> None:
        """Record a switch."""
        self.events.append(Event(self.time, what))

    # --- how ---

    def style(self, style: Style, character: str | int | None = None) -> None:
        """Choose what is kept least: joint `acceleration`, `torque` or `velocity`."""
        if style not in STYLES:
            raise InputError(f"style '{style}' is unknown; choose one of: {', '.join(get_args(Style))}")
        self._styles[self.find_character(character)] = style
        self.rebuild()

    def weigh(self, weights: Mapping[str, float]) -> None:
        """Make joints reluctant (above 1) or eager (below 1) to do what the style keeps least."""
        for name, value in weights.items():
            joint = self.model.joint(name)
            if not (math.isfinite(value) and value > 0):
                raise InputError(f"weight of joint '{name}' is {value}; expected a finite number above 0")
            self.weights[joint.v_slice] = value

    def posture(
        self,
        pose: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        firmness: float = math.sqrt(40.0),
        damping: float = 5.0 / math.sqrt(40.0),
        character: str | int | None = None,
    ) -> None:
        """Choose what the style counts from: joints that no goal needs drift to `pose`, the neutral one if not given.

        A `firmness` of 0 only slows them down, with `damping` [1/s] then.
        """
        index = self.find_character(character)
        for name, value in (("firmness", firmness), ("damping", damping)):
            if not (math.isfinite(value) and value >= 0):
                raise InputError(f"{name} of the posture is {value}; expected a finite number of 0 or more")
        if pose is not None:
            self.set_pose(0, pose, None, index)
        self._posture[index] = {"firmness": float(firmness), "damping": float(damping)}
        self.rebuild()

    # --- poses ---

    def new_pose(self) -> int:
        """A row in the table of poses."""
        if self._free_rows:
            return self._free_rows.pop()
        self.pose_table = np.vstack([self.pose_table, self.model.neutral()])
        self.pose_weights = np.vstack([self.pose_weights, np.zeros(self.model.nv)])
        self.rebuild()
        return len(self.pose_table) - 1

    def set_pose(
        self, row: int, pose: ArrayLike | Mapping[str, ArrayLike], joints: Sequence[str] | None, character: int
    ) -> None:
        """Write a pose into a row: a whole configuration, or values by joint name; `joints` are those that count."""
        model = self.model
        self.pose_table[row] = self.whole_pose(pose, model.neutral() if row == 0 else self.pose_table[row])
        weights = np.zeros(model.nv)
        for joint in [model.joint(name) for name in joints] if joints is not None else model.joints:
            weights[joint.v_slice] = 1.0
        self.pose_weights[row] = weights

    def whole_pose(self, pose: ArrayLike | Mapping[str, ArrayLike], base: FloatArray) -> FloatArray:
        """A whole configuration: as given, or `base` with the values given by joint name."""
        model = self.model
        if not isinstance(pose, Mapping):
            whole = model.vector(pose, model.nq, "pose").copy()
            if not np.isfinite(whole).all():
                raise InputError("the pose holds a number that is not finite")
            return whole
        whole = base.copy()
        for name, value in pose.items():
            joint = model.joint(name)
            values = np.atleast_1d(np.asarray(value, dtype=np.float64))
            if values.shape != (joint.nq,) or not np.isfinite(values).all():
                raise InputError(f"pose of joint '{name}' is {value!r}; expected {joint.nq} finite numbers")
            whole[joint.q_slice] = values
        return whole

    # --- tables for the step ---

    def rebuild(self) -> None:
        """Make the tables anew before the next step."""
        self._tables = None

    def refresh(self, goal: Goal) -> None:
        """Write a goal's rows again; which goals there are has not changed."""
        place = self._places.get(id(goal))
        if self._tables is None or place is None:
            return
        rows = goal.tasks()
        if len(rows) != place[1] - place[0]:
            self.rebuild()
            return
        for row, fields in zip(self._tables["tasks"][place[0] : place[1]], rows, strict=True):
            _fill(row, fields)

    def sample(self, dt: float) -> int:
        """Look up targets that move by themselves; how many steps they are good for, 0 if there are none.

        Ticks are counted from time zero, so that it makes no difference how a simulation is cut into calls.
        """
        tick = max(1, round(TICK / dt))
        done = round(self.time / dt) % tick
        start = (round(self.time / dt) - done) * dt
        moving = [goal for goal in self.goals if goal.sample(start, tick * dt)]
        for goal in moving:
            self.refresh(goal)
        return tick - done if moving else 0

    def give_way(self, coordinates: NDArray[np.bool_]) -> None:
        """Leave coordinates to a motion that the simulation follows."""
        if np.any(self.directed & coordinates):
            self.directed &= ~coordinates
            self.note("a motion takes over")
            self.rebuild()

    def rewound(self) -> None:
        """Begin keyframes anew that would begin only later: the simulation has gone back to before."""
        for track in self.tracks:
            if track.started > self.time:
                track.play(begin=track.begin, rate=track.rate, blend=track.blend)

    def script(self) -> tuple[Any, ...]:
        """Everything that the step reads of the goals, in the order of `control.direct.direct`."""
        if self._tables is None:
            self._tables = self._make_tables()
        return tuple(self._tables.values())

    def _make_tables(self) -> dict[str, Any]:
        model = self.model
        acting = [actor for actor in self.cast if self.directed[actor.actuators].any()]
        cast = jit.rows(len(self.cast), CAST_ROW)
        tasks: list[dict[str, Any]] = []
        owners: list[Goal] = []
        columns: list[int] = []
        members: list[int] = []
        column_of = np.full(model.nv, -1, dtype=np.int64)
        for actor in self.cast:
            row = cast[actor.index]
            ours = [d for d in actor.actuators.tolist() if self.directed[d]]
            column_of[ours] = np.arange(len(ours))
            goals = [goal for goal in self.goals if goal.character == actor.index] if actor in acting else []
            entries = [(goal.priority, goal, fields) for goal in goals for fields in goal.tasks()]
            entries.sort(key=lambda entry: entry[0])
            levels = {priority: k for k, priority in enumerate(dict.fromkeys(entry[0] for entry in entries))}
            row["root"], row["passive"], row["mass"] = actor.root, actor.passive_root, actor.mass
            row["first_member"], row["last_member"] = len(members), len(members) + len(actor.members)
            row["first_column"], row["last_column"] = len(columns), len(columns) + len(ours)
            row["first_task"], row["last_task"] = len(tasks), len(tasks) + len(entries)
            row["levels"], row["style"] = len(levels), STYLES[self._styles[actor.index]]
            row["push"] = any(goal.push for goal in goals)
            keyed = any(track.mask[actor.actuators].any() for track in self.tracks)
            row["correct"] = self.keep_momentum and actor.passive_root and (bool(ours) or keyed)
            row["posture"], row["top_acceleration"] = 0, self.top_acceleration
            row["mu"], row["limit_kp"] = self.counted_friction, self.limit_firmness**2
            kp, kv = self._posture_gains(actor.index)
            row["posture_kp"], row["posture_kv"] = kp, kv
            members += actor.members.tolist()
            columns += ours
            for priority, goal, fields in entries:
                owners.append(goal)
                tasks.append({**fields, "level": levels[priority]})
        self._check_room(tasks)
        table = jit.rows(len(tasks), TASK_ROW)
        for row, fields in zip(table, tasks, strict=True):
            _fill(row, fields)
        self._places = {}
        for k, goal in enumerate(owners):
            first, _ = self._places.get(id(goal), (k, k))
            self._places[id(goal)] = (first, k + 1)
        index = np.array
        return {
            "cast": cast, "members": index(members, dtype=np.int64), "columns": index(columns, dtype=np.int64),
            "column_of": column_of, "tasks": table, "poses": self.pose_table, "pose_weights": self.pose_weights,
            "weights": self.weights,
        }  # fmt: skip

    def _check_room(self, tasks: list[dict[str, Any]]) -> None:
        rows = sum(int(fields.get("count", 0)) for fields in tasks)
        poses = sum("pose" in fields for fields in tasks)
        if rows > 96 or poses > 8:
            raise InputError(f"{rows} directions and {poses} poses are wanted at once; at most 96 and 8 are possible")

    def _posture_gains(self, index: int) -> tuple[float, float]:
        law = self._posture[index]
        firmness, damping = law["firmness"], law["damping"]
        return firmness**2, 2 * damping * firmness if firmness > 0 else damping

    # --- what came of it ---

    def report(self, character: str | int | None = None) -> dict[str, Any]:
        """What the last step did: what could not be kept, actuators at their limit, footholds, momentum correction."""
        row = self.stage.report[self.find_character(character)]
        return {
            "relaxed": [what for bit, what in RELAXED.items() if int(row["dropped"]) & bit],
            "relaxed_steps": int(row["drops"]),
            "saturated": int(row["saturated"]),
            "footholds": int(row["footholds"]),
            "correction": float(row["correction"]),
            "largest_correction": float(row["largest_correction"]),
        }


def new_memory(model: Model) -> Any:
    """What directing remembers between steps, at a start."""
    memory = jit.rows(len(characters(model)), MEMORY_ROW)
    memory["touched"] = -math.inf
    return memory


def _fill(row: Any, fields: Mapping[str, Any]) -> None:
    for name, value in fields.items():
        row[name] = value
