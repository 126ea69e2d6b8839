"""A stretch of a take that is to leave: a model and its frames, thinned to the rate that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.errors import InputError
from stringless.model import Model, Scene
from stringless.spatial.arrays import FloatArray
from stringless.timeline.chunk import Frame
from stringless.timeline.drawing import draw

Progress = Callable[[float], object]
"""Told the share that is done, from 0 to 1. What it raises ends the export, and no file is left."""


@dataclass(frozen=True)
class Clip:
    """Frames of one scene; `name` is that of the branch they come from."""

    source: Scene
    frames: Sequence[Frame]
    name: str
    rate: float
    """How many frames per second were wanted; there may have been fewer on record [1/s]."""

    @property
    def model(self) -> Model:
        """That of the scene."""
        return self.source.model

    @property
    def scene(self) -> str:
        """Name of the scene."""
        return self.source.name

    @property
    def time(self) -> FloatArray:
        """Of every frame, the first is at zero, shape (k,) [s]."""
        time = np.array([frame.time for frame in self.frames])
        return time - time[0]

    def drawn(self, progress: Progress) -> Drawn:
        """Where everything is in every frame."""
        count, model = len(self.frames), self.model
        vertices = len(model.flesh.vertices) if model.flesh is not None else 0
        position, rotation = np.empty((count, model.body_count, 3)), np.empty((count, model.body_count, 3, 3))
        skin = np.empty((count, vertices, 3), np.float32)
        for k, frame in enumerate(self.frames):
            picture = draw(model, frame)
            position[k], rotation[k], skin[k] = picture.position, picture.rotation, picture.skin
            if k % 32 == 0:
                progress(k / count)
        return Drawn(position, rotation, skin)


class Drawn(NamedTuple):
    """World poses of the bodies and places of the surface's vertices in k frames."""

    position: FloatArray
    """Shape (k, n, 3) [m]."""
    rotation: FloatArray
    """Shape (k, n, 3, 3)."""
    skin: NDArray[np.float32]
    """Shape (k, m, 3) [m]."""


def thinned(frames: Iterable[Frame], rate: float) -> list[Frame]:
    """The frames nearest to ticks of 1/rate from the first to the last, each once; nothing is made up between them."""
    if not 0 < rate < np.inf:
        raise InputError(f"{rate} frames per second were asked for; expected a number above 0, such as 60")
    found = list(frames)
    if not found:
        return []
    time = np.array([frame.time for frame in found])
    ticks = np.append(np.arange(time[0], time[-1], 1 / rate), time[-1])
    later = np.clip(np.searchsorted(time, ticks), 1, max(len(time) - 1, 1)) if len(time) > 1 else np.zeros(1, int)
    nearest = later - (ticks - time[later - 1] < time[later] - ticks)
    return [found[k] for k in np.unique(nearest)] if len(time) > 1 else found
