"""A director as plain data: everything that was set, for a project file and for undo.

Only strings, numbers, booleans, None, lists and dictionaries: `json.dumps` writes it, and what it reads back makes the
director exactly what it was. Numbers without bound are None. A target that is a function of Python cannot be written; it
is there as {"kind": "function"} with its last place, and comes back standing there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from stringless.control.checks import number
from stringless.control.data_keys import find_key
from stringless.control.director.checks import SETTINGS, check_style
from stringless.control.director.modes import Event
from stringless.control.goals import Goal, find_goal_type
from stringless.control.keyframes import Keyframes
from stringless.control.live import Stream, TimedPath
from stringless.errors import InputError

if TYPE_CHECKING:
    from stringless.control.director.director import Director

Kept = TypeVar("Kept", bound=Goal | Keyframes)
FORM = 1
"""Counted up whenever older data would be understood wrongly."""
NUMBERS = ("limit_stiffness", "top_acceleration", "assumed_friction")
PATHS = {"stream": Stream, "path": TimedPath}
"""Targets that move and can be written down."""


def make_data(director: Director) -> dict[str, Any]:
    """Everything that was set."""
    model, springs = director.model, director.springs
    return {
        "form": FORM,
        "next_id": director.next_id,
        **{find_key(name): _finite_or_none(getattr(director, name)) for name in NUMBERS},
        "keep_momentum": director.keep_momentum,
        "posture": director.rest_pose.tolist(),
        "characters": {
            character.name: {
                "style": director.styles[character.index],
                "posture": {find_key(name): value for name, value in director.rest_laws[character.index].items()},
            }
            for character in director.characters
        },
        "joints": {
            joint.name: {
                "directed": director.directed[joint.v_slice].tolist(),
                "weight": director.weights[joint.v_slice].tolist(),
                "stiffness": springs.stiffness[joint.v_slice].tolist(),
                "damping": springs.damping[joint.v_slice].tolist(),
                "rest": springs.rest[joint.q_slice].tolist(),
            }
            for joint in model.joints
        },
        "goals": [goal.as_data() for goal in director.goals],
        "keyframes": [track.as_data() for track in director.all_tracks],
        "playing": [track.id for track in director.tracks],
        "events": [[event.time, event.what] for event in director.events],
    }


def restore_director(director: Director, data: Mapping[str, Any]) -> None:
    """Make a director what `director_data` returned: all of it, or nothing if something does not fit."""
    if not isinstance(data, Mapping) or data.get("form") != FORM:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"this is no director's data of form {FORM}; expected what `director.as_data()` gives")
    try:
        settings = _settings(director, data)
        tables = _joint_tables(director, data["joints"])
        goals = [find_goal_type(item["kind"]).from_data(director, item, PATHS) for item in data["goals"]]
        tracks = {int(item["id"]): Keyframes.from_data(director, item) for item in data["keyframes"]}
        playing = [tracks[number].id for number in data["playing"]]
    except InputError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"the director's data do not fit: {what}; expected what `director.as_data()` gives") from error
    for goal in director.goals:
        goal.active = False
    director.goals = [_same_object([*director.goals, *director.known.values()], goal) for goal in goals]
    director.known.update({goal.id: goal for goal in director.goals})
    director.all_tracks = [_same_object(director.all_tracks, track) for track in tracks.values()]
    director.tracks = [director.track(number) for number in playing]
    for name, value in settings.items():
        setattr(director, name, value)
    for table, values in tables:
        table[...] = values
    director.springs.forget()
    director.rebuild()


def _settings(director: Director, data: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes of the director, checked."""
    model, named = director.model, data["characters"]
    if list(named) != [character.name for character in director.characters]:
        raise InputError(
            f"the data are of characters {', '.join(named)}; this scene has {', '.join(c.name for c in director.characters)}"
        )
    given = {name: data[find_key(name)] for name in SETTINGS}
    given |= {name: math.inf for name in NUMBERS if given[name] is None}
    laws = [_read_rest_law(named[character.name]["posture"]) for character in director.characters]
    for character, law in zip(director.characters, laws, strict=True):
        check_style(named[character.name]["style"], law)
    return {name: check(given[name]) for name, check in SETTINGS.items()} | {
        "rest_pose": model.vector(data["posture"], model.nq, "posture").copy(),
        "styles": [named[character.name]["style"] for character in director.characters],
        "rest_laws": laws,
        "events": [Event(float(time), str(what)) for time, what in data.get("events", director.events)],
        # Numbers are never given twice, not even in another future.
        "next_id": max(int(data.get("next_id", 0)), director.next_id),
    }


def _finite_or_none(value: float) -> float | None:
    """JSON has no infinity."""
    return None if math.isinf(value) else value


def _read_rest_law(data: Mapping[str, Any]) -> dict[str, float]:
    """Stiffness and damping of a rest pose."""
    return {name: number(data[find_key(name)], name, least=0.0) for name in ("stiffness", "damping")}


def _joint_tables(director: Director, named: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Arrays of the director, and what shall stand in them."""
    model, springs = director.model, director.springs
    if set(named) != {joint.name for joint in model.joints}:
        raise InputError(f"the data are of other joints than model '{model.name}' has: {', '.join(named)}")
    tables = []
    own = {"directed": director.directed, "weight": director.weights}
    for key, table in {**own, "rest": springs.rest, "stiffness": springs.stiffness, "damping": springs.damping}.items():
        values = table.copy()
        for joint in model.joints:
            values[joint.q_slice if key == "rest" else joint.v_slice] = named[joint.name][key]
        if not np.isfinite(values).all():
            raise InputError(f"'{key}' of the joints holds a number that is not finite")
        tables.append((table, values))
    return tables


def _same_object(before: Sequence[Kept], after: Kept) -> Kept:
    """What was there before under the same number, with the new contents, so that references to it stay right."""
    for old in before:
        if old.id == after.id and type(old) is type(after):
            old.take_over(after)  # pyright: ignore[reportArgumentType]
            return old
    return after
