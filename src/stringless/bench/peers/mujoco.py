"""MuJoCo: `mj_forward` with everything switched off that a skeleton in the air does not need.

For implicit steps the same skeleton with springs, dampers and limits, one `mj_step` for one of ours. `implicit` takes
forces at the end of the step as far as they depend on velocities, gyroscopic ones included; `implicitfast` leaves those out
and factors a symmetric matrix. Springs are explicit in both. Limits are its own, soft constraints with its default settings.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench.peers import base
from stringless.model.model import Body, Model
from stringless.model.pose import Pose, Vector, quaternion_from_matrix, rotation_matrix
from stringless.model.scene import Scene
from stringless.spatial.arrays import FloatArray

LARGEST = 1000
"""Degrees of freedom. It factors the mass matrix: on a chain, time grows with their cube, 46 ms a call at 1000."""
MEMORY = 200
"""Bytes that it may take for the square of every degree of freedom: more than its own guess, which is too little."""
LEAST_MEMORY = 1 << 26
LOST = ("BADQPOS", "BADQVEL", "BADQACC")
"""Warnings after which it puts its state back to the start."""


class MujocoModel(base.PeerModel):
    """A model and its data.

    Its quaternions begin with w, and its free bodies move along world axes while ours move along their own.
    """

    switched_off = ("CONSTRAINT", "CONTACT", "SENSOR", "ACTUATION", "SPRING", "DAMPER")

    def __init__(self, model: Model) -> None:
        """Add a body with one or more joints for each of ours."""
        mujoco = base.load("mujoco")
        self.mujoco = mujoco
        self.bodies = model.bodies
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        bodies: dict[int, Any] = {-1: spec.worldbody}
        for body in model.bodies:
            bodies[body.index] = self._add(body, bodies[body.parent])
        self._furnish(spec, bodies)
        self.model = spec.compile()
        self.model.opt.gravity[:] = model.gravity
        for name in self.switched_off:
            self.model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
        self.data = mujoco.MjData(self.model)
        # It numbers bodies depth first; ask it where each joint went.
        first = [self.model.body(body.name).jntadr[0] for body in self.bodies]
        self._q_first = [int(self.model.jnt_qposadr[j]) if j >= 0 else 0 for j in first]
        self._v_first = [int(self.model.jnt_dofadr[j]) if j >= 0 else 0 for j in first]

    def _add(self, body: Body, parent: Any) -> Any:
        place = body.spec.place
        added = parent.add_body(name=body.name, pos=place.position, quat=np.roll(place.rotation, 1))
        added.mass, added.ipos, inertia = self._inertial(body)
        moments, axes = np.linalg.eigh(inertia)
        axes = axes * np.sign(np.linalg.det(axes))
        added.inertia = moments
        added.iquat = np.roll(quaternion_from_matrix(axes), 1)
        added.explicitinertial = True
        armature = base.of_each(body.joint.spec.armature, body.joint.nv)
        for number, (kind, axis) in enumerate(self._joints(body)):
            joint = added.add_joint(name=f"{body.joint.name}.{number}", type=kind, axis=axis)
            joint.armature = armature[number]
        return added

    def _inertial(self, body: Body) -> tuple[float, Vector, FloatArray]:
        """Mass, centre of mass, and inertia about it."""
        return body.mass, body.spec.center_of_mass, base.inertia_matrix(body)

    def _furnish(self, spec: Any, bodies: dict[int, Any]) -> None:
        """Add what is more than a skeleton; nothing here."""

    def _joints(self, body: Body) -> list[tuple[Any, FloatArray]]:
        kinds = self.mujoco.mjtJoint
        hinge, slide = kinds.mjJNT_HINGE, kinds.mjJNT_SLIDE
        x, y, z = np.eye(3)
        axes = base.unit_axes(body)
        match body.joint.kind.name:
            case "fixed":
                return []
            case "revolute" | "universal":
                return [(hinge, axis) for axis in axes]
            case "prismatic":
                return [(slide, axes[0])]
            case "ball":
                return [(kinds.mjJNT_BALL, z)]
            case "planar":
                return [(slide, x), (slide, y), (hinge, z)]
            case "translational":
                return [(slide, x), (slide, y), (slide, z)]
            case "free" if body.parent < 0:
                return [(kinds.mjJNT_FREE, z)]
            case other:
                raise base.UnsupportedError(f"has no joint of type '{other}' below another body")

    def _state(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Ours in its coordinates."""
        qpos, qvel, force = np.zeros(self.model.nq), np.zeros(self.model.nv), np.zeros(self.model.nv)
        for body, q0, v0 in zip(self.bodies, self._q_first, self._v_first, strict=True):
            part, u, f = q[body.joint.q_slice], v[body.joint.v_slice], tau[body.joint.v_slice]
            if body.joint.kind.name == "ball":
                part = np.roll(part, 1)
            elif body.joint.kind.name == "free":
                pose = world_pose(body, part)
                part = np.concatenate([pose.position, np.roll(pose.rotation, 1)])
                u = np.concatenate([pose.matrix @ u[3:], u[:3]])
                f = np.concatenate([pose.matrix @ f[3:], f[:3]])
            qpos[q0 : q0 + len(part)] = part
            qvel[v0 : v0 + len(u)], force[v0 : v0 + len(u)] = u, f
        return qpos, qvel, force

    def step(self, count: int) -> None:
        """Advance by `count` steps."""
        self.mujoco.mj_step(self.model, self.data, count)

    def mark(self) -> Callable[[], object]:
        """A way back to where it is now."""
        mujoco, model, data = self.mujoco, self.model, self.data
        everything = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        state = np.empty(mujoco.mj_stateSize(model, everything))
        mujoco.mj_getState(model, data, state, everything)
        return lambda: mujoco.mj_setState(model, data, state, everything)

    def forward_call(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Callable[[], Any]:
        """Set positions, velocities and applied forces, call `mj_forward`, take the accelerations."""
        qpos, qvel, force = self._state(q, v, tau)
        model, data, forward = self.model, self.data, self.mujoco.mj_forward
        qpos_out, qvel_out, force_out, qacc = data.qpos, data.qvel, data.qfrc_applied, data.qacc

        def call() -> Any:
            qpos_out[:] = qpos
            qvel_out[:] = qvel
            force_out[:] = force
            forward(model, data)
            return qacc.copy()

        return call

    def forward(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        """Accelerations in our coordinates: of a free body, `vdot = Rᵀ a - w x v`."""
        qacc = self.forward_call(q, v, tau)()
        vdot = np.empty(len(v))
        for body, v0 in zip(self.bodies, self._v_first, strict=True):
            part = qacc[v0 : v0 + body.joint.nv]
            if body.joint.kind.name == "free":
                R, u = world_pose(body, q[body.joint.q_slice]).matrix, v[body.joint.v_slice]
                part = np.concatenate([part[3:], R.T @ part[:3] - np.cross(u[:3], u[3:])])
            vdot[body.joint.v_slice] = part
        return vdot


def world_pose(body: Body, q: FloatArray) -> Pose:
    """Pose in the world of a free body that hangs from the ground."""
    joint = Pose.from_matrix(rotation_matrix(tuple(q[3:])), tuple(q[:3]))
    return body.spec.place @ joint


class ImplicitModel(MujocoModel, base.StiffPeer):
    """A scene without flesh: its model, its data."""

    switched_off = ("CONTACT", "SENSOR", "ACTUATION", "AUTORESET")

    def __init__(self, scene: Scene, dt: float, integrator: str) -> None:
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
            raise base.UnsupportedError("has no limits of swing and twist")
        stiffness, damping = base.of_each(spec.stiffness, nv), base.of_each(spec.damping, nv)
        for k, joint in enumerate(added.joints):
            joint.stiffness, joint.damping = (stiffness[k], 0.0, 0.0), (damping[k], 0.0, 0.0)
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

    def begin(self, q: FloatArray, v: FloatArray) -> Callable[[], object]:
        """Begin at a state of ours; the answer goes back there."""
        self.mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:], _ = self._state(q, v, np.zeros(len(v)))
        return self.mark()

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


def make(model: Model) -> MujocoModel:
    """Rebuild `model`."""
    for joint in model.joints:
        armature = model.dofs["armature"][joint.v_slice]
        uneven = joint.kind.name == "ball" and np.ptp(armature) > 0
        if uneven or (joint.kind.name == "free" and np.any(armature)):
            raise base.UnsupportedError(
                f"has one armature for a joint, along its own axes; {joint.kind.name} '{joint.name}' differs"
            )
    return MujocoModel(model)


def refuse(model: Model) -> str:
    """It factors the mass matrix, which of a chain is full."""
    if model.nv <= LARGEST:
        return ""
    return f"{model.nv} degrees of freedom would take it about {0.046 * (model.nv / 1000) ** 3:,.0f} s a call"


PEER = base.Peer("mujoco", "mujoco", "mujoco", make, refuse)
