"""What a motion was: before a drag or, if nobody drags, as it was opened."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.editing.data import from_data
from stringless.editing.editor import Editor
from stringless.editing.walking import Run
from stringless.errors import StringlessError
from stringless.model import Scene
from stringless.studio.editing.sampling import Path, moments, sampled

Data = dict[str, Any]


class Before:
    """Knows the motion as it was, and its poses, until there is another one."""

    def __init__(self) -> None:
        """Nothing was yet."""
        self.start: Run | None = None
        """What it was when a hand took hold, or a search began."""
        self._first: tuple[Any, Editor | None] = None, None
        self._path: tuple[Any, Path | None] = None, None

    def paths(self, editor: Editor, data: Data, scene: Scene) -> tuple[Path, Path | None]:
        """The motion at even moments, and what it was at the same; None if that is the same."""
        times = moments(editor.course.duration)
        now = _path(editor, editor.run, times)
        like = editor if self.start is not None else self._opened(data, scene)
        run = self.start if self.start is not None else like and like.run
        if like is None or run is None or run is editor.run:
            return now, None
        if self._path[0] is not run:
            self._path = run, _path(like, run, times)
        return now, self._path[1]

    def _opened(self, data: Data, scene: Scene) -> Editor | None:
        """The motion as it was opened; None if it is still the same, or cannot be any more."""
        first = data["first"]
        if all(first[name] == data[name] for name in first):
            return None
        if self._first[0] != first:
            try:
                made = from_data(scene, {**data, **first, "nails": [], "locked": []})
            except StringlessError:
                made = None
            self._first = first, made
        return self._first[1]


def _path(editor: Editor, run: Run, times: NDArray[np.float64]) -> Path:
    return sampled(editor.model, run, times, editor.course.dt, editor.controls.masses)
