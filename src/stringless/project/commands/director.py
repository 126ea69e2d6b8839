"""The director: styles, weights, which joints it has, what is passive."""

from typing import Any

from stringless.control.data_keys import rename_keys
from stringless.control.goals import Goal, list_goal_types
from stringless.control.live import TimedPath
from stringless.errors import InputError
from stringless.project.commands.registry import Project, command

SETTINGS = ("limit_stiffness", "top_acceleration", "assumed_friction", "keep_momentum")
"""Settings of a director."""


@command("style {style}")
def style(project: Project, style: Any, character: str | int | None = None) -> None:
    """Choose what is minimised: acceleration, torque or velocity."""
    project.sim.director.style(style, character)


@command("weigh joints")
def weigh(project: Project, weights: dict[str, float]) -> None:
    """Set joint weights: above 1, a joint does less of what the style minimises, below 1 more."""
    project.sim.director.set_joint_weights(weights)


@command("set a posture")
def posture(project: Project, pose: Any = None, character: str | int | None = None, **gains: float) -> None:
    """Choose the rest pose, to which joints drift that no goal needs."""
    project.sim.director.set_rest_pose(pose, character=character, **rename_keys(gains))


@command("let joints go")
def passive(project: Project, joints: list[str] | None = None, **options: Any) -> None:
    """Let joints go, on springs and dampers if wanted."""
    project.sim.director.passive(joints, **options)


@command("direct joints")
def direct(project: Project, joints: list[str] | None = None, character: str | int | None = None) -> None:
    """Let the director have joints."""
    project.sim.director.take(character, joints)


@command("leave joints")
def leave(project: Project, joints: list[str] | None = None, character: str | int | None = None) -> None:
    """Take joints from the director."""
    project.sim.director.leave(character, joints)


@command("set the director")
def set_director(project: Project, **settings: Any) -> None:
    """Change limit_stiffness, top_acceleration, assumed_friction or keep_momentum."""
    for name, value in rename_keys(settings).items():
        if name not in SETTINGS:
            raise InputError(f"the director has no setting '{name}'; it has: {', '.join(SETTINGS)}")
        setattr(project.sim.director, name, value)


@command("{kind} {bone}")
def goal(project: Project, kind: str, **options: Any) -> int:
    """Begin a goal of any kind, such as drag, pin, turn, center or pose, with its options; returns its number."""
    options = {name: _read_target(value) for name, value in rename_keys(options).items()}
    return project.sim.director.add(kind, **options).id


@command("change a goal")
def set_goal(project: Project, goal: int, **changes: Any) -> None:
    """Change priority, weight, stiffness, damping, fade, push or another property of a goal."""
    chosen = find_goal(project, goal)
    for name, value in rename_keys(changes).items():
        if name.startswith("_") or not hasattr(chosen, name) or callable(getattr(chosen, name)):
            raise InputError(f"a {chosen.kind} has no '{name}' that can be set")
        try:
            setattr(chosen, name, _read_target(value))
        except AttributeError:
            raise InputError(f"a {chosen.kind} has no '{name}' that can be set") from None


@command("move a goal")
def move_goal(
    project: Project, goal: int, target: Any = None, velocity: Any = None, hold: float = 0.0, orientation: Any = None
) -> None:
    """Give a goal another target: numbers, or a path as {"times": …, "places": …}; or another orientation, or both."""
    chosen = find_goal(project, goal)
    if target is None and orientation is None:
        raise InputError(f"goal {goal} was told neither a target nor an orientation; give one of them")
    if target is not None:
        if "target" not in chosen.moves:
            raise InputError(f"a {chosen.kind} has no target in space; move {_list_movable('target')}")
        movable: Any = chosen
        movable.move(_read_target(target), velocity, hold)
    if orientation is not None:
        if "orientation" not in chosen.moves:
            raise InputError(f"a {chosen.kind} has no orientation; turn {_list_movable('orientation')}")
        turnable: Any = chosen
        turnable.turn(orientation)


@command("let go")
def release_goal(project: Project, goal: int) -> None:
    """Let a goal go."""
    find_goal(project, goal).release()


@command("let go of everything")
def release_all(project: Project) -> None:
    """Release all goals."""
    project.sim.director.release()


def find_goal(project: Project, number: int) -> Goal:
    """A goal by its number."""
    goals = project.sim.director.goals if project.sim.has_director else []
    for goal in goals:
        if goal.id == number:
            return goal
    numbers = ", ".join(str(goal.id) for goal in goals) or "none"
    raise InputError(f"there is no goal {number!r} now; there are: {numbers}")


def _list_movable(what: str) -> str:
    kinds = [f"a {goal.kind}" for goal in list_goal_types() if what in goal.moves]
    return " or ".join([", ".join(kinds[:-1]), kinds[-1]])


def _read_target(value: Any) -> Any:
    """A path if it is the data of one, else the value itself."""
    if isinstance(value, dict) and set(value) == {"times", "places"}:
        return TimedPath(value["times"], value["places"])
    return value


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
