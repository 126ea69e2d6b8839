"""From one state to the next: runs of steps in compiled code, and what is said when one fails."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stringless.engines import Outcome
from stringless.errors import DivergenceError, StringlessWarning
from stringless.simulation.diagnosis import divergence, lost_node

if TYPE_CHECKING:
    from stringless.simulation.recorder import Recorder
    from stringless.simulation.simulation import Simulation


@dataclass
class WarningLog:
    """Warnings that were given, so that each is given once."""

    topics: set[str] = field(default_factory=set)
    checked: tuple[int, int] = (0, -2)
    """Parameters and revision of the director that were checked for settings without effect."""


STEPS_PER_CALL = 256
"""Steps that run in compiled code before Python handles interrupts and reports progress."""
LARGE_CORRECTION = 20.0
"""Beyond this, about twice the weight, keeping momentum is no small correction any more [m/s²]."""


def run_steps(
    sim: Simulation, count: int, report: Callable[[float], None] | None = None, recorder: Recorder | None = None
) -> None:
    """Simulate steps, with a frame for the recorder, if any, whenever one is due."""
    controls, config = sim.controls, sim.config
    controls.check()
    while count > 0:
        # The force of a spring to the world is that of one step, unless the engine finds it by itself.
        some = min(count, 1 if controls.springs and sim.engine.one_step_calls else STEPS_PER_CALL)
        if controls.is_directed:
            some = min(some, sim.director.sample_targets(config.dt) or some)
        if recorder is not None:
            recorder.note_targets()
            some = min(some, recorder.count_steps_to_frame())
        warn_of_ignored(sim)
        outcome = sim.engine.run(controls, sim.state, some)
        if recorder is not None:
            recorder.note_steps(outcome.done)
        raise_lost_node(sim, outcome)
        if outcome.coordinate >= 0:
            tau = sim.model.vector(controls.tau, sim.model.nv, "tau")
            raise divergence(
                sim.model, sim.state, outcome.coordinate, config=config, tau=tau, external=controls.external
            )
        count -= outcome.done
        _warn_of_correction(sim)
        if report:
            report(sim.time)


def raise_lost_node(sim: Simulation, outcome: Outcome) -> None:
    """Say so if a node of the flesh diverged, and no joint did."""
    if outcome.coordinate < 0 <= outcome.node:
        assert sim.flesh is not None
        raise _lost(sim, outcome.node)


def _lost(sim: Simulation, node: int) -> DivergenceError:
    config, parts = sim.config, sim.engine.flesh_parts
    assert sim.flesh is not None
    return lost_node(sim.model, sim.flesh, sim.state, node, dt=config.dt, stiffness=config.flesh_stiffness, parts=parts)


def warn_of_ignored(sim: Simulation) -> None:
    """Say once of each thing that was set and that the engine ignores."""
    director = sim.controls.director
    seen = (id(sim.config), -1 if director is None else director.revision)
    if sim.warning_log.checked == seen:
        return
    sim.warning_log.checked = seen
    for what, text in sim.engine.ignored(director).items():
        if what not in sim.warning_log.topics:
            sim.warning_log.topics.add(what)
            warnings.warn(text, StringlessWarning, stacklevel=5)


def _warn_of_correction(sim: Simulation) -> None:
    """Say so once if keeping momentum takes much: the step is too long for how a character moves."""
    if not sim.controls.is_directed or "correction" in sim.warning_log.topics:
        return
    sizes = sim.director.workspace.report["largest_correction"]
    k = int(np.argmax(sizes))
    if sizes[k] > LARGE_CORRECTION:
        sim.warning_log.topics.add("correction")
        warnings.warn(
            f"keeping the momentum of '{sim.director.characters[k].name}' took {sizes[k]:.3g} m/s² up to time {sim.time:.4g} "
            f"s, more than {LARGE_CORRECTION:g}: its motion is too fast for steps of {sim.config.dt * 1e3:g} ms. Set dt "
            f"to {sim.config.dt * 1e3 * LARGE_CORRECTION / (2 * sizes[k]):.2g} ms or less, or make its goals less stiff",
            StringlessWarning,
            stacklevel=4,
        )
