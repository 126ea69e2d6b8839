"""Gravity, masses and muscles as controls: their columns against differences of re-simulation, through every kind of event."""

import dataclasses

import numpy as np
import pytest

import stringless as sl
from checks import derivative
from fliers import flier
from models import free_body, random_motion
from stringless import kinematics
from stringless.editing import studies
from stringless.editing.course import Course
from stringless.editing.muscles import evaluate_splines
from stringless.editing.plan import At, Bar, Bounce, Grip, Plane, Release, Touch
from stringless.errors import InputError

DURATION, DT = 0.3, 5e-3
MOMENTS = (0.0117, 0.0983, 0.1811, 0.2987)
PRECISION = 1e-7
"""Relative to the largest entry: differences over 60 steps with an event found by a root finder."""
POINT = (0.1, 0.2, -0.3)
MODEL = flier()
MOTION = random_motion(MODEL, 1, 0.3)
START = kinematics.body_poses(MODEL, MOTION.q).position[3]
FLOOR = Plane((0.0, float(START[1]) - 0.1, 0.0))
BAR = Bar(tuple(START + np.array([0.02, -0.2, 0.03])), radius=0.1)
NAMES = [joint.name for joint in MODEL.joints]
MUSCLES = {NAMES[2]: 5, NAMES[3]: 7}
COURSES = {
    "none": [],
    "grip and release at free times": [
        Grip(body="b3", point=POINT, when=At(0.1013, free=True)),
        Release(when=At(0.2021, free=True), push=True),
    ],
    "hinge": [Grip(body="b2", point=POINT, kind="hinge", axis=(1.0, 2.0, 3.0), when=At(0.1013, free=True))],
    "elastic bounce": [Bounce(body="b3", when=Touch(FLOOR), restitution=1.0)],
    "grip on touching the floor, then release": [
        Grip(body="b3", when=Touch(FLOOR)),
        Release(when=At(0.2513, free=True)),
    ],
    "grip of a bar": [Grip(body="b3", when=Touch(BAR))],
}


def made(name, rng):
    """A course with everything allowed, and controls that differ from how the character was built."""
    course = Course(MODEL, COURSES[name], DURATION, DT, allow=("gravity", "masses"), muscles=MUSCLES)
    controls = course.make_controls(MOTION.q, MOTION.v)
    return course, dataclasses.replace(
        controls,
        gravity=controls.gravity + rng.normal(scale=0.5, size=3),
        masses=rng.uniform(0.7, 1.5, 4),
        muscles=rng.normal(scale=0.5, size=len(controls.muscles)),
    )


def moved(controls, column, s):
    if column.attribute == "mass":
        masses = controls.masses.copy()
        masses[column.index] *= np.exp(s)
        return dataclasses.replace(controls, masses=masses)
    if column.attribute == "time":
        times = list(controls.times)
        times[column.transition] += s
        return dataclasses.replace(controls, times=tuple(times))
    if column.attribute == "q":
        return dataclasses.replace(controls, q=MODEL.integrate(controls.q, np.eye(MODEL.nv)[column.index], s))
    name = {"v": "v", "gravity": "gravity", "muscle": "muscles"}[column.attribute]
    value = getattr(controls, name).copy()
    value[column.index] += s
    return dataclasses.replace(controls, **{name: value})


@pytest.mark.parametrize("name", COURSES)
def test_columns_are_derivatives_of_re_simulation(name):
    course, controls = made(name, np.random.default_rng(3))
    columns = [c for c in course.list_columns() if c.attribute not in ("q", "v", "push") or c.index in (1, 7)]
    columns = [c for c in columns if c.attribute != "push"]
    assert {c.attribute for c in columns} >= {"q", "v", "gravity", "mass", "muscle"}
    base = course.walk(controls, columns, MOMENTS)

    def values(run):
        return np.array(
            [
                np.vstack([s.bodies.p, s.bodies.w, s.bodies.v, s.bodies.center()[0], s.bodies.center_velocity()[0]])
                for s in run.observations
            ]
        )

    for c, column in enumerate(columns):
        expected = derivative(
            lambda s, column=column: values(course.walk(moved(controls, column, s), (), MOMENTS)), 1e-5
        )
        found = np.array(
            [
                np.vstack(
                    [b.shift[..., c], b.dw[..., c], b.dv[..., c], b.center()[1][:, c], b.center_velocity()[1][:, c]]
                )
                for b in (s.bodies for s in base.observations)
            ]
        )
        # The last coefficients of a muscle have little time left to act.
        assert np.abs(expected).max() > 1e-6
        np.testing.assert_allclose(found, expected, rtol=0, atol=PRECISION * max(1.0, np.abs(expected).max()))


