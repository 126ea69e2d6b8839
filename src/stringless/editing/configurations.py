"""Configurations of one character: as it was built, free, or gripped at a point of any body, each as a tree of its own.

Gripping another body makes that body the root (docs/theory/editing.md, section 4.1). Joints on the way from the old root to
the new one are reversed, `T_J'(q') = T_J(q)⁻¹`, and the bodies before them get frames that sit at those joints.
"""

import dataclasses
import functools
import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from stringless.errors import InputError
from stringless.model import BodySpec, JointSpec, Model, ModelBuilder, Pose
from stringless.model.joints import JOINT_TYPES
from stringless.model.solids import Solid
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

HERE = Pose()
"""A frame that is the body's own."""


@dataclass(frozen=True, eq=False)
class Configuration:
    """A tree for one part of a motion, and where the bodies of the character are in it."""

    name: str
    character: Model
    """The character as it was built."""
    model: Model
    """The tree that is simulated."""
    bodies: IntArray
    """By body of the character, its number in the tree."""
    frames: tuple[Pose, ...]
    """By body of the character, its own frame in that of the tree's body."""
    reversed: BoolArray
    """By body of the character, whether its joint is reversed."""
    root: int
    """The body of the character that is the root of the tree."""
    placed: bool
    """Whether the root sits where it was gripped; else its joint is part of the state or as it was built."""

    @functools.cached_property
    def origins(self) -> FloatArray:
        """By body of the character, where the frame of the tree's body is in its own, (n, 3)."""
        return np.array([frame.inverse().position for frame in self.frames], float)

    @functools.cached_property
    def centers(self) -> FloatArray:
        """Centre of mass of each body of the character in its own frame, (n, 3)."""
        return np.array([spec.center_of_mass for spec in self.character.specs], float)


def make_original(model: Model) -> Configuration:
    """The character on its own root joint."""
    count = model.body_count
    if np.count_nonzero(model.tree["parent"] < 0) != 1 or len(model.loop_specs) or model.flesh is not None:
        raise InputError(
            f"model '{model.name}' cannot be edited: found {np.count_nonzero(model.tree['parent'] < 0)} trees, "
            f"{len(model.loop_specs)} loops and {'some' if model.flesh else 'no'} flesh; expected one tree of rigid bodies. "
            "Edit the motion of one passive character without flesh and loops."
        )
    frames, nothing = (HERE,) * count, np.zeros(count, bool)
    return Configuration("as built", model, model, np.arange(count), frames, nothing, find_root(model), False)


def find_root(model: Model) -> int:
    """The body of a tree that carries all others."""
    return int(np.flatnonzero(model.tree["parent"] < 0)[0])


def make_free(model: Model) -> Configuration:
    """The character in free flight: its root on a free joint."""
    base = make_original(model)
    if model.joints[base.root].kind.name == "free":
        return dataclasses.replace(base, name="free")
    specs = list(model.specs)
    joint = JointSpec(kind="free", name=specs[base.root].joint.name)
    specs[base.root] = dataclasses.replace(specs[base.root], joint=joint, place=Pose())
    return dataclasses.replace(base, name="free", model=_built(model, specs))


def make_gripped(
    model: Model, body: str | int, point: ArrayLike, kind: str = "ball", axis: ArrayLike | None = None
) -> Configuration:
    """The character held at a point of a body, given in the body's frame, by a ball or a hinge about an axis of the body."""
    make_original(model)  # refuses what cannot be edited
    b = model.body(body).index
    grip = _grip_joint(model, b, kind, axis)
    path = [b]
    while model.tree["parent"][path[-1]] >= 0:
        path.append(int(model.tree["parent"][path[-1]]))
    frames, specs = [HERE] * model.body_count, {}
    flipped = np.zeros(model.body_count, bool)
    frames[b] = Pose(tuple(-float(x) for x in np.asarray(point, float)))
    specs[b] = _moved(model.specs[b], "", grip, Pose(), frames[b])
    for child, parent in itertools.pairwise(path):
        # The frame of the body that was the parent sits at the joint now: T_parent X = T_child T_J⁻¹.
        frames[parent] = model.specs[child].place.inverse()
        joint = reverse_joint(model.specs[child].joint, model.specs[child].name)
        specs[parent] = _moved(model.specs[parent], model.specs[child].name, joint, frames[child], frames[parent])
        flipped[child] = True
    for i in range(model.body_count):
        if i not in specs:
            spec = model.specs[i]
            place = frames[int(model.tree["parent"][i])] @ spec.place
            specs[i] = dataclasses.replace(spec, place=place)
    order = path + [i for i in range(model.body_count) if i not in path]
    tree = _built(model, [specs[i] for i in order])
    bodies = np.array([tree.body(spec.name).index for spec in model.specs])
    return Configuration(f"held at '{model.specs[b].name}'", model, tree, bodies, tuple(frames), flipped, b, True)


