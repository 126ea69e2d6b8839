"""What tests of the solver in maximal coordinates share: pairs of bodies, bodies that are displaced, forces from scratch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from models import NO_GRAVITY, random_direction, random_forest, random_inertia, random_joint, random_quaternion
from stringless import DivergenceError, Simulation
from stringless.engines.stiff.records import StiffForces
from stringless.engines.stiff.reference import (
    EXACT,
    MaximalSettings,
    MaximalState,
    MaximalWork,
    assemble,
    bodies_from_joints,
    joints_from_bodies,
    maximal_work,
)
from stringless.engines.stiff.reference.records import KINDS
from stringless.model import JointSpec, Model, ModelBuilder, Pose
from stringless.model.records import Inputs, Skeleton
from stringless.spatial import rotation
from stringless.state import State

FREQUENCY = 20.0
"""Of joint limits [rad/s]."""
FAST = 1e4
"""Speed at which a slider counts as diverged [m/s]."""
NO_WRENCH, NO_STIFF = np.zeros((0, 6)), np.zeros((0, 21))
NO_MASK, NO_VECTOR = np.zeros(0, dtype=np.bool_), np.zeros(0)
NO_FORCES = StiffForces(NO_STIFF, NO_WRENCH)


def skeleton_of(model: Model) -> Skeleton:
    """The tables of a model's bones as kernels take them."""
    return Skeleton(model.tree, model.dofs, model.limits, model.q_rest, model.gravity)


def inputs_of(
    model: Model,
    tau: np.ndarray | None = None,
    *,
    prescribed: np.ndarray = NO_MASK,
    vdot: np.ndarray = NO_VECTOR,
    external: np.ndarray = NO_WRENCH,
) -> Inputs:
    """What drives a model, nothing that is not given."""
    tau = np.zeros(model.nv) if tau is None else tau
    return Inputs(prescribed, vdot, NO_MASK, np.zeros((0, model.nq)), tau, external)


def settings_of(h: float, slope: int = EXACT) -> MaximalSettings:
    """How a step of this length is taken."""
    return MaximalSettings(h, FREQUENCY, FAST, slope)


def pair(kind: str, seed: int, *, joint: JointSpec | None = None, gravity: tuple[float, ...] = NO_GRAVITY) -> Model:
    """A free body that carries another on a joint of this kind; both have mass in every direction."""
    rng = np.random.default_rng([seed, 5])
    builder = ModelBuilder(f"pair_{kind}", gravity=gravity)
    plain = random_joint(rng, kind, springs=False, dampers=False, armature=False)
    for name, parent, spec in (
        ("carrier", "", JointSpec(kind="free", name="root")),
        ("carried", "carrier", joint or plain),
    ):
        mass = float(rng.uniform(0.5, 2.0))
        builder.add_body(
            name,
            parent,
            spec,
            place=Pose(tuple(float(x) for x in rng.normal(scale=0.4, size=3)), random_quaternion(rng)),
            mass=mass,
            center_of_mass=tuple(float(x) for x in rng.normal(scale=0.2, size=3)),
            inertia=random_inertia(rng, mass),
        )
    return builder.build()


def axes_for(kind: str, seed: int) -> tuple[tuple[float, ...], ...]:
    """Random axes for a joint of this kind."""
    rng = np.random.default_rng([seed, 6])
    return tuple(
        random_direction(rng) for _ in range({"revolute": 1, "prismatic": 1, "universal": 2, "ball": 1}.get(kind, 0))
    )


