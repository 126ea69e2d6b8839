"""The stiff engine as a simulation runs it: its room, and what its kernel is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stringless import jit
from stringless.contact.tables import ContactTables
from stringless.control.tables import CAST_ROW, TASK_ROW
from stringless.dynamics.hybrid import wrenches
from stringless.model.model import Model
from stringless.state import scratch
from stringless.stiff import step
from stringless.stiff.links import LINK_WORK
from stringless.stiff.settle import TREE_WORK
from stringless.stiff.touch import TOUCH_WORK

if TYPE_CHECKING:
    from stringless.simulation.simulation.stepping import Stepping

FloatArray = NDArray[np.float64]
MOST_TIED = 64
"""Touching points between bodies that are solved for together; further ones are not felt."""
TOUCHES = 3
"""Obstacles that a probe can touch at once."""


class StiffRoom:
    """What the stiff engine needs besides the state, allocated once per simulation."""

    def __init__(self, model: Model, contact: ContactTables) -> None:
        """Allocate for one simulation."""
        n, nv = model.body_count, model.nv
        rows = int(np.sum(model.loops["rows"])) + 3 * min(MOST_TIED, _possible_pairs(model, contact))
        self.felt = np.zeros((0, 6))
        """Force of every task of the director's script on its body, moment first, along world axes."""
        self.report = jit.rows(1, step.REPORT_ROW)
        self.speed, self.configuration, self.given = np.zeros(nv), model.neutral(), np.zeros(nv)
        self.touch = np.zeros((len(contact.probes), 3))
        self.tables: tuple[Any, ...] = (
            jit.rows(n, TREE_WORK), np.zeros((n, 21)), np.zeros((n, 6)), jit.rows(rows, LINK_WORK), np.zeros((rows, rows)),
            np.zeros(rows), np.zeros((n, 6)), np.zeros((n, 6)), np.zeros(nv), np.zeros((n, 6)), np.zeros(nv),
            jit.rows(TOUCHES * len(contact.probes), TOUCH_WORK),
        )  # fmt: skip
        self.no_script: tuple[Any, ...] = (
            jit.rows(0, CAST_ROW), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64),
            jit.rows(0, TASK_ROW), np.zeros((0, model.nq)), np.zeros((0, nv)), np.zeros(0),
        )  # fmt: skip


def _possible_pairs(model: Model, contact: ContactTables) -> int:
    """How many probes can touch a body of another tree at once."""
    bodies = contact.obstacles["body"][contact.obstacles["body"] >= 0]
    roots = set(model.tree["root"][bodies].tolist())
    own = model.tree["root"][contact.probes["body"]]
    return sum(len(roots - {int(root)}) > 0 for root in own)


def run_stiffly(sim: Stepping, room: StiffRoom, tau: FloatArray, steps: int) -> tuple[int, int]:
    """Advance a simulation by implicit steps; the steps done, and the coordinate that ran away or -1."""
    model, work, config, state = sim.model, scratch(sim.model), sim.config, sim.state
    workspace = sim.workspace
    assert workspace is not None
    script, sizes = room.no_script, work.no_vector
    if sim.has_director:
        script, sizes = sim.director.script(), np.array([actor.size for actor in sim.director.cast])
    if len(room.felt) != len(script[4]):
        room.felt = np.zeros((len(script[4]), 6))
    given, followed, targets = sim.prescription(steps)
    external = wrenches(model, sim.external)
    room.given[:] = sim.acceleration
    done, state.time, bad = step.run_stiff(
        *sim.skeleton()[:2], model.limits, sim.skeleton()[2], model.gravity, model.loops, workspace.touching, given,
        followed, targets, tau, external if external.any() else work.no_external, script, sizes, config.dt,
        config.stop_frequency, config.max_speed, sim.gains(), config.newton, state.dt == 0.0, steps, state.time,
        work.bodies, work.dofs, workspace.contact_work, workspace.old_anchors, room.given, room.configuration, room.speed,
        room.tables, room.felt, room.report[0], sim.effort, state.vdot, state.anchors, state.bodies, state.q, state.v,
        workspace.touch,
    )  # fmt: skip
    state.dt = config.dt if done > 0 else state.dt
    return done, bad
