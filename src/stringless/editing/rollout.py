"""Rolling a motion out together with its sensitivity: the compiled walk of `kernels_roll.py` behind arrays.

A column is a direction in which the motion may change. Where it begins is told by `dq` and `dv` at the start; what it does
on the way by `Directions`, a body that gets heavier or a weight of a muscle's effort, and by a change of gravity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stringless import jit
from stringless.control.checks import number
from stringless.editing import kernels_roll
from stringless.editing.kernels_columns import MIXING, RESISTS, UP
from stringless.editing.kernels_lanes import COLUMN_BLOCK, FORCE_BLOCK, LANES, MOTION_BLOCK, PATH_BLOCK, Q, U, V
from stringless.editing.records import Motion, RollInputs, RollModel, RollSettings, RollWork, SampleTables, SampleTimes
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.state.derivative_scratch import aligned, aligned_rows, derivative_scratch, padded
from stringless.state.scratch import Scratch, scratch

START = 1e-300
"""Length of the step before a start [s]: next to nothing, so that the first step's velocity leads from the start to the
middle of that step, and the flight of a single body is a parabola to the last digit. Zero would lead over the whole step."""
MAX_SPEED = 1e4
"""A coordinate that slides faster than this has run away [m/s]."""


@dataclass(frozen=True)
class JointStiffness:
    """How stiff all joints and their limits are, by the names of a simulation's parameters."""

    joint_springs: float = 1.0
    """Springs and dampers of joints are so many times as strong as they were built."""
    stop_frequency: float = 100.0
    """Natural frequency of joint limits [rad/s]."""

    def __post_init__(self) -> None:
        """Refuse what a simulation would refuse."""
        number(self.joint_springs, "joint_springs", least=0.0)
        number(self.stop_frequency, "stop_frequency", "rad/s", above=0.0)

    def dofs_of(self, model: Model) -> Any:
        """The coordinates of a model with joints as stiff as this."""
        if self.joint_springs == 1.0:
            return model.dofs
        dofs = model.dofs.copy()
        dofs["stiffness"] *= self.joint_springs
        dofs["damping"] *= self.joint_springs
        return dofs


@dataclass(frozen=True)
class Directions:
    """What columns do on the way, by their index among the columns."""

    masses: tuple[tuple[int, int], ...] = ()
    """Pairs of body and column: the body's mass and inertia grow in proportion."""
    drives: tuple[tuple[int, int], ...] = ()
    """Pairs of coordinate and column: the effort grows by the weight of this drive at this step."""


@dataclass
class Rollout:
    """What came of a roll: frames at the steps, samples at chosen times, and the columns of these."""

    q: FloatArray
    """Configurations at the steps, shape (steps + 1, nq)."""
    v: FloatArray
    """Velocities at the steps, which lag half a step behind; shape (steps + 1, nv)."""
    vdot: FloatArray
    """Accelerations of the steps that led there, shape (steps + 1, nv)."""
    q_samples: FloatArray
    v_samples: FloatArray
    """Configuration and velocity at the samples."""
    dq_samples: FloatArray
    dv_samples: FloatArray
    """Their columns, shape (samples, nv, columns)."""
    dq_rates: FloatArray
    dv_rates: FloatArray
    """How they change with the time of the sample, shape (samples, nv)."""
    done: int = 0
    """Steps done."""
    diverged: int = -1
    """The coordinate that ran away after those, -1 if none did."""


@dataclass
class Samples:
    """Times at which the motion is wanted: so long after this step, in order."""

    steps: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    times: FloatArray = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def at(cls, times: ArrayLike, dt: float) -> Samples:
        """Samples at these times after the start, each reached from the last step before it."""
        times = np.asarray(times, float)
        steps = np.maximum(np.ceil(times / dt - 1e-9).astype(np.int64) - 1, 0)
        return cls(steps, times - steps * dt)


