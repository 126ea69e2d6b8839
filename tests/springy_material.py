"""A material from outside of the package: a spring along each principal stretch.

`psi = mu Σ (s_i - 1)²`, so that `P = 2 mu (F - R)`. It has no plain form: every element is decomposed.
"""

from __future__ import annotations

from stringless.flesh.materials import MaterialType, register_material
from stringless.jit import kernel


@kernel(inline=True)
def plain(F, material):
    """Nothing is within its range, so its stress is never asked for."""
    return False, F


@kernel(inline=True)
def by_stretch(s, material):
    """Energy density and the three principal stresses at the stretches `s`."""
    a, b, c = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
    mu = material.mu
    return mu * (a * a + b * b + c * c), (2.0 * mu * a, 2.0 * mu * b, 2.0 * mu * c)


SPRINGY = register_material(
    MaterialType(name="springy", poisson_limits=(-1.0, 0.5), plain=plain, by_stretch=by_stretch)
)
