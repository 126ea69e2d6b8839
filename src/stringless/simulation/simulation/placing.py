"""Putting characters at a height, whatever their roots are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.flesh.quantities import carried_nodes
from stringless.kinematics import body_jacobian, body_poses
from stringless.model import Model

FloatArray = NDArray[np.float64]


def lifted(model: Model, q: FloatArray, probes: Any, height: float) -> FloatArray:
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
        step[joint.v_slice] = rate * (height - lowest(model, q, probes, root))
        q = model.integrate(q, step)
    return q


def lowest(model: Model, q: FloatArray, probes: Any, root: int) -> float:
    """Height of a tree's lowest point, with its flesh at rest shape [m]."""
    poses = body_poses(model, q)
    members = np.flatnonzero(model.tree["root"] == root)
    heights = [poses.position[members, 1]]
    flesh = model.flesh
    if flesh is not None:
        nodes = carried_nodes(model, q, np.zeros(model.nv))[0]
        skin = flesh.vertices[np.isin(flesh.vertices["bone"], members)]
        heights.append(np.einsum("vk,vk->v", skin["w"], nodes[skin["n"]][:, :, 1]))
    balls = probes[np.isin(probes["body"], members)]
    centers = poses.position[balls["body"], 1] + np.einsum("bj,bj->b", poses.rotation[balls["body"], 1], balls["r"])
    heights.append(centers - balls["radius"])
    return float(np.concatenate(heights).min())
