"""Playback: simulate live at a chosen rate, or show what is on record, forward, in a loop or step by step."""

import gc
import math
import time as wall
from typing import Literal, NamedTuple

from stringless.errors import DivergenceError, InputError, renamed, renamed_arguments
from stringless.project.project import Project
from stringless.timeline.chunk import Frame
from stringless.timeline.take import Take

Mode = Literal["paused", "live", "replay"]
SLICE = 1 / 30
"""Most that is simulated at a time, in simulated seconds at the speed of the wall clock."""
KEEP_EVERY = 0.5
"""Seconds of the wall clock after which what was recorded is handed to the file."""
SLOWEST, FASTEST = 1 / 32, math.inf
"""Simulated seconds per second of the wall clock; the fastest is as fast as the machine goes."""
MOST_BEHIND = 0.1
"""What a machine that cannot keep up owes is forgiven beyond this [s of the wall clock]: it runs slower instead."""
MEMORY = 1.0
"""Over which the measured speed is averaged [s]."""


class PlayerState(NamedTuple):
    """What a player shows, and how."""

    mode: Mode
    shown: tuple[float, int] | None
    """Time and branch on record; None for the present."""
    range: tuple[float, float]
    loop: bool


class Player:
    """Shows a project in time. `tick` does what is due; the owner of the player calls it over and over."""

    def __init__(self, project: Project, rate: float = 1.0) -> None:
        """Start paused at the present."""
        _freeze_objects()
        self.project = project
        self.clock = Clock(rate)
        self.mode: Mode = "paused"
        self.trouble = ""
        """Why the live simulation stopped by itself; it then stands at the last good step."""
        self._shown: tuple[float, int] | None = None
        self._range = 0.0, 0.0
        self.loop = False
        """Whether the range is replayed over and over."""
        self._kept = -math.inf

    # --- what is shown ---

    @property
    def branch(self) -> int | None:
        """The branch that is shown."""
        return self._shown[1] if self._shown else self.project.position.branch

    lane = renamed("lane", "branch")

    @property
    def time(self) -> float:
        """The time that is shown [s]."""
        return self._shown[0] if self._shown else self.project.sim.time

    @property
    def at_present(self) -> bool:
        """Whether the simulation itself is shown, and not the record."""
        return self._shown is None

    @property
    def frame(self) -> Frame:
        """The frame on record that is shown."""
        return self.project.take.frame(self.time, self.branch)

    @property
    def stale(self) -> bool:
        """Whether what is shown is out of date: commands or parameters have changed before it."""
        if self._shown is None:
            return False
        since = self.project.stale_after()
        return since is not None and self.time > since and self._shown[1] == self.project.position.branch

    @property
    def range(self) -> tuple[float, float] | None:
        """What is replayed, from when to when [s]; None if nothing is."""
        return self._range if self.mode == "replay" else None

    @property
    def state(self) -> PlayerState:
        """What is shown, and how."""
        return PlayerState(self.mode, self._shown, self._range, self.loop)

    # --- modes ---

    def restore(self, state: PlayerState) -> None:
        """Show what was shown before."""
        mode, self._shown, self._range, self.loop = state
        self._set_mode(mode)

    def go_to_shown(self) -> None:
        """Put the simulation to the time that is shown."""
        if self._shown is not None:
            time, branch = self._shown
            if (branch, time) != (self.project.position.branch, self.project.sim.time):
                # Keyframes are made for a time, not at it: after going back to play them they must still be there.
                self.project.do("go_to", time=time, lane=branch, bring_keyframes=True)
            self._shown = None

    def live(self, now: float | None = None) -> None:
        """Simulate on from what is shown."""
        self.project.edits.check_allowed("advance")
        self.go_to_shown()
        self.trouble = ""
        self._set_mode("live", now)

    @renamed_arguments(lane="branch")
    def replay(
        self,
        start: float | None = None,
        end: float | None = None,
        *,
        branch: int | str | None = None,
        loop: bool = False,
        now: float | None = None,
    ) -> None:
        """Show a range of the record without simulating; from what is shown to the end if not given."""
        take = self._require_record()
        number = take.branch(self.branch if branch is None else branch).id
        first, last = take.begin(number), take.end(number)
        start = min(self.time, last) if start is None else start
        end = last if end is None else end
        if not first <= start <= end <= last + 1e-9:
            raise InputError(f"cannot play {start:g} s to {end:g} s; this branch runs from {first:g} s to {last:g} s")
        self._shown, self._range, self.loop = (start, number), (start, end), loop
        self._set_mode("replay", now)

    def pause(self) -> None:
        """Pause, and hand everything to the file."""
        self._set_mode("paused")
        self.project.finish()

    @renamed_arguments(lane="branch")
    def seek(self, time: float, branch: int | str | None = None) -> Frame:
        """Show a time on record; the simulation stays where it is until it is told to continue from there."""
        take = self._require_record()
        if not (isinstance(time, (int, float)) and math.isfinite(time)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot look at time {time!r}; expected a finite number of seconds")
        number = take.branch(self.branch if branch is None else branch).id
        self._set_mode("paused")
        frame = take.frame(min(max(time, take.begin(number)), take.end(number)), number)
        self._shown = (frame.time, number)
        return frame

    def present(self) -> None:
        """Show the simulation itself again."""
        self._shown = None
        self._set_mode("paused")

    def step(self, frames: int = 1) -> None:
        """Go by single frames: back along the record, forward along it, and at its end by simulating."""
        self._set_mode("paused")
        take = self.project.take
        for _ in range(frames):
            if self.branch is None or self._is_at_end():
                self.present()
                self.project.advance(self.project.sim.recording.count_steps_to_frame())
            else:
                later = take.frames(math.nextafter(self.time, math.inf), branch=self.branch)
                self._show(next((frame.time for frame in later), self.time))
        for _ in range(-frames if self.branch is not None else 0):
            before = take.frame(math.nextafter(self.time, -math.inf), self.branch)
            if before.time < self.time:
                self._show(before.time)

    def _set_mode(self, mode: Mode, now: float | None = None) -> None:
        self.mode = mode
        if mode == "paused":
            self.clock.stop()
        else:
            self.clock.start(wall.perf_counter() if now is None else now)

    def _require_record(self) -> Take:
        if not self.project.take.branches:
            raise InputError("nothing was recorded yet; simulate something first")
        return self.project.take

    def _is_at_end(self) -> bool:
        here = self.project.position
        present = self._shown is None or self._shown == (here.time, here.branch)
        return present and here.branch is not None and here.time >= self.project.take.end(here.branch)

    def _show(self, time: float) -> None:
        assert self.branch is not None
        self._shown = (time, self.branch)

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
        if time >= end and self.loop and end > start:
            time = start + (time - start) % (end - start)
        elif time >= end:
            time = end
            self._set_mode("paused")
        self._show(time)


def _freeze_objects() -> None:
    """Keep Python's garbage collector from searching all that is loaded by now, over and over.

    The compiler of the kernels leaves a million objects behind; a search of them takes a tenth of a second, in the
    middle of a seek or a frame.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Clock:
    """Tells how much to simulate, from how much time has passed at the wall."""

    def __init__(self, rate: float = 1.0) -> None:
        """Stand still; `start` sets it going."""
        self.rate = rate
        self._last: float | None = None
        self._owed = 0.0
        self._passed, self._done = 0.0, 0.0

    @property
    def rate(self) -> float:
        """Simulated seconds per second: 1/32 to infinity, which is as fast as possible."""
        return self._rate

    @rate.setter
    def rate(self, value: float) -> None:
        if not (isinstance(value, (int, float)) and SLOWEST <= value <= FASTEST):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a rate of {value!r} is not possible; expected 1/32 to infinity (as fast as possible)")
        self._rate = float(value)
        self._owed = 0.0

    @property
    def running(self) -> bool:
        """Whether it is going."""
        return self._last is not None

    def start(self, now: float) -> None:
        """Set it going at a time of the wall clock [s]."""
        self._last, self._owed = now, 0.0
        self._passed = self._done = 0.0

    def stop(self) -> None:
        """Let it stand still."""
        self._last = None

    def due(self, now: float, most: float) -> float:
        """Simulated time that should pass to keep up with the wall clock, `most` at once [s]."""
        if self._last is None:
            return 0.0
        passed, self._last = max(now - self._last, 0.0), now
        fade = math.exp(-passed / MEMORY)
        self._passed, self._done = self._passed * fade + passed, self._done * fade
        if math.isinf(self.rate):
            return most
        owed = self._owed + passed * self.rate
        self._owed = min(owed, MOST_BEHIND * self.rate + most) if math.isfinite(most) else owed
        return min(self._owed, most)

    def did(self, seconds: float) -> None:
        """Say how much was simulated."""
        self._owed = 0.0 if math.isinf(self.rate) else self._owed - seconds
        self._done += seconds

    @property
    def speed(self) -> float:
        """Simulated seconds per second, as measured of late; 0 if nothing was."""
        return self._done / self._passed if self._passed > 0 else 0.0
