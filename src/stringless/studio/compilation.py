"""Compilation of kernels in the background, so that no page waits in front of a studio that does not answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from stringless import jit
from stringless.editing import kernels_roll, studies
from stringless.errors import StringlessError
from stringless.simulation import Simulation
from stringless.studio.messages import Preparation

log = logging.getLogger(__name__)
PHYSICS, DIRECTING, POSING = "Preparing the physics", "Preparing to direct", "Preparing to pose"
EDITOR = "Preparing the motion editor"


class SimulationKernels:
    """Compiles what a simulation needs: first to run by itself, then to be directed, then to be posed."""

    def __init__(self, sim: Simulation) -> None:
        """Begin with copies of `sim`, which is not touched afterwards."""
        self.preparing: Preparation | None = Preparation(PHYSICS)
        """What is being compiled, for pages to show."""
        self._plain, self._directed = threading.Event(), threading.Event()
        self._stopped = self._closed = False
        self._guests: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self.twin = sim.fork()
        """A copy of the simulation that runs by itself, for use when everything is ready."""
        parts = [(PHYSICS, self.twin, self._plain), *self._fork_directed(sim)]
        self._thread = threading.Thread(target=self._work, args=(parts,), name="preparing", daemon=True)
        self._thread.start()

    def _fork_directed(self, sim: Simulation) -> list[tuple[str, Simulation, threading.Event]]:
        if sim.adaptive is not None:  # it does not support goals
            self._directed.set()
            return []
        fork = sim.fork()
        try:
            for actor in fork.director.cast:
                fork.director.take(actor.index)
        except StringlessError:  # there are no characters
            self._directed.set()
            return []
        return [(DIRECTING, fork, self._directed)]

    def is_ready(self, sim: Simulation) -> bool:
        """Whether the next step need not wait for a kernel."""
        return self._directed.is_set() if sim.is_directed else self._plain.is_set()

    @property
    def all_ready(self) -> bool:
        """Whether everything is compiled."""
        return not self._thread.is_alive()

    def insert(self, work: Callable[[], None]) -> bool:
        """Do other work after the present part, before the next; False if all parts are done already."""
        with self._lock:
            if not self._closed:
                self._guests.append(work)
            return not self._closed

    def _run_guests(self, *, last: bool = False) -> None:
        while True:
            with self._lock:
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
            for text, sim, ready in parts:
                if not self._stopped:
                    self._report(text, 0, 0)
                    sim.warm_up(lambda _, done, total, text=text: self._report(text, done, total))
                ready.set()
                self._run_guests()
            if parts[1:] and not self._stopped:
                self._report(POSING, 0, 0)
                warm_up_poses(parts[1][1])
        except Exception:  # whoever needs the kernel will get the same error, and can show it
            log.exception("a kernel could not be compiled")
        finally:
            self._plain.set()
            self._directed.set()
            self.preparing = None
            self._run_guests(last=True)

    def _report(self, text: str, done: int, total: int) -> None:
        self.preparing = Preparation(text, done, total)


class EditorKernels:
    """Compiles what the motion editor needs, once for all scenes."""

    def __init__(self) -> None:
        self.preparing: Preparation | None = None
        """What is being compiled, for pages to show."""
        self.is_ready = self._begun = False

    def prepare(self, kernels: SimulationKernels) -> None:
        """Begin if that was not done yet, between the parts of a simulation: two threads cannot compile at once."""
        if self._begun:
            return
        self._begun, self.preparing = True, Preparation(EDITOR)
        if not kernels.insert(self._work):
            threading.Thread(target=self._work, name="preparing the editor", daemon=True).start()

    def _work(self) -> None:
        try:
            with jit.compiling(self._report, kernels_roll.roll):
                warm_up_editor()
        except Exception:  # whoever needs the kernel will get the same error, and can show it
            log.exception("a kernel of the editor could not be compiled")
        finally:
            self.is_ready, self.preparing = True, None

    def _report(self, name: str, done: int, total: int) -> None:
        self.preparing = Preparation(EDITOR, done, total)


def warm_up_poses(sim: Simulation) -> None:
    """Find a pose and the energy once."""
    for actor in sim.director.cast:
        poser = sim.director.poser(actor.index)
        if len(actor.members):
            poser.pin(int(actor.members[-1]))
            poser.solve(1)
    sim.energy()


def warm_up_editor() -> None:
    """Edit two small motions once: with a grip, and with a surface that is met."""
    for editor in (studies.flier(), studies.hoop(board=True)):
        editor.iterate()
