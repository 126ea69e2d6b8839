"""The characters of a model: its trees that have actuators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stringless.model.model import Model
from stringless.spatial.arrays import IntArray


@dataclass(frozen=True)
class Character:
    """One tree of bodies with actuators, and the flesh that hangs on it."""

    index: int
    root: int
    """Its first body."""
    name: str
    """That of the root body."""
    members: IntArray
    """Its bodies, parents first."""
    actuators: IntArray
    """Velocity coordinates that it can drive."""
    passive_root: bool
    """Whether its root is free or planar and not driven: momentum is kept, and only the ground can change it."""
    mass: float
    """Bones and free flesh [kg]."""
    size: float
    """Largest extent of its bones' origins and flesh at the neutral configuration, for speeds that suit it [m]."""


def find_characters(model: Model) -> tuple[Character, ...]:
    """All characters of a model, in the order of their roots."""
    found: list[Character] = []
    roots, reach = model.tree["root"], _reaches(model)
    for root in sorted(set(roots.tolist())):
        members = np.flatnonzero(roots == root).astype(np.int64)
        driven = [model.bodies[i].joint for i in members if model.bodies[i].joint.spec.actuated]
        actuators = np.array([d for j in driven for d in range(j.v_slice.start, j.v_slice.stop)], dtype=np.int64)
        if not len(actuators):
            continue
        joint = model.bodies[root].joint
        passive = joint.kind.loose and not joint.spec.actuated
        mass = float(model.tree["mass"][members].sum())
        if model.flesh is not None:
            nodes = model.flesh.nodes
            mass += float(nodes["mass"][(nodes["fixed"] == 0) & np.isin(nodes["bone"], members)].sum())
        # Along the longest chain, there and back, at least some centimetres.
        size = max(2.0 * max(reach[i] for i in members), 0.05)
        found.append(Character(len(found), root, model.bodies[root].name, members, actuators, passive, mass, size))
    return tuple(found)


def _reaches(model: Model) -> list[float]:
    """Of each body the sum of the distances between neighbouring joints on the way from its root [m]."""
    steps, reach = np.linalg.norm(model.tree["p"], axis=1).tolist(), [0.0] * model.body_count
    for i, parent in enumerate(model.tree["parent"].tolist()):
        if parent >= 0:
            reach[i] = reach[parent] + steps[i]
    return reach
