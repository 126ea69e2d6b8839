"""The commands. Each imports what it needs itself, so that `stringless --help` answers at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from stringless.cli import output, project
from stringless.cli.formats import MOTIONS, READERS, SCENES, WRITERS, WRITTEN, with_options

app = typer.Typer(
    name="stringless",
    help="Direct physically simulated characters that move by their own actuators.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Active = Annotated[
    int | None,
    typer.Option(help="With engine adaptive: how many joints of each character may move.", show_default=False),
]
MaxError = Annotated[
    float | None,
    typer.Option(help="With engine adaptive: the error of holding joints that is allowed [J].", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
Engine = Annotated[
    str, typer.Option(help="reduced, stiff or adaptive; default: the one the scene is made for.", show_default=False)
]


def _print_version(wanted: bool) -> None:
    if wanted:
        from stringless import __version__

        typer.echo(f"stringless {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error came from (also: STRINGLESS_DEBUG=1).")
    ] = False,
) -> None:
    """Direct physically simulated characters that move by their own actuators. Alone it opens the studio."""
    if context.invoked_subcommand is None:
        from stringless.cli.studio import run_studio

        run_studio()


app.add_typer(project.app, name="project")


def _chosen(**settings: Any) -> dict[str, Any]:
    """Settings of a simulation that were given."""
    return {name: value for name, value in settings.items() if value is not None}


@app.command()
def studio(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[SCENE_OR_PROJECT]",
            help="A built-in scene, a scene file or a project; if not given, a worm that lies on the floor.",
            show_default=False,
        ),
    ] = "",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="First port to try; 0 for any that is free.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Interface to listen on. Other machines can come in by any but 127.0.0.1.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    folder: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder, beside the working one, whose files the page may open and write; as often as wanted."
        ),
    ] = None,
    engine: Engine = "",
    active: Active = None,
    max_error: MaxError = None,
) -> None:
    """Direct characters in the browser. Ctrl-C stops it; everything is saved as you go."""
    from stringless.cli.studio import run_studio

    settings = _chosen(engine=engine or None, active=active, max_error=max_error)
    run_studio(source, port=port, host=host, browser=browser, folders=folder or [], settings=settings)


@app.command("scenes")
def list_scenes(as_json: Json = False) -> None:
    """List the built-in scenes."""
    from stringless.scenes import SCENES

    rows = [{"name": scene.name, "description": scene.description} for scene in SCENES.values()]
    if as_json:
        output.write_json({"scenes": rows})
    else:
        output.out().print(output.table(rows))


@app.command()
@with_options(READERS)
def run(
    scene: Annotated[str, typer.Argument(help=f"A built-in scene (see `stringless scenes`) or a file: {SCENES}.")],
    seconds: Annotated[float, typer.Option(help="How long to simulate [s].")] = 2.0,
    dt: Annotated[
        float | None, typer.Option(help="Step [s]; default: the one the scene is made for.", show_default=False)
    ] = None,
    engine: Engine = "",
    active: Active = None,
    max_error: MaxError = None,
    integrator: Annotated[str, typer.Option(help="symplectic, or rk4 for reference.")] = "symplectic",
    out: Annotated[Path | None, typer.Option(help="Folder for the result; default runs/SCENE.")] = None,
    root: Annotated[str, typer.Option(help="Root of a built-in character: planar or free.")] = "",
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Simulate a scene, save the motion and print a summary."""
    from stringless.cli.run import run_scene

    run_scene(
        scene,
        seconds=seconds,
        dt=dt,
        integrator=integrator,
        settings=_chosen(engine=engine or None, active=active, max_error=max_error),
        folder=out,
        as_json=as_json,
        options=options | ({"root": root} if root else {}),
    )


@app.command()
@with_options(READERS)
def save(
    scene: Annotated[str, typer.Argument(help=f"A built-in scene or a file: {SCENES}.")],
    file: Annotated[Path, typer.Argument(help=f"The {WRITTEN} file to write; meshes go beside it.")],
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Write a scene as a file of ours, to read and to change."""
    from stringless.cli.save import save_scene

    files = save_scene(scene, file, options)
    if as_json:
        output.write_json({"scene": scene, "files": [str(path) for path in files]})
    else:
        for path in files:
            typer.echo(str(path))


@app.command("perform")
def play(
    name: Annotated[str, typer.Argument(help="A performance; leave it out to list them.")] = "",
    out: Annotated[Path | None, typer.Option(help="Folder for the page; default runs/NAME.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Look at every step for strings, which takes longer.")] = False,
    as_json: Json = False,
) -> None:
    """Play a scripted performance, check that it became what it should, and save it as a page."""
    from stringless.cli.perform import perform, performances

    if name:
        perform(name, folder=out, watch=watch, as_json=as_json)
    elif as_json:
        output.write_json({"performances": performances()})
    else:
        output.out().print(output.table(performances()))


@app.command()
@with_options(WRITERS)
def export(
    project_file: Annotated[Path, typer.Argument(metavar="PROJECT", help="A project file, ending in .stringless.")],
    file: Annotated[Path, typer.Argument(help=f"What to write; the suffix tells the format: {MOTIONS}.")],
    lane: Annotated[
        str | None, typer.Option(help="Number or name of a lane; the one it was left in if not given.")
    ] = None,
    start: Annotated[float | None, typer.Option(help="First moment [s].")] = None,
    end: Annotated[float | None, typer.Option(help="Last moment [s].")] = None,
    rate: Annotated[float, typer.Option(help="Frames per second.")] = 60.0,
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Write a project's motion as a file for other programs: skeleton and deforming surface."""
    from stringless.cli.export import export_project

    export_project(project_file, file, lane=lane, start=start, end=end, rate=rate, options=options, as_json=as_json)


@app.command()
@with_options(READERS)
def check(
    file: Annotated[Path, typer.Argument(help=f"A scene file: {SCENES}.")],
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Print everything that is wrong with a file, not only the first."""
    from stringless.loading import check as find_problems

    problems = find_problems(os.fspath(file), **options)
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    verdict = f"{file}: {_count(errors, 'error')}, {_count(warnings, 'warning')}"
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


@app.command()
def soak(
    seconds: Annotated[float, typer.Option(min=1.0, help="How long to go on [s].")] = 600.0,
    seed: Annotated[int, typer.Option(help="Another one does other things.")] = 1,
    as_json: Json = False,
) -> None:
    """Direct at random in a studio of its own, and see that nothing breaks and nothing grows."""
    from stringless.cli.soak import run_soak

    if not run_soak(seconds, seed=seed, as_json=as_json):
        raise typer.Exit(1)


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark, or all.")] = "all",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repeats: within 30 s after compilation.")] = False,
    against: Annotated[str, typer.Option(help="Programs to measure beside us, as pinocchio,dart,mujoco.")] = "",
    as_json: Json = False,
) -> None:
    """Measure speed, beside other programs in the same run, and compare with what we promise."""
    from stringless.cli.bench import run_bench

    peers = [peer.strip() for peer in against.split(",") if peer.strip()]
    run_bench(name, quick=quick, against=peers, as_json=as_json)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
