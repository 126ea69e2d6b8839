"""`stringless scenes`, `save` and `check`: what scenes there are, and files of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from stringless.cli import output
from stringless.cli.options import Json
from stringless.errors import InputError


def scenes(as_json: Json = False) -> None:
    """List the built-in scenes."""
    from stringless.scenes import SCENES

    rows = [{"name": scene.name, "description": scene.description} for scene in SCENES.values()]
    output.answer({"scenes": rows}, as_json, output.table(rows))


def save(
    scene: Annotated[str, typer.Argument(help="A built-in scene or a file.")],
    file: Annotated[Path, typer.Argument(help="The .toml file to write; meshes go beside it.")],
    as_json: Json = False,
) -> None:
    """Write a scene as a file of ours, to read and to change."""
    from stringless.formats import write_toml
    from stringless.formats.toml_writer import side_file
    from stringless.loading import load

    if file.suffix.lower() != ".toml":
        raise InputError(f"'{file}' ends in '{file.suffix}'; a scene is written as a .toml file")
    loaded = load(scene)
    if not file.parent.is_dir():
        raise InputError(f"there is no folder '{file.parent}' to write '{file.name}' into")
    write_toml(loaded, file)
    meshes = len(loaded.model.flesh.specs) if loaded.model.flesh is not None else 0
    files = [file, *(file.with_name(side_file(file.stem, number + 1)) for number in range(meshes))]
    output.answer({"scene": scene, "files": [str(path) for path in files]}, as_json, *map(output.text, files))


def check(
    file: Annotated[Path, typer.Argument(help="A scene file: .toml, .urdf or .xml (MJCF).")],
    as_json: Json = False,
) -> None:
    """Print everything that is wrong with a file, not only the first."""
    from stringless.loading import check as find_problems

    problems = find_problems(os.fspath(file))
    errors = sum(problem.severity == "error" for problem in problems)
    verdict = f"{file}: {_count(errors, 'error')}, {_count(len(problems) - errors, 'warning')}"
    if as_json:
        document: dict[str, Any] = {"file": str(file), "ok": errors == 0}
        document |= {"error": verdict} if errors else {}
        output.write_json(document | {"problems": [output.as_dict(problem) for problem in problems]})
    else:
        for problem in problems:
            typer.echo(f"{problem.severity}: {problem}")
        typer.echo(verdict if problems else f"{file}: no problems found", err=errors > 0)
    if errors:
        raise typer.Exit(1)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
