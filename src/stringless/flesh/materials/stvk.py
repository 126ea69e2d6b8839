"""St. Venant-Kirchhoff, continued beyond its range of strain so that a crushed element finds its way back.

Inside the range the stress is `P = F (2 mu E + lam tr(E) 1)` with Green's strain E. Outside, the law is written in
principal stretches, `psi = Σ h(s_i) + (lam/4) Σ e(s_i) e(s_j)`, and h and e are continued by straight lines and
parabolas: continuous, the gradient of one energy, and resisting inversion (docs/theory/flesh.md, section 2.3).

An inverted element comes back by its smallest stretch, s2 < 0. Where another becomes the smallest, at s1 = -s2, the
energy would have a ridge: stress would jump. So h is parted into an even function and `-c s`, which does the resisting;
the sum of the s is the largest of four numbers (`blend`), and a smooth maximum takes its place close to the ridge.
"""

import math

from stringless.flesh.materials.base import MaterialType
from stringless.jit import kernel
from stringless.spatial import mat3

WIDTH = 0.2
"""How far from the ridge the energy is smoothed: where s1 + s2 is below half of this."""


@kernel(inline=True)
def plain(F, material):
    """Whether F is within the range, and the stress `F (2 mu E + lam tr(E) 1)` that holds there.

    Range test of Kim & Pollard 2008, eqs. 18-19: the characteristic polynomial `f(l) = -det(FᵀF - l 1)` and its slope
    are looked at only at the bounds, so there is no root that rounding could make imaginary at rest
    (docs/theory/flesh.md, section 2.2).
    """
    xx = F[0] * F[0] + F[3] * F[3] + F[6] * F[6]
    yy = F[1] * F[1] + F[4] * F[4] + F[7] * F[7]
    zz = F[2] * F[2] + F[5] * F[5] + F[8] * F[8]
    xy = F[0] * F[1] + F[3] * F[4] + F[6] * F[7]
    xz = F[0] * F[2] + F[3] * F[5] + F[6] * F[8]
    yz = F[1] * F[2] + F[4] * F[5] + F[7] * F[8]
    I1 = xx + yy + zz
    I2 = xx * yy + xx * zz + yy * zz - xy * xy - xz * xz - yz * yz
    J = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6])
    low, high = material.low, material.high
    # `&`, not `and`: no branch, so that a loop over lanes becomes vector instructions.
    inside = (J > 0.0) & (3.0 * low < I1) & (3.0 * high > I1)
    inside &= (((low - I1) * low + I2) * low - J * J < 0.0) & (((high - I1) * high + I2) * high - J * J > 0.0)
    inside &= ((3.0 * low - 2.0 * I1) * low + I2 > 0.0) & ((3.0 * high - 2.0 * I1) * high + I2 > 0.0)
    mu = material.mu
    t = 0.5 * material.lam * (I1 - 3.0) - mu
    sx, sy, sz = mu * xx + t, mu * yy + t, mu * zz + t
    a, b, c = mu * xy, mu * xz, mu * yz
    return inside, mat3.multiply(F, (sx, a, b, a, sy, c, b, c, sz))


@kernel(inline=True)
def own(s, material, low, high, c):
    """Value and slope of `h(|s|) + c |s|`, h being StVK's own-axis energy, continued by a parabola outside [low, high].

    With `c = (lam + 2 mu) low³` the slope is zero at s = 0, and the function smooth and even.
    """
    mu, lam = material.mu, material.lam
    a = abs(s)
    b = min(max(a, low), high)
    d = a - b
    h = (0.125 * lam + 0.25 * mu) * b * b * b * b - (0.75 * lam + 0.5 * mu) * b * b
    h1 = (0.5 * lam + mu) * b * b * b - (1.5 * lam + mu) * b
    h2 = (1.5 * lam + 3.0 * mu) * b * b - (1.5 * lam + mu)
    slope = h1 + h2 * d + c
    return h + d * (h1 + 0.5 * h2 * d) + c * a, slope if s >= 0.0 else -slope


@kernel(inline=True)
def coupled(s, high):
    """Value and slope of e: s², continued by its tangents beyond `high` on both sides."""
    kept = min(max(s, -high), high)
    return kept * (2.0 * s - kept), 2.0 * kept


@kernel(inline=True)
def blend(s):
    """Smooth maximum of `T = (s0+s1+s2, s0-s1-s2, -s0+s1-s2, -s0-s1+s2)` and its slopes, for s0 >= s1 >= |s2|.

    `max w·T - WIDTH/2 (w·w - 1)` over weights w >= 0 of sum 1: the first alone unless another is nearer than WIDTH. The
    four change places when an element picks another axis to be inverted by, so a symmetric function of them is smooth.
    """
    a = (s[0] + s[1] + s[2]) / WIDTH
    b = (s[0] - s[1] - s[2]) / WIDTH
    c = (-s[0] + s[1] - s[2]) / WIDTH
    d = (-s[0] - s[1] + s[2]) / WIDTH
    t = max(max(a - 1.0, (a + b - 1.0) / 2.0), max((a + b + c - 1.0) / 3.0, (a + b + c + d - 1.0) / 4.0))
    a0, b0, c0, d0 = max(a - t, 0.0), max(b - t, 0.0), max(c - t, 0.0), max(d - t, 0.0)
    value = a0 * a + b0 * b + c0 * c + d0 * d - 0.5 * (a0 * a0 + b0 * b0 + c0 * c0 + d0 * d0 - 1.0)
    return WIDTH * value, (a0 + b0 - c0 - d0, a0 - b0 + c0 - d0, a0 - b0 - c0 + d0)


@kernel(inline=True)
def by_stretch(s, material):
    """Energy density and the three principal stresses at the stretches `s`, in the order that `decompose` gives."""
    low, high = math.sqrt(material.low), math.sqrt(material.high)
    quarter = 0.25 * material.lam
    c = (material.lam + 2.0 * material.mu) * low * low * low
    h0, p0 = own(s[0], material, low, high, c)
    h1, p1 = own(s[1], material, low, high, c)
    h2, p2 = own(s[2], material, low, high, c)
    e0, d0 = coupled(s[0], high)
    e1, d1 = coupled(s[1], high)
    e2, d2 = coupled(s[2], high)
    total, g = blend(s)
    # The constant makes the energy zero at rest.
    psi = h0 + h1 + h2 - c * total + quarter * (e0 * e1 + e0 * e2 + e1 * e2) + 1.125 * material.lam + 0.75 * material.mu
    return psi, (
        p0 - c * g[0] + quarter * d0 * (e1 + e2),
        p1 - c * g[1] + quarter * d1 * (e0 + e2),
        p2 - c * g[2] + quarter * d2 * (e0 + e1),
    )


STVK = MaterialType(name="stvk", code=0, poisson_limits=(-1.0, 0.5), plain=plain, by_stretch=by_stretch)
