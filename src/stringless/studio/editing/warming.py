"""The kernels of the editor are compiled beside the session, when somebody is about to need them."""

from __future__ import annotations

import logging
import threading

from stringless import jit
from stringless.editing import kernels_roll, studies
from stringless.studio.messages import Preparation
from stringless.studio.preparing import Kernels

log = logging.getLogger(__name__)
TEXT = "Preparing the motion editor"


class Warming:
    """Compiles what the editor needs, once for all scenes."""

    def __init__(self) -> None:
        """Nobody needs it yet."""
        self.preparing: Preparation | None = None
        """What goes on, to be shown."""
        self.ready = self._begun = False

    def begin(self, kernels: Kernels) -> None:
        """Begin if that was not done yet, in between what a simulation needs: nothing is compiled at the same time."""
        if self._begun:
            return
        self._begun, self.preparing = True, Preparation(TEXT, 0, 0)
        if not kernels.let_in(self._work):
            threading.Thread(target=self._work, name="warming the editor", daemon=True).start()

    def _work(self) -> None:
        try:
            with jit.compiling(self._report, kernels_roll.roll):
                warm_up()
        except Exception:  # whoever needs the kernel will meet the same and can say it to somebody
            log.exception("a kernel of the editor could not be compiled")
        finally:
            self.ready, self.preparing = True, None

    def _report(self, name: str, done: int, total: int) -> None:
        self.preparing = Preparation(TEXT, done, total)


def warm_up() -> None:
    """Edit two small motions once: with a grip, and with a surface that is met."""
    for editor in (studies.flier(), studies.hoop(board=True)):
        editor.iterate()
