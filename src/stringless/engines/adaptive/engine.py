"""The adaptive engine as a simulation runs it: its tables, and what its kernel is given."""

from __future__ import annotations

import bisect
import copy
import dataclasses
import warnings
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.contact.tables import ContactTables
from stringless.dynamics.hybrid import mask, wrenches
from stringless.engines.adaptive import pipeline
from stringless.engines.adaptive.contact import WorldContact, has_obstacles
from stringless.engines.adaptive.criteria import set_criteria, set_view
from stringless.engines.adaptive.kernels_sleep import WHILE
from stringless.engines.adaptive.kernels_view import set_budgets
from stringless.engines.adaptive.records import AdaptiveState, Settings
from stringless.engines.adaptive.rows import (
    BODY_STATE,
    CONTACT_BODY_STATE,
    ENERGY,
    MOTION,
    UNKNOWN,
    body_states,
)
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.engines.adaptive.view import View
from stringless.engines.config import SimulationConfig
from stringless.errors import InputError, StringlessWarning
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.state import State

Stepping = Any

FloatArray = NDArray[np.float64]


class AdaptiveRoom:
    """What the adaptive engine needs besides the state."""

    def __init__(self, model: Model, config: SimulationConfig, contact: ContactTables) -> None:
        """Make the tables of a model, and of the obstacles of the world among all that can touch."""
        self.model, self._contact = model, contact
        self._make(model.dofs, model.q_rest)
        self.set(config, contact)

    def _make(self, dofs: Any, rest: FloatArray) -> None:
        self.tables = AdaptiveTables(self.model, dofs, rest)
        self.tables.status["error"] = UNKNOWN
        self.ground = WorldContact(self.tables, self._contact) if has_obstacles(self._contact) else None
        """What can touch the world; None if nothing can."""
        self._made_from: tuple[Any, Any] = (dofs, rest)
        self._known: tuple[FloatArray, ...] = ()  # the state that the clusters are those of
        self._before: State | None = None  # what steps that failed are taken back to
        self._bodies = 0  # tells one set of bodies, joints and gravity from another
        if self.ground is not None:
            for table in (self.model.gravity, self.tables.tree, self.tables.dofs):
                self._bodies = zlib.crc32(table.tobytes(), self._bodies)

    def twin(self) -> AdaptiveRoom:
        """Room for another simulation of the same model, which chooses alike."""
        other = copy.copy(self)
        other.tables, other._known, other._before = self.tables.twin(), (), None
        other.ground = None if self.ground is None else self.ground.twin(other.tables)
        return other

    def set(self, config: SimulationConfig, contact: ContactTables) -> None:
        """Take over budgets, errors, weights and what can touch; joints are chosen by them from the next step on."""
        set_criteria(self.model, self.tables, config.active, config.max_error, config.criterion, config.weights)
        self.look(config.view)
        self._contact = contact
        if self.ground is not None:
            self.ground.use(contact)
            self._known = ()  # probes of the clusters are those of before
            set_up = dataclasses.replace(config, view=None)  # who is asleep may be looked at from anywhere
            told = zlib.crc32(repr(set_up).encode(), self._bodies)
            self.digest = float(
                zlib.crc32(self.ground.model.obstacles.tobytes(), told)
            )  # who sleeps wakes if it changes

    def look(self, view: Any) -> None:
        """Take over from where somebody looks, None if nobody does; each character knows it from its next look on."""
        set_view(self.model, self.tables, None if view is None else View.of(view))

    def shared_out(self, q: FloatArray, total: int) -> int:
        """The budget of a character that fills the picture with which at most `total` joints of all may move as they stand."""
        model, status = self.tables.model(), self.tables.status.copy()
        model = model._replace(trees=self.tables.trees.copy())
        joints, kept = model.trees["joints"], new_kept(self.model, self)
        most = int(joints.max(initial=1))

        def spent(active: int) -> int:
            model.trees["max_active"], model.trees["max_error"] = np.minimum(active, joints), -1.0
            kept[:] = 0.0
            set_budgets(model, q, body_states(kept), status)
            return int(status["budget"].sum())

        return max(bisect.bisect_right(range(1, most + 1), total, key=spent), 1)

    def use(self, dofs: Any, rest: FloatArray, config: SimulationConfig) -> AdaptiveTables:
        """The tables, with joints as they are now."""
        if self._made_from[0] is not dofs or self._made_from[1] is not rest:
            self._make(dofs, rest)
            self.set(config, self._contact)
        return self.tables

    def is_of(self, *state: FloatArray) -> bool:
        """Whether the clusters are those of a state; somebody may have put it elsewhere."""
        return bool(self._known) and all(map(np.array_equal, self._known, state))

    def has_left(self, *state: FloatArray) -> bool:
        """Whether somebody has put the state elsewhere since the last steps."""
        return bool(self._known) and not self.is_of(*state)

    def keep(self, state: State) -> State:
        """A copy of a state, until the next one is kept."""
        if self._before is None:
            self._before = state.copy()
        else:
            self._before.restore(state)
        return self._before

    def remember(self, *state: FloatArray) -> None:
        """The clusters are those of this state."""
        if self._known:
            for mine, theirs in zip(self._known, state, strict=True):
                mine[...] = theirs
        else:
            self._known = tuple(array.copy() for array in state)


