"""Pendulums, chains and single bodies: the physics lesson."""

import numpy as np

from stringless.model.builder import ModelBuilder
from stringless.model.scene import Scene
from stringless.model.spec import JointSpec
from stringless.scenes.bones import DOWN, NOWHERE, X, Z, body, box, capsule, hinge, sphere


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
