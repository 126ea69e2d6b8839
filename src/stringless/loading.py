"""One way to open anything: a built-in scene by name, or a file by its ending."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stringless.errors import InputError, ModelError, Problem, StringlessError
from stringless.formats import read_mjcf, read_toml, read_urdf
from stringless.formats.findings import Findings
from stringless.formats.source import as_path, read_source
from stringless.formats.xmltree import parse_xml
from stringless.model.scene import Scene
from stringless.simulation.diagnosis import scene_problems

Reader = Callable[..., Scene]
OPTIONS: dict[Reader, tuple[str, ...]] = {
    read_toml: (),
    read_urdf: ("floating", "up", "mend"),
    read_mjcf: ("up",),
}
"""Readers and the options each understands."""
XML_ROOTS: dict[str, Reader] = {"mujoco": read_mjcf, "robot": read_urdf}
ENDINGS = (".toml", ".urdf", ".xml", ".mjcf")


def load(source: str | os.PathLike[str], **options: Any) -> Scene:
    """Open a built-in scene by its name, or a file by its ending: .toml, .urdf or .xml.

    Args:
        source: name of a scene, or path of a file.
        options: what the format's reader takes, for example `floating=True` for a URDF file, or a built-in scene, such
            as `root="free"`.

    Raises:
        InputError: there is no such scene or file, or an option does not fit.
        ModelError: with everything that is wrong with the file.
    """
    return _load(source, Findings(), options)


def check(source: str | os.PathLike[str], **options: Any) -> list[Problem]:
    """Find everything that is wrong with a scene or file, errors first; empty if it is fine.

    Content that cannot be used or simulated, and a file that cannot be opened, are answers here and not exceptions.
    """
    findings = Findings()
    try:
        scene = _load(source, findings, options)
        return [*scene_problems(scene), *scene.warnings]
    except ModelError as error:
        return [*error.problems, *findings.warnings]
    except StringlessError as error:
        return [Problem(f"'{source}'", "nothing to read", "a scene or a file that can be read", str(error))]


def _load(source: str | os.PathLike[str], findings: Findings, options: dict[str, Any]) -> Scene:
    path = as_path(source)
    scenes = _scene_names() if isinstance(source, str) else []
    if source in scenes:
        from stringless.scenes import load_scene  # late, because it needs most of the package

        return load_scene(str(source), **options)
    if not path.suffix and not path.exists():
        raise InputError(_unknown_scene(str(source), scenes))
    reader = _reader(path)
    _check_options(f"a '{path.suffix}' file", options, OPTIONS[reader])
    return reader(path, findings=findings, **options)


def _check_options(what: str, options: dict[str, Any], known: tuple[str, ...]) -> None:
    for name in options:
        if name not in known:
            shown = ", ".join(f"'{option}'" for option in known) or "none"
            raise InputError(f"option '{name}' does not fit {what}; its options: {shown}")


def _scene_names() -> list[str]:
    from stringless.scenes import SCENES

    return sorted(SCENES)


def _unknown_scene(name: str, scenes: list[str]) -> str:
    text = f"there is no scene '{name}', and no file of that name."
    close = difflib.get_close_matches(name, scenes, n=3)
    if close:
        text += " Did you mean " + " or ".join(f"'{scene}'" for scene in close) + "?"
    if scenes:
        text += " Scenes: " + ", ".join(scenes) + "."
    return text + f" Files end in {', '.join(ENDINGS)}."


def _reader(path: Path) -> Reader:
    """Choose by the ending; what an .xml file holds, its root element says."""
    ending = path.suffix.lower()
    if ending == ".toml":
        return read_toml
    if ending == ".urdf":
        return read_urdf
    if ending in (".xml", ".mjcf"):
        return _xml_reader(path)
    if path.is_dir():
        raise InputError(f"'{path}' is a folder; expected a file. Name the file inside it.")
    if ending == ".xacro":
        raise InputError(f"'{path}' has macros in it. Expand it with the xacro program and load the URDF it writes.")
    raise InputError(f"'{path}' ends in '{ending}', which cannot be loaded. Files end in {', '.join(ENDINGS)}.")


def _xml_reader(path: Path) -> Reader:
    source = read_source(path, lambda _: False)
    root = parse_xml(source)
    if root.tag not in XML_ROOTS:
        expected = "'mujoco' (MJCF) or 'robot' (URDF)"
        problem = Problem(root.place, f"root element '{root.tag}'", expected, "Check that this is the right file.")
        raise ModelError(source.subject, [problem])
    return XML_ROOTS[root.tag]
