"""DART's implicit joint springs and dampers: the same skeleton in a world of its own, one `World.step` for one of ours.

Stiffness and damping of joints are taken at the end of the step; limits are hard, found by its constraint solver.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench.peers.base import FloatArray, StiffPeer, UnsupportedError
from stringless.bench.peers.dart import DartModel
from stringless.model.model import Body
from stringless.model.scene import Scene


class ImplicitModel(DartModel, StiffPeer):
    """A scene without flesh: its skeleton in a world."""

    def __init__(self, scene: Scene, dt: float) -> None:
        """Rebuild `scene`."""
        model = scene.model
        if any(not joint.kind.is_vector for joint in model.joints):
            raise UnsupportedError("is compared on joints whose coordinates are numbers: it bounds no swing and twist")
        super().__init__(model)
        self.world = self.dart.simulation.World(model.name)
        self.world.setGravity(np.array(model.gravity))
        self.world.setTimeStep(dt)
        self.world.addSkeleton(self.skeleton)
        self.begin(scene.q, scene.v)

    def _add(self, body: Body, parent: Any) -> tuple[Any, Any]:
        """With springs, dampers and limits."""
        joint, node = super()._add(body, parent)
        spec, nv = body.joint.spec, body.joint.nv
        for k in range(nv):
            joint.setSpringStiffness(k, float(np.broadcast_to(spec.stiffness or (0.0,), nv)[k]))
            joint.setDampingCoefficient(k, float(np.broadcast_to(spec.damping or (0.0,), nv)[k]))
            if spec.rest:
                joint.setRestPosition(k, float(spec.rest[k]))
            if spec.lower or spec.upper:
                joint.setPositionLowerLimit(k, float(spec.lower[k]))
                joint.setPositionUpperLimit(k, float(spec.upper[k]))
        joint.setLimitEnforcement(bool(spec.lower or spec.upper))
        return joint, node

    def step(self, count: int) -> None:
        """Advance by `count` steps."""
        for _ in range(count):
            self.world.step()

    def begin(self, q: FloatArray, v: FloatArray) -> Callable[[], None]:
        """Begin at a state of ours; the answer goes back there."""
        skeleton, positions, velocities = self.skeleton, self._positions(q), self._turned(q, v)

        def back() -> None:
            skeleton.setPositions(positions)
            skeleton.setVelocities(velocities)

        back()
        return back

    def get(self) -> tuple[FloatArray, FloatArray]:
        """Its state as ours."""
        q, v = np.empty(len(self._order)), np.empty(len(self._order))
        q[self._order], v[self._order] = self.skeleton.getPositions(), self.skeleton.getVelocities()
        return q, v

    @property
    def sound(self) -> bool:
        """It watches nothing; its state tells."""
        return True
