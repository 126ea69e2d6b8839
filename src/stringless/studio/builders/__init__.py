"""Builders of what the studio sends, one module for each kind of message: scene, document, frame, status, log, edit."""

from typing import Any, TypeVar

from msgspec import Struct

from stringless.studio.messages import Vector

Kind = TypeVar("Kind", bound=Struct)


def copy_fields(kind: type[Kind], source: object, **others: Any) -> Kind:
    """A struct of the attributes of `source` that have the names of its fields, and of `others`."""
    names = [name for name in kind.__struct_fields__ if name not in others]
    return kind(**{name: getattr(source, name) for name in names}, **others)


def make_vector(values: Any) -> Vector:
    """Three numbers as a message has them."""
    x, y, z = values
    return float(x), float(y), float(z)
