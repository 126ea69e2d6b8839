"""Everything that is commanded of a simulation, as plain data: what a take keeps beside the states, to go on exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.control.motion import Motion

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

Inputs = dict[str, Any]


def read_inputs(sim: Simulation, keep_motion: Callable[[Motion], str]) -> Inputs:
    """What is commanded now. A motion to follow may be long: `keep_motion` puts it away and says under which name."""
    return {
        "parameters": sim.parameters(),
        **read_signals(sim),
        "motion": None if sim.motion is None else keep_motion(sim.motion),
        "followed": np.flatnonzero(sim.followed).tolist(),
        "director": sim.director.commands() if sim.has_director else None,
    }


def read_signals(sim: Simulation) -> Inputs:
    """What a program sets as arrays; only numbers other than zero are named."""
    return {
        "tau": _sparse(sim.tau),
        "external": _sparse(np.ravel(sim.external)),
        "prescribed": np.flatnonzero(sim.prescribed).tolist(),
        "acceleration": _sparse(np.where(sim.prescribed, sim.acceleration, 0.0)),
    }


def apply_inputs(sim: Simulation, inputs: Inputs, find_motion: Callable[[str], Motion]) -> None:
    """Command again what was commanded."""
    if inputs["parameters"] != sim.parameters():
        sim.configure(**inputs["parameters"])
    for name in ("tau", "external", "acceleration"):
        array = getattr(sim, name)
        array[...] = 0.0
        for place, value in inputs[name].items():
            array.reshape(-1)[int(place)] = value
    sim.prescribed[:] = False
    sim.prescribed[inputs["prescribed"]] = True
    sim.motion = None if inputs["motion"] is None else find_motion(inputs["motion"])
    sim.followed[:] = False
    sim.followed[inputs["followed"]] = True
    if inputs["director"] is not None:
        sim.director.restore_data(inputs["director"])
    elif sim.has_director:
        sim.director.forget()


def comparable(inputs: Inputs) -> Inputs:
    """What counts when inputs of two times are compared: not where targets are that something outside leads."""
    director = inputs["director"]
    if director is None:
        return inputs
    goals = [{name: _kind(value) for name, value in goal.items()} for goal in director["goals"]]
    return inputs | {"director": director | {"goals": goals}}


def _kind(value: Any) -> Any:
    return "led" if isinstance(value, dict) and value.get("kind") in ("function", "stream") else value


def _sparse(values: Any) -> dict[str, float]:
    return {str(k): float(values[k]) for k in np.flatnonzero(values)}
