"""Our own scene file, TOML that a person can read and write; `scene` describes it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from stringless.formats.registry import Format, register, register_reader, register_writer

if TYPE_CHECKING:
    from stringless.formats.input.findings import Findings
    from stringless.model.scene import Scene

SUFFIXES, MEDIA_TYPE = (".toml",), "application/toml"
register(Format(name="Flesh arrays", suffixes=(".npz",), kind="part", description="meshes of flesh"))


@register_reader("TOML", suffixes=SUFFIXES, description="a Stringless scene", media_type=MEDIA_TYPE, rank=10)
def read_toml(path_or_text: str | os.PathLike[str], *, findings: Findings | None = None) -> Scene:
    """Read a scene file of ours.

    Args:
        path_or_text: a file, or its content.
        findings: collects errors and warnings, for a caller that wants them even when reading fails.

    Raises:
        InputError: the file cannot be opened.
        ModelError: with everything that is wrong with its content.
    """
    from stringless.formats.toml.scene import read_scene

    return read_scene(path_or_text, findings)


@register_writer("TOML", kind="scene", suffixes=SUFFIXES, description="a Stringless scene", media_type=MEDIA_TYPE)
def write_files(scene: Scene, path: str | os.PathLike[str]) -> list[Path]:
    """Write a scene with the meshes beside it; returns all files."""
    from stringless.formats.toml.scene import write_scene

    return write_scene(scene, Path(path))


def write_toml(scene: Scene, path: str | os.PathLike[str]) -> Path:
    """Write a scene; reading the file gives the same tables to the last bit. Returns the path.

    The meshes of flesh go into files beside it, `NAME-flesh-1.npz` and so on. A file appears whole or not at all.
    Warnings and the name of the source file are not kept.
    """
    return write_files(scene, path)[0]