def test_a_muscle_of_a_joint_turned_round_acts_as_before():
    """Gripped at the far end: `Δvdot = (M⁻¹ - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹) τ` in the coordinates before."""
    model = flier(("free", "universal", "revolute"))
    motion = random_motion(model, 2, 0.3)
    h = 1e-5
    names = [joint.name for joint in model.joints[1:]]
    course = Course(model, [Grip(body="b2", point=POINT, when=h)], 3 * h, h, muscles=dict.fromkeys(names, 4))
    controls = course.make_controls(motion.q, motion.v)
    tau = np.array([0.5, -1.0, 2.0])
    flexed = dataclasses.replace(controls, muscles=np.repeat(tau, 4))
    before = course.walk(flexed, (), [h]).observations[0].bodies
    passive, active = (course.walk(c, (), [3 * h]).observations[0].bodies for c in (controls, flexed))
    # What the muscles did before the grip, and after it.
    first = course.walk(controls, (), [h]).observations[0].bodies
    M, J = sl.dynamics.mass_matrix(model, motion.q), kinematics.point_jacobian(model, motion.q, 2, POINT)
    answer = np.linalg.solve(M, J.T)
    hold = np.eye(model.nv) - answer @ np.linalg.solve(J @ answer, J)
    push = np.linalg.solve(M, np.concatenate([np.zeros(6), tau]))
    for change, expected in (
        (np.hstack([before.w - first.w, before.v - first.v]), h * push),
        (np.hstack([active.w - passive.w, active.v - passive.v]), hold @ (3 * h * push)),
    ):
        wanted = kinematics.body_velocities(model, motion.q, expected)
        assert np.abs(wanted).max() > 1e-5
        np.testing.assert_allclose(change, wanted, rtol=0, atol=1e-3 * np.abs(wanted).max())


def test_splines_add_up_to_one_and_have_their_rate():
    times = np.linspace(0.0, 0.9, 17)
    value, _ = evaluate_splines(6, 0.9, times)
    np.testing.assert_allclose(value.sum(axis=1), 1.0, rtol=0, atol=1e-15)
    inside = times[1:-1]
    _, rate = evaluate_splines(6, 0.9, inside)
    expected = derivative(lambda s: evaluate_splines(6, 0.9, inside + s)[0], 1e-4)
    assert np.abs(expected).max() > 1.0
    np.testing.assert_allclose(rate, expected, rtol=0, atol=1e-8)


def test_gravity_does_what_nothing_else_may():
    """With the start locked, a ball that is to be 1 m higher after 1 s needs 2 m/s² less of gravity."""
    editor = sl.Editor(free_body((0.1, 0.1, 0.1), gravity=(0.0, -10.0, 0.0)), duration=1.0, allow=("gravity",))
    editor.lock("position", "velocity", "rotation", "angular velocity")
    editor.drag("body", time=1.0, target=(0.0, -4.0, 0.0))
    editor.solve()
    np.testing.assert_allclose(editor.controls.gravity, (0.0, -8.0, 0.0), rtol=0, atol=1e-6)
    editor.undo()
    assert np.array_equal(editor.controls.gravity, (0.0, -10.0, 0.0))


def test_muscles_bend_a_flight():
    """Three links in flight with their start locked: muscles alone bring the last one's tip where it is wanted."""
    model = studies.links(("free", studies.HINGE, studies.HINGE), "diver")
    q = model.neutral()
    q[7:] = 0.8, -1.2
    editor = sl.Editor(model, duration=0.6, q=q, muscles={"link 2": 6, "link 3": 6})
    editor.lock("position", "velocity", "rotation", "angular velocity")
    aside = editor.point("link 3", 0.6, studies.TIP) + np.array([0.15, 0.1, 0.0])
    editor.nail("link 3", time=0.6, point=studies.TIP, target=aside)
    center = editor.find_bodies(0.6).center()[0]
    editor.solve()
    assert editor.error() < 1e-3
    assert np.abs(editor.controls.muscles).max() > 0.01
    np.testing.assert_allclose(editor.find_bodies(0.6).center()[0], center, rtol=0, atol=1e-3)


