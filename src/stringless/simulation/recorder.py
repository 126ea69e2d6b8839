"""Recording: a simulation writes its own take, and goes back to any time of it.

Frames are for the eye. To go back means to take the last full state before that time and to simulate on from there with
the commands that were given then: the same steps give the same bits, so what comes out is what was, at every single step.
"""

from __future__ import annotations

import json
import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.control.motion import Motion
from stringless.errors import InputError, StringlessWarning, renamed_arguments
from stringless.simulation.inputs import (
    Inputs,
    apply_inputs,
    apply_targets,
    read_inputs,
    read_signals,
    select_comparable,
    signal_arrays,
)
from stringless.simulation.position import SOON, Position, matches_frame
from stringless.simulation.runs import run_steps
from stringless.simulation.warping import Warping
from stringless.timeline.chunk import Change, Chunk, Event, Frame, unpack_state
from stringless.timeline.patch import Patch, apply, difference
from stringless.timeline.store import Store
from stringless.timeline.take import Branch, Take
from stringless.timeline.time_map import TimeMap

if TYPE_CHECKING:
    from stringless.simulation.simulation import Simulation
    from stringless.state import State

STATES_PER_SECOND = 6
"""Full states kept per simulated second: at most a sixth of it is simulated again to go back."""
CELLS = 2**14
"""Cells of the grid that nodes are rounded to, per length of the flesh."""


