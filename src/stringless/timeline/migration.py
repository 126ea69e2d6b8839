"""Bringing a project of an older version up to date, with a copy of the old one kept beside it."""

import contextlib
import itertools
import os
import sqlite3

from stringless.errors import ProjectError
from stringless.timeline import schema
from stringless.timeline.contents import read_contents
from stringless.timeline.copies import new_file


def migrate(connection: sqlite3.Connection, path: str, version: int) -> None:
    """Copy the file to NAME.v<version>, then apply all migrations in one transaction.

    Raises:
        ProjectError: one of them failed; the project is as it was.
    """
    copy = _free_name(f"{path}.v{version}")
    with new_file(copy, overwrite=False) as target:
        connection.backup(target)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in range(version, schema.VERSION):
            schema.MIGRATIONS[step](connection)
            connection.execute(f"PRAGMA user_version = {step + 1}")
        read_contents(connection, path)
        connection.execute("COMMIT")
    except Exception as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        with contextlib.suppress(OSError):
            os.unlink(copy)
        raise ProjectError(
            f"the project '{path}' could not be brought from version {version} to {schema.VERSION}: {error}. "
            "Nothing in it was changed; open it with the Stringless that wrote it, and tell us"
        ) from error


def _free_name(name: str) -> str:
    names = itertools.chain([name], (f"{name}.{number}" for number in itertools.count(2)))
    return next(free for free in names if not os.path.exists(free))
