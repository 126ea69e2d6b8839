"""Commands at other times: every time in what was commanded, moved along a map of time.

A target that moves, a goal that fades in, keyframes that play and a motion that is followed are functions of the recorded time t.
Warped they are the same functions of the new time t', with t = φ⁻¹(t'). Within a segment of the map, t' = a + f t: moments
move along, durations are multiplied by f, rates are divided by it. What is no function of time, as gains, limits, torques and
joint springs, stays what it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from stringless.control.goals import find_goal_type
from stringless.control.motion import Motion
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.simulation.inputs import Inputs
from stringless.spatial.arrays import FloatArray
from stringless.timeline.time_map import Segment, TimeMap

Data = dict[str, Any]
RATE = 240.0
"""Configurations per second of a motion that is followed and becomes faster or slower on its way."""
APART = 1e-4
"""Least time between two of them [s]."""


class InputWarp:
    """Moves the times in inputs along a map."""

    def __init__(self, model: Model, time_map: TimeMap, motions: Mapping[str, Motion]) -> None:
        """`motions` are those that inputs name."""
        self.model, self.time_map = model, time_map
        self._motions = motions
        self._warped: dict[str, Motion] = {}
        self.blends: dict[tuple[int, float], tuple[FloatArray, FloatArray]] = {}
        """Where keyframes begin from: gap and its rate by recorded time, for each track by its number and when it was started."""

    def warp_inputs(self, inputs: Inputs, segment: Segment) -> Inputs:
        """All that was commanded, at the times of a segment."""
        if self.time_map.is_identity:
            return inputs
        self._check_accelerations(inputs, segment)
        director = inputs["director"]
        if director is not None:
            goals = [self._warp_goal(goal, segment) for goal in director["goals"]]
            tracks = [self._warp_track(track, segment) for track in director["keyframes"]]
            director = {**director, "goals": goals, "keyframes": tracks}
        return {**inputs, "director": director}

    def _check_accelerations(self, inputs: Inputs, segment: Segment) -> None:
        if inputs["prescribed"] and segment.factor != 1.0:
            raise InputError(
                f"the acceleration of joint {self.model.dof_name(inputs['prescribed'][0])}, which a program prescribes in the "
                "stretch, cannot be warped: at another pace it would lead elsewhere. Let the joint follow a motion instead, with "
                "sim.follow(), or warp a stretch without it"
            )

    # --- goals and keyframes ---

    def _warp_goal(self, goal: Data, segment: Segment) -> Data:
        moved: Data = {"started": segment.at(goal["started"]), "fade": segment.factor * goal["fade"]}
        for name in find_goal_type(goal["kind"]).targets:
            if goal[name] is not None:
                moved[name] = self.warp_target(goal[name], segment)
        return {**goal, **moved}

    def warp_target(self, target: Data, segment: Segment) -> Data:
        """A target: straight on for a while, or on a path. One that a live stream has led is where that was."""
        rate = [value / segment.factor for value in target["rate"]]
        since, until = segment.at(target["since"]), segment.at(target["until"])
        moved = {**target, "rate": rate, "since": since, "until": until}
        if target["kind"] == "stream":
            return {"kind": "function", **{name: moved[name] for name in ("value", "rate", "since", "until")}}
        if target["kind"] == "path":
            times, places = self._bend_path(np.array(target["times"]), np.array(target["places"]))
            return {**moved, "times": times, "places": places, "seen": None}
        return moved

    def _bend_path(self, times: FloatArray, places: FloatArray) -> tuple[list[float], list[list[float]]]:
        """A path with a point at every bend of the map, because it is straight in between."""
        inner = [bend for bend in self.time_map.bends if times[0] < bend < times[-1]]
        every = np.union1d(times, inner)
        bent = np.stack([np.interp(every, times, column) for column in places.T], axis=1)
        return [self.time_map(time) for time in every.tolist()], bent.tolist()

    def _warp_track(self, track: Data, segment: Segment) -> Data:
        if not track["playing"]:
            return track
        gap, gap_rate = self.blends.get((track["id"], track["started"]), (track["gap"], track["gap_rate"]))
        return {
            **track,
            "started": segment.at(track["started"]),
            "rate": track["rate"] / segment.factor,
            "blend": segment.factor * track["blend"],
            "gap": np.asarray(gap).tolist(),
            "gap_rate": (np.asarray(gap_rate) / segment.factor).tolist(),
        }

    # --- motions to follow ---

    def find_motion(self, name: str) -> Motion:
        """The motion of a name in the inputs, at the times of the map."""
        if name not in self._warped:
            self._warped[name] = warp_motion(self._motions[name], self.time_map)
        return self._warped[name]

    @property
    def warped_motions(self) -> list[Motion]:
        """Those that were asked for."""
        return list(self._warped.values())


def warp_motion(motion: Motion, time_map: TimeMap) -> Motion:
    """A motion at other times; where these bend on its way, it is sampled again."""
    first, last = float(motion.times[0]), float(motion.times[-1])
    bends = [bend for bend in time_map.bends if first < bend < last]
    if bends:
        even = np.linspace(first, last, math.ceil((last - first) * RATE) + 1)
        near = np.abs(even[:, None] - np.array(bends)).min(axis=1) < APART
        near[[0, -1]] = False
        times = np.union1d(even[~near], bends)
        configurations = motion.sampled(times)[0].tolist()
    else:
        times, configurations = motion.times, motion.as_data()["q"]
    moved = [time_map(time) for time in times.tolist()]
    return motion if moved == motion.times.tolist() else Motion(motion.model, moved, configurations, ends=motion.ends)
