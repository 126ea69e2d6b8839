"""Reference: linear coefficients of a passive node from its one velocity, in constant time (Theorems 3 and 4).

A node without active joints and without forces within moves as one rigid body, with one velocity v; then
`b = B v v`, `p = P v v` and `η = E v v v v`. Gravity stays outside: it comes in where the ground does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stringless.engines.adaptive.reference.assembly import GROUND, Assembly, Node
from stringless.engines.adaptive.reference.coefficients import Coefficients, Seam, merged
from stringless.engines.adaptive.reference.metrics import Metric
from stringless.engines.adaptive.reference.snapshot import Snapshot, ad
from stringless.spatial.arrays import FloatArray


@dataclass(frozen=True)
class Tensors:
    """Of one node."""

    B: FloatArray
    """(6h, 6, 6), symmetric in the last two."""
    P: FloatArray
    """(6h, 6, 6)."""
    E: FloatArray
    """(6, 6, 6, 6)."""

    def b(self, v: FloatArray) -> FloatArray:
        """Bias accelerations of the handles."""
        return self.B @ v @ v

    def p(self, v: FloatArray) -> FloatArray:
        """Linear coefficients of the acceleration metric."""
        return self.P @ v @ v

    def eta(self, v: FloatArray) -> float:
        """Its constant coefficient."""
        return float(self.E @ v @ v @ v @ v)


def tensor_pass(
    snapshot: Snapshot,
    assembly: Assembly,
    coefficients: Sequence[Coefficients],
    metrics: Sequence[Metric],
    weights: Sequence[FloatArray],
) -> list[Tensors | None]:
    """Tensors of all nodes without the ground, bottom-up; those with it do not move as one."""
    found: list[Tensors | None] = []
    for node, own in zip(assembly.nodes, coefficients, strict=True):
        if GROUND in node.bodies:
            found.append(None)
        elif own.seam is None:
            found.append(_leaf(snapshot, *node.bodies))
        else:
            A, B = found[node.A], found[node.B]
            assert A is not None
            assert B is not None
            parts = (A, B), (metrics[node.A], metrics[node.B])
            found.append(_joined(assembly, node, own.seam, *parts, weights[node.joint]))
    return found


def _leaf(snapshot: Snapshot, body: int) -> Tensors:
    """`B_abc = sym_bc (I⁻¹ ad(e_b)ᵀ I)_ac`: the cross product of equation 3."""
    I = snapshot.inertias[body]
    B = np.stack([np.linalg.solve(I, ad(e).T @ I) for e in np.eye(6)], axis=1)
    return Tensors(0.5 * (B + B.transpose(0, 2, 1)), np.zeros((6, 6, 6)), np.zeros((6, 6, 6, 6)))


def _joined(
    assembly: Assembly,
    node: Node,
    seam: Seam,
    of: tuple[Tensors, Tensors],
    metrics: tuple[Metric, Metric],
    weight: FloatArray,
) -> Tensors:
    """Theorem 4, equation 9, with `L = U (B_1^B - B_2^A)`: the paper prints the superscripts exchanged."""
    (of_A, of_B), (metric_A, metric_B) = of, metrics
    keep_a, keep_b, link_a, link_b = seam.keep_a, seam.keep_b, seam.link_a, seam.link_b
    between = of_A.B[link_a] - of_B.B[link_b]
    across = of_A.P[link_a] - of_B.P[link_b]
    both = metric_A.Psi[np.ix_(link_a, link_a)] + metric_B.Psi[np.ix_(link_b, link_b)]
    T = np.tensordot(seam.W, between, 1)
    L = np.tensordot(seam.U, -between, 1)
    D = (
        2.0 * np.tensordot(seam.U.T @ weight, L, 1)
        + np.tensordot(seam.W, across, 1)
        - 2.0 * np.tensordot(seam.W @ both, T, 1)
    )
    A_12, B_21 = seam.A_12, seam.B_21
    A_Psi, B_Psi = metric_A.Psi[np.ix_(keep_a, link_a)], metric_B.Psi[np.ix_(keep_b, link_b)]
    B_1 = of_A.B[keep_a] - np.tensordot(A_12, T, 1)
    B_2 = of_B.B[keep_b] + np.tensordot(B_21, T, 1)
    P_1 = of_A.P[keep_a] - np.tensordot(A_12, D, 1) - 2.0 * np.tensordot(A_Psi, T, 1)
    P_2 = of_B.P[keep_b] + np.tensordot(B_21, D, 1) + 2.0 * np.tensordot(B_Psi, T, 1)
    E = of_A.E + of_B.E
    E = E + np.einsum("kab,kl,lcd->abcd", L, weight, L) + np.einsum("kab,kl,lcd->abcd", T, both, T)
    E = E - np.einsum("kab,kcd->abcd", T, across)
    return Tensors(merged(assembly, node, B_1, B_2), merged(assembly, node, P_1, P_2), E)
