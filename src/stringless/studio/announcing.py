"""Says how it stands several times a second, also while the session's thread is busy."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import msgspec

from stringless.studio.messages import Status
from stringless.studio.standing import empty_status

if TYPE_CHECKING:
    from stringless.studio.session import Session

EVERY = 1 / 8
LATE = 0.2
"""After so long without a word the session counts as busy, and the last status is said again [s]."""


class Announcer:
    """Brings statuses to the pages, each with its own number of frames."""

    def __init__(self, session: Session) -> None:
        """Not started yet."""
        self._session = session
        self._last: Status | None = None
        self._said = 0.0
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="status", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stop.set()

    def say(self, status: Status) -> None:
        """Say a new status to every page."""
        with self._lock:
            self._last, self._said = status, time.perf_counter()
            self._bring(None)

    def say_now(self, page: int) -> None:
        """Say to a page that has just come how it stood last."""
        with self._lock:
            self._bring(page)

    def _bring(self, only: int | None) -> None:
        session = self._session
        last = self._last or empty_status(session.pages, session.jobs, session.preparing)
        here = session.pages.all
        now = msgspec.structs.replace(
            last, preparing=session.preparing, jobs=session.jobs.infos, pages=len(here), director=session.pages.director
        )
        for page in here:
            if only is None or page.number == only:
                frames = session.outlet.sent(page.number)
                session.outlet.say(page.number, msgspec.structs.replace(now, frames=frames))

    def _work(self) -> None:
        while not self._stop.wait(EVERY):
            with self._lock:
                if time.perf_counter() - self._said > LATE:
                    self._bring(None)
