"""Whole motions with transitions: columns against differences of re-simulation, for every way an event finds its time."""

import dataclasses

import numpy as np
import pytest

from checks import derivative
from fliers import flier
from models import free_body, random_motion
from stringless import kinematics
from stringless.editing.course import Course
from stringless.editing.plan import At, Bar, Bounce, Grip, Plane, Release, Touch
from stringless.errors import DivergenceError, InputError

DURATION, DT = 0.3, 5e-3
MOMENTS = (0.0, 0.0117, 0.0983, 0.1811, 0.2987)
PRECISION = 1e-7
"""Relative to the largest entry: differences over 60 steps with an event found by a root finder."""
POINT = (0.1, 0.2, -0.3)
MODEL = flier()
MOTION = random_motion(MODEL, 1, 0.3)
START = kinematics.body_poses(MODEL, MOTION.q).position[3]
FLOOR = Plane((0.0, float(START[1]) - 0.1, 0.0))
BAR = Bar(tuple(START + np.array([0.02, -0.2, 0.03])), radius=0.1)

MISSED = Bar(BAR.point, (0.3, 0.2, 1.0), 1e-3)
COURSES = {
    "none": [],
    "grip at a fixed time": [Grip(body="b3", point=POINT, when=0.1013)],
    "grip and release at free times": [
        Grip(body="b3", point=POINT, when=At(0.1013, free=True)),
        Release(when=At(0.2021, free=True), push=True),
    ],
    "hinge with a push": [
        Grip(body="b2", point=POINT, kind="hinge", axis=(1.0, 2.0, 3.0), when=At(0.1013, free=True), push=True),
        Release(when=0.2021),
    ],
    "elastic bounce": [Bounce(body="b3", when=Touch(FLOOR), restitution=1.0)],
    "inelastic bounce": [Bounce(body="b3", when=Touch(FLOOR), restitution=0.0)],
    "grip on touching the floor, then release": [
        Grip(body="b3", when=Touch(FLOOR)),
        Release(when=At(0.2513, free=True)),
    ],
    "grip of a bar": [Grip(body="b3", when=Touch(BAR))],
    "a bar that is missed": [Grip(body="b3", when=Touch(MISSED)), Release(when=At(0.2961, free=True))],
    "many": [
        Grip(body="b1", when=0.0513),
        Release(when=0.1013),
        Bounce(body="b3", when=Touch(FLOOR), restitution=0.8),
        Grip(body="b0", kind="hinge", axis=(0.0, 0.0, 1.0), when=At(0.2613, free=True)),
    ],
}


def moved(controls, column, s):
    if column.attribute == "q":
        return dataclasses.replace(controls, q=MODEL.integrate(controls.q, np.eye(MODEL.nv)[column.index], s))
    if column.attribute == "v":
        return dataclasses.replace(controls, v=controls.v + s * np.eye(MODEL.nv)[column.index])
    if column.attribute == "time":
        times = list(controls.times)
        times[column.transition] += s
        return dataclasses.replace(controls, times=tuple(times))
    pushes = [push.copy() for push in controls.pushes]
    pushes[column.transition][column.index] += s
    return dataclasses.replace(controls, pushes=tuple(pushes))


@pytest.mark.parametrize("name", COURSES)
def test_columns_are_derivatives_of_re_simulation_across_events(name):
    course = Course(MODEL, COURSES[name], DURATION, DT)
    controls, columns = course.make_controls(MOTION.q, MOTION.v), course.list_columns()
    base = course.walk(controls, columns, MOMENTS)

    def values(run):
        return np.array([np.stack([s.bodies.p, s.bodies.w, s.bodies.v]) for s in run.observations])

    for c, column in enumerate(columns):
        expected = derivative(
            lambda s, column=column: values(course.walk(moved(controls, column, s), (), MOMENTS)), 1e-5
        )
        found = np.array(
            [np.stack([s.bodies.shift[..., c], s.bodies.dw[..., c], s.bodies.dv[..., c]]) for s in base.observations]
        )
        assert np.abs(expected).max() > 1e-3
        np.testing.assert_allclose(found, expected, rtol=0, atol=PRECISION * max(1.0, np.abs(expected).max()))


def test_what_is_missing_of_a_bar_has_its_derivative():
    """By how much a hand misses its bar where it comes nearest."""
    course = Course(MODEL, COURSES["a bar that is missed"], DURATION, DT)
    controls, columns = course.make_controls(MOTION.q, MOTION.v), course.list_columns()
    (miss,) = course.walk(controls, columns).misses
    assert miss.gap > 0.01
    for c, column in enumerate(columns):
        expected = derivative(lambda s, column=column: course.walk(moved(controls, column, s)).misses[0].gap, 1e-5)
        assert miss.row[c] == pytest.approx(expected, abs=PRECISION)
    assert np.abs(miss.row).max() > 0.1


def test_a_fast_hand_does_not_pass_through_a_bar_between_two_steps():
    model = free_body((0.1, 0.1, 0.1), gravity=(0.0, 0.0, 0.0))
    course = Course(model, [Grip(body="body", when=Touch(Bar((1.01, 0.0, 0.0), radius=0.02)))], 0.2, DT)
    run = course.walk(course.make_controls(model.neutral(), np.array([0.0, 0.0, 0.0, 40.0, 0.2, 0.0])), (), [0.15])
    assert not run.misses
    assert run.times[0] == pytest.approx(1.01 * 40.0 / (40.0**2 + 0.2**2), abs=1e-12)
    np.testing.assert_allclose(run.observations[0].bodies.p[0], (1.01, 0.005, 0.0), rtol=0, atol=1e-3)


