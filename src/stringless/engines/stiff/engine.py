"""The stiff engine as a simulation runs it: its room, and what its kernel is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.tables import ContactTables
from stringless.control.characters import characters
from stringless.control.director import Director
from stringless.control.tables import CAST_ROW, TASK_ROW
from stringless.dynamics.hybrid import mask
from stringless.engines.config import SimulationConfig
from stringless.engines.reduced.workspace import FleshWorkspace
from stringless.engines.stiff import pipeline, reference
from stringless.engines.stiff.kernels_momentum import KEPT
from stringless.engines.stiff.kernels_step import REPORT_ROW
from stringless.engines.stiff.quantities import inverse_inertias
from stringless.engines.stiff.records import (
    Contact,
    ContactWork,
    GoalTables,
    StiffForces,
    StiffModel,
    StiffResult,
    StiffSettings,
    StiffState,
    StiffWork,
    WalkWork,
)
from stringless.engines.stiff.reference.kernels_pairs import POSE_ROW
from stringless.engines.stiff.workspace import stiff_work, walk_work
from stringless.errors import InputError
from stringless.flesh.stability import MARGIN
from stringless.kinematics import loop_gaps
from stringless.model.flesh import FleshSpec
from stringless.model.model import Model
from stringless.model.records import FleshTables, Inputs, Skeleton
from stringless.state import scratch

Stepping = Any

FloatArray = NDArray[np.float64]
MOST_TIED = 160
"""Touching points between bodies that are solved for together; further ones are not felt."""
LONGEST_PART = 1e-3
"""Longest step of the flesh [s]."""
TORN_BY, TORN_TURN = 0.02, 0.1
"""Gap beyond which a loop is torn by joints that are led [m, rad]; what a swing opens for a step is less."""
TOUCHES = 3
"""Obstacles that a probe can touch at once."""


class StiffRoom:
    """What the stiff engine needs besides the state, allocated once per simulation."""

    def __init__(self, model: Model, contact: ContactTables, config: SimulationConfig) -> None:
        """Allocate for one simulation."""
        self.maximal = (
            None if config.solver == "condensed" else reference.maximal_work(model, general=config.solver == "ldu")
        )
        """Scratch of the solver with Lagrange multipliers, if that is chosen."""
        rows = int(np.sum(model.loops["rows"])) + 3 * min(MOST_TIED, _possible_pairs(model, contact))
        rows += 3 * len(characters(model)) if self.maximal is None else 0  # for the centre of gravity of each
        self.felt = np.zeros((0, 6))
        """Force of every task of the director's script on its body, moment first, along world axes."""
        self.inverses = inverse_inertias(model)
        self.report = jit.rows(1, REPORT_ROW)
        self._model, self._sizes = model, (rows, TOUCHES * len(contact.probes))
        self._work: tuple[StiffWork, WalkWork | None] | None = None
        self.no_goals = GoalTables(
            jit.rows(0, CAST_ROW), np.zeros(0, np.int64), jit.rows(0, TASK_ROW), np.zeros((0, model.nq)),
            np.zeros((0, model.nv)), np.zeros(0),
        )  # fmt: skip

    def work(self, workspace: FleshWorkspace) -> tuple[StiffWork, WalkWork | None]:
        """Scratch of bones, and of flesh if there is some."""
        if self._work is None:
            contact, elements = ContactWork(*workspace.contact_work), (workspace.flagged, workspace.F, workspace.P)
            self._work = (
                stiff_work(self._model, *self._sizes, contact, workspace.old_anchors, self.maximal),
                walk_work(self._model, elements),
            )
        return self._work


def new_bodies(model: Model, config: SimulationConfig) -> FloatArray:
    """What the state keeps of the bodies: their momenta and what is taut, or with update 'bodies' their poses and velocities."""
    return np.zeros((model.body_count, POSE_ROW if config.update == "bodies" else KEPT))


def _possible_pairs(model: Model, contact: ContactTables) -> int:
    """How many probes can touch a body of another tree at once."""
    bodies = contact.obstacles["body"][contact.obstacles["body"] >= 0]
    roots = set(model.tree["root"][bodies].tolist())
    own = model.tree["root"][contact.probes["body"]]
    return sum(len(roots - {int(root)}) > 0 for root in own)


def flesh_parts(config: SimulationConfig, parts: Sequence[FleshSpec]) -> int:
    """Into how many explicit steps of the flesh an implicit one of the bones is divided."""
    limit = min((part.step_limit for part in parts), default=math.inf) / math.sqrt(config.flesh_stiffness)
    return max(1, math.ceil(config.dt / min(MARGIN * limit, LONGEST_PART)))


def check_reference(model: Model, contact: ContactTables, config: SimulationConfig) -> None:
    """Refuse scenes that the solvers with Lagrange multipliers, which are there to compare with, do not know."""
    if config.solver == "condensed":
        return
    what = f"solver '{config.solver}'" + (" with update 'bodies'" if config.update == "bodies" else "")
    for name, found in (
        ("flesh", model.flesh is not None),
        ("closed loops", len(model.loops) > 0),
        ("bodies that touch each other", _possible_pairs(model, contact) > 0),
        ("anything to touch", config.update == "bodies" and not contact.empty),
    ):
        if found:
            raise InputError(f"{what} does not know {name}, which model '{model.name}' has; use solver 'condensed'")
    if massless := [body.name for body in model.bodies if body.mass == 0]:
        raise InputError(
            f"{what} cannot carry body '{massless[0]}', which has no mass; give it some, or use 'condensed'"
        )


