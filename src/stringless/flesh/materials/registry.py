"""All materials, and the kernels' way to the right one.

To add a material: write its file, then name it in `MATERIAL_TYPES`, `plain` and `by_stretch` below.
"""

from __future__ import annotations

from stringless.flesh.materials import neo_hookean, stvk
from stringless.flesh.materials.base import MaterialType
from stringless.jit import kernel

MATERIAL_TYPES: dict[str, MaterialType] = {material.name: material for material in (stvk.STVK, neo_hookean.NEO_HOOKEAN)}
NEO_HOOKEAN = neo_hookean.NEO_HOOKEAN.code


@kernel(inline=True)
def plain(F, material):
    """Whether the plain form holds at F, and the first Piola stress that it gives there."""
    if material.kind == NEO_HOOKEAN:
        return neo_hookean.plain(F, material)
    return stvk.plain(F, material)


@kernel(inline=True)
def by_stretch(s, material):
    """Energy density and principal stresses at the stretches `s`; holds for every deformation."""
    if material.kind == NEO_HOOKEAN:
        return neo_hookean.by_stretch(s, material)
    return stvk.by_stretch(s, material)
