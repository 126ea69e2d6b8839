"""Everything that is commanded of a simulation, and that as plain data: what a take keeps beside the states, to go on exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.motion import Motion
from stringless.dynamics.hybrid import mask, wrenches
from stringless.engines import Engine, Feature
from stringless.engines.config import CHANGEABLE, SimulationConfig
from stringless.errors import InputError
from stringless.spatial.arrays import BoolArray
from stringless.state import State
from stringless.timeline.patch import Patch

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

Inputs = dict[str, Any]
USUAL = {item.name: item.default for item in fields(SimulationConfig) if item.name in CHANGEABLE}
"""Parameters as they are by default."""
FAR = 0.1
"""A motion that is farther than this from where a joint is [rad, m] would tear it there within one step."""


def complete_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
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
    parameters = complete_parameters(inputs["parameters"])
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
            there[...] = fresh  # references to the array stay valid
        else:
            setattr(sim, name, fresh)
    sim.motion = None if inputs["motion"] is None else find_motion(inputs["motion"])
    sim.followed[:] = False
    sim.followed[inputs["followed"]] = True
    if inputs["director"] is not None:
        sim.director.restore_data(inputs["director"])
    elif sim.has_director:
        sim.director.forget()


TARGET_PATH = re.compile(r"/director/goals/(\d+)/(target|orientation)")
"""Paths in a patch that say where a target is."""


def apply_targets(sim: Simulation, patch: Patch) -> bool:
    """Apply a patch that only moves targets on, as happens at every tick; False, and nothing done, if it does more."""
    places = [TARGET_PATH.fullmatch(path) for path in patch]
    if not sim.has_director or not all(places):
        return False
    goals = [sim.director.goals[int(place[1])] for place in places if place]
    followers = [goal.followers.get(place[2]) for goal, place in zip(goals, places, strict=True) if place]
    for follower, segment in zip(followers, patch.values(), strict=True):
        if follower is None or segment["kind"] != "function":
            return False
    for goal, follower, segment in zip(goals, followers, patch.values(), strict=True):
        assert follower is not None
        follower.follow_segment(segment)
        sim.director.refresh(goal)
    return True


def select_comparable(inputs: Inputs) -> Inputs:
    """What counts when inputs of two times are compared: not where functions and streams move targets, nor the view."""
    inputs = inputs | {"parameters": complete_parameters(inputs["parameters"]) | {"view": None}}
    director = inputs["director"]
    if director is None:
        return inputs
    goals = [{name: _kind(value) for name, value in goal.items()} for goal in director["goals"]]
    return inputs | {"director": director | {"goals": goals}}


def _kind(value: Any) -> Any:
    return "led" if isinstance(value, dict) and value.get("kind") in ("function", "stream") else value


def _sparse(values: Any) -> dict[str, float]:
    return {str(k): float(values[k]) for k in np.flatnonzero(values)}


class Signal:
    """One of the arrays of `Controls`, set and read on the simulation itself."""

    def __init__(self, text: str) -> None:
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, sim: Any, owner: type | None = None) -> Any:
        return self if sim is None else getattr(sim.controls, self.name)

    def __set__(self, sim: Any, value: Any) -> None:
        setattr(sim.controls, self.name, value)


def followed_coordinates(engine: Engine, state: State, motion: Motion, joints: Sequence[str] | None) -> BoolArray:
    """Which coordinates would follow a motion: those of the named joints, of all if none are named.

    Raises:
        InputError: the engine cannot, or the motion is of another model or begins elsewhere.
    """
    model = engine.model
    if motion.model.nq != model.nq or not np.array_equal(motion.model.tree["kind"], model.tree["kind"]):
        raise InputError(
            f"this motion is of model '{motion.model.name}', which is incompatible with model '{model.name}'"
        )
    engine.require(Feature.FOLLOWING)
    followed = np.zeros(model.nv, dtype=np.bool_)
    for joint in model.joints if joints is None else [model.joint(name) for name in joints]:
        followed[joint.v_slice] = True
    apart = np.where(followed, np.abs(model.difference(state.q, motion.at(state.time)[0])), 0.0)
    far = int(np.argmax(apart)) if model.nv else 0
    if model.nv and apart[far] > FAR:
        raise InputError(
            f"the motion is {apart[far]:.3g} away from where joint {model.dof_name(far)} is now; put the scene "
            "there first, as with sim.set_state(*motion.at(sim.time))"
        )
    return followed


def follow_motion(sim: Simulation, motion: Motion | None, joints: Sequence[str] | None = None) -> None:
    """Let the bones follow a motion, exactly, while flesh and all else answer to it; `None` sets them free again.

    After every step the joints stand where the motion is then. `effort` is what that took, whatever an actuator can
    give; that of a root joint is the wrench that an invisible hand exerts on the character, moment first, along body
    axes.

    Args:
        sim: the simulation.
        motion: by the time of this simulation.
        joints: names of the joints that follow; all, roots included, if not given.
    """
    none = np.zeros(sim.model.nv, dtype=np.bool_)
    controls = sim.controls
    controls.followed = none if motion is None else followed_coordinates(sim.engine, sim.state, motion, joints)
    controls.motion = motion
    if controls.director is not None:
        controls.director.leave_to_motion(controls.followed)
