"""Keys of a director's data, of commands and of messages that differ from the names of attributes.

Files, journals and pages keep the keys that they were written with; only here does one become the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS = {"stiffness": "firmness", "limit_stiffness": "limit_firmness", "assumed_friction": "counted_friction"}
"""From attributes and options of goals and directors to their keys; all others have their own name as key."""
NAMES = {key: name for name, key in KEYS.items()}


def find_key(name: str) -> str:
    """The key that data have for an attribute."""
    return KEYS.get(name, name)


def rename_keys(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same values by the names of attributes."""
    return {NAMES.get(key, key): value for key, value in data.items()}
