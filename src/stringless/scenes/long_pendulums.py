"""Pendulums of very many links, of which a few can tell where all go: what an adaptive engine is made for."""

import dataclasses
import math

import numpy as np

from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose
from stringless.model.pulls import Pull
from stringless.model.scene import Scene
from stringless.scenes.bones import check_count
from stringless.scenes.chains import check_links
from stringless.scenes.pendulums import chain

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
PULLED = 30
"""The link of the shorter pendulum that a spring pulls."""


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
    q[0] = math.atan2(PULL.anchor[0], -PULL.anchor[1])
    q[PULLED] = -q[0]
    return Scene(model, q=q, engine="adaptive", pulls=(PULL,))


PULL = Pull(f"link_{PULLED}", anchor=(1.2, -0.9, 0.0), stiffness=30.0, damping=3.0)
