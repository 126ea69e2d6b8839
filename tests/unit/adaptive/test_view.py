"""Views: joints are spent where a pixel sees them, without flicker, and every bit comes back."""

import numpy as np
import pytest

import stringless as sl
from adaptive_trees import kept, same, swung
from models import pendulum
from stringless.engines.adaptive.kernels_view import MARGIN, PIXELS, STEADY, share_of_picture
from stringless.engines.adaptive.rows import OUTSIDE
from stringless.engines.adaptive.view import reaches
from stringless.errors import InputError
from stringless.kinematics import body_poses
from stringless.project.document import lasting
from stringless.simulation import Simulation

FAR = 1e-9
"""Rounding of a few operations on numbers near 1."""


def crowd(count=30, **options):
    return Simulation(sl.load("crowd", count=count), **({"record": 0} | options))


def looking(distance=4.0, **options):
    """From before the middle of the first row, at the height of a pelvis."""
    return sl.View(eye=(0.0, 1.0, distance), target=(0.0, 1.0, -3.0), **options)


def budgets(sim):
    return sim.engine.tables.status["budget"].copy()


def depths(sim, view):
    """How far roots are in front of the eye."""
    roots = sim.model.tree["parent"] < 0
    return view.eye[2] - sim.body_poses().position[roots, 2]


@pytest.mark.parametrize("kind", ["prismatic", "translational", "free"])
def test_a_character_is_seen_where_its_root_has_gone(kind):
    builder = sl.ModelBuilder("cart")
    rod = {"mass": 0.2, "center_of_mass": (0.15, 0.0, 0.0), "inertia": (1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)}
    axes = ((1.0, 0.0, 0.0),) if kind == "prismatic" else ()
    builder.add_body("cart", joint=sl.JointSpec(kind=kind, axes=axes), **rod)
    hinge = sl.JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),))
    builder.add_body("link", "cart", hinge, place=sl.Pose((0.3, 0.0, 0.0)), **rod)
    q = builder.build().neutral()
    q[0] = 50.0
    sim = Simulation(sl.Scene(builder.build(), q=q), engine="adaptive", record=0)
    for x, seen in ((50.0, True), (0.0, False)):
        sim.look_from(sl.View(eye=(x, 0.0, 5.0), target=(x, 0.0, 0.0)))
        sim.step(25)
        assert (kept(sim)["share"][0] != OUTSIDE) == seen


# --- what is a view ---


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"eye": (0.0, float("nan"), 1.0)}, r"eye of a view is \(0.0, nan, 1.0\); expected three finite numbers"),
        ({"eye": (0.0, 1.0)}, "eye of a view is .*expected three finite numbers"),
        ({"target": "there"}, "target of a view is 'there'; expected three finite numbers"),
        ({"target": (0.0, 0.0, 5.0)}, r"both at \(0.0, 0.0, 5.0\); expected two points"),
        ({"up": (0.0, 0.0, 0.0)}, r"up of a view is \(0.0, 0.0, 0.0\), which is no direction or the one it looks in"),
        ({"up": (0.0, 0.0, -2.0)}, "up of a view is .*expected one across it"),
        ({"fov": 0.0}, r"fov of a view is 0.0; expected an angle between 0 and pi \[rad\]"),
        ({"fov": 3.5}, "fov of a view is 3.5"),
        ({"fov": float("nan")}, "fov of a view is nan"),
        ({"height": 0}, "height of a view is 0; expected a finite number of pixels above 0"),
        ({"height": float("inf")}, "height of a view is inf"),
        ({"aspect": -1.0}, "aspect of a view is -1.0"),
        ({"aspect": True}, "aspect of a view is True"),
    ],
)
def test_nobody_looks_through_nonsense(fields, message):
    with pytest.raises(InputError, match=message):
        sl.View(**({"eye": (0.0, 0.0, 5.0), "target": (0.0, 0.0, 0.0)} | fields))


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ("above", "view is 'above'; expected a View, or its fields by name: eye, target"),
        ({"eye": (0, 0, 5)}, "the view says no 'target'"),
        ({"eye": (0, 0, 5), "target": (0, 0, 0), "zoom": 2}, "a view has no 'zoom'; it has: eye"),
    ],
)
def test_a_simulation_takes_views_alone(view, message):
    sim = crowd(2)
    for call in (lambda: sim.configure(view=view), lambda: sim.look_from(view)):
        with pytest.raises(InputError, match=message):
            call()
    assert sim.view is None


