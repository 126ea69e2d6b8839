"""A pose: joints move to given coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.checks import joint_names
from stringless.control.goals.base import Goal
from stringless.control.goals.registry import register_goal
from stringless.control.tables import POSE
from stringless.errors import InputError
from stringless.spatial.arrays import FloatArray

if TYPE_CHECKING:
    from stringless.control.director import Director


@register_goal
class Pose(Goal):
    """Joints of a character move to a pose and stay there."""

    kind = "pose"
    label = "Pose"
    icon = "pose"
    unit = "rad"
    level = 2
    rate = 10.0

    def __init__(
        self,
        director: Director,
        pose: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        joints: Sequence[str] | None = None,
        character: str | int | None = None,
        **options: Any,
    ) -> None:
        """Begin to take a pose.

        Args:
            director: of the simulation.
            pose: a whole configuration, or values by joint name; the present one if not given.
            joints: those that count; all that are given, if not named.
            character: name of any of its bodies; needed where there are several characters.
            options: priority, weight, stiffness, damping and fade of every goal.
        """
        super().__init__(director, **options)
        if joints is not None:
            joint_names(joints)
        named = list(joints) if joints is not None else list(pose) if isinstance(pose, Mapping) else []
        if character is None and named:
            character = director.model.joint(named[0]).body
        self.index = director.find_character(character)
        for name in named:
            if director.find_character_of(director.model.joint(name).index) != self.index:
                whole = director.characters[self.index].name
                raise InputError(f"joint '{name}' is not one of '{whole}'; make a pose for each character")
        self.joints = tuple(joints) if joints is not None else tuple(pose) if isinstance(pose, Mapping) else None
        self.counts = self._counted()
        self.values = director.model.neutral()
        self.set(director.state.q if pose is None else pose)

    def _counted(self) -> FloatArray:
        """1 for every coordinate of a joint that counts."""
        model = self.director.model
        counts = np.zeros(model.nv)
        for joint in model.joints if self.joints is None else map(model.joint, self.joints):
            counts[joint.v_slice] = 1.0
        return counts

    def set(self, pose: ArrayLike | Mapping[str, ArrayLike]) -> None:
        """Change the pose."""
        self.values = self.director.whole_pose(pose, self.values)
        self.update_rows()

    @property
    def error(self) -> float:
        """Largest distance of a joint that counts from its place in the pose [rad or m]."""
        gap = self.director.model.difference(self.director.state.q, self.values)
        return float(np.max(np.abs(gap) * self.counts, initial=0.0))

    def tasks(self) -> list[dict[str, Any]]:
        """One row for all its joints."""
        return [{"kind": POSE, "goes_to": (self.values, self.counts), "top": 20.0, **self.gains}]

    def as_data(self) -> dict[str, Any]:
        """Everything that was set, as plain data."""
        joints = None if self.joints is None else list(self.joints)
        return super().as_data() | {"pose": self.values.tolist(), "joints": joints}

    def take_data(self, data: Mapping[str, Any], paths: Mapping[str, Any]) -> None:
        """Take what is a goal's own from its data."""
        super().take_data(data, paths)
        self.joints = None if data["joints"] is None else tuple(data["joints"])
        self.counts = self._counted()
        self.values = self.director.whole_pose(data["pose"], self.director.state.q)
