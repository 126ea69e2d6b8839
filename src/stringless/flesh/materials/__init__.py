"""Laws of elasticity, one file each."""

from stringless.flesh.materials.base import MaterialType
from stringless.flesh.materials.registry import MATERIAL_TYPES, find_material, register_material

__all__ = ["MATERIAL_TYPES", "MaterialType", "find_material", "register_material"]
