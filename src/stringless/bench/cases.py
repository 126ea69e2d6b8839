"""The models that the dynamics benchmark runs on, stripped to what every program has."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.scenes import load_scene
from stringless.scenes.pendulums import chain

FloatArray = NDArray[np.float64]

SIZES = (10, 30, 100, 300, 1000, 3000, 10000)
QUICK_SIZES = (10, 30, 100, 300, 1000, 10000)
CHAINS = {"hinge": "revolute", "ball": "ball"}


@dataclasses.dataclass(frozen=True)
class Case:
    """A model to measure on, not yet built."""

    name: str
    links: int
    build: Callable[[], Model]
    promised: bool = False
    """Whether we promise a ratio to a peer's time here, so that a quick run takes time for it."""


class Situation(NamedTuple):
    """Where a model is, how it moves and what drives it."""

    q: FloatArray
    v: FloatArray
    tau: FloatArray


def cases(*, quick: bool = False) -> Iterator[Case]:
    """Humanoid, pendulum and chains, short ones first."""
    yield Case("humanoid", 27, lambda: bare(load_scene("humanoid").model), promised=True)
    yield Case("pendulum", 300, lambda: bare(load_scene("pendulum_300").model), promised=True)
    for name, kind in CHAINS.items():
        for links in QUICK_SIZES if quick else SIZES:
            yield Case(chain_name(name, links), links, chain(links, kind=kind, name=name).build)


def chain_name(chain: str, links: int) -> str:
    """What the case of a chain is called."""
    return f"{chain} chain {links}"


def bare(model: Model, bodies: int | None = None) -> Model:
    """The same bodies and joints, or so many of them, without springs, dampers, stops and armature, which not all have."""
    builder = ModelBuilder(model.name, gravity=tuple(float(g) for g in model.gravity))
    nothing = {"stiffness": (), "damping": (), "armature": (), "lower": (), "upper": (), "rest": ()}
    for spec in model.specs[:bodies]:
        builder.add(dataclasses.replace(spec, joint=dataclasses.replace(spec.joint, **nothing)))
    return builder.build()


def situation(model: Model, seed: int = 0) -> Situation:
    """A moderate random pose, motion and drive."""
    rng = np.random.default_rng(seed)
    q = model.integrate(model.neutral(), 0.3 * rng.normal(size=model.nv))
    return Situation(q, 0.5 * rng.normal(size=model.nv), 0.1 * rng.normal(size=model.nv))
