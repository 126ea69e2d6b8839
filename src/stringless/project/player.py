"""Playing: simulate live at a chosen speed, or show what is on record, forward, in a loop or step by step."""

from __future__ import annotations

import gc
import math
import time as wall
from typing import Literal, NamedTuple

from stringless.errors import DivergenceError, InputError
from stringless.project.project import Project
from stringless.timeline.chunk import Frame
from stringless.timeline.clock import Clock
from stringless.timeline.take import Take

Mode = Literal["paused", "live", "replay"]
SLICE = 1 / 30
"""Most that is simulated before the player looks up, in seconds of simulated time at the speed of the wall clock."""
KEEP_EVERY = 0.5
"""Seconds of the wall clock after which what was recorded is handed to the file."""


class Look(NamedTuple):
    """What a player looks at."""

    mode: Mode
    shown: tuple[float, int] | None
    """Time and lane on record; None for the present."""
    range: tuple[float, float]
    loop: bool


class Player:
    """Shows a project in time. `tick` does what is due; whoever owns the player calls it over and over."""

    def __init__(self, project: Project, rate: float = 1.0) -> None:
        """Stand still at the present."""
        _quiet_collector()
        self.project = project
        self.clock = Clock(rate)
        self.mode: Mode = "paused"
        self.trouble = ""
        """Why the live simulation stopped by itself; it then stands at the last good step."""
        self._shown: tuple[float, int] | None = None  # a moment on record that is looked at, instead of the present
        self._range, self._loop = (0.0, 0.0), False
        self._kept = -math.inf

    # --- what is shown ---

    @property
    def lane(self) -> int | None:
        """The lane that is looked at."""
        return self._shown[1] if self._shown else self.project.position.lane

    @property
    def time(self) -> float:
        """The time that is looked at [s]."""
        return self._shown[0] if self._shown else self.project.sim.time

    @property
    def at_present(self) -> bool:
        """Whether the simulation itself is looked at, and not the record."""
        return self._shown is None

    @property
    def frame(self) -> Frame:
        """What to draw of the record."""
        return self.project.take.frame(self.time, self.lane)

    @property
    def stale(self) -> bool:
        """Whether what is looked at is not what would happen now: commands or parameters have changed before it."""
        if self._shown is None:
            return False
        since = self.project.stale_after()
        return since is not None and self.time > since and self._shown[1] == self.project.position.lane

    # --- modes ---

    @property
    def range(self) -> tuple[float, float] | None:
        """What is replayed, from when to when [s]; None if nothing is."""
        return self._range if self.mode == "replay" else None

    @property
    def loop(self) -> bool:
        """Whether it is replayed over and over."""
        return self._loop

    def arrive(self) -> None:
        """Put the simulation to what is looked at; no time passes yet."""
        if self._shown is not None:
            time, lane = self._shown
            if (lane, time) != (self.project.position.lane, self.project.sim.time):
                # Keyframes are made for a moment, not at it: whoever goes back to play them must still have them.
                self.project.do("go_to", time=time, lane=lane, bring_keyframes=True)
            self._shown = None

    def look(self) -> Look:
        """What is looked at, and how."""
        return Look(self.mode, self._shown, self._range, self._loop)

    def look_again(self, look: Look, now: float | None = None) -> None:
        """Look at what was looked at before."""
        self.mode, self._shown, self._range, self._loop = look
        if self.mode != "paused":
            self.clock.start(wall.perf_counter() if now is None else now)
        else:
            self.clock.stop()

    def live(self, now: float | None = None) -> None:
        """Simulate on from what is looked at."""
        self.project.edits.check_allowed("advance")
        self.arrive()
        self.trouble = ""
        self.mode = "live"
        self.clock.start(wall.perf_counter() if now is None else now)

    def replay(
        self,
        start: float | None = None,
        end: float | None = None,
        *,
        lane: int | str | None = None,
        loop: bool = False,
        now: float | None = None,
    ) -> None:
        """Show a range of the record without simulating; from what is looked at to the end if not given."""
        take = self._recorded()
        number = take.lane(self.lane if lane is None else lane).id
        first, last = take.begin(number), take.end(number)
        start = min(self.time, last) if start is None else start
        end = last if end is None else end
        if not first <= start <= end <= last + 1e-9:
            raise InputError(f"cannot play {start:g} s to {end:g} s; this lane runs from {first:g} s to {last:g} s")
        self._range, self._loop = (start, end), loop
        self._shown = (start, number)
        self.mode = "replay"
        self.clock.start(wall.perf_counter() if now is None else now)

    def pause(self) -> None:
        """Stand still where it is, and hand everything to the file."""
        self.mode = "paused"
        self.clock.stop()
        self.project.finish()

    def seek(self, time: float, lane: int | str | None = None) -> Frame:
        """Look at a moment on record; the simulation stays where it is until it is told to go on from there."""
        take = self._recorded()
        if not (isinstance(time, (int, float)) and math.isfinite(time)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot look at time {time!r}; expected a finite number of seconds")
        number = take.lane(self.lane if lane is None else lane).id
        self.mode = "paused"
        self.clock.stop()
        frame = take.frame(min(max(time, take.begin(number)), take.end(number)), number)
        self._shown = (frame.time, number)
        return frame

    def _recorded(self) -> Take:
        if not self.project.take.lanes:
            raise InputError("nothing was recorded yet; simulate something first")
        return self.project.take

    def present(self) -> None:
        """Look at the simulation itself again."""
        self._shown = None
        self.mode = "paused"
        self.clock.stop()

    def step(self, frames: int = 1) -> None:
        """Go by single frames: back along the record, forward along it, and at its end by simulating."""
        self.mode = "paused"
        self.clock.stop()
        take = self.project.take
        while frames > 0:
            if self.lane is None or self._at_end():
                self.present()
                project = self.project
                project.advance(project.sim.recording.due())
            else:
                later = take.frames(math.nextafter(self.time, math.inf), lane=self.lane)
                self._look(next((frame.time for frame in later), self.time))
            frames -= 1
        while frames < 0 and self.lane is not None:
            before = take.frame(math.nextafter(self.time, -math.inf), self.lane)
            if before.time < self.time:
                self._look(before.time)
            frames += 1

    def _at_end(self) -> bool:
        here = self.project.position
        present = self._shown is None or self._shown == (here.time, here.lane)
        return present and here.lane is not None and here.time >= self.project.take.end(here.lane)

    def _look(self, time: float) -> None:
        assert self.lane is not None
        self._shown = (time, self.lane)

    # --- time passes ---

    def tick(self, now: float | None = None) -> None:
        """Do what is due at a time of the wall clock [s]."""
        now = wall.perf_counter() if now is None else now
        if self.mode == "live":
            self._tick_live(now)
        elif self.mode == "replay":
            self._tick_replay(now)

    def _tick_live(self, now: float) -> None:
        dt = self.project.sim.config.dt
        most = max(dt, SLICE * min(self.clock.rate, 4.0))
        steps = int(self.clock.due(now, most) / dt + 1e-9)
        try:
            self.project.advance(steps)
            self.clock.did(steps * dt)
        except DivergenceError as error:
            self.trouble = str(error)
            self.pause()
        if now - self._kept > KEEP_EVERY:
            self.project.keep()
            self._kept = now

    def _tick_replay(self, now: float) -> None:
        start, end = self._range
        passed = self.clock.due(now, math.inf if math.isfinite(self.clock.rate) else SLICE)
        self.clock.did(passed)
        time = self.time + passed
        if time >= end:
            if self._loop and end > start:
                time = start + (time - start) % (end - start)
            else:
                time = end
                self.mode = "paused"
                self.clock.stop()
        self._look(time)


def _quiet_collector() -> None:
    """Keep Python's collector from searching all that is loaded by now, over and over.

    The compiler of the kernels leaves a million objects behind; a search of them takes a tenth of a second, in the
    middle of a seek or a frame.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
