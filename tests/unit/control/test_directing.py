"""Laws of directing: nothing but the character's own actuators, bounded commands, honest reports."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import stringless as sl
from stringless.editing.data import from_data
from stringless.editing.takes import make_scene

FloatArray = NDArray[np.float64]


def flying(name: str = "worm", **options: object) -> sl.Simulation:
    """A character high up in the air."""
    sim = sl.Simulation(sl.load(name), **options)
    q = sim.q.copy()
    q[1] += 3.0
    sim.set_state(q)
    return sim


@pytest.mark.parametrize("dt", [1e-3])
def test_in_flight_the_centre_of_gravity_falls_freely_while_dragged(dt: float) -> None:
    """With momentum kept: on the parabola to rounding, whatever is dragged."""
    sim = flying(dt=dt)
    director = sim.director
    goal = director.drag("bone_0", point=(-0.06, 0, 0))
    start = goal.position
    goal.target = lambda t: start + np.array([0.1 * np.sin(8 * t), 0.15 * np.sin(11 * t) - 4.9 * t * t, 0.0])
    c, v = director.center_of_gravity()
    shape = sim.q[3:].copy()
    for _ in range(4):
        sim.advance(0.1)
        t = sim.time
        here, _ = director.center_of_gravity()
        np.testing.assert_allclose(here, c + v * t + 0.5 * sim.model.gravity * t * t, rtol=0, atol=1e-9)
    assert np.abs(sim.q[3:] - shape).max() > 0.3
    assert 0 < director.report()["largest_correction"] < 5


def let_go() -> sl.Scene:
    """The trapeze artist where she is free, as she is kept to be directed."""
    scene = sl.load("trapeze")
    return make_scene(from_data(scene, scene.study), scene)


@pytest.mark.parametrize("scene", ["two_pins", "flier", "humanoid", let_go])
def test_nothing_holds_on_to_the_air(scene: str | Callable[[], sl.Scene]) -> None:
    """Whatever is pulled at, the centre of gravity of one that touches nothing falls."""
    sim = sl.Simulation(scene() if callable(scene) else sl.load(scene))
    director = sim.director
    c, v = director.center_of_gravity()
    goal = director.drag(sim.model.bodies[-1].name)
    goal.target = goal.position + np.array([0.05, 0.1, 0.0])
    sim.advance(0.1)
    t = sim.time
    np.testing.assert_allclose(
        director.center_of_gravity()[0], c + v * t + 0.5 * sim.model.gravity * t * t, rtol=0, atol=1e-6
    )


def test_without_the_correction_the_deviation_is_of_first_order() -> None:
    """Half the step, half the deviation."""
    off = []
    for dt in (1e-3, 5e-4, 2.5e-4):
        sim = flying(dt=dt)
        director = sim.director
        director.keep_momentum = False
        goal = director.drag("bone_0", point=(-0.06, 0, 0))
        start = goal.position
        goal.move(start + np.array([0.05, 0.1, 0.0]), velocity=(0.0, -1.0, 0.0), hold=1.0)
        c, v = director.center_of_gravity()
        sim.advance(0.2)
        t = sim.time
        off.append(np.linalg.norm(director.center_of_gravity()[0] - (c + v * t + 0.5 * sim.model.gravity * t * t)))
    assert off[0] > 1e-5
    assert 0.7 < np.log2(off[0] / off[1]) < 1.3
    assert 0.7 < np.log2(off[1] / off[2]) < 1.3


def test_a_centre_of_gravity_goal_has_exactly_no_effect_without_the_ground() -> None:
    """In the air, and on the ground if the character may not count on it; with push-off it rises."""
    plain, asked = flying(), flying()
    plain.director.take()
    goal = asked.director.center()
    goal.target = goal.position + np.array([0.0, 0.5, 0.0])
    for sim in (plain, asked):
        sim.advance(0.1)
    assert np.array_equal(plain.q, asked.q)
    rise = {}
    for push in (True, False):
        sim = sl.Simulation(sl.load("worm"), restitution=0.0)
        sim.advance(0.8)
        goal = sim.director.center(push=push)
        start = goal.position
        goal.target = start + np.array([0.0, 0.03, 0.0])
        sim.advance(0.5)
        rise[push] = goal.position[1] - start[1]
    assert rise[True] > 0.015
    assert abs(rise[False]) < 0.002


def test_zero_error_gives_zero_command() -> None:
    """An arm in its wanted posture and place, with no gravity, is not asked for anything; a little off, it is."""
    sim = sl.Simulation(sl.load("double_pendulum"))
    model = sim.model
    sim.set_state(model.neutral(), np.zeros(model.nv))
    goal = sim.director.drag(model.bodies[-1].name)
    n = len(sim.director.characters[0].actuators)
    sim.step()
    command = sim.director.workspace.work.x[:n].copy()
    assert np.abs(command).max() == 0
    goal.target = goal.position + np.array([0.01, 0.01, 0.0])
    sim.step()
    assert np.abs(sim.director.workspace.work.x[:n]).max() > 0.1


def test_pins_come_before_drags() -> None:
    """A drag of a lower priority cannot move a pinned bone; asked for first, it can."""
    moved = {}
    for priority in (3, 0):
        sim = flying()
        pin = sim.director.pin("bone_6", position=False, orientation=True)
        drag = sim.director.drag("bone_0", priority=priority, point=(-0.06, 0, 0))
        start = drag.position
        drag.target = lambda t, start=start: start + np.array([0.15, 0.2, 0.0]) + np.array([0, -4.905 * t * t, 0])
        sim.advance(0.3)
        moved[priority] = pin.turn_error
    assert moved[3] < 0.05
    assert moved[0] > 3 * moved[3]


@pytest.mark.parametrize("name", ["worm", "finger", "humanoid"])
@pytest.mark.parametrize("style", ["acceleration", "torque", "velocity"])
def test_impossible_wishes_are_survived(name: str, style: str) -> None:
    """A target a kilometre away, contradicting pins, a target that jumps: efforts within limits, no divergence."""
    sim = sl.Simulation(sl.load(name))
    director = sim.director
    actor = director.characters[0]
    director.style(style, actor.name)
    tip, root = sim.model.bodies[actor.members[-1]].name, sim.model.bodies[actor.members[0]].name
    far = director.drag(tip, (1000.0, 1000.0, -1000.0))
    director.pin(tip, priority=1)
    director.pin(tip, position=(0.3, 2.0, 0.0), priority=1)
    director.pin(root, orientation=True)
    rng = np.random.default_rng(0)
    jumping = director.drag(root, priority=2)
    for _ in range(60):
        jumping.target = rng.normal(size=3)
        sim.step(5)
        effort = sim.model.dofs["effort"][actor.actuators]
        assert np.all(np.abs(sim.effort[actor.actuators]) <= effort * (1 + 1e-9))
    assert np.isfinite(sim.q).all()
    assert far.error > 500


def test_joint_limits_hold_while_dragged() -> None:
    """Pulled toward a place beyond its reach, no joint passes its limit."""
    sim = flying()
    limit = 1.1
    goal = sim.director.drag("bone_0", point=(-0.06, 0, 0))
    goal.target = lambda t: sim.q[:2].tolist() + [0.0]
    largest = 0.0
    for _ in range(60):
        sim.advance(0.01)
        largest = max(largest, float(np.abs(sim.q[3:]).max()))
    assert 0.7 < largest < limit + 0.01


def test_directing_repeats_bit_by_bit_after_going_back() -> None:
    """State, goals and memory are all there is: the same again, also in other portions."""
    sim = sl.Simulation(sl.load("worm"))
    sim.advance(0.3)
    goal = sim.director.center()
    goal.target = goal.position + np.array([0.0, 0.05, 0.0])
    sim.advance(0.1)
    saved = sim.save()
    sim.step(100)
    first = sim.save()
    sim.restore(saved)
    for count in (1, 7, 92):
        sim.step(count)
    assert np.array_equal(first.q, sim.q)
    assert np.array_equal(first.x, sim.state.x)
    assert np.array_equal(first.memory, sim.state.memory)
