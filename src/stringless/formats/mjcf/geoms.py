"""Geoms, the shapes of a body, and its mass properties: from its inertial, or from the geoms as MuJoCo's compiler does."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from stringless.errors import InputError
from stringless.formats.input.findings import PHYSICS
from stringless.formats.input.frames import composed, from_z_axis
from stringless.formats.input.xmltree import Attributes, Element
from stringless.formats.meshes.files import Triangles
from stringless.formats.mjcf.assets import Assets
from stringless.formats.mjcf.defaults import ORIENTATIONS
from stringless.formats.mjcf.settings import Compiler, read_place
from stringless.model.checks import TRIANGLE_TOLERANCE
from stringless.model.pose import Pose, Vector
from stringless.model.shapes import SIZE_NAMES, Shape, ShapeKind, ShapePurpose
from stringless.model.solids import Solid, combine, components, has_volume, shape_solid, tensor
from stringless.model.spec import BodySpec

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
STRETCHED = ("capsule", "cylinder", "box", "ellipsoid")
"""Types that `fromto` can place."""
HIDDEN_GROUP = 3
"""MuJoCo's viewer hides geoms of this group and above: by custom, those that only collide."""
STAND_IN = Solid(1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
"""For a geom whose mass an error hides, so that its body is not called massless as well."""
WATER = 1000.0
CONTACT = (
    *("friction", "condim", "priority", "solmix", "solref", "solimp", "margin", "gap"),
    *("fluidshape", "fluidcoef", "adhesion", "surfacevel"),
)


@dataclass(frozen=True)
class Geom:
    """One geom in the frame of its body."""

    shape: Shape
    attributes: Attributes
    group: int


def read_geom(element: Element, inherited: str, frame: Pose, assets: Assets) -> Geom | None:
    """Read one geom that sits in `frame`; none if it has no shape that is supported."""
    attributes = assets.defaults.attributes(element, inherited)
    kind = attributes.choice("type", TYPES, "sphere")
    place = read_place(attributes, assets.compiler)
    if kind in ("hfield", "sdf"):
        element.unused(f"geom of type '{kind}'", PHYSICS, expected="a solid, plane or mesh")
        return None
    if kind == "mesh":
        size, place, mesh = _mesh(attributes, place, assets)
    else:
        mesh = ""
        size, place = _size(attributes, kind, place)
        if "mesh" in attributes:
            remedy = 'Write type="mesh", or give the primitive its own size.'
            element.error(f"a {kind} fitted to a mesh", "a size", remedy)
    group = int(attributes.number("group", 0.0))
    shape = Shape(
        kind=cast("ShapeKind", kind),
        size=size,
        place=composed(frame, place),
        purpose=_purpose(attributes, group),
        name=element.get("name", ""),
        mesh=mesh,
        color=assets.color(attributes),
    )
    attributes.ignore("mass", "density", "shellinertia", "mesh", "user", "hfield", "fitscale", "castshadow")
    attributes.report_unread("geom", CONTACT)
    return Geom(shape, attributes, group) if kind != "mesh" or mesh else None


def _purpose(attributes: Attributes, group: int) -> ShapePurpose:
    masks = [attributes.number(key, 1.0) for key in ("contype", "conaffinity")]
    if not any(masks):
        return "visual"
    what = "contype and conaffinity, which say what touches what"
    if any(mask not in (0.0, 1.0) for mask in masks) or masks[0] != masks[1]:
        attributes.findings.unused(what, attributes.place, PHYSICS)
    return "collision" if group >= HIDDEN_GROUP else "both"


def _size(attributes: Attributes, kind: str, place: Pose) -> tuple[Vector, Pose]:
    size = attributes.numbers("size", 3, (), least=1)
    count = len(SIZE_NAMES[kind])
    if kind == "plane":
        return (), place
    if "fromto" in attributes and kind in STRETCHED:
        ends = attributes.numbers("fromto", 6, ())
        if not ends or not size:
            if not size:
                attributes.error("no size", "the radius, beside fromto")
            return (1.0,) * count, place
        return _between(ends, size[0], kind)
    if "fromto" in attributes:
        attributes.error(f"fromto on a {kind}", "one on " + ", ".join(STRETCHED))
    if len(size) < count:
        names = ", ".join(SIZE_NAMES[kind])
        attributes.error(f"{len(size)} sizes", f"{count} for a {kind}: {names}")
        return (1.0,) * count, place
    return size[:count], place


def _mesh(attributes: Attributes, place: Pose, assets: Assets) -> tuple[Vector, Pose, str]:
    """Scale, place and file of a mesh geom."""
    name = attributes.required("mesh")
    asset = assets.meshes.get(name)
    attributes.ignore("size")
    if asset is None:
        if name:
            attributes.error(f"mesh '{name}'", "a mesh of the file's assets")
        return (1.0, 1.0, 1.0), place, ""
    if not asset.file:
        remedy = "Save the mesh as an STL or OBJ file."
        attributes.error(f"mesh '{name}', which is written out in the file", "a mesh with a file", remedy)
        return (1.0, 1.0, 1.0), place, ""
    return asset.scale, composed(place, asset.frame), asset.file


# --- mass ---


def _geom_solid(geom: Geom, assets: Assets) -> Solid:
    """Mass properties of a geom in the frame of its body, from its mass or its density."""
    attributes = geom.attributes
    mass = attributes.number("mass", -1.0) if "mass" in attributes else None
    density = attributes.number("density", WATER)
    if geom.shape.kind == "plane" or mass == 0 or (mass is None and density == 0):
        return Solid()
    if attributes.flag("shellinertia", False):
        geom.attributes.error("shellinertia", "a full solid", "Give the body an inertial element.")
        return STAND_IN
    if (mass is not None and mass < 0) or density < 0:
        geom.attributes.error(f"mass {mass}, density {density}", "numbers of 0 or more")
        return STAND_IN
    if not has_volume(geom.shape):
        return STAND_IN  # reported with the shape
    try:
        return shape_solid(geom.shape, density=density, mass=mass, mesh=_triangles(geom, assets))
    except InputError as error:
        remedy = "Mend it, or give the body an inertial element."
        geom.attributes.error(str(error), "a solid to take the mass from", remedy)
        return STAND_IN


def _triangles(geom: Geom, assets: Assets) -> Triangles | None:
    if geom.shape.kind != "mesh":
        return None
    asset = assets.meshes[geom.attributes.text("mesh")]
    if not asset.solid:
        raise InputError("the mesh is declared a hollow shell, which is not supported")
    return assets.triangles(asset)


def _between(ends: Vector, radius: float, kind: str) -> tuple[Vector, Pose]:
    """Size and place of a solid stretched between two points; its z axis points from the second to the first."""
    first, second = ends[:3], ends[3:]
    along = tuple(a - b for a, b in zip(first, second, strict=True))
    half = math.hypot(*along) / 2
    middle = tuple((a + b) / 2 for a, b in zip(first, second, strict=True))
    size = (radius, half) if kind in ("capsule", "cylinder") else (radius, radius, half)
    return size, Pose(middle, from_z_axis(along))


def body_solid(inertial: tuple[Element, Pose] | None, geoms: Sequence[Geom], assets: Assets) -> Solid:
    """Mass properties in the file's body frame, from the inertial or from the geoms."""
    compiler = assets.compiler
    from_geoms = {"true": True, "false": False}.get(compiler.inertia_from_geom, inertial is None)
    solid = Solid()
    if inertial is not None:
        solid = _read_inertial(*inertial, compiler)
    if from_geoms:
        low, high = compiler.inertia_groups
        parts = [_geom_solid(geom, assets) for geom in geoms if low <= geom.group <= high]
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
