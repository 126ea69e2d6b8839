"""The simulation: a scene set in motion."""

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from stringless import jit
from stringless.control.director import Director
from stringless.engines import ENGINES, Controls, Engine, Setup, SimulationConfig
from stringless.engines.config import EngineName, Integrator
from stringless.errors import InputError, StringlessWarning, renamed
from stringless.kinematics import check_loops
from stringless.model import Model, Scene
from stringless.model.flesh import Flesh
from stringless.simulation import copies, observation, placement
from stringless.simulation.diagnosis import require_short_steps, require_sound
from stringless.simulation.inputs import Signal, follow_motion
from stringless.simulation.parameters import Parameters, Tuning, detail_view, look_from, scene_config
from stringless.simulation.position import Position
from stringless.simulation.preview import preview
from stringless.simulation.recorder import Recorder, check_rate, finish_recording, go_to, record_into, rewind
from stringless.simulation.runs import WarningLog, raise_lost_node, run_steps, warn_of_ignored
from stringless.spatial.arrays import FloatArray
from stringless.state import State
from stringless.timeline.take import Take


class Simulation:
    """Advances the state of one scene.

    Made of an engine, which advances the state; controls, which drive it, the director among them; a recorder; parameters.
    """

    tau = Signal("Torques and forces of the actuators, each cut to its joint's limit, shape (nv,).")
    external = Signal("A wrench per body, moment first, body frame, shape (n, 6).")
    prescribed = Signal("Coordinates that move with the given `acceleration` instead, shape (nv,).")
    acceleration = Signal("Accelerations of prescribed coordinates, shape (nv,).")
    effort = Signal("What every actuator gave in the last step, that of prescribed coordinates included, shape (nv,).")
    motion = Signal("The motion that coordinates in `followed` follow, None if there is none.")
    followed = Signal("Coordinates that follow `motion`, shape (nv,).")

    def __init__(
        self,
        scene: Scene | Model,
        *,
        engine: EngineName | None = None,
        dt: float | None = None,
        integrator: Integrator = "symplectic",
        record: float = 120.0,
        **options: Any,
    ) -> None:
        """Start at the scene's initial state, at time zero.

        Args:
            scene: what to simulate.
            engine: how states are advanced; as the scene says if not given.
            dt: length of a step [s]; as the scene says, or 1 ms for an engine that it is not made for.
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
        config = scene_config(self.scene, engine=engine, dt=dt, integrator=integrator, **options)
        self.parameter_set = Parameters(self.model, config)
        self.engine: Engine = ENGINES[config.engine](self.scene, self.parameter_set.setup)
        check_loops(self.model, self.scene.q)
        self.controls = Controls(self.model, self.scene.world_springs)
        self.state = self.engine.new_state()
        self.warning_log = WarningLog()
        self._warn()
        self._owed = 0.0  # time asked for that did not make a whole step yet
        self._record = check_rate(record)

    # --- parts ---

    @property
    def setup(self) -> Setup:
        """The parameters in force, with the flesh and the contact that they come to."""
        return self.parameter_set.setup

    @property
    def config(self) -> SimulationConfig:
        """The parameters in force."""
        return self.parameter_set.setup.config

    @property
    def contact_samples(self) -> Any:
        """Balls on bodies without flesh, by which these touch obstacles."""
        return self.parameter_set.samples

    @property
    def flesh(self) -> Flesh | None:
        """The flesh as it is now; `model.flesh` is what it was at the start."""
        return self.parameter_set.setup.flesh

    @property
    def director(self) -> Director:
        """Goals for the characters of the scene. From the first goal on, their joints do what it asks for."""
        if self.controls.director is None:
            self.engine.prepare_goals()
            self.controls.director = Director(self.model, self.state)
        return self.controls.director

    @property
    def has_director(self) -> bool:
        """Whether the director was asked for yet."""
        return self.controls.director is not None

    @property
    def is_directed(self) -> bool:
        """Whether any joint does what goals or keyframes ask for."""
        return self.controls.is_directed

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

    center_of_gravity = property(observation.center_of_mass)
    center_of_gravity_velocity = property(observation.center_of_mass_velocity)
    energy = observation.mechanical_energy
    flesh_positions = property(observation.node_positions)
    surface_positions = property(observation.vertex_positions)
    body_poses = observation.poses
    contact_points = observation.contact_points
    reaction = observation.reaction
    substeps = property(observation.substeps)
    joint_gap = property(observation.joint_gap)
    asleep = property(observation.sleeping_characters)
    active_joints = property(observation.active_joints)
    rigidification_errors = property(observation.rigidification_errors)

    # --- names of earlier versions ---

    touching_points = renamed("touching_points", "contact_points")
    felt = renamed("felt", "reaction")
    moving_joints = renamed("moving_joints", "active_joints")
    held_errors = renamed("held_errors", "rigidification_errors")
    workspace = renamed("workspace", "engine.workspace")
    stiff = renamed("stiff", "engine", lambda engine: engine.name == "stiff")
    adaptive = renamed("adaptive", "engine", lambda engine: engine.name == "adaptive")
    copy_at = renamed("copy_at", "recording.copy_at")
    unlike_record = renamed("unlike_record", "recording.find_difference")

    # --- moving on ---

    def advance(self, seconds: float, report: Callable[[float], None] | None = None) -> None:
        """Simulate `seconds` of time, to the nearest step; what is left over counts in the next call.

        `report` hears the time reached, now and then.

        Raises `DivergenceError` if the state diverges; it then stands at the last good step.
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
        require_short_steps(self.engine, self.time)
        if self.recorder is None:
            run_steps(self, count, report)
            return
        self.recorder.note_start()
        try:
            run_steps(self, count, report, self.recorder)
        finally:
            self.recorder.note_end()

    def warm_up(self, report: Callable[[str, int, int], None] | None = None) -> None:
        """Compile what this simulation needs, so that the first step is fast.

        `report` hears the name of each kernel being compiled, how many are done and how many there are.
        """
        with jit.compiling(report or (lambda name, done, total: None), self.engine.kernel(self.controls)):
            raise_lost_node(self, self.engine.run(self.controls, self.state, 0))

    preview = preview
    follow = follow_motion

    # --- parameters ---

    def parameters(self) -> dict[str, Any]:
        """Everything that `configure` can change, as it is now: plain numbers and words, ready to be written down."""
        return self.parameter_set.as_data()

    def configure(self, *, flesh: Tuning | None = None, **changes: Any) -> None:
        """Change parameters between two steps: all of them, or none if one is refused.

        Args:
            flesh: name of a part of the flesh to its new `young`, `poisson` or `damping`.
            changes: fields of `SimulationConfig` except `engine` and `integrator`.

        Masses stay what they were. `sim.configure(**other.parameters())` makes two simulations of a scene alike.
        """
        setup = self.parameter_set.changed(changes, flesh)
        if self.is_directed:
            self.engine.check_directed(setup.config)
        self.engine.use(setup)
        self.parameter_set.setup = setup
        self._warn()

    def _warn(self) -> None:
        """Say which parameters are likely to diverge, and which have no effect."""
        for text in self.engine.advice():
            warnings.warn(text, StringlessWarning, stacklevel=4)
        warn_of_ignored(self)

    view = property(detail_view)
    look_from = look_from

    # --- another state ---

    def save(self) -> State:
        """A full copy of the present state."""
        return self.state.copy()

    def forget_rest(self) -> None:
        """Owe nothing of the time that was asked for and did not make a whole step yet."""
        self._owed = 0.0

    def forget_last_step(self) -> None:
        """Begin again with whatever belongs to the step before; the state was put elsewhere."""
        self.forget_rest()
        self.engine.forget()
        if self.controls.director is not None:
            self.controls.director.restart_keyframes()

    restore = placement.restore_state
    set_state = placement.set_state
    place = placement.place_at_height

    # --- recording ---

    @functools.cached_property
    def recorder(self) -> Recorder | None:
        """What writes the take; none if nothing is recorded."""
        return Recorder(self, rate=self._record) if self._record > 0 else None

    @property
    def recording(self) -> Recorder:
        """The recorder, or an error that says how to have one."""
        if self.recorder is None:
            raise InputError("this simulation records nothing; make it with record=120 or another frame rate [1/s]")
        return self.recorder

    @property
    def position(self) -> Position:
        """Where on record the simulation is."""
        return self.recording.position

    @property
    def take(self) -> Take:
        """Everything that was simulated here, and can be gone back to."""
        return self.recording.take

    record_into = record_into
    finish_recording = finish_recording
    rewind = rewind
    go_to = go_to

    # --- copies ---

    fork = copies.fork
    __deepcopy__ = copies.fork_with_record

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the record, tables and scratch."""
        return copies.list_fields(self)

    __setstate__ = copies.load_fields
