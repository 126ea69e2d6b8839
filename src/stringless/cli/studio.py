"""`stringless studio`: serve the studio, say where it is, open it, and stop it cleanly."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stringless.cli import output
from stringless.cli.options import Active, Engine, MaxError, chosen

if TYPE_CHECKING:
    from stringless.studio.server import Studio

HARD_EXIT = 130
LEFT = "The studio was stopped before everything was saved; the file has all but what was recorded in the last second."
TOKEN = "STRINGLESS_STUDIO_TOKEN"
"""A token chosen by the user, so that its address stays the same over a restart."""
SHORTEST_TOKEN = 16


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
        str, typer.Option(help="Interface to listen on. Any other than 127.0.0.1 can be reached from other machines.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    folder: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder, beside the working one, whose files the page may open and write; can be given several times."
        ),
    ] = None,
    engine: Engine = "",
    active: Active = None,
    max_error: MaxError = None,
) -> None:
    """Direct characters in the browser. Ctrl-C stops it; everything is saved as you go."""
    from stringless.studio.server import PORT, Studio

    settings = chosen(engine=engine, active=active, max_error=max_error)
    _check(source, settings)
    wanted = PORT if port is None else port
    beside = [Path(source).resolve().parent] if Path(source).suffix else []
    places = [Path.cwd(), *(folder or []), *beside]
    studio = Studio(source, host=host, port=wanted, folders=places, token=_token(), settings=settings)
    stop = _on_signals()
    studio.start()
    _tell(studio, wanted)
    if browser and _has_display():
        _open(studio.address)
    os.read(stop, 1)
    saved = studio.stop()
    output.err().print("The studio has stopped, and everything is saved." if saved else LEFT, soft_wrap=True)
    if threading.active_count() > 1:  # what is still being compiled must not keep the program alive
        sys.stderr.flush()
        os._exit(0 if saved else 1)


def _check(source: str, settings: dict[str, Any]) -> None:
    """Fail now, and not in a page, if there is nothing to open."""
    from stringless.engines.config import SimulationConfig
    from stringless.errors import InputError
    from stringless.loader import load
    from stringless.project.project import ENDING
    from stringless.scenes import SCENES
    from stringless.simulation import Simulation

    path = Path(source)
    if "engine" in settings:
        SimulationConfig(engine=settings["engine"])
    if settings and (not source or path.suffix == ENDING):
        word = f"--{next(iter(settings)).replace('_', '-')}"
        raise InputError(f"{word} is for a scene that is named beside it; a project keeps the engine it was made with")
    if path.suffix == ENDING:
        if not path.is_file():
            raise InputError(f"there is no project '{source}'; check the path, or name a scene to begin one")
    elif source and (source not in SCENES or settings):
        scene = load(source)
        if settings:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the page says them
                Simulation(scene, record=0, **settings)


def _token() -> str:
    from stringless.errors import InputError

    token = os.environ.get(TOKEN, "")
    if token and (len(token) < SHORTEST_TOKEN or not token.replace("-", "").replace("_", "").isalnum()):
        wanted = f"at least {SHORTEST_TOKEN} letters, digits, '-' or '_'"
        raise InputError(f"{TOKEN} has {len(token)} characters that do not serve as a token; expected {wanted}")
    return token


def _tell(studio: Studio, wanted: int) -> None:
    from stringless.studio.guard import is_loopback
    from stringless.studio.routes import PAGE

    console = output.err()
    console.soft_wrap = True
    if wanted not in (0, studio.port):
        console.print(f"Port {wanted} is in use; taking {studio.port} instead.")
    if not is_loopback(studio.host):
        folders = ", ".join(f"'{folder}'" for folder in studio.folders.all)
        console.print(
            f"Warning: other machines can reach this studio. Anyone who has its address can direct, and open and write files "
            f"in {folders}. Nothing on the way is encrypted."
        )
    if not (PAGE / "index.html").exists():
        console.print("The page is not built: run `make page` in the sources. Scripts can connect all the same.")
    typer.echo(f"Stringless studio: {studio.address}  (Ctrl-C stops it)")
    sys.stdout.flush()


def _on_signals() -> int:
    """A file that can be read once Ctrl-C came, or a request to end; the second ends everything at once."""
    readable, writable = os.pipe()
    heard: list[int] = []

    def hear(number: int, _: Any) -> None:
        if heard:
            os._exit(HARD_EXIT)
        heard.append(number)
        os.write(writable, b"x")

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hear)
    return readable


def _has_display() -> bool:
    """Whether a browser could show anything; a text browser would take the terminal instead."""
    if sys.platform != "linux" or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
