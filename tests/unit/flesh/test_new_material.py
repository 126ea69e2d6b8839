"""A material of another package: flesh is made of it, and simulated with it, by its name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stringless.errors import InputError
from stringless.flesh.materials import MATERIAL_TYPES, register_material

HERE = Path(__file__).parents[2]
BALL = """
[[world_shape]]
kind = "plane"
rotation_degrees = [-90.0, 0.0, 0.0]

[[body]]
name = "core"
density = 3000.0
position = [0.0, 0.06, 0.0]
joint = { kind = "free" }
shape = [{ kind = "sphere", radius = 0.02 }]

[[flesh]]
name = "ball"
young = 20e3
material = "springy"
surface = { kind = "sphere", radius = 0.05, position = [0.0, 0.06, 0.0] }
cage = { cells = [4, 4, 4] }
"""
SCRIPT = """
import json
import sys
import numpy as np
import stringless as sl
from flesh_models import block, deformation, energy, forces, tables
from stringless.flesh.materials import MATERIAL_TYPES
from stringless.flesh.quantities import flagged_elements

nodes, tets, _ = block()
x = nodes @ deformation(np.random.default_rng(1), (1.3, 1.0, 0.7)).T
before = forces(tables(nodes, tets), x)[0]  # compiled, and to be compiled again

assert "springy" not in MATERIAL_TYPES
scene = sl.load(sys.argv[1])

again = forces(tables(nodes, tets), x)[0]
flesh = tables(nodes, tets, material="springy")
f, flagged = forces(flesh, x)
rng = np.random.default_rng(2)
shift = 1e-6 * rng.normal(size=x.shape)
work = energy(flesh, x - shift) - energy(flesh, x + shift)

sim = sl.Simulation(scene, record=0)
sim.advance(0.5)
print(json.dumps({
    "same": bool(np.array_equal(before, again)),
    "flagged": [flagged, len(flagged_elements(flesh, x)), len(tets)],
    "work": work, "power": float(np.sum(f * 2 * shift)),
    "code": [int(scene.model.flesh.materials[0]["kind"]), MATERIAL_TYPES["springy"].code],
    "lowest": float(sim.surface_positions[:, 1].min()), "height": 0.06 + float(sim.q[1]),
    "stretched": sim.engine.workspace.counts[0] == len(scene.model.flesh.elements),
}, default=float))
"""


@pytest.fixture
def package(tmp_path):
    """A folder in which a package with a material is installed."""
    folder = tmp_path / "site"
    about = folder / "springs-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: springs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stringless.materials]\nsprings = springy_material\n")
    (folder / "springy_material.py").write_bytes((HERE / "springy_material.py").read_bytes())
    return folder


def test_a_scene_file_names_a_material_of_another_package_and_its_flesh_falls_and_rests(package, tmp_path):
    """In a process of its own: all kernels that know materials are compiled again there."""
    scene = tmp_path / "ball.toml"
    scene.write_text(BALL)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(package), *sys.path])}
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT, scene], env=environment, capture_output=True, text=True, check=False
    )
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
