"""The motion to compare with: as it was before a drag or, without a drag, as it was opened."""

from typing import Any

from stringless.editing.data import from_data
from stringless.editing.editor import Editor
from stringless.editing.walk import Run
from stringless.errors import StringlessError
from stringless.model import Scene
from stringless.spatial.arrays import FloatArray
from stringless.studio.builders.samples import Samples, sample_motion, spread_times

Data = dict[str, Any]


class Baseline:
    """Remembers the earlier motion and its samples until there is another one."""

    def __init__(self) -> None:
        self.start: Run | None = None
        """The motion when a hand took hold, or a search began."""
        self._first: tuple[Any, Editor | None] = None, None
        self._samples: tuple[Any, Samples | None] = None, None

    def sample(self, editor: Editor, data: Data, scene: Scene) -> tuple[Samples, Samples | None]:
        """The motion at even times, and the earlier one at the same times; None if that is the same."""
        times = spread_times(editor.course.duration)
        now = _sample(editor, editor.run, times)
        source = editor if self.start is not None else self._find_opened(data, scene)
        run = self.start if self.start is not None else source and source.run
        if source is None or run is None or run is editor.run:
            return now, None
        if self._samples[0] is not run:
            self._samples = run, _sample(source, run, times)
        return now, self._samples[1]

    def _find_opened(self, data: Data, scene: Scene) -> Editor | None:
        """The motion as it was opened; None if it is still the same, or cannot be made any more."""
        first = data["first"]
        if all(first[name] == data[name] for name in first):
            return None
        if self._first[0] != first:
            try:
                opened = from_data(scene, {**data, **first, "nails": [], "locked": []})
            except StringlessError:
                opened = None
            self._first = first, opened
        return self._first[1]


def _sample(editor: Editor, run: Run, times: FloatArray) -> Samples:
    return sample_motion(editor.model, run, times, editor.course.dt, editor.controls.masses)
