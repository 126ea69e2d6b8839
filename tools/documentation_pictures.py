"""How to come to each picture of the documentation, by hand in the page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

DOCUMENTATION: dict[str, Callable[[Page], None]] = {}
