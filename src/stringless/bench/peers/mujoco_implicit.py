"""MuJoCo's implicit integrators: the same skeleton with springs, dampers and limits, one `mj_step` for one of ours.

`implicit` takes forces at the end of the step as far as they depend on velocities, gyroscopic ones included;
`implicitfast` leaves those out and factors a symmetric matrix. Springs are explicit in both. Limits are its own, soft
constraints with its default settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench.peers.base import FloatArray, StiffPeer, UnsupportedError
from stringless.bench.peers.mujoco import MujocoModel
from stringless.model.model import Body
from stringless.model.scene import Scene

MEMORY = 200
"""Bytes that it may take for the square of every degree of freedom: more than its own guess, which is too little."""
LEAST_MEMORY = 1 << 26
LOST = ("BADQPOS", "BADQVEL", "BADQACC")
"""Warnings after which it puts its state back to the start."""


class ImplicitModel(MujocoModel, StiffPeer):
    """A scene without flesh: its model, its data."""

    switched_off = ("CONTACT", "SENSOR", "ACTUATION", "AUTORESET")

    def __init__(self, scene: Scene, dt: float, integrator: str) -> None:
        """Rebuild `scene`."""
        super().__init__(scene.model)
        self.ours = scene.model
        self.model.opt.timestep = dt
        self.model.opt.integrator = getattr(self.mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
        self.begin(scene.q, scene.v)

    def _add(self, body: Body, parent: Any) -> Any:
        """With springs, dampers and limits."""
        added = super()._add(body, parent)
        spec, nv = body.joint.spec, body.joint.nv
        if body.joint.kind.name in ("ball", "free") and (spec.lower or spec.upper):
            raise UnsupportedError("has no limits of swing and twist")
        for k, joint in enumerate(added.joints):
            joint.stiffness = (float(np.broadcast_to(spec.stiffness or (0.0,), nv)[k]), 0.0, 0.0)
            joint.damping = (float(np.broadcast_to(spec.damping or (0.0,), nv)[k]), 0.0, 0.0)
            if spec.rest:
                joint.springref = float(spec.rest[k])
            if spec.lower or spec.upper:
                joint.limited = True
                joint.range = (float(spec.lower[k]), float(spec.upper[k]))
        return added

    def _furnish(self, spec: Any, bodies: dict[int, Any]) -> None:
        """Room for its constraints and derivatives."""
        coordinates = sum(body.joint.nv for body in self.bodies)
        spec.memory = LEAST_MEMORY + MEMORY * coordinates**2

    def step(self, count: int) -> None:
        """Advance by `count` steps."""
        self.mujoco.mj_step(self.model, self.data, count)

    def begin(self, q: FloatArray, v: FloatArray) -> Callable[[], None]:
        """Begin at a state of ours; the answer goes back there."""
        mujoco, model, data = self.mujoco, self.model, self.data
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:], _ = self._state(q, v, np.zeros(len(v)))
        everything = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        state = np.empty(mujoco.mj_stateSize(model, everything))
        mujoco.mj_getState(model, data, state, everything)
        return lambda: mujoco.mj_setState(model, data, state, everything)

    def get(self) -> tuple[FloatArray, FloatArray]:
        """Its state as ours."""
        q, v = np.empty(self.ours.nq), np.empty(self.ours.nv)
        for body, q0, v0 in zip(self.bodies, self._q_first, self._v_first, strict=True):
            part = self.data.qpos[q0 : q0 + body.joint.nq]
            q[body.joint.q_slice] = np.roll(part, -1) if body.joint.kind.name == "ball" else part
            v[body.joint.v_slice] = self.data.qvel[v0 : v0 + body.joint.nv]
        return q, v

    @property
    def sound(self) -> bool:
        """Whether it has found nothing wrong with its state."""
        kinds = (getattr(self.mujoco.mjtWarning, f"mjWARN_{name}") for name in LOST)
        return not any(self.data.warning[int(kind)].number for kind in kinds)