def reverse_joint(joint: JointSpec, body: str) -> JointSpec:
    """The joint seen from its other side."""
    name = joint.name or body
    turned = JOINT_TYPES[joint.kind].reversal
    if turned == "opposite order":
        ordered = ("axes", "lower", "upper", "rest", "stiffness", "damping", "armature", "effort", "speed")
        joint = dataclasses.replace(joint, **{name: getattr(joint, name)[::-1] for name in ordered})
    if joint.kind == "ball":
        for what in ("stiffness", "damping", "armature"):
            if len(set(getattr(joint, what))) > 1:
                raise InputError(
                    f"joint '{name}' cannot be turned round to grip a body beyond it: its {what} is {getattr(joint, what)}, "
                    "expected the same about every axis"
                )
        rest = (*_opposite(joint.rest[:3]), *joint.rest[3:])
        lower, upper = _turned_limits(joint) if joint.lower or joint.upper else ((), ())
        return dataclasses.replace(joint, name=name, rest=rest, lower=lower, upper=upper)
    if turned:
        lower, upper = _opposite(joint.upper), _opposite(joint.lower)
        return dataclasses.replace(joint, name=name, rest=_opposite(joint.rest), lower=lower, upper=upper)
    known = ", ".join([name for name, kind in JOINT_TYPES.items() if kind.reversal] + ["ball"])
    raise InputError(
        f"joint '{name}' is {joint.kind} and cannot be turned round to grip a body beyond it; "
        f"expected one of {known}. Grip a body on the root's side of it."
    )


def _opposite(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(-value for value in values)


def _turned_limits(joint: JointSpec) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Limits of a ball from its other side: swing and turn are the same, the twist is the opposite."""
    lower = [float(x) for x in np.broadcast_to(joint.lower or (-np.inf,), 3)]
    upper = [float(x) for x in np.broadcast_to(joint.upper or (np.inf,), 3)]
    lower[1], upper[1] = -upper[1], -lower[1]
    return tuple(lower), tuple(upper)


def _grip_joint(model: Model, body: int, kind: str, axis: ArrayLike | None) -> JointSpec:
    name = f"grip of {model.specs[body].name}"
    if kind == "ball":
        return JointSpec(kind="ball", name=name)
    if kind != "hinge":
        raise InputError(f"grip '{kind}' is unknown; choose one of: ball, hinge")
    a = np.asarray(() if axis is None else axis, float)
    if a.shape != (3,) or not np.linalg.norm(a) > 0:
        raise InputError(
            f"a hinge grip of body '{model.specs[body].name}' has axis {axis!r}; expected a direction in the body"
        )
    return JointSpec(kind="revolute", name=name, axes=(tuple(a / np.linalg.norm(a)),))


def _moved(spec: BodySpec, parent: str, joint: JointSpec, place: Pose, frame: Pose) -> BodySpec:
    """A body with another parent and joint, in a frame in which its own sits at `frame`."""
    solid = Solid(spec.mass, spec.center_of_mass, spec.inertia).placed(frame)
    more = {"center_of_mass": solid.center_of_mass, "inertia": solid.inertia, "shapes": (), "trust_inertia": True}
    return dataclasses.replace(spec, parent=parent, joint=joint, place=place, **more)


def _built(model: Model, specs: list[BodySpec]) -> Model:
    builder = ModelBuilder(model.name, gravity=tuple(float(g) for g in model.gravity))
    for spec in specs:
        builder.add(spec)
    return builder.build()
