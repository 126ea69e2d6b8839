"""What drives a scene: torques, wrenches, prescribed joints, a motion to follow, and the director."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.director import Director
from stringless.control.motion import Motion
from stringless.dynamics.hybrid import mask, world_spring_wrenches, wrenches
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.records import Inputs, Skeleton
from stringless.model.world_springs import WorldSpring
from stringless.state import State, scratch

FloatArray = NDArray[np.float64]
SIGNALS = ("tau", "external", "prescribed", "acceleration", "effort", "followed")


class Controls:
    """Everything that acts on a model besides its surroundings. A program may set the arrays at any time."""

    def __init__(self, model: Model, springs: tuple[WorldSpring, ...]) -> None:
        """Nothing acts but springs to the world."""
        self.model, self.springs = model, springs
        self.tau = np.zeros(model.nv)
        """Actuator efforts."""
        self.external = np.zeros((model.body_count, 6))
        """A wrench per body, moment first, body frame."""
        self.prescribed = np.zeros(model.nv, dtype=np.bool_)
        """Coordinates that move with the given `acceleration`."""
        self.acceleration = np.zeros(model.nv)
        self.effort = np.zeros(model.nv)
        """What every actuator gave in the last step, prescribed coordinates included."""
        self.motion: Motion | None = None
        """What the coordinates in `followed` follow."""
        self.followed = np.zeros(model.nv, dtype=np.bool_)
        self.director: Director | None = None
        """None until goals are asked for."""
        self._scaled: tuple[Any, float, Any] | None = None  # coordinates with springs of another strength

    @property
    def is_directed(self) -> bool:
        """Whether any joint does what goals or keyframes ask for."""
        return self.director is not None and self.director.is_acting

    def skeleton(self, joint_springs: float) -> Skeleton:
        """Tables of bodies and joints, as directing and the factor on springs have them now."""
        model = self.model
        director = self.director
        tree, dofs, rest = (model.tree, model.dofs, model.q_rest) if director is None else director.skeleton()
        if joint_springs != 1.0:
            dofs = self._with_springs(dofs, joint_springs)
        return Skeleton(tree, dofs, model.limits, rest, model.gravity)

    def _with_springs(self, dofs: Any, factor: float) -> Any:
        known = self._scaled
        if known is None or known[0] is not dofs or known[1] != factor:
            scaled = dofs.copy()
            scaled["stiffness"] *= factor
            scaled["damping"] *= factor
            scaled.flags.writeable = False  # as those of the model: compiled code tells the two apart
            self._scaled = known = (dofs, factor, scaled)
        return known[2]

    def check(self) -> FloatArray:
        """The torques, once all arrays were found to be numbers of the right count; cuts `effort` to what actuators can give."""
        model = self.model
        tau = model.vector(self.tau, model.nv, "tau")
        self.acceleration = model.vector(self.acceleration, model.nv, "acceleration")
        given = mask(model, self.prescribed)
        bad = np.flatnonzero(given & ~np.isfinite(self.acceleration))
        if len(bad):
            raise InputError(
                f"the acceleration prescribed for joint {model.dof_name(int(bad[0]))} is "
                f"{self.acceleration[bad[0]]}; expected a finite number"
            )
        limit = scratch(model).effort
        np.maximum(np.minimum(tau, limit), -limit, out=self.effort)  # twice as fast as `np.clip`
        return tau

    def inputs(
        self, state: State, dt: float, steps: int, *, directed_as_prescribed: bool, vdot_out: FloatArray | None = None
    ) -> Inputs:
        """What drives the next steps, for kernels.

        Args:
            state: where they begin.
            dt: length of a step [s].
            steps: how many there are.
            directed_as_prescribed: whether coordinates that the director drives count as prescribed, with an acceleration of
                zero to which the director adds.
            vdot_out: gets the given accelerations, if a kernel is to add those of coordinates that follow something.
        """
        work, tau = scratch(self.model), self.model.vector(self.tau, self.model.nv, "tau")
        external = self.wrenches(state)
        given = mask(self.model, self.prescribed) | self.followed
        director = self.director if self.is_directed else None
        if director is not None and directed_as_prescribed:
            given = given | director.directed
            self.acceleration[director.directed] = 0.0
        vdot = self.acceleration
        if vdot_out is not None:
            vdot_out[:] = vdot
            vdot = vdot_out
        keyed = None if director is None or not director.followed.any() else director.followed
        if self.motion is None and keyed is None:
            given = given if np.count_nonzero(given) else work.no_mask
            none = np.zeros((0, self.model.nq))
            return Inputs(given, vdot, work.no_mask, none, tau, external)
        # Added up as the kernel adds them: where a call begins must not change the last digit.
        times = np.cumsum([state.time, *[dt] * steps])[1:]
        targets = np.tile(state.q, (steps, 1)) if self.motion is None else self.motion.sampled(times)[0]
        followed = self.followed
        if keyed is not None:
            assert director is not None
            track = director.targets(times)
            for joint in self.model.joints:
                if keyed[joint.v_slice].any():
                    targets[:, joint.q_slice] = track[:, joint.q_slice]
            given, followed = given | keyed, followed | keyed
        return Inputs(given, vdot, followed, targets, tau, external)

    def wrenches(self, state: State) -> FloatArray:
        """Wrenches on all bodies, moment first, along their own axes: `external`, and what springs to the world add now."""
        external = wrenches(self.model, self.external)
        return (
            external + world_spring_wrenches(self.model, self.springs, state.q, state.v) if self.springs else external
        )

    def copy_for(self, state: State) -> Controls:
        """An independent copy for a copy of the state."""
        other = copy.copy(self)
        for name in SIGNALS:
            setattr(other, name, getattr(self, name).copy())
        other.director = None if self.director is None else self.director.copy_for(state)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """All but tables that are made again when they are asked for."""
        return self.__dict__ | {"_scaled": None}
