"""What has changed between two documents, as plain data that can be applied, taken back and written down.

A document is nested dicts and lists of plain values. A patch maps the path of every place that differs, such as
`/director/goals/0/target`, to what stands there afterwards; `GONE` says that nothing does.
"""

from collections.abc import Mapping
from typing import Any

GONE = {"gone": True}
"""Stands in a patch for a place that is gone."""

Patch = dict[str, Any]


def difference(before: Any, after: Any) -> Patch:
    """The patch that leads from `before` to `after`; numbers that are equal count as the same, as 1 and 1.0."""
    patch: Patch = {}
    _compare("", before, after, patch)
    return patch


def _compare(path: str, before: Any, after: Any, patch: Patch) -> None:
    if before is after or before == after:  # most of a document, and compared fast
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            if key not in after:
                patch[_join(path, key)] = GONE
        for key, value in after.items():
            if key not in before:
                patch[_join(path, key)] = value
            elif before[key] != value:
                _compare(_join(path, key), before[key], value, patch)
    elif _holds_tables(before) and _holds_tables(after) and len(before) == len(after):
        for k, (old, new) in enumerate(zip(before, after, strict=True)):
            _compare(_join(path, str(k)), old, new, patch)
    else:
        patch[path] = after


def _holds_tables(value: Any) -> bool:
    """Only lists of tables are compared entry by entry; a list of numbers changes as a whole."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)


def _join(path: str, key: str) -> str:
    return f"{path}/{_escaped(key)}"


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _names(path: str) -> list[str]:
    return [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")[1:]]


def apply(document: Any, patch: Mapping[str, Any]) -> Any:
    """The document after a patch; neither is changed, and what did not change is shared."""
    for path, value in patch.items():
        document = _put(document, _names(path), value)
    return document


def _put(document: Any, names: list[str], value: Any) -> Any:
    if not names:
        return value
    if isinstance(document, list):
        fresh = list(document)
        fresh[int(names[0])] = _put(document[int(names[0])], names[1:], value)
        return fresh
    fresh = dict(document)
    if len(names) == 1 and value == GONE:
        fresh.pop(names[0], None)
    else:
        fresh[names[0]] = _put(document.get(names[0], {}), names[1:], value)
    return fresh
