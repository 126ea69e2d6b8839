"""The simulation: a scene set in motion."""

from __future__ import annotations

import copy
import functools
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless import jit
from stringless.contact.tables import ContactTables, contact_tables, retuned_contact
from stringless.control.director import Director, new_memory
from stringless.control.motion import Motion
from stringless.dynamics import Energy, energy
from stringless.dynamics.hybrid import mask, wrenches
from stringless.errors import InputError, StringlessWarning
from stringless.flesh.quantities import carried_nodes, carry_nodes, flesh_energy, free_masses
from stringless.flesh.stability import step_advice
from stringless.kinematics import BodyPoses, body_poses, center_of_gravity
from stringless.model import Model, Scene
from stringless.model.flesh import Flesh, FleshSpec, retuned
from stringless.simulation import directed_step, flesh_step, step
from stringless.simulation.config import CHANGEABLE, Engine, Integrator, SimulationConfig, changed
from stringless.simulation.diagnosis import divergence, lost_node, require_sound
from stringless.simulation.parameters import Tuning, material_parameters, tuned
from stringless.simulation.preview import Preview, preview
from stringless.simulation.recording import Position, Recorder
from stringless.simulation.substeps import Substeps, halvings
from stringless.simulation.workspace import FleshWorkspace, new_anchors
from stringless.state import State, scratch
from stringless.timeline.store import Store
from stringless.timeline.take import Take

FloatArray = NDArray[np.float64]
STEPS_PER_CALL = 256
"""Steps that run in compiled code before Python looks up, to hear an interrupt and to report progress."""
REFERENCE_DT = 1e-3
"""Step that the tables of contact are made for, once; they are scaled from it to the one in use [s]."""
FAR = 0.1
"""A motion that is farther than this from where a joint is [rad, m] would tear it there within one step."""

WHOLE_STEPS = "a directed scene takes the step it is given; set substeps to 'off', and dt as needed"
LARGE_CORRECTION = 20.0
"""Beyond this, about twice the weight, keeping momentum is no small correction any more [m/s²]."""


