"""From surface and bones to flesh: masses agree with the surface's, bones get what is fixed to them, bad input is named."""

import dataclasses

import numpy as np
import pytest

from stringless.errors import InputError, ModelError
from stringless.flesh import generators
from stringless.flesh.cage import Cage
from stringless.flesh.fill import fill_cage
from stringless.flesh.lattice_cage import lattice_cage
from stringless.flesh.mass_floor import MOST_MOVED
from stringless.flesh.surface import Surface, join
from stringless.flesh.wrap import LEAST_FILL, lame, wrap
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.scenes import bones
from stringless.simulation import Simulation

AGREE = 1e-9
"""Mass and centre of mass against the surface's."""
EXACT = 1e-12
"""Sums of a few hundred products."""
DENSITY = 900.0


def skeleton(*, mass=0.0):
    builder = ModelBuilder("arm")
    bar = bones.capsule((0.0, 0.0, 0.0), (0.2, 0.0, 0.0), 0.02)
    turned = Pose((0.2, 0.0, 0.0), (0.0, 0.0, np.sin(0.1), np.cos(0.1)))
    inertia = (1e-3, 2e-3, 2.5e-3, 1e-4, -2e-4, 3e-4) if mass else (0.0,) * 6
    builder.add_body("upper", "", "free", shapes=(bar,), mass=mass, center_of_mass=(0.05, 0.01, 0.0), inertia=inertia)
    builder.add_body("lower", "upper", JointSpec(kind="ball", armature=(1e-6,)), place=turned, shapes=(bar,))
    return builder


def skin():
    return generators.capsule((0.0, 0.0, 0.0), (0.4, 0.02, 0.0), 0.06)


def wrapped(builder=None, **options):
    builder = builder or skeleton()
    spec = wrap(builder, skin(), **{"cells": (8, 4, 4), "within": 0.01, "density": DENSITY, "dt": 1e-6, **options})
    return builder, spec


def without_floor(spec):
    """Masses before the floor, from the fill alone."""
    return DENSITY * fill_cage(skin(), spec.nodes, spec.tets).node_volume


def test_mass_and_centre_agree_with_the_surface():
    builder, spec = wrapped()
    surface, model = skin(), builder.build()
    masses = without_floor(spec)
    assert masses.sum() == pytest.approx(DENSITY * surface.volume, rel=AGREE)
    np.testing.assert_allclose(masses @ spec.nodes / masses.sum(), surface.center, rtol=0, atol=AGREE)
    # The same through the model's own tables: bones and free nodes together.
    nodes = model.flesh.nodes
    free = nodes["fixed"] == 0
    assert 0 < free.sum() < len(nodes)
    total = model.tree["mass"].sum() + nodes["mass"][free].sum() - spec.added_mass
    assert total == pytest.approx(DENSITY * surface.volume, rel=AGREE)
    assert spec.masses.sum() == pytest.approx(masses.sum(), rel=EXACT)
    assert spec.added_mass == 0


def test_nodes_of_nearly_empty_elements_hang_on_something():
    """A cage a little larger than the skin: its outer nodes once fell through everything."""
    larger = generators.capsule((0.0, 0.0, 0.0), (0.4, 0.02, 0.0), 0.066)
    builder, spec = wrapped(cage=lattice_cage(larger, cells=(8, 4, 4)), dt=1e-3)
    share = fill_cage(skin(), spec.nodes, spec.tets).filled
    assert np.sum(share < 1e-4) > 0
    np.testing.assert_array_equal(spec.filled, np.maximum(share, LEAST_FILL))
    builder.specs[0] = dataclasses.replace(builder.specs[0], joint=JointSpec(kind="fixed"))
    builder.specs[1] = dataclasses.replace(builder.specs[1], joint=JointSpec(kind="fixed"))
    sim = Simulation(builder.build())
    sim.advance(2.0)
    assert np.abs(sim.flesh_positions - spec.nodes).max() < 0.01


def test_floor_is_reported():
    _, spec = wrapped(dt=5e-3)
    _, light = wrapped()
    assert MOST_MOVED * spec.masses.sum() >= spec.moved_mass > light.moved_mass >= 0
    assert spec.masses.sum() == pytest.approx(DENSITY * skin().volume, rel=AGREE)
    assert spec.step_limit > 1.05 * light.step_limit


