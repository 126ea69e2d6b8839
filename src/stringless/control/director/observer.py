"""The characters that can be directed, and where they are now."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from stringless.control.characters import Character, find_characters
from stringless.control.checks import array
from stringless.errors import InputError, renamed
from stringless.flesh.quantities import carry_nodes
from stringless.kinematics import BodyPoses, body_poses, body_velocities
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.spatial.arrays import FloatArray
from stringless.state import State

PoseLike = ArrayLike | Mapping[str, ArrayLike]
"""A pose as people give it: a whole configuration, or values of some joints by name."""


class Observer:
    """Reads where the characters of a model are in a state, which is followed from then on; it changes nothing."""

    def __init__(self, model: Model, state: State) -> None:
        """Find the characters."""
        self.model, self.state = model, state
        self.characters: tuple[Character, ...] = find_characters(model)
        if not self.characters:
            raise InputError(f"model '{model.name}' has no actuators, so it cannot be directed")

    cast = renamed("cast", "characters")

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.state.time

    def poses(self) -> BodyPoses:
        """World poses of all bodies now."""
        return body_poses(self.model, self.state.q)

    def orientation(self, body: int) -> FloatArray:
        """Quaternion of a body now."""
        return np.array(quaternion_from_matrix(self.poses().rotation[body]))

    def center_of_gravity(self, character: int = 0) -> tuple[FloatArray, FloatArray]:
        """Position and velocity of a character's centre of gravity, flesh included [m, m/s]."""
        whole, model = self.characters[character], self.model
        moving = body_velocities(model, self.state.q, self.state.v)
        poses = self.poses()
        masses = model.tree["mass"][whole.members]
        arms = np.einsum("bij,bj->bi", poses.rotation[whole.members], model.tree["h"][whole.members])
        first = (masses[:, None] * poses.position[whole.members] + arms).sum(axis=0)
        angular, linear = moving[whole.members, :3], moving[whole.members, 3:]
        momentum = (masses[:, None] * linear + np.cross(angular, arms)).sum(axis=0)
        if model.flesh is not None:
            carry_nodes(model, self.state.q, self.state.v, self.state.x, self.state.xdot)
            nodes = model.flesh.nodes
            ours = (nodes["fixed"] == 0) & np.isin(nodes["bone"], whole.members)
            first = first + nodes["mass"][ours] @ self.state.x[ours]
            momentum = momentum + nodes["mass"][ours] @ self.state.xdot[ours]
        return first / whole.mass, momentum / whole.mass

    def whole_pose(self, pose: PoseLike, base: FloatArray) -> FloatArray:
        """A whole configuration: as given, or `base` with the values given by joint name."""
        if not isinstance(pose, Mapping):
            whole = self.model.vector(pose, self.model.nq, "pose").copy()
            if not np.isfinite(whole).all():
                raise InputError("the pose holds a number that is not finite")
            return whole
        whole = base.copy()
        for name, value in pose.items():
            joint, values = self.model.joint(name), np.atleast_1d(array(value))
            if values.shape != (joint.nq,) or not np.isfinite(values).all():
                raise InputError(f"pose of joint '{name}' is {value!r}; expected {joint.nq} finite numbers")
            whole[joint.q_slice] = values
        return whole

    def find_character(self, name: str | int | None) -> int:
        """Index of a character: of the only one if none is given, else by its number or the name of any of its bodies."""
        if isinstance(name, (int, np.integer)):
            if not 0 <= name < len(self.characters):
                raise InputError(
                    f"there is no character {name}; they are numbered from 0 to {len(self.characters) - 1}"
                )
            return int(name)
        if name is None:
            if len(self.characters) > 1:
                names = ", ".join(f"'{each.name}'" for each in self.characters)
                raise InputError(f"there are {len(self.characters)} characters; say which one is meant: {names}")
            return 0
        return self.find_character_of(self.model.body(name).index)

    def find_character_of(self, body: int) -> int:
        """Index of the character that a body belongs to."""
        root = int(self.model.tree[body]["root"])
        for each in self.characters:
            if each.root == root:
                return each.index
        raise InputError(
            f"body '{self.model.bodies[body].name}' belongs to nothing that has actuators; "
            f"choose one of: {', '.join(each.name for each in self.characters)}"
        )
