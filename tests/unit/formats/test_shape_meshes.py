"""Triangles that shapes are drawn with."""

import numpy as np
import pytest

from stringless.formats.output.shape_meshes import covered_bones, shape_mesh
from stringless.model.shapes import Shape
from stringless.model.solids import shape_solid
from stringless.scenes import load_scene


def test_bones_inside_flesh_are_covered_and_others_drawn():
    lamp, worm = load_scene("lamp").model, load_scene("worm").model
    shown = {body.index for body in lamp.bodies} - covered_bones(lamp)
    assert shown == {lamp.body("lower_arm").index, lamp.body("upper_arm").index}
    assert covered_bones(worm) == {body.index for body in worm.bodies}


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
