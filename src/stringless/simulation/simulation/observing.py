"""What a simulation is doing, and putting it into another state."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.control.goals import Goal
from stringless.dynamics import Energy, energy
from stringless.engines.adaptive.engine import asleep, moving
from stringless.engines.adaptive.rows import UNKNOWN
from stringless.engines.reduced.substeps import Substeps
from stringless.engines.reduced.workspace import new_anchors
from stringless.engines.stiff.quantities import kinetic_energy, kinetic_energy_of_rows
from stringless.errors import InputError
from stringless.flesh.quantities import carried_nodes, carry_nodes, flesh_energy, free_masses
from stringless.kinematics import BodyPoses, body_poses, center_of_gravity, check_loops
from stringless.model import Scene
from stringless.simulation.simulation.placing import lifted
from stringless.simulation.simulation.setting import Setting
from stringless.state import State

FloatArray = NDArray[np.float64]


class Observing(Setting):
    """What can be seen of a simulation."""

    # --- what it is doing ---

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.state.time

    @property
    def q(self) -> FloatArray:
        """Configuration; the live array."""
        return self.state.q

    @property
    def v(self) -> FloatArray:
        """Velocity; the live array."""
        return self.state.v

    @property
    def center_of_gravity(self) -> FloatArray:
        """Of everything in the scene, in the world [m]."""
        return self._mean(center_of_gravity(self.model, self.q).position, self.state.x)

    @property
    def center_of_gravity_velocity(self) -> FloatArray:
        """[m/s]."""
        return self._mean(center_of_gravity(self.model, self.q, self.v).velocity, self.state.xdot)

    def _mean(self, bones: FloatArray, nodes: FloatArray) -> FloatArray:
        """Mean by mass of a vector of all bones and one of each free node."""
        if self.model.flesh is None:
            return bones
        mass = free_masses(self.model.flesh)
        return (self.model.mass * bones + mass @ nodes) / (self.model.mass + mass.sum())

    def energy(self) -> Energy:
        """Mechanical energy now, that of the flesh included."""
        bones = energy(self.model, self.q, self.v)
        if self.config.joint_springs != 1.0:
            springs = 0.5 * float(self.model.dofs["stiffness"] @ self.model.stretch(self.q) ** 2)
            bones = Energy(bones.kinetic, bones.potential + (self.config.joint_springs - 1.0) * springs)
        if self.stiff is not None and self.state.dt > 0.0:
            bones = Energy(self._stiff_kinetic(), bones.potential)
        if self.flesh is None:
            return bones
        flesh = flesh_energy(self.flesh, self.model.gravity, self.flesh_positions, self.state.xdot)
        return Energy(bones.kinetic + flesh.kinetic, bones.potential + flesh.potential)

    @property
    def flesh_positions(self) -> FloatArray:
        """World positions of all cage nodes, shape (n, 3) [m]."""
        if self.model.flesh is not None:
            carry_nodes(self.model, self.q, self.v, self.state.x, self.state.xdot)
        return self.state.x

    @property
    def surface_positions(self) -> FloatArray:
        """World positions of all vertices of the skin, shape (m, 3) [m]."""
        flesh = self.model.flesh
        if flesh is None:
            return np.zeros((0, 3))
        return np.einsum("vk,vkj->vj", flesh.vertices["w"], self.flesh_positions[flesh.vertices["n"]])

    @property
    def substeps(self) -> Substeps:
        """How often steps were done in shorter ones, since the simulation was made."""
        divided, halved = self.workspace.split if self.workspace is not None else (0, 0)
        return Substeps(int(divided), 1 << int(halved))

    def touching_points(self) -> tuple[NDArray[np.int64], FloatArray]:
        """Points that touch something, skin vertices first, then probes of bare bodies, and the forces on them [N]."""
        room = self.workspace if self.adaptive is None else self.adaptive.ground
        if room is None:
            return np.zeros(0, dtype=np.int64), np.zeros((0, 3))
        points = np.flatnonzero(room.touch.any(axis=1))
        return points, room.touch[points]

    def felt(self, goal: Goal) -> FloatArray:
        """Torque and force of a goal's spring on its body in the last step, along world axes [N·m, N], as a pen would feel it.

        Only the stiff engine pulls characters by springs; for others it is zero.

        Raises:
            InputError: this is no goal, or none that is at work in this simulation.
        """
        if not isinstance(goal, Goal):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot tell the force of {goal!r}; expected a goal, as `director.drag` gives one")
        if not (self.has_director and goal.director is self.director):
            raise InputError(
                f"this {goal.kind} (goal {goal.id}) belongs to another simulation; ask that one, or take a goal from "
                "`sim.director.goals`"
            )
        goal.check_active()
        if self.stiff is None:
            return np.zeros(6)
        first, end = self.director.rows_of(goal)
        return self.stiff.felt[first:end].sum(axis=0) if end <= len(self.stiff.felt) else np.zeros(6)

    def _stiff_kinetic(self) -> float:
        if self.config.update == "bodies":
            return kinetic_energy_of_rows(self.model, self.v, self.state.bodies)
        assert self.stiff is not None
        return kinetic_energy(self.model, self.q, self.v, self.state.bodies, self.stiff.inverses)

    @property
    def joint_gap(self) -> float:
        """Largest gap of a joint or a closed loop in the last steps of the stiff engine [m, or rad for loops].

        Poses that are rebuilt from joint coordinates leave none in the tree: then it is that of the loops.
        """
        return 0.0 if self.stiff is None else float(self.stiff.report["gap"][0])

    @property
    def asleep(self) -> int:
        """How many characters rest on something, and cost nothing until something changes; only with the adaptive engine."""
        return 0 if self.adaptive is None else asleep(self.adaptive, self.state.bodies)

    @property
    def moving_joints(self) -> NDArray[np.bool_]:
        """Which joints move, by their number: with the adaptive engine those that were chosen last, else all that can."""
        able = self.model.tree["nv"] > 0
        return able if self.adaptive is None or self.state.dt == 0.0 else able & moving(self.state.bodies)

    @property
    def held_errors(self) -> dict[str, float | None]:
        """Error of the joints that were held at each character's last choice, by the name of its root body.

        Only with the adaptive engine; None where it was not worked out: by energy with no `max_error`, and from where a state
        was put or brought back until the next choice.
        """
        if self.adaptive is None:
            return {}
        tables, state = self.adaptive.tables, self.state
        names = [self.model.bodies[int(root)].name for root in tables.trees["root"]]
        if state.dt == 0.0 or self.adaptive.has_left(state.q, state.v, state.bodies):
            return dict.fromkeys(names)
        return {name: None if e == UNKNOWN else float(e) for name, e in zip(names, tables.status["error"], strict=True)}

    def body_poses(self) -> BodyPoses:
        """World poses of all bodies now."""
        return body_poses(self.model, self.q)

    # --- another state ---

    def save(self) -> State:
        """A full copy of the present state."""
        return self.state.copy()

    def restore(self, state: State) -> None:
        """Go back to a saved state; continuing from it repeats the motion bit by bit under the same inputs."""
        if not isinstance(state, State):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot restore {state!r}; expected a State, as `save` gives one")
        if state.q.shape != self.q.shape or state.v.shape != self.v.shape:
            raise InputError(
                f"the state has {state.q.size} and {state.v.size} numbers, "
                f"model '{self.model.name}' needs {self.model.nq} and {self.model.nv}"
            )
        for name in ("x", "xdot", "anchors"):
            found, needed = getattr(state, name).shape, getattr(self.state, name).shape
            if found != needed:
                raise InputError(f"'{name}' of the state has shape {found}, model '{self.model.name}' needs {needed}")
        if state.bodies.shape != self.state.bodies.shape:  # of another engine: begin with its motion
            state = dataclasses.replace(state.copy(), bodies=np.zeros_like(self.state.bodies), dt=0.0)
        self.state.restore(state)
        self._owed = 0.0
        if self.stiff is not None:
            self.stiff.felt[:] = 0.0
        if self.has_director:
            self.director.rewound()

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Put the scene into another configuration or motion, at the present time; flesh goes along at rest shape."""
        model = self.model
        there = Scene(
            model,
            q=self.q if q is None else model.vector(q, model.nq, "q"),
            v=self.v if v is None else model.vector(v, model.nv, "v"),
        )
        check_loops(model, there.q)
        self.state.q[:], self.state.v[:], self.state.vdot[:], self.state.dt = there.q, there.v, 0.0, 0.0
        if self.workspace is not None:
            self.state.x[:], self.state.xdot[:] = carried_nodes(model, self.q, self.v)
        self.state.anchors[:] = new_anchors(len(self.state.anchors))

    def place(self, height: float) -> None:
        """Put every character that moves freely so that its lowest point is at `height` [m]; flesh at rest shape, at rest."""
        if not (isinstance(height, (int, float)) and math.isfinite(height)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"cannot place anything at height {height!r}; expected a finite number [m]")
        self.set_state(lifted(self.model, self.q, self._tables.probes, float(height)), np.zeros(self.model.nv))
