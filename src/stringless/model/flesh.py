"""Flesh as the engines see it: nodes, tetrahedra and surface vertices in tables, and the description they come from."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless import jit
from stringless.model.mirror import Plane, partners
from stringless.model.pose import Pose, floats
from stringless.model.solids import components, tensor
from stringless.model.spec import BodySpec
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

INT, REAL = np.int64, np.float64

NODE_ROW = np.dtype(
    [
        ("bone", INT),  # bone it is fixed to or damped against, -1 for the ground
        ("fixed", INT),  # 1: fixed to the bone; its mass has joined the bone's
        ("mass", REAL),  # [kg]
        ("damping", REAL),  # against its bone [N·s/m]
        ("r", REAL, (3,)),  # rest position along bone axes [m]
        ("mirror", INT),  # node that is its mirror image in the plane its character moves in, itself on it; -1: none
    ],
    align=True,
)

ELEMENT_ROW = np.dtype(
    [
        ("n", INT, (4,)),  # nodes
        ("material", INT),  # row in the table of materials
        ("Dm_inv", REAL, (9,)),  # inverse of [X1-X0, X2-X0, X3-X0] at rest [1/m]
        ("volume", REAL),  # filled volume at rest [m³]
    ],
    align=True,
)

VERTEX_ROW = np.dtype(
    [
        ("n", INT, (4,)),  # nodes of the tetrahedron that carries it
        ("w", REAL, (4,)),  # their weights, sum 1
        ("bone", INT),  # bone whose region it belongs to
        ("mirror", INT),  # vertex that is its mirror image, as of a node
        ("kn", REAL),  # contact stiffness at the reference step [N/m]
        ("cn", REAL),  # contact damping [N·s/m]
    ],
    align=True,
)

MATERIAL_ROW = np.dtype(
    [
        ("kind", INT),  # code of the material type
        ("mu", REAL),  # Lamé's mu [Pa]
        ("lam", REAL),  # Lamé's lambda [Pa]
        ("low", REAL),  # bounds of the squared stretches within which the plain form holds
        ("high", REAL),
    ],
    align=True,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class FleshSpec:
    """One character's flesh, complete: cage, surface, attachment, masses, material."""

    name: str = "flesh"
    nodes: FloatArray
    """Cage nodes at the skeleton's neutral configuration, in the world, shape (n, 3) [m]."""
    tets: IntArray
    """Cage tetrahedra, shape (k, 4)."""
    filled: FloatArray
    """Share of each tetrahedron that is stiff, shape (k,): the filled one, but for a floor under it."""
    masses: FloatArray
    """Nodal masses, shape (n,) [kg]."""
    moved_mass: float = 0.0
    """What light nodes got for the floor under the nodal masses [kg] ..."""
    added_mass: float = 0.0
    """... and how much of that no heavy node gave [kg]."""
    bones: tuple[str, ...]
    """Bone each node is fixed to or damped against, empty for the ground, length n."""
    fixed: BoolArray
    """Which nodes are fixed to their bone, shape (n,)."""
    bone_motions: FloatArray = dataclasses.field(default_factory=lambda: np.zeros((0, 0, 3)))
    """Displacements of the fixed nodes by motions of the skeleton that have a mass of one, shape (motions, fixed nodes, 3)."""
    vertices: FloatArray
    """Surface vertices at the neutral configuration, shape (m, 3) [m]."""
    triangles: IntArray
    """Surface triangles, shape (t, 3)."""
    colors: FloatArray = dataclasses.field(default_factory=lambda: np.zeros((0, 3)))
    """Red, green and blue from 0 to 1 of each surface vertex, shape (m, 3); empty for the default."""
    carriers: IntArray
    """Tetrahedron that carries each surface vertex, shape (m,)."""
    weights: FloatArray
    """Its barycentric weights, shape (m, 4)."""
    contact_stiffness: FloatArray
    """Of each surface vertex at the step `dt`, shape (m,) [N/m]."""
    contact_damping: FloatArray
    """Of each surface vertex at the step `dt`, shape (m,) [N·s/m]."""
    density: float = 1000.0
    """Of the filled part [kg/m³]."""
    dt: float = 1e-3
    """Step that masses and contact were chosen for [s]."""
    step_limit: float = np.inf
    """Longest stable step of small vibrations [s]."""
    material: str = "stvk"
    material_code: int = 0
    young: float = 30e3
    """Young's modulus [Pa]."""
    poisson: float = 0.33
    low: float = 2 / 3
    """Bounds of the squared stretch within which the plain law holds."""
    high: float = 5 / 3
    damping: float = 12.0
    """Rate at which a node's motion against its bone dies down, alpha [1/s]."""

    @property
    def lame(self) -> tuple[float, float]:
        """Lamé's mu and lambda [Pa]."""
        return lame(self.young, self.poisson)


