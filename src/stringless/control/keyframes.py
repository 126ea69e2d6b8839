"""Keyframes: poses at times, joined smoothly and played exactly.

While a track plays, its joints are prescribed: they stand on the track at the end of every step, whatever that takes.
Playing begins with a blend from the present pose and velocity, so that no joint jumps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.checks import joint_names, number
from stringless.control.motion import Motion
from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director.modes import Modes

PLAYING = ("started", "begin", "rate", "blend")
"""Numbers that say how a track plays."""


class Keyframes:
    """A track of poses for some joints of a character."""

    def __init__(
        self, director: Modes, joints: Sequence[str] | None = None, *, character: str | int | None = None
    ) -> None:
        """Make an empty track for the named joints; for all actuators of the character if none are named."""
        self.director, self.model = director, director.model
        self.id = director.new_id()
        """Its number; those of goals are others."""
        whole = director.characters[director.find_character(character)]
        if joints is None:
            driven = set(self.model.dofs["body"][whole.actuators].tolist())
            joints = [self.model.bodies[i].joint.name for i in whole.members if i in driven]
        joint_names(joints)
        self.joints = tuple(self.model.joint(name).name for name in joints)
        self.mask = np.zeros(self.model.nv, dtype=np.bool_)
        for name in self.joints:
            self.mask[self.model.joint(name).v_slice] = True
        if np.any(self.mask[np.setdiff1d(np.arange(self.model.nv), whole.actuators)]):
            raise InputError(
                f"a track can only hold joints that '{whole.name}' can drive; found {', '.join(self.joints)}"
            )
        self.times: list[float] = []
        self.poses: list[FloatArray] = []
        self._motion: Motion | None = None
        self.playing = False
        self.started, self.begin, self.rate, self.blend = 0.0, 0.0, 1.0, 0.0
        self._gap, self._gap_rate = np.zeros(self.model.nv), np.zeros(self.model.nv)

    # --- as data ---

    def as_data(self) -> dict[str, Any]:
        """Everything that was set, as plain data."""
        settings = {name: getattr(self, name) for name in ("id", "playing", *PLAYING)}
        keys = {"times": list(self.times), "poses": [pose.tolist() for pose in self.poses]}
        gaps = {"gap": self._gap.tolist(), "gap_rate": self._gap_rate.tolist()}
        return {"joints": list(self.joints), **settings, **keys, **gaps}

    @classmethod
    def from_data(cls, director: Modes, data: Mapping[str, Any]) -> Keyframes:
        """What `as_data` returned; the director does not know it yet."""
        model, used = director.model, director.next_id
        body = model.joint(data["joints"][0]).body
        track = cls(director, data["joints"], character=body)
        director.next_id = used
        track.id = int(data["id"])
        track.times = [float(time) for time in data["times"]]
        track.poses = [model.vector(pose, model.nq, "pose of a key").copy() for pose in data["poses"]]
        if len(track.times) != len(track.poses) or sorted(set(track.times)) != track.times:
            raise InputError(f"keyframes {track.id} need one pose for each of their times, which must rise")
        track.playing = bool(data["playing"])
        for name in PLAYING:
            setattr(track, name, float(data[name]))
        track._gap = model.vector(data["gap"], model.nv, "gap").copy()
        track._gap_rate = model.vector(data["gap_rate"], model.nv, "gap_rate").copy()
        return track

    def take_over(self, other: Keyframes) -> None:
        """Become another track."""
        self.__dict__.update(other.__dict__)

    def discard(self) -> None:
        """Stop, and be forgotten by the director."""
        self.stop()
        self.director.forget_track(self)

    # --- editing ---

    def insert(self, time: float, pose: ArrayLike | Mapping[str, ArrayLike] | None = None) -> int:
        """Set a key at `time`: a configuration, values by joint name on top of the track there, or the present pose.

        A key that is already there is replaced. Returns its index.
        """
        time = number(time, "time of a key [s]")
        base = self.at(time)[0] if self.times and isinstance(pose, Mapping) else self.director.state.q
        whole = self.director.whole_pose(self.director.state.q if pose is None else pose, base)
        for k, other in enumerate(self.times):
            if abs(other - time) < 1e-9:
                self.poses[k] = whole
                self._changed()
                return k
        k = int(np.searchsorted(self.times, time))
        self.times.insert(k, float(time))
        self.poses.insert(k, whole)
        self._changed()
        return k

    def move(self, index: int, time: float) -> int:
        """Move a key to another time; returns its new index."""
        pose, time = self.poses[self._checked(index)], number(time, "time of a key [s]")
        if any(abs(other - time) < 1e-9 for k, other in enumerate(self.times) if k != index):
            raise InputError(f"there is already a key at {time:g} s; delete it first")
        self.delete(index)
        return self.insert(time, pose)

    def copy(self, index: int, time: float) -> int:
        """Set the pose of a key at another time as well; returns the index of the copy."""
        return self.insert(time, self.poses[self._checked(index)])

    def delete(self, index: int) -> None:
        """Remove a key."""
        self._checked(index)
        del self.times[index], self.poses[index]
        self._changed()

    def retime(self, factor: float) -> None:
        """Stretch the track in time about its first key: 2 is half as fast."""
        factor = number(factor, "factor of retiming", above=0.0)
        if self.times:
            self.times = [self.times[0] + factor * (time - self.times[0]) for time in self.times]
        self._changed()

    def _checked(self, index: int) -> int:
        if not isinstance(index, (int, np.integer)) or not 0 <= index < len(self.times):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"there is no key {index}; the track has {len(self.times)}")
        return index

    def _changed(self) -> None:
        self._motion = None
        self.director.rebuild()

    # --- looking ---

    @property
    def duration(self) -> float:
        """From the first key to the last [s]."""
        return self.times[-1] - self.times[0] if self.times else 0.0

    @property
    def motion(self) -> Motion:
        """The track between its keys."""
        if not self.times:
            raise InputError("the track has no keys; insert one first")
        if self._motion is None:
            times, poses = self.times, self.poses
            if len(times) == 1:
                times, poses = [times[0], times[0] + 1.0], [poses[0], poses[0]]
            self._motion = Motion(self.model, times, np.array(poses))
        return self._motion

    def at(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Configuration and velocity of the track at a time of its own; only those of its joints mean something."""
        return self.motion.at(time)

    # --- playing ---

    def play(self, *, begin: float | None = None, rate: float = 1.0, blend: float = 0.2) -> None:
        """Play from now on.

        Args:
            begin: time in the track to begin at; its first key if not given [s].
            rate: speed of playing.
            blend: time in which the present pose and velocity are left behind [s].
        """
        rate, blend = number(rate, "rate of playing", above=0.0), number(blend, "blend", "s", least=0.0)
        state = self.director.state
        self.begin = float(self.motion.times[0]) if begin is None else number(begin, "time to begin at [s]")
        self.started, self.rate, self.blend = state.time, rate, blend
        q, v = self.at(self.begin)
        self._gap = self.model.difference(q, state.q)
        self._gap_rate = state.v - rate * v
        self.playing = True
        self.director.start_track(self)

    def stop(self) -> None:
        """Stop playing; the joints are directed again, from where they are."""
        if self.playing:
            self.playing = False
            self.director.stop_track(self)

    @property
    def finished(self) -> bool:
        """Whether the last key has been reached; the track then holds it."""
        return self.director.time >= self.started + self.duration / self.rate

    def targets(self, times: FloatArray) -> FloatArray:
        """Configurations at times of the simulation, the blend included, shape (k, nq)."""
        q, _ = self.motion.sampled(self.begin + self.rate * (times - self.started))
        for k, time in enumerate(times):
            s = (time - self.started) / self.blend if self.blend > 0 else 1.0
            if s < 1.0:
                # Quintics that start with value or rate 1, and end with neither value, rate nor acceleration.
                value = 1.0 + s**3 * (-10.0 + s * (15.0 - 6.0 * s))
                slope = self.blend * (s + s**3 * (-6.0 + s * (8.0 - 3.0 * s)))
                offset = np.where(self.mask, value * self._gap + slope * self._gap_rate, 0.0)
                q[k] = self.model.integrate(q[k], offset)
        return q
