"""What scenes stand on."""

import math

from stringless.model.pose import Pose
from stringless.model.shapes import Shape

HALF_ROOT = math.sqrt(0.5)


def floor(height: float = 0.0) -> Shape:
    """An endless floor, facing up."""
    return Shape(kind="plane", name="floor", place=Pose((0.0, height, 0.0), (-HALF_ROOT, 0.0, 0.0, HALF_ROOT)))
