"""The characters that can be directed, and where they are now."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stringless.control.characters import Character, characters
from stringless.control.director.poses import PoseLike, whole_pose
from stringless.errors import InputError, renamed
from stringless.flesh.quantities import carry_nodes
from stringless.kinematics import BodyPoses, body_poses, body_velocities
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.state import State

FloatArray = NDArray[np.float64]


class Observer:
    """Looks at the characters of a model in a state, which is followed from then on; it changes nothing."""

    def __init__(self, model: Model, state: State) -> None:
        """Find the characters."""
        self.model, self.state = model, state
        self.characters: tuple[Character, ...] = characters(model)
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
        return whole_pose(self.model, pose, base)

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
        return self.character_of(self.model.body(name).index)

    def character_of(self, body: int) -> int:
        """Index of the character that a body belongs to."""
        root = int(self.model.tree[body]["root"])
        for each in self.characters:
            if each.root == root:
                return each.index
        raise InputError(
            f"body '{self.model.bodies[body].name}' belongs to nothing that has actuators; "
            f"choose one of: {', '.join(each.name for each in self.characters)}"
        )

    def root(self, character: int) -> int:
        """Root body of a character."""
        return self.characters[character].root

    def size(self, character: int) -> float:
        """Rough length of a character [m]."""
        return self.characters[character].size
