"""Goals: begin, change, move, release."""

from typing import Any

from stringless.control.goals import Goal, list_goal_types
from stringless.control.live import TimedPath
from stringless.errors import InputError
from stringless.project.commands.registry import Project, command


@command("{kind} {bone}")
def goal(project: Project, kind: str, **options: Any) -> int:
    """Begin a goal of any kind, such as drag, pin, turn, center or pose, with its options; returns its number."""
    options = {name: _read_target(value) for name, value in options.items()}
    return project.sim.director.add(kind, **options).id


@command("change a goal")
def set_goal(project: Project, goal: int, **changes: Any) -> None:
    """Change priority, weight, firmness, damping, fade, push or another property of a goal."""
    chosen = find_goal(project, goal)
    for name, value in changes.items():
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
