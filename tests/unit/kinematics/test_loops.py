"""How far loops are open, what is said about it, and the nearby configuration that closes them."""

import numpy as np
import pytest

from stringless.errors import InputError, ModelError
from stringless.kinematics import body_poses, check_loops, close_loops, loop_gaps
from stringless.model import JointSpec, LoopSpec, ModelBuilder, Pose, Scene
from stringless.simulation import Simulation

SOLID = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0.0, 0.0, 0.0)}
DOWN = (0.0, -1.0, 0.0)


def turned(axis, angle):
    return (*(np.sin(angle / 2) * np.asarray(axis, float)), np.cos(angle / 2))


def chain(*loops, links=4, kind="revolute"):
    """Links of one metre, hanging from the origin."""
    builder = ModelBuilder("chain")
    axes = ((0.0, 0.0, 1.0),) if kind == "revolute" else ()
    for k in range(links):
        place = Pose(DOWN if k else (0.0, 0.0, 0.0))
        joint = JointSpec(kind=kind, axes=axes)
        builder.add_body(f"link_{k}", f"link_{k - 1}" if k else "", joint, place=place, **SOLID)
    for loop in loops:
        builder.close(loop)
    return builder.build()


def end_at(point, links=4, kind="point", place=()):
    return LoopSpec("ring", kind, f"link_{links - 1}", "", Pose(DOWN), Pose(point, *place))


# --- gaps ---


def test_gap_of_a_point_is_a_distance():
    model = chain(end_at((0.3, -4.4, 0.0)))
    np.testing.assert_allclose(loop_gaps(model, model.neutral()), [(0.5, 0.0)], atol=1e-14)


def test_gap_between_two_bodies_does_not_depend_on_where_they_are():
    model = chain(LoopSpec("tie", "point", "link_2", "link_1", (0.3, 0.0, 0.0), (0.3, -1.4, 0.0)))
    q = np.array([2.0, -0.7, 0.0, 0.5])
    np.testing.assert_allclose(loop_gaps(model, q), [(0.4, 0.0)], atol=1e-14)


@pytest.mark.parametrize("angle", [1e-9, 0.4, 3.0])
def test_angle_of_a_hinge_is_that_between_its_axes(angle):
    across = chain(end_at((0.0, -4.0, 0.0), kind="hinge", place=(turned((0.6, 0.8, 0.0), angle),)))
    np.testing.assert_allclose(loop_gaps(across, across.neutral()), [(0.0, angle)], rtol=1e-6, atol=1e-14)
    about = chain(end_at((0.0, -4.0, 0.0), kind="hinge", place=(turned((0.0, 0.0, 1.0), angle),)))
    np.testing.assert_allclose(loop_gaps(about, about.neutral()), [(0.0, 0.0)], atol=1e-14)


@pytest.mark.parametrize("angle", [1e-9, 0.4, 3.0])
def test_angle_of_a_weld_is_that_of_the_whole_turn(angle):
    model = chain(end_at((0.0, -4.0, 0.0), kind="weld", place=(turned((0.0, 0.0, 1.0), angle),)))
    np.testing.assert_allclose(loop_gaps(model, model.neutral()), [(0.0, angle)], rtol=1e-6, atol=1e-14)


def test_axes_that_point_against_each_other_are_half_a_turn_apart():
    model = chain(end_at((0.0, -4.0, 0.0), kind="hinge", place=((1.0, 0.0, 0.0, 0.0),)))
    np.testing.assert_allclose(loop_gaps(model, model.neutral()), [(0.0, np.pi)])


# --- closing ---


@pytest.mark.parametrize("kind", ["point", "hinge", "weld"])
@pytest.mark.parametrize("seed", range(5))
def test_loops_are_closed_to_the_last_digits(kind, seed):
    rng = np.random.default_rng(seed)
    free = chain(kind="ball", links=5)
    poses = body_poses(free, free.random(rng))
    there = Pose.from_matrix(poses.rotation[4], tuple(poses.position[4]))
    model = chain(LoopSpec("ring", kind, "link_4", "", Pose(), there), kind="ball", links=5)
    q = model.random(rng)
    assert loop_gaps(model, q).max() > 0.1
    closed = close_loops(model, q)
    assert loop_gaps(model, closed).max() < 1e-11
    check_loops(model, closed)


