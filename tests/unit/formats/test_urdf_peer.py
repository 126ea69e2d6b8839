"""Every robot of a public collection against what Pinocchio makes of it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from stringless.errors import ModelError
from stringless.formats import read_urdf

pinocchio = pytest.importorskip("pinocchio")

Z_TO_Y = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
FOLDER = Path(pinocchio.__file__).parents[4] / "share" / "example-robot-data" / "robots"
ROBOTS = sorted(FOLDER.rglob("*.urdf")) if FOLDER.is_dir() else []
EMPTY = "ur3.urdf"
"""A file of the collection that holds no link."""
MASSLESS = ("romeo.urdf", "romeo_laas_small.urdf")
"""Robots with driven joints that move no mass."""


def test_collection_is_there():
    if not ROBOTS:
        pytest.skip("example-robot-data is not installed")
    assert len(ROBOTS) > 50


def peer_configuration(model, peer, q):
    """Put our joint values where Pinocchio has them; it orders by name and writes an endless turn as a point."""
    peer_q = pinocchio.neutral(peer)
    for joint in model.joints:
        if not joint.nv or not peer.existJointName(joint.name):
            continue
        there = peer.joints[peer.getJointId(joint.name)]
        if there.nq == there.nv:
            peer_q[there.idx_q] = q[joint.q_slice][0]
        else:
            angle = q[joint.q_slice][0]
            peer_q[there.idx_q : there.idx_q + 2] = np.cos(angle), np.sin(angle)
    return peer_q


@pytest.mark.parametrize("path", [p for p in ROBOTS if p.name != EMPTY], ids=lambda path: path.stem)
def test_robot_is_what_pinocchio_reads(path, poses):
    scene = read_urdf(path, mend=path.name in MASSLESS)
    model, peer = scene.model, pinocchio.buildModelFromUrdf(str(path))
    assert model.nv == peer.nv
    assert sum(joint.nv > 0 for joint in model.joints) == peer.njoints - 1
    assert {joint.name for joint in model.joints if joint.nv} == set(peer.names) - {"universe"}
    assert model.mass == pytest.approx(sum(inertia.mass for inertia in peer.inertias), rel=1e-12)

    q = model.random(1)
    data = peer.createData()
    pinocchio.framesForwardKinematics(peer, data, peer_configuration(model, peer, q))
    found = poses(model, q)
    compared = 0
    for k, frame in enumerate(peer.frames):
        if frame.type != pinocchio.FrameType.BODY or frame.name not in found:
            continue
        compared += 1
        R, p = found[frame.name]
        np.testing.assert_allclose(R, Z_TO_Y @ data.oMf[k].rotation, atol=1e-10, err_msg=frame.name)
        np.testing.assert_allclose(p, Z_TO_Y @ data.oMf[k].translation, atol=1e-10, err_msg=frame.name)
    assert compared == model.body_count


@pytest.mark.parametrize("path", [p for p in ROBOTS if p.name in ("go1.urdf", "iris.urdf")], ids=lambda p: p.stem)
def test_floating_robot_has_six_more_coordinates(path):
    fixed, floating = read_urdf(path).model, read_urdf(path, floating=True).model
    assert floating.nv == fixed.nv + 6
    assert floating.joints[0].kind.name == "free"
    assert not floating.joints[0].spec.actuated


@pytest.mark.parametrize("path", [p for p in ROBOTS if p.name == "talos_reduced.urdf"], ids=lambda p: p.stem)
def test_limits_efforts_and_inertias_are_pinocchios(path):
    model, peer = read_urdf(path).model, pinocchio.buildModelFromUrdf(str(path))
    checked = 0
    for joint in model.joints:
        if not joint.nv:
            continue
        there = peer.joints[peer.getJointId(joint.name)]
        assert joint.spec.lower == (peer.lowerPositionLimit[there.idx_q],)
        assert joint.spec.upper == (peer.upperPositionLimit[there.idx_q],)
        assert joint.spec.effort == (peer.effortLimit[there.idx_v],)
        checked += 1
    assert checked == peer.nv
    # A composite of bodies welded together hides single inertias; the joint-space inertia does not.
    M = pinocchio.crba(peer, peer.createData(), pinocchio.neutral(peer))
    ours = {joint.name: model.dofs["inertia"][joint.v_slice.start] for joint in model.joints if joint.nv}
    for name, value in ours.items():
        k = peer.joints[peer.getJointId(name)].idx_v
        assert value == pytest.approx(M[k, k], rel=1e-9)


@pytest.mark.parametrize("path", [p for p in ROBOTS if p.name == EMPTY], ids=lambda p: p.stem)
def test_file_without_links_is_refused(path):
    with pytest.raises(ModelError, match="no link"):
        read_urdf(path)


@pytest.mark.parametrize("path", [p for p in ROBOTS if p.name == "go1.urdf"], ids=lambda p: p.stem)
def test_impossible_moments_of_a_robot_are_kept_or_mended(path):
    """Its base has a moment larger than the sum of the other two."""
    kept, mended = read_urdf(path), read_urdf(path, mend=True)
    for scene in (kept, mended):
        warnings = [w for w in scene.warnings if "no real body" in w.found]
        assert len(warnings) == 1
        assert re.search(r"link 'base'", warnings[0].where)
    assert kept.model.body("base").spec.trust_inertia
    assert mended.model.body("base").spec.inertia != kept.model.body("base").spec.inertia


@pytest.mark.parametrize("path", [p for p in ROBOTS if p.name in MASSLESS], ids=lambda p: p.stem)
def test_massless_driven_joints_of_a_robot_are_refused_unless_mended(path):
    with pytest.raises(ModelError, match="no mass on it or on anything it carries"):
        read_urdf(path)
    assert read_urdf(path, mend=True).model.nv > 0
