"""Springs and dampers of passive joints, on top of those that the model has."""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray, IntArray


class Springs:
    """One spring and damper per coordinate, and the pose in which they are slack."""

    def __init__(self, model: Model) -> None:
        """Start with none."""
        self.model = model
        self.stiffness, self.damping = np.zeros(model.nv), np.zeros(model.nv)
        self.rest = model.neutral()
        self._skeleton: tuple[Any, Any, FloatArray] | None = None

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.stiffness.any() or self.damping.any())

    def has_any(self, coordinates: Any) -> bool:
        """Whether any of these coordinates has one."""
        return bool(self.stiffness[coordinates].any() or self.damping[coordinates].any())

    def set(self, coordinates: IntArray, stiffness: float, damping: float, pose: FloatArray) -> None:
        """Put springs on coordinates, slack in `pose`."""
        self.stiffness[coordinates], self.damping[coordinates] = stiffness, damping
        for d in coordinates:
            place = self.model.bodies[int(self.model.dofs[d]["body"])].joint.q_slice
            self.rest[place] = pose[place]
        self.forget()

    def clear(self, coordinates: Any) -> None:
        """Take springs off coordinates."""
        self.stiffness[coordinates], self.damping[coordinates] = 0.0, 0.0
        self.forget()

    def forget(self) -> None:
        """Build the tables again when they are next asked for."""
        self._skeleton = None

    def skeleton(self) -> tuple[Any, Any, FloatArray]:
        """Tables of bodies, coordinates and rest of springs, these springs included.

        Two springs act as one: their stiffnesses add up, and its rest divides the way between theirs.
        """
        model = self.model
        if not self:
            return model.tree, model.dofs, model.q_rest
        if self._skeleton is None:
            tree, dofs = model.tree.copy(), model.dofs.copy()
            total = model.dofs["stiffness"] + self.stiffness
            share = np.where(total > 0, self.stiffness / np.maximum(total, 1e-300), 0.0)
            rest = model.integrate(model.q_rest, share * model.difference(model.q_rest.copy(), self.rest))
            dofs["stiffness"], dofs["damping"] = total, model.dofs["damping"] + self.damping
            for d in np.flatnonzero(self.stiffness):
                tree["sprung"][int(dofs["body"][d])] = 1
            for table in (tree, dofs, rest):
                table.flags.writeable = False  # as those of the model: compiled code tells the two apart
            self._skeleton = tree, dofs, rest
        return self._skeleton
