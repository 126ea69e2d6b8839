"""Mass properties of a body, as MuJoCo's compiler works them out."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from stringless.formats.input.xmltree import Element
from stringless.formats.mjcf.defaults import ORIENTATIONS
from stringless.formats.mjcf.geoms import Geom, GeomReader
from stringless.formats.mjcf.places import read_place
from stringless.formats.mjcf.settings import Compiler
from stringless.model.checks import TRIANGLE_TOLERANCE
from stringless.model.pose import Pose
from stringless.model.solids import Solid, combine, components, tensor
from stringless.model.spec import BodySpec


def body_solid(
    inertial: tuple[Element, Pose] | None, geoms: Sequence[Geom], reader: GeomReader, compiler: Compiler
) -> Solid:
    """Mass properties in the file's body frame, from the inertial or from the geoms."""
    from_geoms = {"true": True, "false": False}.get(compiler.inertia_from_geom, inertial is None)
    solid = Solid()
    if inertial is not None:
        solid = _read_inertial(*inertial, compiler)
    if from_geoms:
        low, high = compiler.inertia_groups
        parts = [reader.solid(geom) for geom in geoms if low <= geom.group <= high]
        solid = combine(part for part in parts if part.mass) if any(part.mass for part in parts) else Solid()
    return _bounded(solid, compiler)


def _read_inertial(element: Element, frame: Pose, compiler: Compiler) -> Solid:
    attributes = element.attributes
    place = read_place(attributes, compiler)
    mass = attributes.number("mass", 0.0)
    if "mass" not in attributes:
        element.error("no mass", 'an attribute mass="..."')
    inertia = (*attributes.numbers("diaginertia", 3, (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0)
    if "fullinertia" in attributes:
        if any(key in attributes for key in (*ORIENTATIONS, "diaginertia")):
            element.error("fullinertia beside an orientation or diaginertia", "one of the two")
        inertia = attributes.numbers("fullinertia", 6, inertia)
    attributes.report_unread("inertial")
    solid = Solid(mass, inertia=inertia)
    if place.rotation == Pose().rotation and frame == Pose():
        return dataclasses.replace(solid, center_of_mass=place.position)
    return solid.placed(frame @ place)


def _bounded(solid: Solid, compiler: Compiler) -> Solid:
    """Apply the compiler's least mass, least inertia and balancing."""
    mass = max(solid.mass, compiler.bound_mass)
    inertia = solid.inertia
    if not np.all(np.isfinite(inertia)):
        return solid
    moments, axes = np.linalg.eigh(tensor(inertia))
    bounded = np.maximum(moments, compiler.bound_inertia) if compiler.bound_inertia else moments
    if compiler.balance_inertia and bounded[0] + bounded[1] < bounded[2] * (1 - TRIANGLE_TOLERANCE):
        bounded = np.full(3, bounded.mean())
    if not np.array_equal(bounded, moments):
        inertia = components(axes @ np.diag(bounded) @ axes.T)
    return Solid(mass, solid.center_of_mass, inertia)


def scale_total(specs: list[BodySpec], total: float) -> list[BodySpec]:
    """Scale all masses and inertias so that the masses add up to `total` [kg]."""
    mass = sum(spec.mass for spec in specs)
    if total <= 0 or mass <= 0:
        return specs
    ratio = total / mass
    return [
        dataclasses.replace(spec, mass=ratio * spec.mass, inertia=tuple(ratio * value for value in spec.inertia))
        for spec in specs
    ]
