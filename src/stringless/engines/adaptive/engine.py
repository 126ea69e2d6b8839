"""The adaptive engine: only the joints that matter move (Redon et al. 2005)."""

from __future__ import annotations

import bisect
import copy
import dataclasses
import warnings
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.director import make_memory
from stringless.dynamics.hybrid import mask, wrenches
from stringless.engines.adaptive import pipeline
from stringless.engines.adaptive.contact import WorldContact, has_obstacles
from stringless.engines.adaptive.criteria import set_criteria, set_view
from stringless.engines.adaptive.kernels_sleep import WHILE
from stringless.engines.adaptive.kernels_view import set_budgets
from stringless.engines.adaptive.records import AdaptiveState, Settings
from stringless.engines.adaptive.rows import BODY_STATE, CONTACT_BODY_STATE, ENERGY, MOTION, UNKNOWN, body_states
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.engines.adaptive.view import View
from stringless.engines.base import Engine, Outcome, Setup
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.features import Feature
from stringless.engines.reduced.workspace import new_anchors
from stringless.errors import StringlessWarning
from stringless.model.scene import Scene
from stringless.state import State

FloatArray = NDArray[np.float64]


class AdaptiveEngine(Engine):
    """Only the joints that matter move; the others are rigid within clusters (Redon et al. 2005)."""

    name = "adaptive"
    one_step_calls = False

    def __init__(self, scene: Scene, setup: Setup) -> None:
        """Make the tables of a model, and of the obstacles of the world among all that can touch."""
        super().__init__(scene, setup)
        self._warn_of_passing()
        self._make(self.model.dofs, self.model.q_rest)
        self._set()

    def _warn_of_passing(self) -> None:
        """Warn if characters pass through each other, unless the scene is made for this engine."""
        model, bodies = self.model, self.contact.obstacles["body"]
        if self.scene.engine != "adaptive" and len(set(model.tree["root"][bodies[bodies >= 0]].tolist())) > 1:
            warnings.warn(
                f"characters of model '{model.name}' pass through each other with engine 'adaptive', which knows only contact "
                "with the world; use engine 'reduced' or 'stiff' if they are to meet",
                StringlessWarning,
                stacklevel=6,
            )

    def _make(self, dofs: Any, rest: FloatArray) -> None:
        self.tables = AdaptiveTables(self.model, dofs, rest)
        self.tables.status["error"] = UNKNOWN
        self.world = WorldContact(self.tables, self.contact) if has_obstacles(self.contact) else None
        """What can touch the world; None if nothing can."""
        self._made_from: tuple[Any, Any] = (dofs, rest)
        self._known: tuple[FloatArray, ...] = ()  # the state that the clusters are those of
        self._before: State | None = None  # what steps that failed are taken back to
        self._bodies = 0  # differs between any two sets of bodies, joints and gravity
        self._digest = 0.0  # differs between any two sets of parameters: sleeping trees wake if it changes
        if self.world is not None:
            for table in (self.model.gravity, self.tables.tree, self.tables.dofs):
                self._bodies = zlib.crc32(table.tobytes(), self._bodies)

    def new_state(self) -> State:
        """The scene's initial state."""
        points = 0 if self.world is None else len(self.contact.samples)
        q, v = self.scene.q.copy(), self.scene.v.copy()
        return State(0.0, q, v, anchors=new_anchors(points), memory=make_memory(self.model), kept=self._new_kept())

    def _new_kept(self) -> FloatArray:
        """Which joints are active, when that is updated, and what obstacles did to every body."""
        layout = BODY_STATE if self.world is None else CONTACT_BODY_STATE
        return np.zeros((self.model.body_count, layout.itemsize // 8))

    def copy(self) -> AdaptiveEngine:
        """A copy that will activate the same joints."""
        other = copy.copy(self)
        other.tables, other._known, other._before = self.tables.twin(), (), None
        other.world = None if self.world is None else self.world.twin(other.tables)
        return other

    def kernel(self, controls: Controls) -> Any:
        """The compiled loop over trees and steps."""
        return pipeline.run_adaptive

    # --- parameters ---

    def use(self, setup: Setup) -> None:
        """Go on with other parameters; they count at the next active-region update."""
        self.config, self.flesh, self.contact = setup
        self._set()

    def _set(self) -> None:
        config = self.config
        set_criteria(self.model, self.tables, config.active, config.max_error, config.criterion, config.weights)
        set_view(self.model, self.tables, None if config.view is None else View.of(config.view))
        if self.world is not None:
            self.world.use(self.contact)
            self._known = ()  # contact samples of the clusters are those of before
            fixed = zlib.crc32(repr(dataclasses.replace(config, view=None)).encode(), self._bodies)
            self._digest = float(zlib.crc32(self.world.model.obstacles.tobytes(), fixed))

    def set_view(self, config: SimulationConfig) -> None:
        """Take over a view alone, which costs little; each character knows it from its next update on."""
        self.config = config
        set_view(self.model, self.tables, None if config.view is None else View.of(config.view))

    def share_out(self, q: FloatArray, total: int) -> int | None:
        """The budget of a character that fills the picture at which at most `total` joints of all are active now.

        None where no joint can be rigidified.
        """
        model = self.tables.model()._replace(row=self.tables.trees.copy())
        joints, status, kept = model.row["joints"], self.tables.status.copy(), self._new_kept()
        if not joints.any():
            return None

        def count_active(active: int) -> int:
            model.row["max_active"], model.row["max_error"] = np.minimum(active, joints), -1.0
            kept[:] = 0.0
            set_budgets(model, q, body_states(kept), status)
            return int(status["budget"].sum())

        return max(bisect.bisect_right(range(1, int(joints.max()) + 1), total, key=count_active), 1)

    # --- running ---

    def run(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance by steps in which only some joints move.

        Raises:
            InputError: joints are prescribed or follow a motion.
        """
        if controls.followed.any() or mask(self.model, controls.prescribed).any():
            self.require(Feature.PRESCRIBED)
        before = self._keep(state)
        done, bad = self._run(controls, state, steps)
        if bad >= 0:
            # Trees ran one after the other, and some went on while another diverged: once more, to the last good step of all.
            state.restore(before)
            if done > 0:
                self._run(controls, state, done)
        return Outcome(done, bad)

    def _run(self, controls: Controls, state: State, steps: int) -> tuple[int, int]:
        model, config = self.model, self.config
        skeleton = controls.skeleton(config.joint_springs)
        if self._made_from[0] is not skeleton.dofs or self._made_from[1] is not skeleton.rest:
            self._make(skeleton.dofs, skeleton.rest)
            self._set()
        tables, world = self.tables, self.world
        tau = model.vector(controls.tau, model.nv, "tau")
        springs = [(model.body(spring.body).index, spring) for spring in controls.springs]
        inputs, on_bodies = tables.inputs(tau, wrenches(model, controls.external), springs)
        moved = state.dt == 0.0 or not self._is_known(state)
        if moved:
            tables.status["error"] = UNKNOWN  # that of another state
            if world is not None:
                world.contact_forces[:] = 0.0
        forest = tables.model(None if world is None else world.model)
        work = tables.work(on_bodies, None if world is None else world.work)
        moving = AdaptiveState(state.q, state.v, state.vdot, body_states(state.kept), state.anchors)
        done, state.time, bad = pipeline.run_adaptive(
            forest, moving, inputs, self._settings(), state.dt, moved, steps, state.time, work
        )
        if steps > 0:
            self._remember(state)
        state.dt = config.dt if done > 0 else state.dt
        return done, bad

    def _settings(self) -> Settings:
        config = self.config
        return Settings(
            dt=config.dt,
            limit_frequency=config.stop_frequency,
            max_speed=config.max_speed,
            update_every=config.update_every,
            criterion=ENERGY if config.criterion == "energy" else MOTION,
            gains=config.gains(),
            digest=self._digest,
        )

    def _is_known(self, state: State) -> bool:
        """Whether the clusters are those of a state; it may have been put elsewhere."""
        return bool(self._known) and all(map(np.array_equal, self._known, (state.q, state.v, state.kept)))

    def _keep(self, state: State) -> State:
        """A copy of a state, until the next one is kept."""
        if self._before is None:
            self._before = state.copy()
        else:
            self._before.restore(state)
        return self._before

    def _remember(self, state: State) -> None:
        """The clusters are those of this state."""
        now = (state.q, state.v, state.kept)
        if self._known:
            for mine, theirs in zip(self._known, now, strict=True):
                mine[...] = theirs
        else:
            self._known = tuple(array.copy() for array in now)

    # --- what it knows about the last steps ---

    def contact_forces(self) -> FloatArray:
        """Force on every contact sample of what can touch the world."""
        return super().contact_forces() if self.world is None else self.world.contact_forces

    def sleeping(self, state: State) -> int:
        """How many characters rest on something, and cost nothing."""
        if self.world is None:
            return 0
        return int(np.count_nonzero(body_states(state.kept)["rest"][self.tables.trees["root"]] >= WHILE))

    def active_joints(self, state: State) -> NDArray[np.bool_]:
        """Those activated at the last active-region update."""
        able = super().active_joints(state)
        return able if state.dt == 0.0 else able & (body_states(state.kept)["active"] > 0.0)

    def selectable_joints(self) -> NDArray[np.int64]:
        """All but those of floating roots."""
        return self.tables.trees["joints"]

    def view_shares(self, state: State) -> FloatArray:
        """`OUTSIDE` of the picture, or where nothing was seen yet as the state has it."""
        return body_states(state.kept)["share"][self.tables.trees["root"]]

    def rigidification_errors(self, state: State) -> dict[str, float | None]:
        """None where it was not worked out."""
        names = [self.model.bodies[int(root)].name for root in self.tables.trees["root"]]
        if state.dt == 0.0 or (self._known and not self._is_known(state)):
            return dict.fromkeys(names)
        return {
            name: None if e == UNKNOWN else float(e) for name, e in zip(names, self.tables.status["error"], strict=True)
        }
