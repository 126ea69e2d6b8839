"""Keyframes: tracks, their keys, and playing them."""

from typing import Any

from stringless.project.commands.registry import Project, command


@command("new keyframes")
def track(project: Project, joints: list[str] | None = None, character: str | int | None = None) -> int:
    """Make an empty track of keyframes; returns its number."""
    return project.sim.director.keyframes(joints, character).id


@command("set a key")
def set_key(project: Project, track: int, time: float, pose: Any = None) -> int:
    """Set a key of a track at a time: the present pose, a configuration, or values by joint name; returns its index."""
    return project.sim.director.track(track).insert(time, pose)


@command("move a key")
def move_key(project: Project, track: int, key: int, time: float) -> int:
    """Move a key to another time; returns its new index."""
    return project.sim.director.track(track).move(key, time)


@command("copy a key")
def copy_key(project: Project, track: int, key: int, time: float) -> int:
    """Set the pose of a key at another time as well; returns the index of the copy."""
    return project.sim.director.track(track).copy(key, time)


@command("delete a key")
def delete_key(project: Project, track: int, key: int) -> None:
    """Remove a key."""
    project.sim.director.track(track).delete(key)


@command("stretch keyframes")
def retime(project: Project, track: int, factor: float) -> None:
    """Stretch a track in time: 2 is half as fast."""
    project.sim.director.track(track).retime(factor)


@command("play keyframes")
def play_track(project: Project, track: int, begin: float | None = None, rate: float = 1.0, blend: float = 0.2) -> None:
    """Play a track from now on."""
    project.sim.director.track(track).play(begin=begin, rate=rate, blend=blend)


@command("stop keyframes")
def stop_track(project: Project, track: int) -> None:
    """Stop playing a track."""
    project.sim.director.track(track).stop()


@command("delete keyframes")
def delete_track(project: Project, track: int) -> None:
    """Throw a track away."""
    project.sim.director.track(track).discard()
