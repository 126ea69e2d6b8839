"""Stable neo-Hookean (Smith, de Goes & Kim 2018): one smooth law for every deformation, inverted ones included.

`psi = mu/2 (I_C - 3) + lam/2 (J - alpha)² - mu/2 log(I_C + 1)`, `alpha = 1 + mu/lam - mu/(4 lam)`, with the Lamé parameters
adjusted so that small strains agree with linear elasticity.
"""

import math

from stringless.flesh.materials.base import MaterialType
from stringless.jit import kernel
from stringless.spatial import mat3


@kernel(inline=True)
def parameters(material):
    """The law's own parameters from Lamé's: `mu' = 4/3 mu`, `lam' = lam + 5/6 mu`, and alpha."""
    mu = 4.0 / 3.0 * material.mu
    lam = material.lam + 5.0 / 6.0 * material.mu
    return mu, lam, 1.0 + 0.75 * mu / lam


@kernel(inline=True)
def plain(F, material):
    """The stress `mu (1 - 1/(I_C + 1)) F + lam (J - alpha) cof F`, valid everywhere."""
    mu, lam, alpha = parameters(material)
    upper = F[4] * F[8] - F[5] * F[7], F[5] * F[6] - F[3] * F[8], F[3] * F[7] - F[4] * F[6]
    middle = F[2] * F[7] - F[1] * F[8], F[0] * F[8] - F[2] * F[6], F[1] * F[6] - F[0] * F[7]
    lower = F[1] * F[5] - F[2] * F[4], F[2] * F[3] - F[0] * F[5], F[0] * F[4] - F[1] * F[3]
    c = mat3.from_rows(upper, middle, lower)
    J = F[0] * c[0] + F[1] * c[1] + F[2] * c[2]
    I_C = 0.0
    for k in range(9):
        I_C += F[k] * F[k]
    a = mu * (1.0 - 1.0 / (I_C + 1.0))
    b = lam * (J - alpha)
    upper = a * F[0] + b * c[0], a * F[1] + b * c[1], a * F[2] + b * c[2]
    middle = a * F[3] + b * c[3], a * F[4] + b * c[4], a * F[5] + b * c[5]
    lower = a * F[6] + b * c[6], a * F[7] + b * c[7], a * F[8] + b * c[8]
    return True, mat3.from_rows(upper, middle, lower)


@kernel(inline=True)
def by_stretch(s, material):
    """Energy density and the three principal stresses at the stretches `s`."""
    mu, lam, alpha = parameters(material)
    I_C = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
    J = s[0] * s[1] * s[2]
    rest = 0.5 * lam * (1.0 - alpha) * (1.0 - alpha) - 0.5 * mu * math.log(4.0)
    psi = 0.5 * mu * (I_C - 3.0) + 0.5 * lam * (J - alpha) * (J - alpha) - 0.5 * mu * math.log(I_C + 1.0) - rest
    a = mu * (1.0 - 1.0 / (I_C + 1.0))
    b = lam * (J - alpha)
    return psi, (a * s[0] + b * s[1] * s[2], a * s[1] + b * s[0] * s[2], a * s[2] + b * s[0] * s[1])


NEO_HOOKEAN = MaterialType(name="neo_hookean", code=1, poisson_limits=(0.0, 0.5), plain=plain, by_stretch=by_stretch)
