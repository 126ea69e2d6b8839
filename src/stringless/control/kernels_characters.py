"""One character's part of the task tables."""

from __future__ import annotations

from stringless.control.records import CharacterTables
from stringless.jit import kernel


@kernel(inline=True)
def find_character(k, tables):
    """Character k."""
    row = tables.characters[k]
    return CharacterTables(
        row=row,
        members=tables.members[row.first_member : row.last_member],
        columns=tables.columns[row.first_column : row.last_column],
        column_of=tables.column_of,
        tasks=tables.tasks[row.first_task : row.last_task],
    )
