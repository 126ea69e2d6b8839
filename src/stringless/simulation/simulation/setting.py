"""What a simulation is made of, and what of it can change between two steps."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.contact.tables import ContactTables, contact_tables, firm_enough, retuned_contact
from stringless.control.director import Director, new_memory
from stringless.control.motion import Motion
from stringless.engines.adaptive.engine import AdaptiveRoom, check_adaptive, new_kept
from stringless.engines.adaptive.view import View
from stringless.engines.config import CHANGEABLE, Engine, Integrator, SimulationConfig, changed, check_names
from stringless.engines.reduced.substeps import halvings
from stringless.engines.reduced.workspace import FleshWorkspace, new_anchors
from stringless.engines.stiff.engine import StiffRoom, check_reference, flesh_parts, new_bodies
from stringless.errors import InputError, StringlessWarning
from stringless.flesh.quantities import carried_nodes
from stringless.flesh.stability import step_advice
from stringless.kinematics import check_loops
from stringless.model import Model, Scene
from stringless.model.flesh import Flesh, FleshSpec, retuned
from stringless.simulation.parameters import Tuning, material_parameters, tuned
from stringless.state import State

FloatArray = NDArray[np.float64]
REFERENCE_DT = 1e-3
"""Step that the tables of contact are made for, once; they are scaled from it to the one in use [s]."""
WHOLE_STEPS = "a directed scene takes the step it is given; set substeps to 'off', and dt as needed"


class Setting:
    """A scene, its state, its director, and its parameters."""

    def __init__(
        self,
        scene: Scene | Model,
        *,
        engine: Engine | None = None,
        dt: float | None = None,
        integrator: Integrator = "symplectic",
        record: float = 120.0,
        **options: Any,
    ) -> None:
        """Start at the scene's initial state, at time zero.

        Args:
            scene: what to simulate.
            engine: how states are advanced; as the scene says if not given.
            dt: length of a step [s]; as the scene says, or 1 ms for an engine that it is not made for.
            integrator: `symplectic`, or `rk4` as a reference.
            record: frames per simulated second that `take` keeps; 0 to record nothing.
            options: the other fields of `SimulationConfig`.
        """
        if not isinstance(scene, (Scene, Model)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(
                f"cannot simulate {scene!r}; expected a Scene or a Model, as `stringless.load` returns one"
            )
        self.scene = Scene(scene) if isinstance(scene, Model) else scene
        self.model = self.scene.model
        check_names(options)
        chosen: Any = self.scene.engine if engine is None else engine
        step = (self.scene.dt if chosen == self.scene.engine else 1e-3) if dt is None else dt
        if chosen == self.scene.engine == "adaptive" and not {"active", "max_error"} & options.keys():
            options["active"] = self.scene.active
        self.config = SimulationConfig(engine=chosen, dt=step, integrator=integrator, **options)
        self._check_loops()
        self.flesh = self._tuned_flesh(self.config, {})
        """The flesh as it is now; `model.flesh` is what it was at the start."""
        self._make_tables()
        self._told: set[str] = set()  # what the engine does not know, and was said
        self._heard = -1  # revision of the director that was looked at for such things
        self._warn_of_step()
        self.state = self._start()
        self.tau = np.zeros(self.model.nv)
        self.external = np.zeros((self.model.body_count, 6))
        self.prescribed = np.zeros(self.model.nv, dtype=np.bool_)
        self.acceleration = np.zeros(self.model.nv)
        self.effort = np.zeros(self.model.nv)
        self._scaled: tuple[Any, float, Any] | None = None  # coordinates with springs of other strength
        self._owed = 0.0  # time asked for that did not make a whole step yet
        self._warned_of_correction = False
        self.motion: Motion | None = None
        """What the coordinates in `followed` follow; set by `follow`."""
        self.followed = np.zeros(self.model.nv, dtype=np.bool_)
        self._old_memory = new_memory(self.model)  # what a failed step is taken back from
        if not (isinstance(record, (int, float)) and math.isfinite(record) and record >= 0):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"record is {record!r}; expected frames per simulated second, 0 for none")
        self._record = float(record)

    def _make_tables(self) -> None:
        """Tables of contact, and room for the step."""
        self._tables = contact_tables(self.model, REFERENCE_DT, self.config.friction)
        contact = self._contact(self.config, self.flesh)
        self.workspace: FleshWorkspace | None = None
        self.stiff: StiffRoom | None = None
        if self.config.engine == "stiff":
            check_reference(self.model, contact, self.config)
            self._check_newton(self.config)
            self.stiff = StiffRoom(self.model, contact, self.config)
        self.adaptive: AdaptiveRoom | None = None
        if self.config.engine == "adaptive":
            check_adaptive(self.scene, contact)
            self.adaptive = AdaptiveRoom(self.model, self.config, contact)
        elif self.flesh is not None or not contact.empty or self.config.substeps == "auto" or self.stiff:
            self.workspace = FleshWorkspace(self.model, self.flesh, contact)

    def _check_newton(self, config: SimulationConfig) -> None:
        if config.newton > 1 and self.flesh is not None:
            raise InputError(f"newton is {config.newton}; scenes with flesh take one iteration a step, leave it at 1")

    def _check_loops(self) -> None:
        """Refuse loops that are open at the start, or that the engine does not know."""
        if self.model.loop_specs and self.config.engine == "reduced":
            names = ", ".join(f"'{loop.name}'" for loop in self.model.loop_specs)
            raise InputError(f"engine 'reduced' cannot close loops ({names}); use engine 'stiff' for this scene")
        check_loops(self.model, self.scene.q)

    def _start(self) -> State:
        q, v = self.scene.q.copy(), self.scene.v.copy()
        if self.workspace is None:
            kept = np.zeros((0, 0)) if self.adaptive is None else new_kept(self.model, self.adaptive)
            points = 0 if self.adaptive is None or self.adaptive.ground is None else len(self._tables.probes)
            return State(0.0, q, v, anchors=new_anchors(points), memory=new_memory(self.model), bodies=kept)
        if self.config.integrator == "rk4":
            raise InputError("integrator 'rk4' knows neither flesh nor contact; use 'symplectic' for this scene")
        x, xdot = carried_nodes(self.model, q, v)
        bodies = np.zeros((0, 0))
        if self.stiff is not None:
            bodies = new_bodies(self.model, self.config)
        anchors, memory = self.workspace.new_anchors(), new_memory(self.model)
        return State(0.0, q, v, np.zeros_like(v), x, xdot, anchors, memory, bodies)

    @functools.cached_property
    def director(self) -> Director:
        """Goals for the characters of the scene. From the first goal on, their joints do what it asks for."""
        if self.config.integrator == "rk4":
            raise InputError("integrator 'rk4' cannot direct characters; use 'symplectic'")
        if self.adaptive is not None:
            raise InputError("engine 'adaptive' knows no goals; use engine 'reduced' or 'stiff' to direct characters")
        if self.config.update == "bodies":
            raise InputError("update 'bodies' is there to compare, and knows no goals; use update 'joints' to direct")
        if self.workspace is None:
            self.workspace = FleshWorkspace(self.model, self.flesh, self._contact(self.config, self.flesh))
        return Director(self.model, self.state)

    @property
    def has_director(self) -> bool:
        """Whether anybody has asked for the director yet."""
        return "director" in self.__dict__

    @property
    def is_directed(self) -> bool:
        """Whether any joint does what goals or keyframes ask for."""
        return self.has_director and self.director.is_acting

    def skeleton(self) -> tuple[Any, Any, FloatArray]:
        """Tables of bodies, coordinates and rest of springs, as directing and parameters have them now."""
        model = self.model
        tree, dofs, rest = self.director.skeleton() if self.has_director else (model.tree, model.dofs, model.q_rest)
        factor = self.config.joint_springs
        if factor == 1.0:
            return tree, dofs, rest
        known = self._scaled
        if known is None or known[0] is not dofs or known[1] != factor:
            scaled = dofs.copy()
            scaled["stiffness"] *= factor
            scaled["damping"] *= factor
            scaled.flags.writeable = False  # as those of the model: compiled code tells the two apart
            self._scaled = known = (dofs, factor, scaled)
        return tree, known[2], rest

    # --- what can change ---

    def parameters(self) -> dict[str, Any]:
        """Everything that `configure` can change, as it is now: plain numbers and words, ready to be written down."""
        now = {name: getattr(self.config, name) for name in CHANGEABLE}
        return now | ({"flesh": material_parameters(self.flesh.specs)} if self.flesh else {})

    def configure(self, *, flesh: Tuning | None = None, **changes: Any) -> None:
        """Change parameters between two steps: all of them, or none if one is refused.

        Args:
            flesh: name of a part of the flesh to its new `young`, `poisson` or `damping`.
            changes: fields of `SimulationConfig` except `engine` and `integrator`.

        Masses stay what they were. `sim.configure(**other.parameters())` makes two simulations of a scene alike.
        """
        config = changed(self.config, changes)
        if config.substeps == "auto" and self.is_directed:
            raise InputError(WHOLE_STEPS)
        self._check_newton(config)
        tuned_flesh = self._tuned_flesh(config, {} if flesh is None else flesh)
        contact = self._contact(config, tuned_flesh)
        if self.workspace is not None:
            self.workspace.use(tuned_flesh, contact)
        elif config.substeps == "auto":
            self.workspace = FleshWorkspace(self.model, tuned_flesh, contact)
        if self.adaptive is not None:
            self.adaptive.set(config, contact)
        self.config, self.flesh = config, tuned_flesh
        self._warn_of_step()

    def look_from(self, view: View | Mapping[str, Any] | None, *, total: int | None = None) -> None:
        """Let joints be spent where somebody sees them, with engine `adaptive`; None if nobody looks.

        As `configure(view=...)`, and cheap enough for a camera that moves.

        Args:
            view: from where.
            total: joints of all characters together that may move as they stand now; sets `active` to the largest number that
                keeps within it. One joint of each that is seen may move in any case.
        """
        if self.adaptive is None:
            raise InputError(f"engine '{self.config.engine}' moves all joints, wherever one looks from; use 'adaptive'")
        if total is not None and (isinstance(total, bool) or not isinstance(total, (int, np.integer)) or total < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"total is {total!r}, expected a whole number of joints, 1 or more")
        config = changed(self.config, {"view": view})
        self.adaptive.look(config.view)
        self.config = config
        if total is not None and self.adaptive.tables.trees["joints"].any():  # else there is nothing to share out
            self.configure(active=self.adaptive.shared_out(self.state.q, total))

    @property
    def view(self) -> View | None:
        """From where somebody looks, if anybody does."""
        return None if self.config.view is None else View.of(self.config.view)

    def _tuned_flesh(self, config: SimulationConfig, changes: Tuning) -> Flesh | None:
        before = getattr(self, "flesh", self.model.flesh)
        if before is None:
            tuned((), changes)
            return None
        parts = tuned(before.specs, changes)
        dt = config.dt / (flesh_parts(config, parts) if config.engine == "stiff" else 1 << halvings(config, parts)[0])
        return retuned(before, parts, dt=dt, stiffness=config.flesh_stiffness)

    def _contact(self, config: SimulationConfig, flesh: Flesh | None) -> ContactTables:
        dt = config.dt / (1 << halvings(config, flesh.specs if flesh else ())[0])
        if config.engine == "stiff":
            dt = REFERENCE_DT  # implicit: as firm at any step
        # Always from the same tables: the way to a parameter must not change the last digit.
        tables = retuned_contact(
            self._tables, ratio=REFERENCE_DT / dt, friction=config.friction, self_contact=config.self_contact
        )
        return firm_enough(tables, self.model) if config.engine == "stiff" else tables

    @property
    def _parts(self) -> tuple[FleshSpec, ...]:
        return self.flesh.specs if self.flesh else ()

    def _warn_of_step(self) -> None:
        """Say so if the step is too long for the flesh, and what would do; or if the engine does not know a parameter."""
        if self.config.engine == "stiff":
            if self.config.restitution < 1.0 and len(self._tables.probes) and "restitution" not in self._told:
                self._told.add("restitution")
                warnings.warn(
                    f"restitution {self.config.restitution:g} does nothing for bodies without flesh with engine 'stiff': their "
                    "landings are dead at long steps. Use engine 'reduced' to choose how they bounce",
                    StringlessWarning,
                    stacklevel=3,
                )
            return
        if self.config.substeps == "auto":
            return
        for advice in step_advice(self._parts, self.config.dt, self.config.flesh_stiffness):
            warnings.warn(advice, StringlessWarning, stacklevel=3)