def test_masses_change_a_swing():
    """A linkage on a hinge: heavier or lighter links alone change where its tip is; what they weigh stays above zero."""
    model = studies.links((studies.HINGE, studies.HINGE), "swing")
    editor = sl.Editor(model, duration=0.5, q=[1.0, 0.5], allow=("masses",))
    editor.lock("position", "velocity", "rotation", "angular velocity")
    goal = Course(model, [], 0.5, 5e-3).make_controls(np.array([1.0, 0.5]), np.zeros(2))
    goal = dataclasses.replace(goal, masses=np.array([1.6, 0.8]))
    target = editor.course.walk(goal, (), [0.5]).observations[0].bodies.point(1, np.array(studies.TIP))[0]
    editor.nail("link 2", time=0.5, point=studies.TIP, target=target)
    assert editor.error() > 0.01
    editor.solve(error=1e-6)
    assert editor.error() < 1e-5
    assert np.all(editor.controls.masses > 0)


BAD = {
    "a freedom": ({"allow": ("colour",)}, "'colour' cannot be allowed to change; choose among: gravity, masses"),
    "a root": ({"muscles": {NAMES[0]: 4}}, "joint 'free.*' is a root and can have no muscle"),
    "too few": ({"muscles": {NAMES[1]: 3}}, "has 3 coefficients; expected a whole number, 4 or more"),
    "unknown": ({"muscles": {"b9": 4}}, "has no joint 'b9'"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_free_is_named(name):
    options, message = BAD[name]
    with pytest.raises(InputError, match=message):
        Course(MODEL, [], DURATION, DT, **options)


def test_a_ball_with_a_muscle_cannot_be_turned_round():
    with pytest.raises(
        InputError, match="joint 'ball.*' is a ball with a muscle, and the character held at 'b3' turns"
    ):
        Course(MODEL, [Grip(body="b3", when=0.1)], DURATION, DT, muscles={NAMES[1]: 4})


def test_controls_of_another_course_are_refused():
    course = Course(MODEL, [], DURATION, DT)
    other = Course(MODEL, [Grip(body="b3", when=0.1)], DURATION, DT)
    with pytest.raises(InputError, match="controls have times .*; expected 1 numbers or vectors"):
        other.complete_controls(course.make_controls(MOTION.q, MOTION.v))


@pytest.mark.parametrize("grips", [False, True], ids=["as built", "with a grip"])
def test_what_is_recorded_is_the_edited_motion_whatever_changed(grips):
    """Other masses, gravity and muscles: a simulation that follows the motion is where the editor says it is."""
    model = studies.links((studies.HINGE, studies.HINGE), "swing")
    happens = [Release(when=0.2), Grip(body="link 2", when=0.3)] if grips else []
    editor = sl.Editor(
        model, duration=0.5, q=[1.0, 0.5], transitions=happens, allow=("gravity", "masses"), muscles={"link 2": 4}
    )
    plain = editor.point("link 2", 0.5)
    editor.set_controls(
        dataclasses.replace(
            editor.controls, masses=np.array([1.5, 0.6]), gravity=np.array([1.0, -8.0, 0.0]), muscles=np.full(4, 0.3)
        )
    )
    assert np.abs(editor.point("link 2", 0.5) - plain).max() > 0.02
    motion = editor.motion()
    sim = sl.Simulation(sl.Scene(motion.model, q=motion.at(0.0)[0], v=motion.at(0.0)[1]), dt=1e-3)
    sim.follow(motion)
    for time in (0.15, 0.25, 0.45):
        sim.advance(time - sim.time)
        seen = editor.find_bodies(sim.time)
        poses = kinematics.body_poses(motion.model, sim.q)
        np.testing.assert_allclose(poses.position, seen.p, rtol=0, atol=2e-3)
        np.testing.assert_allclose(poses.rotation, seen.R, rtol=0, atol=2e-3)
