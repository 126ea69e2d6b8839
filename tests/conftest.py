"""Settings for all tests, and the subsets of them that have a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The same examples in every run: a test that fails today fails tomorrow. Compiling a kernel may take seconds.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")

TESTS = Path(__file__).parent
SUBSETS = {
    "quick": ("unit/model", "unit/spatial", "unit/state", "unit/kinematics", "unit/timeline"),
    "plain": ("unit/model", "unit/spatial", "unit/state", "unit/kinematics", "unit/dynamics"),
}
"""Files and folders of the tests that `make quick` runs, and of those that `make plain` runs without compiling kernels. Marks
leave out single tests of them: `slow` of the first, `compiled` of the second."""


def chosen(path: Path, names: list[str]) -> bool:
    """Whether a file belongs to one of these subsets."""
    return any(path.is_relative_to(TESTS / part) for name in names for part in SUBSETS[name])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no other file where one subset is asked for: some compile kernels when they are read."""
    names = [name for name in SUBSETS if name in config.option.markexpr.split()]
    return True if names and collection_path.is_file() and not chosen(collection_path, names) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what belongs to a subset."""
    for item in items:
        for name in SUBSETS:
            if chosen(item.path, [name]):
                item.add_marker(name)
