"""Where projects lie: those without a name yet, which are kept all the same, and those that were open of late."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

from stringless.project.project import ENDING

MOST_RECENT = 30
ENDS = ("", "-wal", "-shm")
"""What the files of a project end in."""


def default_home() -> Path:
    """The folder of the user's data that is ours."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "stringless"


class Shelf:
    """Our folder in the user's data."""

    def __init__(self, home: Path | None) -> None:
        """Use `home`, or the usual place."""
        self.home = (home or default_home()).expanduser().resolve()
        self.unsaved, self.projects = self.home / "unsaved", self.home / "projects"
        for folder in (self.home, self.unsaved, self.projects):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(folder, 0o700)
        self._list = self.home / "recent.json"
        self._sent: set[Path] = set()  # projects that pages have sent and nobody has opened yet

    def is_unsaved(self, path: Path | None) -> bool:
        """Whether a project has no name of its own yet."""
        return path is not None and path.parent == self.unsaved

    def new_path(self, title: str) -> Path:
        """A place for a project without a name."""
        plain = "".join(c if c.isalnum() or c in "-_" else "-" for c in title) or "project"
        stem = f"{plain} {time.strftime('%Y-%m-%d %H.%M.%S')}"
        tries = (stem if k == 1 else f"{stem} ({k})" for k in range(1, 10_000))
        places = (self.unsaved / f"{name}{ENDING}" for name in tries)
        return next(path for path in places if path not in self._sent and not path.exists())

    def left_open(self) -> list[Path]:
        """Projects without a name that nobody has closed, newest first: the log of their database is still beside them."""
        found: list[tuple[float, Path]] = []
        for path in set(self.unsaved.glob(f"*{ENDING}")) - self._sent:
            with contextlib.suppress(OSError):
                found.append((Path(f"{path}-wal").stat().st_mtime, path))
        return [path for _, path in sorted(found, reverse=True)]

    def place_sent(self, title: str) -> Path:
        """A place for a project that a page sends; it is not kept before it was opened."""
        path = self.new_path(title)
        self._sent.add(path)
        return path

    def keep(self, path: Path) -> None:
        """A project could be opened; what is without a name is for its owner alone."""
        self._sent.discard(path)
        if self.is_unsaved(path):
            for end in ENDS:
                _make_private(Path(f"{path}{end}"), 0o600)

    def refuse(self, path: Path) -> None:
        """A project could not be opened; if it was only sent for that, nobody needs it."""
        if path in self._sent:
            self.discard(path)
            self._sent.discard(path)

    def forget_sent(self) -> None:
        """Remove what was sent and never opened."""
        for path in list(self._sent):
            self.refuse(path)

    def discard(self, path: Path) -> None:
        """Remove a project without a name that nobody needs."""
        if self.is_unsaved(path):
            for end in ENDS:
                with contextlib.suppress(OSError):
                    Path(f"{path}{end}").unlink(missing_ok=True)

    def export_folder(self, session: str, job: int) -> Path:
        """A folder of its own for a file that is written to be fetched."""
        folder = self.home / "exports" / f"{session} {job}"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def forget_exports(self, session: str) -> None:
        """Remove what was written to be fetched: whoever wanted it has it."""
        for folder in (self.home / "exports").glob(f"{session} *"):
            shutil.rmtree(folder, ignore_errors=True)

    def note(self, path: Path, title: str) -> None:
        """A project is open now."""
        others = [row for row in self._read() if row["path"] != str(path)]
        rows = [{"path": str(path), "title": title, "time": time.time()}, *others][:MOST_RECENT]
        half = self._list.with_suffix(".half")
        with contextlib.suppress(OSError):
            half.touch(mode=0o600)
            half.write_text(json.dumps(rows))
            half.replace(self._list)

    def recent(self) -> list[dict[str, Any]]:
        """Projects that were open of late and those without a name, newest first, if they are still there."""
        rows = {row["path"]: row for row in self._read() if Path(row["path"]).is_file()}
        for path in set(self.unsaved.glob(f"*{ENDING}")) - self._sent:
            known = rows.get(str(path), {"path": str(path), "title": path.stem, "time": 0.0})
            with contextlib.suppress(OSError):
                rows[str(path)] = known | {"title": f"{path.stem} (not saved)", "time": path.stat().st_mtime}
        return sorted(rows.values(), key=lambda row: -row["time"])

    def _read(self) -> list[dict[str, Any]]:
        try:
            rows = json.loads(self._list.read_text())
            return [
                {"path": str(row["path"]), "title": str(row["title"]), "time": float(row["time"])}
                for row in rows
                if Path(row["path"]).suffix == ENDING
            ]
        except (OSError, ValueError, TypeError, KeyError):
            return []


def _make_private(path: Path, mode: int) -> None:
    """Let nobody else in, if the system can."""
    with contextlib.suppress(OSError):
        path.chmod(mode)
