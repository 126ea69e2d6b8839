"""Stringless: direct physically simulated characters that move by their own actuators."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stringless import dynamics, editing, formats, kinematics
    from stringless.editing import Editor
    from stringless.engines.adaptive.view import View
    from stringless.errors import (
        DivergenceError,
        InputError,
        ModelError,
        ProjectError,
        StringlessError,
        StringlessWarning,
    )
    from stringless.loader import check, load
    from stringless.model import BodySpec, JointSpec, LoopSpec, Model, ModelBuilder, Pose, Pull, Scene, Shape
    from stringless.project import Project, export
    from stringless.simulation import Motion, Simulation

__version__ = "0.1.0"

__all__ = [
    "BodySpec",
    "DivergenceError",
    "Editor",
    "InputError",
    "JointSpec",
    "LoopSpec",
    "Model",
    "ModelBuilder",
    "ModelError",
    "Motion",
    "Pose",
    "Project",
    "ProjectError",
    "Pull",
    "Scene",
    "Shape",
    "Simulation",
    "StringlessError",
    "StringlessWarning",
    "View",
    "check",
    "dynamics",
    "editing",
    "export",
    "formats",
    "kinematics",
    "load",
]

_HOMES = {
    "stringless.engines.adaptive.view": ("View",),
    "stringless.editing": ("Editor",),
    "stringless.errors": (
        "DivergenceError",
        "InputError",
        "ModelError",
        "ProjectError",
        "StringlessError",
        "StringlessWarning",
    ),
    "stringless.loader": ("check", "load"),
    "stringless.model": (
        "BodySpec",
        "JointSpec",
        "LoopSpec",
        "Model",
        "ModelBuilder",
        "Pose",
        "Pull",
        "Scene",
        "Shape",
    ),
    "stringless.project": ("Project", "export"),
    "stringless.simulation": ("Motion", "Simulation"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command that needs no numba starts without it."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    if name in ("dynamics", "editing", "formats", "kinematics"):
        return importlib.import_module(f"stringless.{name}")
    raise AttributeError(f"module 'stringless' has no attribute '{name}'")