def test_other_engines_move_all_joints():
    sim = Simulation(sl.Scene(pendulum()), record=0)
    with pytest.raises(InputError, match="engine 'reduced' does not support a level of detail; use engine 'adaptive'"):
        sim.look_from(looking())
    with pytest.raises(InputError, match="belongs to engine 'adaptive'"):
        sim.configure(view=looking())


@pytest.mark.parametrize("total", [0, 2.5, True])
def test_a_total_is_a_number_of_joints(total):
    sim = crowd(2)
    with pytest.raises(InputError, match="total is .*expected a whole number of joints, 1 or more"):
        sim.look_from(looking(), total=total)
    assert sim.view is None, "nothing was taken over"


def test_a_view_is_plain_data():
    view = looking(fov=0.5)
    sim = crowd(2, view=view)
    assert sim.view == view
    assert sl.View.of(sim.parameters()["view"]) == view
    other = crowd(2)
    other.configure(**sim.parameters())
    assert other.view == view


# --- what is seen ---


def naive_share(view, place, size):
    """The share of the picture's height of a ball, by projecting it; 0 if it is beside the picture."""
    forward = np.subtract(view.target, view.eye) / np.linalg.norm(np.subtract(view.target, view.eye))
    right = np.cross(forward, view.up) / np.linalg.norm(np.cross(forward, view.up))
    up = np.cross(right, forward)
    apart = np.subtract(place, view.eye)
    half = view.fov / 2
    wide = np.arctan(np.tan(half) * view.aspect)
    for axis, angle in ((up, half), (-up, half), (right, wide), (-right, wide)):
        outward = np.cos(angle) * axis - np.sin(angle) * forward
        if apart @ outward > size:
            return 0.0
    depth = apart @ forward
    if depth < -size:
        return 0.0
    return 1.0 if depth <= size else min(1.0, size / (depth * np.tan(half)))


def test_the_share_of_the_picture_is_that_of_a_projection():
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(400):
        view = sl.View(rng.normal(size=3), rng.normal(size=3) + 3, rng.normal(size=3), rng.uniform(0.3, 1.5), 900, 1.4)
        place, size = rng.normal(scale=4.0, size=3), rng.uniform(0.1, 1.0)
        expected = naive_share(view, place, size)
        found = share_of_picture(view.camera()[0], tuple(place), size, 0.0)
        assert found == pytest.approx(expected if expected > 0 else OUTSIDE, rel=FAR)
        seen += expected > 0
    assert 50 < seen < 350


def test_what_changes_little_counts_as_it_was():
    row = looking(fov=0.8).camera()[0]
    share = share_of_picture(row, (0.0, 1.0, -6.0), 1.0, 0.0)
    for factor, same_as_before in ((1.0, True), (0.9, True), (1.1, True), (0.8, False), (1.3, False)):
        depth = 10.0 * factor
        found = share_of_picture(row, (0.0, 1.0, 4.0 - depth), 1.0, share)
        assert (found == share) == same_as_before, factor
    edge = 10.0 * row["wide"]  # half the width of the picture there
    slant = np.sqrt(1 + row["wide"] ** 2)
    for beyond, before, inside in (
        (0.9, 0.0, True),
        (1.1, 0.0, False),
        (1.1, share, True),
        (1.1 + MARGIN, share, False),
    ):
        place = (edge + beyond * slant, 1.0, -6.0)
        assert (share_of_picture(row, place, 1.0, before) > 0) == inside, beyond


