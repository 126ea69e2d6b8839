"""The commands. Each imports what it needs itself, so that `stringless --help` answers at once."""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from stringless.cli import benchmarks, output, project, run, scenes, studio
from stringless.errors import ModelError, StringlessError

app = typer.Typer(
    name="stringless",
    help="Direct physically simulated characters that move by their own actuators.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
FAILED, MISUSED, BROKEN, INTERRUPTED = 1, 2, 70, 130
"""Exit codes: the job failed, the command line makes no sense, a fault in stringless, Ctrl-C."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from stringless import __version__

        typer.echo(f"stringless {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error came from (also: STRINGLESS_DEBUG=1).")
    ] = False,
) -> None:
    """Direct physically simulated characters that move by their own actuators. Alone it opens the studio."""
    if context.invoked_subcommand is None:
        studio.studio()


app.add_typer(project.app, name="project")
for command in (
    *(studio.studio, scenes.scenes, run.run, scenes.save, run.perform),
    *(project.export, scenes.check, benchmarks.soak, benchmarks.bench),
):
    app.command()(command)


def run_guarded(words: Sequence[str]) -> int:
    """Run the command that `words` spell; return its exit code."""
    # --debug may stand anywhere, also behind a subcommand.
    debug = "--debug" in words or os.environ.get("STRINGLESS_DEBUG", "0") not in ("", "0")
    as_json = "--json" in words
    try:
        code = app([word for word in words if word != "--debug"], prog_name="stringless", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:
        if debug:
            traceback.print_exc()
        code, message = explain(error)
        report(message, error, as_json=as_json)
        return code
    if code == INTERRUPTED:
        report("stopped by Ctrl-C", None, as_json=as_json)
    return code if isinstance(code, int) else 0


def explain(error: BaseException) -> tuple[int, str]:
    """Exit code and message of an error."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, "stopped by Ctrl-C"
    notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
    if isinstance(error, StringlessError):
        return FAILED, f"{error}{notes}"
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return FAILED, (f"{error.filename}: {reason}" if error.filename else reason) + notes
    # What typer raises for a wrong option has no base class to catch that is the same in all its versions.
    if hasattr(error, "format_message"):
        return MISUSED, f"{error.format_message().rstrip('.')}. Try: stringless --help"  # type: ignore[attr-defined]
    text = f"{type(error).__name__}: {error}{notes}"
    return BROKEN, f"a fault in stringless, please report it: {text}\nWith --debug it is shown where."


def report(message: str, error: BaseException | None, *, as_json: bool) -> None:
    """Write the message to stderr, and as JSON to stdout where a program reads along."""
    if as_json:
        document: dict[str, object] = {"error": message}
        if error is not None:
            document["type"] = type(error).__name__
        if isinstance(error, ModelError):
            document["problems"] = error.problems
        output.write_json(document)
    print(f"stringless: {message}", file=sys.stderr)
