"""The commands. Each imports what it needs itself, so that `stringless --help` answers at once."""

from typing import Annotated

import typer

from stringless.cli import measure, perform, project, run, scenes, studio

app = typer.Typer(
    name="stringless",
    help="Direct physically simulated characters that move by their own actuators.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


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
    *(studio.studio, scenes.scenes, run.run, scenes.save, perform.perform),
    *(project.export, scenes.check, measure.soak, measure.bench),
):
    app.command()(command)
