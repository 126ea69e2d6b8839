"""Why a scene cannot be simulated, or a simulation ran away: one sentence a person can act on."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from stringless.errors import DivergenceError, ModelError, Problem
from stringless.flesh.stability import MARGIN, RISKY
from stringless.kinematics import check_loops
from stringless.model import Scene
from stringless.model.checks import suggest
from stringless.model.flesh import Flesh
from stringless.model.model import Model
from stringless.simulation.config import LONGEST_STEP, Engine
from stringless.state import State, scratch
from stringless.state.soundness import UNIT, is_sound

LIVELY = 0.3
"""A joint that turns this far in one step [rad] is beyond what an explicit step can follow."""


def scene_problems(scene: Scene) -> list[Problem]:
    """Why a scene cannot be simulated in the way that it says itself: its engine, its step, its loops."""
    found = []
    engines = get_args(Engine)
    if scene.engine not in engines:
        remedy = suggest(str(scene.engine), engines)
        found.append(Problem("scene", f"engine '{scene.engine}'", f"one of: {', '.join(engines)}", remedy))
    if scene.dt > LONGEST_STEP:
        found.append(Problem("scene", f"dt = {scene.dt:g} s", f"at most {LONGEST_STEP:g} s"))
    for loop in scene.model.loop_specs if scene.engine == "reduced" else ():
        remedy = 'Write `engine = "stiff"` into [scene], or take the loop out.'
        found.append(
            Problem(f"loop '{loop.name}'", "engine 'reduced', which cannot close loops", "engine 'stiff'", remedy)
        )
    try:
        check_loops(scene.model, scene.q)
    except ModelError as error:
        found.extend(error.problems)
    return found


def divergence(
    model: Model,
    state: State,
    dof: int,
    *,
    dt: float,
    tau: NDArray[np.float64],
    external: NDArray[np.float64],
) -> DivergenceError:
    """Explain the runaway of velocity coordinate `dof` right after `state`, the last good one."""
    joint = model.bodies[int(model.dofs[dof]["body"])].joint
    cause = _cause(model, state, dof, dt, tau, external)
    message = (
        f"the simulation diverged at time {state.time + dt:.6g} s: the velocity of joint {model.dof_name(dof)} left the "
        f"range that a step of {dt:g} s can follow (it was {state.v[dof]:.4g} one step before). Likely cause: {cause} "
        "The state before this step was kept."
    )
    return DivergenceError(message, time=state.time, joint=joint.name, cause=cause)


def lost_node(
    model: Model, flesh: Flesh, state: State, node: int, *, dt: float, stiffness: float = 1.0, parts: int = 0
) -> DivergenceError:
    """Explain why a node of the flesh ran away right after `state`, the last good one.

    `parts` is into how many steps of the flesh the stiff engine has divided the one of the bones; 0 for other engines.
    """
    limit = min(spec.step_limit for spec in flesh.specs) / math.sqrt(stiffness)
    bone = int(flesh.nodes[node]["bone"])
    name = model.bodies[bone].name if bone >= 0 else "the ground"
    cause = f"the step of {dt:g} s is too long for the forces at work; try dt={_shorter(dt)}."
    if parts:
        cause = (
            f"flesh took the step in {parts} parts of {1e3 * dt / parts:.2g} ms, short enough for it alone; it is pulled or "
            f"crushed too hard. Try dt={_shorter(dt)}, smaller or softer pieces of flesh (a lower `young`), or less firm goals."
        )
    elif dt > RISKY * limit:
        cause = f"the flesh is stable up to a step of {MARGIN * limit:.3g} s; use that, softer flesh, or heavier nodes."
    message = (
        f"the simulation diverged at time {state.time + dt:.6g} s: node {node} of the flesh near '{name}' left the range "
        f"that a step of {dt:g} s can follow. Likely cause: {cause} The state before this step was kept."
    )
    return DivergenceError(message, time=state.time, joint=name, cause=cause)


def require_sound(model: Model, state: State) -> None:
    """Refuse to start from a state that is not made of finite numbers and unit quaternions."""
    for joint in model.joints if not is_sound(model.tree, state.q, state.v) else ():
        q = state.q[joint.q_slice]
        fault = (
            "" if np.isfinite(q).all() and np.isfinite(state.v[joint.v_slice]).all() else "a number that is not finite"
        )
        if not fault and not joint.kind.is_vector and abs(float(np.linalg.norm(q[-4:])) - 1) > UNIT:
            fault = "a quaternion that is not of unit length"
        if fault:
            cause = f"the configuration or velocity of joint '{joint.name}' was set to {fault}."
            message = (
                f"the simulation cannot go on from time {state.time:.6g} s: {cause} Set it right, or restore a state."
            )
            raise DivergenceError(message, time=state.time, joint=joint.name, cause=cause)


def _cause(
    model: Model, state: State, dof: int, dt: float, tau: NDArray[np.float64], external: NDArray[np.float64]
) -> str:
    bad = np.flatnonzero(~np.isfinite(tau))
    if len(bad):
        return f"the effort given for joint {model.dof_name(int(bad[0]))} is {tau[bad[0]]}; give finite efforts."
    bad = np.flatnonzero(~np.isfinite(external).all(axis=-1)) if external.size else bad
    if len(bad):
        return f"the external wrench on body '{model.bodies[int(bad[0])].name}' is not finite; give finite wrenches."
    for joint in model.joints:
        if not (np.isfinite(state.q[joint.q_slice]).all() and np.isfinite(state.v[joint.v_slice]).all()):
            return f"the configuration or velocity of joint '{joint.name}' was set to a number that is not finite."
    empty = np.flatnonzero(~np.isfinite(scratch(model).dofs["Psi"]))
    if len(empty):
        return (
            f"joint {model.dof_name(int(empty[-1]))} has no inertia of its own to move: what it carries turns freely about "
            "the same axis. Give its body a moment of inertia, or the joint an armature."
        )
    efforts = np.minimum(np.abs(tau), model.dofs["effort"])
    hardest = int(np.argmax(efforts / model.dofs["inertia"]))
    inertia = float(model.dofs[hardest]["inertia"])
    if efforts[hardest] * dt * dt > LIVELY * inertia:
        return (
            f"an effort of {efforts[hardest]:.4g} on joint {model.dof_name(hardest)}, whose inertia is {inertia:.4g}, is "
            f"too violent for this step; lower the effort, add armature, or try dt={_shorter(dt)}."
        )
    fastest = int(np.argmax(np.abs(state.v) * model.dofs["turns"])) if model.nv else 0
    if abs(state.v[fastest]) * dt > LIVELY:
        return (
            f"joint {model.dof_name(fastest)} turned {abs(state.v[fastest]) * dt:.2g} rad in one step, "
            f"which an explicit step cannot follow; try dt={_shorter(dt)}."
        )
    lightest = int(np.argmin(model.dofs["inertia"]))
    return (
        f"the step of {dt:g} s is too long for the forces at work; try dt={_shorter(dt)}. The lightest joint is "
        f"{model.dof_name(lightest)} with an inertia of {float(model.dofs[lightest]['inertia']):.3g}: "
        "more armature or damping there helps too."
    )


def _shorter(dt: float) -> str:
    return f"{dt / 4:.3g}"
