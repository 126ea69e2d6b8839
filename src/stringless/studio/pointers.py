"""Pointers of pages and what they hold: a hand is a pointer that holds something."""

from __future__ import annotations

from typing import TypeVar

from stringless.errors import InputError

Pointer = tuple[int, int]
"""A page, and one of its pointers."""
Held = TypeVar("Held")


class HandTable(dict[Pointer, Held]):
    """What each hand holds."""

    def check_free(self, page: int, pointer: int) -> None:
        """Refuse a pointer that holds something."""
        if (page, pointer) in self:
            raise InputError(f"hand {pointer} holds something already; let go first")

    def find(self, page: int, pointer: int) -> Held:
        """What a hand holds, which must be something."""
        if (page, pointer) not in self:
            raise InputError(f"hand {pointer} holds nothing")
        return self[page, pointer]

    def list_pointers(self, page: int) -> list[int]:
        """The pointers of a page that hold something."""
        return [pointer for owner, pointer in self if owner == page]
