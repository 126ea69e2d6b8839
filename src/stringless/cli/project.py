"""`stringless project`: what is in a project file, its journal as a script, rescue from a damaged one; `stringless export`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from stringless.cli import output
from stringless.cli.options import MOTIONS, WRITERS, Json, with_options

app = typer.Typer(help="Look into project files, and rescue damaged ones.", no_args_is_help=True, rich_markup_mode=None)
File = Annotated[Path, typer.Argument(help="A project file, ending in .stringless.")]


@app.command()
def info(file: File, as_json: Json = False) -> None:
    """Say what is in a project: its scene, branches, journal and size."""
    from stringless.project import Project

    with Project.open(file, readonly=True) as project:
        take, now = project.take, project.position
        branches: list[dict[str, Any]] = [
            {
                "lane": branch.id,
                "name": branch.name,
                "from": round(branch.begin, 6),
                "to": round(take.end(branch.id), 6),
                "branch_of": take.branches[branch.parent].name if branch.parent is not None else "",
                "deleted": branch.deleted,
            }
            for branch in take.branches.values()
        ]
        facts: dict[str, Any] = {
            "file": str(file),
            "scene": project.scene().name,
            "engine": project.sim.config.engine,
            "time": round(now.time, 6),
            "lane": take.branches[now.branch].name if now.branch is not None else "",
            "megabytes": project.store.size() / 1e6,
            "can_be_undone": len(project.history.done),
            "left_open": project.recovered is not None,
        }
    shown = output.facts([(name.replace("_", " "), output.text(str(value))) for name, value in facts.items()])
    output.answer({**facts, "lanes": branches}, as_json, shown, output.table(branches, title="branches"))


@app.command()
def check(file: File, as_json: Json = False) -> None:
    """Simulate everything on record again, and say where it comes out otherwise."""
    from stringless.project import Project
    from stringless.project.scenes import scene_id

    with Project.open(file, readonly=True) as project:
        present, found = project.scene_data, []
        for branch in project.take.branches.values():
            if branch.scene == scene_id(present):
                time = project.sim.recording.find_difference(branch.id)
                found.append({"lane": branch.name, "same": time is None, "differs_at": time})
            else:
                found.append({"lane": branch.name, "same": None, "differs_at": None, "why": "it shows another scene"})
    output.answer({"file": str(file), "lanes": found}, as_json, output.table(found))
    if any(row["same"] is False for row in found):
        raise typer.Exit(1)


@app.command()
def script(file: File) -> None:
    """Print the journal as a Python program that does everything again."""
    from stringless.project import Project

    with Project.open(file, readonly=True) as project:
        typer.echo(project.script(), nl=False)


@app.command()
def rescue(
    file: File,
    target: Annotated[Path, typer.Argument(help="New file for what is intact.")],
    as_json: Json = False,
) -> None:
    """Copy all that is intact of a damaged project into a new file, and say what was lost."""
    from stringless.timeline import rescue as copy_what_is_intact

    report = copy_what_is_intact(file, target)
    lines = [f"kept {count} of kind '{kind}'" for kind, count in report.kept.items()]
    lines += [f"lost {what}" for what in report.lost]
    output.answer({"file": target, "kept": report.kept, "lost": report.lost}, as_json, *map(output.text, lines))


@app.command()
def commands(as_json: Json = False) -> None:
    """List all that can be done to a project, as in project.do("mark", name="landing")."""
    from stringless.project.commands import COMMANDS

    rows = [{"command": name, "takes": known.signature, "does": known.summary} for name, known in COMMANDS.items()]
    output.answer({"commands": rows}, as_json, output.table(rows))


@with_options(WRITERS)
def export(
    project: Annotated[Path, typer.Argument(metavar="PROJECT", help="A project file, ending in .stringless.")],
    file: Annotated[Path, typer.Argument(help=f"What to write; the suffix tells the format: {MOTIONS}.")],
    branch: Annotated[
        str | None,
        typer.Option("--branch", "--lane", help="Number or name of a branch; by default the one that is open."),
    ] = None,
    start: Annotated[float | None, typer.Option(help="First time [s].")] = None,
    end: Annotated[float | None, typer.Option(help="Last time [s].")] = None,
    rate: Annotated[float, typer.Option(help="Frames per second.")] = 60.0,
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Write a project's motion as a file for other programs: skeleton and deforming surface."""
    from stringless.project import Project
    from stringless.project import export as write

    with Project.open(project, readonly=True) as opened, output.progress("exporting", quiet=as_json) as report:
        chosen = int(branch) if branch is not None and branch.isdecimal() else branch
        path = write(opened, file, branch=chosen, start=start, end=end, rate=rate, progress=report, **options)
    size = path.stat().st_size
    answer = {"project": project, "file": path, "bytes": size}
    output.answer(answer, as_json, output.text(f"{path}: {size / 1e6:.2f} MB"))
