"""Surfaces through real files, the repairs that they need, and the files that are refused."""

import struct
import time

import numpy as np
import pytest
import trimesh

from stringless.errors import InputError, ModelError
from stringless.flesh.generators import box, sphere, tube
from stringless.flesh.surface import Surface, join
from stringless.flesh.surface_checks import check_surface
from stringless.flesh.surface_repair import boundary_loops
from stringless.formats import list_readers, read_surface

KINDS = [reader.suffixes[0][1:] for reader in list_readers("mesh")]
SINGLE = 1e-6
"""Precision of a file in single precision, or of eight digits."""


@pytest.fixture
def write(tmp_path):
    def write(surface, kind="ply"):
        path = tmp_path / f"thing.{kind}"
        trimesh.Trimesh(surface.vertices, surface.triangles, process=False).export(path)
        return path

    return write


def repaired(path, *texts, **options):
    surface, problems = read_surface(path, **options)
    assert check_surface(surface) == []
    assert [p.severity for p in problems] == ["warning"] * len(texts), [str(p) for p in problems]
    for problem, text in zip(problems, texts, strict=True):
        assert text in str(problem)
    return surface


def refused(path, *texts):
    with pytest.raises(ModelError) as caught:
        read_surface(path)
    for text in texts:
        assert text in str(caught.value)


# --- round trips ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_surface_comes_back(write, worm, kind):
    surface = repaired(write(worm, kind))
    assert surface.vertices.shape == (262, 3)
    assert surface.triangles.shape == (520, 3)
    assert surface.volume == pytest.approx(worm.volume, rel=SINGLE)
    np.testing.assert_allclose(surface.center, worm.center, atol=SINGLE)
    assert surface.name == f"mesh 'thing.{kind}'"


def test_vertices_keep_their_order(write, worm):
    surface = repaired(write(worm, "ply"), name="worm")
    np.testing.assert_allclose(surface.vertices, worm.vertices, atol=SINGLE)
    assert np.array_equal(surface.triangles, worm.triangles)
    assert surface.name == "worm"


def test_scale_and_up_axis(write):
    path = write(box((1, 2, 3), (1, 2, 3)), "stl")
    np.testing.assert_allclose(repaired(path, scale=0.001).center, (0.001, 0.002, 0.003))
    for up, center in (("y", (1, 2, 3)), ("z", (1, 3, -2)), ("x", (-2, 1, 3))):
        surface = repaired(path, up=up)
        np.testing.assert_allclose(surface.center, center, rtol=1e-12)
        assert surface.volume == pytest.approx(6)


def test_scenes_of_several_parts_are_joined(tmp_path):
    part = trimesh.Trimesh(box((0, 0, 0), (1, 1, 1)).vertices, box((0, 0, 0), (1, 1, 1)).triangles)
    scene = trimesh.Scene()
    scene.add_geometry(part)
    scene.add_geometry(part, transform=trimesh.transformations.translation_matrix((3, 0, 0)))
    scene.export(str(tmp_path / "two.glb"))
    assert repaired(tmp_path / "two.glb").volume == pytest.approx(2)


# --- repairs ----------------------------------------------------------------------------------------------------------


def test_close_vertices_are_welded(write):
    body = sphere()
    shaken = body.corners.reshape(-1, 3) + 2e-7 * np.random.default_rng(0).uniform(-1, 1, (2160, 3))
    path = write(Surface(shaken, np.arange(2160).reshape(-1, 3)), "glb")
    surface = repaired(path, "m of another; expected vertices that are shared. They were welded.")
    assert len(surface.vertices) == 362


def test_needless_triangles_are_left_out(write):
    body = sphere()
    a, b, c = body.triangles[10]
    extra = [(a, a, b), (a, b, c), (0, 100, 200), (200, 100, 0)]
    path = write(Surface(body.vertices, np.concatenate([body.triangles, extra])))
    surface = repaired(
        path, "1 triangles with two corners in one place", "3 triangles on the same corners as another; expected"
    )
    assert len(surface.triangles) == 720


