"""What a frame tells of a moment: of the simulation as it is, or of the record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.goals import Center, Drag, Goal, Turn
from stringless.engines import AdaptiveEngine
from stringless.engines.adaptive.tables import FLOATS
from stringless.flesh.kernels_motion import carry_all
from stringless.flesh.materials.stvk import STVK
from stringless.flesh.quantities import free_masses
from stringless.kinematics.bodies import run_motions, total_motion
from stringless.model.model import Model
from stringless.simulation import Simulation
from stringless.studio.frames import GOAL, pack_bits
from stringless.studio.placing import Placer
from stringless.timeline.chunk import Frame
from stringless.timeline.take import Take

Floats = NDArray[np.float64]
NO_NUMBERS = np.zeros(0, np.uint32)
ORIGIN = np.zeros(3)
HALF_TURN = 1e-2
"""4 w² of a quaternion below which w is too small to find the others from: within 6 degrees of half a turn."""


class Drawn:
    """Where everything is at one moment."""

    def __init__(self, poses: Floats, nodes: Floats, center: Floats, rotations: Floats) -> None:
        """Hold it."""
        self.poses = poses
        """(n, 7): position and quaternion x, y, z, w of all bodies."""
        self.nodes = nodes
        self.center = center
        """Position and velocity of the centre of gravity, (6,)."""
        self.rotations = rotations


class Painter:
    """Works out what is drawn of a model; what never changes is looked up once."""

    def __init__(self, model: Model) -> None:
        """Look up what stays."""
        self.model = model
        flesh = model.flesh
        self.free = np.zeros(0, bool) if flesh is None else flesh.nodes["fixed"] == 0
        self.masses = np.zeros(0) if flesh is None else free_masses(flesh)
        self.mass = model.mass + float(self.masses.sum())
        tree = model.tree
        self.choosable = (tree["nv"] > 0) & ~((tree["parent"] < 0) & np.isin(tree["kind"], FLOATS))
        """Which bodies have a joint that the adaptive engine may hold: it has coordinates, and is no root that floats."""
        self.placer = Placer(model)

    def of(self, q: Floats, v: Floats, x: Floats, xdot: Floats) -> Drawn:
        """Everything at a configuration; `x` and `xdot` hold the free nodes, and are filled up with the fixed ones."""
        work = run_motions(self.model, q, v)
        sums = total_motion(self.model, work, ORIGIN)[1:7]
        if self.model.flesh is not None:
            carry_all(self.model.flesh.nodes, False, work.bodies, x, xdot)
            sums[:3] += self.masses @ x
            sums[3:] += self.masses @ xdot
        poses = np.empty((self.model.body_count, 7))
        poses[:, :3] = work.bodies["p"]
        rotations = work.bodies["R"].reshape(-1, 3, 3).copy()
        poses[:, 3:] = quaternions(rotations)
        return Drawn(poses, x, sums / self.mass if self.mass > 0 else np.zeros(6), rotations)

    def prepare(self, sim: Simulation) -> None:
        """Compile what frames of a simulation need: while the physics is being compiled, nothing else can be."""
        self.of_simulation(sim)
        if isinstance(sim.engine, AdaptiveEngine):
            self.placer.look(sim.q)
            self.placer.center(sim.time, sim.q, sim.v, running=False)

    def of_simulation(self, sim: Simulation) -> Drawn:
        """As it is now."""
        return self.of(sim.q, sim.v, sim.state.x.copy(), sim.state.xdot.copy())

    def of_frame(self, frame: Frame) -> Drawn:
        """As it is on record; how free nodes move is not, and their share of the centre's velocity is left at 0."""
        x = np.zeros((len(self.free), 3))
        x[self.free] = frame.nodes
        return self.of(frame.q, frame.v, x, np.zeros_like(x))

    def of_record(self, take: Take, time: float, lane: int | None) -> tuple[Frame, Drawn]:
        """A moment of a take; with flesh, the centre's velocity is taken from the way it has come since the frame before."""
        frame = take.frame(time, lane)
        drawn = self.of_frame(frame)
        if len(self.free):
            before = take.frame(math.nextafter(frame.time, -math.inf), lane)
            passed = frame.time - before.time
            way = drawn.center[:3] - self.of_frame(before).center[:3]
            drawn.center[3:] = way / passed if passed > 0 else 0.0
        return frame, drawn

    def of_pose(self, q: Floats) -> Drawn:
        """A pose in which flesh goes along with its bones, at rest shape."""
        flesh = self.model.flesh
        v = np.zeros(self.model.nv)
        x = np.zeros((0, 3)) if flesh is None else flesh.rest.copy()
        xdot = np.zeros_like(x)
        if flesh is not None:
            carry_all(flesh.nodes, True, run_motions(self.model, q, v).bodies, x, xdot)
        return self.of(q, v, x, xdot)