def new_kept(model: Model, room: AdaptiveRoom) -> FloatArray:
    """What a state keeps of the bodies: which joints move, when they are chosen again, and what obstacles did to them."""
    layout = BODY_STATE if room.ground is None else CONTACT_BODY_STATE
    return np.zeros((model.body_count, layout.itemsize // 8))


def moving(kept: FloatArray) -> NDArray[np.bool_]:
    """Which bodies' joints move."""
    return body_states(kept)["active"] > 0.0


def asleep(room: AdaptiveRoom, kept: FloatArray) -> int:
    """How many characters rest on something, and cost nothing."""
    return (
        0
        if room.ground is None
        else int(np.count_nonzero(body_states(kept)["rest"][room.tables.trees["root"]] >= WHILE))
    )


def check_adaptive(scene: Scene, contact: ContactTables) -> None:
    """Refuse scenes that the adaptive engine does not know, and say so if characters pass through each other.

    Who has made a scene for this engine knows.
    """
    model = scene.model
    for name, found in (("flesh", model.flesh is not None), ("closed loops", len(model.loops) > 0)):
        if found:
            raise InputError(
                f"engine 'adaptive' does not know {name}, which model '{model.name}' has; use another engine"
            )
    of_bodies = contact.obstacles["body"][contact.obstacles["body"] >= 0]
    if scene.engine != "adaptive" and len(set(model.tree["root"][of_bodies].tolist())) > 1:
        warnings.warn(
            f"characters of model '{model.name}' pass through each other with engine 'adaptive', which knows only contact with "
            "the world; use engine 'reduced' or 'stiff' if they are to meet",
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
    before = room.keep(state)
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
    springs = [(model.body(pull.body).index, pull) for pull in sim.scene.pulls]
    inputs, on_bodies = tables.inputs(tau, wrenches(model, sim.external), springs)
    moved = state.dt == 0.0 or not room.is_of(state.q, state.v, state.bodies)
    contact, digest = room.ground, 0.0
    if moved:
        tables.status["error"] = UNKNOWN  # that of another state
    if contact is not None:
        digest = room.digest
        if moved:
            contact.touch[:] = 0.0
    settings = Settings(
        dt=config.dt,
        limit_frequency=config.stop_frequency,
        max_speed=config.max_speed,
        update_every=config.update_every,
        criterion=ENERGY if config.criterion == "energy" else MOTION,
        gains=sim.gains(),
        digest=digest,
    )
    done, state.time, bad = pipeline.run_adaptive(
        tables.model(None if contact is None else contact.model),
        AdaptiveState(state.q, state.v, state.vdot, body_states(state.bodies), state.anchors),
        inputs,
        settings,
        state.dt,
        moved,
        steps,
        state.time,
        tables.work(on_bodies, None if contact is None else contact.work),
    )
    if steps > 0:
        room.remember(state.q, state.v, state.bodies)
    state.dt = config.dt if done > 0 else state.dt
    return done, bad
