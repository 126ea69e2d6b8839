"""Parameters that change while a simulation runs, and the tables that follow from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.contact.tables import contact_tables
from stringless.engines import ENGINES, Feature, Setup, SimulationConfig
from stringless.engines.adaptive.view import View
from stringless.engines.base import REFERENCE_DT
from stringless.engines.config import CHANGEABLE, changed, check_names
from stringless.errors import InputError
from stringless.flesh.stability import part_limit
from stringless.flesh.wrap import check_material, stretch_floor
from stringless.model.checks import suggest
from stringless.model.flesh import Flesh, FleshSpec, retuned
from stringless.model.model import Model
from stringless.model.scene import Scene

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

MATERIAL = ("young", "poisson", "damping")
"""What may change of a part of the flesh: Young's modulus [Pa], Poisson's ratio, damping [1/s]."""

Tuning = Mapping[str, Mapping[str, float]]
"""Name of a part of the flesh to what changes of it."""


def material_parameters(parts: Sequence[FleshSpec]) -> dict[str, dict[str, float]]:
    """What can change of each part, as it is now."""
    return {part.name: {name: float(getattr(part, name)) for name in MATERIAL} for part in parts}


def tuned(parts: Sequence[FleshSpec], changes: Tuning) -> tuple[FleshSpec, ...]:
    """The parts with their materials changed, checked as when they were wrapped."""
    known = {part.name for part in parts}
    if not isinstance(changes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            f"flesh is {changes!r}; expected changes by name of the flesh, as in {{'worm': {{'young': 3e4}}}}"
        )
    for name, values in changes.items():
        if name not in known:
            raise InputError(f"there is no flesh '{name}'. {suggest(name, known)}")
        if not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"flesh '{name}' is {values!r}; expected new values by name: {', '.join(MATERIAL)}")
        for key in values:
            if key not in MATERIAL:
                raise InputError(f"'{key}' of flesh '{name}' cannot change; these can: {', '.join(MATERIAL)}")
    return tuple(_tuned_part(part, changes.get(part.name, {})) for part in parts)


def _tuned_part(part: FleshSpec, values: Mapping[str, float]) -> FleshSpec:
    fresh: dict[str, Any] = {name: value for name, value in values.items() if getattr(part, name) != value}
    if not fresh:
        return part
    part = dataclasses.replace(part, **fresh)
    try:
        check_material(part.material, part.young, part.poisson, 1.0, part.damping)
    except TypeError as error:
        raise InputError(f"a parameter of flesh '{part.name}' is not a number: {error}") from None
    if set(fresh) == {"damping"}:
        return part
    part = dataclasses.replace(part, low=stretch_floor(*part.lame))
    return dataclasses.replace(part, step_limit=part_limit(part))


def scene_config(scene: Scene, *, engine: Any, dt: float | None, **options: Any) -> SimulationConfig:
    """The parameters for a scene: as it says, or the usual ones for an engine that it is not made for, where not given."""
    check_names(options)
    chosen: Any = scene.engine if engine is None else engine
    step = (scene.dt if chosen == scene.engine else 1e-3) if dt is None else dt
    if chosen == scene.engine and scene.active is not None and not {"active", "max_error"} & options.keys():
        options["active"] = scene.active
    return SimulationConfig(engine=chosen, dt=step, **options)


class Parameters:
    """The parameters in force, and what follows from them: flesh of these materials, contact of this stiffness."""

    def __init__(self, model: Model, config: SimulationConfig) -> None:
        self.model = model
        self._tables = contact_tables(model, REFERENCE_DT, config.friction)
        self.setup = self._made(config, model.flesh, {})

    def changed(self, changes: dict[str, Any], flesh: Tuning | None) -> Setup:
        """What follows from other parameters, checked; they are not in force yet."""
        return self._made(changed(self.setup.config, changes), self.setup.flesh, {} if flesh is None else flesh)

    def _made(self, config: SimulationConfig, before: Flesh | None, changes: Tuning) -> Setup:
        engine, parts = ENGINES[config.engine], tuned(() if before is None else before.specs, changes)
        flesh = before
        if before is not None:
            flesh = retuned(before, parts, dt=engine.flesh_dt(config, parts), stiffness=config.flesh_stiffness)
        # Always from the same tables: the way to a parameter must not change the last digit.
        return Setup(config, flesh, engine.scaled_contact(self._tables, config, self.model, parts))

    def as_data(self) -> dict[str, Any]:
        """Everything that can change, as plain numbers and words."""
        config, flesh, _ = self.setup
        now = {name: getattr(config, name) for name in CHANGEABLE}
        return now | ({"flesh": material_parameters(flesh.specs)} if flesh else {})

    def copy(self) -> Parameters:
        """Another one that can go on for itself; the tables never change and are shared."""
        other = object.__new__(Parameters)
        other.__dict__.update(self.__dict__)
        return other

    @property
    def samples(self) -> Any:
        """Contact samples of bodies without flesh."""
        return self._tables.samples

    def __getstate__(self) -> dict[str, Any]:
        """All but tables, which are made again: compiled code knows tables that cannot be written, and copies can."""
        return {"model": self.model, "config": self.setup.config, "flesh": self.setup.flesh}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.model, config = state["model"], state["config"]
        self._tables = contact_tables(self.model, REFERENCE_DT, config.friction)
        self.setup = self._made(config, state["flesh"], {})


# --- level of detail that follows a view ----------------------------------------------------------------------------


def detail_view(sim: Simulation) -> View | None:
    """The view that level of detail follows, if there is one."""
    return None if sim.config.view is None else View.of(sim.config.view)


def look_from(sim: Simulation, view: View | Mapping[str, Any] | None, *, total: int | None = None) -> None:
    """Let the level of detail of engine `adaptive` follow a view; None for the same detail everywhere.

    As `configure(view=...)`, and cheap enough for a camera that moves.

    Args:
        sim: the simulation.
        view: the camera, or None.
        total: the most active joints of all characters together, where they are now; sets `active` to the largest number that
            keeps within it. Each character in the picture has at least one.
    """
    sim.engine.require(Feature.LEVEL_OF_DETAIL)
    if total is not None and (isinstance(total, bool) or not isinstance(total, (int, np.integer)) or total < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"total is {total!r}, expected a whole number of joints, 1 or more")
    setup = sim.setup._replace(config=changed(sim.config, {"view": view}))
    sim.engine.set_view(setup.config)
    sim.parameter_set.setup = setup
    active = None if total is None else sim.engine.share_out(sim.state.q, total)
    if active is not None:
        sim.configure(active=active)
