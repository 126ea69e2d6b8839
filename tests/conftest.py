"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run: a test that fails today fails tomorrow. Compiling a kernel may take seconds.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")