class Simulation:
    """Advances the state of one scene.

    `tau` holds the actuators' efforts, each cut to its joint's limit, and `external` a wrench per body (moment first,
    body frame). Coordinates flagged in `prescribed` move with the given `acceleration` instead, and `effort` tells what
    every actuator gave in the last step, that of prescribed coordinates included. All may be set at any time and act
    until they are set again.
    """

    def __init__(
        self,
        scene: Scene | Model,
        *,
        engine: Engine = "reduced",
        dt: float = 1e-3,
        integrator: Integrator = "symplectic",
        record: float = 120.0,
        **options: Any,
    ) -> None:
        """Start at the scene's initial state, at time zero.

        Args:
            scene: what to simulate.
            engine: how states are advanced.
            dt: length of a step [s].
            integrator: `symplectic`, or `rk4` as a reference.
            record: frames per simulated second that `take` keeps; 0 to record nothing.
            options: the other fields of `SimulationConfig`.
        """
        if not isinstance(scene, (Scene, Model)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(
                f"cannot simulate {scene!r}; expected a Scene or a Model, as `stringless.load` returns one"
            )
        self.scene = Scene(scene) if isinstance(scene, Model) else scene
        self.model = self.scene.model
        self.config = SimulationConfig(engine=engine, dt=dt, integrator=integrator, **options)
        self.flesh = self._tuned_flesh(self.config, {})
        """The flesh as it is now; `model.flesh` is what it was at the start."""
        self._tables = contact_tables(self.model, REFERENCE_DT, self.config.friction)
        contact = self._contact(self.config, self.flesh)
        self.workspace = None
        if self.flesh is not None or not contact.empty or self.config.substeps == "auto":
            self.workspace = FleshWorkspace(self.model, self.flesh, contact)
        self._warn_of_step()
        self.state = self._start()
        self.tau = np.zeros(self.model.nv)
        self.external = np.zeros((self.model.body_count, 6))
        self.prescribed = np.zeros(self.model.nv, dtype=np.bool_)
        self.acceleration = np.zeros(self.model.nv)
        self.effort = np.zeros(self.model.nv)
        self._owed = 0.0  # time asked for that did not make a whole step yet
        self._warned_of_correction = False
        self.motion: Motion | None = None
        """What the coordinates in `followed` follow; set by `follow`."""
        self.followed = np.zeros(self.model.nv, dtype=np.bool_)
        self._old_memory = new_memory(self.model)  # what a failed step is taken back from
        if not (isinstance(record, (int, float)) and math.isfinite(record) and record >= 0):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"record is {record!r}; expected frames per simulated second, 0 for none")
        self._record = float(record)

    def _start(self) -> State:
        q, v = self.scene.q.copy(), self.scene.v.copy()
        if self.workspace is None:
            return State(0.0, q, v, anchors=new_anchors(0), memory=new_memory(self.model))
        if self.config.integrator == "rk4":
            raise InputError("integrator 'rk4' knows neither flesh nor contact; use 'symplectic' for this scene")
        x, xdot = carried_nodes(self.model, q, v)
        return State(0.0, q, v, np.zeros_like(v), x, xdot, self.workspace.new_anchors(), new_memory(self.model))

    @functools.cached_property
    def director(self) -> Director:
        """Goals for the characters of the scene. From the first goal on, their joints do what it asks for."""
        if self.config.integrator == "rk4":
            raise InputError("integrator 'rk4' cannot direct characters; use 'symplectic'")
        if self.workspace is None:
            self.workspace = FleshWorkspace(self.model, self.flesh, self._contact(self.config, self.flesh))
        return Director(self.model, self.state)

    @property
    def has_director(self) -> bool:
        """Whether anybody has asked for the director yet."""
        return "director" in self.__dict__

    @property
    def is_directed(self) -> bool:
        """Whether any joint does what goals or keyframes ask for."""
        return self.has_director and self.director.is_acting

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        """A fork that begins a record of its own; the model never changes and is shared."""
        other = self.fork()
        del other.__dict__["recorder"]
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the record: a copy begins a record of its own."""
        return {name: value for name, value in self.__dict__.items() if name != "recorder"}

    # --- what can change ---

    def parameters(self) -> dict[str, Any]:
        """Everything that `configure` can change, as it is now: plain numbers and words, ready to be written down."""
        now = {name: getattr(self.config, name) for name in CHANGEABLE}
        return now | ({"flesh": material_parameters(self.flesh.specs)} if self.flesh else {})

    def configure(self, *, flesh: Tuning | None = None, **changes: Any) -> None:
        """Change parameters between two steps: all of them, or none if one is refused.

        Args:
            flesh: name of a part of the flesh to its new `young`, `poisson` or `damping`.
            changes: fields of `SimulationConfig` except `engine` and `integrator`.

        Masses stay what they were. `sim.configure(**other.parameters())` makes two simulations of a scene alike.
        """
        config = changed(self.config, changes)
        if config.substeps == "auto" and self.is_directed:
            raise InputError(WHOLE_STEPS)
        tuned_flesh = self._tuned_flesh(config, {} if flesh is None else flesh)
        contact = self._contact(config, tuned_flesh)
        if self.workspace is not None:
            self.workspace.use(tuned_flesh, contact)
        elif config.substeps == "auto":
            self.workspace = FleshWorkspace(self.model, tuned_flesh, contact)
        self.config, self.flesh = config, tuned_flesh
        self._warn_of_step()

    def _tuned_flesh(self, config: SimulationConfig, changes: Tuning) -> Flesh | None:
        before = getattr(self, "flesh", self.model.flesh)
        if before is None:
            tuned((), changes)
            return None
        parts = tuned(before.specs, changes)
        dt = config.dt / (1 << halvings(config, parts)[0])
        return retuned(before, parts, dt=dt, stiffness=config.flesh_stiffness)

    def _contact(self, config: SimulationConfig, flesh: Flesh | None) -> ContactTables:
        dt = config.dt / (1 << halvings(config, flesh.specs if flesh else ())[0])
        # Always from the same tables: the way to a parameter must not change the last digit.
        return retuned_contact(
            self._tables, ratio=REFERENCE_DT / dt, friction=config.friction, self_contact=config.self_contact
        )

    @property
    def _parts(self) -> tuple[FleshSpec, ...]:
        return self.flesh.specs if self.flesh else ()

    def _warn_of_step(self) -> None:
        """Say so if the step is too long for the flesh, and what would do."""
        if self.config.substeps == "auto":
            return
        for advice in step_advice(self._parts, self.config.dt, self.config.flesh_stiffness):
            warnings.warn(advice, StringlessWarning, stacklevel=3)

    def _warn_of_correction(self) -> None:
        """Say so once if keeping momentum takes much: the step is too long for how a character moves."""
        if not self.is_directed or self._warned_of_correction:
            return
        sizes = self.director.stage.report["largest_correction"]
        k = int(np.argmax(sizes))
        if sizes[k] > LARGE_CORRECTION:
            self._warned_of_correction = True
            warnings.warn(
                f"keeping the momentum of '{self.director.cast[k].name}' took {sizes[k]:.3g} m/s² up to time {self.time:.4g} "
                f"s, more than {LARGE_CORRECTION:g}: its motion is too fast for steps of {self.config.dt * 1e3:g} ms. Set dt "
                f"to {self.config.dt * 1e3 * LARGE_CORRECTION / (2 * sizes[k]):.2g} ms or less, or make its goals less firm",
                StringlessWarning,
                stacklevel=4,
            )

    # --- what it is doing ---

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.state.time

    @property
    def q(self) -> FloatArray:
        """Configuration; the live array."""
        return self.state.q

    @property
    def v(self) -> FloatArray:
        """Velocity; the live array."""
        return self.state.v

    @property
    def center_of_gravity(self) -> FloatArray:
        """Of everything in the scene, in the world [m]."""
        return self._mean(center_of_gravity(self.model, self.q).position, self.state.x)

    @property
    def center_of_gravity_velocity(self) -> FloatArray:
        """[m/s]."""
        return self._mean(center_of_gravity(self.model, self.q, self.v).velocity, self.state.xdot)

    def _mean(self, bones: FloatArray, nodes: FloatArray) -> FloatArray:
        """Mean by mass of a vector of all bones and one of each free node."""
        if self.model.flesh is None:
            return bones
        mass = free_masses(self.model.flesh)
        return (self.model.mass * bones + mass @ nodes) / (self.model.mass + mass.sum())

    def energy(self) -> Energy:
        """Mechanical energy now, that of the flesh included."""
        bones = energy(self.model, self.q, self.v)
        if self.flesh is None:
            return bones
        flesh = flesh_energy(self.flesh, self.model.gravity, self.flesh_positions, self.state.xdot)
        return Energy(bones.kinetic + flesh.kinetic, bones.potential + flesh.potential)

    @property
    def flesh_positions(self) -> FloatArray:
        """World positions of all cage nodes, shape (n, 3) [m]."""
        if self.model.flesh is not None:
            carry_nodes(self.model, self.q, self.v, self.state.x, self.state.xdot)
        return self.state.x

    @property
    def surface_positions(self) -> FloatArray:
        """World positions of all vertices of the skin, shape (m, 3) [m]."""
        flesh = self.model.flesh
        if flesh is None:
            return np.zeros((0, 3))
        return np.einsum("vk,vkj->vj", flesh.vertices["w"], self.flesh_positions[flesh.vertices["n"]])

    @property
    def substeps(self) -> Substeps:
        """How often steps were done in shorter ones, since the simulation was made."""
        divided, halved = self.workspace.split if self.workspace is not None else (0, 0)
        return Substeps(int(divided), 1 << int(halved))

    def touching_points(self) -> tuple[NDArray[np.int64], FloatArray]:
        """Points that touch something, skin vertices first, then probes of bare bodies, and the forces on them [N]."""
        if self.workspace is None:
            return np.zeros(0, dtype=np.int64), np.zeros((0, 3))
        points = np.flatnonzero(self.workspace.touch.any(axis=1))
        return points, self.workspace.touch[points]

    def body_poses(self) -> BodyPoses:
        """World poses of all bodies now."""
        return body_poses(self.model, self.q)

    # --- moving on ---

    def advance(self, seconds: float, report: Callable[[float], None] | None = None) -> None:
        """Simulate `seconds` of time, to the nearest step; what is left over counts in the next call.

        `report` hears the time reached, now and then.

        Raises `DivergenceError` if the state runs away; it then stands at the last good step.
        """
        if not (math.isfinite(seconds) and seconds >= 0):
            raise InputError(f"cannot advance by {seconds} s; expected a finite number of 0 or more")
        self._owed += seconds
        count = round(self._owed / self.config.dt)
        self._owed -= count * self.config.dt
        self.step(count, report)

    def step(self, count: int = 1, report: Callable[[float], None] | None = None) -> None:
        """Simulate `count` steps."""
        if not isinstance(count, (int, np.integer)) or count < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot simulate {count!r} steps; expected a whole number of 0 or more")
        require_sound(self.model, self.state)
        recorder = self.recorder
        if recorder is None:
            self.repeat(count, report)
            return
        recorder.before()
        try:
            self.repeat(count, report, recorder)
        finally:
            recorder.left()

    def repeat(
        self, count: int, report: Callable[[float], None] | None = None, recorder: Recorder | None = None
    ) -> None:
        """Simulate steps without recording them anew."""
        tau = self.model.vector(self.tau, self.model.nv, "tau")
        self.acceleration = self.model.vector(self.acceleration, self.model.nv, "acceleration")
        self.effort[:] = np.clip(tau, -self.model.dofs["effort"], self.model.dofs["effort"])
        while count > 0:
            some = min(count, STEPS_PER_CALL)
            if self.is_directed:
                some = min(some, self.director.sample(self.config.dt) or some)
            if recorder is not None:
                recorder.note_targets()
                some = min(some, recorder.due())
            done, bad = self._run(tau, some)
            if recorder is not None:
                recorder.after(done)
            if bad >= 0:
                raise divergence(self.model, self.state, bad, dt=self.config.dt, tau=tau, external=self.external)
            count -= done
            self._warn_of_correction()
            if report:
                report(self.time)

    def _run(self, tau: FloatArray, steps: int) -> tuple[int, int]:
        return self._run_bones(tau, steps) if self.workspace is None else self._run_flesh(self.workspace, tau, steps)

    def _run_flesh(self, room: FleshWorkspace, tau: FloatArray, steps: int) -> tuple[int, int]:
        model, work, config, state = self.model, scratch(self.model), self.config, self.state
        tree, dofs, rest = self.director.skeleton() if self.has_director else (model.tree, model.dofs, model.q_rest)
        inputs = (
            tree, dofs, model.limits, rest, model.gravity, room.nodes, room.elements,
            room.materials, room.vertices, room.touching, *self._prescription(steps), tau,
            wrenches(model, self.external), config.dt, config.stop_frequency, config.max_speed, self._gains(),
            config.diagonalization == "full", steps, state.time,
        )  # fmt: skip
        scratches = (
            work.bodies, work.dofs, self.acceleration, work.vector, room.vdot, room.wrench, room.force, room.flagged,
            room.F, room.P, room.contact_work, room.old_anchors, room.old_effort,
        )  # fmt: skip
        outputs = (
            state.anchors, state.x, state.xdot, self.effort, state.vdot, state.q, state.v, room.touch, room.counts,
        )  # fmt: skip
        if self.is_directed:
            if config.substeps == "auto":
                raise InputError(WHOLE_STEPS)
            stage = self.director.stage
            done, state.time, bad, lost = directed_step.run_directed(
                *inputs, self.director.script(), room.point_bodies, *scratches, self._old_memory, stage.scratch,
                stage.residual, stage.report, state.memory, *outputs,
            )  # fmt: skip
            state.dt = config.dt if done > 0 else state.dt
        else:
            done, state.time, state.dt, bad, lost = flesh_step.run_flesh(
                *inputs, state.dt, *halvings(config, self._parts), room.sizes, *scratches, room.old_q, room.old_v,
                room.old_vdot, room.old_x, *outputs, room.split,
            )  # fmt: skip
        if bad < 0 <= lost:
            assert self.flesh is not None
            raise lost_node(model, self.flesh, state, lost, dt=config.dt, stiffness=config.flesh_stiffness)
        return done, bad

    def _gains(self) -> FloatArray:
        """Factors on contact stiffness, contact damping, release and the flesh's damping; friction of the skin."""
        config = self.config
        return np.array((config.contact_stiffness, 1.0, config.restitution, config.flesh_damping, config.friction))

    def _run_bones(self, tau: FloatArray, steps: int) -> tuple[int, int]:
        model, work, config, state = self.model, scratch(self.model), self.config, self.state
        arguments = (
            model.tree, model.dofs, model.limits, model.q_rest, model.gravity, *self._prescription(steps), tau,
            self._wrenches(work.no_external),
        )  # fmt: skip
        choices = (config.dt, config.stop_frequency, config.max_speed, steps, state.time)
        room = (work.bodies, work.dofs, work.vectors, self.acceleration)
        if config.integrator == "rk4":
            done, state.time, bad = step.run_rk4(
                *arguments, *choices, *room, work.configuration, self.effort, state.q, state.v
            )
        else:
            done, state.time, bad = step.run_symplectic(
                *arguments, state.dt, *choices, *room, self.effort, state.vdot, state.q, state.v
            )
            state.dt = config.dt if done > 0 else state.dt
        return done, bad

    def _prescription(self, steps: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_], FloatArray]:
        """Which coordinates are prescribed, which of them follow a path, and where that leads at each of the next steps."""
        work = scratch(self.model)
        given = mask(self.model, self.prescribed) | self.followed
        if self.is_directed:
            # Directed coordinates count as prescribed with no acceleration; the director adds to that.
            given = given | self.director.directed
            self.acceleration[self.director.directed] = 0.0
        keyed = self.director.followed if self.is_directed else None
        if self.motion is None and (keyed is None or not keyed.any()):
            return given if given.any() else work.no_mask, work.no_mask, np.zeros((0, self.model.nq))
        # Added up as the kernel adds them: where a call begins must not change the last digit.
        times = np.cumsum([self.time, *[self.config.dt] * steps])[1:]
        targets = np.tile(self.q, (steps, 1)) if self.motion is None else self.motion.sampled(times)[0]
        if keyed is None or not keyed.any():
            return given, self.followed, targets
        track = self.director.targets(times)
        for joint in self.model.joints:
            if keyed[joint.v_slice].any():
                targets[:, joint.q_slice] = track[:, joint.q_slice]
        return given | keyed, self.followed | keyed, targets

    def _wrenches(self, none: FloatArray) -> FloatArray:
        external = wrenches(self.model, self.external)
        return external if external.any() else none

    def warm_up(self, report: Callable[[str, int, int], None] | None = None) -> None:
        """Compile what this simulation needs, so that the first step is fast.

        `report` hears the name of each kernel being compiled, how many are done and how many there are.
        """
        entry = step.run_rk4 if self.config.integrator == "rk4" else step.run_symplectic
        if self.workspace is not None:
            entry = directed_step.run_directed if self.is_directed else flesh_step.run_flesh
        with jit.compiling(report or (lambda name, done, total: None), entry):
            self._run(self.model.vector(self.tau, self.model.nv, "tau"), 0)

    # --- following a motion ---

    def follow(self, motion: Motion | None, joints: Sequence[str] | None = None) -> None:
        """Let the bones follow a motion, exactly, while flesh and all else answer to it; `None` sets them free again.

        After every step the joints stand where the motion is then. `effort` tells what that took, whatever an actuator can
        give; that of a root joint is the wrench that an invisible hand exerts on the character, moment first, along body
        axes.

        Args:
            motion: by the time of this simulation.
            joints: names of the joints that follow; all, roots included, if not given.
        """
        model = self.model
        followed = np.zeros(model.nv, dtype=np.bool_)
        if motion is not None:
            if motion.model.nq != model.nq or not np.array_equal(motion.model.tree["kind"], model.tree["kind"]):
                raise InputError(f"this motion is of model '{motion.model.name}', which is unlike model '{model.name}'")
            if self.config.integrator == "rk4":
                raise InputError("integrator 'rk4' cannot follow a motion; use 'symplectic'")
            for joint in model.joints if joints is None else [model.joint(name) for name in joints]:
                followed[joint.v_slice] = True
            apart = np.where(followed, np.abs(model.difference(self.q, motion.at(self.time)[0])), 0.0)
            far = int(np.argmax(apart)) if model.nv else 0
            if model.nv and apart[far] > FAR:
                raise InputError(
                    f"the motion is {apart[far]:.3g} away from where joint {model.dof_name(far)} is now; put the scene "
                    "there first, as with sim.set_state(*motion.at(sim.time))"
                )
        self.motion, self.followed = motion, followed
        if self.has_director:
            self.director.give_way(followed)

    # --- looking ahead ---

    def fork(self) -> Simulation:
        """An independent copy at the present state, with the same parameters, commands and goals; the model is shared."""
        other = copy.copy(self)
        other.__dict__.pop("director", None)
        other.__dict__["recorder"] = None  # what is only tried is not recorded
        other.state = self.state.copy()
        other._old_memory = self._old_memory.copy()  # scratch: both may run at once
        for name in ("tau", "external", "prescribed", "acceleration", "effort", "followed"):
            setattr(other, name, getattr(self, name).copy())
        if self.workspace is not None:
            other.workspace = self.workspace.twin(self.model)
        if self.has_director:
            other.__dict__["director"] = self.director.copy_for(other.state)
        return other

    def preview(self, seconds: float, *, rate: float = 60.0, cancelled: Callable[[], bool] | None = None) -> Preview:
        """What would happen if everything went on as it is now; see `simulation.preview`."""
        return preview(self, seconds, rate=rate, cancelled=cancelled)

    # --- going back ---

    @functools.cached_property
    def recorder(self) -> Recorder | None:
        """What writes the take; none if nothing is recorded."""
        return Recorder(self, rate=self._record) if self._record > 0 else None

    @property
    def take(self) -> Take:
        """Everything that was simulated here, and can be gone back to."""
        return self._recording().take

    def record_into(self, store: Store, *, rate: float = 120.0, scene: str = "") -> None:
        """Record into a store from now on; `scene` tells which one this is, for a store that knows several."""
        self.__dict__["recorder"] = Recorder(self, store, rate, scene)

    def record_from(self, position: Position) -> None:
        """Go on from a moment that another simulation has recorded into the same store; the state must be that of then."""
        self._recording().begin_at(position)

    def finish_recording(self) -> None:
        """Hand everything that was recorded to the store."""
        if self.recorder is not None:
            self.recorder.finish()
            self.take.close_chunk()
            self.take.settle()

    def unlike_record(self, lane: int | str | None = None) -> float | None:
        """Simulate a lane again beside the record: the time of the first frame that comes out otherwise, None if none."""
        return self._recording().unlike(lane)

    @property
    def steps_to_frame(self) -> int:
        """Steps until the next frame is recorded."""
        return self._recording().due()

    @property
    def differs_from_record(self) -> bool:
        """Whether going on from here would not repeat what is on record after it."""
        return self._recording().differs()

    @property
    def position(self) -> Position:
        """Where on record the simulation is."""
        return self._recording().position

    def _recording(self) -> Recorder:
        if self.recorder is None:
            raise InputError(
                "this simulation records nothing; make it with record=120 or another number of frames a second"
            )
        return self.recorder

    def rewind(self, seconds: float) -> None:
        """Go back by so much of the recorded time, with the commands of then; the future that was is kept in its lane."""
        if not (isinstance(seconds, (int, float)) and math.isfinite(seconds) and seconds >= 0):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot rewind by {seconds} s; expected a finite number of 0 or more")
        self.go_to(self.time - seconds)

    def go_to(self, time: float, lane: int | str | None = None) -> None:
        """Go to any step on record, with the commands of then; going on from there begins another lane.

        Args:
            time: the nearest step counts [s].
            lane: number or name of a lane of `take`; the current one if not given.
        """
        self._recording().go_to(time, lane)
        self._owed = 0.0

    def save(self) -> State:
        """A full copy of the present state."""
        return self.state.copy()

    def restore(self, state: State) -> None:
        """Go back to a saved state; continuing from it repeats the motion bit by bit under the same inputs."""
        if not isinstance(state, State):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot restore {state!r}; expected a State, as `save` gives one")
        if state.q.shape != self.q.shape or state.v.shape != self.v.shape:
            raise InputError(
                f"the state has {state.q.size} and {state.v.size} numbers, "
                f"model '{self.model.name}' needs {self.model.nq} and {self.model.nv}"
            )
        for name in ("x", "xdot", "anchors"):
            found, needed = getattr(state, name).shape, getattr(self.state, name).shape
            if found != needed:
                raise InputError(f"'{name}' of the state has shape {found}, model '{self.model.name}' needs {needed}")
        self.state.restore(state)
        self._owed = 0.0
        if self.has_director:
            self.director.rewound()

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Put the scene into another configuration or motion, at the present time; flesh goes along at rest shape."""
        model = self.model
        there = Scene(
            model,
            q=self.q if q is None else model.vector(q, model.nq, "q"),
            v=self.v if v is None else model.vector(v, model.nv, "v"),
        )
        self.state.q[:], self.state.v[:], self.state.vdot[:], self.state.dt = there.q, there.v, 0.0, 0.0
        if self.workspace is not None:
            self.state.x[:], self.state.xdot[:] = carried_nodes(model, self.q, self.v)
            self.state.anchors[:] = self.workspace.new_anchors()
