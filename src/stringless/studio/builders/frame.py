"""Frames: everything that changes, of the simulation as it is now or of the record."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from stringless.control.goals import Goal
from stringless.control.goals.pursuit import Pursuit
from stringless.engines import Feature
from stringless.flesh.kernels_motion import carry_all
from stringless.flesh.quantities import flagged_elements, free_masses
from stringless.kinematics import kernels
from stringless.kinematics.bodies import run_motions, total_motion
from stringless.model.model import Model
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray, IntArray
from stringless.studio.frames import (
    DIRECTED,
    GOAL,
    LIVE,
    NO_NUMBERS,
    PRESENT,
    STALE,
    TOUCHING,
    FrameData,
    Places,
    pack_bits,
)
from stringless.studio.messages import Wishes
from stringless.timeline.chunk import Frame
from stringless.timeline.take import Take

if TYPE_CHECKING:
    from stringless.studio.session_state import SessionState

ORIGIN = np.zeros(3)
NO_POSES, NO_NODES, NO_CONTACTS, NO_GOALS = (np.zeros((0, width)) for width in (7, 3, 6, GOAL))
CENTER_EVERY = 0.1
"""How often the centre of gravity is computed, which needs all bodies; in between it is extrapolated [s]."""
HALF_TURN = 1e-2
"""4 w² of a quaternion below which w is too small to find the others from: within 6 degrees of half a turn."""


class Snapshot(NamedTuple):
    """Where everything is at one time."""

    poses: FloatArray
    """(n, 7): position and quaternion x, y, z, w of all bodies."""
    nodes: FloatArray
    center: FloatArray
    """Position and velocity of the centre of gravity, (6,)."""
    rotations: FloatArray


class FrameBuilder:
    """Finds what is drawn of a model; what never changes is found once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        flesh = model.flesh
        self.free = np.zeros(0, bool) if flesh is None else flesh.nodes["fixed"] == 0
        self.masses = np.zeros(0) if flesh is None else free_masses(flesh)
        self.mass = model.mass + float(self.masses.sum())
        tree = model.tree
        self.selectable = (tree["nv"] > 0) & ~(
            (tree["parent"] < 0) & np.array([joint.kind.loose for joint in model.joints])
        )
        """Bodies whose joint the adaptive engine may make inactive: it has coordinates, and is no root that floats."""
        self.tracker = PlaceTracker(model)

    def prepare(self, sim: Simulation) -> None:
        """Compile what frames of a simulation need: while the physics is being compiled, nothing else can be."""
        self.from_simulation(sim)
        if sim.engine.supports(Feature.LEVEL_OF_DETAIL):
            self.tracker.find_places(sim.q)
            self.tracker.find_center(sim.time, sim.q, sim.v, running=False)

    def from_state(self, q: FloatArray, v: FloatArray, x: FloatArray, xdot: FloatArray) -> Snapshot:
        """The snapshot of a state; `x` and `xdot` hold the free nodes, and are completed by the fixed ones."""
        work = run_motions(self.model, q, v)
        sums = total_motion(self.model, work, ORIGIN)[1:7]
        if self.model.flesh is not None:
            carry_all(self.model.flesh.nodes, False, work.bodies, x, xdot)
            sums[:3] += self.masses @ x
            sums[3:] += self.masses @ xdot
        rotations = work.bodies["R"].reshape(-1, 3, 3).copy()
        poses = np.concatenate([work.bodies["p"], find_quaternions(rotations)], axis=1)
        return Snapshot(poses, x, sums / self.mass if self.mass > 0 else np.zeros(6), rotations)

    def from_simulation(self, sim: Simulation) -> Snapshot:
        """The simulation as it is now."""
        return self.from_state(sim.q, sim.v, sim.state.x.copy(), sim.state.xdot.copy())

    def from_frame(self, frame: Frame) -> Snapshot:
        """A frame on record, which has no velocities of free nodes: their share of the centre's velocity is left at 0."""
        x = np.zeros((len(self.free), 3))
        x[self.free] = frame.nodes
        return self.from_state(frame.q, frame.v, x, np.zeros_like(x))

    def from_take(self, take: Take, time: float, branch: int | None) -> Snapshot:
        """A time of a take; with flesh, the velocity of the centre is found from the frame before."""
        frame = take.frame(time, branch)
        snapshot = self.from_frame(frame)
        if len(self.free):
            before = take.frame(math.nextafter(frame.time, -math.inf), branch)
            passed = frame.time - before.time
            way = snapshot.center[:3] - self.from_frame(before).center[:3]
            snapshot.center[3:] = way / passed if passed > 0 else 0.0
        return snapshot

    def from_pose(self, q: FloatArray) -> Snapshot:
        """A pose in which flesh follows its bones, at rest shape."""
        flesh = self.model.flesh
        v = np.zeros(self.model.nv)
        x = np.zeros((0, 3)) if flesh is None else flesh.rest.copy()
        xdot = np.zeros_like(x)
        if flesh is not None:
            carry_all(flesh.nodes, True, run_motions(self.model, q, v).bodies, x, xdot)
        return self.from_state(q, v, x, xdot)