def test_a_bar_is_caught_where_the_hand_first_passes_it():
    """Of two passages within the radius the first counts, of two that miss the nearer one."""
    model = free_body((0.1, 0.1, 0.1), gravity=(0.0, -10.0, 0.0))
    q, v = model.neutral(), np.array([0.0, 0.0, 0.0, 0.0, 5.0, 0.0])
    for radius, y, time in ((0.05, 1.0, 0.5 - np.sqrt(0.05)), (0.05, 1.35, 0.5)):
        course = Course(model, [Grip(body="body", when=Touch(Bar((0.0, y, 0.0), radius=radius)))], 1.0, DT)
        run = course.walk(course.make_controls(q, v))
        assert run.times[0] == pytest.approx(time, abs=1e-9)
        assert [miss.gap for miss in run.misses] == ([] if y == 1.0 else [pytest.approx(0.05, abs=1e-9)])


def test_a_bouncing_ball_is_where_the_closed_form_says():
    """Thrown down at a floor: time of the bounce, height after it, and their derivatives by height and speed."""
    model = free_body((0.1, 0.1, 0.1), gravity=(0.0, -10.0, 0.0))
    q, v = model.neutral(), np.zeros(6)
    q[1], v[4] = 1.0, -1.0
    e, end = 0.6, 0.7
    course = Course(model, [Bounce(body="body", when=Touch(Plane()), restitution=e)], 0.8, DT)
    run = course.walk(course.make_controls(q, v), course.list_columns(), [end])
    speed = np.sqrt(1.0 + 2 * 10.0)
    hit = (speed - 1.0) / 10.0
    assert run.times[0] == pytest.approx(hit, abs=1e-12)

    def height(y, vy):
        into = np.sqrt(vy**2 + 20.0 * y)
        left = end - (into + vy) / 10.0
        return e * into * left - 5.0 * left**2

    seen = run.observations[0].bodies
    assert seen.p[0, 1] == pytest.approx(height(1.0, -1.0), abs=1e-12)
    assert seen.shift[0, 1, 4] == pytest.approx(derivative(lambda s: height(1.0 + s, -1.0)), abs=1e-8)
    assert seen.shift[0, 1, 10] == pytest.approx(derivative(lambda s: height(1.0, -1.0 + s)), abs=1e-8)


def test_a_moment_between_steps_moves_on_without_a_jump():
    """Velocities just before and just after a step differ by the time between, of a spinning free body too."""
    course = Course(MODEL, [Grip(body="b3", point=POINT, when=0.1013), Release(when=0.2013)], DURATION, DT)
    controls = course.make_controls(MOTION.q, MOTION.v)
    for step in (0.05, 0.1063, 0.2063):
        a, b = (s.bodies for s in course.walk(controls, (), [step - 1e-9, step + 1e-9]).observations)
        for name in ("p", "w", "v"):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=0, atol=1e-6)


def test_velocities_of_a_spinning_flight_are_right_to_second_order():
    """A free body's velocity at its steps: the centre of mass moves as gravity says, whatever the body does about it."""
    model = flier(("free",))
    motion = random_motion(model, 3, 3.0)
    centre = np.asarray(model.specs[0].center_of_mass)
    start = Course(model, [], 0.5, DT).walk(Course(model, [], 0.5, DT).make_controls(motion.q, motion.v), (), [0.0])
    v0 = start.observations[0].bodies.point_velocity(0, centre)[0]
    errors = []
    for dt in (4e-3, 2e-3):
        course = Course(model, [], 0.5, dt)
        seen = course.walk(course.make_controls(motion.q, motion.v), (), [0.4]).observations[0].bodies
        errors.append(np.linalg.norm(seen.point_velocity(0, centre)[0] - v0 - 0.4 * model.gravity))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3)


BAD = {
    "after the end": ([Grip(body="b3", when=0.4)], "transition 1 \\(grip\\) is at 0.4 s; expected a time after 0 s"),
    "out of order": (
        [Grip(body="b3", when=0.2), Release(when=0.1)],
        "transition 2 \\(release\\) is at 0.1 s; expected a time after 0.2 s",
    ),
    "of no length": (
        [Grip(body="b3", when=0.2), Release(when=0.2)],
        "transition 2 \\(release\\) is at 0.2 s; expected a time after",
    ),
    "two clamps at once": (
        [Grip(body="b3", when=0.1), Grip(body="b1", when=0.2)],
        "held already; expected one grip at a time: let go before",
    ),
    "bounce at a time": ([Bounce(body="b3", when=0.1)], "expected `Touch` of a `Plane`"),
    "restitution": ([Bounce(body="b3", when=Touch(FLOOR), restitution=2.0)], "has restitution 2; expected 0 to 1"),
    "release on touch": ([Release(when=Touch(FLOOR))], "waits for a touch; expected a time"),
    "unknown body": ([Grip(body="hand", when=0.1)], "has no body 'hand'"),
}


@pytest.mark.parametrize("name", BAD)
def test_transitions_that_cannot_happen_are_refused(name):
    transitions, message = BAD[name]
    with pytest.raises(InputError, match=message):
        Course(MODEL, transitions, DURATION, DT)


def test_a_surface_that_is_never_met_says_how_near_it_was():
    course = Course(MODEL, [Grip(body="b3", when=Touch(Plane((0.0, -50.0, 0.0))))], DURATION, DT)
    with pytest.raises(
        InputError, match="body 'b3' does not meet the floor at .* as transition 1 .* it comes as near as 4"
    ):
        course.walk(course.make_controls(MOTION.q, MOTION.v))


def test_a_motion_that_runs_away_names_the_joint():
    course = Course(MODEL, [], DURATION, DT)
    with pytest.raises(DivergenceError, match="ran away .* after the start of clip 1: joint .*Shorten the step"):
        course.walk(course.make_controls(MOTION.q, 1e4 * MOTION.v))
