"""Energy and momentum of the whole model."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from stringless.kinematics.bodies import position, run_motions, total_motion
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray


class Energy(NamedTuple):
    """Mechanical energy [J]."""

    kinetic: float
    """Of bodies and armatures."""
    potential: float
    """Of gravity, zero at the world origin, and of the joints' springs."""

    @property
    def total(self) -> float:
        """Kinetic and potential together."""
        return self.kinetic + self.potential


class Momentum(NamedTuple):
    """Momentum of all bodies, along world axes."""

    linear: FloatArray
    """[kg·m/s]."""
    angular: FloatArray
    """About the point asked for [kg·m²/s]."""


def energy(model: Model, q: ArrayLike, v: ArrayLike) -> Energy:
    """Kinetic and potential energy: `½ vᵀ M v`, gravity, and `½ k x²` of every joint spring."""
    v = model.vector(v, model.nv, "v")
    sums = total_motion(model, run_motions(model, q, v), np.zeros(3))
    kinetic = sums[10] + 0.5 * float(np.sum(model.dofs["armature"] * v * v))
    potential = -float(model.gravity @ sums[1:4])
    if np.any(model.dofs["stiffness"]):
        potential += 0.5 * float(np.sum(model.dofs["stiffness"] * model.displacement(q) ** 2))
    return Energy(float(kinetic), potential)


def momentum(model: Model, q: ArrayLike, v: ArrayLike, about: ArrayLike | None = None) -> Momentum:
    """Linear momentum, and angular momentum about the world point `about` (default: the centre of gravity)."""
    work = run_motions(model, q, v)
    point = np.zeros(3) if about is None else position(about, f"'about' for model '{model.name}'")
    sums = total_motion(model, work, point)
    if about is None:
        center = sums[1:4] / sums[0]
        return Momentum(sums[4:7], sums[7:10] - np.cross(center, sums[4:7]))
    return Momentum(sums[4:7], sums[7:10])
