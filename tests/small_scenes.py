"""Built-in scenes small enough for tests that look at every one of them."""

from __future__ import annotations

from stringless.model.scene import Scene
from stringless.scenes import load_scene

OPTIONS = {"crowd": {"count": 3}}


def load_small(name: str) -> Scene:
    """The scene of this name, with few of what it has many of."""
    return load_scene(name, **OPTIONS.get(name, {}))
