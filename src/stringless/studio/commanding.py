"""Commands of the project, as a person means them who looks at some moment of it."""

from __future__ import annotations

import difflib
from typing import Any

from stringless.errors import InputError
from stringless.project.commands import COMMANDS
from stringless.studio.actions.registry import ACTIONS
from stringless.studio.desk import Desk

THERE = ("goal", "passive", "direct", "leave", "play_track", "stop_track", "edit_start")
"""Commands that take effect at the moment that is looked at: the simulation goes on from there, in a lane of its own."""


def run_command(desk: Desk, name: str, arguments: dict[str, Any]) -> Any:
    """Carry out a command of the project."""
    project, player = desk.project, desk.player
    if name not in COMMANDS:
        near = difflib.get_close_matches(name, [*COMMANDS, *ACTIONS], n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise InputError(f"there is nothing called '{name}' that could be done.{hint}")
    if "self" in arguments or "command" in arguments:  # names of Python's, not of any command
        raise InputError(f"'{name}' does not fit; it takes: {COMMANDS[name].signature or 'nothing'}")
    if name in THERE:
        with desk.where_looked():
            return project.do(name, **arguments)
    if name == "delete_lane":
        return _delete_lane(desk, arguments)
    if name == "mark":
        arguments = {"time": player.time, **arguments}
    result = project.do(name, **arguments)
    if name in ("advance", "go_to", "open_scene"):
        desk.hands.forget_gone()
        player.present()
    return result


def _delete_lane(desk: Desk, arguments: dict[str, Any]) -> Any:
    """Not the one that is looked at; if the present is in it, the present becomes what is looked at."""
    project, lane = desk.project, arguments.get("lane")
    if not isinstance(lane, int | str) or len(arguments) > 1:
        return project.do("delete_lane", **arguments)  # which refuses it
    chosen = project.take.branch(lane)
    others = any(not other.deleted for other in project.take.branches.values() if other is not chosen)
    if others and chosen.id == desk.player.lane:
        raise InputError(f"'{chosen.name}' is the lane you are looking at; look at another one first")
    if others and chosen.id == project.position.lane:
        with project.gesture(f"delete lane '{chosen.name}'"), desk.where_looked():
            return project.do("delete_lane", lane=chosen.id)
    return project.do("delete_lane", lane=chosen.id)
