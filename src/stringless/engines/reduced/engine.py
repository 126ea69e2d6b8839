"""The reduced engine: joint coordinates, short explicit steps (Kim & Pollard 2008)."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.control.director import make_memory
from stringless.control.records import TaskTables
from stringless.engines.base import Engine, Outcome, Setup
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.reduced.kernels_rk4 import run_rk4
from stringless.engines.reduced.kernels_run import run_reduced
from stringless.engines.reduced.kernels_substeps import FINEST
from stringless.engines.reduced.records import Phases, ReducedModel, ReducedResult, ReducedSettings, ReducedState
from stringless.engines.reduced.workspace import FleshWorkspace, new_anchors, reduced_work
from stringless.errors import InputError
from stringless.flesh.quantities import carried_nodes
from stringless.flesh.stability import MARGIN, RISKY, step_advice, step_problem
from stringless.model.flesh import FleshSpec
from stringless.model.records import Skeleton
from stringless.model.scene import Scene
from stringless.state import State, scratch

FloatArray = NDArray[np.float64]
NOTHING = Phases(None, None, None, None)
WHOLE_STEPS = "a directed scene takes the step it is given; set substeps to 'off', and dt as needed"


class ReducedEngine(Engine):
    """Recursive dynamics in joint coordinates, with particles of flesh, penalty contact and the director."""

    name = "reduced"

    def __init__(self, scene: Scene, setup: Setup) -> None:
        """Make tables and scratch; those of flesh and contact only where there is any."""
        super().__init__(scene, setup)
        self.workspace: FleshWorkspace | None = None
        self.split = np.zeros(2, dtype=np.int64)
        """Steps that were divided, and how often one was halved at most."""
        if self.flesh is not None or not self.contact.empty:
            self.workspace = FleshWorkspace(self.model, self.flesh, self.contact)
        self.work = reduced_work(self.model, self.workspace)

    @classmethod
    def flesh_dt(cls, config: SimulationConfig, parts: Sequence[FleshSpec]) -> float:
        """Steps that are always divided are shorter for the flesh."""
        return config.dt / (1 << halvings(config, parts)[0])

    def advice(self) -> list[str]:
        """What step the flesh needs, if the one in use is too long."""
        if self.config.substeps == "auto":
            return []
        return list(step_advice(self._parts, self.config.dt, self.config.flesh_stiffness))

    def step_problem(self) -> str:
        """Flesh diverges at longer steps than its limit."""
        config = self.config
        return step_problem(self._parts, config.dt, config.flesh_stiffness, FINEST if config.substeps == "auto" else 0)

    @property
    def _parts(self) -> tuple[FleshSpec, ...]:
        return self.flesh.specs if self.flesh else ()

    def new_state(self) -> State:
        """The scene's initial state."""
        q, v, memory = self.scene.q.copy(), self.scene.v.copy(), make_memory(self.model)
        if self.workspace is None:
            return State(0.0, q, v, anchors=new_anchors(0), memory=memory)
        x, xdot = carried_nodes(self.model, q, v)
        return State(0.0, q, v, np.zeros_like(v), x, xdot, self.workspace.new_anchors(), memory)

    def use(self, setup: Setup) -> None:
        """Go on with other parameters."""
        self.config, self.flesh, self.contact = setup
        if self.workspace is not None:
            self.workspace.use(self.flesh, self.contact)

    def prepare_goals(self) -> None:
        """Directing uses the tables of contact, also where there is none."""
        super().prepare_goals()
        if self.workspace is None:
            self.workspace = FleshWorkspace(self.model, self.flesh, self.contact)
            self.work = reduced_work(self.model, self.workspace)

    def check_directed(self, config: SimulationConfig) -> None:
        """Steps are not divided while the director acts."""
        if config.substeps == "auto":
            raise InputError(WHOLE_STEPS)

    def copy(self) -> ReducedEngine:
        """Another one with scratch of its own."""
        other = copy.copy(self)
        other.workspace = None if self.workspace is None else self.workspace.twin(self.model)
        other.work, other.split = reduced_work(self.model, other.workspace), self.split.copy()
        return other

    def kernel(self, controls: Controls) -> Any:
        """The compiled loop over steps."""
        return run_rk4 if self.config.integrator == "rk4" and self.workspace is None else run_reduced

    def run(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance the state in place by symplectic Euler, or bones by Runge-Kutta as a reference."""
        config, model = self.config, self.model
        if controls.is_directed:
            self.check_directed(config)
        inputs = controls.inputs(state, config.dt, steps, directed_as_prescribed=True, vdot_out=self.work.given)
        moving = ReducedState(state.q, state.v, state.vdot, state.x, state.xdot, state.anchors, state.memory)
        skeleton = controls.skeleton(config.joint_springs)
        settings = ReducedSettings(*config.step_settings(), *halvings(config, self._parts))
        if self.kernel(controls) is run_rk4:
            q, vectors = scratch(model).configuration, scratch(model).vectors
            done, state.time, bad = run_rk4(
                skeleton, inputs, settings, steps, state.time, self.work, q, vectors, moving, controls.effort
            )
            return Outcome(done, bad)
        phases, tasks = self._phases(controls)
        if phases is NOTHING and not np.count_nonzero(inputs.external):
            inputs = inputs._replace(external=scratch(model).no_external)
        everything, result = self._surroundings(skeleton, phases), self._result(controls, phases)
        time, last = float(state.time), float(state.dt)
        arguments = (everything, moving, inputs, tasks, settings, steps, time, last, self.work, phases, result)
        present = tuple(part is not None for part in phases)
        loops = jit.entries(run_reduced)  # numba's look at the types of all records takes 6 µs a call
        if present not in loops:
            loops[present] = jit.entry(run_reduced, *arguments)
        done, state.time, state.dt, bad, lost = loops[present](*arguments)
        return Outcome(done, bad, lost)

    # --- what kernels are given ---

    def _phases(self, controls: Controls) -> tuple[Phases, TaskTables | None]:
        """Scratch of what there is besides bones, and what goals ask for."""
        surroundings, director = self.workspace, controls.director
        if surroundings is None:
            return NOTHING, None
        elastic, dampers = (None, None) if self.flesh is None else (surroundings.elastic, surroundings.dampers)
        if director is not None and director.is_acting:
            return Phases(elastic, dampers, surroundings.contact_work, director.workspace.work), director.task_tables()
        if elastic is None and self.contact.empty:
            return NOTHING, None
        return Phases(elastic, dampers, None if self.contact.empty else surroundings.contact_work, None), None

    def _surroundings(self, skeleton: Skeleton, phases: Phases) -> ReducedModel:
        """The skeleton with flesh and contact, if there are any."""
        surroundings = self.workspace
        if surroundings is None or phases is NOTHING:
            return ReducedModel(skeleton, None, None, None, None)
        return ReducedModel(
            skeleton, surroundings.flesh, surroundings.contact_record, surroundings.sizes, surroundings.point_bodies
        )

    def _result(self, controls: Controls, phases: Phases) -> ReducedResult:
        """What steps report; what no phase writes is None, so that the types of all records follow from the phases."""
        surroundings = None if phases is NOTHING else self.workspace
        director = None if phases.director is None else controls.director
        return ReducedResult(
            effort=controls.effort,
            contact_forces=None if surroundings is None else surroundings.contact_forces,
            counts=None if surroundings is None else surroundings.counts,
            split=self.split,
            residual=None if director is None else director.workspace.residual,
            report=None if director is None else director.workspace.report,
        )

    # --- what it knows about the last steps ---

    @property
    def substeps(self) -> tuple[int, int]:
        """Steps that were divided so far, and how often one was halved at most."""
        return int(self.split[0]), int(self.split[1])


def halvings(config: SimulationConfig, parts: Sequence[FleshSpec]) -> tuple[int, int]:
    """How often every step is halved, because the flesh needs it, and how often one may be."""
    if config.substeps == "off":
        return 0, 0
    limit = min((part.step_limit for part in parts), default=math.inf) / math.sqrt(config.flesh_stiffness)
    coarse = math.ceil(math.log2(config.dt / (MARGIN * limit))) if config.dt > RISKY * limit else 0
    return min(coarse, FINEST), FINEST
