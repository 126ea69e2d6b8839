"""The public robots of `example-robot-data`: forward, inverse and hybrid dynamics against Pinocchio, fixed and floating."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from checks import relative
from naive.kinematics import ancestors, poses
from stringless import dynamics
from stringless.formats import read_urdf

pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")

from crosscode.pinocchio_twin import inertia  # noqa: E402

FOLDER = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
EMPTY = "ur3.urdf"
"""A file of the collection that holds no link."""
ROBOTS = sorted(path for path in FOLDER.rglob("*.urdf") if path.name != EMPTY) if FOLDER.is_dir() else []
MASSLESS = ("romeo.urdf", "romeo_laas_small.urdf")
"""Robots with driven joints that move no mass: refused unless mended, which the peer then gets too."""
PEER = 1e-9
"""Relative; real robots have links a million times lighter than their trunk."""
WORLD = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Z-up of the files into Y-up of ours."""

pytestmark = pytest.mark.skipif(not ROBOTS, reason="example-robot-data is not installed")


class Robot:
    """A file read by both, and the way between their coordinates."""

    def __init__(self, path: Path, floating: bool) -> None:
        self.model = read_urdf(path, floating=floating, mend=path.name in MASSLESS).model
        root = (pin.JointModelFreeFlyer(),) if floating else ()
        self.peer = pin.buildModelFromUrdf(str(path), *root)
        self.data = self.peer.createData()
        assert self.peer.nv == self.model.nv
        self.rows = np.zeros(self.model.nv, dtype=int)
        for joint in self.model.joints:
            if not joint.nv:
                continue
            there = self.peer.joints[self.id_of(joint)]
            rows = np.arange(there.idx_v, there.idx_v + joint.nv)
            self.rows[joint.v_slice] = np.roll(rows, 3) if joint.kind.name == "free" else rows
        assert sorted(self.rows) == list(range(self.model.nv))
        if path.name in MASSLESS:
            self.peer.armature = self.vector(self.model.dofs["armature"])
            self.take_inertias()

    def id_of(self, joint) -> int:
        return 1 if joint.kind.name == "free" else self.peer.getJointId(joint.name)

    def take_inertias(self) -> None:
        """Give the peer our bodies, those without a joint of their own welded to the one that carries them."""
        T = poses(self.model, self.model.neutral())
        sums = [pin.Inertia.Zero() for _ in range(self.peer.njoints)]
        for body in self.model.bodies:
            carrier = next((i for i in ancestors(self.model, body.index) if self.model.joints[i].nv), None)
            if carrier is not None:
                X = np.linalg.inv(T[carrier]) @ T[body.index]
                sums[self.id_of(self.model.joints[carrier])] += pin.SE3(X[:3, :3], X[:3, 3]).act(inertia(body.spec))
        for k in range(1, self.peer.njoints):
            self.peer.inertias[k] = sums[k]

    def q(self, q: np.ndarray) -> np.ndarray:
        out = pin.neutral(self.peer)
        for joint in self.model.joints:
            if not joint.nv:
                continue
            there, here = self.peer.joints[self.id_of(joint)], q[joint.q_slice]
            if joint.kind.name == "free":
                # Ours is the pose in the joint's place, which turns the file's world upright.
                place = self.model.body(joint.body).spec.place
                R, p = place.matrix, np.asarray(place.position)
                X = pin.SE3(pin.Quaternion(here[3:]).matrix(), here[:3])
                world = pin.SE3(WORLD.T @ R @ X.rotation, WORLD.T @ (p + R @ X.translation))
                out[there.idx_q : there.idx_q + 7] = pin.SE3ToXYZQUAT(world)
            elif there.nq == 2 and joint.nv == 1:
                out[there.idx_q : there.idx_q + 2] = np.cos(here[0]), np.sin(here[0])
            else:
                out[there.idx_q] = here[0]
        return out

    def vector(self, values: np.ndarray) -> np.ndarray:
        out = np.zeros(self.model.nv)
        out[self.rows] = values
        return out

    def motion(self, seed: int):
        rng = np.random.default_rng(seed)
        q = self.model.random(rng)
        return q, *(rng.normal(size=self.model.nv) for _ in range(3))


@pytest.fixture(
    scope="module", params=[(p, f) for p in ROBOTS for f in (False, True)], ids=lambda c: f"{c[0].stem}-{c[1]}"
)
def robot(request):
    return Robot(*request.param)


def without_passive(robot, q, v):
    """Springs and dampers of the file: Pinocchio's algorithms leave them out."""
    return dynamics.passive(robot.model, q, v)


def test_inverse_dynamics_is_pinocchios(robot):
    q, v, vdot, _ = robot.motion(1)
    found = dynamics.inverse(robot.model, q, v, vdot) + without_passive(robot, q, v)
    expected = pin.rnea(robot.peer, robot.data, robot.q(q), robot.vector(v), robot.vector(vdot))[robot.rows]
    assert relative(found, expected) < PEER


def test_forward_dynamics_is_pinocchios(robot):
    q, v, _, tau = robot.motion(2)
    found = dynamics.forward(robot.model, q, v, tau - without_passive(robot, q, v))
    expected = pin.aba(robot.peer, robot.data, robot.q(q), robot.vector(v), robot.vector(tau))[robot.rows]
    assert relative(found, expected) < PEER


def test_hybrid_dynamics_is_the_partition_of_pinocchios_matrix_and_bias(robot):
    q, v, vdot, tau = robot.motion(3)
    M = np.array(pin.crba(robot.peer, robot.data, robot.q(q)))
    M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(robot.rows, robot.rows)]
    bias = np.array(pin.nonLinearEffects(robot.peer, robot.data, robot.q(q), robot.vector(v)))[robot.rows]
    bias = bias - without_passive(robot, q, v)
    given = np.random.default_rng(4).random(robot.model.nv) < 0.5
    P, N = np.flatnonzero(given), np.flatnonzero(~given)
    a, t = vdot.copy(), tau.copy()
    if len(N):
        a[N] = np.linalg.solve(M[np.ix_(N, N)], tau[N] - bias[N] - M[np.ix_(N, P)] @ vdot[P])
    t[P] = (M @ a + bias)[P]
    found = dynamics.hybrid(robot.model, q, v, prescribed=given, vdot=vdot, tau=tau)
    assert relative(found[0], a) < PEER
    assert relative(found[1], t) < PEER


def test_collection_is_there():
    assert len(ROBOTS) > 50
