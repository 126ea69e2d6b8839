"""`dynamics.forward` checks its arguments in one glance and enters the kernel directly: nothing may slip through."""

from __future__ import annotations

import numpy as np
import pytest

from models import random_forest, random_motion
from stringless import dynamics, jit
from stringless.errors import InputError
from stringless.kinematics import kernels
from stringless.state.scratch import scratch

MODEL = random_forest(1, bodies=9)
AT = random_motion(MODEL, 1)
RIGHT = dynamics.forward(MODEL, AT.q, AT.v, AT.tau)


class Subclass(np.ndarray):
    """An array that is not quite one."""


def strided(x: np.ndarray) -> np.ndarray:
    return np.repeat(x, 2)[::2]


def frozen(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


def unaligned(x: np.ndarray) -> np.ndarray:
    return np.frombuffer(bytearray(b"\0" + x.tobytes()), dtype=np.float64, offset=1)


FORMS = {
    "list": list,
    "strided": strided,
    "reversed twice": lambda x: x[::-1].copy()[::-1],
    "read-only": frozen,
    "unaligned": unaligned,
    "big-endian": lambda x: x.astype(">f8"),
    "long double": lambda x: x.astype(np.longdouble),
    "object": lambda x: x.astype(object),
    "subclass": lambda x: x.view(Subclass),
}


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("form", FORMS)
def test_any_form_gives_the_same(form, which):
    arguments: list = [AT.q, AT.v, AT.tau]
    arguments[which] = FORMS[form](arguments[which])

    np.testing.assert_array_equal(dynamics.forward(MODEL, *arguments), RIGHT)


@pytest.mark.parametrize("which", range(3))
def test_whole_numbers_are_not_taken_for_their_bits(which):
    arguments: list = [AT.q, AT.v, AT.tau]
    arguments[which] = np.ones(len(arguments[which]), dtype=np.int64)
    right = list(arguments)
    right[which] = np.ones(len(arguments[which]))

    np.testing.assert_array_equal(dynamics.forward(MODEL, *arguments), dynamics.forward(MODEL, *right))


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize(
    "spoil", [lambda x: x[:-1], lambda x: x[None], lambda x: np.append(x, 0.0), lambda x: x[:, None]]
)
def test_wrong_shape_is_refused(spoil, which):
    arguments: list = [AT.q, AT.v, AT.tau]
    arguments[which] = spoil(arguments[which])

    with pytest.raises(InputError, match=f"'{('q', 'v', 'tau')[which]}' for model"):
        dynamics.forward(MODEL, *arguments)


def test_arguments_are_left_alone():
    q, v, tau = AT.q.copy(), AT.v.copy(), AT.tau.copy()

    dynamics.forward(MODEL, q, v, tau)

    np.testing.assert_array_equal(np.concatenate([q, v, tau]), np.concatenate([AT.q, AT.v, AT.tau]))


def test_entry_does_what_the_kernel_does():
    work = scratch(MODEL)
    arguments = (MODEL.tree, MODEL.dofs, AT.q, AT.v, work.bodies, work.dofs)
    enter = jit.entry(kernels.motions, *arguments)
    kernels.motions(*arguments)
    expected = work.bodies["p"].copy()
    work.bodies["p"] = 0.0

    enter(*arguments)

    np.testing.assert_array_equal(work.bodies["p"], expected)
