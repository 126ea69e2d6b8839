"""Shapes for a page to draw: those that look alike share a mesh, and many are drawn coarsely."""

from __future__ import annotations

import numpy as np
import pytest

import stringless as sl
from stringless.formats.output.shape_meshes import BODY_COLOR, WORLD_COLOR, bar, shape_mesh, visible
from stringless.model import ModelBuilder
from stringless.model.shapes import Shape
from stringless.studio.builders import scene as scene_builder
from stringless.studio.builders.scene import build_shapes

NARROWER = 1.001 - np.cos(np.pi / 6) * np.sin(2 * np.pi / 5)
"""A ball of six sides and four rings, the coarsest there is, is narrower than a true one by this share."""


def points_of(mesh):
    return np.frombuffer(mesh.points, "<f4").reshape(-1, 3)


def triangles_of(mesh):
    return np.frombuffer(mesh.triangles, "<u4").reshape(-1, 3)


def shapes_one_by_one(model):
    """Body, points, triangles and colour of every shape, as they stand in the model; a bar for a body without shapes."""
    for shape in visible(model.world_shapes):
        yield -1, *placed(shape), shape.color or WORLD_COLOR
    for body in model.bodies:
        for shape in visible(body.shapes):
            yield body.index, *placed(shape), shape.color or BODY_COLOR
        if not body.shapes:
            place = np.array(body.spec.place.position if body.parent >= 0 else (0.0, 0.0, 0.0))
            yield body.index, *bar(tuple(-place)), BODY_COLOR


def placed(shape):
    points, triangles = shape_mesh(shape)
    return points @ shape.place.matrix.T + shape.place.position, triangles


@pytest.mark.parametrize("name", ["company", "playground", "pendulum"])
def test_every_shape_is_drawn_where_it_is(name):
    model = sl.load(name).model
    meshes, shapes = build_shapes(model)
    for shape, (body, points, triangles, color) in zip(shapes, shapes_one_by_one(model), strict=True):
        assert shape.body == body
        np.testing.assert_allclose(points_of(meshes[shape.mesh]), points, atol=1e-6)
        assert triangles_of(meshes[shape.mesh]).tolist() == triangles.tolist()
        assert list(shape.color) == pytest.approx([*color, 1.0][:4])


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
    monkeypatch.setattr(scene_builder, "MANY", 50)
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
