"""Shapes for a page to draw: those that look alike share a mesh, and many are drawn coarsely."""

from __future__ import annotations

import numpy as np
import pytest

import stringless as sl
from stringless.formats.output.replay_meshes import drawn_meshes, shape_mesh
from stringless.model import ModelBuilder
from stringless.model.shapes import Shape
from stringless.studio.builders import shapes as shape_builders
from stringless.studio.builders.shapes import build_shapes

ROUNDED = 1e-5
"""What a replay file rounds its points to [m]."""

NARROWER = 1.001 - np.cos(np.pi / 6) * np.sin(2 * np.pi / 5)
"""A ball of six sides and four rings, the coarsest there is, is narrower than a true one by this share."""


def points_of(mesh):
    return np.frombuffer(mesh.points, "<f4").reshape(-1, 3)


def triangles_of(mesh):
    return np.frombuffer(mesh.triangles, "<u4").reshape(-1, 3)


@pytest.mark.parametrize("name", ["company", "playground", "pendulum"])
def test_every_shape_is_drawn_as_a_replay_draws_it(name):
    model = sl.load(name).model
    meshes, shapes = build_shapes(model)
    expected = drawn_meshes(model, set())
    assert [shape.body for shape in shapes] == [mesh["body"] for mesh in expected]
    for shape, mesh in zip(shapes, expected, strict=True):
        np.testing.assert_allclose(points_of(meshes[shape.mesh]), mesh["points"], atol=ROUNDED)
        assert triangles_of(meshes[shape.mesh]).tolist() == mesh["triangles"]
        assert list(shape.color) == pytest.approx(mesh["color"])


def test_figures_that_look_alike_share_their_meshes():
    alone, _ = build_shapes(sl.load("crowd", count=1).model)
    meshes, shapes = build_shapes(sl.load("crowd", count=5).model)
    assert len(meshes) == len(alone) < 89
    assert len(shapes) == 5 * 89
    figures = [[shape.mesh for shape in shapes[89 * k : 89 * (k + 1)]] for k in range(5)]
    assert all(figure == figures[0] for figure in figures)
    assert len({shape.color for shape in shapes}) > 3, "what they wear is not shared"


def test_many_shapes_are_drawn_coarsely(monkeypatch):
    model = sl.load("crowd", count=1).model
    fine, shapes = build_shapes(model)
    monkeypatch.setattr(shape_builders, "MANY", 50)
    coarse, again = build_shapes(model)
    assert again == shapes

    def count(meshes):
        return sum(len(triangles_of(meshes[shape.mesh])) for shape in shapes)

    assert count(coarse) < count(fine) / 5
    for a, b in zip(fine, coarse, strict=True):
        size = np.ptp(points_of(a), axis=0)
        np.testing.assert_allclose(np.ptp(points_of(b), axis=0), size, rtol=NARROWER, err_msg="about as large")


@pytest.mark.parametrize(
    ("kind", "size", "reach"),
    [("sphere", (0.1,), 0.1), ("capsule", (0.05, 0.2), 0.25), ("cylinder", (0.05, 0.2), np.hypot(0.05, 0.2))],
)
def test_a_coarse_mesh_is_closed(kind, size, reach):
    shape = Shape(kind=kind, size=size)
    points, triangles = shape_mesh(shape, 0.25)
    assert len(triangles) < len(shape_mesh(shape)[1]) / 3
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(reach)
    _, place = np.unique(points.round(9), axis=0, return_inverse=True)
    corners = place.reshape(-1)[triangles]
    edges = {(a, b) for face in corners.tolist() for a, b in zip(face, face[1:] + face[:1], strict=True)}
    assert all((b, a) in edges for a, b in edges)


def test_what_files_bring_keeps_its_sharp_edges():
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    made = Shape(kind="box", size=(0.1, 0.1, 0.1))
    brought = Shape(kind="mesh", mesh="t.obj", size=(2.0, 1.0, 1.0), surface=(corners, faces))
    builder = ModelBuilder("mixed")
    builder.add_body("a", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0), shapes=[made, brought])
    meshes, shapes = build_shapes(builder.build())
    assert [meshes[shape.mesh].smooth for shape in shapes] == [True, False]
    np.testing.assert_allclose(points_of(meshes[1]), corners * [2, 1, 1])
