"""The document message: everything that was made, as a page lists it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.control.director import Director
from stringless.project.commands.director import SETTINGS
from stringless.project.document import lasting
from stringless.project.project import Project
from stringless.simulation.config import SimulationConfig
from stringless.studio.builders import copy_fields, make_vector
from stringless.studio.messages import Document, GoalInfo, JointState, LaneInfo, MarkerInfo, TrackInfo

if TYPE_CHECKING:
    from stringless.studio.session_state import SessionState


def build_document(state: SessionState, revision: int) -> Document:
    """The document message."""
    project, sim, director, history = state.project, state.project.sim, state.director, state.project.history
    held = state.hands.goals
    is_own_engine = sim.scene.engine == sim.config.engine
    return Document(
        revision=revision,
        path="" if state.unsaved else str(project.path),
        title=state.title,
        scene=project.scene_data["name"],
        goals=[_describe_goal(goal, goal.id in held) for goal in director.goals] if director else [],
        tracks=_list_tracks(director) if director else [],
        joints=_list_joints(director) if director else [],
        lanes=_list_branches(project),
        spans=state.spans.list_spans(project.take, state.player.lane, director),
        markers=[MarkerInfo(**marker) for marker in project.markers],
        styles=list(director.styles) if director else [],
        director={name: _without_infinity(getattr(director, name)) for name in SETTINGS} if director else {},
        engine=sim.config.engine,
        step=sim.scene.dt if is_own_engine else SimulationConfig.dt,
        parameters=lasting(sim.parameters()),
        undo=history.done[-1].label if history.done else "",
        redo=history.undone[-1].label if history.undone else "",
        recovered=state.recovered,
    )


def _describe_goal(goal: Any, held: bool) -> GoalInfo:
    body = getattr(goal, "body", None) if goal.kind in ("drag", "pin") else None
    return copy_fields(
        GoalInfo,
        goal,
        bone="" if body is None else goal.director.model.bodies[body].name,
        priority=int(goal.priority),
        fade=float(goal.fade),
        push=bool(goal.push),
        top_speed=getattr(goal, "top_speed", None),
        axes=[make_vector(axis) for axis in getattr(goal, "axes", np.zeros((0, 3)))],
        turns=goal.__dict__.get("turner") is not None,
        held=held,
    )


def _list_tracks(director: Director) -> list[TrackInfo]:
    return [
        copy_fields(TrackInfo, track, joints=list(track.joints), times=list(track.times)) for track in director.all_tracks
    ]  # fmt: skip


def _list_joints(director: Director) -> list[JointState]:
    springs, keyed = director.springs, director.followed
    found: list[JointState] = []
    for joint in director.model.joints:
        if not joint.nv:
            continue
        own = joint.v_slice
        soft = springs.stiffness[own].any() or springs.damping[own].any()
        state = (
            "free" if not joint.spec.actuated else "keyframes" if keyed[own].any()
            else "directed" if director.directed[own].any() else "passive" if soft or director.is_acting else "free"
        )  # fmt: skip
        values = (float(row[own][0]) for row in (director.weights, springs.stiffness, springs.damping))
        found.append(JointState(joint.name, state, *values))
    return found


def _list_branches(project: Project) -> list[LaneInfo]:
    take, here, stale = project.take, project.position.lane, project.stale_after()
    return [
        copy_fields(
            LaneInfo, lane, start=lane.begin, begin=take.begin(lane.id), end=take.end(lane.id),
            stale=stale if lane.id == here else None,
        )
        for lane in take.lanes.values()
    ]  # fmt: skip


def _without_infinity(value: Any) -> Any:
    """A value with None in the place of infinity."""
    return None if isinstance(value, float) and math.isinf(value) else value
