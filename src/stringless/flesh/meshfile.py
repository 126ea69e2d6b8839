"""The former place of `read_surface`."""

import importlib
import warnings
from typing import Any


def __getattr__(name: str) -> Any:
    """Lead to `stringless.formats.read_surface`, with a warning."""
    if name != "read_surface":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    text = "stringless.flesh.meshfile.read_surface is now stringless.formats.read_surface"
    warnings.warn(DeprecationWarning(text), stacklevel=2)
    return importlib.import_module("stringless.formats").read_surface
