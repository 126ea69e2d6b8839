"""From a description to a model: check everything, order the bodies, freeze the tables."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

import numpy as np

from stringless import jit
from stringless.errors import ModelError, Problem
from stringless.model import rows
from stringless.model.checks import body_problems, name_problems, shape_problems, suggest
from stringless.model.flesh import FleshSpec, freeze_flesh, merge_masses
from stringless.model.joints import JOINT_TYPES, JointType
from stringless.model.loops import LoopSpec, freeze_loops, loop_problems
from stringless.model.mirror import planes_of_motion
from stringless.model.model import Model
from stringless.model.neutral_configuration import neutral_inertias, neutral_places
from stringless.model.pose import Pose, Vector, numbers
from stringless.model.shapes import Shape
from stringless.model.spec import GROUND, BodySpec, JointSpec
from stringless.spatial.arrays import FloatArray

GRAVITY = (0.0, -9.81, 0.0)
DEFAULT_AXES = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
"""For joints whose axis only serves as a reference (a ball joint's bone)."""
GIVE_TURNING, GIVE_SLIDING = 0.01, 0.001
"""How far a stop may give way to its own actuator at full effort [rad, m]."""


class ModelBuilder:
    """Collect bodies, then `build()` them into a frozen model."""

    def __init__(self, name: str = "model", *, gravity: Vector = GRAVITY) -> None:
        """Start an empty description. `gravity` is in world axes [m/s²], Y up."""
        self.name = name
        self.gravity = numbers(gravity, "gravity")
        self.specs: list[BodySpec] = []
        self.world_shapes: list[Shape] = []
        self.flesh: list[FleshSpec] = []
        self.loops: list[LoopSpec] = []

    def add(self, spec: BodySpec) -> Self:
        """Add a body as described."""
        self.specs.append(spec)
        return self

    def add_body(self, name: str, parent: str = GROUND, joint: JointSpec | str = "fixed", **fields: Any) -> Self:
        """Add a body; `joint` may be the bare name of a type, and `fields` are those of `BodySpec`."""
        if isinstance(joint, str):
            joint = JointSpec(kind=joint)
        return self.add(BodySpec(name=name, parent=parent, joint=joint, **fields))

    def close(self, loop: LoopSpec) -> Self:
        """Keep two bodies, or a body and the ground, together at a point, a hinge or a weld."""
        self.loops.append(loop)
        return self

    def problems(self) -> list[Problem]:
        """Everything that stands between this description and a model; empty if it can be built."""
        found = self.plain_problems()
        if not found:
            specs = self._fleshed()
            found.extend(_inertia_problems(specs, *neutral_inertias(specs)))
        elif not self.flesh and not any(_tree_problems(self.specs)) and not any(_name_problems(self.specs)):
            found.extend(_massless_problems(ordered(self.specs)))
        return found

    def build(self) -> Model:
        """Freeze the description into a model, or raise `ModelError` with everything that is wrong."""
        found = self.plain_problems()
        if not found:
            specs = tuple(completed(spec) for spec in ordered(self.specs))
            fleshed = tuple(self._fleshed())
            inertias, masses = neutral_inertias(fleshed)
            found.extend(_inertia_problems(fleshed, inertias, masses))
            if not found:
                return self._freeze(specs, fleshed, inertias)
        raise ModelError(f"model '{self.name}'", self.problems())

    def plain_problems(self) -> list[Problem]:
        """What can be seen without adding up masses."""
        found = [problem for spec in self.specs for problem in body_problems(spec)]
        for number, shape in enumerate(self.world_shapes):
            found.extend(shape_problems(f"world shape '{shape.name or number}'", shape))
        if len(self.gravity) != 3 or not np.all(np.isfinite(self.gravity)):
            found.append(Problem("world", f"gravity {self.gravity}", "three finite numbers [m/s²]"))
        found.extend(_name_problems(self.specs))
        for name, count in Counter(part.name for part in self.flesh).items():
            if count > 1:
                found.append(Problem(f"flesh '{name}'", f"{count} of this name", "one", "Rename the others."))
        found.extend(_tree_problems(self.specs))
        found.extend(loop_problems(self.loops, [spec.name for spec in self.specs]))
        return found

    def _freeze(self, specs: tuple[BodySpec, ...], fleshed: tuple[BodySpec, ...], inertias: list[FloatArray]) -> Model:
        """The model of bodies that are in order, with the masses of their flesh and their inertias then."""
        held = neutral_inertias(self._fleshed(free_too=True))[0] if self.flesh else inertias
        kinds = [JOINT_TYPES[spec.joint.kind] for spec in specs]
        tree = _body_rows(fleshed, kinds)
        dofs, limits = _dof_rows(specs, kinds, tree, inertias), _limit_rows(specs, kinds, held)
        neutral = np.array([number for kind in kinds for number in kind.neutral])
        rest = np.array([number for spec in specs for number in spec.joint.rest])
        arrays = (tree, dofs, limits, neutral, rest, np.array(self.gravity, float))
        for array in arrays:
            array.flags.writeable = False
        index = {spec.name: i for i, spec in enumerate(specs)}
        places = neutral_places(specs)
        flesh = freeze_flesh(self.flesh, index, places, planes_of_motion(specs, places)) if self.flesh else None
        loops = freeze_loops(self.loops, index)
        return Model(self.name, specs, tuple(self.world_shapes), *arrays, flesh, loops, tuple(self.loops))

    def _fleshed(self, *, free_too: bool = False) -> list[BodySpec]:
        """The bodies, parents first and completed, with the masses of the flesh fixed to them, or of all of it."""
        specs = [completed(spec) for spec in ordered(self.specs)]
        return merge_masses(specs, self.flesh, neutral_places(specs), free_too=free_too) if self.flesh else specs


# --- checks that need the whole tree ----------------------------------------------------------------------------------


def _name_problems(specs: list[BodySpec]) -> Iterator[Problem]:
    yield from name_problems("body", (spec.name for spec in specs))
    yield from name_problems("joint", (spec.joint.name or spec.name for spec in specs))


def _tree_problems(specs: list[BodySpec]) -> Iterator[Problem]:
    parents = {spec.name: spec.parent for spec in specs if spec.name != GROUND}
    for spec in specs:
        if spec.parent != GROUND and spec.parent not in parents:
            found = f"parent '{spec.parent}', which does not exist"
            yield Problem(f"body '{spec.name}'", found, "an existing body", suggest(spec.parent, parents))
    yield from _cycle_problems(parents)


def _cycle_problems(parents: dict[str, str]) -> Iterator[Problem]:
    settled: set[str] = set()
    for start in parents:
        path: list[str] = []
        name = start
        while name in parents and name not in settled and name not in path:
            path.append(name)
            name = parents[name]
        if name in path:
            loop = path[path.index(name) :]
            chain = " -> ".join(f"'{body}'" for body in [*loop, name])
            remedy = "Hang one of these bodies elsewhere."
            yield Problem(f"body '{name}'", f"a cycle of parents {chain}", "a tree", remedy)
        settled.update(path)


def _massless_problems(specs: Sequence[BodySpec]) -> Iterator[Problem]:
    """Joints with nothing to move, as far as a description with other faults lets one see."""
    # A body whose mass is in doubt, or that has an inertia, is told of elsewhere.
    masses = {spec.name: 1.0 if spec.mass != 0 or any(spec.inertia) else 0.0 for spec in specs}
    for spec in reversed(specs):
        if spec.parent != GROUND:
            masses[spec.parent] += masses[spec.name]
    for spec in specs:
        kind = JOINT_TYPES.get(spec.joint.kind)
        if kind and kind.nv and masses[spec.name] == 0 and not any(value > 0 for value in spec.joint.armature):
            yield _nothing_to_move(spec, kind)


def _nothing_to_move(spec: BodySpec, kind: JointType) -> Problem:
    expected, remedy = f"some mass beyond its {kind.name} joint", "Give it a mass, or make the joint fixed."
    return Problem(f"body '{spec.name}'", "no mass on it or on anything it carries", expected, remedy)


def _inertia_problems(
    specs: Sequence[BodySpec], inertias: Sequence[FloatArray], subtree_masses: Sequence[float]
) -> Iterator[Problem]:
    for spec, inertia, mass in zip(specs, inertias, subtree_masses, strict=True):
        kind = JOINT_TYPES[spec.joint.kind]
        if kind.nv == 0:
            continue
        if mass == 0 and not all(_spread(spec.joint.armature, kind.nv) > 0):
            yield _nothing_to_move(spec, kind)
            continue
        for name, value in zip(kind.dof_names, inertia, strict=True):
            if value <= 0:
                where = f"joint '{spec.joint.name or spec.name}' of body '{spec.name}'"
                remedy = "Give the body a moment of inertia, or the joint an armature."
                yield Problem(where, f"no inertia against motion of '{name}'", "some inertia or armature", remedy)


# --- freezing ---------------------------------------------------------------------------------------------------------


def ordered(specs: Iterable[BodySpec]) -> list[BodySpec]:
    """Parents before children; a description that already obeys keeps its order, any other goes depth first."""
    specs = list(specs)
    seen = {GROUND}
    for spec in specs:
        if spec.parent not in seen:
            break
        seen.add(spec.name)
    else:
        return specs
    children: dict[str, list[BodySpec]] = {}
    for spec in specs:
        children.setdefault(spec.parent, []).append(spec)
    order: list[BodySpec] = []
    waiting = children.get(GROUND, [])[::-1]
    while waiting:
        spec = waiting.pop()
        order.append(spec)
        waiting.extend(children.get(spec.name, [])[::-1])
    return order


def completed(spec: BodySpec) -> BodySpec:
    """Fill in what the description left to its default: joint name, reference axes, rest configuration."""
    joint, kind = spec.joint, JOINT_TYPES[spec.joint.kind]
    axes = joint.axes or DEFAULT_AXES[: kind.axis_count]
    rest = joint.rest or kind.neutral
    joint = dataclasses.replace(joint, name=joint.name or spec.name, axes=axes, rest=rest)
    return dataclasses.replace(spec, joint=joint)


def _spread(values: Vector, count: int, default: float = 0.0) -> FloatArray:
    return np.full(count, default) if not values else np.broadcast_to(np.asarray(values, float), count).copy()


def _body_rows(specs: tuple[BodySpec, ...], kinds: list[JointType]) -> Any:
    index = {spec.name: i for i, spec in enumerate(specs)}
    tree = jit.rows(len(specs), rows.BODY_ROW)
    q0 = v0 = l0 = 0
    last_child: dict[int, int] = {}
    for i, (spec, kind) in enumerate(zip(specs, kinds, strict=True)):
        row = tree[i]
        parent = index.get(spec.parent, -1)
        row["parent"], row["kind"], row["sequential"] = parent, kind.code, kind.sequential
        row["root"] = i if parent < 0 else tree[parent]["root"]
        row["q0"], row["nq"], row["v0"], row["nv"] = q0, kind.nq, v0, kind.nv
        row["l0"], row["nl"] = l0, len(kind.limit_names) if spec.joint.lower or spec.joint.upper else 0
        row["R"], row["p"] = unit_pose(spec.place).matrix.ravel(), spec.place.position
        row["turned"] = not np.array_equal(row["R"], np.eye(3).ravel())
        row["sprung"] = any(spec.joint.stiffness)
        axes = [np.asarray(axis, float) / np.linalg.norm(axis) for axis in spec.joint.axes]
        row["axes"][: 3 * len(axes)] = np.concatenate(axes) if axes else ()
        row["mass"], row["h"] = spec.mass, spec.mass * np.asarray(spec.center_of_mass)
        row["I_o"] = about_origin(spec)
        row["leaf"] = row["first_in"] = 1
        if parent >= 0:
            tree[parent]["leaf"] = 0
            if parent in last_child:
                tree[last_child[parent]]["first_in"] = 0
            last_child[parent] = i
        q0, v0, l0 = q0 + kind.nq, v0 + kind.nv, l0 + row["nl"]
    return tree


def unit_pose(pose: Pose) -> Pose:
    """The same pose with its quaternion at unit length to the last digit."""
    q = np.asarray(pose.rotation, float)
    return Pose(pose.position, tuple(q / np.linalg.norm(q)))


def about_origin(spec: BodySpec) -> FloatArray:
    """Inertia about the body origin, xx, yy, zz, xy, xz, yz (parallel axes)."""
    return np.asarray(spec.inertia, float) + spec.mass * parallel_axes(spec.center_of_mass)


def parallel_axes(c: Vector) -> FloatArray:
    """Inertia of 1 kg at the point `c` about the origin, xx, yy, zz, xy, xz, yz."""
    x, y, z = c
    return np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])


