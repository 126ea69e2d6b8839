"""A take as a GLB file: valid, and what was seen is what is in it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import hatch_build
import stringless as sl
from gltf_player import Player
from stringless.formats.glb.shapes import normals
from stringless.timeline.drawing import draw

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "page"
FLESHED = ["worm_tilted", "finger"]
ROUNDED = 2e-6
"""Bones: positions and quaternions of single precision, of things within a few metres [m]."""
LIT = np.cos(np.radians(10))
"""Normals of the flesh are a least-squares fit over the take; a few degrees are not seen."""


def recorded(scene, seconds=0.6):
    sim = sl.Simulation(scene, record=120.0)
    sim.advance(seconds)
    return sim


@pytest.fixture(scope="module", params=[*FLESHED, "playground"])
def exported(request, tmp_path_factory):
    """A simulation, its frames and the file."""
    sim = recorded(sl.load(request.param))
    path = sl.export(sim, tmp_path_factory.mktemp("glb") / "take.glb", rate=40)
    return sim, [frame for frame in sim.take.frames() if round(frame.step * 40e-3, 9) % 1 == 0], Player(path), path


def node(script: str, *arguments: str) -> dict:
    hatch_build.install(PAGE)
    program = hatch_build.node_folder() / "node"
    command = [program, HERE / script, PAGE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_validator_finds_nothing(exported):
    issues = node("glb_validate.cjs", str(exported[3]))["issues"]

    assert issues["messages"] == []


def test_every_frame_is_in_the_file(exported):
    _, frames, player, _ = exported

    assert len(frames) > 20
    np.testing.assert_allclose(player.times, [frame.time - frames[0].time for frame in frames], atol=1e-6)


def test_bones_are_where_they_were(exported):
    sim, frames, player, _ = exported
    nodes = [player.node(body.name) for body in sim.model.bodies]
    for frame in frames[::6]:
        seen = draw(sim.model, frame)
        for body, number in zip(sim.model.bodies, nodes, strict=True):
            X = player.pose(number, frame.time - frames[0].time)
            np.testing.assert_allclose(X[:3, 3], seen.position[body.index], atol=ROUNDED)
            np.testing.assert_allclose(X[:3, :3], seen.rotation[body.index], atol=ROUNDED)


def test_bones_hang_from_each_other_as_in_the_model(exported):
    sim, _, player, _ = exported
    for body in sim.model.bodies:
        above = player.nodes[player.parents[player.node(body.name)]].name
        assert above == (sim.model.bodies[body.parent].name if body.parent >= 0 else f"{sim.model.name} skeleton")


def test_the_surface_is_where_it_was(exported):
    sim, frames, player, _ = exported
    if sim.model.flesh is None:
        assert not player.document.skins
        return
    bound = player.document.asset.extras["surface_error"]
    assert 0 < bound <= 5e-4
    (spec,) = sim.model.flesh.specs
    worst, moved = 0.0, 0.0
    for frame in frames:
        x, n = player.surface(f"{spec.name} surface", frame.time - frames[0].time)
        seen = draw(sim.model, frame).skin
        worst = max(worst, np.linalg.norm(x - seen, axis=1).max())
        moved = max(moved, np.linalg.norm(x - spec.vertices, axis=1).max())
        true = normals(seen[None], spec.triangles)[0]
        assert np.einsum("vi,vi->v", n, true).min() > LIT
    assert worst <= bound
    assert moved > 10 * bound, "a surface at rest would have been near enough"


def test_weights_stay_where_blender_keeps_them(exported):
    _, _, player, _ = exported
    for channel in player.document.animations[0].channels:
        if channel.target.path == "weights":
            values = player.numbers(player.document.animations[0].samplers[channel.sampler].output)
            assert values.min() >= 0
            assert values.max() <= 1


@pytest.mark.parametrize("exported", FLESHED, indirect=True)
def test_three_js_plays_what_was_seen(exported):
    sim, frames, player, path = exported
    (spec,) = sim.model.flesh.specs
    chosen = frames[3], frames[-2]
    times = [str(frame.time - frames[0].time) for frame in chosen]
    played = node("glb_three.mjs", str(path), f"{spec.name} surface", *times)

    assert played["animation"] == "take 1"
    bound = player.document.asset.extras["surface_error"]
    for frame, points in zip(chosen, played["seen"], strict=True):
        assert np.linalg.norm(draw(sim.model, frame).skin[:50] - points, axis=1).max() <= bound


def test_colors_are_amounts_of_light(tmp_path):
    sim = recorded(sl.load("fish"), 0.05)
    player = Player(sl.export(sim, tmp_path / "fish.glb"))
    (spec,) = sim.model.flesh.specs
    mesh = player.document.meshes[player.nodes[player.node(f"{spec.name} surface")].mesh]

    light = player.numbers(mesh.primitives[0].attributes.COLOR_0)
    screen = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light.astype(float) ** (1 / 2.4) - 0.055)
    np.testing.assert_allclose(screen, spec.colors, atol=1e-5)


def test_the_world_may_stay_behind(tmp_path):
    sim = recorded(sl.load("finger"), 0.05)
    names = [
        {node.name for node in Player(sl.export(sim, tmp_path / "x.glb", world=world)).nodes} for world in (True, False)
    ]

    assert names[0] - names[1] == {"world", "floor"}


def test_who_cancels_leaves_no_file(tmp_path):
    sim = recorded(sl.load("pendulum"), 0.2)
    told = []

    def stop(done):
        told.append(done)
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sl.export(sim, tmp_path / "x.glb", progress=stop)
    assert list(tmp_path.iterdir()) == []

    told.clear()
    sl.export(sim, tmp_path / "x.glb", progress=told.append)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)
