"""MJCF, MuJoCo's model format: nested bodies with joints and geoms, Z up, quaternions w first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from stringless.formats.input import find_root
from stringless.formats.registry import register_reader

if TYPE_CHECKING:
    from stringless.formats.input.findings import Findings
    from stringless.model.scene import Scene


@register_reader(
    "MJCF", suffixes=(".xml", ".mjcf"), description="a model of MuJoCo", mark="mujoco", sniff=find_root, rank=30
)
def read_mjcf(
    path_or_text: str | os.PathLike[str], *, up: Literal["z", "y"] = "z", findings: Findings | None = None
) -> Scene:
    """Read a MuJoCo model.

    Args:
        path_or_text: a file, or the XML itself.
        up: which axis points up in the file.
        findings: collects errors and warnings, for a caller that wants them even when reading fails.

    Raises:
        InputError: the file cannot be opened.
        ModelError: with everything that is wrong with its content.
    """
    from stringless.formats.mjcf.model import read_model

    return read_model(path_or_text, up, findings)
