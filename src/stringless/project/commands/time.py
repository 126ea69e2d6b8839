"""Time: simulate, go to a time on record, play a performance."""

from typing import Any

from stringless.errors import InputError
from stringless.performances import find_performance
from stringless.project.commands.registry import Project, command
from stringless.timeline.patch import apply


@command("simulate", steers=True)
def advance(project: Project, seconds: float | None = None, steps: int | None = None) -> None:
    """Simulate on, for so many seconds or steps, and keep it."""
    if (seconds is None) == (steps is None):
        raise InputError("say either how many seconds or how many steps to simulate")
    count = round(seconds / project.sim.config.dt) if seconds is not None else steps
    assert count is not None
    try:
        project.advance(count)
    finally:
        project.keep()


@command("go to {time:.2f} s")
def go_to(project: Project, time: float, lane: int | str | None = None, bring_keyframes: bool = False) -> None:
    """Go to a time on record, with the commands of then and the parameters of now.

    With `bring_keyframes` the keyframes of now come along, to be played from there.
    """
    chosen = project.take.branch(project.position.branch if lane is None else lane)
    if chosen.deleted:
        raise InputError(f"branch '{chosen.name}' was deleted; restore it first, with restore_lane(lane={chosen.id})")
    scene = project.scene_data
    made = project.sim.director.as_data()["keyframes"] if bring_keyframes and project.sim.has_director else []
    project.go_to(time, lane)
    if made and project.scene_data == scene:
        _bring_keyframes(project, made)


def _bring_keyframes(project: Project, made: list[dict[str, Any]]) -> None:
    """Have these tracks too; one that was there already gets their keys, and plays on as it did."""
    director = project.sim.director
    data = director.as_data()
    tracks = {track["id"]: track for track in data["keyframes"]}
    for track in made:
        then = tracks.get(track["id"])
        keys = {"times": track["times"], "poses": track["poses"]}
        tracks[track["id"]] = {**track, "playing": False} if then is None else {**then, **keys}
    if list(tracks.values()) != data["keyframes"]:
        director.restore_data({**data, "keyframes": list(tracks.values())})


@command("change by a script")
def change(project: Project, patch: dict[str, object]) -> None:
    """Change the document directly."""
    project.restore_document(apply(project.document, patch))


@command("play {name}")
def perform(project: Project, name: str) -> None:
    """Let a built-in performance play, in its own scene and from the start of that; everything is recorded."""
    act = find_performance(name)
    if project.sim.time > 0:
        raise InputError(f"performance '{name}' plays from the start; open its scene '{act.scene}' again")
    act(sim=project.sim, each=project.watch).perform()
