"""The types that all messages are built from."""

from typing import Annotated

from msgspec import Meta, Struct

VERSION = 6
"""Increased whenever an older page would misunderstand a newer studio."""

Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Name = Annotated[str, Meta(max_length=200)]
Vector = Annotated[tuple[float, float, float], Meta(description="Along world axes, or those of a bone [m].")]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w."""


class Message(Struct, tag=str.lower, tag_field="type", forbid_unknown_fields=True, omit_defaults=False):
    """A message in either direction."""
