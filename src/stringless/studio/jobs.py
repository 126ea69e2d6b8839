"""Jobs: long work in the background."""

import itertools
import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from stringless.errors import StringlessError
from stringless.studio.messages import JobInfo

log = logging.getLogger(__name__)
KEPT = 8
"""Jobs that are still listed when they have ended."""
LISTED = 4.0
"""How long a finished job without a file is listed [s]."""


class CancelledError(Exception):
    """The job was cancelled."""


@dataclass
class Job:
    """One job."""

    id: int
    title: str
    done: float = 0.0
    state: Literal["running", "finished", "failed", "cancelled"] = "running"
    text: str = ""
    file: Path | None = None
    """The result, when it is finished."""
    stop: threading.Event = field(default_factory=threading.Event)
    ended: float = math.inf
    """When it was finished, by `time.monotonic` [s]."""

    def report(self, done: float, text: str = "") -> None:
        """Report progress, from 0 to 1; raises if it was cancelled."""
        if self.stop.is_set():
            raise CancelledError
        self.done, self.text = min(max(float(done), 0.0), 1.0), text or self.text  # numbers of NumPy cannot be sent

    @property
    def info(self) -> JobInfo:
        """The job as a page shows it."""
        download = f"download/{self.id}" if self.file is not None and self.state == "finished" else ""
        return JobInfo(self.id, self.title, self.done, self.state, self.text, download)


class Jobs:
    """All jobs."""

    def __init__(self) -> None:
        self._jobs: dict[int, Job] = {}
        self._numbers = itertools.count(1)

    def begin(self, title: str, work: Callable[[Job], Any], then: Callable[[Job, Any], None] | None = None) -> Job:
        """Do `work` in a thread of its own; `then`, called there too, gets its result if it did not fail."""
        job = Job(next(self._numbers), title)
        self._jobs[job.id] = job
        for old in [other for other in self._jobs.values() if other.state != "running"][:-KEPT]:
            del self._jobs[old.id]
        threading.Thread(target=_run, args=(job, work, then), name=f"job {job.id}", daemon=True).start()
        return job

    def get(self, number: int) -> Job | None:
        """A job by its number."""
        return self._jobs.get(number)

    @property
    def infos(self) -> list[JobInfo]:
        """All jobs that are listed; those that are finished without a file only for a moment."""
        now, jobs = time.monotonic(), list(self._jobs.values())
        return [job.info for job in jobs if job.file is not None or now - job.ended < LISTED]

    def stop(self) -> None:
        """Cancel all jobs."""
        for job in list(self._jobs.values()):
            job.stop.set()


def _run(job: Job, work: Callable[[Job], Any], then: Callable[[Job, Any], None] | None) -> None:
    try:
        result = work(job)
        if then is not None:
            then(job, result)
        job.done, job.state, job.ended = 1.0, "finished", time.monotonic()
    except CancelledError:
        job.state = "cancelled"
    except StringlessError as error:
        job.text, job.state = str(error), "failed"
    except Exception as error:
        log.exception("job '%s' failed", job.title)
        job.text, job.state = f"{type(error).__name__}: {error}", "failed"
