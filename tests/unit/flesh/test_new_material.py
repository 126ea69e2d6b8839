"""A material from outside of the package: flesh is made of it, and simulated with it, by its name."""

import json
import os
import subprocess
import sys

import pytest

from stringless.errors import InputError
from stringless.flesh.materials.registry import MATERIAL_TYPES, register_material

SCRIPT = """
import json
import numpy as np
import stringless as sl
from flesh_models import block, deformation, energy, forces, tables
from stringless.flesh import generators
from stringless.flesh.materials.registry import MATERIAL_TYPES
from stringless.flesh.quantities import flagged_elements
from stringless.flesh.wrap import wrap
from stringless.model import BodySpec, JointSpec, ModelBuilder, Pose, Scene
from stringless.scenes import bones
from stringless.scenes.ground import floor
from stringless.simulation import Simulation

nodes, tets, _ = block()
x = nodes @ deformation(np.random.default_rng(1), (1.3, 1.0, 0.7)).T
before = forces(tables(nodes, tets), x)[0]  # compiled, and to be compiled again

import springy_material

again = forces(tables(nodes, tets), x)[0]
flesh = tables(nodes, tets, material="springy")
f, flagged = forces(flesh, x)
rng = np.random.default_rng(2)
shift = 1e-6 * rng.normal(size=x.shape)
work = energy(flesh, x - shift) - energy(flesh, x + shift)

builder = ModelBuilder("ball")
core = bones.sphere((0.0, 0.0, 0.0), 0.02)
builder.add(bones.body("core", core, 0.1, joint=JointSpec(kind="free")))
surface = generators.sphere(radius=0.05)
spec = wrap(builder, surface, cells=(4, 4, 4), material="springy", young=2e4)
builder.world_shapes.append(floor())
model = builder.build()
q = model.neutral()
q[1] = 0.06
sim = Simulation(Scene(model, q=q), record=0)
sim.advance(0.5)
print(json.dumps({
    "same": bool(np.array_equal(before, again)),
    "flagged": [flagged, len(flagged_elements(flesh, x)), len(tets)],
    "work": work, "power": float(np.sum(f * 2 * shift)),
    "code": [spec.material_code, springy_material.SPRINGY.code],
    "lowest": float(sim.surface_positions[:, 1].min()), "height": float(sim.q[1]),
    "stretched": sim.engine.workspace.counts[0] == len(model.flesh.elements),
}, default=float))
"""


def test_flesh_of_a_material_from_outside_falls_and_rests():
    """In a process of its own: all kernels that know materials are compiled again there."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout.splitlines()[-1])
    assert told["same"], "flesh of other materials is what it was"
    assert len(set(told["flagged"])) == 1, "it has no plain form"
    assert told["stretched"]
    assert told["work"] == pytest.approx(told["power"], rel=1e-6), "its forces are the slope of its energy"
    assert abs(told["power"]) > 0
    assert told["code"][0] == told["code"][1] >= 100
    assert -5e-3 < told["lowest"] < 5e-3
    assert 0.03 < told["height"] < 0.055


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(InputError, match="material 'stvk' is registered already; give yours another name"):
        register_material(MATERIAL_TYPES["stvk"])