@pytest.mark.parametrize("mass", [0.0, 0.7])
def test_fixed_masses_are_in_the_bones(mass):
    """Mass, first moment and inertia about the bone's origin: its own, and `m`, `m r`, `m (r² 1 - r rᵀ)`."""
    builder, _ = wrapped(skeleton(mass=mass))
    model = builder.build()
    nodes = model.flesh.nodes
    for index, body in enumerate(builder.specs):
        chosen = (nodes["bone"] == index) & (nodes["fixed"] == 1)
        assert chosen.sum() > 3
        m, r = nodes["mass"][chosen], nodes["r"][chosen]
        c = np.asarray(body.center_of_mass)
        I_own = np.array(body.inertia)[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3)
        own = I_own + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        I = own + np.einsum("n,nij->ij", m, np.einsum("nk,nk->n", r, r)[:, None, None] * np.eye(3)) - (m * r.T) @ r
        row = model.tree[index]
        assert row["mass"] == pytest.approx(body.mass + m.sum(), rel=EXACT)
        np.testing.assert_allclose(row["h"], body.mass * c + m @ r, rtol=0, atol=EXACT)
        np.testing.assert_allclose(row["I_o"], I[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], rtol=0, atol=EXACT)
        assert m.sum() > 0
    assert [body.mass for body in builder.specs] == [mass, 0.0], "the description itself is left alone"


def test_nodes_lie_where_their_bones_carry_them():
    builder, spec = wrapped()
    model = builder.build()
    places = {"upper": builder.specs[0].place, "lower": builder.specs[0].place @ builder.specs[1].place}
    for i in range(0, len(spec.nodes), 7):
        place = places[spec.bones[i]]
        np.testing.assert_allclose(place.apply(model.flesh.nodes[i]["r"]), spec.nodes[i], rtol=0, atol=EXACT)


def test_tables_are_complete_and_locked():
    builder, spec = wrapped()
    flesh = builder.build().flesh
    assert (len(flesh.nodes), len(flesh.elements), len(flesh.vertices)) == (
        len(spec.nodes),
        len(spec.tets),
        len(skin().vertices),
    )
    mu, lam = lame(spec.young, spec.poisson)
    assert tuple(flesh.materials[0])[1:3] == (mu, lam)
    np.testing.assert_allclose(flesh.nodes["damping"], spec.damping * spec.masses)
    np.testing.assert_allclose(flesh.vertices["w"].sum(axis=1), 1.0, atol=EXACT)
    skin_again = np.einsum("vk,vkj->vj", flesh.vertices["w"], flesh.rest[flesh.vertices["n"]])
    np.testing.assert_allclose(skin_again, skin().vertices, rtol=0, atol=EXACT)
    share = fill_cage(skin(), spec.nodes, spec.tets).filled
    true = flesh.elements["volume"] * share / spec.filled
    assert true.sum() == pytest.approx(skin().volume, rel=AGREE)
    for table in (flesh.nodes, flesh.elements, flesh.vertices, flesh.materials):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = table[0]


def test_the_same_input_gives_the_same_flesh():
    a, b = wrapped()[1], wrapped()[1]
    for name in ("nodes", "tets", "filled", "masses", "weights", "contact_stiffness", "contact_damping"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert a.step_limit == b.step_limit


NAN = float("nan")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"density": 0.0}, r"density is 0.0 kg/m³; expected a finite number above 0"),
        ({"density": NAN}, r"density is nan kg/m³; expected a finite number above 0"),
        ({"density": -1.0}, r"density is -1.0 kg/m³; expected a finite number above 0"),
        ({"young": 0.0}, r"Young's modulus is 0.0 Pa; expected a finite number above 0"),
        ({"young": float("inf")}, r"Young's modulus is inf Pa; expected a finite number above 0"),
        ({"poisson": 0.5}, r"Poisson's ratio is 0.5; material 'stvk' takes values between -1.0 and 0.5"),
        ({"poisson": -1.0}, r"Poisson's ratio is -1.0; material 'stvk' takes values between -1.0 and 0.5"),
        ({"poisson": NAN}, r"Poisson's ratio is nan; material 'stvk' takes values between -1.0 and 0.5"),
        (
            {"poisson": -0.2, "material": "neo_hookean"},
            r"Poisson's ratio is -0.2; material 'neo_hookean' takes values between 0.0 and 0.5",
        ),
        ({"material": "neo_hokean"}, r"there is no material 'neo_hokean'. Did you mean 'neo_hookean'\?"),
        ({"damping": -1.0}, r"damping is -1.0 1/s; expected a finite number of 0 or more"),
        ({"damping": NAN}, r"damping is nan 1/s; expected a finite number of 0 or more"),
        ({"dt": 0.0}, r"dt is 0.0 s; expected a finite number above 0"),
        ({"dt": NAN}, r"dt is nan s; expected a finite number above 0"),
        ({"within": NAN}, r"within is nan m; expected a finite number"),
    ],
)
def test_impossible_numbers_are_refused(options, message):
    builder = skeleton()
    with pytest.raises(InputError, match=message):
        wrapped(builder, **options)
    assert builder.flesh == [], "nothing half done is left behind"


