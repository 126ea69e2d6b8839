"""Everything that is commanded of a simulation, as plain data: what a take keeps beside the states, to go on exactly."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.motion import Motion
from stringless.dynamics.hybrid import mask, wrenches
from stringless.engines.config import CHANGEABLE, SimulationConfig
from stringless.timeline.patch import Patch

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

Inputs = dict[str, Any]
USUAL = {item.name: item.default for item in fields(SimulationConfig) if item.name in CHANGEABLE}
"""Parameters as they are if nobody has said anything."""


def completed(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as a file has them; one that came after the file was written is what it had been without a name."""
    return USUAL | parameters


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
    tau, external, prescribed, acceleration = signal_arrays(sim)
    return {
        "tau": _sparse(tau),
        "external": _sparse(external.ravel()),
        "prescribed": np.flatnonzero(prescribed).tolist(),
        "acceleration": _sparse(acceleration),
    }


def signal_arrays(sim: Simulation) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Efforts, wrenches, which coordinates are prescribed and how, checked: a program may have set lists."""
    model = sim.model
    given = mask(model, sim.prescribed)
    acceleration = model.vector(sim.acceleration, model.nv, "acceleration")
    tau, external = model.vector(sim.tau, model.nv, "tau"), wrenches(model, sim.external)
    return tau, external, given, np.where(given, acceleration, 0.0)


def apply_inputs(sim: Simulation, inputs: Inputs, find_motion: Callable[[str], Motion]) -> None:
    """Command again what was commanded."""
    parameters = completed(inputs["parameters"])
    if parameters != sim.parameters():
        sim.configure(**parameters)
    names = ("tau", "external", "prescribed", "acceleration")
    for name, array in zip(names, signal_arrays(sim), strict=True):
        fresh = np.zeros_like(array)
        if name == "prescribed":
            fresh[inputs[name]] = True
        else:
            fresh.reshape(-1)[[int(place) for place in inputs[name]]] = list(inputs[name].values())
        there = getattr(sim, name)
        if isinstance(there, np.ndarray) and there.shape == fresh.shape and there.dtype == fresh.dtype:
            there[...] = fresh  # whoever holds the array goes on holding the right one
        else:
            setattr(sim, name, fresh)
    sim.motion = None if inputs["motion"] is None else find_motion(inputs["motion"])
    sim.followed[:] = False
    sim.followed[inputs["followed"]] = True
    if inputs["director"] is not None:
        sim.director.restore_data(inputs["director"])
    elif sim.has_director:
        sim.director.forget()


LED = re.compile(r"/director/goals/(\d+)/(target|orientation)")
"""Paths in a patch that say where a target is."""


def lead(sim: Simulation, patch: Patch) -> bool:
    """Apply a patch that only moves targets on, as happens at every tick; False, and nothing done, if it does more."""
    places = [LED.fullmatch(path) for path in patch]
    if not sim.has_director or not all(places):
        return False
    goals = [sim.director.goals[int(place[1])] for place in places if place]
    followers = [goal.followers.get(place[2]) for goal, place in zip(goals, places, strict=True) if place]
    for follower, stretch in zip(followers, patch.values(), strict=True):
        if follower is None or stretch["kind"] != "function":
            return False
    for goal, follower, stretch in zip(goals, followers, patch.values(), strict=True):
        assert follower is not None
        follower.lead(stretch)
        sim.director.refresh(goal)
    return True


def comparable(inputs: Inputs) -> Inputs:
    """What counts when inputs of two times are compared: not where targets are that something outside leads, nor who looks."""
    inputs = inputs | {"parameters": completed(inputs["parameters"]) | {"view": None}}
    director = inputs["director"]
    if director is None:
        return inputs
    goals = [{name: _kind(value) for name, value in goal.items()} for goal in director["goals"]]
    return inputs | {"director": director | {"goals": goals}}


def _kind(value: Any) -> Any:
    return "led" if isinstance(value, dict) and value.get("kind") in ("function", "stream") else value


def _sparse(values: Any) -> dict[str, float]:
    return {str(k): float(values[k]) for k in np.flatnonzero(values)}
