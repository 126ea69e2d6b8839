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
    from stringless.model import BodySpec, JointSpec, LoopSpec, Model, ModelBuilder, Pose, Scene, Shape, WorldSpring
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
    "Scene",
    "Shape",
    "Simulation",
    "StringlessError",
    "StringlessWarning",
    "View",
    "WorldSpring",
    "check",
    "dynamics",
    "editing",
    "export",
    "formats",
    "kinematics",
    "load",
]

_HOMES = {
    "DivergenceError InputError ModelError ProjectError StringlessError StringlessWarning": "errors",
    "BodySpec JointSpec LoopSpec Model ModelBuilder Pose Scene Shape WorldSpring": "model",
    "Motion Simulation": "simulation",
    "Project export": "project",
    "View": "engines.adaptive.view",
    "Editor": "editing",
    "check load": "loader",
}
_FORMER = {"Pull": "WorldSpring"}
"""Names of earlier versions."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command that needs no numba starts without it."""
    for names, home in _HOMES.items():
        if name in names.split():
            return getattr(importlib.import_module(f"stringless.{home}"), name)
    if name in ("dynamics", "editing", "formats", "kinematics"):
        return importlib.import_module(f"stringless.{name}")
    errors = importlib.import_module("stringless.errors")
    return __getattr__(errors.find_renamed("stringless", name, _FORMER))
