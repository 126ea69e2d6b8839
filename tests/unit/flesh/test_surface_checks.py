"""Every fault of a surface is found and named, and none is seen where there is none."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from stringless.errors import ModelError
from stringless.flesh.generators import box, capsule, sphere, torus, tube
from stringless.flesh.surface import Surface, join
from stringless.flesh.surface_checks import check_surface, find_crossings, require_surface


def only(surface, text, severity="error"):
    problems = check_surface(surface)
    assert len(problems) == 1, [str(p) for p in problems]
    assert text in str(problems[0])
    assert problems[0].severity == severity


@pytest.mark.parametrize(
    "body",
    [
        sphere(),
        capsule((0, 0, 0), (1, 1, 1), 0.2),
        torus(1, 0.3),
        box((0, 0, 0), (1, 2, 3), (4, 3, 2)),
        tube([(0, 0, 0), (1, 0, 0), (2, 1, 0), (2, 2, 1)], [0.1, 0.2, 0.2, 0.1], 7),
        join(sphere(), sphere((3, 0, 0))),
        join(sphere(radius=2.0), sphere().flipped()),
    ],
    ids=lambda body: body.name,
)
def test_good_surfaces_have_no_problem(body):
    assert check_surface(body) == []
    require_surface(body)


@pytest.mark.parametrize("seed", range(10))
def test_flat_faces_do_not_cross_when_rounded(seed):
    """Turned and stored in single precision, flat faces become slightly wavy; that is no crossing."""
    body = box((0, 0, 0), (1, 2, 3), (3, 4, 2))
    turned = Rotation.random(rng=np.random.default_rng(seed)).apply(body.vertices.copy())
    for kind in (np.float64, np.float32):
        assert len(find_crossings(Surface(turned.astype(kind), body.triangles))) == 0


def test_nothing_at_all():
    only(Surface(np.zeros((0, 3)), np.zeros((0, 3), int)), "found no triangles")


def test_not_finite():
    vertices = sphere().vertices.copy()
    vertices[[3, 7], 1] = np.nan, np.inf
    only(Surface(vertices, sphere().triangles), "found vertices 3, 7 with a coordinate that is not a finite number")


def test_missing_vertices():
    triangles = sphere().triangles.copy()
    triangles[4, 1] = 400
    triangles[5, 1] = -1
    only(
        Surface(sphere().vertices, triangles), "triangles 4, 5 that name vertices which do not exist; expected vertices"
    )


def test_triangle_without_area():
    body = sphere()
    vertices = np.concatenate([body.vertices, body.vertices[body.triangles[0, :2]].mean(axis=0, keepdims=True)])
    a, b, _ = body.triangles[0]
    problems = check_surface(Surface(vertices, np.concatenate([body.triangles, [(b, a, len(vertices) - 1)]])))
    assert "found triangles 720 without an area" in str(problems[0])


def test_repeated_triangle():
    body = sphere()
    problems = check_surface(Surface(body.vertices, np.concatenate([body.triangles, np.roll(body.triangles[7:8], 1)])))
    assert "found triangles 7 more than once" in str(problems[0])


def test_hole():
    only(Surface(sphere().vertices, sphere().triangles[2:]), "4 edges with a triangle on one side only, near (")


def test_three_triangles_at_an_edge():
    body = sphere()
    fin = np.concatenate([body.vertices, [(0.0, 2.0, 0.0)]])
    a, b, _ = body.triangles[300]
    problems = check_surface(Surface(fin, np.concatenate([body.triangles, [(a, b, len(fin) - 1)]])))
    assert any("1 edges with more than two triangles, near (" in str(p) for p in problems)


def test_turned_triangle():
    triangles = sphere().triangles.copy()
    triangles[100] = triangles[100, ::-1]
    only(Surface(sphere().vertices, triangles), "3 edges between triangles of opposite sense")


def test_inside_out():
    only(sphere().flipped(), "expected a positive volume. Turn all triangles: the surface is inside out.")


def test_solid_inside_a_solid():
    only(join(sphere(radius=0.5), sphere()), "a solid that lies inside 1 others; expected solids side by side")


def test_hollow_outside_any_solid():
    only(join(sphere(), sphere((3, 0, 0), 0.5).flipped()), "a hollow that lies inside 0 others")


@pytest.mark.parametrize(
    "other",
    [
        sphere((1.5, 0, 0)),
        sphere((1.5, 0.1, 0.2), 1.0, 7, 9),
        box((0.9, 0, 0), (1, 1, 1)),
        box((1.5, 0, 0), (1, 1, 1)),  # touches at one point
    ],
)
def test_pieces_that_overlap_or_touch(other):
    only(join(sphere(), other), "of triangles that cross or touch")


def test_boxes_with_faces_in_common_planes():
    for shift in (0.5, 1.0):
        only(join(box((0, 0, 0), (1, 1, 1)), box((shift, 0, 0), (1, 1, 1))), "of triangles that cross or touch")


def test_tube_through_itself():
    a = np.linspace(0, 2 * np.pi, 60)[1:-1]
    points = np.stack([np.sin(a), np.sin(2 * a) / 2, 0 * a], axis=1)
    problems = check_surface(tube(points, np.full(58, 0.15), 8))
    assert "of triangles that cross or touch" in str(problems[0])


def test_folded_triangles():
    """A flat pocket: two triangles with a common edge, one upon the other."""
    body = box((0, 0, 0), (1, 1, 1))
    a, b, c = body.triangles[0]
    x = np.concatenate(
        [body.vertices, [body.vertices[[a, b, c]].mean(axis=0) + 1e-3 * (body.vertices[b] - body.vertices[a])]]
    )
    n = len(x) - 1
    # The corner c of the neighbour across the edge a, b is drawn over triangle 0.
    t = body.triangles.copy()
    k = next(k for k in range(1, 12) if {a, b} <= set(t[k]))
    d = (set(t[k]) - {a, b}).pop()
    t = np.concatenate([np.delete(t, k, axis=0), [(b, a, n), (a, d, n), (d, b, n)]])
    pairs = find_crossings(Surface(x, t))
    assert (0, 11) in [tuple(p) for p in pairs]


def test_random_pairs_against_sampling():
    """Two triangles that share no corner: crossing exactly where the nearest points of a fine sampling coincide."""
    rng = np.random.default_rng(5)
    s, t = np.meshgrid(np.linspace(0, 1, 30), np.linspace(0, 1, 30))
    weights = np.stack([s, t, 1 - s - t], axis=-1)[s + t <= 1]
    seen = {True: 0, False: 0}
    for _ in range(60):
        x = rng.uniform(-1, 1, (6, 3)) * 0.7
        found = len(find_crossings(Surface(x, [(0, 1, 2), (3, 4, 5)]))) == 1
        first, second = weights @ x[:3], weights @ x[3:]
        gap = min(np.linalg.norm(second - p, axis=1).min() for p in first)
        assert gap < 0.1 or not found
        assert found or gap > 1e-4
        seen[found] += 1
    assert min(seen.values()) > 5


def test_crossings_are_counted_up_to_a_limit():
    body = join(sphere(), sphere((0.1, 0, 0)))
    assert len(find_crossings(body, most=7)) == 7


def test_a_million_triangles_are_refused_and_nothing_else_is_looked_at():
    body = Surface(np.full((3, 3), np.nan), np.zeros((1_000_001, 3), np.int64), "statue")
    only(body, "statue: found 1,000,001 triangles; expected at most 200,000. Reduce it")


def test_errors_are_raised_together():
    with pytest.raises(ModelError, match="inside out"):
        require_surface(sphere().flipped())