def test_bone_that_reaches_no_node_is_named():
    thin = skeleton()
    thin.specs[1] = bones.body("lower", bones.sphere((5.0, 0.0, 0.0), 0.01), 1.0, parent="upper")
    with pytest.raises(ModelError, match="bone 'lower': found no node of the cage to hold"):
        wrapped(thin)


def test_vertices_that_are_not_finite_are_refused():
    vertices = skin().vertices.copy()
    vertices[7, 1] = np.nan
    surface = Surface(vertices, skin().triangles)
    with pytest.raises(ModelError, match="finite"):
        wrap(skeleton(), surface, cells=(8, 4, 4))


def test_poisson_ratio_and_modulus_become_lame_parameters():
    mu, lam = lame(30e3, 0.25)
    assert mu == pytest.approx(12e3)
    assert lam == pytest.approx(12e3)


def spoiled(kind):
    """A sound cage about the skin, with one fault."""
    cage = lattice_cage(skin(), cells=(8, 4, 4))
    nodes, tets = cage.nodes.copy(), cage.tets.copy()
    if kind == "inverted":
        tets[3] = tets[3][[0, 1, 3, 2]]
    elif kind == "flat":
        nodes[tets[3][3]] = nodes[tets[3][:3]].mean(axis=0)
    elif kind == "repeated":
        tets[3] = tets[4]
    elif kind == "beyond":
        tets[3, 0] = len(nodes)
    elif kind == "infinite":
        nodes[5] = np.inf
    return Cage(nodes, tets)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            "inverted",
            "1 inverted elements: tetrahedra 3; expected det .* Exchange two of their nodes, or .* `from_tets`",
        ),
        ("flat", "tetrahedra 3.* without a volume; expected four nodes not in one plane"),
        ("repeated", "tetrahedra 3 more than once"),
        ("beyond", "tetrahedra 3 that name nodes which do not exist"),
        ("infinite", "nodes 5 with a coordinate that is not a finite number"),
    ],
)
def test_given_cage_with_a_fault_is_refused(kind, message):
    with pytest.raises(ModelError, match=f"cage of 'flesh': found {message}"):
        wrap(skeleton(), skin(), cage=spoiled(kind))
    assert wrap(skeleton(), skin(), cage=spoiled("")).added_mass >= 0, "and without the fault it is not"


@pytest.mark.parametrize("with_cage", [False, True])
def test_surface_with_a_fault_is_refused_with_any_cage(with_cage):
    options = {"cage": lattice_cage(skin(), cells=(8, 4, 4))} if with_cage else {"cells": (8, 4, 4)}
    whole = skin()
    crossing = join(whole, whole.moved((0.01, 0.003, 0.002)))
    for surface, message in (
        (Surface(whole.vertices, whole.triangles[3:]), "edges with a triangle on one side only"),
        (crossing, "pairs of triangles that cross or touch"),
        (Surface(whole.vertices, whole.triangles[:, ::-1]), "Turn all triangles: the surface is inside out"),
    ):
        with pytest.raises(ModelError, match=message):
            wrap(skeleton(), surface, **options)


def test_surface_beyond_its_cage_is_refused():
    cage = lattice_cage(skin(), cells=(8, 4, 4))
    with pytest.raises(ModelError, match=r"vertices outside the cage: .* Enlarge the cage\."):
        wrap(skeleton(), skin().moved((0.05, 0.0, 0.0)), cage=cage)
