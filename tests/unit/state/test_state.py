"""The state copies and restores itself; every thread works in its own scratch."""

import threading

import numpy as np

from models import random_forest, random_motion
from stringless import dynamics
from stringless.state import State, scratch


def test_copy_is_independent():
    state = State(1.5, np.array([1.0, 2.0]), np.array([3.0]))
    copy = state.copy()
    state.q[0], state.v[0], state.time = 9.0, 9.0, 9.0
    assert copy.time == 1.5
    np.testing.assert_array_equal(copy.q, [1.0, 2.0])
    np.testing.assert_array_equal(copy.v, [3.0])


def test_restore_writes_in_place():
    state = State(0.0, np.zeros(2), np.zeros(1))
    q, v = state.q, state.v
    state.restore(State(2.0, np.array([1.0, 2.0]), np.array([3.0])))
    assert state.q is q
    assert state.v is v
    assert state.time == 2.0
    np.testing.assert_array_equal(q, [1.0, 2.0])
    np.testing.assert_array_equal(v, [3.0])


def test_scratch_is_kept_per_model_and_thread():
    model, other = random_forest(0), random_forest(1)
    here = scratch(model)
    assert scratch(model) is here
    assert scratch(other) is not here
    elsewhere = []
    thread = threading.Thread(target=lambda: elsewhere.append(scratch(model)))
    thread.start()
    thread.join()
    assert elsewhere[0] is not here


def test_threads_on_one_model_do_not_disturb_each_other():
    model = random_forest(0, bodies=40)
    motions = [random_motion(model, seed) for seed in range(4)]
    expected = [dynamics.forward(model, m.q, m.v, m.tau) for m in motions]
    wrong = []

    def work(k):
        m = motions[k]
        for _ in range(500):
            if not np.array_equal(dynamics.forward(model, m.q, m.v, m.tau), expected[k]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
