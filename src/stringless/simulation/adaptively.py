"""The adaptive engine as a simulation runs it: its tables, and what its kernel is given."""

from __future__ import annotations

import bisect
import copy
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stringless.adaptive.choices import set_choices, set_view
from stringless.adaptive.rows import ENERGY, KEPT, MOTION, MOVES
from stringless.adaptive.seeing import see_all
from stringless.adaptive.tables import AdaptiveTables
from stringless.adaptive.view import View
from stringless.contact.tables import ContactTables
from stringless.dynamics.hybrid import mask, wrenches
from stringless.errors import InputError, StringlessWarning
from stringless.model.model import Model
from stringless.simulation import adaptive_step
from stringless.simulation.config import SimulationConfig

if TYPE_CHECKING:
    from stringless.simulation.simulation.stepping import Stepping

FloatArray = NDArray[np.float64]


class AdaptiveRoom:
    """What the adaptive engine needs besides the state."""

    def __init__(self, model: Model, config: SimulationConfig) -> None:
        """Make the tables of a model."""
        self.model = model
        self.tables = AdaptiveTables(model, model.dofs, model.q_rest)
        self._made_from: tuple[Any, Any] = (model.dofs, model.q_rest)
        self._known: tuple[FloatArray, ...] = ()  # the state that the lumps are those of
        self.set(config)

    def twin(self) -> AdaptiveRoom:
        """Room for another simulation of the same model, which chooses alike."""
        other = copy.copy(self)
        other.tables, other._known = self.tables.twin(), ()
        return other

    def set(self, config: SimulationConfig) -> None:
        """Take over budgets, errors and weights; joints are chosen by them from the next step on."""
        set_choices(self.model, self.tables, config.active, config.max_error, config.criterion, config.weights)
        self.look(config.view)

    def look(self, view: Any) -> None:
        """Take over from where somebody looks, None if nobody does; each character knows it from its next look on."""
        set_view(self.model, self.tables, None if view is None else View.of(view))

    def shared_out(self, q: FloatArray, total: int) -> int:
        """The budget of a character that fills the picture with which at most `total` joints of all may move as they stand."""
        trees = self.tables.trees.copy()
        if type(total) is not int or total < 1:
            raise InputError(f"total is {total!r}, expected a whole number of joints, 1 or more")
        kept = new_kept(self.model)
        most = int(trees["joints"].max(initial=1))

        def spent(active: int) -> int:
            trees["asked"], trees["allowed"] = np.minimum(active, trees["joints"]), -1.0
            kept[:] = 0.0
            see_all(self.tables.tree, self.tables.members, q, kept, trees)
            return int(trees["budget"].sum())

        return max(bisect.bisect_right(range(1, most + 1), total, key=spent), 1)

    def use(self, dofs: Any, rest: FloatArray, config: SimulationConfig) -> AdaptiveTables:
        """The tables, with joints as they are now."""
        if self._made_from[0] is not dofs or self._made_from[1] is not rest:
            self.tables, self._made_from, self._known = AdaptiveTables(self.model, dofs, rest), (dofs, rest), ()
            self.set(config)
        return self.tables

    def is_of(self, *state: FloatArray) -> bool:
        """Whether the lumps are those of a state; somebody may have put it elsewhere."""
        return bool(self._known) and all(map(np.array_equal, self._known, state))

    def remember(self, *state: FloatArray) -> None:
        """The lumps are those of this state."""
        if self._known:
            for mine, theirs in zip(self._known, state, strict=True):
                mine[...] = theirs
        else:
            self._known = tuple(array.copy() for array in state)


def new_kept(model: Model) -> FloatArray:
    """What a state keeps of the bodies: which joints move, and when they are chosen again."""
    return np.zeros((model.body_count, KEPT))


def moving(kept: FloatArray) -> NDArray[np.bool_]:
    """Which bodies' joints move."""
    return kept[:, MOVES] > 0.0


def check_adaptive(model: Model, contact: ContactTables) -> None:
    """Refuse scenes that the adaptive engine does not know, and say so if characters pass through each other."""
    walls = bool(np.any(contact.obstacles["body"] < 0))
    for name, found in (
        ("flesh", model.flesh is not None),
        ("closed loops", len(model.loops) > 0),
        ("ground or walls", walls and not contact.empty),
    ):
        if found:
            raise InputError(
                f"engine 'adaptive' does not know {name}, which model '{model.name}' has; use another engine"
            )
    if not contact.empty:
        warnings.warn(
            f"characters of model '{model.name}' pass through each other with engine 'adaptive', which knows no contact; use "
            "engine 'reduced' or 'stiff' if they are to meet",
            StringlessWarning,
            stacklevel=5,
        )


def run_adaptively(sim: Stepping, room: AdaptiveRoom, tau: FloatArray, steps: int) -> tuple[int, int]:
    """Advance a simulation by steps in which only some joints move; the steps done, and the coordinate that ran away or -1.

    Raises:
        InputError: joints are prescribed or follow a motion.
    """
    if sim.followed.any() or mask(sim.model, sim.prescribed).any():
        raise InputError(
            "engine 'adaptive' lets joints move by themselves, and leads none; use engine 'reduced' for that"
        )
    state = sim.state
    before = state.copy()
    done, bad = _run(sim, room, tau, steps)
    if bad >= 0:
        # Trees ran one after the other, and some went on while another ran away: once more, to the last good step of all.
        state.restore(before)
        if done > 0:
            _run(sim, room, tau, done)
    return done, bad


def _run(sim: Stepping, room: AdaptiveRoom, tau: FloatArray, steps: int) -> tuple[int, int]:
    model, config, state = sim.model, sim.config, sim.state
    _, dofs, rest = sim.skeleton()
    tables = room.use(dofs, rest, config)
    renew = state.dt == 0.0 or not room.is_of(state.q, state.v, state.bodies)
    done, state.time, bad = adaptive_step.run_adaptive(
        tables.full, model.limits, model.gravity, tables.none, *tables.pushes(wrenches(model, sim.external)), tau, state.dt,
        config.dt, config.stop_frequency, config.max_speed, config.update_every,
        ENERGY if config.criterion == "energy" else MOTION, renew, steps, state.time, tables.lumps,
        tables.room, state.bodies, state.vdot, state.q, state.v, tables.trees,
    )  # fmt: skip
    if steps > 0:
        room.remember(state.q, state.v, state.bodies)
    state.dt = config.dt if done > 0 else state.dt
    return done, bad
