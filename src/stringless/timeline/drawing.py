"""From a frame on record to what is drawn of it."""

from typing import NamedTuple

import numpy as np

from stringless.flesh.quantities import carry_nodes, free_masses
from stringless.kinematics import body_poses, center_of_gravity
from stringless.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.timeline.chunk import Frame


class Drawing(NamedTuple):
    """Where everything is, in the world."""

    position: FloatArray
    """Of all bodies, shape (n, 3) [m]."""
    rotation: FloatArray
    """`R_WB` of all bodies, shape (n, 3, 3)."""
    nodes: FloatArray
    """Of the flesh, fixed ones included, shape (m, 3) [m]."""
    skin: FloatArray
    """Vertices of the surface, shape (k, 3) [m]."""
    center: FloatArray
    """Centre of gravity of everything [m]."""


def draw(model: Model, frame: Frame) -> Drawing:
    """Work out what a frame leaves to be worked out."""
    poses = body_poses(model, frame.q)
    center = center_of_gravity(model, frame.q).position
    flesh = model.flesh
    if flesh is None:
        none = np.zeros((0, 3))
        return Drawing(poses.position, poses.rotation, none, none, center)
    nodes = np.zeros((len(flesh.nodes), 3))
    carry_nodes(model, frame.q, frame.v, nodes, np.zeros_like(nodes))
    nodes[flesh.nodes["fixed"] == 0] = frame.nodes
    mass = free_masses(flesh)
    center = (model.mass * center + mass @ nodes) / (model.mass + mass.sum())
    skin = np.einsum("vk,vkj->vj", flesh.vertices["w"], nodes[flesh.vertices["n"]])
    return Drawing(poses.position, poses.rotation, nodes, skin, center)
