"""From one state to the next: what the kernels are given, and what they give back."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.control.motion import Motion
from stringless.dynamics.hybrid import mask, wrenches
from stringless.dynamics.pulls import pull_wrenches
from stringless.engines.adaptive import kernels_step
from stringless.engines.adaptive.engine import run_adaptively
from stringless.engines.reduced import kernels_bones, kernels_directed, kernels_flesh
from stringless.engines.reduced.substeps import halvings
from stringless.engines.reduced.workspace import FleshWorkspace
from stringless.engines.stiff.engine import flesh_parts, run_stiffly
from stringless.engines.stiff.pipeline import run_stiff
from stringless.errors import InputError, StringlessWarning
from stringless.simulation.diagnosis import divergence, lost_node, require_sound
from stringless.simulation.recording import Recorder
from stringless.simulation.simulation.recorded import Recorded
from stringless.simulation.simulation.setting import WHOLE_STEPS
from stringless.simulation.simulation.unheard import unheard
from stringless.state import scratch

FloatArray = NDArray[np.float64]
STEPS_PER_CALL = 256
"""Steps that run in compiled code before Python looks up, to hear an interrupt and to report progress."""
FAR = 0.1
"""A motion that is farther than this from where a joint is [rad, m] would tear it there within one step."""
LARGE_CORRECTION = 20.0
"""Beyond this, about twice the weight, keeping momentum is no small correction any more [m/s²]."""


class Stepping(Recorded):
    """Moves on in time."""

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
        self._check_prescribed()
        limit = scratch(self.model).effort
        np.maximum(np.minimum(tau, limit), -limit, out=self.effort)  # twice as fast as `np.clip`
        while count > 0:
            # The force of a pull is that of one step; the adaptive engine finds it by itself.
            alone = bool(self.scene.pulls) and self.adaptive is None
            some = min(count, 1 if alone else STEPS_PER_CALL)
            if self.is_directed:
                some = min(some, self.director.sample(self.config.dt) or some)
            if recorder is not None:
                recorder.note_targets()
                some = min(some, recorder.due())
            self._warn_of_unheard()
            done, bad = self._run(tau, some)
            if recorder is not None:
                recorder.after(done)
            if bad >= 0:
                raise divergence(self.model, self.state, bad, config=self.config, tau=tau, external=self.external)
            count -= done
            self._warn_of_correction()
            if report:
                report(self.time)

    def _check_prescribed(self) -> None:
        """Refuse accelerations that are not finite, where they are prescribed."""
        given = mask(self.model, self.prescribed)
        if not np.count_nonzero(given):
            return
        bad = np.flatnonzero(given & ~np.isfinite(self.acceleration))
        if len(bad):
            raise InputError(
                f"the acceleration prescribed for joint {self.model.dof_name(int(bad[0]))} is "
                f"{self.acceleration[bad[0]]}; expected a finite number"
            )

    def _warn_of_unheard(self) -> None:
        """Say once of each thing that was set and that the stiff engine does not know."""
        if self.stiff is None or not self.has_director or self._heard == self.director.revision:
            return
        self._heard = self.director.revision
        for what, text in unheard(self.director).items():
            if what not in self._told:
                self._told.add(what)
                warnings.warn(text, StringlessWarning, stacklevel=4)

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

    def _run(self, tau: FloatArray, steps: int) -> tuple[int, int]:
        if self.stiff is not None:
            done, bad, lost = run_stiffly(self, self.stiff, tau, steps)
            self._check_nodes(bad, lost)
            return done, bad
        if self.adaptive is not None:
            return run_adaptively(self, self.adaptive, tau, steps)
        return self._run_bones(tau, steps) if self.workspace is None else self._run_flesh(self.workspace, tau, steps)

    def _run_flesh(self, room: FleshWorkspace, tau: FloatArray, steps: int) -> tuple[int, int]:
        model, work, config, state = self.model, scratch(self.model), self.config, self.state
        tree, dofs, rest = self.skeleton()
        inputs = (
            tree, dofs, model.limits, rest, model.gravity, room.nodes, room.elements,
            room.materials, room.vertices, room.touching, *self.prescription(steps), tau,
            self.acting(), config.dt, config.stop_frequency, config.max_speed, self.gains(),
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
            done, state.time, bad, lost = kernels_directed.run_directed(
                *inputs, self.director.script(), room.point_bodies, *scratches, self._old_memory, stage.scratch,
                stage.residual, stage.report, state.memory, *outputs,
            )  # fmt: skip
            state.dt = config.dt if done > 0 else state.dt
        else:
            done, state.time, state.dt, bad, lost = kernels_flesh.run_flesh(
                *inputs, state.dt, *halvings(config, self._parts), room.sizes, *scratches, room.old_q, room.old_v,
                room.old_vdot, room.old_x, *outputs, room.split,
            )  # fmt: skip
        self._check_nodes(bad, lost)
        return done, bad

    def _check_nodes(self, bad: int, lost: int) -> None:
        """Say so if a node of the flesh ran away, and no joint did."""
        if bad < 0 <= lost:
            assert self.flesh is not None
            config = self.config
            parts = 0 if self.stiff is None else flesh_parts(config, self._parts)
            stiffness = config.flesh_stiffness
            raise lost_node(self.model, self.flesh, self.state, lost, dt=config.dt, stiffness=stiffness, parts=parts)

    def gains(self) -> FloatArray:
        """Factors on contact stiffness, contact damping, release and the flesh's damping; friction of the skin."""
        config = self.config
        return np.array((config.contact_stiffness, 1.0, config.restitution, config.flesh_damping, config.friction))

    def _run_bones(self, tau: FloatArray, steps: int) -> tuple[int, int]:
        model, work, config, state = self.model, scratch(self.model), self.config, self.state
        tree, dofs, rest = self.skeleton()
        arguments = (
            tree, dofs, model.limits, rest, model.gravity, *self.prescription(steps), tau,
            self._wrenches(work.no_external),
        )  # fmt: skip
        choices = (config.dt, config.stop_frequency, config.max_speed, steps, state.time)
        room = (work.bodies, work.dofs, work.vectors, self.acceleration)
        if config.integrator == "rk4":
            done, state.time, bad = kernels_bones.run_rk4(
                *arguments, *choices, *room, work.configuration, self.effort, state.q, state.v
            )
        else:
            done, state.time, bad = kernels_bones.run_symplectic(
                *arguments, state.dt, *choices, *room, self.effort, state.vdot, state.q, state.v
            )
            state.dt = config.dt if done > 0 else state.dt
        return done, bad

    def prescription(self, steps: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_], FloatArray]:
        """Which coordinates are prescribed, which of them follow a path, and where that leads at each of the next steps."""
        work = scratch(self.model)
        given = mask(self.model, self.prescribed) | self.followed
        if self.is_directed and self.stiff is None:
            # Directed coordinates count as prescribed with no acceleration; the director adds to that.
            given = given | self.director.directed
            self.acceleration[self.director.directed] = 0.0
        keyed = self.director.followed if self.is_directed else None
        if self.motion is None and (keyed is None or not keyed.any()):
            return given if np.count_nonzero(given) else work.no_mask, work.no_mask, np.zeros((0, self.model.nq))
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

    def acting(self) -> FloatArray:
        """Wrenches on all bodies, moment first, along their own axes: `external`, and what pulls of the scene add to it now."""
        external = wrenches(self.model, self.external)
        pulls = self.scene.pulls
        return external + pull_wrenches(self.model, pulls, self.q, self.v) if pulls else external

    def _wrenches(self, none: FloatArray) -> FloatArray:
        external = self.acting()
        return external if external.any() else none

    def warm_up(self, report: Callable[[str, int, int], None] | None = None) -> None:
        """Compile what this simulation needs, so that the first step is fast.

        `report` hears the name of each kernel being compiled, how many are done and how many there are.
        """
        entry = kernels_bones.run_rk4 if self.config.integrator == "rk4" else kernels_bones.run_symplectic
        if self.stiff is not None:
            entry = run_stiff
        elif self.adaptive is not None:
            entry = kernels_step.run_adaptive
        elif self.workspace is not None:
            entry = kernels_directed.run_directed if self.is_directed else kernels_flesh.run_flesh
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
            if self.config.engine == "adaptive":
                raise InputError("engine 'adaptive' follows no motion; use engine 'reduced' or 'stiff'")
            if self.config.update == "bodies":
                raise InputError("update 'bodies' is there to compare, and follows no motion; use update 'joints'")
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
