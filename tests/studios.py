"""A studio as a person starts one: a process of its own, with folders of its own and the kernels of everybody."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from stringless import jit

if TYPE_CHECKING:
    from playwright.sync_api import Page

ADDRESS = re.compile(r"https?://[^\s/]+/[A-Za-z0-9_-]{16,}/")
START = 180.0
"""The address must be known by then [s]; kernels are compiled later."""

PREPARED = "() => window.stringless.status.value !== null && window.stringless.status.value.preparing === null"
FIRST_FRAME = 900_000
"""On a machine that has never run a simulation the kernels are compiled before the first frame [ms]."""


class Studio:
    """A running `stringless studio`."""

    def __init__(self, home: Path, *arguments: str) -> None:
        """Start it, and wait for its address. What a person keeps at home is kept in `home`."""
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        program = Path(sys.executable).with_name("stringless")
        command = [program, "studio", "--no-browser", "--port", "0", *arguments]
        self.process = subprocess.Popen(
            command,
            cwd=home,
            env=_environment(home),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self._new: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.address = self._find_address()
        except BaseException:
            self.kill()
            raise

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self._new.put(line)
        self._new.put(None)

    def _find_address(self) -> str:
        end = time.monotonic() + START
        while True:
            try:
                line = self._new.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"no address after {START} s; the studio said:\n{self.output}") from None
            assert line is not None, f"the studio ended without an address; it said:\n{self.output}"
            found = ADDRESS.search(line)
            if found:
                return found[0]

    @property
    def output(self) -> str:
        """All it has said."""
        return "".join(self.lines)

    def stop(self, timeout: float = 120.0) -> int:
        """Press Ctrl-C and wait; gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout)
        self._close()
        return code

    def kill(self) -> None:
        """Let it die as by a power cut."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._close()

    def _close(self) -> None:
        while self._new.get(timeout=60) is not None:
            pass
        self._new.put(None)
        assert self.process.stdout is not None
        self.process.stdout.close()


def show(page: Page, studio: Studio, query: str = "") -> None:
    """Open a studio's page and wait until its first frame was drawn and the kernels are there."""
    page.goto(studio.address + query)
    page.wait_for_selector('html[data-ready="1"]', state="attached", timeout=FIRST_FRAME)
    page.wait_for_function(PREPARED, timeout=FIRST_FRAME)


def _environment(home: Path) -> dict[str, str]:
    """Ours, with another home, and without what a person may have set to reach into theirs."""
    folders = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state"}
    return (
        {name: value for name, value in os.environ.items() if name not in ("STRINGLESS_HOME", "COLUMNS")}
        | {name: str(home / folder) for name, folder in folders.items()}
        | {"HOME": str(home), "STRINGLESS_CACHE_DIR": str(jit.cache_folder().parent), "PYTHONUNBUFFERED": "1"}
    )
