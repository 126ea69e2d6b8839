"""`stringless run`: load, compile, simulate, save, sum up."""

from __future__ import annotations

import math
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from stringless.cli import output
from stringless.cli.save import save_run
from stringless.errors import DivergenceError, InputError, StringlessWarning

if TYPE_CHECKING:
    from stringless.engines.config import Integrator

FRAMES_PER_SECOND = 60


def run_scene(
    source: str,
    *,
    seconds: float,
    dt: float | None,
    integrator: str,
    settings: dict[str, Any] | None = None,
    folder: Path | None,
    as_json: bool,
    options: dict[str, Any] | None = None,
) -> None:
    """Simulate `source` for `seconds`, save the motion in `folder` and print a summary.

    `settings` are further ones of the simulation, such as `engine` or `active`.
    """
    for name, value in (("--seconds", seconds), ("--dt", dt)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise InputError(f"{name} is {value:g}; it must be a positive number of seconds, as in {name} 0.001")

    from stringless import jit
    from stringless.loading import load
    from stringless.simulation import Simulation

    scene = load(source, **(options or {}))
    if scene.model.body_count == 0:
        raise InputError(f"'{source}' has no bodies: there is nothing to simulate")
    for warning in scene.warnings if not as_json else ():
        output.err().print(output.text(f"warning: {warning}"))
    folder = folder or Path("runs") / Path(source).stem
    folder.mkdir(parents=True, exist_ok=True)  # now, not after a long run
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", StringlessWarning)
        simulation = Simulation(
            scene,
            dt=dt,
            integrator=cast("Integrator", integrator),
            record=FRAMES_PER_SECOND,
            **(settings or {}),
        )
    dt = simulation.config.dt
    doubts = [str(warning.message) for warning in heard]
    for doubt in doubts if not as_json else ():
        output.err().print(output.text(f"warning: {doubt}"))
    clock = time.perf_counter()
    with output.compile_progress(quiet=as_json) as report:
        simulation.warm_up(report)
        with jit.compiling(report):  # what the summary and the saving need besides
            start = simulation.energy()
            simulation.body_poses()
    compile_seconds = time.perf_counter() - clock

    clock = time.perf_counter()
    try:
        simulate(simulation, seconds, dt, quiet=as_json)
    except DivergenceError as error:
        files = save_run(folder, simulation)
        error.add_note(f"The motion up to there is in {files[0]}")
        raise
    wall = time.perf_counter() - clock

    files = save_run(folder, simulation)
    summary = {
        "scene": source,
        **measures(simulation, dt, wall),
        "engine": simulation.config.engine,
        "integrator": "implicit" if simulation.config.engine == "stiff" else integrator,
        "compile_seconds": compile_seconds,
        "energy": {"start": energy_dict(start), "end": energy_dict(simulation.energy())},
        "flesh": flesh_facts(simulation.model),
        "warnings": [*(str(warning) for warning in scene.warnings), *doubts],
        "files": [str(path) for path in files],
    }
    if as_json:
        output.write_json(summary)
    else:
        print_summary(summary)


def simulate(simulation: Any, seconds: float, dt: float, *, quiet: bool) -> None:
    """Advance to `seconds`, to the nearest step, one at least."""
    total = max(1, round(seconds / dt))
    with output.time_progress(total * dt, quiet=quiet) as show:
        simulation.step(total, show)


def measures(simulation: Any, dt: float, wall: float) -> dict[str, float]:
    """Size of the scene, and how fast it ran."""
    return {
        "bodies": simulation.model.body_count,
        "dofs": simulation.model.nv,
        "seconds": round(simulation.time, 9),
        "steps": round(simulation.time / dt),
        "dt": dt,
        "wall_seconds": wall,
        "real_time_factor": simulation.time / max(wall, 1e-9),
    }


def flesh_facts(model: Any) -> list[dict[str, Any]]:
    """Each part of the flesh: sizes, mass, what a floor under the masses of its nodes has added, longest stable step."""
    return [
        {
            "name": part.name,
            "nodes": len(part.nodes),
            "tetrahedra": len(part.tets),
            "mass": float(part.masses.sum()),
            "added_mass": float(part.added_mass),
            "step_limit": float(part.step_limit),
        }
        for part in (model.flesh.specs if model.flesh else ())
    ]


def energy_dict(energy: Any) -> dict[str, float]:
    """Kinetic, potential and total energy [J]."""
    return {name: float(getattr(energy, name)) for name in ("kinetic", "potential", "total")}


def print_summary(summary: dict[str, Any]) -> None:
    """Print the summary as a table for a person."""
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
        share = part["added_mass"] / part["mass"]
        text = f"{part['name']}: {part['tetrahedra']} tetrahedra, {part['mass']:.3g} kg"
        text += f" ({share:.1%} of it added to light nodes)" if part["added_mass"] > 0 else ""
        pairs.insert(3, ("flesh", f"{text}, stable up to a step of {part['step_limit']:.3g} s"))
    output.out().print(output.facts([(name, output.text(value)) for name, value in pairs]))
