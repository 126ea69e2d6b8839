"""Faults that a first user found, one test each; every one was seen to fail before it was mended."""

import copy
import os
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import stringless as sl
from stringless import jit
from stringless.errors import Problem

HINGE = sl.JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),))
ROUND = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def test_kernel_of_another_project_is_never_stale(tmp_path):
    (tmp_path / "helper.py").write_text(
        "from stringless.jit import kernel\n@kernel\ndef g(x):\n    '''.'''\n    return x * 10.0\n"
    )
    (tmp_path / "user.py").write_text(
        "from stringless.jit import kernel\nimport helper\n@kernel\ndef f(x):\n    '''.'''\n    return helper.g(x) + 2.0\n"
        "print(f(1.0))\n"
    )
    environment = dict(os.environ, STRINGLESS_CACHE_DIR=str(tmp_path / "cache"), PYTHONDONTWRITEBYTECODE="1")

    def run():
        command = [sys.executable, "user.py"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    assert float(run()) == 12.0
    (tmp_path / "helper.py").write_text((tmp_path / "helper.py").read_text().replace("10.0", "20.0"))
    assert float(run()) == 22.0


@pytest.mark.parametrize(("scene", "seconds", "bound"), [("double_pendulum", 30.0, 0.15), ("tumbler", 30.0, 1e-4)])
def test_energy_of_an_undamped_scene_neither_grows_nor_fades(scene, seconds, bound):
    """Velocity products from the lagging velocity moved the energy by 2.5 and 0.03 J in this time."""
    simulation = sl.Simulation(sl.load(scene))
    start = simulation.energy().total
    simulation.advance(seconds)
    assert abs(simulation.energy().total - start) < bound


def test_long_chain_scene_loses_energy_and_does_not_burst():
    """The scene has a little damping; without any, 300 links still burst at 1 ms after 6.7 s."""
    simulation = sl.Simulation(sl.load("pendulum_300"))
    start = simulation.energy().total
    simulation.advance(9.0)
    assert simulation.energy().total < start


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_configuration_that_is_not_finite_is_caught(value):
    simulation = sl.Simulation(sl.load("tumbler"))
    simulation.q[0] = value
    with pytest.raises(sl.DivergenceError, match="joint 'plate' was set to a number that is not finite"):
        simulation.step()


def test_quaternion_without_length_is_caught_and_named():
    simulation = sl.Simulation(sl.load("tumbler"))
    simulation.q[3:] = 0.0
    with pytest.raises(sl.DivergenceError, match="a quaternion that is not of unit length"):
        simulation.step()


def test_leftover_time_is_not_lost():
    simulation = sl.Simulation(sl.load("pendulum"), dt=0.003)
    for _ in range(60):
        simulation.advance(1 / 60)
    assert simulation.time == pytest.approx(1.0, abs=0.0016)


def test_model_scene_simulation_and_errors_can_be_copied_and_pickled():
    scene = sl.load("ragdoll")
    simulation = sl.Simulation(scene)
    simulation.advance(0.05)
    twins = [copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation))]
    simulation.advance(0.05)
    for twin in twins:
        assert not twin.model.tree.flags.writeable
        twin.advance(0.05)
        np.testing.assert_array_equal(twin.q, simulation.q)
    problem = sl.ModelError("model 'm'", [Problem("body 'a'", "x", "y")])
    assert pickle.loads(pickle.dumps(problem)).problems == problem.problems
    fault = pickle.loads(pickle.dumps(sl.DivergenceError("it burst", time=1.0, joint="a", cause="c")))
    assert (str(fault), fault.time, fault.joint, fault.cause) == ("it burst", 1.0, "a", "c")


def test_cache_in_a_shared_folder_must_be_our_own(tmp_path, monkeypatch):
    folder = tmp_path / "stringless-1" / "digest"
    folder.mkdir(parents=True)
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    assert jit._is_ours(folder)
    monkeypatch.setattr(jit.os, "getuid", lambda: folder.stat().st_uid + 1)
    assert not jit._is_ours(folder)


def test_progress_never_counts_beyond_its_total():
    heard = []
    listener = jit._Listener(lambda name, done, total: heard.append((done, total)), 1)
    compiled = SimpleNamespace(
        data={"dispatcher": SimpleNamespace(py_func=test_progress_never_counts_beyond_its_total)}
    )
    for _ in range(3):
        listener.on_start(compiled)
        listener.on_end(compiled)
    assert heard == [(0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]


def test_model_cannot_lose_a_part():
    model = sl.load("pendulum").model
    with pytest.raises(AttributeError, match="frozen"):
        del model.nq


def test_plain_numbers_lists_and_arrays_describe_a_joint():
    lower = [-1.0]
    joint = sl.JointSpec(kind="revolute", axes=np.array([0.0, 0.0, 1.0]), lower=lower, upper=1, damping=0.1)
    body = sl.BodySpec(name="a", joint=joint, mass=1, inertia=list(ROUND), place=(0, 1, 0), parent=None)
    model = sl.ModelBuilder("m").add(body).build()
    lower[0] = -99.0
    spec = model.joint("a").spec
    assert (spec.axes, spec.lower, spec.upper, spec.damping) == (((0.0, 0.0, 1.0),), (-1.0,), (1.0,), (0.1,))
    assert model.body("a").spec.place.position == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("mass", [None, "heavy", [1.0, object()]])
def test_mass_that_is_no_number_is_named(mass):
    with pytest.raises(sl.InputError, match="mass of body 'a' is .* expected a number"):
        sl.BodySpec(name="a", mass=mass)


def test_name_in_place_of_a_scene_is_explained():
    with pytest.raises(sl.InputError, match="expected a Scene or a Model"):
        sl.Simulation("ragdoll")


def test_step_of_any_kind_of_number_is_taken():
    assert sl.Simulation(sl.load("pendulum"), dt=np.float32(1e-3)).config.dt == pytest.approx(1e-3)


def test_joint_without_inertia_of_its_own_is_named_as_the_cause():
    builder = sl.ModelBuilder("m").add_body("a", joint=HINGE)
    builder.add_body("b", "a", HINGE, mass=1.0, inertia=ROUND)
    with pytest.raises(sl.DivergenceError, match="joint 'a' has no inertia of its own"):
        sl.Simulation(builder.build()).step()


def test_massless_joint_is_reported_beside_other_problems():
    builder = sl.ModelBuilder("m").add_body("a", mass=-1.0)
    builder.add_body("b", joint=sl.JointSpec(kind="ball"))
    text = "\n".join(str(problem) for problem in builder.problems())
    assert "mass -1 kg" in text
    assert "body 'b': found no mass on it or on anything it carries" in text


def test_lower_swing_limit_is_refused():
    joint = sl.JointSpec(kind="ball", lower=(0.3, -1.0, 0.0), upper=(1.0, 1.0, 2.0))
    problems = sl.ModelBuilder("m").add_body("a", joint=joint, mass=1.0, inertia=ROUND).problems()
    assert [problem.found for problem in problems] == ["lower limit 0.3 of swing"]
