"""All that was made, as a page lists it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.control.director import Director
from stringless.control.goals import Goal
from stringless.engines.config import SimulationConfig
from stringless.project.document import lasting
from stringless.project.project import Project
from stringless.studio.describe import vector
from stringless.studio.messages import Document, GoalInfo, JointState, LaneInfo, MarkerInfo, TrackInfo

if TYPE_CHECKING:
    from stringless.studio.desk import Desk

SHORT = SimulationConfig.dt
"""Step with an engine that a scene is not made for [s]."""
SETTINGS = ("limit_firmness", "top_acceleration", "counted_friction", "keep_momentum")


def describe_document(desk: Desk, revision: int) -> Document:
    """The document as it is now."""
    project, sim = desk.project, desk.project.sim
    director = desk.director
    held = desk.hands.goals
    history = project.history
    return Document(
        revision=revision,
        path="" if desk.unsaved else str(project.path),
        title=desk.title,
        scene=project.scene_data["name"],
        goals=[_goal(goal, goal.id in held) for goal in director.goals] if director else [],
        tracks=_tracks(director) if director else [],
        joints=_joints(director) if director else [],
        lanes=_lanes(project),
        spans=desk.spans.of(project.take, desk.player.lane, director),
        markers=[MarkerInfo(marker["name"], marker["time"]) for marker in project.markers],
        styles=list(director.styles) if director else [],
        director={name: _finite(getattr(director, name)) for name in SETTINGS} if director else {},
        engine=sim.config.engine,
        step=sim.scene.dt if sim.scene.engine == sim.config.engine else SHORT,
        parameters=lasting(sim.parameters()),
        undo=history.done[-1].label if history.done else "",
        redo=history.undone[-1].label if history.undone else "",
        recovered=desk.recovered,
    )


def _goal(goal: Any, held: bool) -> GoalInfo:
    body = getattr(goal, "body", None) if goal.kind in ("drag", "pin") else None
    axes = getattr(goal, "axes", np.zeros((0, 3)))
    return GoalInfo(
        id=goal.id,
        kind=goal.kind,
        character=goal.character,
        bone="" if body is None else goal.director.model.bodies[body].name,
        priority=int(goal.priority),
        weight=goal.weight,
        firmness=goal.firmness,
        damping=goal.damping,
        fade=float(goal.fade),
        push=bool(goal.push),
        top_speed=getattr(goal, "top_speed", None),
        axes=[vector(axis) for axis in axes],
        turns=_turns(goal),
        held=held,
    )


def _turns(goal: Goal) -> bool:
    return goal.__dict__.get("turner") is not None


def _tracks(director: Director) -> list[TrackInfo]:
    return [
        TrackInfo(
            id=track.id,
            joints=list(track.joints),
            times=list(track.times),
            playing=track.playing,
            started=track.started,
            begin=track.begin,
            rate=track.rate,
        )
        for track in director.all_tracks
    ]


def _joints(director: Director) -> list[JointState]:
    model, springs = director.model, director.springs
    keyed = director.followed
    found: list[JointState] = []
    for joint in model.joints:
        if not joint.nv:
            continue
        place = joint.v_slice
        soft = springs.stiffness[place].any() or springs.damping[place].any()
        free = not joint.spec.actuated
        state = (
            "free" if free else "keyframes" if keyed[place].any() else "directed" if director.directed[place].any()
            else "passive" if soft or director.is_acting else "free"
        )  # fmt: skip
        found.append(
            JointState(
                name=joint.name,
                state=state,
                weight=float(director.weights[place][0]),
                stiffness=float(springs.stiffness[place][0]),
                damping=float(springs.damping[place][0]),
            )
        )
    return found


def _lanes(project: Project) -> list[LaneInfo]:
    take, here, stale = project.take, project.position.lane, project.stale_after()
    return [
        LaneInfo(
            id=lane.id,
            name=lane.name,
            parent=lane.parent,
            start=lane.begin,
            begin=take.begin(lane.id),
            end=take.end(lane.id),
            deleted=lane.deleted,
            stale=stale if lane.id == here else None,
        )
        for lane in take.lanes.values()
    ]


def _finite(value: Any) -> Any:
    """A number without bound as None."""
    return None if isinstance(value, float) and math.isinf(value) else value