def bodies_of(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Rows of all bodies."""
    bodies = np.zeros((model.body_count, 13))
    bodies_from_joints(model.tree, model.dofs, q, v, bodies)
    return bodies


def displaced(bodies: np.ndarray, by: np.ndarray, s: float = 1.0) -> np.ndarray:
    """The bodies, each turned and then shifted by `s` times its 6 numbers of `by`; velocities stay what they are."""
    out = bodies.copy()
    for row, d in zip(out, by.reshape(-1, 6), strict=True):
        row[:3] += s * d[3:]
        row[3:7] = rotation.multiply_quaternions(rotation.exp_quaternion(tuple(s * d[:3])), tuple(row[3:7]))
    return out


def hastened(bodies: np.ndarray, by: np.ndarray, s: float = 1.0) -> np.ndarray:
    """The bodies, each moving faster by `s` times its 6 numbers of `by`."""
    out = bodies.copy()
    out[:, 7:] += s * by.reshape(-1, 6)
    return out


def axes(row: np.ndarray) -> np.ndarray:
    """Rotation matrix of a body."""
    return np.array(rotation.from_quaternion(tuple(row[3:7]))).reshape(3, 3)


def center(model: Model, i: int) -> np.ndarray:
    """Centre of mass along body axes."""
    return np.asarray(model.tree[i]["h"]) / model.tree[i]["mass"]


def mass_matrix(model: Model, bodies: np.ndarray, i: int) -> np.ndarray:
    """Inertia of body i about its centre of mass along world axes, angular first, 6 by 6."""
    xx, yy, zz, xy, xz, yz = model.tree[i]["I_o"]
    mass, c, R = float(model.tree[i]["mass"]), center(model, i), axes(bodies[i])
    I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - mass * (c @ c * np.eye(3) - np.outer(c, c))
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = R @ I @ R.T, mass * np.eye(3)
    return M


def momenta_of(model: Model, bodies: np.ndarray) -> np.ndarray:
    """Angular momentum about its centre of mass and linear momentum of every body, along world axes."""
    return np.array([mass_matrix(model, bodies, i) @ bodies[i, 7:] for i in range(model.body_count)])


def total_momentum(bodies: np.ndarray, momenta: np.ndarray) -> np.ndarray:
    """Angular momentum about the world's origin, and linear momentum."""
    angular = momenta[:, :3] + np.cross(bodies[:, :3], momenta[:, 3:6])
    return np.concatenate([angular.sum(axis=0), momenta[:, 3:6].sum(axis=0)])


def joints_of(
    model: Model, bodies: np.ndarray, q: np.ndarray, *, general: bool = True
) -> tuple[np.ndarray, np.ndarray, MaximalWork]:
    """Coordinates and velocities of joints, continuous with q, and the tables with all pairs."""
    tables = maximal_work(model, general=general)
    q, v = q.copy(), np.zeros(model.nv)
    joints_from_bodies(model.tree, bodies, tables.pairs, q, v)
    return q, v, tables


def system(
    model: Model,
    bodies: np.ndarray,
    q: np.ndarray,
    h: float,
    *,
    slope: int = EXACT,
    tau: np.ndarray | None = None,
    external: np.ndarray = NO_WRENCH,
) -> tuple[np.ndarray, np.ndarray, MaximalWork]:
    """Matrix and right side of the bodies alone, dense, as `assemble` gives them."""
    q, v, tables = joints_of(model, bodies, q)
    inputs = inputs_of(model, tau, external=external)
    assemble(skeleton_of(model), MaximalState(q, v, bodies), inputs, NO_FORCES, settings_of(h, slope), tables)
    n = model.body_count
    A = np.zeros((6 * n, 6 * n))
    for i in range(n):
        own = slice(6 * i, 6 * i + 6)
        A[own, own] = tables.blocks[2 * i + 1, 0]
        p = int(model.tree[i]["parent"])
        if p >= 0:
            other = slice(6 * p, 6 * p + 6)
            A[own, other], A[other, own] = tables.blocks[2 * i + 1, 2], tables.blocks[2 * i + 1, 4]
    return A, tables.x[1::2].ravel().copy(), tables


def dense_system(tables: MaximalWork) -> tuple[np.ndarray, np.ndarray, list[slice]]:
    """The whole system of symmetric blocks with its constraints, dense; where each node is."""
    nodes = tables.nodes
    first = np.concatenate([[0], np.cumsum(nodes[:, 0])])
    at = [slice(first[i], first[i + 1]) for i in range(len(nodes))]
    H, z = np.zeros((first[-1], first[-1])), np.zeros(first[-1])
    for i, (n, p, g) in enumerate(nodes):
        H[at[i], at[i]] = tables.blocks[i, 0, :n, :n]
        z[at[i]] = tables.x[i, :n]
        for b, j in ((1, p), (2, g)):
            if j >= 0:
                block = tables.blocks[i, b, :n, : nodes[j, 0]]
                H[at[i], at[j]], H[at[j], at[i]] = block, block.T
    return H, z, at


def forest(seed: int, **options: Any) -> Model:
    """A dozen bodies on joints of all types that the reference solvers have, with springs, dampers and armature."""
    return random_forest(seed, bodies=14, kinds=KINDS, springs=True, dampers=True, armature=True, **options)


def chain(
    links: int,
    kind: str = "revolute",
    root: str = "revolute",
    gravity: tuple[float, ...] = (0.0, -9.81, 0.0),
    **joint: Any,
) -> Model:
    """Rods of 10 cm and 100 g in a row along x, from one joint to the next."""
    builder = ModelBuilder("chain", gravity=gravity)
    for i in range(links):
        spec = JointSpec(kind=kind, axes=((0.0, 0.0, 1.0),), **joint)
        if i == 0 and root == "free":
            spec = JointSpec(kind="free")
        builder.add_body(
            f"link_{i}",
            f"link_{i - 1}" if i else "",
            spec,
            place=Pose((0.1 if i else 0.0, 0.0, 0.0)),
            mass=0.1,
            center_of_mass=(0.05, 0.0, 0.0),
            inertia=(1e-5, 8.4e-5, 8.4e-5, 0.0, 0.0, 0.0),
        )
    return builder.build()


def same(one: State, other: State) -> bool:
    """Whether two states are equal, number by number."""
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in State.arrays())
        and one.time == other.time
    )


def diverged(sim: Simulation) -> None:
    """Something absurd happens: the last good state stays."""
    before = sim.save()
    sim.external[0, 5] = 1e12
    with pytest.raises(DivergenceError, match="diverged at time"):
        sim.step()
    for name in ("q", "v", "kept", "x", "xdot", "anchors"):
        np.testing.assert_array_equal(getattr(sim.state, name), getattr(before, name))
    assert sim.time == before.time
    sim.external[0, 5] = 0.0
    sim.step()
    assert np.isfinite(sim.q).all()
