"""How long a step the flesh can take, and how firm its contact may be (docs/theory/flesh.md, section 6)."""

import math
from collections.abc import Sequence

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
CONTACT_SHARE = 0.75
"""Contact stiffness as a share of `m/dt²` at each node."""
BONE_SHARE = 0.25
"""Share of the mass fixed to a bone that stands behind each of its nodes in contact."""


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


def normal_displacements(masses: FloatArray, free: BoolArray, bone_motions: FloatArray) -> sparse.csr_array:
    """Displacements `B` of all nodes, shape (3n, motions), by motions that each have a mass of one: `M⁻¹ = B Bᵀ`.

    Free nodes move each for itself, fixed ones by `bone_motions` (`FleshSpec.bone_motions`), or not at all if that is empty.
    """
    moving, held = np.flatnonzero(np.repeat(free, 3)), np.flatnonzero(np.repeat(~free, 3))
    count = len(moving) + len(bone_motions)
    B = sparse.lil_array((3 * len(masses), count))
    B[moving, np.arange(len(moving))] = 1.0 / np.sqrt(np.repeat(masses[free], 3))
    if len(bone_motions):
        B[held, len(moving) :] = bone_motions.reshape(len(bone_motions), -1).T
    return B.tocsr()


NO_BONES = np.zeros((0, 0, 3))
"""Motions of bones that stand still."""


def step_limit(
    K: sparse.csr_array,
    masses: FloatArray,
    free: BoolArray,
    bone_motions: FloatArray = NO_BONES,
    iterations: int = 200,
) -> float:
    """Longest stable step of undamped symplectic Euler, `2/omega`, by power iteration on `Bᵀ K B` [s].

    Of small vibrations about the neutral configuration; without `bone_motions` the bones do not move.
    """
    B = normal_displacements(masses, free, bone_motions)
    x = np.random.default_rng(0).normal(size=3 * int(free.sum()) + len(bone_motions))
    square = 0.0
    for _ in range(iterations if len(x) else 0):
        x = B.T @ (K @ (B @ x))
        square = float(np.linalg.norm(x))
        if square == 0:
            break
        x /= square
    return 2.0 / math.sqrt(square) if square > 0 else math.inf


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
    return step_limit(
        stiffness(part.nodes, part.tets, part.filled, *part.lame), part.masses, ~part.fixed, part.bone_motions
    )


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
                f"Young's modulus of {softer:.3g} Pa, or wrap it with dt={dt:.4g}, which moves mass to light nodes."
            )
    return advice


def step_problem(parts: Sequence[FleshSpec], dt: float, scale: float = 1.0, finest: int = 0) -> str:
    """Why steps of `dt` cannot be taken, also not in `2**finest` parts each; empty if they can. For `scale` see `step_advice`."""
    for part in parts:
        limit, share = part.step_limit / math.sqrt(scale), RISKY if finest else 1.0
        longest = limit * share * 2**finest
        if dt > longest:
            softer = part.young * scale * (MARGIN / share * longest / dt) ** 2
            divided = f", and too long also in {2**finest} parts" if finest else ""
            other = "" if finest else "substeps='auto' where nothing is directed, "
            return (
                f"the step of {dt:.4g} s is {dt / limit:.3g} times the longest that the flesh '{part.name}' is stable at "
                f"({limit:.3g} s){divided}. Take dt={MARGIN / share * longest:.3g}, {other}or a Young's modulus of "
                f"{softer:.3g} Pa."
            )
    return ""


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
