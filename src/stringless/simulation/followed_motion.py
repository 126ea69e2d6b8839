"""Letting bones follow a motion exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stringless.control.motion import Motion
from stringless.engines import Engine, Feature
from stringless.errors import InputError
from stringless.state import State

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation

FAR = 0.1
"""A motion that is farther than this from where a joint is [rad, m] would tear it there within one step."""


def followed_coordinates(
    engine: Engine, state: State, motion: Motion, joints: Sequence[str] | None
) -> NDArray[np.bool_]:
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

    After every step the joints stand where the motion is then. `effort` tells what that took, whatever an actuator can
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
        controls.director.give_way(controls.followed)
