"""Ghosts: previews that are computed beside the live simulation and follow every change of command."""

import contextlib
import os
import sys
import threading
import time
from contextlib import AbstractContextManager
from typing import Any

from stringless.errors import InputError, renamed
from stringless.simulation import Simulation
from stringless.simulation.preview import Preview, preview

SHORTEST, LONGEST = 0.1, 5.0
"""Horizons that can be chosen [s]."""
REFRESH = 0.05
"""Shortest time between two previews if nothing has changed but time [s]."""
NICE = 10
"""How much lower the priority of a preview is, as in the command `nice`."""


class Ghosts(AbstractContextManager["Ghosts"]):
    """Keeps a preview of the next seconds; the newest request counts, the preview of an older one is dropped."""

    def __init__(self, horizon: float = 1.0, rate: float = 30.0) -> None:
        """Look `horizon` seconds ahead, with `rate` frames a second."""
        self.horizon, self.rate = horizon, rate
        self.latest: Preview | None = None
        """The newest preview that is complete, or as far as it went before the motion diverged."""
        self.made = 0
        """Number of previews that were computed."""
        self._requested: Simulation | None = None
        self._change = threading.Condition()
        self._asked = 0.0
        self._busy = self._stop = False
        self._thread = threading.Thread(target=self._work, name="look ahead", daemon=True)
        self._thread.start()

    @property
    def horizon(self) -> float:
        """How far to look ahead: 0.1 to 5 s."""
        return self._horizon

    @horizon.setter
    def horizon(self, value: float) -> None:
        if not (isinstance(value, (int, float)) and SHORTEST <= value <= LONGEST):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"a look ahead of {value!r} s is not possible; expected {SHORTEST} to {LONGEST} s")
        self._horizon = float(value)

    def request(self, sim: Simulation) -> None:
        """Ask for a preview from where `sim` is now; returns at once. Call it in the thread that advances `sim`."""
        if self._stop:
            raise InputError("this look ahead was closed; make another one")
        self._asked = time.monotonic()
        copy = sim.fork()
        with self._change:
            self._requested = copy
            self._change.notify_all()

    @property
    def idle(self) -> bool:
        """Whether every request was fulfilled."""
        return not self._busy and self._requested is None

    @property
    def ready(self) -> bool:
        """Whether to request again although nothing has changed but time."""
        return self.idle and time.monotonic() - self._asked > REFRESH

    def wait(self, seconds: float = 600.0) -> Preview | None:
        """Return when every request was fulfilled."""
        with self._change:
            self._change.wait_for(lambda: self.idle or self._stop, seconds)
        return self.latest

    def clear(self) -> None:
        """Drop all requests and previews."""
        with self._change:
            self._requested, self.latest = None, None

    def close(self) -> None:
        """Stop."""
        with self._change:
            self._stop = True
            self._change.notify_all()
        self._thread.join()

    def __exit__(self, *_: object) -> None:
        self.close()

    wish = renamed("wish", "request")
    """Its name in earlier versions."""

    def _work(self) -> None:
        _lower_priority()
        while True:
            with self._change:
                self._busy = False
                self._change.notify_all()
                self._change.wait_for(lambda: self._requested is not None or self._stop)
                if self._stop:
                    return
                sim, self._requested, self._busy = self._requested, None, True
            assert sim is not None
            seen = preview(sim, self.horizon, rate=self.rate, cancelled=self._is_outdated)
            with self._change:
                if seen.complete or seen.trouble:
                    self.latest = seen
                    self.made += 1

    def _is_outdated(self) -> bool:
        return self._stop or self._requested is not None


def _lower_priority() -> None:
    """Let the live simulation go first, where threads have priorities of their own."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            thread: Any = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, NICE)
