"""The kernels in plain Python, as one debugs them, do what they do compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

RUN = """
import json, sys
import stringless as sl
scene, options, bone, steps = json.loads(sys.argv[1])
simulation = sl.Simulation(sl.load(scene), **options)
if bone:
    simulation.director.drag(bone).target += [0.02, 0.05, 0.0]
simulation.step(steps)
print(json.dumps([simulation.state.q.tolist(), simulation.state.v.tolist()]))
"""


def end_of(case: list, *, compiled: bool) -> tuple[np.ndarray, np.ndarray]:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    ran = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(case)], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    q, v = json.loads(ran.stdout.splitlines()[-1])
    return np.array(q), np.array(v)


@pytest.mark.parametrize(
    "case",
    [
        ["worm", {}, "bone_0", 3],
        ["humanoid", {}, None, 5],
        ["worm", {"substeps": "auto", "dt": 2e-3}, None, 1],
        ["ragdoll", {"engine": "stiff"}, None, 2],
        ["five_pendulums", {}, None, 20],
    ],
    ids=["directed flesh", "bones", "substeps", "stiff", "adaptive"],
)
def test_a_few_steps_agree_with_compiled_ones(case):
    q, v = end_of(case, compiled=False)
    q_compiled, v_compiled = end_of(case, compiled=True)
    assert np.abs(v).max() > 1e-3
    np.testing.assert_allclose(q, q_compiled, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(v, v_compiled, rtol=1e-7, atol=1e-7)
