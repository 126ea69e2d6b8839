"""One character's part of the task tables."""

from __future__ import annotations

from stringless.control.records import CharacterTables
from stringless.jit import kernel


@kernel(inline=True)
def find_character(k, tables):
    """Character k."""
    row = tables.characters[k]
    return CharacterTables(
        root=row.root,
        passive=row.passive == 1,
        mass=row.mass,
        members=tables.members[row.first_member : row.last_member],
        columns=tables.columns[row.first_column : row.last_column],
        column_of=tables.column_of,
        tasks=tables.tasks[row.first_task : row.last_task],
        levels=row.levels,
        style=row.style,
        push=row.push == 1,
        correct=row.correct == 1,
        top_acceleration=row.top_acceleration,
        mu=row.mu,
        limit_kp=row.limit_kp,
        rest_kp=row.rest_kp,
        rest_kv=row.rest_kv,
    )
