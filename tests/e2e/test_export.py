"""What was seen leaves the studio: as an animation, and as a film."""

from __future__ import annotations

import pygltflib

from stage import Stage


def record(stage: Stage) -> None:
    """A third of a second on record."""
    stage.run_to(0.33, 1.0)


def test_the_take_as_an_animation(stage, tmp_path):
    record(stage)
    stage.click("open-export")
    stage.click("export-go")
    job = stage.until("the job is done", lambda: [job for job in stage.status["jobs"] if job["state"] == "finished"])[0]
    with stage.page.expect_download() as download:
        stage.page.get_by_test_id("download-job").first.click()
    path = tmp_path / "worm.glb"
    download.value.save_as(path)
    model = pygltflib.GLTF2().load(path)
    assert job["done"] == 1.0
    assert len(model.animations) == 1
    assert any(mesh.primitives[0].targets for mesh in model.meshes), "the flesh deforms"
    assert {"bone_0", "bone_6"} <= {node.name for node in model.nodes}


def test_a_film_of_the_stage(stage, tmp_path):
    record(stage)
    stage.click("open-export")
    stage.click("export-video")
    stage.click("size-720p")
    with stage.page.expect_download(timeout=300_000) as download:
        stage.click("film-go")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    data = path.read_bytes()
    assert len(data) > 5000
    assert data[4:8] == b"ftyp" or data[:4] == b"\x1aE\xdf\xa3", "an MP4 or a WebM file"