def build_frame(state: SessionState, wishes: list[Wishes], *, stale: bool, energy: tuple[float, float]) -> FrameData:
    """The frame of what is shown, without the input that it includes."""
    player, sim, builder = state.player, state.project.sim, state.frame_builder
    take, branch = state.project.take, player.branch
    shown = None if player.at_present else player.frame
    points, forces = sim.contact_points() if shown is None else (shown.points, shown.forces)
    effort = sim.effort if shown is None else shown.effort
    is_same_model = builder.model is sim.model
    has_places = sim.engine.supports(Feature.LEVEL_OF_DETAIL) and is_same_model
    # Without goals there is no director, and a crowd has thousands of efforts.
    has_efforts = any(w.effort for w in wishes) and (sim.engine.supports(Feature.GOALS) or bool(effort.any()))
    has_contacts = is_same_model and any(wish.contacts for wish in wishes)
    snapshot = None
    if not has_places or (has_contacts and len(points)):
        snapshot = builder.from_simulation(sim) if shown is None else builder.from_take(take, player.time, branch)
    if has_places:  # such a scene has neither goals nor flesh
        q, v = (sim.q, sim.v) if shown is None else (shown.q, shown.v)
        center = builder.tracker.find_center(player.time, q, v, running=player.mode != "paused")
        places, goals, flagged = builder.tracker.find_places(q), NO_GOALS, NO_NUMBERS
        poses, nodes = NO_POSES, NO_NODES
    else:
        assert snapshot is not None
        poses, nodes, center, places = snapshot.poses, snapshot.nodes, snapshot.center, None
        goals = list_goals(sim, snapshot) if shown is None else NO_GOALS
        flagged = find_flagged(sim, nodes) if is_same_model and any(wish.flagged for wish in wishes) else NO_NUMBERS
    flags = LIVE * (player.mode == "live") | PRESENT * player.at_present | STALE * stale
    flags |= DIRECTED * sim.is_directed | TOUCHING * (len(points) > 0)
    return FrameData(
        epoch=state.epoch,
        input=0,
        time=sim.time if shown is None else player.time,
        wait=-1.0,
        real_time=state.real_time,
        kinetic=energy[0],
        potential=energy[1],
        flags=flags,
        poses=poses,
        nodes=nodes,
        center=center,
        contacts=list_contacts(sim, snapshot, points, forces) if has_contacts and snapshot is not None else NO_CONTACTS,
        goals=goals,
        flagged=flagged,
        effort=effort if has_efforts else np.zeros(0),
        moving=find_moving(builder, sim, shown),
        places=places,
    )


def list_contacts(sim: Simulation, snapshot: Snapshot, points: IntArray, forces: FloatArray) -> FloatArray:
    """Contact points and the forces on them, (k, 6)."""
    flesh = sim.model.flesh
    rows = np.empty((len(points), 6))
    rows[:, 3:] = forces
    if not len(points):
        return rows
    skin = 0 if flesh is None else len(flesh.vertices)
    on_skin = points < skin
    if flesh is not None and on_skin.any():
        some = flesh.vertices[points[on_skin]]
        rows[on_skin, :3] = np.einsum("vk,vkj->vj", some["w"], snapshot.nodes[some["n"]])
    if not on_skin.all():
        some = sim.contact_samples[points[~on_skin] - skin]
        turned = np.einsum("kij,kj->ki", snapshot.rotations[some["body"]], some["r"])
        push = forces[~on_skin]
        inward = push / np.maximum(np.linalg.norm(push, axis=1), 1e-12)[:, None]
        rows[~on_skin, :3] = snapshot.poses[some["body"], :3] + turned - some["radius"][:, None] * inward
    return rows


