"""Wrap a skeleton in flesh: from a surface and bones to everything a simulation needs."""

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError, StringlessWarning
from stringless.flesh.attachment import Attachment, attach, check_attachment
from stringless.flesh.cage import Cage, require_cage
from stringless.flesh.embedding import embed
from stringless.flesh.fill import fill_cage
from stringless.flesh.lattice_cage import lattice_cage
from stringless.flesh.mass_floor import Floor, raise_masses
from stringless.flesh.materials import MATERIAL_TYPES, find_material
from stringless.flesh.stability import NO_BONES, contact_gains, step_limit, stiffness
from stringless.flesh.surface import Surface
from stringless.flesh.surface_checks import require_surface
from stringless.model.builder import ModelBuilder, completed, ordered
from stringless.model.checks import suggest
from stringless.model.flesh import FleshSpec, lame, merge_masses
from stringless.model.neutral_configuration import neutral_places, normal_motions
from stringless.spatial.arrays import FloatArray

LEAST_FILL = 0.02
"""Part of an element that is stiff at least. A node of none but nearly empty elements would hang on nothing, and fall
until they are drawn out to threads. Masses are those of the true filling."""
MOST_ADDED = 0.02
"""Share of its mass that flesh may be made heavier by without a warning."""


def wrap(
    builder: ModelBuilder,
    surface: Surface,
    *,
    cage: Cage | None = None,
    name: str = "flesh",
    bones: Sequence[str] | None = None,
    within: float = 0.0,
    fixed: Mapping[str, Sequence[int]] | None = None,
    attachment: Attachment | None = None,
    density: float = 1000.0,
    material: str = "stvk",
    young: float = 30e3,
    poisson: float = 0.33,
    damping: float = 12.0,
    dt: float = 1e-3,
    colors: ArrayLike = (),
    **lattice: Any,
) -> FleshSpec:
    """Fill `surface` with flesh, hang it on the skeleton in `builder` and add it there.

    Args:
        builder: holds the skeleton, at whose neutral configuration the surface is given.
        surface: the skin, closed.
        cage: tetrahedra around it; a lattice made with the options in `lattice` (`cell`, `tets` or `cells`) if not given.
        name: of this flesh, for messages.
        bones: names of the bones that hold it; all with shapes if not given.
        within: nodes no farther than this from a bone's shape are fixed to it, besides those inside it [m].
        fixed: nodes fixed by list: bone name to node numbers.
        attachment: the bone of every node and whether it is fixed to it, instead of `bones`, `within` and `fixed`.
        density: of the flesh [kg/m³].
        material: name of a law in `flesh.materials`.
        young: Young's modulus [Pa].
        poisson: Poisson's ratio.
        damping: rate at which motion against the bone dies down [1/s].
        dt: step that the flesh should be stable at: up to a tenth of the mass is moved to light nodes for it, contact is as firm
            as it allows [s].
        colors: red, green and blue from 0 to 1, one for all vertices or one each, for drawing.
        lattice: options of `lattice_cage`: one of `cell`, `tets` and `cells`.
    """
    check_material(material, young, poisson, density, damping)
    if not (np.isfinite(dt) and dt > 0):
        raise InputError(f"dt is {dt} s; expected a finite number above 0")
    if not np.isfinite(within):
        raise InputError(f"within is {within} m; expected a finite number")
    if cage is None:
        cage = lattice_cage(surface, **lattice)
    else:
        require_surface(surface)
        require_cage(cage, name=f"cage of '{name}'")
    fill = fill_cage(surface, cage.nodes, cage.tets)
    carriers, weights = embed(surface, cage)
    if attachment is None:
        attachment = attach(cage.nodes, builder.specs, bones=bones, within=within, fixed=fixed)
    bones_of, is_fixed = check_attachment(attachment, len(cage.nodes), builder.specs)
    mu, lam = lame(young, poisson)
    filled, nothing = np.maximum(fill.filled, LEAST_FILL), np.zeros(len(surface.vertices))
    spec = FleshSpec(
        name=name,
        nodes=cage.nodes,
        tets=cage.tets,
        filled=filled,
        masses=density * fill.node_volume,
        bones=bones_of,
        fixed=is_fixed,
        vertices=surface.vertices,
        triangles=surface.triangles,
        colors=vertex_colors(colors, len(surface.vertices)),
        carriers=carriers,
        weights=weights,
        contact_stiffness=nothing,
        contact_damping=nothing,
        density=density,
        dt=dt,
        material=material,
        material_code=MATERIAL_TYPES[material].code,
        young=young,
        poisson=poisson,
        low=stretch_floor(mu, lam),
        damping=damping,
    )
    spec = with_floor(builder, spec)
    builder.flesh.append(spec)
    return spec


