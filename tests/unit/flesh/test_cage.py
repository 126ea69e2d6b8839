"""Cages from given tetrahedra: mended with a word, or refused with the reason."""

import numpy as np
import pytest

from stringless.errors import InputError, ModelError
from stringless.flesh.cage import Cage, from_tets
from stringless.flesh.lattice import lattice_nodes, lattice_tets

NODES = lattice_nodes(np.zeros(3), np.ones(3), (2, 1, 1))
TETS = lattice_tets((2, 1, 1))


def refused(nodes, tets, *texts):
    with pytest.raises(ModelError) as caught:
        from_tets(nodes, tets, name="my mesh")
    for text in texts:
        assert text in str(caught.value)
    assert len(caught.value.problems) == len(texts)


def test_a_good_mesh_stays_as_it_is():
    cage, problems = from_tets(NODES, TETS)
    assert problems == []
    assert np.array_equal(cage.tets, TETS)
    np.testing.assert_allclose(cage.volumes, 1 / 6)
    assert not cage.nodes.flags.writeable


def test_inverted_elements_are_turned():
    tets = TETS.copy()
    tets[[2, 7]] = tets[[2, 7]][:, [1, 0, 2, 3]]
    cage, problems = from_tets(NODES, tets)
    assert np.all(cage.volumes > 0)
    assert [p.severity for p in problems] == ["warning"]
    assert "2 inverted elements: tetrahedra 2, 7" in str(problems[0])


def test_unused_nodes_are_left_out():
    cage, problems = from_tets(np.concatenate([[(9.0, 9, 9)], NODES]), TETS + 1)
    assert np.array_equal(cage.nodes, NODES)
    assert "nodes 0 without an element" in str(problems[0])


def test_flat_elements_are_refused_by_number():
    tets = np.concatenate([TETS, [(0, 1, 2, 3)]])  # four corners of one face
    refused(NODES, tets, "tetrahedra 12 without a volume; expected four nodes not in one plane")


def test_a_node_twice():
    refused(NODES, [(0, 0, 1, 2)], "tetrahedra 0 without a volume")


def test_repeated_elements_are_refused():
    refused(NODES, np.concatenate([TETS, TETS[3:4, [1, 2, 0, 3]]]), "tetrahedra 3 more than once")


def test_three_elements_at_a_face_are_refused():
    nodes = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.2, 0.2, 2), (0, 0, -1)])
    refused(nodes, [(0, 1, 2, 3), (0, 1, 2, 4), (0, 2, 1, 5)], "1 faces with more than two tetrahedra, near (")


def test_numbers_that_are_not():
    nodes = NODES.copy()
    nodes[4, 2] = np.nan
    tets = TETS.copy()
    tets[5, 0] = 99
    refused(nodes, tets, "nodes 4 with a coordinate", "tetrahedra 5 that name nodes which do not exist")


def test_nothing_at_all():
    refused(NODES, np.zeros((0, 4), int), "found no tetrahedra")


def test_wrong_shapes():
    with pytest.raises(InputError, match=r"tets: found an array of shape \(2, 3\); expected \(n, 4\)"):
        Cage(NODES, np.zeros((2, 3), int))


def test_outer_faces_close_the_cage():
    faces, owner = Cage(NODES, TETS).outer_faces
    assert len(faces) == 4 * (2 + 2 + 1)
    p = NODES[faces]
    assert np.einsum("ij,ij->", p[:, 0], np.cross(p[:, 1], p[:, 2])) / 6 == pytest.approx(2)
    for face, tet in zip(faces, owner, strict=True):
        assert set(face) < set(TETS[tet])