def list_goals(sim: Simulation, snapshot: Snapshot) -> FloatArray:
    """Number, position, target, distance and spring force of each goal, (g, 11)."""
    goals: list[Goal] = sim.director.goals if sim.has_director else []
    rows = np.empty((len(goals), GOAL))
    for row, goal in zip(rows, goals, strict=True):
        row[0] = goal.id
        row[1:4] = row[4:7] = place = goal.find_place(snapshot.poses[:, :3], snapshot.rotations)
        if isinstance(goal, Pursuit):
            row[4:7] = goal.target
            row[7] = float(np.linalg.norm(goal.axes @ (row[4:7] - place)))
        else:
            row[7] = goal.error
        row[8:] = sim.reaction(goal)[3:]
    return rows


def find_flagged(sim: Simulation, nodes: FloatArray) -> NDArray[np.uint32]:
    """Elements of the flesh that are stretched beyond the plain range of their material, and so are decomposed."""
    flesh = sim.flesh
    if flesh is None:
        return NO_NUMBERS
    return flagged_elements(flesh, nodes).astype(np.uint32)


def find_moving(builder: FrameBuilder, sim: Simulation, shown: Frame | None) -> NDArray[np.uint32]:
    """A bit for each body: whether its joint is active. No words before the first active-region update.

    In a frame on record the velocities say which: an inactive joint has none.
    """
    model = builder.model
    if not sim.engine.supports(Feature.LEVEL_OF_DETAIL) or model is not sim.model:
        return NO_NUMBERS
    if shown is None:
        return NO_NUMBERS if sim.state.dt == 0.0 else pack_bits(sim.active_joints & builder.selectable)
    rates = np.bincount(model.dofs["body"], weights=shown.v != 0.0, minlength=model.body_count)
    return pack_bits((rates > 0) & builder.selectable)


class PlaceTracker:
    """Finds the bodies that have moved in their parents, without computing the poses of all."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._q = np.zeros(model.nq)
        self._places = np.zeros((model.body_count, 7), dtype=np.float32)
        self._since = np.zeros(model.body_count, dtype=np.uint32)
        self._looks = 0
        self._center = np.zeros(6)
        self._time, self._computed = -np.inf, -np.inf

    def find_places(self, q: FloatArray) -> Places:
        """Places at a configuration; bodies whose joint has moved since the last call are marked with this one."""
        self._looks += 1
        kernels.update_poses(self.model.tree, q, self._looks, self._q, self._places, self._since)
        return Places(self._looks, self._places.copy(), self._since.copy())

    def find_center(self, at: float, q: FloatArray, v: FloatArray, *, running: bool) -> FloatArray:
        """Position and velocity of the centre of gravity at a time, (6,): exact if time stands still."""
        passed, now = at - self._time, time.perf_counter()
        if running and 0.0 <= passed < CENTER_EVERY and now - self._computed < CENTER_EVERY:
            return np.concatenate([self._center[:3] + passed * self._center[3:], self._center[3:]])
        sums = total_motion(self.model, run_motions(self.model, q, v), np.zeros(3))
        self._center = sums[1:7] / sums[0] if sums[0] > 0 else np.zeros(6)
        self._time, self._computed = at, now
        return self._center.copy()


def find_quaternions(rotations: FloatArray) -> FloatArray:
    """Quaternions x, y, z, w of rotations, shape (n, 4): from w where it is not small, else from the largest component."""
    m = [[np.ascontiguousarray(rotations[:, i, j]) for j in range(3)] for i in range(3)]
    square = 1.0 + m[0][0] + m[1][1] + m[2][2]  # 4 w²
    turned = np.flatnonzero(square < HALF_TURN)
    square[turned] = 1.0
    w = 0.5 * np.sqrt(square)
    share = 0.25 / w
    found = np.empty((len(rotations), 4))
    for k, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
        np.multiply(m[i][j] - m[j][i], share, out=found[:, k])
    found[:, 3] = w
    if len(turned):
        found[turned] = Rotation.from_matrix(rotations[turned]).as_quat()
    return found