def test_needles_are_flipped(write):
    body = box((0, 0, 0), (1, 1, 1))
    a, b, c = body.triangles[0]
    n = len(body.vertices)
    vertices = np.concatenate([body.vertices, [(body.vertices[a] + body.vertices[b]) / 2]])
    # The edge a, b is split in triangle 0 only, and a flat triangle closes the gap.
    triangles = np.concatenate([body.triangles[1:], [(a, n, c), (n, b, c), (a, b, n)]])
    surface = repaired(write(Surface(vertices, triangles)), "1 triangles without an area; expected three corners")
    assert surface.volume == pytest.approx(1)
    assert len(surface.triangles) == 14


def test_senses_are_made_to_agree(write):
    triangles = sphere().triangles.copy()
    triangles[40:43] = triangles[40:43, ::-1]
    surface = repaired(
        write(Surface(sphere().vertices, triangles)), "3 triangles of another sense than their neighbours"
    )
    assert surface.volume == pytest.approx(sphere().volume, rel=SINGLE)


def test_inside_out_is_turned(write):
    surface = repaired(write(sphere().flipped()), "found the surface inside out")
    assert surface.volume == pytest.approx(sphere().volume, rel=SINGLE)


def test_hollows_stay_and_nested_solids_become_hollows(write):
    shell = join(sphere(radius=2.0), sphere().flipped())
    assert repaired(write(shell)).volume == pytest.approx(shell.volume, rel=SINGLE)
    nested = join(sphere(radius=2.0), sphere())
    surface = repaired(write(nested), "1 of 2 pieces (number 1) inside out; expected solids side by side, and hollows")
    assert surface.volume == pytest.approx(shell.volume, rel=SINGLE)


@pytest.mark.parametrize("missing", [1, 2, 4])
def test_small_holes_are_filled(write, missing):
    body = sphere((0, 0, 0), 1.0, 40, 80)
    surface = repaired(
        write(Surface(body.vertices, np.delete(body.triangles, range(3200, 3200 + missing), axis=0))),
        f"1 holes with {missing + 2} edges, the first near (",
    )
    assert surface.volume == pytest.approx(body.volume, rel=1e-3)


def test_one_missing_triangle_is_filled_whatever_its_size(write):
    body = box((0, 0, 0), (1, 1, 1))
    assert repaired(write(Surface(body.vertices, body.triangles[1:])), "1 holes with 3 edges").volume == pytest.approx(
        1
    )


def test_two_holes_that_share_a_vertex_are_two_loops():
    body = sphere()
    pole = body.triangles[0, 0]
    around = np.flatnonzero(np.any(body.triangles == pole, axis=1))
    loops = boundary_loops(np.delete(body.triangles, around[[0, 10]], axis=0))
    assert sorted(len(loop) for loop in loops) in ([3, 3], [6])


def test_pieces_that_overlap_are_joined(write):
    pair = join(box((0, 0, 0), (2, 2, 2)), box((1.5, 0.3, 0.2), (2, 1, 1)))
    surface = repaired(write(pair), "found pieces that overlap; expected a surface that does not cross itself.")
    assert surface.volume == pytest.approx(8 + 2 - 0.5, rel=SINGLE)
    assert surface.components.max() == 0


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_a_piece_that_crosses_itself_is_refused(write):
    a = np.linspace(0, 2 * np.pi, 60)[1:-1]
    loop = tube(np.stack([np.sin(a), np.sin(2 * a) / 2, 0 * a], axis=1), np.full(58, 0.15), 8)
    refused(write(loop), "mesh 'thing.ply'", "of triangles that cross or touch", "Join the parts that overlap")


def test_large_holes_are_refused_with_place_and_number(write):
    body = sphere()
    refused(
        write(Surface(body.vertices, body.triangles[24:])),
        "an open surface: 24 edges with a triangle on one side only, around 1 holes; the largest, near (0, 0.9808, 0)",
        "is 0.39 m wide with 24 edges; expected a closed surface, or holes of at most 10% of its size (0.2 m)",
    )


def test_open_box_is_refused(write):
    body = box((0, 0, 0), (1, 1, 1), (3, 3, 3))
    lidless = body.triangles[~np.all(body.vertices[body.triangles][:, :, 1] > 0.49, axis=1)]
    refused(write(Surface(body.vertices, lidless)), "an open surface: 12 edges")


