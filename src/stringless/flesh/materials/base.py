"""What every material tells about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class MaterialType:
    """A law of elasticity. Its kernels stand beside it in the same file.

    A material gives, for a deformation gradient F: the plain stress and whether it may be used (`plain`), and energy
    and stress by principal stretches, which hold everywhere (`energy_by_stretch`, `stress_by_stretch`).
    """

    name: str
    code: int
    """Number of this type in the kernels' dispatch; never reused."""
    poisson_limits: tuple[float, float]
    """Open interval of Poisson's ratio that the law accepts."""
