"""The reduced engine: joint coordinates, short explicit steps (Kim & Pollard 2008)."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.director import new_memory
from stringless.engines.base import Engine, Outcome, Setup
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.reduced import kernels_bones, kernels_directed, kernels_flesh
from stringless.engines.reduced.substeps import halvings
from stringless.engines.reduced.workspace import FleshWorkspace, new_anchors
from stringless.errors import InputError
from stringless.flesh.quantities import carried_nodes
from stringless.flesh.stability import step_advice
from stringless.model.flesh import FleshSpec
from stringless.model.scene import Scene
from stringless.state import State, scratch

FloatArray = NDArray[np.float64]
WHOLE_STEPS = "a directed scene takes the step it is given; set substeps to 'off', and dt as needed"


class ReducedEngine(Engine):
    """Recursive dynamics in joint coordinates, with particles of flesh, penalty contact and the director."""

    name = "reduced"

    def __init__(self, scene: Scene, setup: Setup) -> None:
        """Make tables and scratch; those of flesh and contact only where there is any."""
        super().__init__(scene, setup)
        self.workspace: FleshWorkspace | None = None
        self._old_memory = new_memory(self.model)  # what a failed step is taken back from
        if self.flesh is not None or not self.contact.empty:
            self._make_workspace()
        self.use(setup)

    def _make_workspace(self) -> FleshWorkspace:
        self.workspace = FleshWorkspace(self.model, self.flesh, self.contact)
        return self.workspace

    @classmethod
    def flesh_dt(cls, config: SimulationConfig, parts: Sequence[FleshSpec]) -> float:
        """Steps that are always divided are shorter for the flesh."""
        return config.dt / (1 << halvings(config, parts)[0])

    def advice(self) -> list[str]:
        """What step the flesh needs, if the one in use is too long."""
        if self.config.substeps == "auto":
            return []
        return list(step_advice(self._parts, self.config.dt, self.config.flesh_stiffness))

    @property
    def _parts(self) -> tuple[FleshSpec, ...]:
        return self.flesh.specs if self.flesh else ()

    def new_state(self) -> State:
        """The scene's initial state."""
        q, v, memory = self.scene.q.copy(), self.scene.v.copy(), new_memory(self.model)
        if self.workspace is None:
            return State(0.0, q, v, anchors=new_anchors(0), memory=memory)
        x, xdot = carried_nodes(self.model, q, v)
        return State(0.0, q, v, np.zeros_like(v), x, xdot, self.workspace.new_anchors(), memory)

    def use(self, setup: Setup) -> None:
        """Go on with other parameters."""
        self.config, self.flesh, self.contact = setup
        if self.workspace is not None:
            self.workspace.use(self.flesh, self.contact)
        elif self.config.substeps == "auto":
            self._make_workspace()

    def prepare_goals(self) -> None:
        """Directing uses the tables of contact, also where there is none."""
        super().prepare_goals()
        if self.workspace is None:
            self._make_workspace()

    def copy(self) -> ReducedEngine:
        """Another one with scratch of its own."""
        other = copy.copy(self)
        other.workspace = None if self.workspace is None else self.workspace.twin(self.model)
        other._old_memory = self._old_memory.copy()
        return other

    def kernel(self, controls: Controls) -> Any:
        """The compiled loop over steps."""
        if self.workspace is None:
            return kernels_bones.run_rk4 if self.config.integrator == "rk4" else kernels_bones.run_symplectic
        return kernels_directed.run_directed if controls.is_directed else kernels_flesh.run_flesh

    def run(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance the state in place by symplectic Euler, or Runge-Kutta as a reference."""
        if self.workspace is None:
            return self._run_bones(controls, state, steps)
        return self._run_flesh(self.workspace, controls, state, steps)

    def _run_flesh(self, room: FleshWorkspace, controls: Controls, state: State, steps: int) -> Outcome:
        work, config = scratch(self.model), self.config
        skeleton = controls.skeleton(config.joint_springs)
        given = controls.inputs(state, config.dt, steps, directed_as_prescribed=True)
        inputs = (
            skeleton.tree, skeleton.dofs, skeleton.limits, skeleton.rest, skeleton.gravity, room.nodes, room.elements,
            room.materials, room.vertices, room.touching, given.prescribed, given.followed, given.targets, given.tau,
            given.external, config.dt, config.stop_frequency, config.max_speed, config.gains(),
            config.diagonalization == "full", steps, state.time,
        )  # fmt: skip
        scratches = (
            work.bodies, work.dofs, given.vdot, work.vector, room.vdot, room.wrench, room.force,
            room.elastic_work, room.contact_work, room.old_anchors, room.old_effort,
        )  # fmt: skip
        outputs = (
            state.anchors, state.x, state.xdot, controls.effort, state.vdot, state.q, state.v, room.touch, room.counts,
        )  # fmt: skip
        if controls.is_directed:
            check_whole_steps(config)
            assert controls.director is not None
            stage = controls.director.stage
            done, state.time, bad, lost = kernels_directed.run_directed(
                *inputs, controls.director.script(), room.point_bodies, *scratches, self._old_memory, stage.scratch,
                stage.residual, stage.report, state.memory, *outputs,
            )  # fmt: skip
            state.dt = config.dt if done > 0 else state.dt
        else:
            done, state.time, state.dt, bad, lost = kernels_flesh.run_flesh(
                *inputs, state.dt, *halvings(config, self._parts), room.sizes, *scratches, room.old_q, room.old_v,
                room.old_vdot, room.old_x, *outputs, room.split,
            )  # fmt: skip
        return Outcome(done, bad, lost)

    def _run_bones(self, controls: Controls, state: State, steps: int) -> Outcome:
        work, config = scratch(self.model), self.config
        given = controls.inputs(state, config.dt, steps, directed_as_prescribed=True)
        external = given.external if given.external.any() else work.no_external
        arguments = (
            *controls.skeleton(config.joint_springs), given.prescribed, given.followed, given.targets, given.tau, external,
        )  # fmt: skip
        choices = (config.dt, config.stop_frequency, config.max_speed, steps, state.time)
        room = (work.bodies, work.dofs, work.vectors, given.vdot)
        if config.integrator == "rk4":
            done, state.time, bad = kernels_bones.run_rk4(
                *arguments, *choices, *room, work.configuration, controls.effort, state.q, state.v
            )
        else:
            done, state.time, bad = kernels_bones.run_symplectic(
                *arguments, state.dt, *choices, *room, controls.effort, state.vdot, state.q, state.v
            )
            state.dt = config.dt if done > 0 else state.dt
        return Outcome(done, bad)

    # --- what it knows about the last steps ---

    def contact_forces(self) -> FloatArray:
        """Force on every contact sample."""
        return super().contact_forces() if self.workspace is None else self.workspace.touch

    @property
    def substeps(self) -> tuple[int, int]:
        """Steps that were divided so far, and how often one was halved at most."""
        divided, halved = self.workspace.split if self.workspace is not None else (0, 0)
        return int(divided), int(halved)


def check_whole_steps(config: SimulationConfig) -> None:
    """Refuse to divide the steps of a directed scene."""
    if config.substeps == "auto":
        raise InputError(WHOLE_STEPS)
