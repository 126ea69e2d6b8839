"""MuJoCo's flex: the same cage, bones and material, each free node a body with three slides under its bone.

Its solid is St. Venant-Kirchhoff without our continuation beyond the range of strain. What touches is the cage, not the
skin. Integration is explicit Euler, as ours; contact is its own, with its own settings.
"""

import warnings
from typing import Any

import numpy as np

from stringless.bench.peers import base
from stringless.bench.peers.mujoco import MujocoModel
from stringless.model.model import Body
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.spatial.arrays import FloatArray

GEOMS = ("plane", "box", "sphere", "capsule", "cylinder", "ellipsoid")
STIFFNESS = 24
"""Numbers of stiffness that it keeps for an element."""
ROUNDING = 1e-9
RADIUS = 1e-3
"""Of the spheres that its nodes touch with [m]."""


class FlexModel(MujocoModel):
    """A scene with flesh: its model, data and state at the start."""

    switched_off = ("SENSOR", "ACTUATION", "EULERDAMP")

    def __init__(self, scene: Scene, dt: float = 1e-3, friction: float = 0.8) -> None:
        model = scene.model
        if model.flesh is None or len(model.flesh.specs) != 1 or model.flesh.specs[0].material != "stvk":
            raise base.UnsupportedError("is compared on one body of flesh of material 'stvk'")
        self.ours, self.flesh, self.friction = model, model.flesh, friction
        with warnings.catch_warnings():
            # It looks for springs along edges only, and says of a solid that nothing holds it together.
            warnings.filterwarnings("ignore", message="flex .* is not rigid and has no equality constraints")
            super().__init__(model)
        self.model.opt.timestep = dt
        self.model.opt.integrator = self.mujoco.mjtIntegrator.mjINT_EULER
        self._node_first = np.array([int(self.model.body(f"node_{i}").dofadr[0]) for i in self._free])
        # What its compiler does not take: dampers of nodes, and elements that are not full.
        for first, node in zip(self._node_first, self._free, strict=True):
            self.model.dof_damping[first : first + 3] = self.flesh.nodes[node]["damping"]
        table = self.model.flex_stiffness.reshape(len(self.flesh.elements), STIFFNESS)
        table *= self.flesh.specs[0].filled[:, None]
        self.data.qpos[:] = self._state(scene.q, np.zeros(model.nv), np.zeros(model.nv))[0]
        self.data.qvel[:] = self._state(scene.q, scene.v, np.zeros(model.nv))[1]

    @property
    def _free(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.flesh.nodes["fixed"] == 0)]

    def _inertial(self, body: Body) -> tuple[float, Vector, FloatArray]:
        """With the masses of the nodes that are fixed to the bone."""
        row = self.ours.tree[body.index]
        m = float(row["mass"])
        c = row["h"] / m
        xx, yy, zz, xy, xz, yz = row["I_o"]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - m * (c @ c * np.eye(3) - np.outer(c, c))
        # Nodes in a plane: rounding would break A + B >= C, on which it insists.
        return m, tuple(float(x) for x in c), inertia + ROUNDING * np.trace(inertia) * np.eye(3)

    # --- building ---

    def _furnish(self, spec: Any, bodies: dict[int, Any]) -> None:
        """Springs and dampers of joints, solids, nodes and elements."""
        roots = {int(self.ours.tree[int(bone)]["root"]) for bone in self.flesh.nodes["bone"] if bone >= 0}
        for body in self.ours.bodies:
            self._make_passive(body, bodies[body.index])
            if int(self.ours.tree[body.index]["root"]) not in roots:
                self._add_solids(bodies[body.index], body.shapes)
        self._add_solids(spec.worldbody, self.ours.world_shapes)
        self._add_flex(spec, bodies)

    def _make_passive(self, body: Body, added: Any) -> None:
        joint = body.joint.spec
        for name in ("stiffness", "damping"):
            for value, made in zip(base.of_each(getattr(joint, name), body.joint.nv), added.joints, strict=False):
                setattr(made, name, (value, 0.0, 0.0))
        if joint.rest and body.joint.kind.name in ("revolute", "universal", "prismatic"):
            for made, rest in zip(added.joints, joint.rest, strict=True):
                made.springref = rest

    def _add_solids(self, body: Any, shapes: tuple[Shape, ...] | list[Shape]) -> None:
        for shape in shapes:
            if shape.kind not in GEOMS:
                raise base.UnsupportedError(f"is compared without solids of kind '{shape.kind}'")
            size = (0.0, 0.0, 1.0) if shape.kind == "plane" else (*shape.size, 0.0, 0.0)[:3]
            kind = getattr(self.mujoco.mjtGeom, f"mjGEOM_{shape.kind.upper()}")
            place = shape.place
            body.add_geom(
                type=kind,
                size=size,
                pos=place.position,
                quat=np.roll(place.rotation, 1),
                friction=(self.friction, 0, 0),
            )

    def _add_flex(self, spec: Any, bodies: dict[int, Any]) -> None:
        names: list[str] = []
        for i, node in enumerate(self.flesh.nodes):
            body = bodies[int(node["bone"])].add_body(name=f"node_{i}", pos=node["r"])
            body.explicitinertial = True
            # It does not turn; and one that is fixed has given its mass to the bone.
            body.mass, body.inertia = (0.0, np.zeros(3)) if node["fixed"] else (node["mass"], 1e-6 * np.ones(3))
            for axis in () if node["fixed"] else np.eye(3):
                body.add_joint(type=self.mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
            names.append(body.name)
        flex = spec.add_flex()
        flex.name, flex.dim, flex.radius = "flesh", 3, RADIUS
        flex.young, flex.poisson = self.flesh.specs[0].young, self.flesh.specs[0].poisson
        flex.vertbody, flex.elem = names, self.flesh.elements["n"].ravel().tolist()
        flex.selfcollide = self.mujoco.mjtFlexSelf.mjFLEXSELF_NONE
        flex.condim, flex.friction = 3, (self.friction, 0.0, 0.0)

    # --- running ---

    @property
    def touching(self) -> int:
        """Contacts of the last step."""
        return int(self.data.ncon)

    @property
    def sound(self) -> bool:
        """Whether it has run without losing the state, which it would have put back to the start."""
        return not any(warning.number for warning in self.data.warning)

    def elastic_forces(self, moved: FloatArray) -> FloatArray:
        """Forces on the free nodes, in the world, moved by `moved` (k, 3) from where their bones hold them."""
        back = self.mark()
        self.mujoco.mj_kinematics(self.model, self.data)
        for node, shift in zip(self._free, moved, strict=True):
            at = int(self.model.body(f"node_{node}").jntadr[0])
            self.data.qpos[self.model.jnt_qposadr[at] :][:3] = self._axes(node).T @ shift
        self.data.qvel[:] = 0.0
        self.mujoco.mj_forward(self.model, self.data)
        passive = self.data.qfrc_passive
        force = [self._axes(node) @ passive[f : f + 3] for f, node in zip(self._node_first, self._free, strict=True)]
        back()
        return np.array(force)

    def _axes(self, node: int) -> FloatArray:
        """Axes of a node's slides, those of its bone, as columns."""
        return self.data.body(f"node_{node}").xmat.reshape(3, 3).copy()
