"""Commands of the project, carried out at the time that is shown."""

from typing import Any

from stringless.errors import InputError
from stringless.project.commands import COMMANDS
from stringless.studio.session_state import SessionState

AT_SHOWN_TIME = ("goal", "passive", "direct", "leave", "play_track", "stop_track", "edit_start")
"""Commands that take effect at the time that is shown: the simulation continues from there, in a branch of its own."""


def run_command(state: SessionState, name: str, arguments: dict[str, Any]) -> Any:
    """Carry out a command of the project."""
    project, player = state.project, state.player
    if "self" in arguments or "command" in arguments:  # parameters of `Project.do`, not of any command
        raise InputError(f"'{name}' does not fit; it takes: {COMMANDS[name].signature or 'nothing'}")
    if name in AT_SHOWN_TIME:
        with state.at_shown_time():
            return project.do(name, **arguments)
    if name == "delete_lane":
        return _delete_branch(state, arguments)
    if name == "mark":
        arguments = {"time": player.time, **arguments}
    result = project.do(name, **arguments)
    if name in ("advance", "go_to", "open_scene"):
        state.hands.forget_missing()
        player.present()
    return result


def _delete_branch(state: SessionState, arguments: dict[str, Any]) -> Any:
    """Delete a branch that is not shown; if the present is in it, what is shown becomes the present."""
    project, lane = state.project, arguments.get("lane")
    if not isinstance(lane, int | str) or len(arguments) > 1:
        return project.do("delete_lane", **arguments)  # which refuses it
    chosen = project.take.branch(lane)
    others = any(not other.deleted for other in project.take.branches.values() if other is not chosen)
    if others and chosen.id == state.player.branch:
        raise InputError(f"'{chosen.name}' is the branch that is shown; show another one first")
    if others and chosen.id == project.position.branch:
        with project.gesture(f"delete branch '{chosen.name}'"), state.at_shown_time():
            return project.do("delete_lane", lane=chosen.id)
    return project.do("delete_lane", lane=chosen.id)
