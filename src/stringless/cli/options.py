"""Options that several commands take."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from stringless.formats.registry import Format, Option, list_readers, list_suffixes, list_writers

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
READERS, WRITERS = list_readers("scene"), list_writers("motion")
SCENES, MOTIONS = ", ".join(list_suffixes(READERS)), ", ".join(list_suffixes(WRITERS))
"""Suffixes of scenes that can be read and motions that can be written, for help texts."""
WRITTEN = " or ".join(list_suffixes(list_writers("scene")))
"""Suffixes of scenes that can be written."""


def chosen(**settings: Any) -> dict[str, Any]:
    """Settings of a simulation that were given."""
    return {name: value for name, value in settings.items() if value not in (None, "")}


def result_folder(out: Path | None, name: str) -> Path:
    """The folder for a result, made if it is not there."""
    folder = out or Path("runs") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def with_options(handlers: Sequence[Format]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options of readers or writers; those that are used arrive as `options`.

    One that is called like an option of the command itself can be given in Python only.
    """
    return functools.partial(_add_options, handlers=handlers)


def _add_options(command: Callable[..., Any], handlers: Sequence[Format]) -> Callable[..., Any]:
    signature = inspect.signature(command, eval_str=True)
    own = {name: parameter for name, parameter in signature.parameters.items() if name != "options"}
    further: dict[str, inspect.Parameter] = {}
    for handler in handlers:
        for option in handler.options.values():
            if option.name not in own and option.name not in further:
                sharing = [other for other in handlers if option.name in other.options]
                annotation = _annotate(option, sharing)
                kind = inspect.Parameter.KEYWORD_ONLY
                further[option.name] = inspect.Parameter(option.name, kind, default=None, annotation=annotation)

    @functools.wraps(command)
    def run(**given: Any) -> Any:
        options = {name: given.pop(name) for name in further}
        return command(**given, options={name: value for name, value in options.items() if value is not None})

    parameters = [*own.values(), *further.values()]
    run.__signature__ = signature.replace(parameters=parameters)  # pyright: ignore[reportAttributeAccessIssue]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _annotate(option: Option, sharing: Iterable[Format]) -> Any:
    """What the command line makes an option of."""
    word = option.name.replace("_", "-")
    flag = f"--{word}/--no-{word}" if option.type is bool and option.default else f"--{word}"
    sentence = option.help.split(". ")[0].rstrip(".")
    text = f"{sentence[:1].upper()}{sentence[1:]} ({', '.join(known.name for known in sharing)})."
    kind = Literal[option.choices] if option.choices else option.type
    return Annotated[kind | None, typer.Option(flag, help=text, show_default=False)]
