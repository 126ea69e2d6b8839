"""How fast simulated time passes."""

import math

from stringless.errors import InputError

SLOWEST, FASTEST = 1 / 32, math.inf
"""Simulated seconds per second of the wall clock; the fastest is as fast as the machine goes."""
MOST_BEHIND = 0.1
"""What a machine that cannot keep up owes is forgiven beyond this [s of the wall clock]: it runs slower instead."""
MEMORY = 1.0
"""Over which the measured speed is averaged [s]."""


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