class Recorder:
    """Writes what a simulation does into a take."""

    def __init__(self, sim: Simulation, store: Store | None = None, rate: float = 120.0, scene: str = "") -> None:
        """Record `sim` into a store, a passing one if none is given, with `rate` frames per simulated second.

        `scene` says which one it is, for a store that knows several.
        """
        self.sim, self.scene = sim, scene
        self.take = Take(store or Store.temporary(), rate=rate, replayer=self)
        self.steps = 0
        """Steps since the beginning of the take, along the branch."""
        self._motions: dict[str, Motion] = {}
        self._inputs: Inputs | None = None
        self._revision_noted: tuple[Any, ...] = ()
        self._targets: dict[tuple[int, str], Any] = {}  # where moving targets were, by goal and name
        self._target_patch: Patch = {}  # ... and the same on top of the inputs
        self._paths: dict[tuple[int, str], list[tuple[float, Any]]] = {}  # the paths they followed, since when
        self._events = 0
        self._end: State | None = None  # where recording left off
        self._fork: tuple[int, float] | None = None  # branch and time that were gone back to
        flesh = sim.model.flesh
        self._free = np.zeros(0, bool) if flesh is None else flesh.nodes["fixed"] == 0
        size = 1.0 if flesh is None else max(float(np.ptp(part.nodes, axis=0).max()) for part in flesh.specs)
        self._grid = 2.0 ** math.floor(math.log2(max(size, 1e-6) / CELLS))

    # --- while the simulation runs ---

    def note_start(self) -> None:
        """Note what is commanded now, and where this begins; called before steps."""
        if self._fork is not None or self._was_moved():
            self._begin_branch()
        self._note_inputs()

    def count_steps_to_frame(self) -> int:
        """Steps until the next frame."""
        dt, rate = self.sim.config.dt, self.take.rate
        following = (math.floor(self.sim.time * rate + SOON) + 1) / rate
        return max(1, math.ceil((following - self.sim.time) / dt - SOON))

    def note_steps(self, done: int) -> None:
        """Count steps, and take a frame if it is time; called after each run of steps, of at most `due()`."""
        self.steps += done
        now, before = self.sim.time, self.sim.time - done * self.sim.config.dt
        if math.floor(now * self.take.rate + SOON) > math.floor(before * self.take.rate + SOON):
            self._add_frame()

    def note_end(self) -> None:
        """Remember where recording left off; called when steps are done."""
        if self._end is None:
            self._end = self.sim.save()
        else:
            self._end.restore(self.sim.state)

    def finish(self) -> None:
        """Take a frame of where recording left off, if there is none: nothing that was simulated gets lost."""
        growing = self.take.growing
        if growing is not None and self._fork is None and growing.frames[-1].step < self.steps:
            here = self.sim.save()
            assert self._end is not None
            self.sim.state.restore(self._end)
            self._add_frame()
            self.sim.state.restore(here)

    def _was_moved(self) -> bool:
        """Whether the state was set from outside. Fixed nodes do not count: reading their positions moves them."""
        end, state = self._end, self.sim.state
        return end is None or not (
            end.time == state.time
            and np.array_equal(end.q, state.q)
            and np.array_equal(end.v, state.v)
            and np.array_equal(end.xdot[self._free], state.xdot[self._free])
            and np.array_equal(end.x[self._free], state.x[self._free])
        )

    def _begin_branch(self) -> None:
        """Begin a branch where the simulation stands, or go on with one whose end that is."""
        take, sim = self.take, self.sim
        self._inputs = None
        if self._fork is None or self._fork[1] != sim.time:  # the state was set from outside
            self._fork = None
            self.finish()
            goes_on = self._end is not None and self._end.time == sim.time
            parent = take.current if goes_on else None
            self.steps = self.steps if goes_on else 0
            take.begin_branch(parent=parent, time=sim.time, step=self.steps, scene=self.scene)
            return
        (parent, time), self._fork = self._fork, None
        if time == take.end(parent) and take.branch(parent).scene == self.scene and not self._was_moved():
            take.go_on(parent)
        else:
            take.begin_branch(parent=take.owner(time, parent).id, time=time, step=self.steps, scene=self.scene)

    def _note_inputs(self) -> None:
        seen = self._revision()
        if self._inputs is None:
            self._inputs, self._revision_noted = read_inputs(self.sim, self.keep_motion), seen
            self._targets.clear()
            self._target_patch = {}
            self._add_frame(whole=True)
            return
        before = self._inputs
        if seen[:-1] != self._revision_noted[:-1]:
            self._inputs = read_inputs(self.sim, self.keep_motion)
        elif seen[-1] != self._revision_noted[-1]:
            self._inputs = before | read_signals(self.sim)
        else:
            return
        self._revision_noted = seen
        patch = difference(apply(before, self._target_patch), self._inputs)
        self._targets.clear()
        self._target_patch = {}
        if patch:
            self._change(patch)

    def note_targets(self) -> None:
        """Note where targets that move by themselves have gone; called when they were sampled."""
        if not self.sim.is_directed:
            return
        patch: Patch = {}
        for k, goal in enumerate(self.sim.director.goals):
            for name, follower in goal.followers.items():
                if follower.is_external and self._targets.get((goal.id, name)) is not follower.value:
                    self._targets[goal.id, name] = follower.value  # every sample is a new array
                    known = self._paths.setdefault((goal.id, name), [])
                    if not known or known[-1][1] is not follower.path:
                        known.append((self.sim.time, follower.path))
                    patch[f"/director/goals/{k}/{name}"] = follower.segment_data()
        if patch:
            self._target_patch |= patch
            self._change(patch)

    def note_led(self, patch: Patch) -> None:
        """Note where targets were led to, as a record says; those of the first step are noted with all else."""
        if self._inputs is not None:
            self._note_inputs()
            self._target_patch |= patch
            self._change(patch)

    def _change(self, patch: Patch) -> None:
        growing = self.take.growing
        if growing is None:  # all was handed over: a new chunk begins with the inputs as they are by now
            self._add_frame(whole=True)
        else:
            growing.changes.append(Change(self.steps, patch))

    def _revision(self) -> tuple[Any, ...]:
        """A value that differs whenever inputs may have changed."""
        sim = self.sim
        signals = tuple(array.tobytes() for array in signal_arrays(sim))
        revision = sim.director.revision if sim.has_director else -1
        return (id(sim.config), id(sim.flesh), id(sim.motion), sim.followed.tobytes(), revision, signals)

    def _add_frame(self, whole: bool = False) -> None:
        take = self.take
        chunk = take.growing
        if chunk is None or chunk.full or whole:
            chunk = Chunk(apply(self._inputs, self._target_patch), self._grid)
            take.open_chunk(chunk)
            whole = True
        sim = self.sim
        points, forces = sim.contact_points()
        nodes = sim.state.x[self._free]
        chunk.add(Frame(sim.time, self.steps, sim.q.copy(), sim.v.copy(), sim.effort.copy(), nodes, points, forces))
        moments = [math.floor(frame.time * STATES_PER_SECOND + SOON) for frame in chunk.frames[-2:]]
        if whole or moments[0] < moments[-1]:
            chunk.states.append((len(chunk.frames) - 1, sim.save()))
        if sim.has_director:
            events = sim.director.events
            chunk.events += [Event(*event) for event in events[self._events :]]
            self._events = len(events)

    # --- going back ---

    def go_to(self, time: float, branch: int | str | None = None) -> None:
        """Put the simulation back to the nearest step of a time; it goes on from there in a branch of its own."""
        sim = self.sim
        chosen, chunk, row = self._find(time, branch)
        self._fork = self._inputs = None
        self.steps = self._restore_step(sim, chunk, row, time)
        self._resume_paths()
        if chunk.frames[row].step == self.steps and not matches_frame(sim, chunk.frames[row]):
            warnings.warn(
                f"replay diverged from the recording at {sim.time:.4f} s: it was recorded by another version of this program or "
                "on another kind of machine. The recorded frames are shown as they were.",
                StringlessWarning,
                stacklevel=4,
            )
        self._events = len(sim.director.events) if sim.has_director else 0
        self._fork = (chosen.id, sim.time)
        self.note_end()

    @renamed_arguments(lane="branch")
    def copy_at(self, time: float, branch: int | str | None = None) -> tuple[Simulation, int]:
        """A copy of the simulation at the nearest step of a time, and how many steps that is; the present is not touched."""
        _, chunk, row = self._find(time, branch)
        other = self.sim.fork()
        return other, self._restore_step(other, chunk, row, time)

    def _find(self, time: float, branch: int | str | None) -> tuple[Branch, Chunk, int]:
        """The branch of a time, and chunk and row of the last frame up to it."""
        take = self.take
        if not take.branches:
            raise InputError("nothing was recorded yet; simulate something first")
        self.finish()
        chosen = take.owner(time, branch)
        begin, end = take.begin(chosen.id), take.end(chosen.id)
        dt = self.sim.config.dt
        if not begin - SOON * dt <= time <= end + dt:
            raise InputError(
                f"branch '{chosen.name}' was recorded from {begin:.4g} s to {end:.4g} s; {time:.4g} s is not in it"
            )
        return chosen, *take.find(time + SOON * dt, chosen.id)

    def _restore_step(self, sim: Simulation, chunk: Chunk, row: int, time: float) -> int:
        """Put a simulation to the nearest step of a time after a frame; how many steps that is from the beginning."""
        at, state = chunk.states[max(k for k, (at, _) in enumerate(chunk.states) if at <= row)]
        step = chunk.frames[at].step
        self._restore(sim, chunk, state, step)
        return step + self._repeat(sim, chunk, step, time)

    def _restore(self, sim: Simulation, chunk: Chunk, state: bytes | State, step: int) -> None:
        whole = unpack_state(state, sim.state) if isinstance(state, bytes) else state
        sim.state.restore(whole)
        apply_inputs(sim, chunk.inputs_at(step), self.find_motion)

    def _repeat(self, sim: Simulation, chunk: Chunk, step: int, time: float) -> int:
        """Simulate again from a full state to a time, as it was done then; how many steps that took."""
        done = 0
        inputs = chunk.inputs_at(step)
        later = [change for change in chunk.changes if change.step > step]
        while True:
            left = round((time - sim.time) / sim.config.dt)
            if left <= 0:
                return done
            some = min([left, *(change.step - step - done for change in later[:1])])
            run_steps(sim, some)
            done += some
            while later and later[0].step == step + done:
                patch = later.pop(0).patch
                inputs = apply(inputs, patch)
                if not apply_targets(sim, patch):
                    apply_inputs(sim, inputs, self.find_motion)

    @renamed_arguments(lane="branch")
    def find_difference(self, branch: int | str | None = None) -> float | None:
        """Simulate a whole branch again beside the record: the time of the first frame that comes out otherwise, or None.

        The present is not touched.
        """
        other = self.sim.fork()
        for chunk in self.take.own_chunks(branch):
            for at, state in chunk.states:
                ends = [row for row, _ in chunk.states if row > at] or [len(chunk.frames)]
                step = chunk.frames[at].step
                self._restore(other, chunk, state, step)
                for frame in chunk.frames[at : ends[0] + 1]:
                    step += self._repeat(other, chunk, step, frame.time)
                    if not matches_frame(other, frame) or step != frame.step:
                        return frame.time
        return None

    def _resume_paths(self) -> None:
        """Let targets follow again the functions and streams that they followed at this time."""
        for goal in self.sim.director.goals if self.sim.has_director else []:
            for name, follower in goal.followers.items():
                since = [path for time, path in self._paths.get((goal.id, name), []) if time <= self.sim.time]
                if since and follower.was_external:
                    follower.path = since[-1]

    @property
    def position(self) -> Position:
        """Where on record the simulation is."""
        if self._fork is not None:
            return Position(self._fork[0], self.steps, self._fork[1])
        return Position(self.take.current or None, self.steps, self.sim.time)

    def set_position(self, position: Position) -> None:
        """Go on from a time that another simulation has recorded, whose state this one has."""
        assert position.branch is not None
        self.steps, self._fork = position.step, (position.branch, position.time)
        self._events = len(self.sim.director.events) if self.sim.has_director else 0
        self.note_end()

    def record_beside(self, sim: Simulation, step: int) -> None:
        """Record a copy of the simulation, `step` steps after the beginning, into a passing take of its own."""
        other = Recorder(sim, rate=self.take.rate, scene=self.scene)
        own = other.take.begin_branch(parent=None, time=sim.time, step=step, scene=self.scene)
        other.set_position(Position(own.id, step, sim.time))
        sim.__dict__["recorder"] = other

    def prepare_warp(self, time_map: TimeMap, branch: Branch, until: float) -> Warping:
        """Make ready to replay a branch along a map of time, up to a recorded time."""
        return Warping(self, time_map, branch, until)

    def would_differ(self) -> bool:
        """Whether going on from here would not repeat what is on record after it."""
        branch, step, time = self.position
        if branch is None:
            return False
        chunk, _ = self.take.find(time, branch)
        then, now = chunk.inputs_at(step), read_inputs(self.sim, self.keep_motion)
        return self.take.branch(branch).scene != self.scene or bool(
            difference(select_comparable(then), select_comparable(now))
        )

    # --- motions to follow ---

    def keep_motion(self, motion: Motion) -> str:
        """Put a motion into the store; the name it has there."""
        for name, known in self._motions.items():
            if known is motion:
                return name
        name = self.take.store.put_blob(json.dumps(motion.as_data()).encode())
        self._motions[name] = motion
        return name

    def find_motion(self, name: str) -> Motion:
        """The motion that has this name in the store."""
        if name not in self._motions:
            self._motions[name] = Motion.from_data(self.sim.model, json.loads(self.take.store.read_blob(name)))
        return self._motions[name]


