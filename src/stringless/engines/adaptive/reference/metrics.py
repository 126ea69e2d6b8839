"""Reference: the acceleration metric of all nodes, without accelerations (Theorems 1 and 2).

`A(C) = Σ q̈ᵢᵀ Aᵢ q̈ᵢ = fᵀ Ψ f + fᵀ p + η`, where f are the forces on the node's handles.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stringless.engines.adaptive.reference.assembly import Assembly, Node
from stringless.engines.adaptive.reference.coefficients import Coefficients, Seam, merged
from stringless.spatial.arrays import FloatArray


@dataclass(frozen=True)
class Metric:
    """Of one node."""

    Psi: FloatArray
    """(6h, 6h)."""
    p: FloatArray
    """(6h,)."""
    eta: float

    def value(self, f: FloatArray) -> float:
        """Equation 7."""
        return float(f @ self.Psi @ f + f @ self.p + self.eta)


def metric_pass(
    assembly: Assembly, coefficients: Sequence[Coefficients], weights: Sequence[FloatArray]
) -> list[Metric]:
    """Metrics of all nodes, bottom-up; `weights` are the matrices Aᵢ, joint by joint."""
    found: list[Metric] = []
    for node, own in zip(assembly.nodes, coefficients, strict=True):
        if own.seam is None:
            found.append(Metric(np.zeros((6, 6)), np.zeros(6), 0.0))
        else:
            found.append(_joined(assembly, node, own.seam, found[node.A], found[node.B], weights[node.joint]))
    return found


def _joined(assembly: Assembly, node: Node, seam: Seam, of_A: Metric, of_B: Metric, weight: FloatArray) -> Metric:
    """Theorem 2, equation 8."""
    U, R, W, gamma, A_12, B_21 = seam.U, seam.R, seam.W, seam.gamma, seam.A_12, seam.B_21
    if len(R) == 0:
        weight = np.zeros((0, 0))
    keep_a, keep_b, link_a, link_b = seam.keep_a, seam.keep_b, seam.link_a, seam.link_b
    A_Psi_12, B_Psi_21 = of_A.Psi[np.ix_(keep_a, link_a)], of_B.Psi[np.ix_(keep_b, link_b)]
    both = of_A.Psi[np.ix_(link_a, link_a)] + of_B.Psi[np.ix_(link_b, link_b)]
    across = of_A.p[link_a] - of_B.p[link_b]
    Y = U.T @ weight @ U + W @ both @ W
    Z = 2.0 * U.T @ weight @ R + W @ across - 2.0 * W @ both @ gamma
    Psi_1 = of_A.Psi[np.ix_(keep_a, keep_a)] + A_12 @ Y @ A_12.T - _twice(A_12 @ W @ A_Psi_12.T)
    Psi_2 = of_B.Psi[np.ix_(keep_b, keep_b)] + B_21 @ Y @ B_21.T - _twice(B_21 @ W @ B_Psi_21.T)
    Psi_21 = -B_21 @ Y @ A_12.T + B_21 @ W @ A_Psi_12.T + B_Psi_21 @ W @ A_12.T
    Psi = np.block([[Psi_1, Psi_21.T], [Psi_21, Psi_2]])
    Psi = merged(assembly, node, Psi[: len(keep_a)], Psi[len(keep_a) :])
    Psi = merged(assembly, node, Psi.T[: len(keep_a)], Psi.T[len(keep_a) :])
    p_1 = of_A.p[keep_a] - A_12 @ Z - 2.0 * A_Psi_12 @ gamma
    p_2 = of_B.p[keep_b] + B_21 @ Z + 2.0 * B_Psi_21 @ gamma
    eta = of_A.eta + of_B.eta + R @ weight @ R + gamma @ both @ gamma - gamma @ across
    return Metric(Psi, merged(assembly, node, p_1, p_2), float(eta))


def _twice(M: FloatArray) -> FloatArray:
    return M + M.T


def velocity_metrics(assembly: Assembly, v: Sequence[FloatArray], weights: Sequence[FloatArray]) -> FloatArray:
    """`V(C) = q̇ᵀ V q̇ + V(A) + V(B)` of all nodes, bottom-up (section 5.4.1)."""
    found = np.zeros(len(assembly.nodes))
    for k, node in enumerate(assembly.nodes):
        if not node.is_leaf:
            rate = v[node.joint]
            found[k] = rate @ weights[node.joint] @ rate + found[node.A] + found[node.B]
    return found
