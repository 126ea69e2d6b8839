"""`stringless project`: what is in a project file, its journal as a script, and rescue from a damaged one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from stringless.cli import output

app = typer.Typer(help="Look into project files, and rescue damaged ones.", no_args_is_help=True, rich_markup_mode=None)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
File = Annotated[Path, typer.Argument(help="A project file, ending in .stringless.")]


@app.command()
def info(file: File, as_json: Json = False) -> None:
    """Say what is in a project: its scene, lanes, journal and size."""
    from stringless.project import Project

    with Project.open(file, readonly=True) as project:
        take, now = project.take, project.position
        lanes: list[dict[str, Any]] = [
            {
                "lane": lane.id,
                "name": lane.name,
                "from": round(lane.begin, 6),
                "to": round(take.end(lane.id), 6),
                "branch_of": take.lanes[lane.parent].name if lane.parent is not None else "",
                "deleted": lane.deleted,
            }
            for lane in take.lanes.values()
        ]
        facts: dict[str, Any] = {
            "file": str(file),
            "scene": project.scene().name,
            "engine": project.sim.config.engine,
            "time": round(now.time, 6),
            "lane": take.lanes[now.lane].name if now.lane is not None else "",
            "megabytes": project.store.size() / 1e6,
            "can_be_undone": len(project.history.done),
            "left_open": project.recovered is not None,
        }
    if as_json:
        output.write_json({**facts, "lanes": lanes})
        return
    output.out().print(
        output.facts([(name.replace("_", " "), output.text(str(value))) for name, value in facts.items()])
    )
    output.out().print(output.table(lanes, title="lanes"))


@app.command()
def check(file: File, as_json: Json = False) -> None:
    """Simulate everything on record again, and say where it comes out otherwise."""
    from stringless.project import Project
    from stringless.project.project import scene_id

    with Project.open(file, readonly=True) as project:
        present, found = project.scene_data, []
        for lane in project.take.lanes.values():
            if lane.scene == scene_id(present):
                time = project.sim.recording.unlike(lane.id)
                found.append({"lane": lane.name, "same": time is None, "differs_at": time})
            else:
                found.append({"lane": lane.name, "same": None, "differs_at": None, "why": "it shows another scene"})
    if as_json:
        output.write_json({"file": str(file), "lanes": found})
    else:
        output.out().print(output.table(found))
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
    target: Annotated[Path, typer.Argument(help="The new file to write what is intact into.")],
    as_json: Json = False,
) -> None:
    """Copy all that is intact of a damaged project into a new file, and say what was lost."""
    from stringless.timeline import rescue as copy_what_is_intact

    report = copy_what_is_intact(file, target)
    if as_json:
        output.write_json({"file": str(target), **output.as_dict(report)})
        return
    for kind, count in report.kept.items():
        typer.echo(f"kept {count} of kind '{kind}'")
    for what in report.lost:
        typer.echo(f"lost {what}")


@app.command()
def commands(as_json: Json = False) -> None:
    """List all that can be done to a project, as in project.do("mark", name="landing")."""
    from stringless.project.commands import COMMANDS

    rows = [
        {"command": command.name, "takes": command.signature, "does": command.summary} for command in COMMANDS.values()
    ]
    if as_json:
        output.write_json({"commands": rows})
    else:
        output.out().print(output.table(rows))
