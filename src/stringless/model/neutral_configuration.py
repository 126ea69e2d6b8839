"""Inertias and motions of a skeleton at the neutral configuration, by plain sums.

Used while building: to find a coordinate that nothing resists, to scale the gains of joint stops, and to find the step that flesh
can take.
"""

import math
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from stringless.model.joints import JOINT_TYPES, registry
from stringless.model.pose import Pose
from stringless.model.solids import tensor
from stringless.model.spec import GROUND, BodySpec
from stringless.spatial.arrays import FloatArray

NOTHING = 1e-12
"""Mass of a motion, as a share of that of its largest coordinate, below which there is none."""


def neutral_inertias(specs: Sequence[BodySpec]) -> tuple[list[FloatArray], list[float]]:
    """Diagonal of the mass matrix joint by joint, armature included, and the mass each joint carries.

    Composite-rigid-body sums about the world origin; `specs` come parents first and completed.
    """
    index = {spec.name: i for i, spec in enumerate(specs)}
    places = list(neutral_places(specs).values())
    composites = np.zeros((len(specs), 6, 6))
    masses = np.array([spec.mass for spec in specs])
    for i, spec in enumerate(specs):
        composites[i] = _spatial_inertia(spec, places[i])
    for i in range(len(specs) - 1, -1, -1):
        if specs[i].parent != GROUND:
            composites[index[specs[i].parent]] += composites[i]
            masses[index[specs[i].parent]] += masses[i]
    diagonals = []
    for i, spec in enumerate(specs):
        S = _columns(spec, places[i])
        diagonals.append(np.sum((S @ composites[i]) * S, axis=1) + _armature(spec, len(S)))
    return diagonals, [float(mass) for mass in masses]


def neutral_places(specs: Sequence[BodySpec]) -> dict[str, Pose]:
    """World pose of every body at the neutral configuration; `specs` come parents first."""
    places: dict[str, Pose] = {}
    for spec in specs:
        parent = Pose() if spec.parent == GROUND else places[spec.parent]
        places[spec.name] = parent @ spec.place
    return places


def normal_motions(specs: Sequence[BodySpec]) -> FloatArray:
    """Twists of all bodies, about the world origin, by motions of the skeleton that have a mass of one, shape (motions, n, 6).

    As many as the joints have coordinates, less those that move no mass; together, `Σ twist twistᵀ = M⁻¹`.
    """
    index, places = {spec.name: i for i, spec in enumerate(specs)}, list(neutral_places(specs).values())
    columns = [_columns(spec, place) for spec, place in zip(specs, places, strict=True)]
    twists = np.zeros((sum(len(S) for S in columns), len(specs), 6))
    ends = np.cumsum([len(S) for S in columns])
    for i, spec in enumerate(specs):
        if spec.parent != GROUND:
            twists[:, i] = twists[:, index[spec.parent]]
        twists[ends[i] - len(columns[i]) : ends[i], i] = columns[i]
    inertias = np.stack([_spatial_inertia(spec, place) for spec, place in zip(specs, places, strict=True)])
    momenta = np.einsum("dbi,bij->dbj", twists, inertias)
    size = (len(twists), 6 * len(specs))
    M = momenta.reshape(size) @ twists.reshape(size).T
    M += np.diag([a for spec, S in zip(specs, columns, strict=True) for a in _armature(spec, len(S))])
    scale = 1.0 / np.sqrt(np.where(np.diag(M) > 0, np.diag(M), np.inf))  # so that turns and shifts compare
    masses, shapes = np.linalg.eigh(M * np.outer(scale, scale)) if len(M) else (np.zeros(0), M)
    heavy = masses > NOTHING
    shapes = shapes[:, heavy] / np.sqrt(masses[heavy]) * scale[:, None]
    return np.tensordot(shapes.T, twists, axes=1)


def _armature(spec: BodySpec, count: int) -> FloatArray:
    return np.broadcast_to(np.asarray(spec.joint.armature or (0.0,), float), count) if count else np.zeros(0)


def _cross(x: FloatArray) -> FloatArray:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def _spatial_inertia(spec: BodySpec, place: Pose) -> FloatArray:
    R = place.matrix
    c = _cross(np.asarray(place.position) + R @ np.asarray(spec.center_of_mass))
    h = spec.mass * c
    J = np.zeros((6, 6))
    J[:3, :3] = R @ tensor(spec.inertia) @ R.T + h @ c.T
    J[:3, 3:], J[3:, :3] = h, h.T
    J[3, 3] = J[4, 4] = J[5, 5] = spec.mass
    return J


def _columns(spec: BodySpec, place: Pose) -> FloatArray:
    """Motion of the joint's coordinates at the neutral configuration, about the world origin."""
    kind = JOINT_TYPES[spec.joint.kind]
    S = np.zeros((kind.nv, 6))
    if kind.nv == 0:
        return S
    axes = [component / math.hypot(*axis) for axis in spec.joint.axes for component in axis]
    row = SimpleNamespace(kind=kind.code, q0=0, axes=axes)
    moment = _cross(np.asarray(place.position)) @ place.matrix
    for k in range(kind.nv):
        a = np.array(registry.axis(row, kind.neutral, k))
        if kind.angular[k]:
            S[k, :3], S[k, 3:] = place.matrix @ a, moment @ a
        else:
            S[k, 3:] = place.matrix @ a
    return S
