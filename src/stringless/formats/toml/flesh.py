"""Flesh in our scene file.

```toml
[[flesh]]
name = "arm"
bones = ["upper", "lower"]        # all bodies with shapes if left out
within = 0.005                    # nodes so near to a bone are fixed to it, besides those inside its shape [m]
young = 30e3                      # [Pa]; also poisson, density, damping, material, dt

[flesh.surface]                   # at the skeleton's neutral configuration
file = "arm.obj"                  # or .stl, .ply, .glb with scale = ... [m] and up = "z"; or .npz
# kind = "capsule"                # or a generator: sphere, ellipsoid, capsule, tube, turned, torus, box, blend
# a = [0.0, 0.0, 0.0]
color = [0.9, 0.6, 0.5]           # red, green, blue

[flesh.cage]
tets = 700                        # or cell = 0.02 [m], or cells = [20, 3, 2], or file = "arm.npz"

[flesh.fixed]                     # nodes fixed by list
upper = [3, 4, 5]
```
"""

from typing import Any

from stringless.errors import InputError, ModelError
from stringless.flesh.attachment import Attachment
from stringless.flesh.cage import Cage, from_tets
from stringless.flesh.materials import MATERIAL_TYPES, find_material
from stringless.flesh.wrap import wrap
from stringless.formats.meshes.files import find_mesh
from stringless.formats.toml.arrays import attachment_of, read_arrays
from stringless.formats.toml.surfaces import read_skin
from stringless.formats.toml.tables import Table
from stringless.model.builder import ModelBuilder
from stringless.model.checks import suggest

DEFAULTS = {"density": 1000.0, "young": 30e3, "poisson": 0.33, "damping": 12.0, "dt": 1e-3}
"""Numbers of a flesh and what they are if left out, as in `flesh.wrap`."""
POSITIVE = ("density", "young", "dt")


def read_flesh(table: Table, builder: ModelBuilder) -> None:
    """Read one `[[flesh]]` and wrap the skeleton in `builder` with it, if the file is in order so far."""
    findings = table.findings
    before = len(findings.errors)
    name = table.text("name", "flesh")
    bones = table.texts("bones")
    for bone in bones:
        _check_bone(table, bone, f"bones with '{bone}'", builder)
    settings = _read_settings(table)
    within = table.number("within", 0.0)
    fixed = _read_fixed(table.table("fixed"), builder)
    surface, colors = read_skin(table.table("surface"), name)
    around = table.table("cage")
    cage, lattice, attachment = _read_cage(around, bones)
    if attachment is not None and ("within" in table or fixed):
        around.error("a file that says which nodes are fixed", "no within and no fixed beside it")
    table.report_unknown()
    if surface is None or len(findings.errors) > before or builder.plain_problems():
        return
    hold: dict[str, Any] = {"bones": bones or None, "within": within, "fixed": fixed}
    if attachment is not None:
        hold = {"attachment": attachment}
    try:
        wrap(builder, surface, cage=cage, name=name, colors=colors, **hold, **settings, **lattice)
    except ModelError as error:
        for problem in error.problems:
            where = table.where if problem.where in (name, "flesh") else f"{table.where}, {problem.where}"
            (findings.error if problem.severity == "error" else findings.warn)(
                where, problem.found, problem.expected, problem.remedy
            )
    except InputError as error:
        table.error(str(error), "flesh that can be made")


def _read_settings(table: Table) -> dict[str, Any]:
    find_material(table.text("material", "stvk"))  # of another package, perhaps
    material = table.choice("material", tuple(MATERIAL_TYPES), "stvk")
    settings: dict[str, Any] = {key: table.number(key, default) for key, default in DEFAULTS.items()}
    for key in POSITIVE:
        if not settings[key] > 0:
            table.error(f"{key} = {settings[key]:g}", "a number above 0")
    if settings["damping"] < 0:
        table.error(f"damping = {settings['damping']:g}", "a number of 0 or more")
    low, high = MATERIAL_TYPES[material].poisson_limits
    if not low < settings["poisson"] < high:
        expected = f"a number between {low:g} and {high:g} for material '{material}'"
        table.error(f"poisson = {settings['poisson']:g}", expected)
    return {"material": material, **settings}


def _check_bone(table: Table, name: str, found: str, builder: ModelBuilder) -> None:
    known = [spec.name for spec in builder.specs]
    if name not in known:
        table.error(found, "bodies of this file", suggest(name, known))


def _read_fixed(table: Table, builder: ModelBuilder) -> dict[str, list[int]]:
    """`[flesh.fixed]`: a list of node numbers for each bone named."""
    fixed: dict[str, list[int]] = {}
    for name in table.values:
        _check_bone(table, name, f"'{name}'", builder)
        fixed[name] = list(table.wholes(name, None))
    return fixed


def _read_cage(table: Table, bones: list[str]) -> tuple[Cage | None, dict[str, Any], Attachment | None]:
    """`[flesh.cage]`: a mesh of tetrahedra in a file, or how to make a lattice."""
    given = [key for key in ("file", "cell", "cells", "tets") if key in table]
    sizes = table.one_or_more("cell")
    lattice: dict[str, Any] = {
        "cell": sizes[0] if len(sizes) == 1 else sizes,
        "cells": table.wholes("cells", 3),
        "tets": table.whole("tets", 0),
    }
    file = table.text("file")
    table.report_unknown()
    if len(given) != 1:
        found = " and ".join(given) or "nothing"
        expected = "one of cell (a size [m]), cells (three numbers), tets (how many) and file (a mesh of tetrahedra)"
        table.error(found, expected)
        return None, {}, None
    if given != ["file"]:
        return None, {given[0]: lattice[given[0]]}, None
    path = find_mesh(file, table.folder)
    if path is None or path.suffix.lower() != ".npz":
        expected = "a .npz file beside the scene, with arrays nodes (n, 3) [m] and tets (k, 4)"
        table.error(f"file = '{file}'" + ("" if path else ", which is not there"), expected)
        return None, {}, None
    try:
        nodes, tets, number, held = read_arrays(path, ("nodes", "tets"), ("bone", "fixed"))
        cage, warnings = from_tets(nodes, tets, name=f"{table.where}, file '{file}'")
        table.findings.extend(warnings)
        return cage, {}, None if number is None else attachment_of(path, number, held, bones)
    except ModelError as error:
        table.findings.extend(error.problems)
    except InputError as error:
        table.error(str(error), "a mesh of tetrahedra")
    return None, {}, None
