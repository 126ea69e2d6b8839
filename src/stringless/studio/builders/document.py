"""The document message: everything that was made, as a page lists it."""

from __future__ import annotations

import inspect
import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from stringless.control.data_keys import find_key
from stringless.control.director import Director
from stringless.control.goals import list_goal_types
from stringless.control.goals.fields import plain
from stringless.engines import Feature
from stringless.engines.config import SimulationConfig
from stringless.model.model import Joint
from stringless.project.commands.director import SETTINGS
from stringless.project.document import lasting
from stringless.project.project import Project
from stringless.studio import messages
from stringless.studio.builders import copy_fields, make_vector
from stringless.timeline.chunk import Event
from stringless.timeline.take import Take

if TYPE_CHECKING:
    from stringless.studio.session_state import SessionState

BOUND = re.compile(r"([a-z_]+) (begins?|ends?)")
SWITCH = re.compile(r"\d+ coordinates (directed|left|passive)")


def build_document(state: SessionState, revision: int) -> messages.Document:
    """The document message."""
    project, sim, director, history = state.project, state.project.sim, state.director, state.project.history
    held = state.hands.goals
    settings = {find_key(name): getattr(director, name) for name in SETTINGS} if director else {}
    settings = {name: None if value in (math.inf, -math.inf) else value for name, value in settings.items()}
    is_own_engine = sim.scene.engine == sim.config.engine
    return messages.Document(
        revision=revision,
        path="" if state.unsaved else str(project.path),
        title=state.title,
        scene=project.scene_data["name"],
        goals=[_describe_goal(goal, goal.id in held) for goal in director.goals] if director else [],
        tracks=[
            copy_fields(messages.TrackInfo, track, joints=list(track.joints), times=list(track.times))
            for track in (director.all_tracks if director else ())
        ],
        joints=_list_joints(director) if director else [],
        lanes=_list_branches(project),
        spans=state.spans.list_spans(project.take, state.player.branch, director),
        markers=[messages.MarkerInfo(**marker) for marker in project.markers],
        styles=list(director.styles) if director else [],
        director=settings,
        engine=sim.config.engine,
        supports=[feature.name.lower() for feature in Feature if sim.engine.supports(feature)],
        step=sim.scene.dt if is_own_engine else SimulationConfig.dt,
        parameters=lasting(sim.parameters()),
        undo=history.done[-1].label if history.done else "",
        redo=history.undone[-1].label if history.undone else "",
        recovered=state.recovered,
    )


def describe_goal_kinds() -> list[messages.GoalKindInfo]:
    """Every kind of goal, as its class describes it."""
    return [
        copy_fields(
            messages.GoalKindInfo,
            goal,
            help=(inspect.getdoc(goal) or "").partition("\n")[0],
            moves=list(goal.moves),
            fields=[copy_fields(messages.GoalFieldInfo, field, name=find_key(field.name)) for field in goal.fields],
        )
        for goal in list_goal_types()
    ]


def _describe_goal(goal: Any, held: bool) -> messages.GoalInfo:
    return copy_fields(
        messages.GoalInfo,
        goal,
        priority=int(goal.priority),
        fade=float(goal.fade),
        push=bool(goal.push),
        top_speed=getattr(goal, "top_speed", None),
        axes=[make_vector(axis) for axis in getattr(goal, "axes", np.zeros((0, 3)))],
        turns=goal.__dict__.get("turner") is not None,
        held=held,
        values={find_key(field.name): plain(getattr(goal, field.name)) for field in goal.fields},
    )


def _list_joints(director: Director) -> list[messages.JointState]:
    springs, keyed = director.springs, director.followed

    def find_state(joint: Joint) -> Literal["directed", "passive", "keyframes", "free"]:
        own = joint.v_slice
        if not joint.spec.actuated:
            return "free"
        if keyed[own].any():
            return "keyframes"
        if director.directed[own].any():
            return "directed"
        is_soft = springs.stiffness[own].any() or springs.damping[own].any()
        return "passive" if is_soft or director.is_acting else "free"

    values = director.weights, springs.stiffness, springs.damping
    return [
        messages.JointState(joint.name, find_state(joint), *(float(row[joint.v_slice.start]) for row in values))
        for joint in director.model.joints
        if joint.nv
    ]


def _list_branches(project: Project) -> list[messages.LaneInfo]:
    take, here, stale = project.take, project.position.branch, project.stale_after()
    found: list[messages.LaneInfo] = []
    for branch in take.branches.values():
        times = {"start": branch.begin, "begin": take.begin(branch.id), "end": take.end(branch.id)}
        found.append(copy_fields(messages.LaneInfo, branch, **times, stale=stale if branch.id == here else None))
    return found


class Spans:
    """Remembers the events of each branch, so that only new ones are read."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[list[Event], float]] = {}  # of each branch, and up to which time

    def list_spans(self, take: Take, branch: int | None, director: Director | None) -> list[messages.SpanInfo]:
        """What acted on a branch; `director` tells what still does."""
        if branch is None or branch not in take.branches:
            return []
        end = take.end(branch)
        events, until = self._read.get(branch, ([], -1.0))
        if end > until:
            fresh = [event for event in take.events(until, None, branch) if event.time >= until]
            events = [event for event in events if event.time < until] + fresh
            self._read[branch] = events, end
        return find_spans(events, end, find_acting(director) if branch == take.current else set())


def find_acting(director: Director | None) -> set[str]:
    """Kinds of spans that still act."""
    if director is None:
        return set()
    found = {goal.kind for goal in director.goals}
    found |= {"keyframes"} if director.tracks else set()
    found |= {"directed"} if director.directed.any() else set()
    passive = any(not director.directed[character.actuators].any() for character in director.characters)
    return found | ({"passive"} if passive and not director.tracks else set())


def find_spans(events: list[Event], end: float, acting: set[str]) -> list[messages.SpanInfo]:
    """Spans from events in order; a span without an end lasts to the end of the branch, unless it still acts."""
    found: list[Any] = []
    since: defaultdict[Any, list[float]] = defaultdict(list)

    def close(kind: Any, time: float | None) -> None:
        found.extend(messages.SpanInfo(kind, start, time) for start in since.pop(kind, []))

    for time, what in events:
        bound, switch = BOUND.fullmatch(what), SWITCH.fullmatch(what)
        if bound:
            kind, way = bound.groups()
            if way.startswith("begin"):
                since[kind].append(time)
            elif since.get(kind):
                found.append(messages.SpanInfo(kind, since[kind].pop(0), time))  # pyright: ignore[reportArgumentType]
        elif switch:
            for other in {"directed", "passive"} - {switch[1]}:
                close(other, time)
            if switch[1] != "left" and not since.get(switch[1]):
                since[switch[1]].append(time)
    for kind in list(since):
        close(kind, None if kind in acting else end)
    return sorted((span for span in found if span.end is None or span.end > span.start), key=lambda span: span.start)
