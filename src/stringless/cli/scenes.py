"""`stringless scenes`, `save` and `check`: what scenes there are, and files of them."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from stringless.cli import output
from stringless.cli.options import READERS, SCENES, WRITTEN, Json, with_options
from stringless.errors import InputError


def scenes(as_json: Json = False) -> None:
    """List the built-in scenes."""
    from stringless.scenes import SCENES

    rows = [{"name": scene.name, "description": scene.description} for scene in SCENES.values()]
    output.answer({"scenes": rows}, as_json, output.table(rows))


@with_options(READERS)
def save(
    scene: Annotated[str, typer.Argument(help=f"A built-in scene or a file: {SCENES}.")],
    file: Annotated[Path, typer.Argument(help=f"The {WRITTEN} file to write; meshes go beside it.")],
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Write a scene as a file of ours, to read and to change."""
    from stringless.formats.registry import find_writer
    from stringless.loader import load

    writer = find_writer(file, "scene")
    loaded = load(scene, **options)
    if not file.parent.is_dir():
        raise InputError(f"there is no folder '{file.parent}' to write '{file.name}' into")
    files = writer.call(loaded, file, options={})
    output.answer({"scene": scene, "files": [str(path) for path in files]}, as_json, *map(output.text, files))


@with_options(READERS)
def check(
    file: Annotated[Path, typer.Argument(help=f"A scene file: {SCENES}.")],
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Print everything that is wrong with a file, not only the first."""
    from stringless.loader import check as find_problems

    problems = find_problems(os.fspath(file), **options)
    errors = sum(problem.severity == "error" for problem in problems)
    verdict = f"{file}: {_count(errors, 'error')}, {_count(len(problems) - errors, 'warning')}"
    if as_json:
        failure = {"error": verdict} if errors else {}
        output.write_json({"file": file, "ok": errors == 0, **failure, "problems": problems})
    else:
        for problem in problems:
            typer.echo(f"{problem.severity}: {problem}")
        typer.echo(verdict if problems else f"{file}: no problems found", err=errors > 0)
    if errors:
        raise typer.Exit(1)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
