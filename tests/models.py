"""Models that many tests share: random forests of all joint types, pendulums, chains, single bodies."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stringless.model import JointSpec, Model, ModelBuilder, Pose
from stringless.model.joints import JOINT_TYPES

KINDS = tuple(JOINT_TYPES)
MOVING = tuple(kind for kind in KINDS if kind != "fixed")
VECTOR = tuple(kind for kind in MOVING if JOINT_TYPES[kind].is_vector)
NO_GRAVITY = (0.0, 0.0, 0.0)
TILTED_GRAVITY = (1.0, -9.0, 3.0)
"""Along no axis, so that no component can be forgotten."""
Z_AXIS = ((0.0, 0.0, 1.0),)


class Motion(NamedTuple):
    """Everything that dynamics takes, drawn at random."""

    q: np.ndarray
    v: np.ndarray
    vdot: np.ndarray
    tau: np.ndarray
    external: np.ndarray


def random_motion(model: Model, seed: int, speed: float = 1.0) -> Motion:
    """A random configuration with velocities, accelerations, efforts and wrenches of order one."""
    rng = np.random.default_rng([seed, 1])
    motion = Motion(
        model.random(rng),
        speed * rng.normal(size=model.nv),
        rng.normal(size=model.nv),
        rng.normal(size=model.nv),
        rng.normal(size=(model.body_count, 6)),
    )
    assert motion.q.shape == (model.nq,)
    assert motion.v.shape == motion.vdot.shape == motion.tau.shape == (model.nv,)
    assert motion.external.shape == (model.body_count, 6)
    return motion


def random_direction(rng: np.random.Generator) -> tuple[float, ...]:
    """A unit vector."""
    x = rng.normal(size=3)
    return tuple(float(c) for c in x / np.linalg.norm(x))


def random_quaternion(rng: np.random.Generator, angle: float | None = None) -> tuple[float, ...]:
    """A unit quaternion x, y, z, w; of a turn by `angle` about a random axis if it is given."""
    if angle is None:
        q = rng.normal(size=4)
    else:
        q = np.append(np.sin(angle / 2) * np.asarray(random_direction(rng)), np.cos(angle / 2))
    return tuple(float(c) for c in q / np.linalg.norm(q))


def random_inertia(rng: np.random.Generator, mass: float, size: float = 0.3) -> tuple[float, ...]:
    """Inertia about the centre of mass of a cloud of eight points: a real body, so the triangle inequality holds."""
    x = rng.normal(scale=size, size=(8, 3))
    x -= x.mean(axis=0)
    second = mass / 8 * x.T @ x
    I = np.trace(second) * np.eye(3) - second
    low, middle, high = np.linalg.eigvalsh(I)
    assert low > 0
    assert low + middle > high
    return tuple(float(I[a, b]) for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def random_joint(rng: np.random.Generator, kind: str, *, springs: bool, dampers: bool, armature: bool) -> JointSpec:
    """A joint of this kind with random axes and passive parts."""
    joint = JOINT_TYPES[kind]
    nv = joint.nv
    stiffness = rng.uniform(0.5, 5.0, nv)
    rest = rng.normal(scale=0.3, size=joint.nq)
    if not joint.is_vector:
        # Turns and shifts of a ball or free joint take one stiffness each.
        stiffness = np.repeat(rng.uniform(0.5, 5.0, nv // 3), 3)
        rest[-4:] = random_quaternion(rng, 0.4)
    axes = () if kind in ("free", "fixed") else tuple(random_direction(rng) for _ in range(joint.axis_count))
    damping, rotor = rng.uniform(0.1, 1.0, nv), rng.uniform(0.01, 0.2, nv)
    return JointSpec(
        kind=kind,
        name=f"{kind}_joint_{rng.integers(10**9)}",
        axes=axes,
        stiffness=_numbers(stiffness) if springs else (),
        rest=_numbers(rest) if springs else (),
        damping=_numbers(damping) if dampers else (),
        armature=_numbers(rotor) if armature else (),
    )


def _numbers(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def random_forest(
    seed: int,
    bodies: int = 12,
    kinds: Sequence[str] = KINDS,
    *,
    springs: bool = False,
    dampers: bool = False,
    armature: bool = False,
    gravity: tuple[float, ...] = TILTED_GRAVITY,
    roots: float = 0.2,
) -> Model:
    """Several trees with every kind of joint in `kinds`, random places and real inertias.

    `roots` is the chance that a body begins a tree of its own; the first body always does.
    """
    rng = np.random.default_rng([seed, 0])
    order = list(rng.permutation(kinds)) + list(rng.choice(kinds, max(bodies - len(kinds), 0)))
    builder = ModelBuilder(f"forest_{seed}", gravity=gravity)
    for i, kind in enumerate(order[:bodies]):
        parent = "" if i == 0 or rng.random() < roots else f"body_{rng.integers(i)}"
        mass = float(rng.uniform(0.5, 2.0))
        builder.add_body(
            f"body_{i}",
            parent,
            random_joint(rng, str(kind), springs=springs, dampers=dampers, armature=armature),
            place=Pose(_numbers(rng.normal(scale=0.4, size=3)), random_quaternion(rng)),
            mass=mass,
            center_of_mass=_numbers(rng.normal(scale=0.2, size=3)),
            inertia=random_inertia(rng, mass),
        )
    model = builder.build()
    assert model.body_count == bodies
    assert {joint.kind.name for joint in model.joints} == set(order[:bodies])
    assert model.nv == sum(JOINT_TYPES[str(kind)].nv for kind in order[:bodies])
    return model


def floating(model: Model) -> Model:
    """The same bodies, every root on a free joint."""
    builder = ModelBuilder(f"floating_{model.name}", gravity=tuple(model.gravity))
    for spec in model.specs:
        free = JointSpec(kind="free", name=f"root_{spec.name}")
        builder.add(spec if spec.parent else dataclasses.replace(spec, joint=free))
    return builder.build()


def single(kind: str, seed: int = 0, **options: object) -> Model:
    """One random body on one joint of this kind."""
    return random_forest(seed, bodies=1, kinds=(kind,), **options)  # type: ignore[arg-type]


def forest_or_joint(param: int | str, **options: object) -> Model:
    """A forest of all joints by its seed, or a single joint by its kind; for fixtures that run over both."""
    return random_forest(param, **options) if isinstance(param, int) else single(param, **options)  # type: ignore[arg-type]


def pendulum(length: float = 1.0, mass: float = 1.0, **joint: object) -> Model:
    """A point mass on a hinge about z, hanging along -y at angle zero."""
    builder = ModelBuilder("pendulum")
    builder.add_body(
        "bob",
        joint=JointSpec(kind="revolute", name="pivot", axes=Z_AXIS, **joint),  # type: ignore[arg-type]
        mass=mass,
        center_of_mass=(0.0, -length, 0.0),
    )
    return builder.build()


def point_chain(links: int, length: float = 1.0, mass: float = 1.0, **joint: object) -> Model:
    """Point masses on massless rods, hinged about z: the textbook multiple pendulum."""
    builder = ModelBuilder(f"chain_{links}")
    for i in range(links):
        builder.add_body(
            f"bob_{i}",
            f"bob_{i - 1}" if i else "",
            JointSpec(kind="revolute", axes=Z_AXIS, **joint),  # type: ignore[arg-type]
            place=Pose((0.0, -length if i else 0.0, 0.0)),
            mass=mass,
            center_of_mass=(0.0, -length, 0.0),
        )
    return builder.build()


def solid(kind: str, *, gravity: tuple[float, ...] = NO_GRAVITY, **joint: object) -> Model:
    """A rod-like body, 1 kg, hanging from one joint of this kind; its centre of mass is half a metre below."""
    builder = ModelBuilder(f"solid_{kind}", gravity=gravity)
    builder.add_body(
        "body",
        joint=JointSpec(kind=kind, name="joint", **joint),  # type: ignore[arg-type]
        mass=1.0,
        center_of_mass=(0.0, -0.5, 0.0),
        inertia=(0.08, 0.01, 0.08, 0.0, 0.0, 0.0),
    )
    return builder.build()


def free_body(inertia: Sequence[float], mass: float = 1.0, gravity: tuple[float, ...] = NO_GRAVITY) -> Model:
    """One free body whose centre of mass is its origin and whose principal moments are given."""
    builder = ModelBuilder("free_body", gravity=gravity)
    builder.add_body("body", joint="free", mass=mass, inertia=(*inertia, 0.0, 0.0, 0.0))
    return builder.build()
