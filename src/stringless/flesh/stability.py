"""How long a step the flesh can take, and the masses that make a wanted step safe (docs/theory/flesh.md, section 6)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from stringless.model.flesh import FleshSpec
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

MARGIN = 0.6
"""Share of the linear limit that masses are raised for.

Stretch up to the bounds of the law doubles its stiffness, and contact adds its own: `4 · 0.6² · 2 + CONTACT_SHARE < 4`.
Measured without damping: a start stretched by 20 % holds at 0.6 and is lost at 0.7; one stretched by 50 % needs 0.5.
"""
RISKY = 0.7
"""Share of the linear limit beyond which a step is warned of."""
BISECTIONS = 8
"""How finely the floor under the masses is searched for: to 1/256."""
CONTACT_SHARE = 0.75
"""Contact stiffness as a share of `m/dt²` at each node."""
BONE_SHARE = 0.25
"""Share of the mass fixed to a bone that stands behind each of its nodes in contact."""
LIGHTEST = 0.25
"""A node weighs at least this share of the median node: milligram nodes at the rim ask for feeble contact springs."""


@dataclass(frozen=True)
class Floor:
    """Masses raised for a step, and what that cost."""

    masses: FloatArray
    """[kg], shape (n,)."""
    added: float
    """Mass added in total [kg]."""
    raised: int
    """How many nodes were raised."""


def gradients(nodes: FloatArray, tets: IntArray) -> tuple[FloatArray, FloatArray]:
    """Gradients of the four shape functions of each element, shape (k, 4, 3) [1/m], and volumes, shape (k,) [m³]."""
    Dm = np.swapaxes(nodes[tets[:, 1:]] - nodes[tets[:, :1]], 1, 2)
    g: FloatArray = np.linalg.inv(Dm).astype(np.float64)
    return np.concatenate([-g.sum(axis=1, keepdims=True), g], axis=1), np.linalg.det(Dm) / 6


def stiffness(nodes: FloatArray, tets: IntArray, filled: FloatArray, mu: float, lam: float) -> sparse.csr_array:
    """Linear stiffness at rest, shape (3n, 3n): `K_ab = wV (lam g_a g_bᵀ + mu g_b g_aᵀ + mu g_a·g_b 1)`."""
    g, volume = gradients(nodes, tets)
    outer = np.einsum("kai,kbj->kabij", g, g)
    inner = np.einsum("kai,kbi->kab", g, g)
    blocks = lam * outer + mu * np.swapaxes(outer, 3, 4) + mu * inner[..., None, None] * np.eye(3)
    blocks *= (filled * volume)[:, None, None, None, None]
    rows = np.broadcast_to((3 * tets)[:, :, None, None, None] + np.arange(3)[:, None], blocks.shape)
    columns = np.broadcast_to((3 * tets)[:, None, :, None, None] + np.arange(3), blocks.shape)
    size = 3 * len(nodes)
    return sparse.coo_array((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(size, size)).tocsr()


def step_limit(K: sparse.csr_array, masses: FloatArray, free: BoolArray, iterations: int = 200) -> float:
    """Longest stable step of undamped symplectic Euler, `2/omega`, by power iteration on `M⁻¹ K` of the free nodes [s]."""
    if not free.any():
        return float("inf")
    keep = np.repeat(free, 3)
    inside = K[keep][:, keep]
    inverse = 1.0 / np.repeat(masses[free], 3)
    x = np.random.default_rng(0).normal(size=inside.shape[0])
    square = 0.0
    for _ in range(iterations):
        x = inverse * (inside @ x)
        square = float(np.linalg.norm(x))
        if square == 0:
            return float("inf")
        x /= square
    return 2.0 / np.sqrt(square)


def raise_masses(K: sparse.csr_array, masses: FloatArray, free: BoolArray, dt: float) -> Floor:
    """Raise free nodes to a share of the median node, and to what the step `dt` needs.

    `m >= kappa dt²/(4 · MARGIN²)` with `kappa_i = Σ_j |K_ij|` bounds the highest frequency, but from far
    (docs/theory/flesh.md, section 6.3):
    the smallest share of that floor is taken with which the limit, by power iteration, is `dt/MARGIN`.
    """
    count = len(masses)
    blocks = sparse.bsr_array(K, blocksize=(3, 3))
    norms = np.linalg.norm(blocks.data, ord=2, axis=(1, 2))
    kappa = np.add.reduceat(norms, blocks.indptr[:-1]) if count else np.zeros(0)
    light = LIGHTEST * float(np.median(masses[masses > 0])) if np.any(masses > 0) else 0.0
    bound = kappa * dt * dt / (4 * MARGIN * MARGIN)

    def above(share: float) -> FloatArray:
        return np.where(free, np.maximum(masses, np.maximum(share * bound, light)), masses)

    few, many = 0.0, 1.0
    if step_limit(K, above(0.0), free) >= dt / MARGIN:
        many = 0.0
    for _ in range(BISECTIONS if many else 0):
        share = 0.5 * (few + many)
        few, many = (few, share) if step_limit(K, above(share), free) >= dt / MARGIN else (share, many)
    raised = above(many)
    return Floor(raised, float(np.sum(raised - masses)), int(np.sum(raised > masses)))


def cell_sizes(parts: Sequence[FleshSpec]) -> FloatArray:
    """Smallest altitude of the elements around each node of all parts, shape (n,) [m]; inf for a node without any."""
    sizes = [np.full(len(part.nodes), np.inf) for part in parts]
    for part, size in zip(parts, sizes, strict=True):
        g, _ = gradients(part.nodes, part.tets)
        lowest = 1.0 / np.linalg.norm(g, axis=2).max(axis=1)
        np.minimum.at(size, part.tets, lowest[:, None])
    return np.concatenate([np.zeros(0), *sizes])


def part_limit(part: FleshSpec) -> float:
    """Longest stable step of small vibrations of a part as it is described [s]."""
    return step_limit(stiffness(part.nodes, part.tets, part.filled, *part.lame), part.masses, ~part.fixed)


def step_advice(parts: Sequence[FleshSpec], dt: float, scale: float = 1.0) -> list[str]:
    """A sentence for every part that a step of `dt` may be too long for, its stiffness taken `scale` times."""
    advice = []
    for part in parts:
        limit = part.step_limit / math.sqrt(scale)
        if dt > RISKY * limit:
            softer = part.young * scale * (MARGIN * limit / dt) ** 2
            advice.append(
                f"the step of {dt:.4g} s is {dt / limit:.2f} of the longest that the flesh '{part.name}' can take "
                f"({limit:.3g} s), beyond {RISKY}: large stretches may break it. Take dt={MARGIN * limit:.3g}, or a "
                f"Young's modulus of {softer:.3g} Pa, or wrap it with dt={dt:.4g}, which makes light nodes heavier."
            )
    return advice


def contact_gains(
    corners: IntArray,
    weights: FloatArray,
    masses: FloatArray,
    bones: tuple[str, ...],
    fixed: BoolArray,
    dt: float,
) -> tuple[FloatArray, FloatArray]:
    """Stiffness and damping of contact at each surface vertex, as firm as the step allows (docs/theory/contact.md, section 2).

    `Σ_v w_vi kn_v` at node i must stay below a share of `m_i/dt²`. A node fixed to a bone counts with a share of all that
    is fixed to that bone, or the ends of a character would sink in.
    """
    held = masses.copy()
    names = np.array(bones)
    for name in set(names[fixed]):
        group = fixed & (names == name)
        held[group] = np.maximum(held[group], BONE_SHARE * masses[group].sum())
    load = np.zeros(len(masses))
    np.add.at(load, corners, np.abs(weights))
    room = np.where(np.abs(weights) > 1e-9, held[corners] / np.maximum(load[corners], 1e-12), np.inf).min(axis=1)
    stiff = CONTACT_SHARE * room / dt**2
    return stiff, np.minimum(0.35 * room / dt, np.sqrt(stiff * room))
