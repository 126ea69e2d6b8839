"""Skins in our scene file: a mesh beside it, or a surface made by a generator with its parameters."""

import inspect
from collections.abc import Callable
from typing import Any, Literal, cast

import numpy as np

from stringless.errors import InputError, ModelError
from stringless.flesh import generators
from stringless.flesh.isosurface import Capsule, blend
from stringless.flesh.surface import Surface
from stringless.flesh.surface_checks import require_surface
from stringless.formats.meshes import read_surface
from stringless.formats.meshes.files import find_mesh
from stringless.formats.registry import find_readers, list_readers, list_suffixes
from stringless.formats.toml.arrays import read_arrays
from stringless.formats.toml.bodies import read_place
from stringless.formats.toml.tables import Table

GENERATORS: dict[str, Callable[..., Surface]] = {
    name: getattr(generators, name) for name in ("sphere", "ellipsoid", "capsule", "tube", "turned", "torus", "box")
}
"""Functions that make surfaces; their parameters are the keys of the table."""
READERS: dict[str, Callable[[Table, str], Any]] = {
    **dict.fromkeys(("center", "a", "b", "up", "size"), lambda table, key: table.vector(key, 3, ())),
    **dict.fromkeys(("radius", "major", "minor"), lambda table, key: table.number(key, 0.0)),
    **dict.fromkeys(("rings", "sides", "cap_rings"), lambda table, key: table.whole(key, 0)),
    **dict.fromkeys(("points", "outline"), lambda table, key: table.nested(key)),
    "radii": lambda table, key: table.vector(key, 3 if table.text("kind") == "ellipsoid" else None, ()),
    "cells": lambda table, key: table.wholes(key, 3),
    "axis": lambda table, key: table.text(key),
}
"""How each of these keys is read."""


def read_skin(table: Table, name: str) -> tuple[Surface | None, Any]:
    """Read `[flesh.surface]`: the surface, none if it cannot be made, and its colours, empty if it has none."""
    before = len(table.findings.errors)
    place, color = read_place(table), table.vector("color", 3, ())
    try:
        if "file" in table:
            surface, colors = _from_file(table)
        else:
            surface, colors = _from_generator(table), None
    except ModelError as error:
        table.findings.extend(error.problems)
        return None, ()
    except InputError as error:
        table.error(str(error), "a closed surface")
        return None, ()
    table.report_unknown()
    if surface is None or len(table.findings.errors) > before:
        return None, ()
    moved = any(place.position) or place.rotation != (0.0, 0.0, 0.0, 1.0)
    x = surface.vertices @ place.matrix.T + np.asarray(place.position) if moved else surface.vertices
    return Surface(x, surface.triangles, name), color if color or colors is None else colors


def _from_file(table: Table) -> tuple[Surface | None, Any]:
    """A mesh from a file, and the colours of its vertices if the file has any."""
    file = table.text("file")
    scale, up = table.number("scale", 1.0), table.choice("up", ("x", "y", "z"), "y")
    if "kind" in table:
        table.error("file and kind", "one of the two")
    path = find_mesh(file, table.folder)
    if path is None:
        table.error(f"file = '{file}', which is not there", "a mesh file beside the scene")
        return None, None
    if path.suffix.lower() == ".npz":
        if "scale" in table or "up" in table:
            table.error("scale or up with a .npz file", "metres, y up")
        vertices, triangles, colors = read_arrays(path, ("vertices", "triangles"), ("colors",))
        surface = Surface(vertices, triangles, f"{table.where}, file '{file}'")
        require_surface(surface)
        return surface, colors
    if not find_readers(path, "mesh"):
        known = ", ".join(list_suffixes(list_readers("mesh")))
        table.error(f"file = '{file}'", f"a file that ends in .npz or {known}")
        return None, None
    axis = cast("Literal['x', 'y', 'z']", up)
    surface, warnings = read_surface(path, scale=scale, up=axis, name=f"{table.where}, file '{file}'")
    table.findings.extend(warnings)
    return surface, None


def _from_generator(table: Table) -> Surface | None:
    kinds = (*GENERATORS, "blend")
    if "kind" not in table:
        table.error("no kind and no file", "a mesh file, or one of " + ", ".join(f'"{k}"' for k in kinds))
        return None
    kind = table.choice("kind", kinds, "")
    if not kind:
        return None
    if kind == "blend":
        return _blend(table)
    before = len(table.findings.errors)
    parameters = [found for found in inspect.signature(GENERATORS[kind]).parameters.values() if found.name in READERS]
    given = {found.name: READERS[found.name](table, found.name) for found in parameters if found.name in table}
    for found in parameters:
        if found.default is found.empty and found.name not in given:
            table.error(f"no {found.name}", f"a line {found.name} = ...")
    return GENERATORS[kind](**given) if len(table.findings.errors) == before else None


def _blend(table: Table) -> Surface | None:
    before = len(table.findings.errors)
    parts = table.tables("part")
    capsules = [_capsule(part) for part in parts]
    for key in ("cell", "width"):
        if key not in table:
            table.error(f"no {key}", f"a line {key} = ... [m]")
    cell, width = table.number("cell", 1.0), table.number("width", 1.0)
    if not parts:
        table.error("no part", "[[flesh.surface.part]] with a, b and radius")
    return blend(capsules, width=width, cell=cell) if len(table.findings.errors) == before else None


def _capsule(part: Table) -> Capsule:
    for key in ("a", "radius"):
        if key not in part:
            part.error(f"no {key}", f"a line {key} = ... [m]")
    a, radius = part.vector("a", 3, (0.0, 0.0, 0.0)), part.number("radius", 1.0)
    capsule = Capsule(a, part.vector("b", 3, a), radius, part.number("end_radius", radius))
    part.report_unknown()
    return capsule
