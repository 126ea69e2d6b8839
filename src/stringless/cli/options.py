"""Options that several commands take."""

from pathlib import Path
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the result; default runs/NAME.")]
Engine = Annotated[
    str, typer.Option(help="reduced, stiff or adaptive; default: the one the scene is made for.", show_default=False)
]
Active = Annotated[
    int | None,
    typer.Option(help="With engine adaptive: how many joints of each character are active.", show_default=False),
]
MaxError = Annotated[
    float | None,
    typer.Option(help="With engine adaptive: allowed kinetic-energy error [J].", show_default=False),
]
FRAMES_PER_SECOND = 60
"""Of motions that are saved."""


def chosen(**settings: Any) -> dict[str, Any]:
    """Settings of a simulation that were given."""
    return {name: value for name, value in settings.items() if value not in (None, "")}


def result_folder(out: Path | None, name: str) -> Path:
    """The folder for a result, made if it is not there."""
    folder = out or Path("runs") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
