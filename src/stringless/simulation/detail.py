"""Level of detail that follows a view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.engines import AdaptiveEngine, Feature
from stringless.engines.adaptive.view import View
from stringless.engines.config import changed
from stringless.errors import InputError

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation


def detail_view(sim: Simulation) -> View | None:
    """The view that level of detail follows, if there is one."""
    return None if sim.config.view is None else View.of(sim.config.view)


def look_from(sim: Simulation, view: View | Mapping[str, Any] | None, *, total: int | None = None) -> None:
    """Let joints be spent where they are seen, with engine `adaptive`; None if nothing is looked at.

    As `configure(view=...)`, and cheap enough for a camera that moves.

    Args:
        sim: the simulation.
        view: from where.
        total: joints of all characters together that may move as they stand now; sets `active` to the largest number that
            keeps within it. One joint of each that is seen may move in any case.
    """
    sim.engine.require(Feature.LEVEL_OF_DETAIL)
    assert isinstance(sim.engine, AdaptiveEngine)
    if total is not None and (isinstance(total, bool) or not isinstance(total, (int, np.integer)) or total < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"total is {total!r}, expected a whole number of joints, 1 or more")
    setup = sim.setup._replace(config=changed(sim.config, {"view": view}))
    sim.engine.set_view(setup.config)
    sim.parameter_set.setup = setup
    active = None if total is None else sim.engine.share_out(sim.state.q, total)
    if active is not None:
        sim.configure(active=active)
