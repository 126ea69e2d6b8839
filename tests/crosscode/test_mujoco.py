"""Random trees written as MJCF against MuJoCo: bias, mass matrix, forward and inverse dynamics, passive joints."""

from __future__ import annotations

import numpy as np
import pytest

from checks import relative
from models import random_forest, random_motion
from stringless import dynamics, kinematics

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")

PEER = 1e-9
"""Relative. MuJoCo takes an inertia apart into principal axes and keeps about ten digits of it."""
KINDS = ("fixed", "revolute", "prismatic", "universal", "ball", "free")
"""A planar and a translational joint would be several slides in MJCF; the readers' tests have those."""
SEEDS = range(6)


def numbers(values):
    return " ".join(repr(float(x)) for x in values)


def mjcf(model):
    """The model as MJCF; a universal joint is two hinges, quaternions come w first."""
    children = {i: [] for i in range(-1, model.body_count)}
    for body in model.bodies:
        children[body.parent].append(body)

    def passive(joint, k):
        spec, at = joint.spec, 0 if joint.kind.name == "ball" else k
        value = {name: (getattr(spec, name) or (0.0,) * joint.nv)[at] for name in ("armature", "damping", "stiffness")}
        return " ".join(f'{name}="{number!r}"' for name, number in value.items())

    def joints(joint):
        kind, spec = joint.kind.name, joint.spec
        if kind == "free":
            return f'<joint name="{joint.name}" type="free"/>'
        if kind == "ball":
            return f'<joint name="{joint.name}" type="ball" {passive(joint, 0)}/>'
        type_ = "slide" if kind == "prismatic" else "hinge"
        rest = spec.rest or joint.kind.neutral
        return "".join(
            f'<joint name="{joint.name}_{k}" type="{type_}" axis="{numbers(axis)}" springref="{rest[k]!r}" {passive(joint, k)}/>'
            for k, axis in enumerate(spec.axes)
        )

    def write(body):
        spec = body.spec
        x, y, z, w = spec.place.rotation
        return (
            f'<body name="{spec.name}" pos="{numbers(spec.place.position)}" quat="{numbers((w, x, y, z))}">'
            f"{joints(body.joint)}"
            f'<inertial pos="{numbers(spec.center_of_mass)}" mass="{spec.mass!r}" fullinertia="{numbers(spec.inertia)}"/>'
            + "".join(write(child) for child in children[body.index])
            + "</body>"
        )

    bodies = "".join(write(body) for body in children[-1])
    return (
        f'<mujoco><compiler angle="radian" balanceinertia="false" autolimits="true"/>'
        f'<option gravity="{numbers(model.gravity)}" integrator="Euler"/><worldbody>{bodies}</worldbody></mujoco>'
    )


class Twin:
    """The same bodies in MuJoCo, and where its coordinates are."""

    def __init__(self, model):
        self.model = model
        self.m = mujoco.MjModel.from_xml_string(mjcf(model))
        self.d = mujoco.MjData(self.m)
        self.order = []
        for joint in model.joints:
            names = (
                [joint.name] if joint.kind.name in ("ball", "free") else [f"{joint.name}_{k}" for k in range(joint.nv)]
            )
            for name in names if joint.nv else []:
                start = self.m.joint(name).dofadr[0]
                count = joint.nv if joint.kind.name in ("ball", "free") else 1
                self.order.extend(range(start, start + count))
        assert sorted(self.order) == list(range(model.nv))

    def q(self, q):
        qpos = np.zeros(self.m.nq)
        for joint in self.model.joints:
            here = q[joint.q_slice]
            if joint.kind.name in ("ball", "free"):
                at = self.m.joint(joint.name).qposadr[0]
                qpos[at : at + joint.nq] = [*here[:-4], here[-1], *here[-4:-1]]
            else:
                for k in range(joint.nv):
                    qpos[self.m.joint(f"{joint.name}_{k}").qposadr[0]] = here[k]
        return qpos

    def G(self, q):
        """`qvel = G v`: MuJoCo's free joint has the linear velocity first and along world axes, of a root."""
        G = np.zeros((self.model.nv, self.model.nv))
        for joint in self.model.joints:
            rows = self.order[joint.v_slice]
            block = np.eye(joint.nv)
            if joint.kind.name == "free":
                R = kinematics.body_poses(self.model, q).rotation[joint.index]
                block = np.block([[np.zeros((3, 3)), R], [np.eye(3), np.zeros((3, 3))]])
            G[rows, joint.v_slice] = block
        return G

    def Gdot(self, q, v):
        G = np.zeros((self.model.nv, self.model.nv))
        for joint in self.model.joints:
            if joint.kind.name == "free":
                R = kinematics.body_poses(self.model, q).rotation[joint.index]
                w = v[joint.v_slice][:3]
                wx = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
                block = np.zeros((6, 6))
                block[:3, 3:] = R @ wx
                G[self.order[joint.v_slice], joint.v_slice] = block
        return G


