"""Bodies of the worm that every performance must be at home in."""

from __future__ import annotations

from typing import Any

BODIES: dict[str, dict[str, Any]] = {
    "as built": {},
    "softer": {"young": 24e3},
    "stiffer": {"young": 36e3},
    "finer": {"cells": (28, 4, 2)},
}
