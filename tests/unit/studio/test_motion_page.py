"""The page that plays a motion: everything in it, nothing from elsewhere."""

import base64
import gzip
import re

import msgspec
import numpy as np
import pytest

import stringless as sl
from stringless.errors import InputError
from stringless.studio import motion_page
from stringless.studio.builders import motion
from stringless.studio.frames import unpack_frame
from stringless.studio.messages import Scene
from stringless.timeline.drawing import draw


@pytest.fixture(autouse=True)
def player(monkeypatch, tmp_path):
    """A page in place of the built one."""
    path = tmp_path / "player.html"
    path.write_text('<title>x</title><script id="motion">__MOTION__</script>')
    monkeypatch.setattr(motion_page, "PLAYER", path)
    return path


def simulated(name, steps=60, **settings):
    sim = sl.Simulation(sl.load(name), record=120, **settings)
    sim.step(steps)
    sim.finish_recording()
    return sim


def parts_of(page):
    text = re.search(r'<script id="motion">(.*?)</script>', page.read_text(), re.DOTALL)[1]
    data, parts, at = gzip.decompress(base64.b64decode(text)), [], 0
    while at < len(data):
        (size,) = motion.LENGTH.unpack_from(data, at)
        parts.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return msgspec.msgpack.decode(parts[0], type=Scene), [unpack_frame(part)[1] for part in parts[1:]]


@pytest.mark.parametrize("name", ["worm", "finger", "playground"])
def test_page_holds_the_scene_and_every_frame(name, tmp_path):
    sim = simulated(name)
    scene, frames = parts_of(sl.export(sim, tmp_path / "take.html", rate=120))
    assert (scene.name, scene.description) == (sim.scene.name, sim.scene.description)
    assert [body.name for body in scene.bodies] == [body.name for body in sim.model.bodies]
    assert (scene.flesh is None) == (sim.model.flesh is None)
    recorded = list(sim.take.frames())
    assert [frame.time for frame in frames] == [frame.time for frame in recorded]
    for shown, frame in zip(frames, recorded, strict=True):
        drawn = draw(sim.model, frame)
        np.testing.assert_allclose(shown.poses[:, :3], drawn.position, atol=1e-6)
        np.testing.assert_allclose(shown.nodes, drawn.nodes, atol=1e-6)
        np.testing.assert_allclose(shown.center[:3], drawn.center, atol=1e-6)


def test_a_crowd_is_told_pose_by_pose(tmp_path, monkeypatch):
    """On the wire its bodies are told by their parents; here any frame can be the first to be shown."""
    sim = sl.Simulation(sl.load("crowd", count=2), record=60)
    sim.step(50)
    _, frames = parts_of(sl.export(sim, tmp_path / "take.html"))
    assert all(len(frame.poses) == sim.model.body_count for frame in frames)
    monkeypatch.setattr(motion, "MOST_POSES", 2 * sim.model.body_count)
    _, fewer = parts_of(sl.export(sim, tmp_path / "take.html"))
    assert len(frames) > len(fewer) == 2


def test_title_and_description_can_be_chosen(tmp_path):
    title = "a </script> title"
    page = sl.export(simulated("pendulum"), tmp_path / "take.html", title=title, description="x & y")
    scene, _ = parts_of(page)
    assert (scene.name, scene.description) == (title, "x & y")


def test_without_the_built_page_it_says_what_to_do(tmp_path, player):
    player.unlink()
    with pytest.raises(InputError, match="run `make page`"):
        sl.export(simulated("pendulum"), tmp_path / "take.html")
    assert not (tmp_path / "take.html").exists()


def test_it_is_listed_with_the_formats():
    assert ".html" in sl.formats.list_suffixes(sl.formats.list_writers("motion"))
