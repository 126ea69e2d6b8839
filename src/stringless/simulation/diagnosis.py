"""Why a scene cannot be simulated, or a simulation ran away: one sentence a person can act on."""

import math
from typing import get_args

import numpy as np

from stringless.dynamics import forward
from stringless.engines import ENGINES, Feature
from stringless.engines.adaptive.criteria import budgets_of
from stringless.engines.adaptive.tables import AdaptiveTables
from stringless.engines.base import Engine
from stringless.engines.config import LONGEST_STEP, EngineName, SimulationConfig
from stringless.engines.features import BY_ENGINE
from stringless.errors import DivergenceError, InputError, ModelError, Problem
from stringless.flesh.stability import MARGIN, RISKY
from stringless.kinematics import check_loops
from stringless.model import Scene
from stringless.model.checks import suggest
from stringless.model.flesh import Flesh
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.state import State, scratch
from stringless.state.kernels_soundness import UNIT, is_sound

LIVELY = 0.3
"""A joint that turns this far in one step [rad] is beyond what an explicit step can follow."""
MUCH = 0.1
"""What makes this share of the highest speed in one step is a likely cause of going beyond it."""


def scene_problems(scene: Scene) -> list[Problem]:
    """Why a scene cannot be simulated in the way that it says itself: its engine, its step, its loops."""
    found = []
    engines = get_args(EngineName)
    if scene.engine not in engines:
        remedy = suggest(str(scene.engine), engines)
        found.append(Problem("scene", f"engine '{scene.engine}'", f"one of: {', '.join(engines)}", remedy))
    found.extend(step_problems(scene.dt))
    found.extend(_budget_problems(scene))
    closes_loops = Feature.LOOPS in BY_ENGINE.get(scene.engine, {Feature.LOOPS})
    for loop in () if closes_loops else scene.model.loop_specs:
        remedy = 'Write `engine = "stiff"` into [scene], or take the loop out.'
        found.append(
            Problem(
                f"loop '{loop.name}'", f"engine '{scene.engine}', which cannot close loops", "engine 'stiff'", remedy
            )
        )
    try:
        check_loops(scene.model, scene.q)
    except ModelError as error:
        found.extend(error.problems)
    return found


def _budget_problems(scene: Scene) -> list[Problem]:
    """Why the joints that a scene lets move are too many."""
    if scene.active is None:
        return []
    model = scene.model
    tables = AdaptiveTables(model, model.dofs, model.q_rest)
    try:
        budgets_of(model, tables, tables.trees["joints"], scene.active)
    except InputError as error:
        return [Problem("scene", f"active = {scene.active!r}", "no more joints than can move", str(error))]
    return []


def step_problems(dt: float) -> list[Problem]:
    """Why a scene cannot have steps of this length."""
    if 0 < dt <= LONGEST_STEP:
        return []
    expected = f"at most {LONGEST_STEP:g} s" if dt > 0 else f"above 0, and at most {LONGEST_STEP:g} s"
    return [Problem("scene", f"dt = {dt:g} s", expected)]


def divergence(
    model: Model,
    state: State,
    dof: int,
    *,
    config: SimulationConfig,
    tau: FloatArray,
    external: FloatArray,
) -> DivergenceError:
    """Explain the divergence of velocity coordinate `dof` right after `state`, the last good one."""
    joint = model.bodies[int(model.dofs[dof]["body"])].joint
    dt, is_implicit = config.dt, ENGINES[config.engine].implicit
    cause = _wrong_numbers(model, state, tau, external)
    if not cause:
        efforts = np.minimum(np.abs(tau), model.dofs["effort"])
        if is_implicit:
            cause = _implicit_cause(model, state, config, efforts, external)
        else:
            cause = _explicit_cause(model, state, dt, efforts)
    left = f"is no number, or above max_speed = {config.max_speed:g}"
    if not is_implicit:
        left = f"left the range that a step of {dt:g} s can follow"
    message = (
        f"the simulation diverged at time {state.time + dt:.6g} s: the velocity of joint {model.dof_name(dof)} {left} (it was "
        f"{state.v[dof]:.4g} one step before). Likely cause: {cause} The state before this step was kept."
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
            f"crushed too hard. Try dt={_shorter(dt)}, smaller or softer pieces of flesh (a lower `young`), or less stiff goals."
        )
    elif dt > RISKY * limit:
        cause = f"the flesh is stable up to a step of {MARGIN * limit:.3g} s; use that, softer flesh, or heavier nodes."
    message = (
        f"the simulation diverged at time {state.time + dt:.6g} s: node {node} of the flesh near '{name}' left the range "
        f"that a step of {dt:g} s can follow. Likely cause: {cause} The state before this step was kept."
    )
    return DivergenceError(message, time=state.time, joint=name, cause=cause)


