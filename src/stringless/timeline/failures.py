"""From what SQLite and the system say to what a user can do about it."""

import contextlib
import sqlite3
from collections.abc import Iterator

from stringless.errors import ProjectError


def damaged(path: str, what: str) -> ProjectError:
    """The error for a file whose content is not what was written."""
    return ProjectError(
        f"the project '{path}' is damaged: {what}. "
        "Copy all that is intact into a new file with stringless.timeline.rescue(), or go back to a copy of the file"
    )


def in_use(path: str, where: str = "another process") -> ProjectError:
    """The error for a file that is open elsewhere."""
    return ProjectError(
        f"the project '{path}' is open in {where}; only one may have it at a time. Close it there and try again"
    )


def explain(error: Exception, path: str) -> ProjectError:
    """Say in our words what went wrong with the project at `path`."""
    if isinstance(error, UnicodeDecodeError):  # it is SQLite's own message that cannot be read: it quotes the file
        return damaged(path, "SQLite finds names in it that are no text")
    if not isinstance(error, sqlite3.Error):
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return ProjectError(f"cannot use the project '{path}': {reason}. What was written before is intact")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return in_use(path)
    if code == sqlite3.SQLITE_FULL:
        return ProjectError(
            f"cannot write the project '{path}': the disk is full. What was written before is intact and the rest is "
            "kept in memory and tried again: free some space, or save the project elsewhere"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return ProjectError(
            f"cannot write the project '{path}' or in its folder: {error}. Nothing in it was changed. Allow writing "
            "to both, open it with readonly=True, or copy it elsewhere"
        )
    if code == sqlite3.SQLITE_IOERR:
        return ProjectError(
            f"cannot read or write the project '{path}': {error}. Look at the disk and its free space; what was not "
            "written is kept in memory and tried again"
        )
    return damaged(path, f"SQLite says: {error}")


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Let no error of SQLite or of the system out as it is."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
        raise explain(error, path) from error
