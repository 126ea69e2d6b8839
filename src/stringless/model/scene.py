"""A scene: a model, where it starts, and what a file said about it."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stringless.errors import ModelError, Problem, renamed, renamed_arguments
from stringless.model.checks import suggest
from stringless.model.model import Model
from stringless.model.world_springs import WorldSpring, world_spring_problems
from stringless.spatial.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Scene:
    """What a simulation starts from."""

    model: Model
    name: str = ""
    description: str = ""
    """One sentence for a list of scenes."""
    q: FloatArray = field(default_factory=lambda: np.empty(0))
    """Configuration at the start; empty means neutral."""
    v: FloatArray = field(default_factory=lambda: np.empty(0))
    """Velocity at the start; empty means at rest."""
    engine: str = "reduced"
    """The engine it is made for; a simulation may choose another."""
    dt: float = 1e-3
    """The step it is made for [s]."""
    active: int | Mapping[str, int] | None = None
    """With engine `adaptive`, how many joints of each character may move, for all or by the name of the root body; all if not
    given. A simulation may choose otherwise."""
    world_springs: tuple[WorldSpring, ...] = ()
    """Springs from points of bodies to points of the world."""
    study: Mapping[str, Any] | None = None
    """A motion to edit and what is wanted of it, as plain values (`editing/data.py`); the studio opens it in the editor."""
    warnings: tuple[Problem, ...] = ()
    """What the source file says and this package does not use."""
    source: Path | None = None

    pulls = renamed("pulls", "world_springs")
    """Its name in earlier versions."""

    def __post_init__(self) -> None:
        """Fill in the defaults and check that the start fits the model."""
        model = self.model
        q = model.neutral() if len(self.q) == 0 else np.array(self.q, dtype=np.float64)
        v = np.zeros(model.nv) if len(self.v) == 0 else np.array(self.v, dtype=np.float64)
        found = []
        for name, values, count in (("q", q, model.nq), ("v", v, model.nv)):
            if values.shape != (count,):
                found.append(Problem(f"initial {name}", f"{values.size} numbers", f"{count}"))
            elif not np.all(np.isfinite(values)):
                found.append(Problem(f"initial {name}", "a number that is not finite", "finite numbers"))
            values.flags.writeable = False
        if not found:
            found.extend(_quaternion_problems(model, q))
        if not (math.isfinite(self.dt) and self.dt > 0):
            found.append(Problem("dt", f"{self.dt!r}", "a finite number above 0 [s]"))
        object.__setattr__(self, "active", _plain_budgets(self.active))
        found.extend(_budget_problems(model, self.engine, self.active))
        found.extend(world_spring_problems(self.world_springs, [spec.name for spec in model.specs]))
        found.extend(_study_problems(self.study))
        if found:
            raise ModelError(f"scene '{self.name or model.name}'", found)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "v", v)
        object.__setattr__(self, "name", self.name or model.name)


Scene.__init__ = renamed_arguments(pulls="world_springs")(Scene.__init__)


def _study_problems(study: Any) -> list[Problem]:
    if study is None:
        return []
    expected = "plain values by name: numbers, texts, lists and the like"
    if not isinstance(study, Mapping):
        return [Problem("study", f"{type(study).__name__}", expected)]
    try:
        json.dumps(study)
    except (TypeError, ValueError) as error:
        return [Problem("study", str(error), expected)]
    return []


def _plain_budgets(active: Any) -> Any:
    """Whole numbers of NumPy as those of Python, to be written down; all else as it is."""
    if isinstance(active, Mapping):
        return {name: _plain_budgets(number) for name, number in active.items()}
    return int(active) if isinstance(active, np.integer) else active


def _budget_problems(model: Model, engine: str, active: Any) -> list[Problem]:
    if active is None:
        return []
    if engine != "adaptive":
        return [Problem("active", f"{active!r} with engine '{engine}'", "engine 'adaptive', which alone holds joints")]
    found = []
    roots = [model.specs[i].name for i in np.flatnonzero(model.tree["parent"] < 0)]
    for name, number in active.items() if isinstance(active, Mapping) else [("", active)]:
        where = f"active of '{name}'" if name else "active"
        if name and name not in roots:
            found.append(Problem("active", f"character '{name}'", "the root body of one", suggest(name, roots)))
        if type(number) is not int or number < 1:
            found.append(Problem(where, f"{number!r}", "a whole number of joints, 1 or more"))
    return found


def _quaternion_problems(model: Model, q: FloatArray) -> list[Problem]:
    found = []
    for joint in model.joints:
        if joint.kind.is_vector:
            continue
        length = float(np.linalg.norm(q[joint.q_slice][-4:]))
        if abs(length - 1) > 1e-6:
            found.append(
                Problem(f"initial q of joint '{joint.name}'", f"a quaternion of length {length:.6g}", "length 1")
            )
    return found
