"""The page that replays a motion: everything in it, nothing from elsewhere."""

import base64
import json
import re

import numpy as np
import pytest

from stringless.formats.output.replay import write_replay
from stringless.formats.output.replay_meshes import shape_mesh
from stringless.kinematics import body_poses
from stringless.model.shapes import Shape
from stringless.model.solids import shape_solid
from stringless.scenes import load_scene
from stringless.simulation import Simulation


def page_of(name, path, frames=2):
    scene = load_scene(name)
    pose = body_poses(scene.model, scene.q)
    skin = None if scene.model.flesh is None else np.array([Simulation(scene).surface_positions] * frames)
    write_replay(
        path,
        scene.model,
        time=np.arange(frames) / 60,
        position=np.array([pose.position] * frames),
        rotation=np.array([pose.rotation] * frames),
        title="a </script> title",
        description="x & y",
        skin=skin,
    )
    return path.read_text(encoding="utf-8")


def data_of(page):
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])


@pytest.mark.parametrize("name", ["worm", "lamp", "glass_box", "dock", "finger", "playground"])
def test_page_holds_the_whole_scene(name, tmp_path):
    model = load_scene(name).model
    page = page_of(name, tmp_path / "replay.html")
    assert "http" not in re.sub(r"http://www.w3.org\S*", "", page)
    assert "a &lt;/script&gt; title" in page
    data = data_of(page)
    assert len(base64.b64decode(data["poses"])) == 2 * model.body_count * 7 * 4
    for mesh in data["meshes"]:
        assert np.max(mesh["triangles"]) < len(mesh["points"])
        assert len(mesh["color"]) == 4
    if model.flesh is not None:
        count = sum(len(spec.vertices) for spec in model.flesh.specs)
        assert data["skin"]["count"] == count
        assert len(base64.b64decode(data["skin"]["points"])) == 2 * count * 3 * 4
        assert len(base64.b64decode(data["skin"]["colors"])) == count * 3 * 4
        assert np.max(data["skin"]["triangles"]) == count - 1


def test_bones_inside_flesh_are_hidden_and_others_drawn(tmp_path):
    model = load_scene("lamp").model
    drawn = {mesh["body"] for mesh in data_of(page_of("lamp", tmp_path / "replay.html"))["meshes"]}
    assert drawn == {model.body("lower_arm").index, model.body("upper_arm").index}
    assert data_of(page_of("worm", tmp_path / "replay.html"))["meshes"] == []
    assert data_of(page_of("fish", tmp_path / "replay.html"))["meshes"][0]["body"] == -1


def test_floor_is_where_the_scene_has_it_or_below_everything(tmp_path):
    assert data_of(page_of("worm", tmp_path / "replay.html"))["floor"] == 0.0
    assert data_of(page_of("pendulum", tmp_path / "replay.html"))["floor"] == -0.1


@pytest.mark.parametrize(
    "shape",
    [
        Shape(kind="box", size=(0.1, 0.2, 0.3)),
        Shape(kind="sphere", size=(0.2,)),
        Shape(kind="capsule", size=(0.1, 0.3)),
        Shape(kind="cylinder", size=(0.1, 0.3)),
        Shape(kind="ellipsoid", size=(0.1, 0.2, 0.3)),
    ],
)
def test_drawn_shapes_enclose_their_solids(shape):
    points, triangles = shape_mesh(shape)
    a, b, c = np.swapaxes(points[triangles], 0, 1)
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    assert volume == pytest.approx(shape_solid(shape, density=1.0).mass, rel=0.06)