def test_several_loops_close_together():
    tie = LoopSpec("tie", "point", "link_5", "link_0", Pose(DOWN), Pose((0.5, 0.0, 0.0)))
    model = chain(end_at((0.3, -1.0, 0.0), links=4), tie, links=6)
    q = close_loops(model, [0.3, -0.9, 1.5, -1.2, 0.4, 0.7])
    assert loop_gaps(model, q).max() < 1e-11


def test_closed_configuration_is_the_nearest():
    """Of a chain pulled by a millimetre, the way is shorter than that of any other chain that ends there."""
    start = np.array([0.5, -0.9, 0.7, 0.4])
    free = chain()
    tip = body_poses(free, start).position[3] + body_poses(free, start).rotation[3] @ DOWN
    model = chain(end_at(tuple(tip + (1e-3, 0.0, 0.0))))
    moved = close_loops(model, start) - start
    for seed in range(10):
        other = close_loops(model, start + 1e-2 * np.random.default_rng(seed).normal(size=4)) - start
        assert np.linalg.norm(moved) <= np.linalg.norm(other) * (1 + 1e-3)


def test_closed_configuration_stays():
    model = chain(end_at((0.0, -4.0, 0.0)))
    np.testing.assert_array_equal(close_loops(model, model.neutral()), model.neutral())
    assert loop_gaps(chain(), chain().neutral()).shape == (0, 2)


# --- what is said ---


def test_loop_that_cannot_close_is_named_with_the_gap_that_remains():
    model = chain(end_at((3.0, -4.0, 0.0)))  # at 5 m, and the chain is 4 m long
    for call in (close_loops, check_loops):
        with pytest.raises(ModelError) as caught:
            call(model, [0.1, 0.2, -0.1, 0.3])
        (problem,) = caught.value.problems
        assert problem.where == "loop 'ring'"
        assert problem.found == "a loop that cannot close, open by 1000 mm"
        assert problem.expected == "'link_3' and the ground to meet"
        assert "reach" in problem.remedy


def test_open_start_is_refused_with_the_way_to_close_it():
    model = chain(LoopSpec("tie", "weld", "link_3", "link_0", Pose(), Pose((0.0, -2.998, 0.0))), kind="ball")
    with pytest.raises(ModelError, match="close_loops") as caught:
        Simulation(model, engine="stiff")
    (problem,) = caught.value.problems
    assert (problem.where, problem.found) == ("loop 'tie'", "a loop open by 2 mm")
    assert problem.expected == "'link_3' and 'link_0' to meet"


def test_only_loops_that_are_open_are_named():
    model = chain(end_at((0.0, -3.998, 0.0)), LoopSpec("tie", "point", "link_0", "", Pose(DOWN), Pose(DOWN)))
    with pytest.raises(ModelError) as caught:
        check_loops(model, model.integrate(model.neutral(), [0.0, 0.01, 0.0, 0.0]))
    assert [problem.where for problem in caught.value.problems] == ["loop 'ring'"]


def test_angles_count_too():
    model = chain(end_at((0.0, -3.9995, 0.0), kind="weld", place=(turned((0.0, 0.0, 1.0), 0.02),)))
    with pytest.raises(ModelError, match="open by .* mm and 0.02 rad"):
        check_loops(model, model.neutral())
    check_loops(model, close_loops(model, [0.1, -0.2, 0.1, 0.1]))


def test_gap_of_half_a_millimetre_is_accepted():
    model = chain(end_at((0.0, -4.0005, 0.0)))
    check_loops(model, model.neutral())


def test_engine_without_loops_names_the_one_that_has_them():
    scene = Scene(chain(end_at((0.0, -4.0, 0.0))))
    with pytest.raises(
        InputError, match=r"engine 'reduced' does not support closed loops \('ring'\), .*; use engine 'stiff'"
    ):
        Simulation(scene)
