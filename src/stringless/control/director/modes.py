"""Which joints are directed, passive or on keyframes; every switch is noted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.control.checks import joint_names, number
from stringless.control.director.observer import Observer, PoseLike
from stringless.control.director.springs import Springs
from stringless.control.keyframes import Keyframes
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.state import State


class Event(NamedTuple):
    """A switch and its time."""

    time: float
    what: str


class Modes(Observer):
    """Gives every joint to goals, to a passive spring, to keyframes or to nothing."""

    def __init__(self, model: Model, state: State) -> None:
        """Start with no joint directed."""
        super().__init__(model, state)
        self.directed = np.zeros(model.nv, dtype=np.bool_)
        self.springs = Springs(model)
        self.events: list[Event] = []
        """Every switch, with its time."""
        self.tracks: list[Keyframes] = []
        """Keyframes that play."""
        self.all_tracks: list[Keyframes] = []
        """Keyframes that were made, playing or not, until they are discarded."""
        self.next_id = 1
        self.revision = 0
        """Counted up whenever anything is set."""

    def rebuild(self) -> None:
        """Build the tables again before the next step."""
        raise NotImplementedError

    def note_event(self, what: str) -> None:
        """Record a switch."""
        self.events.append(Event(self.time, what))

    def new_id(self) -> int:
        """A number that no goal and no keyframes of this director ever had."""
        self.next_id += 1
        return self.next_id - 1

    @property
    def is_acting(self) -> bool:
        """Whether any joint is directed or on keyframes."""
        return bool(self.tracks) or bool(self.directed.any())

    # --- switching ---

    def take(self, character: str | int | None = None, joints: Sequence[str] | None = None) -> None:
        """Direct joints: all actuators of a character, or those named."""
        self._switch(character, joints, True)

    def leave(self, character: str | int | None = None, joints: Sequence[str] | None = None) -> None:
        """Stop directing joints: they become passive, or do what `Simulation.tau` says."""
        self._switch(character, joints, False)

    def _switch(self, character: str | int | None, joints: Sequence[str] | None, on: bool) -> None:
        chosen = self._chosen(character, joints)
        if on:
            self._stop_tracks(chosen)
        if np.any(self.directed[chosen] != on) or self.springs.has_any(chosen):
            self.directed[chosen] = on
            self.springs.clear(chosen)
            self.note_event(f"{len(chosen)} coordinates {'directed' if on else 'left'}")
            self.rebuild()

    def _chosen(self, character: str | int | None, joints: Sequence[str] | None) -> NDArray[np.int64]:
        """Coordinates of the joints named, or of all actuators of a character."""
        if joints is None:
            return self.characters[self.find_character(character)].actuators
        joint_names(joints)
        chosen = np.concatenate([np.arange(self.model.nv)[self.model.joint(name).v_slice] for name in joints])
        allowed = np.concatenate([character.actuators for character in self.characters])
        for d in chosen:
            if d not in allowed:
                raise InputError(f"joint {self.model.dof_name(int(d))} has no actuator and cannot be directed")
        return chosen.astype(np.int64)

    def passive(
        self,
        joints: Sequence[str] | None = None,
        *,
        stiffness: float = 0.0,
        damping: float = 0.0,
        pose: PoseLike | None = None,
        character: str | int | None = None,
    ) -> None:
        """Make joints passive, with a spring and a damper toward a pose; without either they are limp.

        Args:
            joints: those that go passive; all actuators of the character if not named.
            stiffness: of the spring [N·m/rad or N/m].
            damping: of the damper [N·m·s/rad or N·s/m].
            pose: where the springs exert nothing; the present one if not given.
            character: name of any of its bodies; needed where there are several and no joints are named.
        """
        stiffness, damping = number(stiffness, "stiffness", least=0.0), number(damping, "damping", least=0.0)
        whole = self.whole_pose(self.state.q if pose is None else pose, self.state.q)
        chosen = self._chosen(character, joints)
        self._stop_tracks(chosen)
        self.directed[chosen] = False
        self.springs.set(chosen, stiffness, damping, whole)
        self.note_event(f"{len(chosen)} coordinates passive")
        self.rebuild()

    def leave_to_motion(self, coordinates: NDArray[np.bool_]) -> None:
        """Leave coordinates to a motion that the simulation follows."""
        if np.any(self.directed & coordinates):
            self.directed &= ~coordinates
            self.note_event("a motion takes over")
            self.rebuild()

    def skeleton(self) -> tuple[Any, Any, FloatArray]:
        """Tables of bodies, coordinates and rest of springs, the passive joints' springs included."""
        return self.springs.skeleton()

    # --- keyframes ---

    def keyframes(self, joints: Sequence[str] | None = None, character: str | int | None = None) -> Keyframes:
        """An empty track of keyframes; see `keyframes.Keyframes`."""
        track = Keyframes(self, joints, character=character)
        self.all_tracks.append(track)
        self.rebuild()
        return track

    def track(self, number: int) -> Keyframes:
        """The keyframes of this number."""
        for track in self.all_tracks:
            if track.id == number:
                return track
        raise InputError(f"there are no keyframes {number}; there are: {[track.id for track in self.all_tracks]}")

    def forget_track(self, track: Keyframes) -> None:
        """Keyframes are needed no more."""
        self.all_tracks = [other for other in self.all_tracks if other is not track]
        self.rebuild()

    def start_track(self, track: Keyframes) -> None:
        """Let keyframes take over their joints."""
        for other in [other for other in self.tracks if other is not track and np.any(other.mask & track.mask)]:
            other.stop()
        self.directed[track.mask] = False
        self.springs.clear(track.mask)
        self.tracks = [*(other for other in self.tracks if other is not track), track]
        self.note_event("keyframes begin")
        self.rebuild()

    def stop_track(self, track: Keyframes) -> None:
        """Direct the joints of keyframes again."""
        self.tracks = [other for other in self.tracks if other is not track]
        self.directed[track.mask] = True
        self.note_event("keyframes end")
        self.rebuild()

    def _stop_tracks(self, coordinates: NDArray[np.int64]) -> None:
        for track in [track for track in self.tracks if np.any(track.mask[coordinates])]:
            track.stop()

    @property
    def followed(self) -> NDArray[np.bool_]:
        """Coordinates that keyframes prescribe now."""
        found = np.zeros(self.model.nv, dtype=np.bool_)
        for track in self.tracks:
            found |= track.mask
        return found

    def targets(self, times: FloatArray) -> FloatArray:
        """Where keyframes lead at times of the simulation, shape (k, nq)."""
        q = np.tile(self.state.q, (len(times), 1))
        for track in self.tracks:
            rows = track.targets(times)
            for name in track.joints:
                place = self.model.joint(name).q_slice
                q[:, place] = rows[:, place]
        return q

    def restart_keyframes(self) -> None:
        """Begin again keyframes that would begin only later: the simulation has gone back to before."""
        for track in self.tracks:
            if track.started > self.time:
                track.play(begin=track.begin, rate=track.rate, blend=track.blend)
