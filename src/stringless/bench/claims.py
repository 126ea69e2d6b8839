"""Figures we promise, set beside the figures measured."""

from __future__ import annotations

import math

from stringless.bench.options import Row


def at_most(claim: str, value: float | None, limit: float, why_not: str = "") -> Row:
    """A claim that `value` is no larger than `limit`. What was not measured does not hold; `why_not` says why."""
    return _claim(claim, value, limit, value is not None and math.isfinite(value) and value <= limit, why_not)


def at_least(claim: str, value: float | None, limit: float, why_not: str = "") -> Row:
    """A claim that `value` is no smaller than `limit`."""
    return _claim(claim, value, limit, value is not None and math.isfinite(value) and value >= limit, why_not)


def _claim(claim: str, value: float | None, limit: float, holds: bool, why_not: str) -> Row:
    row: Row = {"claim": claim, "value": value, "limit": limit, "holds": holds}
    if value is None:
        row["note"] = f"not measured: {why_not}"
    return row
