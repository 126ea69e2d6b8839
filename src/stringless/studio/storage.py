"""Storage: our folder in the user's data, with unsaved projects, exports, and the list of recent projects."""

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
"""Endings of the files of a project."""


class Storage:
    """Our folder in the user's data."""

    def __init__(self, home: Path | None) -> None:
        """Use `home`, or the usual place."""
        usual = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "stringless"
        self.home = (home or usual).expanduser().resolve()
        self.unsaved, self.projects = self.home / "unsaved", self.home / "projects"
        for folder in (self.home, self.unsaved, self.projects):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(folder, 0o700)
        self._list = self.home / "recent.json"
        self._uploaded: set[Path] = set()  # projects that pages have sent and that were not opened yet

    def is_unsaved(self, path: Path | None) -> bool:
        """Whether a project has no name of its own yet."""
        return path is not None and path.parent == self.unsaved

    def make_path(self, title: str) -> Path:
        """A path for an unsaved project."""
        plain = "".join(c if c.isalnum() or c in "-_" else "-" for c in title) or "project"
        stem = f"{plain} {time.strftime('%Y-%m-%d %H.%M.%S')}"
        names = (stem if k == 1 else f"{stem} ({k})" for k in range(1, 10_000))
        paths = (self.unsaved / f"{name}{ENDING}" for name in names)
        return next(path for path in paths if path not in self._uploaded and not path.exists())

    def make_upload_path(self, title: str) -> Path:
        """A path for a project that a page sends; it is not kept unless it is opened."""
        path = self.make_path(title)
        self._uploaded.add(path)
        return path

    def list_unclosed(self) -> list[Path]:
        """Unsaved projects that were not closed, newest first: the log of their database is still beside them."""
        found: list[tuple[float, Path]] = []
        for path in self._list_unsaved():
            with contextlib.suppress(OSError):
                found.append((Path(f"{path}-wal").stat().st_mtime, path))
        return [path for _, path in sorted(found, reverse=True)]

    def keep(self, path: Path) -> None:
        """Keep a project that could be opened; an unsaved one can be read by its owner alone."""
        self._uploaded.discard(path)
        if self.is_unsaved(path):
            for end in ENDS:
                _make_private(Path(f"{path}{end}"), 0o600)

    def reject(self, path: Path) -> None:
        """Remove a project that could not be opened, if it was only sent for that."""
        if path in self._uploaded:
            self.discard(path)
            self._uploaded.discard(path)

    def discard(self, path: Path) -> None:
        """Remove an unsaved project."""
        if self.is_unsaved(path):
            for end in ENDS:
                with contextlib.suppress(OSError):
                    Path(f"{path}{end}").unlink(missing_ok=True)

    def make_export_folder(self, session: str, job: int) -> Path:
        """A folder of its own for a file to download."""
        folder = self.home / "exports" / f"{session} {job}"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def remove_temporary(self, session: str) -> None:
        """Remove files to download, and what was sent and never opened."""
        for folder in (self.home / "exports").glob(f"{session} *"):
            shutil.rmtree(folder, ignore_errors=True)
        for path in list(self._uploaded):
            self.reject(path)

    def add_recent(self, path: Path, title: str) -> None:
        """Put a project at the head of the recent ones."""
        others = [row for row in self._read_recent() if row["path"] != str(path)]
        rows = [{"path": str(path), "title": title, "time": time.time()}, *others][:MOST_RECENT]
        half = self._list.with_suffix(".half")
        with contextlib.suppress(OSError):
            half.touch(mode=0o600)
            half.write_text(json.dumps(rows))
            half.replace(self._list)

    def list_recent(self) -> list[dict[str, Any]]:
        """Recent and unsaved projects that still exist, newest first."""
        rows = {row["path"]: row for row in self._read_recent() if Path(row["path"]).is_file()}
        for path in self._list_unsaved():
            with contextlib.suppress(OSError):
                row = {"path": str(path), "title": f"{path.stem} (not saved)", "time": path.stat().st_mtime}
                rows[str(path)] = row
        return sorted(rows.values(), key=lambda row: -row["time"])

    def _list_unsaved(self) -> set[Path]:
        return set(self.unsaved.glob(f"*{ENDING}")) - self._uploaded

    def _read_recent(self) -> list[dict[str, Any]]:
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
    """Deny others access, if the system can."""
    with contextlib.suppress(OSError):
        path.chmod(mode)
