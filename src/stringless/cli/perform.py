"""`stringless perform`: play a scripted performance and save it as a page."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from stringless.cli import output
from stringless.errors import InputError


def performances() -> list[dict[str, str]]:
    """Name and summary of each."""
    from stringless.performances import PERFORMANCES

    return [{"name": name, "description": act.summary} for name, act in PERFORMANCES.items()]


def perform(name: str, *, folder: Path | None, watch: bool, as_json: bool) -> None:
    """Perform, judge, save a page and print what came of it."""
    from stringless.model.checks import suggest
    from stringless.performances import PERFORMANCES

    if name not in PERFORMANCES:
        raise InputError(f"there is no performance '{name}'. {suggest(name, PERFORMANCES)}")
    act = PERFORMANCES[name](watch=watch)
    clock = time.perf_counter()
    with output.compile_progress(quiet=as_json) as report:
        act.director.take(0)
        act.sim.warm_up(report)
        act.director.leave(0)
        act.director.events.clear()
    show = act.run()
    folder = folder or Path("runs") / name
    folder.mkdir(parents=True, exist_ok=True)
    page = save_page(act, folder)
    facts: dict[str, Any] = {key: float(value) for key, value in show.facts.items()}
    document = {"performance": name, "seconds": act.sim.time, "facts": facts, "files": [str(page)]}
    if as_json:
        output.write_json(document)
        return
    console = output.out()
    console.print(output.text(f"{act.summary}: {act.sim.time:.2f} s in {time.perf_counter() - clock:.1f} s"))
    console.print(output.table([{"fact": key, "value": f"{value:.4g}"} for key, value in facts.items()]))
    console.print(output.text(f"Open {page} in a browser."))


def save_page(act: Any, folder: Path) -> Path:
    """The film of a performance as one page."""
    from stringless.formats.output.replay import write_replay

    times, position, rotation, skin = (np.array(column) for column in zip(*act.show.frames, strict=True))
    path = folder / "replay.html"
    write_replay(
        path, act.sim.model, time=times, position=position, rotation=rotation, skin=skin, title=act.name,
        description=act.summary,
    )  # fmt: skip
    return path