def test_reaches_are_those_of_the_bodies():
    model = sl.load("crowd", count=1).model
    position, _ = body_poses(model, model.neutral())
    reach = reaches(model)
    for i in (0, 5, 40, model.body_count - 1):
        below = [i]
        for k in range(i + 1, model.body_count):
            if int(model.tree[k]["parent"]) in below:
                below.append(k)
        origins = np.linalg.norm(position[below] - position[i], axis=1).max()
        assert origins <= reach[i] <= origins + 0.3
    assert reach[0] == pytest.approx(1.0, abs=0.1), "from the pelvis to the toes"


# --- who gets how many ---


def test_fewer_joints_move_far_away():
    view = looking()
    sim = crowd(60, view=view)
    sim.step(1)
    given, depth = budgets(sim), depths(sim, view)
    joints = sim.engine.tables.trees["joints"][0]
    seen = given > 0
    size = sim.engine.tables.trees["radius"][0]
    expected = np.ceil(joints * np.minimum(1.0, size / (depth * np.tan(view.fov / 2))))
    np.testing.assert_array_equal(given[seen], expected[seen])
    order = np.argsort(depth[seen])
    assert (np.diff(given[seen][order]) <= 0).all()
    assert given[seen][order[0]] > 1.5 * given[seen][order[-1]]
    roots = sim.model.tree["parent"] < 0
    assert sim.active_joints[roots].all(), "a root that floats moves always"
    assert sim.active_joints.sum() - 60 == given.sum()


def test_none_move_out_of_the_picture():
    sim = crowd(20, view=sl.View((0.0, 1.0, 5.0), (0.0, 1.0, 20.0)))
    sim.step(25)
    assert (budgets(sim) == 0).all()
    assert sim.active_joints.sum() == 20
    sim.look_from(looking(6.0))
    sim.step(20)
    assert budgets(sim).max() > 10


@pytest.mark.parametrize("criterion", ["energy", "motion"])
def test_a_budget_is_that_of_a_character_that_fills_the_picture(criterion):
    sim = swung(active=20, criterion=criterion)
    size = reaches(sim.model)[0]
    for away, height, expected in ((0.5, 1e9, 20), (2.0, 1e9, 10), (2.0, 1e308, 10), (4.0, 1e9, 5), (1000.0, 1e9, 1)):
        distance = away * size / np.tan(0.4)
        sim.look_from(sl.View((0.0, 0.0, distance), (0.0, 0.0, 0.0), height=height))
        sim.step(20)
        assert sim.active_joints.sum() == expected
    sim.look_from(sl.View((0.0, 0.0, 5.0), (0.0, 0.0, 10.0)))
    sim.step(20)
    assert sim.active_joints.sum() == 0
    before = sim.q.copy()
    sim.step(5)
    np.testing.assert_array_equal(sim.q, before)
    sim.look_from(None)
    sim.step(20)
    assert sim.active_joints.sum() == 20


def test_nobody_tells_parts_apart_that_are_a_few_pixels():
    sim = swung(view=sl.View((0.0, 0.0, 4.0), (0.0, 0.0, 0.0), height=100))
    sim.step(1)
    share = kept(sim)["share"][0]
    assert 0.3 < share <= 1.0
    assert sim.active_joints.sum() == int(share * 100 / PIXELS) < np.ceil(40 * share)


def test_the_eye_sees_alike_much_error_everywhere():
    sim = swung(max_error=1e-6)
    sim.step(300)
    size = reaches(sim.model)[0]
    found = []
    for away in (1.0, 4.0, 32.0):
        sim.look_from(sl.View((0.0, 0.0, away * size / np.tan(0.4)), (0.0, 0.0, 0.0), height=1e9))
        sim.step(20)
        part = sim.engine.tables.status[0]
        assert part["allowed_error"] == pytest.approx(1e-6 * away**2, rel=0.1)
        assert part["error"] <= part["allowed_error"]
        found.append(sim.active_joints.sum())
    assert found[0] > found[1] > found[2] >= 1