def check_rate(record: float) -> float:
    """Frames per simulated second, if they are that."""
    if not (isinstance(record, (int, float)) and math.isfinite(record) and record >= 0):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"record is {record!r}; expected frames per simulated second, 0 for none")
    return float(record)


def record_into(sim: Simulation, store: Store, *, rate: float = 120.0, scene: str = "") -> None:
    """Record into a store from now on; `scene` says which one this is, for a store that knows several."""
    sim.__dict__["recorder"] = Recorder(sim, store, rate, scene)


def finish_recording(sim: Simulation) -> None:
    """Hand everything that was recorded to the store."""
    if sim.recorder is not None:
        sim.recorder.finish()
        sim.take.close_chunk()
        sim.take.settle()


def rewind(sim: Simulation, seconds: float) -> None:
    """Go back by so much of the recorded time, with the commands of then; the future that was is kept in its branch."""
    if not (isinstance(seconds, (int, float)) and math.isfinite(seconds) and seconds >= 0):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cannot rewind by {seconds} s; expected a finite number of 0 or more")
    sim.go_to(sim.time - seconds)


@renamed_arguments(lane="branch")
def go_to(sim: Simulation, time: float, branch: int | str | None = None) -> None:
    """Go to any step on record, with the commands of then; going on from there begins another branch.

    Args:
        sim: the simulation.
        time: the nearest step counts [s].
        branch: number or name of a branch of `take`; the current one if not given.
    """
    sim.recording.go_to(time, branch)
    sim.forget_rest()
