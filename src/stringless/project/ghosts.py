"""Ghosts: a look ahead that is computed beside the live simulation and follows every change of command."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from typing import Any

from stringless.errors import InputError
from stringless.simulation import Simulation
from stringless.simulation.preview import Preview, preview

SHORTEST, LONGEST = 0.1, 5.0
"""Horizons that can be chosen [s]."""
REFRESH = 0.05
"""A look ahead that only time has made old is renewed no sooner than this [s]."""
NICE = 10
"""How far a look ahead stands back behind the live simulation, as in the command `nice`."""


class Ghosts:
    """Keeps a preview of the next seconds; the newest wish wins, an older one is dropped where it is."""

    def __init__(self, horizon: float = 1.0, rate: float = 30.0) -> None:
        """Look `horizon` seconds ahead, with `rate` frames a second."""
        self.horizon, self.rate = horizon, rate
        self.latest: Preview | None = None
        """The newest preview that is complete, or as far as it went before the motion ran away."""
        self.made = 0
        """How many were computed."""
        self._wish: Simulation | None = None
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

    def wish(self, sim: Simulation) -> None:
        """Ask for a look ahead from where `sim` is now; comes back at once. Called where `sim` is advanced."""
        if self._stop:
            raise InputError("this look ahead was closed; make another one")
        self._asked = time.monotonic()
        copy = sim.fork()
        with self._change:
            self._wish = copy
            self._change.notify_all()

    @property
    def idle(self) -> bool:
        """Whether every wish was worked on."""
        return not self._busy and self._wish is None

    @property
    def ready(self) -> bool:
        """Whether it is worth while to wish again although nothing was commanded anew: time has passed."""
        return self.idle and time.monotonic() - self._asked > REFRESH

    def wait(self, seconds: float = 600.0) -> Preview | None:
        """Come back when every wish was worked on."""
        with self._change:
            self._change.wait_for(lambda: self.idle or self._stop, seconds)
        return self.latest

    def clear(self) -> None:
        """Drop all wishes and what came of them."""
        with self._change:
            self._wish, self.latest = None, None

    def close(self) -> None:
        """Stop looking."""
        with self._change:
            self._stop = True
            self._change.notify_all()
        self._thread.join()

    def __enter__(self) -> Ghosts:
        """Close at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _work(self) -> None:
        _stand_back()
        while True:
            with self._change:
                self._busy = False
                self._change.notify_all()
                self._change.wait_for(lambda: self._wish is not None or self._stop)
                if self._stop:
                    return
                sim, self._wish, self._busy = self._wish, None, True
            assert sim is not None
            seen = preview(sim, self.horizon, rate=self.rate, cancelled=self._overtaken)
            with self._change:
                if seen.complete or seen.trouble:
                    self.latest = seen
                    self.made += 1

    def _overtaken(self) -> bool:
        return self._stop or self._wish is not None


def _stand_back() -> None:
    """Let the live simulation go first, where a thread can have a priority of its own."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            who: Any = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, who, NICE)
