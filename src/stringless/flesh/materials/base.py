"""What every material tells about itself."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class MaterialType:
    """A law of elasticity: energy, stress and the range of its plain form, all in one file.

    Its two functions stand under `@kernel(inline=True)`. `material` is a row of `MATERIAL_ROW`: Lamé's constants and the bounds
    of the squared stretches. They run over many elements side by side, so they should do without branches
    (`a if condition else b` is none) and without loops that depend on numbers.
    """

    name: str
    code: int = -1
    """Number of this law in the tables; never reused. One from outside of the package is given the next free one."""
    poisson_limits: tuple[float, float]
    """Open interval of Poisson's ratio that the law accepts."""
    plain: Any
    """`plain(F, material)`: whether the deformation gradient F, nine numbers by rows, is within the range of the plain form,
    and the first Piola stress that it gives there. A law without a range says `True`."""
    by_stretch: Any
    """`by_stretch(s, material)`: energy density and principal stresses at the principal stretches s, of which the last is
    negative where an element is inverted. Holds for every deformation."""
