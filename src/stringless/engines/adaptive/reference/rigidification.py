"""Reference: impulses that bring joints to rest without anything else being pushed (section 5.4.2)."""

from collections.abc import Sequence, Set

import numpy as np

from stringless.engines.adaptive.reference.assembly import Assembly
from stringless.engines.adaptive.reference.coefficients import main_pass
from stringless.engines.adaptive.reference.snapshot import Snapshot
from stringless.engines.adaptive.reference.substitution import back_substitution
from stringless.spatial.arrays import FloatArray


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