class Roller:
    """Rolls one model out with a fixed number of columns; holds all room that takes."""

    def __init__(
        self,
        model: Model,
        columns: int = 0,
        directions: Directions | None = None,
        joint_stiffness: JointStiffness | None = None,
    ) -> None:
        """Allocate for `model` and so many columns."""
        self.model, self.columns = model, columns
        self.joint_stiffness = joint_stiffness or JointStiffness()
        self.dofs = self.joint_stiffness.dofs_of(model)
        self.directions = directions or Directions()
        # Scratch of its own: a roller may be made in one thread and used in another.
        base, more = Scratch(model), derivative_scratch(model)
        nb, nv, nq = model.body_count, model.nv, model.nq
        # The last column used is that of the time of a sample.
        blocks = padded(columns + 1) // LANES if columns else 0
        self.width = LANES * blocks
        self.dh = aligned((2, blocks, LANES))
        if columns:
            self.dh.reshape(2, -1)[1, columns] = 1.0
        # Beyond the bodies: the ground, and two spare rows for joints of several groups.
        layouts = {"path": PATH_BLOCK, "load": FORCE_BLOCK, "motion": MOTION_BLOCK}
        self.table, self.spare = _block_rows(blocks, nv, COLUMN_BLOCK), _block_rows(blocks, nv, COLUMN_BLOCK)
        skeleton, bodies = base.skeleton._replace(dofs=self.dofs), more.packed.bodies
        masses, drives = self.directions.masses, self.directions.drives
        self.fixed = RollModel(skeleton, bodies, list_ways(model), _pairs(masses), _pairs(drives))
        self.inputs = RollInputs(np.zeros((1, nv)), np.zeros((1, len(drives))), base.no_mask, base.no_external)
        self.entry: Any = None
        self.work = RollWork(
            base.bodies,
            base.dofs,
            *(np.zeros(nv) for _ in range(8)),
            sums=aligned(more.work.sums.shape),
            terms=aligned(more.work.terms.shape),
            factors=aligned((nv, 16)),
            mixing=np.zeros((nb, MIXING)),
            **{name: _block_rows(blocks, nb + 3, layout) for name, layout in layouts.items()},
            state=Motion(np.zeros(nq), np.zeros(nv), np.zeros(nv)),
        )

    def roll(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        steps: int,
        dt: float,
        samples: Samples | None = None,
        dq: ArrayLike | None = None,
        dv: ArrayLike | None = None,
        dgravity: ArrayLike | None = None,
        vdot: ArrayLike | None = None,
        last: float = START,
        tree: Any = None,
        gravity: FloatArray | None = None,
        tau: FloatArray | None = None,
        weights: FloatArray | None = None,
        frames: bool = True,
    ) -> Rollout:
        """Roll out `steps` steps of length `dt` from (q, v), whose columns are (dq, dv), each of shape (nv, columns).

        `dgravity` says how gravity changes with each column, (3, columns).
        `tau` and `weights` hold efforts and weights of drives, a row for each step. `tree` and `gravity` stand in for the
        model's own. Without `frames` only the start is kept.
        """
        model, nv = self.model, self.model.nv
        samples = samples or Samples()
        count, kept = len(samples.steps), steps + 1 if frames else 1
        out = Motion(np.empty((kept, model.nq)), np.empty((kept, nv)), np.zeros((kept, nv)))
        out.q[0], out.v[0] = q, v
        if vdot is not None:
            out.vdot[0] = vdot
        self.table["x"] = 0.0
        for k, values in ((Q, dq), (V, dv), (U, dv)):
            if values is not None:
                self.table["x"][:, :, k] = self._blocks(values)
        seeds = np.zeros((3, self.columns))
        if dgravity is not None:
            seeds -= np.asarray(dgravity, float)
        self.work.path["x"][:, model.body_count, 3:6] = self._blocks(seeds)
        found = SampleTables(
            Motion(np.empty((count, model.nq)), np.empty((count, nv)), np.empty((count, nv))),
            np.empty((count, 2, nv, self.width)),
        )
        efforts = {"tau": tau, "weights": weights}
        given = {name: np.array(rows, float, order="C") for name, rows in efforts.items() if rows is not None}
        inputs, settings = (
            self.inputs._replace(**given),
            RollSettings(dt, self.joint_stiffness.stop_frequency, MAX_SPEED),
        )
        sample_times, room = SampleTimes(samples.steps, samples.times, self.dh), (self.work, self.table, self.spare)
        arguments = (inputs, settings, sample_times, steps, last, *room, found, out)
        # Whether a table may be written makes another type of it to numba, but not to the machine code.
        example = self.fixed._replace(skeleton=scratch(model).skeleton)
        self.entry = self.entry or jit.entry(kernels_roll.roll, example, *arguments)
        parts = {name: part for name, part in (("tree", tree), ("gravity", gravity)) if part is not None}
        fixed = self.fixed._replace(skeleton=self.fixed.skeleton._replace(**parts))
        done, bad = self.entry(fixed, *arguments)
        n, dqv = self.columns, found.columns
        rates = dqv[:, :, :, n] if n else np.zeros((count, 2, nv))
        samples_found = found.motion.q, found.motion.v, dqv[:, 0, :, :n], dqv[:, 1, :, :n], rates[:, 0], rates[:, 1]
        return Rollout(*out, *samples_found, done, bad)

    def _blocks(self, values: ArrayLike) -> FloatArray:
        """Columns, shape (rows, columns), block by block: (blocks, rows, LANES)."""
        values = np.asarray(values, float)
        whole = np.zeros((len(values), self.width))
        whole[:, : self.columns] = values
        return whole.reshape(len(values), -1, LANES).transpose(1, 0, 2)


def list_ways(model: Model) -> IntArray:
    """For each body the moving one that carries it (the number of bodies if none), and whether its joint resists."""
    out = np.zeros((model.body_count, 2), np.int64)
    carrier: list[int] = []
    for i, row in enumerate(model.tree):
        up = model.body_count if row["parent"] < 0 else carrier[row["parent"]]
        carrier.append(i if row["nv"] > 0 else up)
        part = model.dofs[row["v0"] : row["v0"] + row["nv"]]
        out[i, [UP, RESISTS]] = up, bool(row["nl"]) or np.any(part["damping"]) or np.any(part["stiffness"])
    return out


def _block_rows(blocks: int, count: int, layout: np.dtype[Any]) -> Any:
    """Rows of a block of columns each, shape (blocks, count)."""
    return aligned_rows(blocks * count, layout).reshape(blocks, count)


def _pairs(values: tuple[tuple[int, int], ...]) -> IntArray:
    return np.array(values, dtype=np.int64).reshape(-1, 2)
