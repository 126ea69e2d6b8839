"""`stringless run`: load, compile, simulate, save, sum up."""

import math
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.table import Table

from stringless.cli import output
from stringless.cli.options import (
    FRAMES_PER_SECOND,
    READERS,
    SCENES,
    Active,
    Engine,
    Json,
    MaxError,
    Out,
    chosen,
    result_folder,
    with_options,
)
from stringless.errors import DivergenceError, InputError, StringlessWarning

if TYPE_CHECKING:
    from stringless.engines.config import Integrator

TIMES = "{task.completed:.2f} of {task.total:.2f} s"
"""What the bar of a simulation says."""


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
    out: Out = None,
    root: Annotated[str, typer.Option(help="Root of a built-in character: planar or free.")] = "",
    as_json: Json = False,
    *,
    options: dict[str, Any],
) -> None:
    """Simulate a scene, save the motion and print a summary."""
    for name, value in (("--seconds", seconds), ("--dt", dt)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise InputError(f"{name} is {value:g}; it must be a positive number of seconds, as in {name} 0.001")

    from stringless import jit
    from stringless.loader import load
    from stringless.simulation import Simulation

    loaded, remark = load(scene, **options, **chosen(root=root)), output.remarks(quiet=as_json)
    if loaded.model.body_count == 0:
        raise InputError(f"'{scene}' has no bodies: there is nothing to simulate")
    for warning in loaded.warnings:
        remark(f"warning: {warning}")
    folder = result_folder(out, Path(scene).stem)  # now, not after a long run
    settings = chosen(engine=engine, active=active, max_error=max_error)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", StringlessWarning)
        way = cast("Integrator", integrator)
        simulation = Simulation(loaded, dt=dt, integrator=way, record=FRAMES_PER_SECOND, **settings)
    dt = simulation.config.dt
    doubts = [str(warning.message) for warning in heard]
    for doubt in doubts:
        remark(f"warning: {doubt}")
    clock = time.perf_counter()
    with output.compile_progress(quiet=as_json) as report:
        simulation.warm_up(report)
        with jit.compiling(report):  # what the summary and the saving need besides
            start = simulation.energy()
            simulation.body_poses()
    compile_seconds = time.perf_counter() - clock

    clock = time.perf_counter()
    total = max(1, round(seconds / dt))
    try:
        with output.progress("simulating", total * dt, TIMES, quiet=as_json) as show:
            simulation.step(total, show)
    except DivergenceError as error:
        files = save_run(folder, simulation)
        error.add_note(f"The motion up to there is in {files[0]}")
        raise
    wall = time.perf_counter() - clock

    files = save_run(folder, simulation)
    summary = {
        "scene": scene,
        "bodies": simulation.model.body_count,
        "dofs": simulation.model.nv,
        "seconds": round(simulation.time, 9),
        "steps": round(simulation.time / dt),
        "dt": dt,
        "wall_seconds": wall,
        "real_time_factor": simulation.time / max(wall, 1e-9),
        "engine": simulation.config.engine,
        "integrator": "implicit" if simulation.engine.implicit else integrator,
        "compile_seconds": compile_seconds,
        "energy": {
            when: {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total}
            for when, energy in (("start", start), ("end", simulation.energy()))
        },
        "flesh": flesh_facts(simulation.model),
        "warnings": [*map(str, loaded.warnings), *doubts],
        "files": [str(path) for path in files],
    }
    output.answer(summary, as_json, summary_table(summary))


def save_run(folder: Path, simulation: Any) -> list[Path]:
    """Write the motion into `folder`; return the files, the one to look at first.

    `replay.html` opens in any browser. `motion.npz` holds `time` [s], shape (k,), `q`, shape (k, nq), `v`, shape
    (k, nv), and the bodies' world poses, `position`, shape (k, n, 3) [m], and `rotation`, shape (k, n, 3, 3);
    for a scene with flesh also `skin`, the vertices of its surface, shape (k, m, 3) [m].
    """
    import numpy as np

    from stringless.project.exports import export
    from stringless.studio.motion_page import PLAYER
    from stringless.timeline.drawing import draw

    simulation.finish_recording()
    frames = list(simulation.take.frames())
    drawn = [draw(simulation.model, frame) for frame in frames]
    motion: dict[str, Any] = {name: np.array([getattr(frame, name) for frame in frames]) for name in ("time", "q", "v")}
    parts = ("position", "rotation", *(["skin"] if simulation.model.flesh is not None else []))
    motion |= {name: np.array([getattr(picture, name) for picture in drawn]) for name in parts}
    data = folder / "motion.npz"
    np.savez_compressed(data, **motion)
    if not PLAYER.is_file():
        output.err().print("There is no replay.html: the page is not built. Run `make page` in the sources.")
        return [data]
    return [export(simulation, folder / "replay.html", rate=FRAMES_PER_SECOND), data]


def flesh_facts(model: Any) -> list[dict[str, Any]]:
    """Each part of the flesh: sizes, mass, what a floor under the masses of its nodes took, longest stable step."""
    return [
        {
            "name": part.name,
            "nodes": len(part.nodes),
            "tetrahedra": len(part.tets),
            "mass": float(part.masses.sum()),
            "moved_mass": float(part.moved_mass),
            "added_mass": float(part.added_mass),
            "step_limit": float(part.step_limit),
        }
        for part in (model.flesh.specs if model.flesh else ())
    ]


def summary_table(summary: dict[str, Any]) -> Table:
    """The summary for a person."""
    start, end = summary["energy"]["start"]["total"], summary["energy"]["end"]["total"]
    pairs = [
        ("scene", summary["scene"]),
        ("bodies", str(summary["bodies"])),
        ("degrees of freedom", str(summary["dofs"])),
        ("simulated", f"{summary['seconds']:.3f} s in {summary['steps']} steps, engine '{summary['engine']}'"),
        ("wall time", f"{summary['wall_seconds']:.3f} s, {summary['real_time_factor']:.3g} times real time"),
        ("energy", f"{start:.6g} J at the start, {end:.6g} J at the end"),
        ("result", summary["files"][0]),
    ]
    pairs += [("", path) for path in summary["files"][1:]]
    for part in reversed(summary["flesh"]):
        moved, added = part["moved_mass"] / part["mass"], part["added_mass"] / part["mass"]
        text = f"{part['name']}: {part['tetrahedra']} tetrahedra, {part['mass']:.3g} kg"
        text += f" ({moved:.1%} of it moved to light nodes)" if moved > 0 else ""
        text += f" ({added:.1%} of it added)" if added > 0 else ""
        pairs.insert(3, ("flesh", f"{text}, stable up to a step of {part['step_limit']:.3g} s"))
    return output.facts([(name, output.text(value)) for name, value in pairs])


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