def require_short_steps(engine: Engine, time: float) -> None:
    """Refuse to take steps that are sure to diverge."""
    cause = engine.step_problem()
    if cause:
        raise DivergenceError(
            f"the simulation cannot go on from time {time:.6g} s: {cause}", time=time, joint="", cause=cause
        )


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


def _wrong_numbers(model: Model, state: State, tau: FloatArray, external: FloatArray) -> str:
    """What is not finite, or leads to that; empty if nothing is."""
    bad = np.flatnonzero(~np.isfinite(tau))
    if len(bad):
        return f"the effort given for joint {model.dof_name(int(bad[0]))} is {tau[bad[0]]}; give finite efforts."
    bad = np.flatnonzero(~np.isfinite(external).all(axis=-1)) if external.size else bad
    if len(bad):
        return f"the external wrench on body '{model.bodies[int(bad[0])].name}' is not finite; give finite wrenches."
    for joint in model.joints:
        if not (np.isfinite(state.q[joint.q_slice]).all() and np.isfinite(state.v[joint.v_slice]).all()):
            return f"the configuration or velocity of joint '{joint.name}' was set to a number that is not finite."
    forward(model, state.q, state.v, np.zeros(model.nv))
    empty = np.flatnonzero(~np.isfinite(scratch(model).dofs["Psi"]))
    if len(empty):
        return (
            f"joint {model.dof_name(int(empty[-1]))} has no inertia of its own to move: what it carries turns freely about "
            "the same axis. Give its body a moment of inertia, or the joint an armature."
        )
    return ""


def _explicit_cause(model: Model, state: State, dt: float, efforts: FloatArray) -> str:
    """Why an explicit step could not follow."""
    hardest = int(np.argmax(efforts / model.dofs["inertia"]))
    inertia = float(model.dofs[hardest]["inertia"])
    if efforts[hardest] * dt * dt > LIVELY * inertia:
        return (
            f"an effort of {efforts[hardest]:.4g} on joint {model.dof_name(hardest)}, whose inertia is {inertia:.4g}, is "
            f"too violent for this step; lower the effort, add armature, or try dt={_shorter(dt)}."
        )
    fastest = int(np.argmax(np.abs(state.v) * model.dofs["rotational"])) if model.nv else 0
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


def _implicit_cause(
    model: Model,
    state: State,
    config: SimulationConfig,
    efforts: FloatArray,
    external: FloatArray,
) -> str:
    """Why an implicit step ended too fast: not for its length, but for what drives it."""
    gained = efforts * config.dt / model.dofs["inertia"]
    hardest = int(np.argmax(gained))
    if gained[hardest] > MUCH * config.max_speed:
        return (
            f"an effort of {efforts[hardest]:.4g} on joint {model.dof_name(hardest)}, whose inertia is "
            f"{float(model.dofs[hardest]['inertia']):.4g}, speeds it up by about {gained[hardest]:.2g} in one step; lower the "
            "effort, or add armature."
        )
    pushed = np.linalg.norm(external[:, 3:], axis=1) if external.size else np.zeros(1)
    if pushed.max() * config.dt > MUCH * config.max_speed * model.mass:
        body = model.bodies[int(np.argmax(pushed))].name
        return f"the external wrench on body '{body}' has a force of {pushed.max():.4g} N; give a smaller one."
    if config.update == "bodies":
        return (
            "bodies that move on each for itself open their joints, and what closes them again can run away in long steps; try "
            f"dt={_shorter(config.dt)}, or update 'joints'."
        )
    fastest = int(np.argmax(np.abs(state.v))) if model.nv else 0
    lightest = int(np.argmin(model.dofs["inertia"]))
    return (
        "what drives it, as efforts, wrenches, goals or a prescribed motion, is too strong for what it moves. The fastest joint "
        f"before was {model.dof_name(fastest)} with {state.v[fastest]:.3g}, the lightest is {model.dof_name(lightest)} with an "
        f"inertia of {float(model.dofs[lightest]['inertia']):.3g}. Springs, dampers and stops are taken at the end of the step, "
        "so a shorter dt is hardly a cure: lower what drives it, or raise max_speed if such speeds are meant."
    )


def _shorter(dt: float) -> str:
    return f"{dt / 4:.3g}"
