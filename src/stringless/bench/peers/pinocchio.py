"""Pinocchio: `aba` and `computeABADerivatives`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench.peers import base
from stringless.model.model import Body, Model
from stringless.spatial.arrays import FloatArray

LARGEST = 300
"""Degrees of freedom. Its `Data` grows with their cube, 0.9 GB at 300; at 600 it is 7 GB and takes a minute to make."""
LINEAR_FIRST = (3, 4, 5, 0, 1, 2)
"""Its free joint moves with (linear, angular), ours with (angular, linear)."""


class PinocchioModel(base.PeerModel):
    """A model and its data. Coordinates differ in their order only."""

    def __init__(self, model: Model, *, differentiable: bool = False) -> None:
        """Add a joint, or a chain of joints, for each of ours, depth first as its derivatives want them.

        Its universal joint is faster than two hinges, but its derivatives of one are wrong: they leave out that the
        second axis moves with the first angle. `differentiable` asks for the two hinges.
        """
        pin = base.load("pinocchio")
        self.pin = pin
        self.model = pin.Model()
        self.model.gravity.linear = np.array(model.gravity)
        self._q_order: list[int] = []
        self._v_order: list[int] = []
        places: dict[int, tuple[int, Any]] = {-1: (0, pin.SE3.Identity())}
        for body in base.depth_first(model):
            joint, place = places[body.parent]
            place = place * pin.SE3(body.spec.place.matrix, np.asarray(body.spec.place.position, float))
            for number, kind in enumerate(joints_of(pin, body, differentiable=differentiable)):
                joint = self.model.addJoint(joint, kind, place, f"{body.joint.name}.{number}")
                place = pin.SE3.Identity()
            places[body.index] = (joint, place)
            inertia = pin.Inertia(body.mass, np.asarray(body.spec.center_of_mass, float), base.inertia_matrix(body))
            self.model.appendBodyToJoint(joint, inertia, place)
            self._order(body)
        self.model.armature = np.array(model.dofs["armature"])[self._v_order]
        self.data = self.model.createData()
        has_universal = any(joint.kind.name == "universal" for joint in model.joints)
        self.twin = self if differentiable or not has_universal else PinocchioModel(model, differentiable=True)

    def _order(self, body: Body) -> None:
        q, v = body.joint.q_slice, body.joint.v_slice
        self._q_order += range(q.start, q.stop)
        inside = LINEAR_FIRST if body.joint.kind.name == "free" else range(v.stop - v.start)
        self._v_order += (v.start + k for k in inside)

    def _arguments(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> tuple[Any, ...]:
        return self.model, self.data, q[self._q_order], v[self._v_order], tau[self._v_order]

    def forward_call(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Callable[[], Any]:
        """`aba` in its local convention, which is its faster one."""
        arguments, aba = self._arguments(q, v, tau), self.pin.aba
        return lambda: aba(*arguments)

    def forward(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        """Accelerations in our order."""
        vdot = np.empty(len(v))
        vdot[self._v_order] = self.forward_call(q, v, tau)()
        return vdot

    def derivatives_call(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> Callable[[], Any]:
        """`computeABADerivatives`."""
        arguments, differentiate = self.twin._arguments(q, v, tau), self.pin.computeABADerivatives
        return lambda: differentiate(*arguments)

    def derivatives(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> base.Derivatives:
        """Derivatives in our order."""
        self.derivatives_call(q, v, tau)()
        back = np.argsort(self._v_order)
        dq, dv, dtau = (np.array(getattr(self.twin.data, name)) for name in ("ddq_dq", "ddq_dv", "Minv"))
        # Some versions fill the upper half of the inverse mass matrix only.
        dtau = np.triu(dtau) + np.triu(dtau, 1).T
        at = np.ix_(back, back)
        return dq[at], dv[at], dtau[at]


def joints_of(pin: Any, body: Body, *, differentiable: bool) -> list[Any]:
    """The joint of `body` in its terms: one joint, or several one after the other."""
    axes = base.unit_axes(body)
    hinges = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ), pin.JointModelRevoluteUnaligned
    match body.joint.kind.name:
        case "fixed":
            return []
        case "universal" if axes[0] @ axes[1] == 0.0 and not differentiable:
            return [pin.JointModelUniversal(axes[0], axes[1])]
        case "revolute" | "universal":
            return [along(axis, *hinges) for axis in axes]
        case "prismatic":
            sliders = (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ)
            return [along(axes[0], sliders, pin.JointModelPrismaticUnaligned)]
        case "ball":
            return [pin.JointModelSpherical()]
        case "planar":
            # Its own planar joint keeps the angle as a cosine and a sine, and moves along body axes.
            return [pin.JointModelPX(), pin.JointModelPY(), pin.JointModelRZ()]
        case "translational":
            return [pin.JointModelTranslation()]
        case "free":
            return [pin.JointModelFreeFlyer()]
        case other:
            raise base.UnsupportedError(f"has no joint of type '{other}'")


def along(axis: FloatArray, aligned: tuple[Any, Any, Any], unaligned: Any) -> Any:
    """A hinge about an axis, or a slider along it: about or along a coordinate axis, the type made for it."""
    for direction, kind in zip(np.eye(3), aligned, strict=True):
        if np.array_equal(axis, direction):
            return kind()
    return unaligned(axis)


def refuse(model: Model) -> str:
    """Its memory grows with the cube of the degrees of freedom."""
    if model.nv <= LARGEST:
        return ""
    return f"{model.nv} degrees of freedom would take it about {34e-9 * model.nv**3:,.0f} GB"


PEER = base.Peer("pinocchio", "pin", "pinocchio", PinocchioModel, refuse)
