"""Chains with springs, dampers and limits in every joint: what an implicit engine is made for."""

import math
from typing import Any

import numpy as np

from stringless.errors import InputError
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import JointSpec
from stringless.scenes.bones import DOWN, NOWHERE, Z, body, box, capsule, check_count, turned
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

HOOK = (0.0, 2.6, 0.0)
"""Where the chain of the scene hangs [m]."""
REACH = 2.4
"""How long it is, whatever the number of its links [m]."""
METAL = ((0.80, 0.66, 0.36, 1.0), (0.62, 0.64, 0.67, 1.0))
IRON = (0.33, 0.35, 0.38, 1.0)


def check_links(links: int) -> None:
    """Refuse chains that cannot be."""
    check_count(links, f"a chain of {links!r} links")


def link_joint(kind: str, *, stiffness: float, damping: float, limit: float) -> JointSpec:
    """A hinge about z, or a ball, sprung toward hanging straight; limits of a ball hold its swing, and half of it its twist."""
    if kind not in ("revolute", "ball"):
        raise InputError(f"links are joined by '{kind}'; expected 'revolute' or 'ball'")
    hinge = kind == "revolute"
    lower, upper = ((-limit,), (limit,)) if hinge else ((0.0, -limit / 2, 0.0), (limit, limit / 2, math.pi))
    limits: dict[str, Any] = {"lower": lower, "upper": upper} if math.isfinite(limit) else {}
    springs = {"stiffness": (stiffness,) if stiffness else (), "damping": (damping,) if damping else ()}
    return JointSpec(kind=kind, axes=(Z,) if hinge else (DOWN,), **springs, **limits)


def sprung_chain(
    links: int,
    *,
    kind: str = "ball",
    length: float = 0.1,
    mass: float = 0.1,
    thickness: float = 0.2,
    stiffness: float = 0.0,
    damping: float = 0.0,
    limit: float = math.inf,
    at: Vector = NOWHERE,
    name: str = "chain",
) -> ModelBuilder:
    """A hanging chain of equal links, `link_0` at the top.

    Args:
        links: how many, 1 or more.
        kind: of the joints, `revolute` about z or `ball`.
        length: of a link [m].
        mass: of a link [kg].
        thickness: of a link, as a part of its length.
        stiffness: of every joint toward hanging straight [N·m/rad].
        damping: of every joint [N·m·s/rad].
        limit: how far a joint may bend [rad]; a ball may twist half as far.
        at: where it hangs [m].
        name: of the model.
    """
    check_links(links)
    builder = ModelBuilder(name)
    joint = link_joint(kind, stiffness=stiffness, damping=damping, limit=limit)
    bars = [capsule((0, 0, 0), (0, -length, 0), thickness * length / 2, metal) for metal in METAL]
    for i in range(links):
        parent, place = (f"link_{i - 1}", (0.0, -length, 0.0)) if i else ("", at)
        builder.add(body(f"link_{i}", bars[i % 2], mass, parent=parent, joint=joint, at=place))
    return builder


def bent(links: int, kind: str, first: float, each: float) -> FloatArray:
    """Configuration of a chain whose first joint is turned by `first` about z and every other by `each` [rad]."""
    angles = [first, *[each] * (links - 1)]
    if kind == "revolute":
        return np.array(angles)
    return np.concatenate([turned(Z, angle) for angle in angles])


def gallows() -> list[Shape]:
    """A post with an arm to hang things from: to look at, since the chain would only tangle in it."""
    x, y, z = HOOK
    back = z - 0.4
    parts = {
        "foot": ((x, 0.02, back), (0.2, 0.02, 0.2)),
        "post": ((x, y / 2 + 0.03, back), (0.03, y / 2 + 0.03, 0.03)),
        "arm": ((x, y + 0.03, back / 2 + 0.01), (0.02, 0.02, -back / 2 + 0.03)),
    }
    return [box(center, half, IRON, name=name, purpose="visual") for name, (center, half) in parts.items()]


def hanging_chain(links: int = 60) -> Scene:
    """A chain with springs, dampers and limits in every joint, hung from a post and let go from the side."""
    check_links(links)
    limit = 24.0 / max(links, 24)
    length = REACH / links
    looks: dict[str, Any] = {
        "length": length,
        "thickness": min(0.6, 0.03 / length),
        "at": HOOK,
        "name": "hanging_chain",
    }
    springs: dict[str, Any] = {"stiffness": 0.012 * links, "damping": 1.5e-4 * links, "limit": limit}
    builder = sprung_chain(links, mass=1.8 / links, **looks, **springs)
    builder.world_shapes += [*gallows(), floor()]
    # Curled toward the side it is let go from: the first joint as far as its limit allows.
    q = bent(links, "ball", 0.9 * limit, min(1.5 / links, 0.9 * limit))
    return Scene(builder.build(), q=q, engine="stiff", dt=1 / 100)