def test_non_manifold_is_refused(write):
    body = sphere()
    fin = np.concatenate([body.vertices, [(0.0, 2.0, 0.0)]])
    a, b, _ = body.triangles[300]
    path = write(Surface(fin, np.concatenate([body.triangles, [(a, b, len(fin) - 1)]])))
    refused(path, "1 edges with more than two triangles (non-manifold), near (", "Remove walls inside the body")


def test_one_sided_surface_is_refused(write):
    """A Möbius band."""
    a = 2 * np.pi * np.arange(12) / 12
    ring = [
        np.stack([(2 + s * np.cos(a / 2)) * np.cos(a), (2 + s * np.cos(a / 2)) * np.sin(a), s * np.sin(a / 2)], 1)
        for s in (-0.5, 0.5)
    ]
    number = np.arange(12)
    following, crossed = (number + 1) % 12, number == 11
    low, high = np.where(crossed, 12, following), np.where(crossed, 0, following + 12)
    triangles = np.concatenate([np.stack([number, low, number + 12], 1), np.stack([low, high, number + 12], 1)])
    refused(write(Surface(np.concatenate(ring), triangles)), "a surface with one side only, near (")


def test_nan_is_refused(tmp_path):
    path = tmp_path / "bad.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 nan 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    refused(path, "1 vertices with a coordinate that is not a finite number")


def test_only_flat_triangles(write):
    refused(write(Surface(np.eye(3), [(0, 0, 1), (1, 2, 2)])), "found no triangle with an area")


@pytest.mark.parametrize("kind", KINDS)
def test_missing_empty_and_garbage_files_are_refused(tmp_path, kind):
    path = tmp_path / f"thing.{kind}"
    refused(path, "found no file; expected a mesh file. Check the path.")
    path.write_bytes(b"")
    refused(path, "found an empty file")
    path.write_bytes(np.random.default_rng(0).bytes(5000))
    refused(path, f"thing.{kind}", "expected a")
    path.write_bytes(b"\x00\xff" * 40)
    refused(path, f"thing.{kind}", "expected a")


@pytest.mark.parametrize("kind", KINDS)
def test_cut_off_files_do_not_pass_for_whole_ones(write, kind):
    path = write(sphere(), kind)
    path.write_bytes(path.read_bytes()[:-2000])
    refused(path, f"thing.{kind}")


def test_no_triangles(tmp_path):
    (tmp_path / "points.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
    refused(tmp_path / "points.obj", "expected a")


def test_triangle_of_missing_vertices(tmp_path):
    (tmp_path / "wild.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    refused(tmp_path / "wild.obj", "expected")


def test_other_file_types_are_refused(tmp_path):
    refused(tmp_path / "thing.blend", "found a file of type '.blend'; expected one of obj, stl, ply, glb")


@pytest.mark.parametrize(("options", "message"), [({"scale": 0.0}, "scale: found 0.0"), ({"up": "w"}, "up: found 'w'")])
def test_bad_options_are_refused(tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        read_surface(tmp_path / "a.obj", **options)


def test_the_former_place_of_read_surface_leads_to_the_present_one():
    from stringless.flesh import meshfile

    with pytest.warns(DeprecationWarning, match=r"is now stringless\.formats\.read_surface"):
        assert meshfile.read_surface is read_surface
    with pytest.raises(AttributeError, match="no attribute 'KINDS'"):
        _ = meshfile.KINDS


# --- a million triangles ----------------------------------------------------------------------------------------------


COUNT = 1_200_000
SCENE = b'{"meshes":[{"primitives":[{"indices":0,"attributes":{}}]}],"accessors":[{"count":3600000}]}'.ljust(92)
LARGE = {
    "stl": lambda: bytes(80) + struct.pack("<I", COUNT) + bytes(50 * COUNT),
    "ply": lambda: f"ply\nformat ascii 1.0\nelement vertex 3\nelement face {COUNT}\nend_header\n".encode(),
    "obj": lambda: b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" + b"f 1 2 3\n" * COUNT,
    "glb": lambda: b"glTF" + struct.pack("<IIII", 2, 20 + len(SCENE), len(SCENE), 0x4E4F534A) + SCENE,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_million_triangles_are_refused_before_they_are_read(tmp_path, kind):
    path = tmp_path / f"statue.{kind}"
    path.write_bytes(LARGE[kind]())
    start = time.process_time()
    refused(path, "1,200,000 triangles; expected at most 200,000. Reduce it")
    assert time.process_time() - start < 2
