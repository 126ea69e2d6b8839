"""When a step must be done in shorter ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from stringless.engines.config import SimulationConfig
from stringless.engines.reduced.kernels_substeps import FINEST
from stringless.flesh.stability import MARGIN, RISKY
from stringless.model.flesh import FleshSpec


class Substeps(NamedTuple):
    """How often steps were done in shorter ones since the simulation began."""

    steps: int
    """Steps that were divided."""
    most: int
    """Into how many parts at most; 1 if none was divided."""


def halvings(config: SimulationConfig, parts: Sequence[FleshSpec]) -> tuple[int, int]:
    """How often every step is halved, because the flesh needs it, and how often one may be."""
    if config.substeps == "off":
        return 0, 0
    limit = min((part.step_limit for part in parts), default=math.inf) / math.sqrt(config.flesh_stiffness)
    coarse = math.ceil(math.log2(config.dt / (MARGIN * limit))) if config.dt > RISKY * limit else 0
    return min(coarse, FINEST), FINEST