def forest(seed, **options):
    """A forest whose free bodies are roots in an unturned place, as MJCF wants them."""
    import dataclasses

    from stringless.model import ModelBuilder, Pose

    model = random_forest(seed, bodies=12, kinds=KINDS, **options)
    builder = ModelBuilder(model.name, gravity=tuple(model.gravity))
    for spec in model.specs:
        if spec.joint.kind == "free":
            joint = dataclasses.replace(spec.joint, stiffness=(), damping=(), armature=(), rest=())
            spec = dataclasses.replace(spec, parent="", place=Pose(), joint=joint)
        elif spec.joint.kind == "ball" and spec.joint.damping:
            # MJCF gives a ball one number for all directions, and its spring no rest of its own.
            joint = dataclasses.replace(
                spec.joint, armature=spec.joint.armature[:1] * 3, damping=spec.joint.damping[:1] * 3, rest=()
            )
            spec = dataclasses.replace(spec, joint=joint)
        builder.add(spec)
    return builder.build()


@pytest.fixture(params=SEEDS)
def case(request):
    model = forest(request.param, springs=True, dampers=True, armature=True)
    twin, m = Twin(model), random_motion(model, request.param)
    twin.d.qpos[:] = twin.q(m.q)
    twin.d.qvel[:] = twin.G(m.q) @ m.v
    mujoco.mj_forward(twin.m, twin.d)
    return model, twin, m


def test_model_is_the_same(case):
    model, twin, _ = case
    assert twin.m.nv == model.nv
    assert twin.m.body_mass.sum() == pytest.approx(model.mass, rel=1e-12)


def test_poses_are_mujocos(case):
    model, twin, m = case
    poses = kinematics.body_poses(model, m.q)
    for body in model.bodies:
        i = twin.m.body(body.name).id
        np.testing.assert_allclose(poses.rotation[body.index], twin.d.xmat[i].reshape(3, 3), atol=1e-12)
        np.testing.assert_allclose(poses.position[body.index], twin.d.xpos[i], atol=1e-12)


def test_mass_matrix_is_mujocos(case):
    model, twin, m = case
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(twin.m, twin.d, M)
    G, zero = twin.G(m.q), np.zeros(model.nv)
    nothing = dynamics.inverse(model, m.q, zero, zero)
    ours = np.stack([dynamics.inverse(model, m.q, zero, e) - nothing for e in np.eye(model.nv)], axis=1)
    assert relative(ours, G.T @ M @ G) < PEER


def test_passive_efforts_are_mujocos(case):
    model, twin, m = case
    assert np.linalg.norm(twin.d.qfrc_passive) > 0.1
    assert relative(dynamics.passive(model, m.q, m.v), twin.G(m.q).T @ twin.d.qfrc_passive) < PEER


def test_forward_dynamics_is_mujocos(case):
    model, twin, m = case
    G = twin.G(m.q)
    twin.d.qfrc_applied[:] = np.linalg.solve(G.T, m.tau)
    mujoco.mj_forward(twin.m, twin.d)
    expected = np.linalg.solve(G, twin.d.qacc - twin.Gdot(m.q, m.v) @ m.v)
    assert relative(dynamics.forward(model, m.q, m.v, m.tau), expected) < PEER


def test_inverse_dynamics_is_mujocos(case):
    model, twin, m = case
    G = twin.G(m.q)
    twin.d.qacc[:] = G @ m.vdot + twin.Gdot(m.q, m.v) @ m.v
    mujoco.mj_inverse(twin.m, twin.d)
    assert relative(dynamics.inverse(model, m.q, m.v, m.vdot), G.T @ twin.d.qfrc_inverse) < PEER


def test_centre_of_gravity_is_mujocos(case):
    model, twin, m = case
    np.testing.assert_allclose(kinematics.center_of_gravity(model, m.q).position, twin.d.subtree_com[0], atol=1e-10)
