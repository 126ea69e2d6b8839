"""Tables of a TOML file, read key by key: wrong types and unknown keys become problems that name the key."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from stringless.formats.input.findings import Findings
from stringless.formats.input.source import LARGEST
from stringless.model.checks import suggest
from stringless.model.pose import Vector

NAMES: dict[type, str] = {
    dict: "a table",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


class Table:
    """One table; every key that is asked for counts as known."""

    def __init__(self, values: Mapping[str, Any], where: str, findings: Findings, folder: Path | None) -> None:
        """Read `values`, which a message calls `where`; files that they name are looked for from `folder`."""
        self.values, self.where, self.findings, self.folder = values, where, findings, folder
        self._known: set[str] = set()

    def error(self, found: str, expected: str, remedy: str = "") -> None:
        """Note that something in this table is wrong."""
        self.findings.error(self.where or "file", found, expected, remedy)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str, default: str = "") -> str:
        """Return text."""
        return self._typed(key, str, default)

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return self._typed(key, bool, default)

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        """Return one of several words."""
        value = self.text(key, default)
        if value not in choices:
            expected = "one of " + ", ".join(f"'{choice}'" for choice in choices)
            self.error(f"{key} = '{value}'", expected, suggest(value, choices))
            return default
        return value

    def number(self, key: str, default: float) -> float:
        """Return one number."""
        self._known.add(key)
        value = self.values.get(key, default)
        if not _is_number(value) or abs(value) > LARGEST:
            self._wrong(key, value, f"a number of at most {LARGEST:g}")
            return default
        return float(value)

    def whole(self, key: str, default: int) -> int:
        """Return one whole number."""
        self._known.add(key)
        value = self.values.get(key, default)
        if not _is_whole(value):
            self._wrong(key, value, "a whole number")
            return default
        return int(value)

    def wholes(self, key: str, count: int | None) -> tuple[int, ...]:
        """Return a list of `count` whole numbers, or of any length; empty if absent."""
        return tuple(self._list(key, "whole numbers", count, _is_whole))

    def texts(self, key: str) -> list[str]:
        """Return a list of words; empty if absent."""
        return self._list(key, "texts", None, lambda entry: isinstance(entry, str))

    def vector(self, key: str, count: int | None, default: Vector) -> Vector:
        """Return a list of `count` numbers, or of any length if `count` is none."""
        errors = len(self.findings.errors)
        numbers = self._list(key, "numbers", count, _is_number)
        if any(abs(number) > LARGEST for number in numbers):
            expected = "a list of numbers" if count is None else f"a list of {count} numbers"
            self._wrong(key, numbers, f"{expected} of at most {LARGEST:g}")
        good = key in self.values and len(self.findings.errors) == errors
        return tuple(map(float, numbers)) if good else default

    def one_or_more(self, key: str) -> Vector:
        """Return a number, or a list of numbers; empty if absent."""
        self._known.add(key)
        value: Any = self.values.get(key, [])
        if _is_number(value):
            return (float(value),)
        if isinstance(value, list) and all(_is_number(number) for number in value):
            return tuple(map(float, value))
        self._wrong(key, value, "a number or a list of numbers")
        return ()

    def nested(self, key: str) -> tuple[Vector, ...]:
        """Return a list of lists of numbers; empty if absent."""
        lists = self._list(
            key, "lists of numbers", None, lambda entry: isinstance(entry, list) and all(map(_is_number, entry))
        )
        return tuple(tuple(map(float, entry)) for entry in lists)

    def _list(self, key: str, what: str, count: int | None, fits: Callable[[Any], bool]) -> list[Any]:
        """A list of `count` entries, or of any number, that all fit; empty if it is absent or wrong."""
        self._known.add(key)
        value = self.values.get(key, [])
        expected = f"a list of {what}" if count is None else f"a list of {count} {what}"
        if not isinstance(value, list) or not all(map(fits, value)):
            self._wrong(key, value, expected)
        elif key in self.values and count not in (None, len(value)):
            self.error(f"{key} with {len(value)} numbers", expected)
        else:
            return value
        return []

    def table(self, key: str) -> Table:
        """Return a table inside this one; empty if absent."""
        return self._inner(self._typed(key, dict, {}), key)

    def tables(self, key: str) -> list[Table]:
        """Return a list of tables, each called after its name or its number."""
        value = self._typed(key, list, [])
        found = []
        for number, entry in enumerate(value, start=1):
            if not isinstance(entry, dict):
                self._wrong(key, entry, f"a table for each {key}", f"Write [[{key}]] before its lines.")
                continue
            name = entry.get("name")
            label = f"{key} '{name}'" if isinstance(name, str) and name else f"{key} number {number}"
            found.append(self._inner(entry, label))
        return found

    def _inner(self, values: Mapping[str, Any], label: str) -> Table:
        return Table(values, f"{self.where}, {label}" if self.where else label, self.findings, self.folder)

    def report_unknown(self) -> None:
        """Report every key that was not read, with the nearest known one."""
        for key in self.values:
            if key not in self._known:
                remedy = suggest(key, self._known)
                self.error(f"unknown key '{key}'", "a known key", remedy)

    def _typed(self, key: str, kind: type, default: Any) -> Any:
        self._known.add(key)
        value = self.values.get(key, default)
        if not isinstance(value, kind):
            self._wrong(key, value, NAMES[kind])
            return default
        return value

    def _wrong(self, key: str, value: object, expected: str, remedy: str = "") -> None:
        shown = repr(value) if len(repr(value)) < 60 else repr(value)[:57] + "..."
        found = f"{key} = {shown}, which {_described(value)}"
        self.error(found, expected, remedy)


def _described(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "is not finite"
    if isinstance(value, list) and any(isinstance(entry, float) and not math.isfinite(entry) for entry in value):
        return "has a number in it that is not finite"
    return f"is {NAMES.get(type(value), 'something else')}"


def _is_number(value: object) -> bool:
    """Whether it is a number, and a float can hold it; it may be infinite."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max or value in (math.inf, -math.inf)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53
