"""Grips and releases: the laws of the impulse, re-rooting, and derivatives against differences."""

import numpy as np
import pytest

from checks import derivative
from fliers import KINDS, flier
from models import random_motion
from stringless import dynamics, kinematics
from stringless.editing.bodies import observe_bodies
from stringless.editing.configurations import make_free, make_gripped, make_original, reverse_joint
from stringless.editing.transitions import TreeState, apply_bounce, enter_configuration
from stringless.errors import InputError
from stringless.model import JointSpec, ModelBuilder

POINT = np.array([0.1, 0.2, -0.3])
AXIS = (1.0, 2.0, 3.0)
EXACT = 1e-11
"""Two ways to the same numbers, through a solve with a mass matrix of condition up to 1e3."""
PRECISION = 1e-8
"""Of fourth-order differences of numbers of order ten."""


def moment(model, q, v):
    one, zero = np.eye(model.nv), np.zeros((model.nv, model.nv))
    dq, dv = np.hstack([one, zero]), np.hstack([zero, one])
    return TreeState(model.tree, q, v, dq, dv, np.zeros((6, 2 * model.nv)))


def look(configuration, m):
    return observe_bodies(configuration, m)


def pass_through(model, configurations, q, v):
    """Bodies before, and after each of the configurations."""
    m, at = moment(model, q, v), make_original(model)
    seen = [look(at, m)]
    for configuration in configurations:
        m = enter_configuration(at, configuration, m, seen[-1])
        at = configuration
        seen.append(look(at, m))
    return seen


def momenta(model, seen, about):
    """Linear momentum, angular momentum about a point, kinetic energy, by adding bodies up."""
    P, L, energy = np.zeros(3), np.zeros(3), 0.0
    for b, spec in enumerate(model.specs):
        R = seen.R[b]
        xx, yy, zz, xy, xz, yz = spec.inertia
        I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        r = R @ np.asarray(spec.center_of_mass)
        v = seen.v[b] + np.cross(seen.w[b], r)
        P += spec.mass * v
        L += I @ seen.w[b] + np.cross(seen.p[b] + r - about, spec.mass * v)
        energy += 0.5 * spec.mass * v @ v + 0.5 * seen.w[b] @ I @ seen.w[b]
    return P, L, energy


@pytest.fixture(params=[(k, b) for k, kinds in enumerate(KINDS) for b in (0, 1, len(kinds) - 1)], ids=str)
def gripping(request):
    kinds, body = request.param
    model = flier(KINDS[kinds])
    return model, body, random_motion(model, 1)


@pytest.mark.parametrize("kind", ["ball", "hinge"])
def test_a_grip_obeys_the_laws_of_the_impulse(gripping, kind):
    model, body, motion = gripping
    before, after = pass_through(model, [make_gripped(model, body, POINT, kind, AXIS)], motion.q, motion.v)
    np.testing.assert_allclose(after.p, before.p, rtol=0, atol=EXACT)
    np.testing.assert_allclose(after.R, before.R, rtol=0, atol=EXACT)
    assert np.abs(before.point_velocity(body, POINT)[0]).max() > 0.1
    np.testing.assert_allclose(after.point_velocity(body, POINT)[0], 0.0, rtol=0, atol=EXACT)
    about = before.point(body, POINT)[0]
    (_, L, energy), (_, L_after, energy_after) = (momenta(model, seen, about) for seen in (before, after))
    assert energy_after < energy
    axis = before.R[body] @ AXIS
    kept = np.eye(3) if kind == "ball" else axis[None]
    np.testing.assert_allclose(kept @ L_after, kept @ L, rtol=0, atol=1e-10)
    if kind == "hinge":
        assert np.linalg.norm(np.cross(after.w[body], axis)) < EXACT * np.linalg.norm(axis)


def test_a_ball_grip_is_the_impulse_of_the_dense_equations(gripping):
    """`u+ = u - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J u` in the coordinates before."""
    model, body, motion = gripping
    after = pass_through(model, [make_gripped(model, body, POINT)], motion.q, motion.v)[1]
    J = kinematics.point_jacobian(model, motion.q, body, POINT)
    answer = np.linalg.solve(dynamics.mass_matrix(model, motion.q), J.T)
    v = motion.v - answer @ np.linalg.solve(J @ answer, J @ motion.v)
    expected = kinematics.body_velocities(model, motion.q, v)
    np.testing.assert_allclose(np.hstack([after.w, after.v]), expected, rtol=0, atol=EXACT)


