"""All materials, and the kernels' way to the right one.

A material is one file of this folder, which is found by itself, or is registered from outside with `register_material`. The
kernels that choose between laws are made from what is registered: a chain of `if material.kind == code`, one link for each.
"""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stringless.errors import InputError
from stringless.flesh.kernels_lanes import make_plain_lanes, make_stretch_lanes
from stringless.flesh.materials.base import MaterialType
from stringless.jit import collect, kernel, replace_kernels
from stringless.plugins import load_plugins

GROUP = "stringless.materials"
"""Entry points of other packages, whose modules register materials."""
FIRST_OUTSIDE = 100
"""Number of the first law from outside of the package."""

MATERIAL_TYPES = collect("stringless.flesh.materials", MaterialType)
_known = list(MATERIAL_TYPES.values())
"""Every law that some flesh may have, those that were registered again with their first definition, too."""

plain: Any
"""As `MaterialType.plain`, for the law of the given material."""
by_stretch: Any
"""As `MaterialType.by_stretch`, for the law of the given material."""
plain_lanes: Any
"""`plain_lanes(material, block, block_work)`: forces of a block's elements that are within their range."""
stretch_lanes: Any
"""`stretch_lanes(material, count, aside_work)`: stress of elements that were put aside, by their stretches."""


def find_material(name: str) -> MaterialType | None:
    """The law of this name; other packages that have laws are loaded only if it is none of the known ones."""
    if name not in MATERIAL_TYPES:
        load_plugins(GROUP, "materials")
    return MATERIAL_TYPES.get(name)


def register_material(material: MaterialType) -> MaterialType:
    """Add a law from outside of the package; returns it with its number.

    Flesh can be made of it by its name. Kernels that are compiled already are compiled again when a model needs them next.

    Raises:
        InputError: another law has this name.
    """
    other = MATERIAL_TYPES.get(material.name)
    if other and (other.code < FIRST_OUTSIDE or other.plain.__module__ != material.plain.__module__):
        raise InputError(f"material '{material.name}' is registered already; give yours another name")
    material = dataclasses.replace(material, code=max(FIRST_OUTSIDE, _known[-1].code + 1))
    _known.append(material)
    MATERIAL_TYPES[material.name] = material
    _make_kernels()
    outside = [known for known in _known if known.code >= FIRST_OUTSIDE]
    replace_kernels(Path(__file__), *(law for known in outside for law in (known.plain, known.by_stretch)))
    return material


def _make_kernels() -> None:
    global plain, by_stretch, plain_lanes, stretch_lanes
    plain = _chain(_law_or, {known.code: known.plain for known in _known})
    by_stretch = _chain(_law_or, {known.code: known.by_stretch for known in _known})
    plain_lanes = _chain(_loop_or, {known.code: make_plain_lanes(known.plain) for known in _known})
    stretch_lanes = _chain(_loop_or, {known.code: make_stretch_lanes(known.by_stretch) for known in _known})


def _chain(link: Callable[[int, Any, Any], Any], choices: dict[int, Any]) -> Any:
    """The kernel that takes the choice whose code a material has."""
    (_, chain), *others = choices.items()
    for code, choice in others:
        chain = link(code, choice, chain)
    return chain


def _law_or(code: int, law: Any, others: Any) -> Any:
    @kernel(inline=True)
    def choose(argument, material):
        """What the material's law says."""
        if material.kind == code:
            return law(argument, material)
        return others(argument, material)

    return choose


def _loop_or(code: int, loop: Any, others: Any) -> Any:
    @kernel(inline=True)
    def choose(material, elements, lanes_work):
        """Run the loop of the material's law."""
        if material.kind == code:
            loop(material, elements, lanes_work)
        else:
            others(material, elements, lanes_work)

    return choose


_make_kernels()
