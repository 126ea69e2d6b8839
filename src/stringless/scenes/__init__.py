"""The built-in scenes, built by code. To add one: write the function and name it here."""

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from stringless.errors import InputError
from stringless.model.checks import suggest
from stringless.model.scene import Scene
from stringless.scenes import (
    bar,
    chains,
    crowd,
    donut,
    finger,
    fish,
    hand,
    humanoid,
    lamp,
    motions,
    pendulums,
    robot,
    starfish,
    trapeze,
    worm,
)


@dataclasses.dataclass(frozen=True)
class SceneEntry:
    """A scene in the list, not yet built."""

    name: str
    build: Callable[..., Scene]

    @property
    def description(self) -> str:
        """One sentence: the first line of the builder's docstring."""
        return (self.build.__doc__ or "").strip().splitlines()[0]

    @property
    def options(self) -> tuple[str, ...]:
        """What the builder takes, such as `root`."""
        return tuple(inspect.signature(self.build).parameters)


SCENES: dict[str, SceneEntry] = {
    build.__name__: SceneEntry(build.__name__, build)
    for build in (
        *(worm.worm, worm.worm_tilted, fish.fish, fish.dock, finger.finger, starfish.starfish, starfish.glass_box),
        *(lamp.lamp, donut.donut, hand.hand, robot.robot, bar.bar),
        *(humanoid.ragdoll, humanoid.humanoid, humanoid.company, crowd.crowd),
        *(trapeze.trapeze, motions.hoop, motions.two_pins, motions.clamped_chain, motions.flier),
        *(pendulums.playground, pendulums.pendulum, pendulums.double_pendulum, pendulums.pendulum_300),
        *(pendulums.long_pendulum, pendulums.five_pendulums, pendulums.pulled_pendulum),
        *(pendulums.ball_chain, chains.hanging_chain, pendulums.cart_pole, pendulums.tumbler),
    )
}


def load_scene(name: str, **options: Any) -> Scene:
    """Build the scene of this name; most characters take `root`, `"planar"` or `"free"`."""
    entry = SCENES.get(name)
    if entry is None:
        raise InputError(f"there is no scene '{name}'. {suggest(name, SCENES)}")
    for option in options:
        if option not in entry.options:
            shown = ", ".join(f"'{known}'" for known in entry.options) or "none"
            raise InputError(f"option '{option}' does not fit the built-in scene '{name}'; its options: {shown}")
    scene = entry.build(**options)
    return dataclasses.replace(scene, name=entry.name, description=entry.description)


__all__ = ["SCENES", "SceneEntry", "load_scene"]
