"""The stiff engine: implicit steps in linear time (Hernández et al.)."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.tables import ContactTables, firm_enough, retuned_contact
from stringless.control.characters import characters
from stringless.control.director import Director, new_memory
from stringless.control.goals import Goal
from stringless.control.tables import CAST_ROW, TASK_ROW
from stringless.dynamics.hybrid import mask
from stringless.engines.base import Engine, Outcome, Setup
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.features import Feature
from stringless.engines.reduced.workspace import FleshWorkspace
from stringless.engines.stiff import kernels_flesh, kernels_step
from stringless.engines.stiff.ignored import ignored_settings
from stringless.engines.stiff.kernels_conversions import bodies_from_joints
from stringless.engines.stiff.kernels_momentum import KEPT
from stringless.engines.stiff.quantities import inverse_inertias, kinetic_energy, kinetic_energy_of_rows
from stringless.engines.stiff.reference import kernels_maximal
from stringless.engines.stiff.reference.kernels_joint_forces import EXACT, SYMMETRIC
from stringless.engines.stiff.reference.kernels_pairs import POSE_ROW
from stringless.engines.stiff.reference.tables import MaximalTables
from stringless.engines.stiff.workspace import make_room
from stringless.errors import InputError
from stringless.flesh.quantities import carried_nodes
from stringless.flesh.stability import MARGIN
from stringless.kinematics import loop_gaps
from stringless.model.flesh import Flesh, FleshSpec
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.state import State, scratch
from stringless.state.scratch import BODY_WORK, DOF_WORK

FloatArray = NDArray[np.float64]
MOST_TIED = 160
"""Touching points between bodies that are solved for together; further ones are not felt."""
LONGEST_PART = 1e-3
"""Longest step of the flesh [s]."""
TORN_BY, TORN_TURN = 0.02, 0.1
"""Gap beyond which a loop is torn by joints that are led [m, rad]; what a swing opens for a step is less."""
TOUCHES = 3
"""Obstacles that a probe can touch at once."""


class StiffEngine(Engine):
    """Implicit steps, stable at any stiffness (Hernández et al.); goals are springs that pull at once."""

    name = "stiff"
    directed_as_prescribed = False

    def __init__(self, scene: Scene, setup: Setup) -> None:
        """Allocate for one simulation."""
        super().__init__(scene, setup)
        _check_newton(self.config, self.flesh)
        self.workspace = FleshWorkspace(self.model, self.flesh, self.contact)
        """Tables and scratch of flesh and contact."""
        self._allocate()

    def _allocate(self) -> None:
        model, contact, config = self.model, self.contact, self.config
        n, nv = model.body_count, model.nv
        self.maximal = None if config.solver == "condensed" else MaximalTables(model, general=config.solver == "ldu")
        """Tables of the solver with Lagrange multipliers, if that is chosen."""
        self.blocks = None if self.maximal is None else (self.maximal.bodies, *self.maximal.work)
        rows = int(np.sum(model.loops["rows"])) + 3 * min(MOST_TIED, _possible_pairs(model, contact))
        rows += 3 * len(characters(model)) if self.maximal is None else 0  # for the centre of gravity of each
        self.felt = np.zeros((0, 6))
        """Force of every task of the director's script on its body, moment first, along world axes."""
        self.inverses = inverse_inertias(model)
        self.report = jit.rows(1, kernels_step.REPORT_ROW)
        self.speed, self.configuration, self.given = np.zeros(nv), model.neutral(), np.zeros(nv)
        self.wrenches = (np.zeros((n, 6)), np.zeros((n, 6)))
        self.path = (jit.rows(n, BODY_WORK), jit.rows(nv, DOF_WORK), np.zeros(nv), np.zeros(nv))
        self.external, self.old_bodies = np.zeros((n, 6)), np.zeros((n, KEPT))
        self.tables = make_room(model, rows, TOUCHES * len(contact.probes))
        self.no_script: tuple[Any, ...] = (
            jit.rows(0, CAST_ROW), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64),
            jit.rows(0, TASK_ROW), np.zeros((0, model.nq)), np.zeros((0, nv)), np.zeros(0),
        )  # fmt: skip

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
        return firm_enough(same, model)

    def ignored(self, director: Director | None) -> dict[str, str]:
        """A sentence for each thing that was set and has no effect."""
        found = {} if director is None else ignored_settings(director)
        if self.config.restitution < 1.0 and len(self.contact.probes):
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
        )  # momenta and what is taut; with update 'bodies' poses and velocities
        anchors, memory = self.workspace.new_anchors(), new_memory(self.model)
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
        return kernels_step.run_stiff if self.flesh is None else kernels_flesh.run_stiff_flesh

    def forget(self) -> None:
        """No spring of a goal has pulled yet."""
        self.felt[:] = 0.0

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
        model, work, config, workspace, director = (
            self.model,
            scratch(self.model),
            self.config,
            self.workspace,
            controls.director,
        )
        script, sizes = self.no_script, work.no_vector
        if director is not None:
            script, sizes = director.script(), np.array([character.size for character in director.cast])
        if len(self.felt) != len(script[4]):
            self.felt = np.zeros((len(script[4]), 6))
        given = controls.inputs(state, config.dt, steps, directed_as_prescribed=False)
        external = given.external
        self.given[:] = given.vdot
        skeleton = controls.skeleton(config.joint_springs)
        driven = (
            *skeleton, model.loops, workspace.touching, given.prescribed, given.followed, given.targets, given.tau,
        )  # fmt: skip
        choices = (
            config.dt, config.stop_frequency, config.max_speed, config.gains(), config.newton, state.dt == 0.0, steps,
            state.time,
        )  # fmt: skip
        scratches = (
            work.bodies, work.dofs, workspace.contact_work, workspace.old_anchors, self.given, self.configuration,
        )  # fmt: skip
        reports = (self.felt, self.report[0], controls.effort, state.vdot, state.anchors, state.kept)
        lost = -1
        if self.flesh is None:
            done, state.time, bad = kernels_step.run_stiff(
                *driven, external if external.any() else work.no_external, script, sizes, *choices, *scratches, self.speed,
                self.tables, self.blocks, *reports, state.q, state.v, workspace.touch,
            )  # fmt: skip
        else:
            tables = (workspace.nodes, workspace.elements, workspace.materials, workspace.vertices)
            element_room = (workspace.flagged, workspace.F, workspace.P)
            flesh_room = (workspace.force, workspace.wrench, *self.wrenches, element_room)
            old = (workspace.old_q, workspace.old_v, self.old_bodies, workspace.old_x)
            done, state.time, bad, lost = kernels_flesh.run_stiff_flesh(
                *driven, external, script, sizes, tables, self.flesh_parts, config.diagonalization == "full", *choices,
                *scratches, self.speed, self.tables, flesh_room, self.path, self.external, old, *reports, state.x, state.xdot,
                state.q, state.v, workspace.touch, workspace.counts,
            )  # fmt: skip
        state.dt = config.dt if done > 0 else state.dt
        return Outcome(done, bad, lost)

    def _run_bodies(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance by the steps of the paper, where bodies move on each for itself."""
        work, config = scratch(self.model), self.config
        assert self.maximal is not None
        skeleton = controls.skeleton(config.joint_springs)
        if state.dt == 0.0:
            bodies_from_joints(skeleton.tree, skeleton.dofs, state.q, state.v, state.kept)
        slope = EXACT if config.solver == "ldu" else SYMMETRIC
        given = controls.inputs(state, config.dt, steps, directed_as_prescribed=False)
        external = given.external if given.external.any() else work.no_external
        done, state.time, bad, gap = kernels_maximal.run_bodies(
            *skeleton, given.prescribed, given.vdot, given.tau, np.zeros((0, 2)), external, np.zeros((0, 21)),
            work.no_external, slope, config.dt, config.stop_frequency, config.max_speed, steps, state.time,
            *self.maximal.work, controls.effort, state.kept, state.q, state.v,
        )  # fmt: skip
        self.report["gap"] = gap
        state.dt = config.dt if done > 0 else state.dt
        return Outcome(done, bad)

    # --- what it knows about the last steps ---

    def contact_forces(self) -> FloatArray:
        """Force on every contact sample."""
        return self.workspace.touch

    def reaction(self, goal: Goal) -> FloatArray:
        """Wrench of a goal's spring on its body."""
        first, end = goal.director.rows_of(goal)
        return self.felt[first:end].sum(axis=0) if end <= len(self.felt) else np.zeros(6)

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
    """How many probes can touch a body of another tree at once."""
    bodies = contact.obstacles["body"][contact.obstacles["body"] >= 0]
    roots = set(model.tree["root"][bodies].tolist())
    own = model.tree["root"][contact.probes["body"]]
    return sum(len(roots - {int(root)}) > 0 for root in own)


def _flesh_parts(config: SimulationConfig, parts: Sequence[FleshSpec]) -> int:
    limit = min((part.step_limit for part in parts), default=math.inf) / math.sqrt(config.flesh_stiffness)
    return max(1, math.ceil(config.dt / min(MARGIN * limit, LONGEST_PART)))