def contacts(sim: Simulation, drawn: Drawn, points: NDArray[np.int64], forces: Floats) -> Floats:
    """Points that touch something and the forces on them, (k, 6)."""
    flesh = sim.model.flesh
    rows = np.empty((len(points), 6))
    rows[:, 3:] = forces
    if not len(points):
        return rows
    skin = 0 if flesh is None else len(flesh.vertices)
    on_skin = points < skin
    if flesh is not None and on_skin.any():
        some = flesh.vertices[points[on_skin]]
        rows[on_skin, :3] = np.einsum("vk,vkj->vj", some["w"], drawn.nodes[some["n"]])
    if not on_skin.all():
        some = sim.contact_samples[points[~on_skin] - skin]
        turned = np.einsum("kij,kj->ki", drawn.rotations[some["body"]], some["r"])
        push = forces[~on_skin]
        inward = push / np.maximum(np.linalg.norm(push, axis=1), 1e-12)[:, None]
        rows[~on_skin, :3] = drawn.poses[some["body"], :3] + turned - some["radius"][:, None] * inward
    return rows


def goals(sim: Simulation, drawn: Drawn) -> Floats:
    """Of each goal its number, where it is, where it shall be, how far that is, and the force of its spring, (g, 11)."""
    some: list[Goal] = sim.director.goals if sim.has_director else []
    rows = np.empty((len(some), GOAL))
    for row, goal in zip(rows, some, strict=True):
        row[0] = goal.id
        row[1:4] = row[4:7] = place = _place(goal, drawn)
        if isinstance(goal, Drag | Center):
            row[4:7] = goal.target
            row[7] = float(np.linalg.norm(goal.axes @ (row[4:7] - place)))
        else:
            row[7] = goal.error
        row[8:] = sim.felt(goal)[3:]
    return rows


def _place(goal: Goal, drawn: Drawn) -> Floats:
    """Where a goal takes hold."""
    if isinstance(goal, Drag):
        return drawn.poses[goal.body, :3] + drawn.rotations[goal.body] @ goal.point
    if isinstance(goal, Turn):
        return drawn.poses[goal.body, :3]
    return goal.director.center_of_gravity(goal.character)[0]


def flagged(sim: Simulation, nodes: Floats) -> NDArray[np.uint32]:
    """Elements of the flesh that are stretched beyond the plain range of their material, and so are decomposed."""
    flesh = sim.flesh
    if flesh is None:
        return NO_NUMBERS
    elements: Any = flesh.elements
    corners = nodes[elements["n"]]
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    deformation = edges @ elements["Dm_inv"].reshape(-1, 3, 3)
    right = np.swapaxes(deformation, 1, 2) @ deformation
    # Whether the bounds enclose all squared stretches, as `flesh.materials.stvk.plain` finds it.
    one = np.trace(right, axis1=1, axis2=2)
    two = 0.5 * (one * one - np.sum(right * right, axis=(1, 2)))
    size = np.linalg.det(deformation)
    material = flesh.materials[elements["material"]]
    low, high = material["low"], material["high"]
    inside = (size > 0) & (3 * low < one) & (3 * high > one)
    inside &= (((low - one) * low + two) * low - size**2 < 0) & (((high - one) * high + two) * high - size**2 > 0)
    inside &= ((3 * low - 2 * one) * low + two > 0) & ((3 * high - 2 * one) * high + two > 0)
    out = ~inside & (material["kind"] == STVK.code)  # no other law has a range to leave
    return np.flatnonzero(out).astype(np.uint32)


def moving(painter: Painter, sim: Simulation, frame: Frame | None) -> NDArray[np.uint32]:
    """A bit of each body: whether its joint was chosen to move. No words where nothing was chosen.

    A frame on record tells it by its velocities: a joint that is held has none.
    """
    model = painter.model
    if not isinstance(sim.engine, AdaptiveEngine) or model is not sim.model:
        return NO_NUMBERS
    if frame is None:
        return NO_NUMBERS if sim.state.dt == 0.0 else pack_bits(sim.moving_joints & painter.choosable)
    rates = np.bincount(model.dofs["body"], weights=frame.v != 0.0, minlength=model.body_count)
    return pack_bits((rates > 0) & painter.choosable)


def quaternions(rotations: Floats) -> Floats:
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
        found[turned] = _from_largest(rotations[turned])
    return found


def _from_largest(rotations: Floats) -> Floats:
    """Quaternions of any rotations: the component that is largest is found first, the rest from it."""
    m00, m11, m22 = rotations[:, 0, 0], rotations[:, 1, 1], rotations[:, 2, 2]
    squares = np.empty((len(rotations), 4))
    squares[:, 0] = 1.0 + m00 - m11 - m22
    squares[:, 1] = 1.0 - m00 + m11 - m22
    squares[:, 2] = 1.0 - m00 - m11 + m22
    squares[:, 3] = 1.0 + m00 + m11 + m22
    best = np.argmax(squares, axis=1)
    # Row i of this symmetric matrix is 4 q_i q.
    outer = np.empty((len(rotations), 4, 4))
    outer[:, range(4), range(4)] = squares
    for i, j in ((0, 1), (0, 2), (1, 2)):
        outer[:, i, j] = outer[:, j, i] = rotations[:, i, j] + rotations[:, j, i]
    for k, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
        outer[:, k, 3] = outer[:, 3, k] = rotations[:, i, j] - rotations[:, j, i]
    rows = outer[np.arange(len(rotations)), best]
    return rows / np.linalg.norm(rows, axis=1)[:, None]
