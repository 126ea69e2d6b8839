"""The constraints of an editor: drags, which a hand holds, and nails, which stay."""

import dataclasses
from typing import Any

from numpy.typing import ArrayLike

from stringless.control.checks import number, whole
from stringless.editing.bodies import Bodies
from stringless.editing.configurations import find_root
from stringless.editing.constraints import (
    Center,
    CenterVelocity,
    Constraint,
    JointAt,
    PointAt,
    PointVelocity,
    PoseAt,
    RotationAt,
    Spin,
    list_kinds,
)
from stringless.editing.plan import LARGEST, three
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray

ZERO = (0.0, 0.0, 0.0)


class ConstraintSet:
    """The constraints that an editor keeps.

    `more` of drags and nails is a strength, or an id that no other has. A nail without a target keeps what is there.
    """

    model: Model

    def __init__(self) -> None:
        """Nothing is wanted."""
        self.drags: list[Constraint] = []
        self.nails: list[Constraint] = []
        self.strengths: dict[str, float] = dict.fromkeys(list_kinds(), 1.0)
        """How much each kind counts, times the strength of each constraint."""
        self._last_id = 0

    def find_bodies(self, time: float) -> Bodies:
        """All bodies at a time."""
        raise NotImplementedError

    def point(self, body: str | int, time: float, point: ArrayLike = ZERO) -> FloatArray:
        """Where a point of a body is at a time."""
        return self.find_bodies(time).point(self.model.body(body).index, three(point, "'point'"))[0]

    # --- the mouse ---

    def drag(
        self, body: str | int, *, time: float, target: ArrayLike, point: ArrayLike = ZERO, **more: Any
    ) -> Constraint:
        """Hold a point of a body with the mouse: it is to be at `target` at this time."""
        return self._add(self.drags, PointAt, body, time, target, point=three(point, "'point'"), **more)

    def turn(self, body: str | int, *, time: float, target: ArrayLike, joint: bool = False, **more: Any) -> Constraint:
        """Hold a body with the mouse so that it is turned like the matrix `target`; as a `joint`, seen from its parent."""
        return self._add(self.drags, RotationAt, body, time, target, base=self._base(body, joint), **more)

    def drag_center(self, *, time: float, target: ArrayLike, **more: Any) -> Constraint:
        """Hold the centre of mass with the mouse."""
        return self._add(self.drags, Center, find_root(self.model), time, target, **more)

    # --- nails ---

    def nail(
        self, body: str | int, *, time: float, target: ArrayLike | None = None, point: ArrayLike = ZERO, **more: Any
    ) -> Constraint:
        """Nail a point of a body down at this time, at `target` or where it is; a joint's place is the body's origin."""
        return self._add(self.nails, PointAt, body, time, target, point=three(point, "'point'"), **more)

    def nail_velocity(
        self, body: str | int, *, time: float, target: ArrayLike | None = None, point: ArrayLike = ZERO, **more: Any
    ) -> Constraint:
        """Give a point of a body this velocity at this time, or keep the one it has [m/s]."""
        return self._add(self.nails, PointVelocity, body, time, target, point=three(point, "'point'"), **more)

    def nail_rotation(
        self, body: str | int, *, time: float, target: ArrayLike | None = None, joint: bool = False, **more: Any
    ) -> Constraint:
        """Turn a body like the matrix `target` at this time, or keep it as it is; as a `joint`, seen from its parent."""
        return self._add(self.nails, RotationAt, body, time, target, base=self._base(body, joint), **more)

    def nail_spin(self, body: str | int, *, time: float, target: ArrayLike | None = None, **more: Any) -> Constraint:
        """Give a body this angular velocity at this time, or keep the one it has [rad/s]."""
        return self._add(self.nails, Spin, body, time, target, **more)

    def nail_center(self, *, time: float, target: ArrayLike | None = None, **more: Any) -> Constraint:
        """Nail the centre of mass of all bodies down at this time, at `target` or where it is."""
        return self._add(self.nails, Center, find_root(self.model), time, target, **more)

    def nail_center_velocity(self, *, time: float, target: ArrayLike | None = None, **more: Any) -> Constraint:
        """Give the centre of mass this velocity at this time, or keep the one it has [m/s]."""
        return self._add(self.nails, CenterVelocity, find_root(self.model), time, target, **more)

    def nail_joint(self, joint: str | int, *, time: float, target: ArrayLike | None = None, **more: Any) -> Constraint:
        """Give a joint these coordinates at this time, or keep those it has [rad, m; a ball's quaternion]."""
        found = self.model.joint(joint) if isinstance(joint, str) else self.model.body(joint).joint
        self.find_bodies(time).joint(found.index)  # says so where the joint has no coordinates
        if found.kind.name == "free":
            raise InputError(f"joint '{found.name}' is free; nail the place and the rotation of the body it carries")
        return self._add(self.nails, JointAt, found.index, time, target, **more)

    def nail_pose(
        self, *, time: float, seen_at: float | None = None, pose: Bodies | None = None, **more: Any
    ) -> Constraint:
        """Nail the whole pose down at this time: the one it has, the one at the time `seen_at`, or another."""
        seen: Any = self.find_bodies(time if seen_at is None else seen_at) if pose is None else pose
        if not isinstance(seen, Bodies) or len(seen.R) != self.model.body_count:
            raise InputError(
                f"the pose is {pose!r}; expected the {self.model.body_count} bodies of model '{self.model.name}', as `see` "
                "gives them"
            )
        return self._add(self.nails, PoseAt, find_root(self.model), time, None, seen, **more)

    # --- all of them ---

    def constraint(self, number: int) -> Constraint:
        """The nail or drag of this id."""
        for known in (*self.nails, *self.drags):
            if known.id == number:
                return known
        raise InputError(f"constraint {number!r} is not one of the editor's; it may have been removed before")

    def remove(self, constraint: Constraint | int) -> None:
        """Take a nail out, or let go of a drag; itself or its id."""
        gone = self.constraint(constraint) if isinstance(constraint, int) else constraint
        for kind in (self.drags, self.nails):
            if gone in kind:
                kind.remove(gone)
                return
        raise InputError("this constraint is not one of the editor's; it may have been removed before")

    def strength(self, constraint: Constraint) -> float:
        """How much a constraint counts: its own strength times that of its kind."""
        of_kind = number(self.strengths.get(constraint.kind, 1.0), f"the strength of kind '{constraint.kind}'")
        own = number(constraint.strength, f"the strength of a {constraint.kind}")
        if not 0.0 <= min(own, of_kind) <= max(own, of_kind) <= LARGEST:
            raise InputError(
                f"a {constraint.kind} counts {constraint.strength!r} times {of_kind!r}; expected strengths of 0 or more, at most "
                f"{LARGEST:g}"
            )
        return constraint.strength * of_kind

    def check(self) -> None:
        """Refuse what cannot be wanted: nails and strengths may have been changed by hand."""
        for kind in self.strengths:
            if kind not in (known := list_kinds()):
                raise InputError(
                    f"a strength is that of kind '{kind}', which is unknown; choose one of: {', '.join(known)}"
                )
        for constraint in (*self.nails, *self.drags):
            try:
                self.model.body(constraint.body)
                self._check_time(constraint.time)
                self.strength(constraint)
                constraint.target = constraint.check_target(self.model, constraint.target)
                if isinstance(constraint, (PointAt, PointVelocity)):
                    constraint.point = three(constraint.point, "'point'")
            except InputError as error:
                raise InputError(
                    f"{constraint.kind} {constraint.id}, which is wanted at {constraint.time!r} s: {error}"
                ) from error

    # --- inside ---

    def _check_time(self, time: float) -> float:
        raise NotImplementedError

    def _base(self, body: str | int, joint: bool) -> int:
        return int(self.model.tree["parent"][self.model.body(body).index]) if joint else -1

    def _add(
        self,
        into: list[Constraint],
        kind: type[Constraint],
        body: str | int,
        time: float,
        target: Any,
        seen: Bodies | None = None,
        **more: Any,
    ) -> Constraint:
        """A new constraint; its target, if none is given, is what is there in `seen`, or at its time."""
        used = {c.id for c in (*self.nails, *self.drags)}
        more.setdefault("id", 1 + max(0, *used, self._last_id))
        known = {field.name for field in dataclasses.fields(kind)}
        for name in more:
            if name not in known:
                raise InputError(f"a {kind.kind} has no '{name}'; it has a strength and an id")
        if whole(more["id"], f"the id of a {kind.kind}") in used:
            raise InputError(
                f"the id of a {kind.kind} is {more['id']}, which another has; leave it out, or remove the other"
            )
        made = kind(self.model.body(body).index, self._check_time(time), target, **more)
        if not 0.0 <= number(made.strength, f"the strength of a {made.kind}") <= LARGEST:
            raise InputError(
                f"a {made.kind} has strength {made.strength!r}; expected a finite number, 0 or more, at most {LARGEST:g}"
            )
        if target is None and into is self.nails:
            made.target = made.find_present(self.find_bodies(made.time) if seen is None else seen)[0].copy()
        else:
            made.target = made.check_target(self.model, target)
        self._last_id = max(self._last_id, made.id)
        into.append(made)
        return made
