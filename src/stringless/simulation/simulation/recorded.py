"""A simulation on record: everything it did can be gone back to."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, cast

from stringless.errors import InputError
from stringless.simulation.recording import Position, Recorder
from stringless.simulation.simulation.observing import Observing
from stringless.timeline.store import Store
from stringless.timeline.take import Take

if TYPE_CHECKING:
    from stringless.simulation.simulation.simulation import Simulation


class Recorded(Observing):
    """Records itself, and goes back."""

    @functools.cached_property
    def recorder(self) -> Recorder | None:
        """What writes the take; none if nothing is recorded."""
        return Recorder(cast("Simulation", self), rate=self._record) if self._record > 0 else None

    @property
    def take(self) -> Take:
        """Everything that was simulated here, and can be gone back to."""
        return self._recording().take

    def record_into(self, store: Store, *, rate: float = 120.0, scene: str = "") -> None:
        """Record into a store from now on; `scene` tells which one this is, for a store that knows several."""
        self.__dict__["recorder"] = Recorder(cast("Simulation", self), store, rate, scene)

    def record_from(self, position: Position) -> None:
        """Go on from a moment that another simulation has recorded into the same store; the state must be that of then."""
        self._recording().begin_at(position)

    def record_commands(self) -> None:
        """Write down what is commanded now; it is by itself before the next step, which need not come."""
        if self.recorder is not None:
            self.recorder.before()

    def finish_recording(self) -> None:
        """Hand everything that was recorded to the store."""
        if self.recorder is not None:
            self.recorder.finish()
            self.take.close_chunk()
            self.take.settle()

    def unlike_record(self, lane: int | str | None = None) -> float | None:
        """Simulate a lane again beside the record: the time of the first frame that comes out otherwise, None if none."""
        return self._recording().unlike(lane)

    @property
    def steps_to_frame(self) -> int:
        """Steps until the next frame is recorded."""
        return self._recording().due()

    @property
    def differs_from_record(self) -> bool:
        """Whether going on from here would not repeat what is on record after it."""
        return self._recording().differs()

    @property
    def position(self) -> Position:
        """Where on record the simulation is."""
        return self._recording().position

    def _recording(self) -> Recorder:
        if self.recorder is None:
            raise InputError(
                "this simulation records nothing; make it with record=120 or another number of frames a second"
            )
        return self.recorder

    def rewind(self, seconds: float) -> None:
        """Go back by so much of the recorded time, with the commands of then; the future that was is kept in its lane."""
        if not (isinstance(seconds, (int, float)) and math.isfinite(seconds) and seconds >= 0):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot rewind by {seconds} s; expected a finite number of 0 or more")
        self.go_to(self.time - seconds)

    def go_to(self, time: float, lane: int | str | None = None) -> None:
        """Go to any step on record, with the commands of then; going on from there begins another lane.

        Args:
            time: the nearest step counts [s].
            lane: number or name of a lane of `take`; the current one if not given.
        """
        self._recording().go_to(time, lane)
        self._owed = 0.0

    def copy_at(self, time: float, lane: int | str | None = None) -> tuple[Simulation, int]:
        """A copy, with the commands of then, at any step on record, and the number of that step; this one stays where it is."""
        return self._recording().copy_at(time, lane)
