"""Reference: back-substitution: accelerations of joints from the root down, all of them or the most important first (5.3.1).

With it, the impulses that bring joints to rest without anything else being pushed (section 5.4.2).
"""

import heapq
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from stringless.engines.adaptive.reference.assembly import Assembly
from stringless.engines.adaptive.reference.coefficients import Coefficients, main_pass, spread
from stringless.engines.adaptive.reference.metrics import Metric
from stringless.engines.adaptive.reference.snapshot import Snapshot
from stringless.spatial.arrays import FloatArray


@dataclass(frozen=True)
class Partial:
    """What was found before the traversal stopped."""

    accelerations: dict[int, FloatArray]
    """Of the joints that were computed, in the order in which they were."""
    errors: list[float]
    """Metric of the joints not computed: before the first, and after each."""


def descend(
    assembly: Assembly, coefficients: Sequence[Coefficients], node: int, f: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Acceleration of a node's principal joint, and the forces on the handles of A and B (equations 4 and 5)."""
    own, C = assembly.nodes[node], coefficients[node]
    A, B, seam = coefficients[own.A], coefficients[own.B], C.seam
    assert seam is not None
    on_A, on_B = spread(assembly, own, f)
    pull = A.Phi[np.ix_(seam.link_a, seam.keep_a)] @ on_A - B.Phi[np.ix_(seam.link_b, seam.keep_b)] @ on_B
    acceleration = seam.R - seam.U @ pull
    through = seam.W @ pull + seam.gamma
    f_A, f_B = np.zeros(len(A.b)), np.zeros(len(B.b))
    f_A[seam.keep_a], f_B[seam.keep_b] = on_A, on_B
    f_A[seam.link_a] -= through
    f_B[seam.link_b] += through
    return acceleration, f_A, f_B


def back_substitution(
    assembly: Assembly, coefficients: Sequence[Coefficients]
) -> tuple[dict[int, FloatArray], list[FloatArray]]:
    """Accelerations of all joints, and the forces on the handles of all nodes."""
    forces: list[FloatArray] = [np.zeros(len(C.b)) for C in coefficients]
    found: dict[int, FloatArray] = {}
    for k in range(assembly.root, -1, -1):
        node = assembly.nodes[k]
        if not node.is_leaf:
            found[node.joint], forces[node.A], forces[node.B] = descend(assembly, coefficients, k, forces[k])
    return found, forces


def partial_substitution(
    assembly: Assembly,
    coefficients: Sequence[Coefficients],
    metrics: Sequence[Metric],
    weights: Sequence[FloatArray],
    *,
    max_error: float = 0.0,
    most: int | None = None,
) -> Partial:
    """Descend first where the acceleration metric is largest, until what is left is small enough or `most` are computed.

    The running error begins as the metric of the root and loses each joint's share as it is computed. Rounding may take
    it below zero: it stops there.
    """
    root = assembly.root
    nothing = np.zeros(len(coefficients[root].b))
    error = max(metrics[root].value(nothing), 0.0)
    waiting = [(-error, root, nothing)]
    found: dict[int, FloatArray] = {}
    errors = [error]
    while waiting and error > max_error and (most is None or len(found) < most):
        _, k, f = heapq.heappop(waiting)
        node = assembly.nodes[k]
        a, f_A, f_B = descend(assembly, coefficients, k, f)
        found[node.joint] = a
        error = max(error - float(a @ weights[node.joint] @ a), 0.0)
        errors.append(error)
        for child, force in ((node.A, f_A), (node.B, f_B)):
            if not assembly.nodes[child].is_leaf:
                heapq.heappush(waiting, (-metrics[child].value(force), child, force))
    return Partial(found, errors)


def rigidify(
    snapshot: Snapshot, assembly: Assembly, v: FloatArray, transient: Set[int], stopped: Sequence[int]
) -> FloatArray:
    """Rates after the joints in `stopped` were brought to rest: `K^R Q^R = -q̇^R`, `q̇ += M⁻¹ Q^R`.

    Only joints in `transient` answer; all others are rigid. `K^R` is the block `(M⁻¹)_RR` over the transient coordinates,
    built column by column from unit impulses. Its inverse is a Schur complement of M, so that kinetic energy falls by
    `½ q̇_Rᵀ (K^R)⁻¹ q̇_R`.
    """
    rates = snapshot.split(v)
    rest = np.concatenate([np.full(len(rate), i in stopped) for i, rate in enumerate(rates)])
    columns = np.flatnonzero(rest)
    response = np.stack([_response(snapshot, assembly, transient, e) for e in np.eye(len(v))[columns]], axis=1)
    K = response[columns]
    return v + response @ np.linalg.solve(K, -v[columns])


def _response(snapshot: Snapshot, assembly: Assembly, transient: Set[int], impulse: FloatArray) -> FloatArray:
    """Change of all rates by an impulse on coordinates."""
    rigid = set(range(snapshot.count)) - set(transient)
    still = snapshot.at_rest(snapshot.split(impulse))
    answers, _ = back_substitution(assembly, main_pass(still, assembly, rigid))
    found = [answers[i] if i not in rigid else np.zeros(S.shape[1]) for i, S in enumerate(snapshot.axes)]
    return np.concatenate(found)
