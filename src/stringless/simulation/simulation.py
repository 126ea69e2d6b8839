"""The simulation: a scene set in motion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless import jit
from stringless.dynamics import Energy, energy
from stringless.dynamics.hybrid import wrenches
from stringless.errors import InputError
from stringless.kinematics import BodyPoses, body_poses, center_of_gravity
from stringless.model import Model, Scene
from stringless.simulation import step
from stringless.simulation.config import Engine, Integrator, SimulationConfig
from stringless.simulation.diagnosis import divergence, require_sound
from stringless.state import State, scratch

FloatArray = NDArray[np.float64]
STEPS_PER_CALL = 256
"""Steps that run in compiled code before Python looks up, to hear an interrupt and to report progress."""


class Simulation:
    """Advances the state of one scene.

    `tau` holds the actuators' efforts, each cut to its joint's limit, and `external` a wrench per body (moment first,
    body frame); both may be set at any time and act until they are set again.
    """

    def __init__(
        self,
        scene: Scene | Model,
        *,
        engine: Engine = "reduced",
        dt: float = 1e-3,
        integrator: Integrator = "symplectic",
        **options: Any,
    ) -> None:
        """Start at the scene's initial state, at time zero. `options` are the other fields of `SimulationConfig`."""
        if not isinstance(scene, (Scene, Model)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(
                f"cannot simulate {scene!r}; expected a Scene or a Model, as `stringless.load` returns one"
            )
        self.scene = Scene(scene) if isinstance(scene, Model) else scene
        self.model = self.scene.model
        self.config = SimulationConfig(engine=engine, dt=dt, integrator=integrator, **options)
        self.state = State(0.0, self.scene.q.copy(), self.scene.v.copy())
        self.tau = np.zeros(self.model.nv)
        self.external = np.zeros((self.model.body_count, 6))
        self._owed = 0.0  # time asked for that did not make a whole step yet

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
        return center_of_gravity(self.model, self.q).position

    @property
    def center_of_gravity_velocity(self) -> FloatArray:
        """[m/s]."""
        return center_of_gravity(self.model, self.q, self.v).velocity

    def energy(self) -> Energy:
        """Mechanical energy now."""
        return energy(self.model, self.q, self.v)

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
        tau = self.model.vector(self.tau, self.model.nv, "tau")
        require_sound(self.model, self.state)
        while count > 0:
            some = min(count, STEPS_PER_CALL)
            done, bad = self._run(tau, some)
            if bad >= 0:
                raise divergence(self.model, self.state, bad, dt=self.config.dt, tau=tau, external=self.external)
            count -= done
            if report:
                report(self.time)

    def _run(self, tau: FloatArray, steps: int) -> tuple[int, int]:
        model, work, config, state = self.model, scratch(self.model), self.config, self.state
        arguments = (
            model.tree, model.dofs, model.limits, model.q_rest, model.gravity, tau, self._wrenches(work.no_external),
            work.no_vector, work.no_mask, config.dt, config.stop_frequency, config.max_speed, steps, state.time,
            work.bodies, work.dofs, work.vectors,
        )  # fmt: skip
        if config.integrator == "rk4":
            done, state.time, bad = step.run_rk4(*arguments, work.configuration, state.q, state.v)
        else:
            done, state.time, bad = step.run_symplectic(*arguments, state.vdot, state.q, state.v)
        return done, bad

    def _wrenches(self, none: FloatArray) -> FloatArray:
        external = wrenches(self.model, self.external)
        return external if external.any() else none

    def warm_up(self, report: Callable[[str, int, int], None] | None = None) -> None:
        """Compile what this simulation needs, so that the first step is fast.

        `report` hears the name of each kernel being compiled, how many are done and how many there are.
        """
        entry = step.run_rk4 if self.config.integrator == "rk4" else step.run_symplectic
        with jit.compiling(report or (lambda name, done, total: None), entry):
            self._run(self.model.vector(self.tau, self.model.nv, "tau"), 0)

    # --- going back ---

    def save(self) -> State:
        """A full copy of the present state."""
        return self.state.copy()

    def restore(self, state: State) -> None:
        """Go back to a saved state; continuing from it repeats the motion bit by bit under the same inputs."""
        if state.q.shape != self.q.shape or state.v.shape != self.v.shape:
            raise InputError(
                f"the state has {state.q.size} and {state.v.size} numbers, "
                f"model '{self.model.name}' needs {self.model.nq} and {self.model.nv}"
            )
        self.state.restore(state)
        self._owed = 0.0

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Put the scene into another configuration or motion, at the present time."""
        model = self.model
        there = Scene(
            model,
            q=self.q if q is None else model.vector(q, model.nq, "q"),
            v=self.v if v is None else model.vector(v, model.nv, "v"),
        )
        self.state.q[:], self.state.v[:], self.state.vdot[:] = there.q, there.v, 0.0
