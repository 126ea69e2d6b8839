"""What a person or a file says about a skeleton, before it is checked and frozen."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stringless.model.joints import find_joint
from stringless.model.pose import Pose, Vector, numbers
from stringless.model.shapes import Shape

GROUND = ""
"""The parent name of a body that hangs from the world itself."""


def is_loose(kind: str) -> bool:
    """Whether joints of this kind hold on to nothing, so that there is nothing to push against."""
    found = find_joint(kind)
    return found is not None and found.loose


@dataclass(frozen=True, kw_only=True)
class JointSpec:
    """The joint that carries a body: its kind, its axes and its passive parts.

    Per-coordinate values follow the joint's velocity coordinates; a single number stands for all of them.
    """

    kind: str = "fixed"
    """Name of a registered joint type, see `stringless.model.joints`."""
    name: str = ""
    """Name from the file; empty means the name of the body it carries."""
    axes: tuple[Vector, ...] = ()
    """Joint axes in the joint frame, for the kinds that have any; they need not be unit."""
    lower: Vector = ()
    """Lower limits of the kind's limit coordinates [rad or m]; empty means none."""
    upper: Vector = ()
    """Upper limits of the kind's limit coordinates [rad or m]; empty means none."""
    stiffness: Vector = ()
    """Spring toward `rest` [N·m/rad or N/m]; empty means 0."""
    damping: Vector = ()
    """Viscous damping [N·m·s/rad or N·s/m]; empty means 0."""
    armature: Vector = ()
    """Inertia added on the joint's own axis, as of a geared rotor [kg·m² or kg]; empty means 0."""
    rest: Vector = ()
    """Configuration in which the spring is slack; empty means the neutral one."""
    effort: Vector = ()
    """Largest actuator force or torque [N·m or N]; empty means unlimited."""
    speed: Vector = ()
    """Largest speed the source file promises [rad/s or m/s]; empty means unlimited."""
    actuated: bool | None = None
    """Whether the character can drive this joint by itself; if not said, all but loose ones. Efforts given from outside act on
    it all the same."""

    def __post_init__(self) -> None:
        """Keep plain tuples of numbers: a single number, a list or an array may be given."""
        object.__setattr__(self, "axes", _axes(self.axes))
        if self.actuated is None:
            object.__setattr__(self, "actuated", not is_loose(self.kind))
        for name in ("lower", "upper", "stiffness", "damping", "armature", "rest", "effort", "speed"):
            object.__setattr__(self, name, numbers(getattr(self, name), f"{name} of a {self.kind} joint"))


def _axes(axes: Any) -> tuple[Vector, ...]:
    """Several axes, or one given without the outer brackets."""
    if len(axes) and np.ndim(axes[0]) == 0:
        axes = (axes,)
    return tuple(numbers(axis, "axis of a joint") for axis in axes)


@dataclass(frozen=True, kw_only=True)
class BodySpec:
    """A rigid body and the joint that hangs it from its parent.

    The body frame is the moving frame of its joint: both coincide at the neutral configuration.
    """

    name: str
    parent: str = GROUND
    """Name of the parent body; empty for the ground."""
    joint: JointSpec = field(default_factory=JointSpec)
    place: Pose = field(default_factory=Pose)
    """Where the joint sits in the parent's body frame (in the world, for a root)."""
    mass: float = 0.0
    """[kg]."""
    center_of_mass: Vector = (0.0, 0.0, 0.0)
    """In the body frame [m]."""
    inertia: Vector = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """About the centre of mass, along body axes: xx, yy, zz, xy, xz, yz [kg·m²]."""
    trust_inertia: bool = False
    """Take the moments of inertia as they are, even if no real body can have them: many robot files hold such."""
    shapes: tuple[Shape, ...] = ()
    frame: Pose = field(default_factory=Pose)
    """The source file's own frame of this body in ours, where the file's differs (MJCF joint anchors)."""

    def __post_init__(self) -> None:
        """Keep plain numbers and tuples: lists and arrays may be given, and a bare position as the place."""
        where = f"of body '{self.name}'"
        if not isinstance(self.place, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            object.__setattr__(self, "place", Pose(numbers(self.place, f"place {where}")))
        for name in ("center_of_mass", "inertia"):
            object.__setattr__(self, name, numbers(getattr(self, name), f"{name} {where}"))
        mass = numbers(self.mass, f"mass {where}")
        object.__setattr__(self, "mass", mass[0] if len(mass) == 1 else float("nan"))
        object.__setattr__(self, "parent", self.parent or GROUND)
        object.__setattr__(self, "shapes", tuple(self.shapes))