def with_floor(builder: ModelBuilder, spec: FleshSpec) -> FleshSpec:
    """A flesh as it is described, with masses for its step, and what follows from them: contact and the longest step."""
    K, free = stiffness(spec.nodes, spec.tets, spec.filled, *spec.lame), ~spec.fixed

    def bone_motions(masses: FloatArray) -> FloatArray:
        return find_bone_motions(builder, dataclasses.replace(spec, masses=masses))

    floor = raise_masses(K, spec.masses, spec.nodes, free, spec.dt, bone_motions)
    warn_of_added_mass(spec.name, floor)
    motions, corners = bone_motions(floor.masses), spec.tets[spec.carriers]
    firm, soft = contact_gains(corners, spec.weights, floor.masses, spec.bones, spec.fixed, spec.dt)
    return dataclasses.replace(
        spec,
        masses=floor.masses,
        moved_mass=floor.moved,
        added_mass=floor.added,
        bone_motions=motions,
        contact_stiffness=firm,
        contact_damping=soft,
        step_limit=step_limit(K, floor.masses, free, motions),
    )


def find_bone_motions(builder: ModelBuilder, spec: FleshSpec) -> FloatArray:
    """How the fixed nodes of a flesh move with the skeleton as it is so far: `FleshSpec.bone_motions`."""
    if builder.plain_problems():
        return NO_BONES  # what is wrong is told when the model is built
    specs = [completed(body) for body in ordered(builder.specs)]
    roots = dict[str, str]()
    for body in specs:
        roots[body.name] = roots.get(body.parent, body.name)
    own = {roots[name] for name in spec.bones if name}  # other trees must not change the last digit
    bodies = merge_masses(specs, [*builder.flesh, spec], neutral_places(specs))
    bodies = [body for body in bodies if roots[body.name] in own]
    if not bodies:
        return NO_BONES
    index = {body.name: i for i, body in enumerate(bodies)}
    twists = normal_motions(bodies)
    motions = np.zeros((len(twists), int(spec.fixed.sum()), 3))
    for k, node in enumerate(np.flatnonzero(spec.fixed)):
        if spec.bones[node]:
            twist = twists[:, index[spec.bones[node]]]
            motions[:, k] = twist[:, 3:] + np.cross(twist[:, :3], spec.nodes[node])
    return motions


def warn_of_added_mass(name: str, floor: Floor) -> None:
    """Say so if light nodes got mass that no heavy node could give."""
    share = floor.added / float(floor.masses.sum() - floor.added)
    if share > MOST_ADDED:
        warnings.warn(
            f"flesh '{name}' is {share:.0%} heavier than it should be ({floor.added:.3g} kg were added to {floor.raised} light "
            "nodes, which others could not give): take a finer cage, or one that fits more closely",
            StringlessWarning,
            stacklevel=5,
        )


def vertex_colors(colors: ArrayLike, count: int) -> FloatArray:
    """One colour for each of `count` vertices, shape (count, 3); empty if none is given."""
    given = np.asarray(colors, float)
    if given.size == 0:
        return np.zeros((0, 3))
    if given.shape not in ((3,), (count, 3)) or not np.all((given >= 0) & (given <= 1)):
        raise InputError(f"colors: expected three numbers from 0 to 1, for all or for each of {count} vertices")
    return np.broadcast_to(given, (count, 3)).copy()


def stretch_floor(mu: float, lam: float) -> float:
    """Lower bound of the squared stretch: 2/3, or higher for large Poisson's ratios (docs/theory/flesh.md, section 2.5)."""
    return max(2 / 3, (1.5 * lam + mu) / (1.5 * lam + 3 * mu) + 0.01)


def check_material(material: str, young: float, poisson: float, density: float, damping: float) -> None:
    """Refuse numbers that no flesh can have."""
    kind = find_material(material)
    if kind is None:
        raise InputError(f"there is no material '{material}'. {suggest(material, MATERIAL_TYPES)}")
    low, high = kind.poisson_limits
    if not low < poisson < high:
        raise InputError(f"Poisson's ratio is {poisson}; material '{material}' takes values between {low} and {high}")
    for what, value, unit in (("Young's modulus", young, "Pa"), ("density", density, "kg/m³")):
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{what} is {value} {unit}; expected a finite number above 0")
    if not (np.isfinite(damping) and damping >= 0):
        raise InputError(f"damping is {damping} 1/s; expected a finite number of 0 or more")
