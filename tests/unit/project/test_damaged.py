"""Damaged project files: refused with a reason or loaded as they were, never anything else; and rescued as far as possible."""

from __future__ import annotations

import numpy as np
import pytest

from stringless.errors import InputError, ProjectError
from stringless.project import Project
from stringless.timeline import rescue


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "a.stringless"
    with Project.create("pendulum", path) as project:
        for k in range(30):
            project.do("advance", seconds=0.1)
            project.do("mark", name=f"mark {k}")
        project.do("go_to", time=1.0)
        project.do("advance", seconds=1.5)
        project.undo()
        truth = project.document, [frame.q.tolist() for frame in project.take.frames(branch=1)]
    return path.read_bytes(), truth


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    if rng.random() < 0.2:
        return data[: rng.integers(len(data))]
    hurt = bytearray(data)
    for place in rng.integers(len(data), size=rng.integers(1, 4)):
        hurt[place] ^= 1 << rng.integers(8)
    return bytes(hurt)


def test_flipped_bits_and_cut_ends_are_noticed_or_do_no_harm(made, tmp_path):
    data, truth = made
    rng = np.random.default_rng(2)
    refused = 0
    for k in range(150):
        path = tmp_path / f"{k}.stringless"
        path.write_bytes(damaged(data, rng))
        try:
            with Project.open(path, readonly=True) as project:
                assert project.document == truth[0]
                assert [frame.q.tolist() for frame in project.take.frames(branch=1)] == truth[1]
        except ProjectError:
            refused += 1
        path.unlink()
    assert 20 < refused < 150


def test_what_is_intact_can_be_rescued_and_opened(made, tmp_path):
    data, truth = made
    rng = np.random.default_rng(3)
    opened = 0
    for k in range(40):
        path, new = tmp_path / f"{k}.stringless", tmp_path / f"{k}-new.stringless"
        path.write_bytes(damaged(data, rng))
        try:
            rescue(path, new)
            with Project.open(new) as project:
                frames = project.take.frames(branch=1)
                known = {tuple(q) for q in truth[1]}
                assert all(tuple(frame.q) in known for frame in frames)
                project.do("advance", steps=5)
                while project.history.done:
                    project.undo()
                assert project.script()
                opened += 1
        except (ProjectError, InputError):
            continue
    assert opened > 15
