"""Small bodies of flesh that many tests share, without bones and with."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from stringless.flesh.kernels_elastic import elastic_energy, elastic_forces
from stringless.flesh.kernels_lanes import elastic_scratch, element_blocks
from stringless.flesh.lattice import lattice_nodes, lattice_tets
from stringless.flesh.materials.registry import MATERIAL_TYPES
from stringless.flesh.wrap import lame, stretch_floor
from stringless.model.flesh import Flesh, FleshSpec, freeze_flesh

MATERIALS = tuple(MATERIAL_TYPES)
YOUNG, POISSON = 30e3, 0.33
TET = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def material_row(name: str, young: float = YOUNG, poisson: float = POISSON, low: float | None = None):
    """A row of the table of materials, to call a material's kernels with from Python."""
    mu, lam = lame(young, poisson)
    low = stretch_floor(mu, lam) if low is None else low
    return SimpleNamespace(kind=MATERIAL_TYPES[name].code, mu=mu, lam=lam, low=low, high=5 / 3)


def tables(
    nodes: np.ndarray,
    tets: np.ndarray,
    *,
    material: str = "stvk",
    young: float = YOUNG,
    poisson: float = POISSON,
    masses: np.ndarray | None = None,
    filled: np.ndarray | None = None,
) -> Flesh:
    """The kernels' tables of a bare cage: no bones, no surface, nothing fixed."""
    mu, lam = lame(young, poisson)
    spec = FleshSpec(
        nodes=nodes,
        tets=tets,
        filled=np.ones(len(tets)) if filled is None else filled,
        masses=np.ones(len(nodes)) if masses is None else masses,
        bones=("",) * len(nodes),
        fixed=np.zeros(len(nodes), bool),
        vertices=np.zeros((0, 3)),
        triangles=np.zeros((0, 3), np.int64),
        carriers=np.zeros(0, np.int64),
        weights=np.zeros((0, 4)),
        contact_stiffness=np.zeros(0),
        contact_damping=np.zeros(0),
        material=material,
        material_code=MATERIAL_TYPES[material].code,
        young=young,
        poisson=poisson,
        low=stretch_floor(mu, lam),
    )
    return freeze_flesh([spec], {}, {}, {})


def block(counts=(3, 2, 2), size=(0.3, 0.2, 0.2), jitter: float = 0.0, seed: int = 0):
    """A cuboid of tetrahedra from the origin to `size` [m], its inner nodes moved about by `jitter` of a cell."""
    size, counts = np.asarray(size, float), tuple(counts)
    nodes = lattice_nodes(size / 2, size / np.asarray(counts), counts)
    inner = np.all((nodes > 1e-9) & (nodes < size - 1e-9), axis=1)
    shift = np.random.default_rng(seed).uniform(-jitter, jitter, nodes.shape) * size / np.asarray(counts)
    return nodes + shift * inner[:, None], lattice_tets(counts), inner


def clustered(nodes: np.ndarray, tets: np.ndarray, density: float = 1000.0) -> np.ndarray:
    """Nodal masses: a quarter of each element [kg]."""
    volume = np.linalg.det(nodes[tets[:, 1:]] - nodes[tets[:, :1]]) / 6
    masses = np.zeros(len(nodes))
    np.add.at(masses, tets, (density * volume / 4)[:, None])
    return masses


def forces(flesh: Flesh, x: np.ndarray, full: bool = False) -> tuple[np.ndarray, int]:
    """Elastic forces on all nodes [N], and how many elements were decomposed."""
    f = np.zeros(x.shape)
    blocks = element_blocks(flesh.elements)
    count = elastic_forces(blocks, flesh.materials, np.ascontiguousarray(x), full, elastic_scratch(), f)
    return f, count


def energy(flesh: Flesh, x: np.ndarray) -> float:
    """Elastic energy [J]."""
    return elastic_energy(flesh.elements, flesh.materials, np.ascontiguousarray(x))


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A rotation, uniformly drawn."""
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q * np.sign(np.linalg.det(Q))


def deformation(rng: np.random.Generator, stretches) -> np.ndarray:
    """`U diag(s) Vᵀ` with random rotations."""
    return random_rotation(rng) @ np.diag(stretches) @ random_rotation(rng).T
