"""Meshes named in scene files are obstacles like any other shape."""

from pathlib import Path

import numpy as np

import stringless as sl

CUBE = Path(__file__).parents[2] / "data" / "cube.obj"
SCENE = """
[scene]
name = "ball on a cube"

[[world_shape]]
kind = "mesh"
file = "cube.obj"

[[body]]
name = "ball"
mass = 1.0
joint = { kind = "free" }

[[body.shape]]
kind = "sphere"
radius = 0.1
"""


def test_a_ball_comes_to_rest_on_a_mesh_of_a_scene_file(tmp_path: Path) -> None:
    """It stops on top of the mesh, and falls on where there is none."""
    (tmp_path / "cube.obj").write_bytes(CUBE.read_bytes())
    (tmp_path / "scene.toml").write_text(SCENE)
    scene = sl.load(tmp_path / "scene.toml")
    shape = scene.model.world_shapes[0]
    assert shape.surface is not None
    top = float(shape.surface[0][:, 1].max())
    heights = {}
    for x in (0.0, 50.0):
        sim = sl.Simulation(scene)
        q = sim.q.copy()
        q[:3] = x, top + 0.15, 0.0
        sim.set_state(q)
        sim.advance(1.0)
        heights[x] = float(sim.q[1])
    np.testing.assert_allclose(heights[0.0], top + 0.1, atol=5e-3)
    assert heights[50.0] < top - 1
