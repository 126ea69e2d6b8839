"""Interchangeable ways to advance a state, one package each."""

from stringless.engines.adaptive.engine import AdaptiveEngine
from stringless.engines.base import Engine, Outcome, Setup
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.features import Feature, features, require
from stringless.engines.reduced.engine import ReducedEngine
from stringless.engines.stiff.engine import StiffEngine

ENGINES: dict[str, type[Engine]] = {engine.name: engine for engine in (ReducedEngine, StiffEngine, AdaptiveEngine)}
"""Engines by name."""

__all__ = [
    "ENGINES",
    "AdaptiveEngine",
    "Controls",
    "Engine",
    "Feature",
    "Outcome",
    "ReducedEngine",
    "Setup",
    "SimulationConfig",
    "StiffEngine",
    "features",
    "require",
]
