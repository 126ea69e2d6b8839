"""Pendulums, chains and single bodies: the physics lesson. And pendulums of so many links that a few tell where all go."""

import dataclasses
import math

import numpy as np

from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.spec import JointSpec
from stringless.model.world_springs import WorldSpring
from stringless.scenes.bones import DOWN, NOWHERE, X, Z, body, box, capsule, check_count, hinge, sphere
from stringless.scenes.chains import check_links

REACH, MASS = 9.0, 9.0
"""Of a long pendulum, whatever the number of its links [m, kg]."""
LEAN, BEND = 0.6, 1.2
"""How far its first joint is turned at the start, and all others together [rad]."""
APART = 0.3
"""Between pendulums side by side [m]."""
FAR_APART = 1.6
"""Between those of which different numbers of joints move, so that each is seen alone [m]."""
THICK = 0.04
"""Radius that these are drawn with: five at once are seen from farther away [m]."""
SHARES = (1.0, 1 / 3, 1 / 6, 1 / 15, 1 / 300)
"""Of their joints: 300, 100, 50, 20 and 1 of 300."""
SPRING_LINK = 30
"""The link of the shorter pendulum that a spring pulls."""


def chain(
    links: int,
    *,
    kind: str = "revolute",
    length: float = 0.1,
    mass: float = 0.1,
    damping: float = 0.0,
    name: str = "chain",
) -> ModelBuilder:
    """A hanging chain of equal links; hinges turn about z, other kinds as they are."""
    builder = ModelBuilder(name)
    link = capsule((0, 0, 0), (0, -length, 0), 0.1 * length)
    for i in range(links):
        axes = (Z,) if kind == "revolute" else ()
        joint = JointSpec(kind=kind, axes=axes, damping=(damping,) if damping else ())
        parent, at = (f"link_{i - 1}", (0.0, -length, 0.0)) if i else ("", NOWHERE)
        builder.add(body(f"link_{i}", link, mass, parent=parent, joint=joint, at=at))
    return builder


def pendulum() -> Scene:
    """One rod on a hinge, let go a quarter turn from hanging."""
    model = chain(1, length=1.0, mass=1.0, name="pendulum").build()
    return Scene(model, q=np.array([np.pi / 2]))


def double_pendulum() -> Scene:
    """Two rods on hinges, let go from the horizontal: chaotic."""
    model = chain(2, length=0.5, mass=1.0, name="double_pendulum").build()
    return Scene(model, q=np.array([np.pi / 2, 0.3]))


def pendulum_300() -> Scene:
    """Three hundred links on hinges, let go with a slight bend."""
    model = chain(300, length=0.03, mass=0.03, damping=1e-3, name="pendulum_300").build()
    q = np.full(model.nv, 0.004)
    q[0] = 0.6
    return Scene(model, q=q)


def ball_chain() -> Scene:
    """Thirty links on ball joints, swung around: a rope."""
    builder = chain(30, kind="ball", length=0.08, mass=0.05, damping=1e-4, name="ball_chain")
    model = builder.build()
    q = model.neutral()
    q[:4] = [np.sin(0.35), 0.0, 0.0, np.cos(0.35)]
    v = np.zeros(model.nv)
    v[1] = 3.0
    return Scene(model, q=q, v=v)


def cart_pole() -> Scene:
    """A pole balanced on a sliding cart, about to fall."""
    builder = ModelBuilder("cart_pole")
    rail = JointSpec(kind="prismatic", name="rail", axes=(X,), lower=(-1.0,), upper=(1.0,), damping=(0.5,))
    builder.add(body("cart", box((0, 0, 0), (0.15, 0.06, 0.1)), 1.0, joint=rail, at=(0.0, 0.5, 0.0)))
    pole = capsule((0, 0, 0), (0, 0.6, 0), 0.015)
    builder.add(body("pole", pole, 0.2, parent="cart", joint=hinge(name="pivot")))
    return Scene(builder.build(), q=np.array([0.0, 0.05]))


def tumbler() -> Scene:
    """A free plate spun about its middle axis: it turns over again and again, with no force on it."""
    builder = ModelBuilder("tumbler", gravity=(0.0, 0.0, 0.0))
    plate = box((0, 0, 0), (0.15, 0.02, 0.06))
    builder.add(body("plate", plate, 0.5, joint=JointSpec(kind="free")))
    q = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    return Scene(builder.build(), q=q, v=np.array([0.01, 0.02, 8.0, 0.0, 0.0, 0.0]))


