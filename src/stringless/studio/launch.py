"""A studio in a process of its own, for measurements and tests from outside."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from stringless.errors import StringlessError

RUN = "from stringless.cli import main; main()"
ADDRESS = re.compile(r"http://\S+/")


class StudioProcess:
    """A running studio."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address

    @property
    def memory(self) -> float:
        """Resident memory [MB]; 0 where the system does not tell."""
        return find_memory(self.process.pid)

    def interrupt(self) -> float:
        """Press Ctrl-C, and wait for the end. Returns how long that took [s]."""
        start = time.perf_counter()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30.0)
        return time.perf_counter() - start


def find_memory(process: int | str) -> float:
    """Resident memory of a process, by its number or `self` [MB]; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextlib.contextmanager
def launch(source: str = "worm", *options: str, folder: Path | None = None) -> Iterator[StudioProcess]:
    """Start a studio on a free port, with its projects kept in `folder` or nowhere, and stop it at the end."""
    with contextlib.ExitStack() as stack:
        home = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        words = [sys.executable, "-c", RUN, "studio", source, "--port", "0", "--no-browser", *options]
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, text=True, cwd=home, env={**os.environ, "XDG_DATA_HOME": str(home)}
        )
        stack.callback(_end, process)
        assert process.stdout is not None
        line = process.stdout.readline()
        found = ADDRESS.search(line)
        if found is None:
            raise StringlessError(f"the studio did not start; it said {line!r} and ended with {process.wait(10.0)}")
        yield StudioProcess(process, found.group())


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
