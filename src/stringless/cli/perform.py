"""`stringless perform`: play a scripted performance and save it as a page."""

import time
from typing import Annotated, Any

import typer

from stringless.cli import output
from stringless.cli.options import FRAMES_PER_SECOND, Json, Out, result_folder


def perform(
    name: Annotated[str, typer.Argument(help="A performance; leave it out to list them.")] = "",
    out: Out = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check the momentum in every step (slower).")] = False,
    as_json: Json = False,
) -> None:
    """Play a scripted performance, check that it became what it should, and save it as a page."""
    from stringless.performances import PERFORMANCES, find_performance

    if not name:
        rows = [{"name": name, "description": act.summary} for name, act in PERFORMANCES.items()]
        output.answer({"performances": rows}, as_json, output.table(rows))
        return

    from stringless.project.exports import export

    act = find_performance(name)(watch=watch, record=FRAMES_PER_SECOND)
    clock = time.perf_counter()
    with output.compile_progress(quiet=as_json) as report:
        act.director.take(0)
        act.sim.warm_up(report)
        act.director.leave(0)
        act.director.events.clear()
    show = act.run()
    act.sim.finish_recording()
    page = export(act.sim, result_folder(out, name) / "replay.html", title=act.name, description=act.summary)
    facts: dict[str, Any] = {key: float(value) for key, value in show.facts.items()}
    output.answer(
        {"performance": name, "seconds": act.sim.time, "facts": facts, "files": [str(page)]},
        as_json,
        output.text(f"{act.summary}: {act.sim.time:.2f} s in {time.perf_counter() - clock:.1f} s"),
        output.table([{"fact": key, "value": f"{value:.4g}"} for key, value in facts.items()]),
        output.text(f"Open {page} in a browser."),
    )