def lame(young: float, poisson: float) -> tuple[float, float]:
    """Lamé's mu and lambda [Pa]."""
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


@dataclass(frozen=True, eq=False)
class Flesh:
    """The tables of all flesh of a model, read-only."""

    specs: tuple[FleshSpec, ...]
    nodes: Any
    elements: Any
    materials: Any
    vertices: Any
    rest: FloatArray
    """Node positions at the neutral configuration, shape (n, 3) [m]."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the tables over, read-only again."""
        self.__dict__.update(state)
        for name in ("nodes", "elements", "materials", "vertices"):
            state[name].flags.writeable = False


def merge_masses(
    specs: Sequence[BodySpec], flesh: Sequence[FleshSpec], places: Mapping[str, Pose], *, free_too: bool = False
) -> list[BodySpec]:
    """The bones with the masses of the nodes fixed to them: `J_b += inertia(m, r)`.

    With `free_too` also those of the free nodes, as if all flesh were stiff.
    """
    merged = {spec.name: spec for spec in specs}
    for part in flesh:
        for name in sorted(set(part.bones) - {""}):
            chosen = (part.fixed | free_too) & (np.array(part.bones) == name)
            place = places[name]
            r = (part.nodes[chosen] - np.asarray(place.position)) @ place.matrix
            merged[name] = _with_points(merged[name], r, part.masses[chosen])
    return [merged[spec.name] for spec in specs]


def _with_points(spec: BodySpec, r: FloatArray, m: FloatArray) -> BodySpec:
    total = spec.mass + float(m.sum())
    if total == 0:
        return spec
    own = np.asarray(spec.center_of_mass)
    c = (spec.mass * own + m @ r) / total
    I = tensor(spec.inertia)
    for mass, point in [(spec.mass, own), *zip(m, r, strict=True)]:
        d = point - c
        I = I + mass * (d @ d * np.eye(3) - np.outer(d, d))
    return dataclasses.replace(spec, mass=total, center_of_mass=floats(c), inertia=components(I))


def freeze_flesh(
    parts: Sequence[FleshSpec], index: Mapping[str, int], places: Mapping[str, Pose], planes: Mapping[str, Plane]
) -> Flesh:
    """Put the flesh of all characters into one set of tables; `planes` are those that bodies move in."""
    nodes = jit.rows(sum(len(part.nodes) for part in parts), NODE_ROW)
    elements = jit.rows(sum(len(part.tets) for part in parts), ELEMENT_ROW)
    vertices = jit.rows(sum(len(part.vertices) for part in parts), VERTEX_ROW)
    n0 = e0 = v0 = 0
    for material, part in enumerate(parts):
        _node_rows(nodes[n0 : n0 + len(part.nodes)], part, index, places)
        _element_rows(elements[e0 : e0 + len(part.tets)], part, n0, material)
        _vertex_rows(vertices[v0 : v0 + len(part.vertices)], part, n0, index)
        _mirror_rows(nodes[n0 : n0 + len(part.nodes)], vertices[v0 : v0 + len(part.vertices)], part, n0, v0, planes)
        n0, e0, v0 = n0 + len(part.nodes), e0 + len(part.tets), v0 + len(part.vertices)
    elements.flags.writeable = False
    rest = np.concatenate([part.nodes for part in parts])
    return retuned(Flesh(tuple(parts), nodes, elements, jit.rows(len(parts), MATERIAL_ROW), vertices, rest), parts)


