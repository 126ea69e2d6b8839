"""OBJ files of all habits: what matters is read, what does not is passed over, what is broken is named by its line."""

import numpy as np
import pytest

from stringless.errors import ModelError
from stringless.formats import read_surface
from stringless.formats.meshes import read_obj

CORNERS = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
QUADS = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))


def faces(corner):
    return "".join("f " + " ".join(corner(i) for i in quad) + "\n" for quad in QUADS)


@pytest.mark.parametrize("corner", ["{}", "{}/1", "{}/1/1", "{}//1"])
def test_cube_with_materials_textures_and_quads(tmp_path, corner):
    """As modelling programs write it; reading it must not ask for images."""
    head = "# made elsewhere\nmtllib nowhere.mtl\no Cube\n"
    text = head + CORNERS + "vt 0 0\nvn 0 1 0\nusemtl paint\ns 1\n" + faces(corner.format)
    (tmp_path / "cube.obj").write_text(text)
    surface, notes = read_surface(tmp_path / "cube.obj")
    assert notes == []
    assert (len(surface.triangles), surface.volume) == (12, pytest.approx(1.0))


def test_corners_may_be_counted_from_the_end_and_lines_go_on(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0 1.0\r\nv 1 0 0\r\nv 0 1 \\\r\n0\r\nf -3 -2 \\\r\n-1\r\n")
    vertices, triangles = read_obj(tmp_path / "a.obj")
    np.testing.assert_array_equal(vertices, [(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    np.testing.assert_array_equal(triangles, [(0, 1, 2)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 0 0\nf 1 1 1\n", "line 1: 'v 0 0'"),
        (CORNERS + "f 1 2 x\n", "line 9: 'f 1 2 x'"),
        (CORNERS + "f 0 1 2\n", "line 9: 'f 0 1 2'"),
        (CORNERS + "f 1 2 9\n", "a triangle that names a vertex which does not exist"),
        (CORNERS + "f -9 2 3\n", "a triangle that names a vertex which does not exist"),
        (CORNERS, "no triangles"),
        (CORNERS.replace("v 1 1 1", "v 1e300 1 1") + faces("{}".format), "1 vertices with a coordinate that is not"),
    ],
)
def test_broken_files_are_refused_with_the_reason(tmp_path, text, message):
    (tmp_path / "broken.obj").write_text(text)
    with pytest.raises(ModelError, match=message):
        read_surface(tmp_path / "broken.obj")


def test_bytes_that_are_no_mesh_are_called_so(tmp_path):
    (tmp_path / "junk.stl").write_bytes(b"\x00\xff" * 500)
    with pytest.raises(ModelError, match="neither the binary nor the text form of this type"):
        read_surface(tmp_path / "junk.stl")
