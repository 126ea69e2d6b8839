"""Compilation of kernels in the background, so that no page waits in front of a studio that does not answer."""

import logging
import threading
from collections.abc import Callable

from stringless import jit
from stringless.editing import kernels_roll, studies
from stringless.engines import Feature
from stringless.errors import StringlessError
from stringless.simulation import Simulation
from stringless.studio.messages import Preparation

log = logging.getLogger(__name__)
PHYSICS, DIRECTING, POSING = "Preparing the physics", "Preparing to direct", "Preparing to pose"
EDITOR = "Preparing the motion editor"
Report = Callable[[str, int, int], None]
"""Takes the name of a kernel, how many are done and how many there are."""
Part = Callable[[Report], None]


class Compiler:
    """Compiles one part after the other, in a thread of its own."""

    def __init__(self) -> None:
        self.preparing: Preparation | None = None
        """The part that is being compiled, for pages to show."""
        self._parts: list[tuple[str, Part]] = []
        self._lock = threading.Lock()

    def add(self, text: str, part: Part, *, first: bool = False) -> None:
        """Compile a part when all others are done, or right after the present one."""
        with self._lock:
            self._parts.insert(0 if first else len(self._parts), (text, part))
            if self.preparing is None:
                self.preparing = Preparation(text)
                threading.Thread(target=self._work, name="compiler", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                text, part = self._parts.pop(0) if self._parts else ("", None)
                self.preparing = Preparation(text) if part else None
            if part is None:
                return
            try:
                part(lambda _, done, total, text=text: setattr(self, "preparing", Preparation(text, done, total)))
            except Exception:  # a caller of the kernel gets the same error, and can show it
                log.exception("a kernel could not be compiled")


class SimulationKernels:
    """Compiles what a simulation needs: first to run by itself, then to be directed, then to be posed."""

    def __init__(self, sim: Simulation) -> None:
        """Begin with copies of `sim`, which is not touched afterwards."""
        self.compiler = Compiler()
        self._plain, self._directed = threading.Event(), threading.Event()
        self._stopped = False
        self.twin = sim.fork()
        """A copy of the simulation that runs by itself, for use when everything is ready."""
        directed = _fork_directed(sim)
        self._add(PHYSICS, self.twin.warm_up, self._plain)
        if directed is None:
            self._directed.set()
        else:
            self._add(DIRECTING, directed.warm_up, self._directed)
            self._add(POSING, lambda _: warm_up_poses(directed), threading.Event())

    def _add(self, text: str, part: Part, done: threading.Event) -> None:
        def compile_part(report: Report) -> None:
            try:
                if not self._stopped:
                    part(report)
            finally:
                done.set()

        self.compiler.add(text, compile_part)

    def is_ready(self, sim: Simulation) -> bool:
        """Whether the next step need not wait for a kernel."""
        return self._directed.is_set() if sim.is_directed else self._plain.is_set()

    @property
    def all_ready(self) -> bool:
        """Whether everything is compiled."""
        return self.compiler.preparing is None

    def stop(self) -> None:
        """Begin nothing more; what is being compiled ends by itself."""
        self._stopped = True


class EditorKernels:
    """Compiles what the motion editor needs, once for all scenes, when it is needed."""

    def __init__(self) -> None:
        self.is_ready = False
        self._compiler: Compiler | None = None

    @property
    def preparing(self) -> Preparation | None:
        """What is being compiled, for pages to show."""
        return self._compiler.preparing if self._compiler is not None and not self.is_ready else None

    def prepare(self, kernels: SimulationKernels) -> None:
        """Begin if that was not done yet, between the parts of a simulation: two threads cannot compile at once."""
        if self._compiler is None:
            self._compiler = kernels.compiler
            self._compiler.add(EDITOR, self._compile, first=True)

    def _compile(self, report: Report) -> None:
        try:
            with jit.compiling(report, kernels_roll.roll):
                for editor in (
                    studies.flier(),
                    studies.hoop(board=True),
                ):  # with a grip, and with a surface that is met
                    editor.iterate()
        finally:
            self.is_ready = True


def _fork_directed(sim: Simulation) -> Simulation | None:
    """A copy of which all characters are directed; None if there are none, or the engine does not support goals."""
    if not sim.engine.supports(Feature.GOALS):
        return None
    fork = sim.fork()
    try:
        for character in fork.director.characters:
            fork.director.take(character.index)
    except StringlessError:
        return None
    return fork


def warm_up_poses(sim: Simulation) -> None:
    """Find a pose and the energy once."""
    for character in sim.director.characters:
        poser = sim.director.poser(character.index)
        if len(character.members):
            poser.pin(int(character.members[-1]))
            poser.solve(1)
    sim.energy()
