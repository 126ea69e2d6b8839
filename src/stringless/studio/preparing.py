"""Kernels are compiled beside the simulation thread, so that nobody waits in front of a page that stands still."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from stringless.engines import Feature
from stringless.errors import StringlessError
from stringless.simulation import Simulation
from stringless.studio.messages import Preparation

log = logging.getLogger(__name__)
TEXTS = ("Preparing the physics", "Preparing to direct", "Preparing to pose")
"""What goes on first, second and third."""


class Kernels:
    """Compiles what a simulation needs: first to run by itself, then to be directed, then what poses need."""

    def __init__(self, sim: Simulation) -> None:
        """Begin with copies of `sim`, which is not touched afterwards."""
        self.preparing: Preparation | None = Preparation(TEXTS[0], 0, 0)
        """What goes on, to be shown."""
        self._plain, self._directed = threading.Event(), threading.Event()
        self._stopped = self._closed = False
        self._guests: list[Callable[[], None]] = []
        self._door = threading.Lock()
        self.twin = sim.fork()
        """A copy of the simulation that runs by itself; whoever uses it waits until everything is ready."""
        parts = [(TEXTS[0], self.twin, self._plain), *self._directing(sim)]
        self._thread = threading.Thread(target=self._work, args=(parts,), name="preparing", daemon=True)
        self._thread.start()

    def _directing(self, sim: Simulation) -> list[tuple[str, Simulation, threading.Event]]:
        if not sim.engine.supports(Feature.GOALS):
            self._directed.set()
            return []
        fork = sim.fork()
        try:
            for actor in fork.director.cast:
                fork.director.take(actor.index)
        except StringlessError:  # there is nobody to direct
            self._directed.set()
            return []
        return [(TEXTS[1], fork, self._directed)]

    def ready(self, sim: Simulation) -> bool:
        """Whether the next step need not wait for a kernel."""
        return self._directed.is_set() if sim.is_directed else self._plain.is_set()

    @property
    def all_ready(self) -> bool:
        """Whether everything is there."""
        return not self._thread.is_alive()

    def let_in(self, work: Callable[[], None]) -> bool:
        """Do something else as soon as the present part is done, before the next; False if all parts are done already."""
        with self._door:
            if not self._closed:
                self._guests.append(work)
            return not self._closed

    def _serve_guests(self, *, last: bool = False) -> None:
        while True:
            with self._door:
                self._closed = last and not self._guests
                work = self._guests.pop(0) if self._guests else None
            if work is None:
                return
            self.preparing = None
            work()

    def stop(self) -> None:
        """Begin nothing more; what is being compiled ends by itself."""
        self._stopped = True

    def _work(self, parts: list[tuple[str, Simulation, threading.Event]]) -> None:
        try:
            for text, sim, there in parts:
                if not self._stopped:
                    self.preparing = Preparation(text, 0, 0)
                    sim.warm_up(self._reporter(text))
                there.set()
                self._serve_guests()
            if parts[1:] and not self._stopped:
                self.preparing = Preparation(TEXTS[2], 0, 0)
                warm_poses(parts[1][1])
        except Exception:  # whoever needs the kernel will meet the same and can say it to somebody
            log.exception("a kernel could not be compiled")
        finally:
            self._plain.set()
            self._directed.set()
            self.preparing = None
            self._serve_guests(last=True)

    def _reporter(self, text: str) -> Callable[[str, int, int], None]:
        def report(name: str, done: int, total: int) -> None:
            self.preparing = Preparation(text, done, total)

        return report


def warm_poses(sim: Simulation) -> None:
    """Find a pose once, and look at the energy."""
    for actor in sim.director.cast:
        poser = sim.director.poser(actor.index)
        if len(actor.members):
            poser.pin(int(actor.members[-1]))
            poser.solve(1)
    sim.energy()