def test_letting_go_changes_nothing(gripping):
    model, body, motion = gripping
    steps = [make_gripped(model, body, POINT), make_free(model)]
    held, free = pass_through(model, steps, motion.q, motion.v)[1:]
    for name in ("R", "p", "w", "v"):
        np.testing.assert_allclose(getattr(free, name), getattr(held, name), rtol=0, atol=EXACT)


@pytest.mark.parametrize("kind", ["ball", "hinge"])
@pytest.mark.parametrize("armature", [False, True])
def test_columns_go_through_a_grip_and_a_release(kind, armature):
    model = flier(armature=armature)
    motion = random_motion(model, 1)
    steps = [make_gripped(model, 3, POINT, kind, AXIS), make_free(model)]
    base = pass_through(model, steps, motion.q, motion.v)

    def values(q, v):
        return np.array([np.stack([s.p, s.w, s.v]) for s in pass_through(model, steps, q, v)])

    for c in range(2 * model.nv):
        e = np.eye(model.nv)[c % model.nv]
        if c < model.nv:
            expected = derivative(lambda s, e=e: values(model.integrate(motion.q, e, s), motion.v))
        else:
            expected = derivative(lambda s, e=e: values(motion.q, motion.v + s * e))
        found = np.array([np.stack([s.shift[..., c], s.dw[..., c], s.dv[..., c]]) for s in base])
        assert np.abs(expected).max() > 1e-3
        np.testing.assert_allclose(found, expected, rtol=0, atol=PRECISION * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
def test_a_bounce_keeps_its_laws(restitution):
    model = flier()
    motion = random_motion(model, 2)
    at, normal = make_original(model), np.array([0.6, 0.8, 0.0])
    m = moment(model, motion.q, motion.v)
    before, after = look(at, m), look(at, apply_bounce(at, m, 2, POINT, normal, restitution))
    into, out = (normal @ seen.point_velocity(2, POINT)[0] for seen in (before, after))
    assert out == pytest.approx(-restitution * into, abs=1e-12)
    about = before.point(2, POINT)[0]
    (P, L, energy), (P_after, L_after, energy_after) = (momenta(model, seen, about) for seen in (before, after))
    np.testing.assert_allclose(L_after, L, rtol=0, atol=1e-10)
    np.testing.assert_allclose(np.cross(P_after - P, normal), 0.0, rtol=0, atol=1e-10)
    assert energy_after == pytest.approx(energy, rel=1e-12) if restitution == 1.0 else energy_after < energy


def test_an_unbuilt_grip_says_why():
    model = flier()
    with pytest.raises(InputError, match="grip 'weld' is unknown; choose one of: ball, hinge"):
        make_gripped(model, "b1", POINT, "weld")
    with pytest.raises(InputError, match="a hinge grip of body 'b1' has axis None; expected a direction in the body"):
        make_gripped(model, "b1", POINT, "hinge")
    uneven = JointSpec(kind="ball", name="hip", stiffness=(1.0, 2.0, 3.0))
    with pytest.raises(InputError, match="joint 'hip' cannot be turned round .* its stiffness is"):
        reverse_joint(uneven, "leg")
    with pytest.raises(InputError, match="joint 'rail' is planar and cannot be turned round"):
        reverse_joint(JointSpec(kind="planar", name="rail"), "car")


def test_two_trees_cannot_be_edited():
    builder = ModelBuilder("pair")
    for name in ("one", "two"):
        builder.add_body(name, joint="free", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    with pytest.raises(
        InputError, match="model 'pair' cannot be edited: found 2 trees.*expected one tree of rigid bodies"
    ):
        make_original(builder.build())


def test_limits_of_a_joint_are_turned_round_with_it():
    hinge = reverse_joint(
        JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),), lower=(-0.2,), upper=(0.7,), rest=(0.1,)), "x"
    )
    assert (hinge.lower, hinge.upper, hinge.rest) == ((-0.7,), (0.2,), (-0.1,))
    ball = reverse_joint(JointSpec(kind="ball", lower=(0.0, -0.3, 0.0), upper=(1.0, 0.5, 2.0)), "x")
    assert (ball.lower, ball.upper) == ((0.0, -0.5, 0.0), (1.0, 0.3, 2.0))
