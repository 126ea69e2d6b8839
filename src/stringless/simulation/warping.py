"""Warping: recorded commands are replayed at other times, by a copy of the simulation that records a branch of its own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from stringless.errors import DivergenceError, InputError, ProjectError
from stringless.simulation.inputs import TARGET_PATH, Inputs, apply_inputs, apply_targets, followed_coordinates
from stringless.simulation.position import SOON, matches_frame
from stringless.simulation.warped_inputs import InputWarp
from stringless.timeline.patch import Patch, apply
from stringless.timeline.take import Branch, Take
from stringless.timeline.time_map import Segment, TimeMap

if TYPE_CHECKING:
    from stringless.simulation.recorder import Recorder

SLICE = 1 / 30
"""Simulated seconds after which progress is reported."""


class Change(NamedTuple):
    """Something recorded that is to happen at another time."""

    time: float
    """When it was recorded [s]."""
    inputs: Inputs | None = None
    """All that was commanded from then on; None if that has not changed."""
    led: Patch | None = None
    """Where targets have gone, if nothing else has changed."""
    event: str = ""
    """A switch that the director noted."""


class Warping:
    """Recorded commands on their way to a branch of their own; see `Take.warp`."""

    def __init__(self, recorder: Recorder, time_map: TimeMap, branch: Branch, until: float) -> None:
        """Put a copy to the start of the stretch, and read what was commanded from there on; the present is not touched."""
        take = recorder.take
        check_scenes(recorder, branch, time_map.start, until)
        check_unbroken(recorder, branch, time_map.start, until)
        self._recorder, self._time_map, self._until = recorder, time_map, until
        self._parent = take.owner(time_map.start, branch.id).id
        self._sim, step = recorder.copy_at(time_map.start, branch.id)
        self._begin = self._sim.time
        dt = self._sim.config.dt
        chunk, row = take.find(self._begin + SOON * dt, branch.id)
        self._recorded = chunk.inputs_at(step)
        after, first = self._begin + SOON * dt, chunk.frames[row].time
        commands = [change for change in list_commands(take, first, until, branch.id) if change.time > after]
        events = [
            Change(event.time, event=event.what) for event in take.events(self._begin - SOON * dt, until, branch.id)
        ]
        bends = [Change(bend) for bend in time_map.bends if self._begin < bend < until]
        self._changes = sorted([*events, *bends, *commands], key=lambda change: change.time)
        every = [self._recorded, *(change.inputs for change in commands if change.inputs is not None)]
        motions = {name: recorder.find_motion(name) for name in {inputs["motion"] for inputs in every} - {None}}
        self._warp = InputWarp(self._sim.model, time_map, motions)
        self._segment = time_map.segments[0]
        self._warped = self._recorded if time_map.is_identity else None
        self._is_simulated = False
        recorder.record_beside(self._sim, step)

    def close(self) -> None:
        """Give back what it took; nothing more can be done with it."""
        self._sim.take.store.close()

    # --- simulating ---

    def simulate(self, report: Callable[[float], None] | None = None) -> None:
        """Simulate them, if that was not done; `report` hears the share that is done, and what it raises ends it."""
        if self._is_simulated:
            return
        try:
            self._command(self._recorded, self._segment)
            for change in self._changes:
                self._advance(change.time, report, late=change.led is not None)
                self._carry_out(change)
            self._advance(self._until, report)
        except DivergenceError as error:
            text = f"with its commands at other times the motion diverged, and nothing was kept of it: {error}"
            raise DivergenceError(text, time=error.time, joint=error.joint, cause=error.cause) from error
        if self._sim.take.growing is None:
            raise InputError("at their new times the commands take less than a step; use a larger factor")
        self._is_simulated = True

    def _advance(self, recorded: float, report: Callable[[float], None] | None, *, late: bool = False) -> None:
        """Simulate up to the step that is nearest to the new time of a recorded one; not one before it, if `late`."""
        sim, time = self._sim, self._time_map(recorded)
        left = (time - sim.time) / sim.config.dt
        steps = math.ceil(left - SOON) if late else math.floor(left + 0.5 + SOON)
        whole = self._time_map(self._until) - self._begin
        while steps > 0:
            some = min(steps, max(1, round(SLICE / sim.config.dt)))
            sim.step(some)
            steps -= some
            if report is not None:
                report(min((sim.time - self._begin) / whole, 1.0))

    def _carry_out(self, change: Change) -> None:
        sim, segment = self._sim, self._time_map.segment_at(change.time)
        if change.event:
            sim.director.note_event(change.event)
        elif change.led is None or segment is not self._segment or not self._lead(change.led):
            self._command(self._recorded if change.inputs is None else change.inputs, segment)
        elif change.inputs is not None:
            self._recorded = change.inputs

    def _lead(self, led: Patch) -> bool:
        """Move targets on, which happens at every tick; False, and nothing done, if that does not suffice."""
        patch = {path: self._warp.warp_target(target, self._segment) for path, target in led.items()}
        if not apply_targets(self._sim, patch):
            return False
        self._sim.recording.note_led(patch)
        return True

    def _command(self, inputs: Inputs, segment: Segment) -> None:
        """Command what was commanded, at the times of a segment."""
        before, self._recorded, self._segment = self._recorded, inputs, segment
        self._apply(self._warp.warp_inputs(inputs, segment))
        if self._time_map.is_identity:
            return
        begun = list_begun(before, inputs)
        for track in begun:
            self._blend(track, segment)
        if begun:
            self._apply(self._warp.warp_inputs(inputs, segment))
        if inputs["motion"] is not None and inputs["motion"] != before["motion"]:
            self._check_motion(inputs)

    def _apply(self, warped: Inputs) -> None:
        if warped != self._warped:
            apply_inputs(self._sim, warped, self._warp.find_motion)
            self._warped = warped

    def _blend(self, track: dict[str, Any], segment: Segment) -> None:
        """Let keyframes begin from where the character is now, which is not where it was on record."""
        sim = self._sim
        own = sim.director.track(track["id"])
        q, v = own.at(own.begin + own.rate * (sim.time - own.started))
        gap_rate = segment.factor * (sim.v - own.rate * v)
        self._warp.blends[track["id"], track["started"]] = sim.model.difference(q, sim.q), gap_rate

    def _check_motion(self, inputs: Inputs) -> None:
        sim = self._sim
        names = [joint.name for joint in sim.model.joints if sim.followed[joint.v_slice].any()]
        try:
            assert sim.motion is not None
            followed_coordinates(sim.engine, sim.state, sim.motion, names)
        except InputError as error:
            raise InputError(
                f"the motion that is followed from {sim.time:.4g} s on cannot be warped with what comes before it: {error}"
            ) from None

    # --- the result ---

    def keep(self) -> Branch:
        """Make what was simulated a branch of the take."""
        assert self._is_simulated
        self._sim.finish_recording()
        for motion in self._warp.warped_motions:
            self._recorder.keep_motion(motion)
        return self._recorder.take.adopt(self._sim.take, self._parent)


def list_commands(take: Take, start: float, until: float, branch: int) -> Iterator[Change]:
    """Every change of what was commanded, with what was commanded since."""
    last, at_end = start, None
    for chunk, part in take.pieces(start, until, branch):
        time, step, inputs = chunk.frames[0].time, chunk.frames[0].step, chunk.inputs
        if time > part.end:
            continue
        check_complete(take, last, time, inputs)
        if part.start <= time:
            yield Change(time, inputs)
        for change in chunk.changes:
            time += (change.step - step) * inputs["parameters"]["dt"]
            step, inputs = change.step, apply(inputs, change.patch)
            if part.start <= time <= part.end:
                yield Change(time, inputs, change.patch if is_led(change.patch) else None)
        last = min(chunk.frames[-1].time, part.end)
        at_end = inputs
    assert at_end is not None, "the first chunk has the start in it"
    check_complete(take, last, until, at_end)


def check_complete(take: Take, last: float, time: float, inputs: Inputs) -> None:
    """Refuse a record in which frames are missing before a time, and with them what was commanded."""
    if time > last + 2.0 * max(1.0 / take.rate, inputs["parameters"]["dt"]):
        raise ProjectError(
            f"what was commanded between {last:.4g} s and {time:.4g} s was lost when a damaged file was rescued; warp a stretch "
            "that lies before or after it"
        )


def is_led(patch: Patch) -> bool:
    """Whether it only says where targets have gone that something has led."""
    targets = patch.values()
    return all(map(TARGET_PATH.fullmatch, patch)) and all(
        isinstance(to, dict) and to.get("kind") == "function" for to in targets
    )


def list_begun(before: Inputs, after: Inputs) -> list[dict[str, Any]]:
    """Keyframes that play, and did not before."""
    known, now = ([track for track in list_tracks(inputs) if track["playing"]] for inputs in (before, after))
    started = {(track["id"], track["started"]) for track in known}
    return [track for track in now if (track["id"], track["started"]) not in started]


def list_tracks(inputs: Inputs) -> list[dict[str, Any]]:
    """All keyframes in what was commanded."""
    return [] if inputs["director"] is None else inputs["director"]["keyframes"]


def check_scenes(recorder: Recorder, branch: Branch, start: float, until: float) -> None:
    """Refuse a stretch of another scene than is open."""
    for piece in recorder.take.lineage(branch.id):
        if piece.end > start and piece.start < until and recorder.take.branch(piece.branch).scene != recorder.scene:
            raise InputError(
                f"branch '{branch.name}' shows another scene than is open now, from {max(piece.start, start):.4g} s on; go to a "
                "time in it first, and choose a stretch in which the scene stays the same"
            )


def check_unbroken(recorder: Recorder, branch: Branch, start: float, until: float) -> None:
    """Refuse a stretch in which a program has put the scene elsewhere: that is no command, and cannot be repeated."""
    pieces = recorder.take.lineage(branch.id)
    for before, piece in itertools.pairwise(pieces):
        if not start < piece.start < until:
            continue
        there, _ = recorder.copy_at(piece.start, before.branch)
        if not matches_frame(there, recorder.take.frame(piece.start, piece.branch)):
            raise InputError(
                f"a program has put the scene into another state at {piece.start:.4g} s, where branch "
                f"'{recorder.take.branch(piece.branch).name}' begins; that cannot be warped. Choose a stretch before or after it"
            )