def retuned(flesh: Flesh, parts: Sequence[FleshSpec], *, dt: float | None = None, stiffness: float = 1.0) -> Flesh:
    """The same flesh with other materials, dampings and step.

    Args:
        flesh: what it was.
        parts: its descriptions, with other materials and dampings.
        dt: step that contact has to be as firm as; for each part its own if not given [s].
        stiffness: factor on all Young's moduli.
    """
    nodes, materials, vertices = flesh.nodes.copy(), flesh.materials.copy(), flesh.vertices.copy()
    n0 = v0 = 0
    for k, part in enumerate(parts):
        n1, v1 = n0 + len(part.nodes), v0 + len(part.vertices)
        mu, lam = part.lame
        materials[k] = (part.material_code, stiffness * mu, stiffness * lam, part.low, part.high)
        nodes["damping"][n0:n1] = part.damping * part.masses
        # A part has chosen its gains for its own step; a shorter one allows more, a longer one less.
        ratio = 1.0 if dt is None else part.dt / dt
        vertices["kn"][v0:v1], vertices["cn"][v0:v1] = ratio**2 * part.contact_stiffness, ratio * part.contact_damping
        n0, v0 = n1, v1
    for table in (nodes, materials, vertices):
        table.flags.writeable = False
    return dataclasses.replace(flesh, specs=tuple(parts), nodes=nodes, materials=materials, vertices=vertices)


def _node_rows(rows: Any, part: FleshSpec, index: Mapping[str, int], places: Mapping[str, Pose]) -> None:
    for i, name in enumerate(part.bones):
        rows[i]["bone"] = index.get(name, -1)
        if name:
            place = places[name]
            rows[i]["r"] = (part.nodes[i] - np.asarray(place.position)) @ place.matrix
    rows["fixed"], rows["mass"] = part.fixed, part.masses


def _element_rows(rows: Any, part: FleshSpec, first: int, material: int) -> None:
    Dm = np.swapaxes(part.nodes[part.tets[:, 1:]] - part.nodes[part.tets[:, :1]], 1, 2)
    rows["n"], rows["material"] = part.tets + first, material
    rows["Dm_inv"] = np.linalg.inv(Dm).reshape(-1, 9)
    rows["volume"] = part.filled * np.linalg.det(Dm) / 6


def _vertex_rows(rows: Any, part: FleshSpec, first: int, index: Mapping[str, int]) -> None:
    corners = part.tets[part.carriers]
    rows["n"], rows["w"] = corners + first, part.weights
    strongest = corners[np.arange(len(corners)), np.argmax(part.weights, axis=1)]
    rows["bone"] = [index.get(part.bones[node], -1) for node in strongest]


def _mirror_rows(
    nodes: Any, vertices: Any, part: FleshSpec, first_node: int, first_vertex: int, planes: Mapping[str, Plane]
) -> None:
    """Pair nodes and vertices with their mirror images, if all bones of the part move in one plane."""
    nodes["mirror"] = vertices["mirror"] = -1
    found = {planes.get(name) for name in part.bones}
    plane = found.pop()
    if found or plane is None:
        return
    twin = partners(part.nodes, plane)
    if np.all(twin >= 0) and np.all(nodes["bone"] == nodes["bone"][twin]) and np.all(part.fixed == part.fixed[twin]):
        nodes["mirror"] = first_node + twin
    twin = partners(part.vertices, plane)
    if np.all(twin >= 0) and np.all(vertices["bone"] == vertices["bone"][twin]):
        vertices["mirror"] = first_vertex + twin
