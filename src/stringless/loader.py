"""One way to open anything: a built-in scene by name, or a file by its suffix."""

import difflib
import os
from typing import Any

from stringless.errors import InputError, ModelError, Problem, StringlessError
from stringless.formats.input.findings import Findings
from stringless.formats.input.source import as_path
from stringless.formats.registry import find_scene_reader, list_readers, list_suffixes
from stringless.model.scene import Scene
from stringless.simulation.diagnosis import scene_problems


def load(source: str | os.PathLike[str], **options: Any) -> Scene:
    """Open a built-in scene by its name, or a file by its suffix, such as .toml, .urdf or .xml.

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
    path, scenes = as_path(source), list[str]()
    if isinstance(source, str):
        from stringless.scenes import SCENES, load_scene  # late, because it needs most of the package

        scenes = sorted(SCENES)
        if source in SCENES:
            return load_scene(source, **options)
    if not path.suffix and not path.exists():
        raise InputError(_unknown_scene(str(source), scenes))
    return find_scene_reader(path).call(path, options=options, findings=findings)


def _unknown_scene(name: str, scenes: list[str]) -> str:
    text = f"there is no scene '{name}', and no file of that name."
    close = difflib.get_close_matches(name, scenes, n=3)
    if close:
        text += " Did you mean " + " or ".join(f"'{scene}'" for scene in close) + "?"
    if scenes:
        text += " Scenes: " + ", ".join(scenes) + "."
    return f"{text} Files end in {', '.join(list_suffixes(list_readers('scene')))}."