def test_where_no_joint_can_be_chosen_a_total_shares_out_nothing():
    builder = sl.ModelBuilder("stone")
    builder.add_body("stone", joint=sl.JointSpec(kind="free"), mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    sim = Simulation(builder.build(), engine="adaptive", record=0)
    sim.look_from(looking(), total=5)
    sim.step(5)
    assert (sim.view, sim.config.active) == (looking(), None)


def test_a_total_is_shared_out_by_what_is_seen():
    sim = crowd(60)
    sim.look_from(looking(), total=300)
    sim.step(20)
    spent = budgets(sim)
    assert 200 < spent.sum() <= 300
    assert spent.max() > 1.3 * spent[spent > 0].min()
    more = sim.config.active + 1
    sim.configure(active=more)
    sim.step(20)
    assert budgets(sim).sum() > 300, "it was the largest that keeps within it"


# --- when ---


def test_a_camera_that_moves_makes_nobody_choose_at_once():
    sim = crowd(20, view=looking(), update_every=20)
    sim.step(1)
    updates = sim.engine.tables.status["updates"].copy()
    for k in range(20):
        sim.look_from(looking(4.0 + k))
        sim.step(1)
    passed = sim.engine.tables.status["updates"] - updates
    assert passed.max() <= 2
    assert passed.sum() <= 22, "each at its turn"


def test_a_camera_that_trembles_changes_no_budget():
    rng = np.random.default_rng(1)
    sim = swung(view=looking(6.0))
    sim.step(1)
    given = {int(budgets(sim)[0])}
    for _ in range(40):
        sim.look_from(looking(6.0 * (1 + (1 - STEADY) / 3 * rng.uniform(-1, 1))))
        sim.step(20)
        given.add(int(budgets(sim)[0]))
    assert len(given) == 1
    slow = []
    for k in range(60):
        sim.look_from(looking(6.0 * 1.02**k))
        sim.step(20)
        slow.append(int(budgets(sim)[0]))
    assert slow == sorted(slow, reverse=True), "on the way out it only falls"
    assert 3 < len(set(slow)) < 15


def test_the_same_view_at_the_same_steps_gives_the_same_bits():
    one, other = crowd(8), crowd(8)
    for sim, parts in ((one, (137,)), (other, (1, 19, 20, 21, 3, 40, 33))):
        for view in (looking(), looking(12.0), None):
            sim.look_from(view)
            for count in parts:
                sim.step(count)
    assert same(one.state, other.state)


def test_going_back_repeats_every_bit():
    sim = crowd(6, record=120.0, active=20)
    for view in (None, looking(), looking(9.0), looking(3.0), None):
        sim.look_from(view)
        sim.advance(0.1)
    end = sim.save()
    assert sim.recording.find_difference() is None
    for time in (0.05, 0.1, 0.17, 0.3, 0.44):
        sim.go_to(time, branch=1)
        sim.go_to(0.5, branch=1)
        assert same(sim.state, end), time


def test_who_looks_does_not_make_a_record_stale():
    sim = crowd(3, record=120.0, view=looking())
    sim.advance(0.2)
    sim.go_to(0.1)
    sim.look_from(looking(9.0))
    assert not sim.recording.would_differ()
    sim.configure(active=3)
    assert sim.recording.would_differ()


def test_a_view_is_no_step_of_undo():
    with sl.Project.create(sl.load("crowd", count=3)) as project:
        project.sim.look_from(looking())
        project.advance(20)
        assert not project.history.done
        project.do("configure", active=5)
        project.sim.look_from(looking(9.0))
        assert [step.label for step in project.history.done] == ["change parameters"]
        project.undo()
        assert project.sim.config.active is None
        assert project.sim.view == looking(9.0), "nobody has looked elsewhere"
        assert "view" not in project.document["parameters"]
        assert project.document["parameters"] == lasting(project.sim.parameters())
