"""Choices of a simulation are checked when it is made."""

import pytest

from models import pendulum
from stringless.errors import InputError
from stringless.simulation import Simulation, SimulationConfig


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("engine", "maximal", "engine 'maximal' is unknown; choose one of: reduced"),
        ("integrator", "euler", "integrator 'euler' is unknown; choose one of: symplectic, rk4"),
        ("dt", 0.0, "dt is 0.0, expected a finite number above 0"),
        ("dt", -1e-3, "dt is -0.001, expected a finite number above 0"),
        ("dt", float("nan"), "dt is nan, expected a finite number above 0"),
        ("dt", "fast", "dt is 'fast', expected a finite number above 0"),
        ("stop_frequency", float("inf"), "stop_frequency is inf, expected a finite number above 0"),
        ("max_speed", 0, "max_speed is 0, expected a finite number above 0"),
    ],
)
def test_impossible_choice_is_refused(name, value, message):
    with pytest.raises(InputError, match=message):
        SimulationConfig(**{name: value})
    with pytest.raises(InputError, match=message):
        Simulation(pendulum(), **{name: value})


def test_choices_cannot_be_changed_afterwards():
    config = SimulationConfig()
    with pytest.raises(AttributeError):
        config.dt = 1.0


def test_unknown_option_is_refused():
    with pytest.raises(InputError, match="a simulation has no parameter 'stepsize'; it has: dt, "):
        Simulation(pendulum(), stepsize=1.0)