def run_bodies(sim: Stepping, room: StiffRoom, tau: FloatArray, steps: int) -> tuple[int, int]:
    """Advance a simulation by the steps of the paper, where bodies move on each for itself."""
    model, work, config, state = sim.model, scratch(sim.model), sim.config, sim.state
    assert room.maximal is not None
    tree, dofs, rest = sim.skeleton()
    if state.dt == 0.0:
        reference.bodies_from_joints(tree, dofs, state.q, state.v, state.bodies)
    slope = reference.EXACT if config.solver == "ldu" else reference.SYMMETRIC
    given, external = mask(model, sim.prescribed), sim.acting()
    joints = Inputs(
        given if given.any() else work.no_mask, sim.acceleration, work.no_mask, np.zeros((0, model.nq)), tau,
        external if external.any() else work.no_external,
    )  # fmt: skip
    done, state.time, bad, gap = reference.run_bodies(
        Skeleton(tree, dofs, model.limits, rest, model.gravity),
        reference.MaximalState(state.q, state.v, state.bodies),
        reference.MaximalInputs(joints, np.zeros((0, 2)), StiffForces(np.zeros((0, 21)), work.no_external)),
        reference.MaximalSettings(config.dt, config.stop_frequency, config.max_speed, slope),
        steps,
        state.time,
        room.maximal,
        sim.effort,
    )
    room.report["gap"] = gap
    state.dt = config.dt if done > 0 else state.dt
    return done, bad


def run_stiffly(sim: Stepping, room: StiffRoom, tau: FloatArray, steps: int) -> tuple[int, int, int]:
    """Advance a simulation by implicit steps; the steps done, the coordinate and the node that ran away or -1.

    Joints that are prescribed, or follow something, can tear a loop that they leave no way to stay closed. The state is then
    that of the last good step.

    Raises:
        InputError: a loop is torn.
    """
    if not (len(sim.model.loops) and (sim.followed.any() or mask(sim.model, sim.prescribed).any() or _is_keyed(sim))):
        return _run_stiffly(sim, room, tau, steps)
    while True:
        before, effort = sim.state.copy(), sim.effort.copy()
        done = _run_stiffly(sim, room, tau, steps)
        gaps = loop_gaps(sim.model, sim.q)
        torn = np.flatnonzero(np.any(gaps > (TORN_BY, TORN_TURN), axis=1))
        if len(torn) == 0:
            return done
        time = sim.state.time
        sim.state.restore(before)
        sim.effort[:] = effort
        if steps <= 1:
            raise _torn_loop(sim, int(torn[0]), gaps[torn[0]], time)
        steps //= 2


def _is_keyed(sim: Stepping) -> bool:
    return sim.is_directed and bool(sim.director.followed.any())


def _torn_loop(sim: Stepping, number: int, gap: FloatArray, time: float) -> InputError:
    name = sim.model.loop_specs[number].name
    return InputError(
        f"loop '{name}' would be torn at time {time:.6g} s, open by {1e3 * gap[0]:.3g} mm and {gap[1]:.3g} rad: the joints that "
        "are prescribed or follow a motion leave it no way to stay closed. Let some joints of it free, or lead them where "
        "`kinematics.close_loops` finds it closed. The state before this step was kept"
    )


def _run_stiffly(sim: Stepping, room: StiffRoom, tau: FloatArray, steps: int) -> tuple[int, int, int]:
    config, state, workspace = sim.config, sim.state, sim.workspace
    assert workspace is not None
    if config.update == "bodies":
        return *run_bodies(sim, room, tau, steps), -1
    goals = room.no_goals
    if sim.has_director:
        goals = goal_tables(sim.director)
    if len(room.felt) != len(goals.tasks):
        room.felt = np.zeros((len(goals.tasks), 6))
    given, followed, targets = sim.prescription(steps)
    external, flesh, gains = sim.acting(), sim.flesh, sim.gains()
    if flesh is None and not external.any():
        external = scratch(sim.model).no_external
    parts = 1 if flesh is None else flesh_parts(config, flesh.specs)
    work, walk = room.work(workspace)
    done, state.time, bad, lost = pipeline.run_stiff(
        stiff_model(sim, workspace),
        StiffState(state.q, state.v, state.vdot, state.bodies, state.anchors, state.x, state.xdot),
        Inputs(given, sim.acceleration, followed, targets, tau, external),
        goals,
        StiffSettings(
            config.dt,
            config.stop_frequency,
            config.max_speed,
            gains,
            config.newton,
            parts,
            config.diagonalization == "full",
        ),
        state.dt == 0.0,
        steps,
        state.time,
        work,
        walk,
        StiffResult(sim.effort, room.felt, workspace.touch, workspace.counts, room.report),
    )
    state.dt = config.dt if done > 0 else state.dt
    return done, bad, lost


def goal_tables(director: Director) -> GoalTables:
    """What a director asks for."""
    cast, _, _, column_of, tasks, poses, pose_weights, _ = director.script()
    sizes = np.array([actor.size for actor in director.cast])
    return GoalTables(cast, column_of, tasks, poses, pose_weights, sizes)


def stiff_model(sim: Stepping, workspace: FleshWorkspace) -> StiffModel:
    """What is fixed while the kernel runs."""
    model = sim.model
    tree, dofs, rest = sim.skeleton()
    return StiffModel(
        Skeleton(tree, dofs, model.limits, rest, model.gravity),
        model.loops,
        Contact(*workspace.touching),
        FleshTables(workspace.nodes, workspace.elements, workspace.materials, workspace.vertices),
    )
