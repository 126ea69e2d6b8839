"""Putting a simulation into another state."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.engines.reduced.workspace import new_anchors
from stringless.errors import InputError
from stringless.flesh.quantities import carried_nodes
from stringless.kinematics import body_jacobian, body_poses, check_loops
from stringless.model import Model, Scene
from stringless.spatial.arrays import FloatArray
from stringless.state import State

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation


def restore_state(sim: Simulation, state: State) -> None:
    """Go back to a saved state; continuing from it repeats the motion bit by bit under the same inputs."""
    if not isinstance(state, State):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot restore {state!r}; expected a State, as `save` gives one")
    if state.q.shape != sim.q.shape or state.v.shape != sim.v.shape:
        raise InputError(
            f"the state has {state.q.size} and {state.v.size} numbers, "
            f"model '{sim.model.name}' needs {sim.model.nq} and {sim.model.nv}"
        )
    for name in ("x", "xdot", "anchors"):
        found, needed = getattr(state, name).shape, getattr(sim.state, name).shape
        if found != needed:
            raise InputError(f"'{name}' of the state has shape {found}, model '{sim.model.name}' needs {needed}")
    if state.kept.shape != sim.state.kept.shape:  # of another engine: begin with its motion
        state = dataclasses.replace(state.copy(), kept=np.zeros_like(sim.state.kept), dt=0.0)
    sim.state.restore(state)
    sim.forget_last_step()


def set_state(sim: Simulation, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
    """Put the scene into another configuration or motion, at the present time; flesh goes along at rest shape."""
    model, state = sim.model, sim.state
    there = Scene(
        model,
        q=sim.q if q is None else model.vector(q, model.nq, "q"),
        v=sim.v if v is None else model.vector(v, model.nv, "v"),
    )
    check_loops(model, there.q)
    state.q[:], state.v[:], state.vdot[:], state.dt = there.q, there.v, 0.0, 0.0
    if sim.flesh is not None:
        state.x[:], state.xdot[:] = carried_nodes(model, sim.q, sim.v)
    state.anchors[:] = new_anchors(len(state.anchors))


def place_at_height(sim: Simulation, height: float) -> None:
    """Put every character that moves freely so that its lowest point is at `height` [m]; flesh at rest shape, at rest."""
    if not (isinstance(height, (int, float)) and math.isfinite(height)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot place anything at height {height!r}; expected a finite number [m]")
    set_state(sim, lifted(sim.model, sim.q, sim.contact_samples, float(height)), np.zeros(sim.model.nv))


def lifted(model: Model, q: FloatArray, samples: Any, height: float) -> FloatArray:
    """A configuration in which the lowest point of every tree that can be lifted is at `height`.

    A root can be lifted if a motion of its own joint moves it straight up without turning it.
    """
    q = q.copy()
    for root in sorted(set(model.tree["root"].tolist())):
        joint = model.bodies[root].joint
        J = body_jacobian(model, q, root)[:, joint.v_slice]
        up = np.array((0.0, 0.0, 0.0, 0.0, 1.0, 0.0))  # angular first
        rate = np.linalg.lstsq(J, up, rcond=None)[0] if J.size else np.zeros(J.shape[1])
        if not np.allclose(J @ rate, up, atol=1e-9):
            continue
        step = np.zeros(model.nv)
        step[joint.v_slice] = rate * (height - lowest(model, q, samples, root))
        q = model.integrate(q, step)
    return q


def lowest(model: Model, q: FloatArray, samples: Any, root: int) -> float:
    """Height of a tree's lowest point, with its flesh at rest shape [m]."""
    poses = body_poses(model, q)
    members = np.flatnonzero(model.tree["root"] == root)
    heights = [poses.position[members, 1]]
    flesh = model.flesh
    if flesh is not None:
        nodes = carried_nodes(model, q, np.zeros(model.nv))[0]
        skin = flesh.vertices[np.isin(flesh.vertices["bone"], members)]
        heights.append(np.einsum("vk,vk->v", skin["w"], nodes[skin["n"]][:, :, 1]))
    balls = samples[np.isin(samples["body"], members)]
    centers = poses.position[balls["body"], 1] + np.einsum("bj,bj->b", poses.rotation[balls["body"], 1], balls["r"])
    heights.append(centers - balls["radius"])
    return float(np.concatenate(heights).min())