def playground() -> Scene:
    """One of each: a forest of small mechanisms with every type of joint, and a ball thrown past them."""
    builder = ModelBuilder("playground")
    bar = capsule((0, 0, 0), (0, -0.3, 0), 0.03)
    joints = {
        "hinge": hinge(),
        "slider": JointSpec(kind="prismatic", axes=((0.3, 1.0, 0.0),), stiffness=(60.0,), damping=(0.5,)),
        "cardan": JointSpec(kind="universal", axes=(X, Z), damping=(0.01,)),
        "shoulder": JointSpec(kind="ball", axes=(DOWN,), lower=(0.0, -1.0, 0.0), upper=(1.2, 1.0, np.pi)),
        "disc": JointSpec(kind="planar", actuated=True, stiffness=(40.0, 40.0, 0.5), damping=(0.4,)),
        "spring": JointSpec(kind="translational", stiffness=(30.0,), damping=(0.2,)),
    }
    for k, (name, joint) in enumerate(joints.items()):
        builder.add(body(name, bar, 0.4, joint=joint, at=(0.4 * k - 1.0, 1.2, 0.0)))
        builder.add(body(f"{name}_tip", bar, 0.2, parent=name, joint=JointSpec(kind="ball"), at=(0.0, -0.3, 0.0)))
    builder.add(body("ball", sphere((0, 0, 0), 0.06), 0.5, joint=JointSpec(kind="free")))
    model = builder.build()
    q, v = model.neutral(), np.random.default_rng(3).normal(scale=1.5, size=model.nv)
    q[model.joint("ball").q_slice][:3] = (-1.5, 0.6, 0.3)
    v[model.joint("ball").v_slice] = (1.0, 2.0, 3.0, 2.0, 4.0, 0.0)
    return Scene(model, q=q, v=v)


def long_pendulum(links: int = 300, count: int = 1) -> Scene:
    """Three hundred links on hinges, let go with a slight bend; several hang side by side to be compared."""
    check_count(count, f"{count!r} pendulums")
    return _side_by_side("long_pendulum", links, [f"p{k}_" for k in range(count)] if count > 1 else [""], APART)


def five_pendulums(links: int = 300) -> Scene:
    """Five pendulums of three hundred links side by side, of which 300, 100, 50, 20 and 1 joints move."""
    check_links(links)
    budgets = [max(1, round(links * share)) for share in SHARES]
    prefixes = [f"p{k}_{budget}_" for k, budget in enumerate(budgets)]
    scene = _side_by_side("five_pendulums", links, prefixes, FAR_APART, THICK)
    active = {f"{prefix}link_0": budget for prefix, budget in zip(prefixes, budgets, strict=True)}
    return dataclasses.replace(scene, active=active)


def _side_by_side(name: str, links: int, prefixes: list[str], apart: float, thick: float | None = None) -> Scene:
    """A pendulum for each prefix of the names of its links, all let go alike; drawn as `thick` as said, if anything is said."""
    check_links(links)
    one = chain(links, length=REACH / links, mass=MASS / links, damping=0.3 / links)
    builder = ModelBuilder(name)
    for k, prefix in enumerate(prefixes):
        place = Pose((0.0, 0.0, apart * (k - (len(prefixes) - 1) / 2)))
        for spec in one.specs:
            # They are there to be seen: they hang too close to touch each other.
            shapes = tuple(
                dataclasses.replace(
                    shape, purpose="visual", size=shape.size if thick is None else (thick, *shape.size[1:])
                )
                for shape in spec.shapes
            )
            body, parent = prefix + spec.name, spec.parent and prefix + spec.parent
            more = {} if parent else {"place": place}
            builder.add(dataclasses.replace(spec, name=body, parent=parent, shapes=shapes, **more))
    q = np.full((len(prefixes), links), BEND / links)
    q[:, 0] = LEAN
    return Scene(builder.build(), q=q.ravel(), engine="adaptive")


def pulled_pendulum() -> Scene:
    """Fifty links on hinges, let go from the side and pulled back there by a spring on one in the middle."""
    model = chain(50, length=0.06, mass=0.02, damping=0.1, name="pulled_pendulum").build()
    q = np.zeros(model.nv)
    q[0] = math.atan2(SPRING.anchor[0], -SPRING.anchor[1])
    q[SPRING_LINK] = -q[0]
    return Scene(model, q=q, engine="adaptive", world_springs=(SPRING,))


SPRING = WorldSpring(f"link_{SPRING_LINK}", anchor=(1.2, -0.9, 0.0), stiffness=30.0, damping=3.0)
