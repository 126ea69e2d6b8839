"""The examples run, are short, say how to run them, and return the number they promise."""

import importlib.util
from pathlib import Path

import pytest

from stringless import dynamics

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
LONGEST = 80
"""Lines."""


def load(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_examples_are_there():
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short_and_says_how_to_run_it(path):
    lines = path.read_text().splitlines()
    assert len(lines) < LONGEST
    assert f"Run: python examples/{path.name}" in "\n".join(lines[:12])
    assert "Idea: " in "\n".join(lines[:12])


def test_loaded_pendulum_keeps_its_energy(capsys):
    """Symplectic Euler at 1 ms: energy errs by about h ω/2 of the motion's, ω = 4 rad/s or so."""
    change = load("01_load_and_simulate").main()
    assert 0 < change < 0.005
    assert "2.00 s" in capsys.readouterr().out


def test_waving_arm_conserves_the_bodys_momentum(capsys):
    """Exact but for rounding."""
    assert load("02_hybrid_dynamics").main() < 1e-12
    assert "right_elbow" in capsys.readouterr().out


@pytest.mark.skipif(
    not hasattr(dynamics, "forward_derivatives"), reason="dynamics.forward_derivatives is not there yet"
)
def test_derivatives_predict_a_nudge(capsys):
    """A nudge of 1e-5 leaves a second-order remainder of 1e-5 times the curvature, which is of order ten here."""
    assert 0 < load("03_derivatives").main() < 1e-3
    assert "predicted" in capsys.readouterr().out


def test_wrapped_mesh_comes_to_rest_on_the_floor(capsys):
    """A penalty contact holds a body of about 2 kg within a few millimetres."""
    assert 0 < load("04_wrap_a_mesh").main() < 0.005
    assert "tetrahedra" in capsys.readouterr().out


def test_two_futures_differ_and_are_both_kept(capsys):
    heights = load("05_rewind_and_branch").main()
    assert set(heights) == {"reached", "let go"}
    assert abs(heights["reached"] - 1.8) < 0.02, "it gets where it is asked to"
    assert abs(heights["reached"] - heights["let go"]) > 0.1
    assert "project.do('go_to', time=0.1)" in capsys.readouterr().out


def test_a_bone_follows_a_hand_over_the_wire(capsys):
    """A second of holding still is many times the settling time of a drag, so what is left is small beside 5 %."""
    assert load("06_direct_over_the_wire").main() == pytest.approx(1.0, abs=0.05)
    assert "undo would take back 'drag distal'" in capsys.readouterr().out


def test_every_finger_of_a_live_glove_feels_the_table(capsys):
    """The glove presses each finger 3 to 6 mm into the table."""
    pressed = load("07_glove").main(speed=4.0)
    assert list(pressed) == ["thumb", "index", "middle", "ring", "little"], "one after the other"
    assert all(0.1 < force < 5.0 for force in pressed.values())
    assert "the little pressed with" in capsys.readouterr().out


def test_a_pulled_robot_pulls_back(capsys):
    """At rest a spring gives what Hooke's law says; a percent is left for what still moves after three seconds."""
    forces = load("08_stiff").main()
    assert forces["sprung"] == pytest.approx(forces["hooke"], rel=0.01)
    assert 1 < forces["limp"] < 0.2 * forces["sprung"]
    assert "steps of 16.7 ms" in capsys.readouterr().out


def test_an_edited_motion_becomes_a_take(capsys):
    """The editor stops within a millimetre of what is wanted, and the take is what it has found."""
    assert load("09_edit_a_motion").main() < 1e-3
    assert "0.1803 -> " in capsys.readouterr().out


def test_a_jump_fails_by_bad_timing_alone():
    """A hand's breadth of air with one timing of the same commands, and with the other the flesh at most trembles."""
    heights = load("10_warp_a_jump").main()
    assert heights["three times as fast"] > 0.1
    assert heights["off by a sine"] > 0.1, "a few hundredths of a second are forgiven"
    assert heights["as recorded"] < 0.005
    assert heights["slow again"] == pytest.approx(heights["as recorded"], abs=1e-3)