def _dof_rows(specs: tuple[BodySpec, ...], kinds: list[JointType], tree: Any, inertias: list[FloatArray]) -> Any:
    dofs = jit.rows(sum(kind.nv for kind in kinds), rows.DOF_ROW)
    last: list[int] = []  # last coordinate at or above each body
    for i, (spec, kind) in enumerate(zip(specs, kinds, strict=True)):
        parent, v0 = tree[i]["parent"], tree[i]["v0"]
        above = -1 if parent < 0 else last[parent]
        part = dofs[v0 : v0 + kind.nv]
        part["body"], part["rotational"] = i, kind.angular
        part["parent"] = [above, *range(v0, v0 + kind.nv - 1)][: kind.nv]
        for name in ("stiffness", "damping", "armature"):
            part[name] = _spread(getattr(spec.joint, name), kind.nv)
        part["effort"] = _spread(spec.joint.effort, kind.nv, np.inf)
        part["inertia"] = inertias[i]
        last.append(v0 + kind.nv - 1 if kind.nv else above)
    return dofs


def _limit_rows(specs: tuple[BodySpec, ...], kinds: list[JointType], inertias: list[FloatArray]) -> Any:
    """Rows of all limits; `inertias` are those that the limits have to hold, joint by joint."""
    entries: list[tuple[float, float, float, float]] = []
    for spec, kind, inertia in zip(specs, kinds, inertias, strict=True):
        if not (spec.joint.lower or spec.joint.upper):
            continue
        count = len(kind.limit_names)
        lower = _spread(spec.joint.lower, count, -np.inf)
        upper = _spread(spec.joint.upper, count, np.inf)
        effort = _spread(spec.joint.effort, kind.nv, np.inf)
        least_stiffness = np.where(np.isfinite(effort), effort, 0.0) / np.where(
            kind.angular, GIVE_TURNING, GIVE_SLIDING
        )
        held, least_stiffness = inertia[:count], least_stiffness[:count]
        if not kind.is_vector:
            a = np.asarray(spec.joint.axes[0], float)
            twist = float(inertia @ a**2 / (a @ a))
            held = np.array([(np.sum(inertia) - twist) / 2, twist, np.mean(inertia)])
            least_stiffness = np.full(count, np.max(least_stiffness))
            # A ball's angles fold back at zero and at half a turn: a limit there is no limit, and must not act as one.
            lower = np.where(lower <= (0.0, -np.pi, 0.0), -np.inf, lower)
            upper = np.where(upper >= np.pi, np.inf, upper)
        entries.extend(zip(lower, upper, held, least_stiffness, strict=True))
    limits = jit.rows(len(entries), rows.LIMIT_ROW)
    for row, entry in zip(limits, entries, strict=True):
        row["lower"], row["upper"], row["inertia"], row["least_stiffness"] = entry
    return limits
