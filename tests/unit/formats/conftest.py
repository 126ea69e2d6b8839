"""What the tests of the readers share: slow, obvious forward kinematics, and comparison with MuJoCo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from stringless.model import Model, Pose, Scene

ROUND_OFF = 1e-12
"""Metres, kilograms and rotation matrices of order 1, after some ten products."""
Z_TO_Y = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
"""Rotation of a Z-up world into our Y-up one."""


def joint_motion(kind: str, axes: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and position of a joint's moving frame."""
    R, p = np.eye(3), np.zeros(3)
    if kind == "revolute":
        R = Rotation.from_rotvec(q[0] * axes[0]).as_matrix()
    elif kind == "prismatic":
        p = q[0] * axes[0]
    elif kind == "universal":
        R = (Rotation.from_rotvec(q[0] * axes[0]) * Rotation.from_rotvec(q[1] * axes[1])).as_matrix()
    elif kind == "ball":
        R = Rotation.from_quat(q).as_matrix()
    elif kind == "planar":
        R, p = Rotation.from_rotvec([0, 0, q[2]]).as_matrix(), np.array([q[0], q[1], 0.0])
    elif kind == "translational":
        p = np.asarray(q)
    elif kind == "free":
        R, p = Rotation.from_quat(q[3:]).as_matrix(), q[:3]
    return R, p


def slow_poses(model: Model, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Rotation and position in the world of the frame that the file gives each body."""
    ours: dict[str, tuple[np.ndarray, np.ndarray]] = {"": (np.eye(3), np.zeros(3))}
    files = {}
    for body in model.bodies:
        R, p = ours[body.spec.parent]
        place, frame = body.spec.place, body.spec.frame
        R, p = R @ place.matrix, p + R @ np.asarray(place.position)
        axes = np.array([np.asarray(axis) / np.linalg.norm(axis) for axis in body.joint.spec.axes])
        R_J, p_J = joint_motion(body.joint.kind.name, axes, q[body.joint.q_slice])
        ours[body.name] = (R @ R_J, p + R @ p_J)
        R, p = ours[body.name]
        files[body.name] = (R @ frame.matrix, p + R @ np.asarray(frame.position))
    return files


def mujoco_configuration(model: Model, q: np.ndarray) -> np.ndarray:
    """Our q as MuJoCo writes it: quaternions w first."""
    q = q.copy()
    for joint in model.joints:
        if not joint.kind.is_vector:
            part = q[joint.q_slice]
            part[-4:] = np.roll(part[-4:], 1)
    return q


def assert_matches_mujoco(scene: Scene, xml_model: object, seed: int = 0) -> None:
    """Compare masses, centres of mass, inertias, gravity and the poses of all bodies at random configurations."""
    mujoco = pytest.importorskip("mujoco")
    model, m = scene.model, xml_model
    data = mujoco.MjData(m)
    assert model.nv == m.nv
    np.testing.assert_allclose(mujoco_configuration(model, scene.q), m.qpos0, atol=ROUND_OFF)
    np.testing.assert_allclose(model.gravity, Z_TO_Y @ m.opt.gravity, atol=0)
    names = [m.body(i).name for i in range(1, m.nbody)]
    for i, name in enumerate(names, start=1):
        _assert_same_mass(model.body(name or i - 1).spec, m, i)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        q = model.random(rng)
        data.qpos[:] = mujoco_configuration(model, q)
        mujoco.mj_kinematics(m, data)
        poses = slow_poses(model, q)
        for i, name in enumerate(names, start=1):
            R, p = poses[name]
            np.testing.assert_allclose(R, Z_TO_Y @ data.xmat[i].reshape(3, 3), atol=ROUND_OFF, err_msg=name)
            np.testing.assert_allclose(p, Z_TO_Y @ data.xpos[i], atol=ROUND_OFF, err_msg=name)


def _assert_same_mass(spec: object, m: object, i: int) -> None:
    np.testing.assert_allclose(spec.mass, m.body_mass[i], rtol=1e-12)
    back = spec.frame.inverse()
    if spec.mass == 0:
        return
    np.testing.assert_allclose(back.apply(spec.center_of_mass), m.body_ipos[i], atol=ROUND_OFF)
    w, x, y, z = m.body_iquat[i]
    axes = Pose(rotation=(x, y, z, w)).matrix
    xx, yy, zz, xy, xz, yz = spec.inertia
    ours = back.matrix @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ back.matrix.T
    # MuJoCo diagonalises by Jacobi turns, which stop at a relative 1e-9 or so.
    scale = np.max(np.abs(m.body_inertia[i]))
    np.testing.assert_allclose(ours, axes @ np.diag(m.body_inertia[i]) @ axes.T, atol=1e-8 * scale)


@pytest.fixture
def poses() -> Callable[[Model, np.ndarray], dict[str, tuple[np.ndarray, np.ndarray]]]:
    """World poses of the frames that the file gives its bodies."""
    return slow_poses


@pytest.fixture
def matches_mujoco() -> Callable[..., None]:
    """Assert that a scene equals what MuJoCo compiles."""
    return assert_matches_mujoco


@pytest.fixture
def compiled() -> Callable[[str], object]:
    """Compile an MJCF text with MuJoCo."""
    mujoco = pytest.importorskip("mujoco")
    return mujoco.MjModel.from_xml_string
