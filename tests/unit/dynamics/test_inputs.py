"""Wrong arguments of the dynamics: the message names the argument, what was given and what was expected."""

import numpy as np
import pytest

from models import random_forest
from stringless import dynamics
from stringless.errors import InputError, StringlessError


@pytest.fixture(scope="module")
def model():
    return random_forest(0)


def hybrid(m, **changes):
    fields = {"prescribed": np.zeros(m.nv, bool), "vdot": np.zeros(m.nv), "tau": np.zeros(m.nv), **changes}
    return dynamics.hybrid(
        m,
        changes.pop("q", m.neutral()),
        fields.pop("v", np.zeros(m.nv)),
        **{key: value for key, value in fields.items() if key != "q"},
    )


CALLS = {
    "forward q": (lambda m, x: dynamics.forward(m, x, np.zeros(m.nv), np.zeros(m.nv)), "q", "nq"),
    "forward v": (lambda m, x: dynamics.forward(m, m.neutral(), x, np.zeros(m.nv)), "v", "nv"),
    "forward tau": (lambda m, x: dynamics.forward(m, m.neutral(), np.zeros(m.nv), x), "tau", "nv"),
    "inverse q": (lambda m, x: dynamics.inverse(m, x, np.zeros(m.nv), np.zeros(m.nv)), "q", "nq"),
    "inverse v": (lambda m, x: dynamics.inverse(m, m.neutral(), x, np.zeros(m.nv)), "v", "nv"),
    "inverse vdot": (lambda m, x: dynamics.inverse(m, m.neutral(), np.zeros(m.nv), x), "vdot", "nv"),
    "hybrid q": (lambda m, x: hybrid(m, q=x), "q", "nq"),
    "hybrid v": (lambda m, x: hybrid(m, v=x), "v", "nv"),
    "hybrid vdot": (lambda m, x: hybrid(m, vdot=x), "vdot", "nv"),
    "hybrid tau": (lambda m, x: hybrid(m, tau=x), "tau", "nv"),
    "bias q": (lambda m, x: dynamics.bias(m, x, np.zeros(m.nv)), "q", "nq"),
    "bias v": (lambda m, x: dynamics.bias(m, m.neutral(), x), "v", "nv"),
    "passive q": (lambda m, x: dynamics.passive(m, x, np.zeros(m.nv)), "q", "nq"),
    "passive v": (lambda m, x: dynamics.passive(m, m.neutral(), x), "v", "nv"),
    "energy q": (lambda m, x: dynamics.energy(m, x, np.zeros(m.nv)), "q", "nq"),
    "energy v": (lambda m, x: dynamics.energy(m, m.neutral(), x), "v", "nv"),
    "momentum q": (lambda m, x: dynamics.momentum(m, x, np.zeros(m.nv)), "q", "nq"),
    "momentum v": (lambda m, x: dynamics.momentum(m, m.neutral(), x), "v", "nv"),
    "command_derivatives q": (
        lambda m, x: dynamics.command_derivatives(m, x, prescribed=np.zeros(m.nv, bool)),
        "q",
        "nq",
    ),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("bad", [np.zeros(2), np.zeros((2, 3)), 1.0], ids=["short", "matrix", "number"])
def test_wrong_shape_is_refused_by_name(model, call, bad):
    function, name, count = CALLS[call]
    with pytest.raises(InputError) as caught:
        function(model, bad)
    message = str(caught.value)
    assert f"'{name}' for model 'forest_0' has shape {np.shape(bad)}, expected ({getattr(model, count)},)" in message
    assert isinstance(caught.value, (ValueError, StringlessError))


@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_number_is_refused_by_name(model, call):
    function, name, _ = CALLS[call]
    with pytest.raises(InputError, match=f"'{name}' for model 'forest_0'"):
        function(model, ["a", "b"])


EXTERNAL = {
    "forward": lambda m, x: dynamics.forward(m, m.neutral(), np.zeros(m.nv), np.zeros(m.nv), x),
    "inverse": lambda m, x: dynamics.inverse(m, m.neutral(), np.zeros(m.nv), np.zeros(m.nv), x),
    "hybrid": lambda m, x: hybrid(m, external=x),
}


@pytest.mark.parametrize("call", EXTERNAL)
@pytest.mark.parametrize("bad", [np.zeros(6), np.zeros((3, 6)), np.zeros((12, 3))], ids=["one", "few", "forces"])
def test_wrong_wrenches_are_refused(model, call, bad):
    with pytest.raises(InputError) as caught:
        EXTERNAL[call](model, bad)
    assert f"'external' for model 'forest_0' has shape {bad.shape}, expected (12, 6)" in str(caught.value)


@pytest.mark.parametrize("call", EXTERNAL)
def test_wrenches_that_are_no_numbers_are_refused_by_name(model, call):
    with pytest.raises(InputError, match="'external' for model 'forest_0'"):
        EXTERNAL[call](model, "push")


PRESCRIBED = {
    "hybrid": lambda m, x: hybrid(m, prescribed=x),
    "command_derivatives": lambda m, x: dynamics.command_derivatives(m, m.neutral(), prescribed=x),
}


@pytest.mark.parametrize("call", PRESCRIBED)
@pytest.mark.parametrize(
    "bad", [np.zeros(3, bool), np.zeros(32), [0, 1], "all"], ids=["short", "floats", "indices", "text"]
)
def test_wrong_flags_are_refused(model, call, bad):
    with pytest.raises(InputError) as caught:
        PRESCRIBED[call](model, bad)
    message = str(caught.value)
    assert f"'prescribed' for model 'forest_0' has shape {np.shape(bad)}" in message
    assert f"expected ({model.nv},) and bool" in message


@pytest.mark.parametrize("about", [np.zeros(2), 1.0, np.zeros((3, 1))])
def test_wrong_point_of_the_angular_momentum_is_refused(model, about):
    with pytest.raises(InputError, match=r"'about' .* has shape .*, expected \(3,\)"):
        dynamics.momentum(model, model.neutral(), np.zeros(model.nv), about=about)
