"""The stiff engine: implicit steps in linear time (Hernández et al.)."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.tables import ContactTables, retuned_contact, stiffen_contacts
from stringless.control.characters import find_characters
from stringless.control.director import Director, make_memory
from stringless.control.goals import Goal
from stringless.control.tables import CHARACTER_ROW, TASK_ROW
from stringless.dynamics.hybrid import mask
from stringless.engines.base import Engine, Outcome, Setup
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.features import Feature
from stringless.engines.reduced.workspace import FleshWorkspace
from stringless.engines.stiff import pipeline, reference
from stringless.engines.stiff.ignored_settings import ignored_settings
from stringless.engines.stiff.kernels_momentum import KEPT
from stringless.engines.stiff.kernels_step import REPORT_ROW
from stringless.engines.stiff.quantities import inverse_inertias, kinetic_energy, kinetic_energy_of_rows
from stringless.engines.stiff.records import GoalTables, StiffModel, StiffResult, StiffSettings, StiffState
from stringless.engines.stiff.reference.kernels_pairs import POSE_ROW
from stringless.engines.stiff.workspace import flesh_work, stiff_work
from stringless.errors import InputError
from stringless.flesh.kernels_lanes import elastic_scratch
from stringless.flesh.quantities import carried_nodes
from stringless.flesh.stability import MARGIN
from stringless.kinematics import loop_gaps
from stringless.model.flesh import Flesh, FleshSpec
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.state import State, scratch

FloatArray = NDArray[np.float64]
MOST_TIED = 160
"""Touching points between bodies that are solved for together; further ones are not felt."""
LONGEST_PART = 1e-3
"""Longest step of the flesh [s]."""
TORN_BY, TORN_TURN = 0.02, 0.1
"""Gap beyond which a loop is torn by joints that are led [m, rad]; what a swing opens for a step is less."""
TOUCHES = 3
"""Obstacles that a contact sample can touch at once."""


class StiffEngine(Engine):
    """Implicit steps, stable at any stiffness (Hernández et al.); goals are springs that pull at once."""

    name = "stiff"
    implicit = True

    def __init__(self, scene: Scene, setup: Setup) -> None:
        """Allocate for one simulation."""
        super().__init__(scene, setup)
        _check_newton(self.config, self.flesh)
        self.workspace = FleshWorkspace(self.model, self.flesh, self.contact)
        """Tables and scratch of flesh and contact."""
        self._allocate()

    def _allocate(self) -> None:
        model, contact, workspace = self.model, self.contact, self.workspace
        solver = self.config.solver
        self.maximal = None if solver == "condensed" else reference.maximal_work(model, general=solver == "ldu")
        """Scratch of the solver with Lagrange multipliers, if that is chosen."""
        rows = int(np.sum(model.loops["rows"])) + 3 * min(MOST_TIED, _possible_pairs(model, contact))
        rows += 3 * len(find_characters(model)) if self.maximal is None else 0  # for the centre of gravity of each
        self.reactions = np.zeros((0, 6))
        """Force of every task of the director on its body, moment first, along world axes."""
        self.inverses = inverse_inertias(model)
        self.report = jit.rows(1, REPORT_ROW)
        self.work = stiff_work(
            model, rows, TOUCHES * len(contact.samples), workspace.contact_work, workspace.new_anchors(), self.maximal
        )
        self.walk = flesh_work(model, elastic_scratch())
        """Scratch of the flesh; None if there is none."""

    def demands(self) -> list[tuple[Feature, str]]:
        """As for every engine; bodies of two trees that can touch are solved for together."""
        found = super().demands()
        if _possible_pairs(self.model, self.contact) > 0:
            found.append((Feature.MUTUAL_CONTACT, f", which model '{self.model.name}' has"))
        massless = [body.name for body in self.model.bodies if body.mass == 0]
        if self.config.solver != "condensed" and massless:
            raise InputError(
                f"solver '{self.config.solver}' cannot carry body '{massless[0]}', which has no mass; give it some, or use "
                "'condensed'"
            )
        return found

    @classmethod
    def flesh_dt(cls, config: SimulationConfig, parts: Sequence[FleshSpec]) -> float:
        """Steps of the flesh are explicit and shorter."""
        return config.dt / _flesh_parts(config, parts)

    @classmethod
    def scaled_contact(
        cls, tables: ContactTables, config: SimulationConfig, model: Model, parts: Sequence[FleshSpec]
    ) -> ContactTables:
        """Implicit: as stiff at any step."""
        same = retuned_contact(tables, ratio=1.0, friction=config.friction, self_contact=config.self_contact)
        return stiffen_contacts(same, model)

    def ignored(self, director: Director | None) -> dict[str, str]:
        """A sentence for each thing that was set and has no effect."""
        found = {} if director is None else ignored_settings(director)
        if self.config.restitution < 1.0 and len(self.contact.samples):
            found["restitution"] = (
                f"restitution {self.config.restitution:g} does nothing for bodies without flesh with engine 'stiff': their "
                "contacts are inelastic at long steps. Use engine 'reduced' to choose how they bounce"
            )
        return found

    def new_state(self) -> State:
        """The scene's initial state."""
        q, v = self.scene.q.copy(), self.scene.v.copy()
        x, xdot = carried_nodes(self.model, q, v)
        width = POSE_ROW if self.config.update == "bodies" else KEPT
        kept = np.zeros(
            (self.model.body_count, width)
        )  # momenta and tension, or with update 'bodies' poses and velocities
        anchors, memory = self.workspace.new_anchors(), make_memory(self.model)
        return State(0.0, q, v, np.zeros_like(v), x, xdot, anchors, memory, kept)

    def use(self, setup: Setup) -> None:
        """Go on with other parameters."""
        _check_newton(setup.config, setup.flesh)
        self.config, self.flesh, self.contact = setup
        self.workspace.use(self.flesh, self.contact)

    def copy(self) -> StiffEngine:
        """Another one with scratch of its own."""
        other = copy.copy(self)
        other.workspace = self.workspace.twin(self.model)
        other._allocate()
        return other

    def kernel(self, controls: Controls) -> Any:
        """The compiled loop over steps."""
        return pipeline.run_stiff

    def forget(self) -> None:
        """No spring of a goal has pulled yet."""
        self.reactions[:] = 0.0

    # --- running ---

    def run(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance by implicit steps.

        Joints that are prescribed, or follow something, can tear a loop that they leave no way to stay closed. The state is
        then that of the last good step.

        Raises:
            InputError: a loop is torn.
        """
        keyed = controls.is_directed and controls.director is not None and bool(controls.director.followed.any())
        led = controls.followed.any() or mask(self.model, controls.prescribed).any() or keyed
        if not (len(self.model.loops) and led):
            return self._run(controls, state, steps)
        while True:
            before, effort = state.copy(), controls.effort.copy()
            outcome = self._run(controls, state, steps)
            gaps = loop_gaps(self.model, state.q)
            torn = np.flatnonzero(np.any(gaps > (TORN_BY, TORN_TURN), axis=1))
            if len(torn) == 0:
                return outcome
            time = state.time
            state.restore(before)
            controls.effort[:] = effort
            if steps <= 1:
                raise self._torn_loop(int(torn[0]), gaps[torn[0]], time)
            steps //= 2

    def _torn_loop(self, number: int, gap: FloatArray, time: float) -> InputError:
        name = self.model.loop_specs[number].name
        return InputError(
            f"loop '{name}' would be torn at time {time:.6g} s, open by {1e3 * gap[0]:.3g} mm and {gap[1]:.3g} rad: the joints "
            "that are prescribed or follow a motion leave it no way to stay closed. Let some joints of it free, or lead them "
            "where `kinematics.close_loops` finds it closed. The state before this step was kept"
        )

    def _run(self, controls: Controls, state: State, steps: int) -> Outcome:
        if self.config.update == "bodies":
            return self._run_bodies(controls, state, steps)
        config, workspace = self.config, self.workspace
        goals = goal_tables(self.model, controls.director)
        if len(self.reactions) != len(goals.tasks):
            self.reactions = np.zeros((len(goals.tasks), 6))
        inputs = controls.inputs(state, config.dt, steps, directed_as_prescribed=False)
        if self.flesh is None and not inputs.external.any():
            inputs = inputs._replace(external=scratch(self.model).no_external)
        model, is_start = self.tables(controls), state.dt == 0.0
        moving = StiffState(state.q, state.v, state.vdot, state.kept, state.anchors, state.x, state.xdot)
        settings = StiffSettings(*config.step_settings(), config.newton, self.flesh_parts)
        result = StiffResult(controls.effort, self.reactions, workspace.contact_forces, workspace.counts, self.report)
        done, state.time, bad, lost = pipeline.run_stiff(
            model, moving, inputs, goals, settings, is_start, steps, state.time, self.work, self.walk, result
        )
        state.dt = config.dt if done > 0 else state.dt
        return Outcome(done, bad, lost)

    def tables(self, controls: Controls) -> StiffModel:
        """What is fixed while the kernel runs."""
        workspace = self.workspace
        skeleton = controls.skeleton(self.config.joint_springs)
        return StiffModel(skeleton, self.model.loops, workspace.contact_record, workspace.flesh)

    def _run_bodies(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance by the steps of the paper, where bodies move on each for itself."""
        none, config = scratch(self.model).no_external, self.config
        assert self.maximal is not None
        skeleton = controls.skeleton(config.joint_springs)
        if state.dt == 0.0:
            reference.bodies_from_joints(skeleton.tree, skeleton.dofs, state.q, state.v, state.kept)
        slope = reference.EXACT if config.solver == "ldu" else reference.SYMMETRIC
        inputs = controls.inputs(state, config.dt, steps, directed_as_prescribed=False)
        if not inputs.external.any():
            inputs = inputs._replace(external=none)
        bodies, forces = reference.MaximalState(state.q, state.v, state.kept), self.work.no_forces
        settings = reference.MaximalSettings(config.dt, config.stop_frequency, config.max_speed, slope)
        done, state.time, bad, gap = reference.run_bodies(
            skeleton, bodies, inputs, forces, settings, steps, state.time, self.maximal, controls.effort
        )
        self.report["gap"] = gap
        state.dt = config.dt if done > 0 else state.dt
        return Outcome(done, bad)

    # --- what it knows about the last steps ---

    def reaction(self, goal: Goal) -> FloatArray:
        """Wrench of a goal's spring on its body."""
        first, end = goal.director.find_rows(goal)
        return self.reactions[first:end].sum(axis=0) if end <= len(self.reactions) else np.zeros(6)

    def kinetic_energy(self, state: State, usual: float) -> float:
        """That of the bodies' own momenta, which is not quite that of the joints."""
        if state.dt == 0.0:
            return usual
        if self.config.update == "bodies":
            return kinetic_energy_of_rows(self.model, state.v, state.kept)
        return kinetic_energy(self.model, state.q, state.v, state.kept, self.inverses)

    @property
    def joint_gap(self) -> float:
        """Poses that are rebuilt from joint coordinates leave no gap in the tree: then it is that of the loops."""
        return float(self.report["gap"][0])

    @property
    def flesh_parts(self) -> int:
        """Into how many explicit steps of the flesh an implicit one of the bones is divided."""
        return _flesh_parts(self.config, self.flesh.specs if self.flesh else ())


def _check_newton(config: SimulationConfig, flesh: Flesh | None) -> None:
    if config.newton > 1 and flesh is not None:
        raise InputError(f"newton is {config.newton}; scenes with flesh take one iteration a step, leave it at 1")


def _possible_pairs(model: Model, contact: ContactTables) -> int:
    """How many contact samples can touch a body of another tree at once."""
    bodies = contact.obstacles["body"][contact.obstacles["body"] >= 0]
    roots = set(model.tree["root"][bodies].tolist())
    own = model.tree["root"][contact.samples["body"]]
    return sum(len(roots - {int(root)}) > 0 for root in own)


def _flesh_parts(config: SimulationConfig, parts: Sequence[FleshSpec]) -> int:
    limit = min((part.step_limit for part in parts), default=math.inf) / math.sqrt(config.flesh_stiffness)
    return max(1, math.ceil(config.dt / min(MARGIN * limit, LONGEST_PART)))


def goal_tables(model: Model, director: Director | None) -> GoalTables:
    """What a director asks for, empty tables if there is none."""
    if director is None:
        none = jit.rows(0, CHARACTER_ROW), np.zeros(0, np.int64), jit.rows(0, TASK_ROW)
        return GoalTables(*none, np.zeros((0, model.nq)), np.zeros((0, model.nv)), np.zeros(0))
    tables = director.task_tables()
    sizes = np.array([character.size for character in director.characters])
    return GoalTables(tables.characters, tables.column_of, tables.tasks, tables.poses, tables.pose_weights, sizes)
