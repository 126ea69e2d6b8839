"""What a hand feels: how fast joints turn and how close a bone follows, for drags that lead through singular poses."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import nnls

from stringless.bench.flesh_cases import LANDED, actuated
from stringless.bench.harness import Options, Row
from stringless.control.director import Style
from stringless.control.goals import Drag
from stringless.model import Pose
from stringless.model.builder import ModelBuilder
from stringless.model.scene import Scene
from stringless.model.spec import GROUND, BodySpec, JointSpec
from stringless.scenes import load_scene
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray

OURS = "stringless"


class Hold(NamedTuple):
    """Where a character is held, and how far it is led."""

    bone: str
    point: tuple[float, float, float]
    """Along the axes of the bone [m]."""
    reach: float
    """Height of a loop [m]; it is a fifth as wide."""
    falling: bool = False
    """In free flight from the start, and the target with it; otherwise lying on the ground."""


HOLDS = {
    "worm": Hold("bone_0", (-0.06, 0.0, 0.0), 0.10),
    "fish": Hold("head", (-0.06, 0.0, 0.0), 0.08),
    "finger": Hold("distal", (0.05, 0.0, 0.0), 0.04),
    "starfish": Hold("arm_0_2", (0.0, 0.0, -0.045), 0.05),
    "lamp": Hold("head", (0.0, 0.0, 0.0), 0.04),
    "humanoid": Hold("right_hand", (0.0, 0.0, 0.0), 0.20, falling=True),
}
SECONDS = 2.0
"""How long each drag lasts [s]."""


def loop(time: float, rate: float) -> tuple[float, float]:
    """Inward and up, by the height of the loop: a parabola, as the arc of a head that is lifted, and a fifth inward of it."""
    share = 0.5 - 0.5 * math.cos(2 * math.pi * rate * time)
    return 0.2 * share + 0.1 * share * share, share


PATHS = {
    "slow loop": functools.partial(loop, rate=1.0),
    "fast loop": functools.partial(loop, rate=3.0),
    "far": lambda time: (0.0, 10.0),
    "inward": lambda time: (min(time, 0.5), 0.0),
}
"""Where the target is after a time, inward and up, by the height of a loop."""


def lead(sim: Simulation, hold: Hold, path: Any, seconds: float = SECONDS) -> Row:
    """Drag along a path, from rest: the fastest joint, then and at the end [rad/s], and the error, mean and at the end [m]."""
    goal = sim.director.drag(hold.bone, point=hold.point)
    start, begin, speed = goal.position, sim.time, sim.director.center_of_gravity()[1]
    inward = sim.body_poses().position[sim.director.characters[goal.character].root] - start
    inward[1] = 0.0
    inward /= max(float(np.linalg.norm(inward)), 1e-9)

    def target(time: float) -> FloatArray:
        across, up = path(time - begin)
        t = time - begin
        fallen = t * speed + 0.5 * t * t * sim.model.gravity if hold.falling else 0.0
        return start + hold.reach * (across * inward + np.array([0.0, up, 0.0])) + fallen

    goal.target = target
    driven, steps = actuated(sim.model), round(seconds / sim.config.dt)
    rates, errors = np.zeros(steps), np.zeros(steps)
    for k in range(steps):
        sim.step()
        rates[k], errors[k] = np.abs(sim.v[driven]).max(), goal.error
    late = steps // 5
    ends = {"end_rate": float(rates[-late:].max()), "end_error": float(errors[-late:].mean())}
    return {"fastest": float(rates.max()), "missed": float(errors.mean()), **ends}


def measure_hand(options: Options) -> Iterator[Row]:
    """Every drag of every character, the chain, and what the styles cost."""
    for name, hold in HOLDS.items():
        options.report(f"{name}: a hand's drags")
        sim = Simulation(load_scene(name), record=0)
        sim.advance(0.0 if hold.falling else LANDED)
        rest = sim.save()
        for task, path in list(PATHS.items())[: 1 if options.quick else None]:
            sim.restore(rest)
            yield {"case": name, "task": task, "program": OURS, **lead(sim, hold, path)}
            sim.director.release()
    for style in ("acceleration", "torque", "velocity"):
        options.report(f"hand: least {style}")
        head: Row = {"task": f"least {style}", "program": OURS}
        yield {"case": "chain", **head, "hardest": fold_chain(style)}
        yield {"case": "worm", **head, "excess": measure_excess(style)}


# --- a level of nothing but a singular row ----------------------------------------------------------------------------


def fold_chain(style: Style) -> float:
    """The hardest acceleration of a joint when a nearly straight chain is pulled along itself [rad/s²]."""
    builder = ModelBuilder("chain", gravity=(0.0, 0.0, 0.0))
    for k in range(4):
        parent, place = (f"link_{k - 1}", Pose((0.2, 0.0, 0.0))) if k else (GROUND, Pose())
        inside: dict[str, Any] = {"mass": 0.5, "center_of_mass": (0.1, 0, 0), "inertia": (1e-4, 2e-3, 2e-3, 0, 0, 0)}
        joint = JointSpec(kind="revolute", axes=((0, 0, 1),))
        builder.add(BodySpec(name=f"link_{k}", parent=parent, place=place, joint=joint, **inside))
    sim = Simulation(Scene(builder.build()), record=0)
    sim.set_state(np.array([0.0, 1e-3, -5e-4, 0.0]), np.zeros(4))
    sim.director.style(style)
    goal = sim.director.drag("link_3", point=(0.2, 0.0, 0.0), axes="x")
    goal.target = goal.position - (0.05, 0.0, 0.0)
    hardest = 0.0
    for _ in range(1000):
        sim.step()
        hardest = max(hardest, float(np.abs(sim.state.vdot).max()))
    return hardest


# --- what a style costs -----------------------------------------------------------------------------------------------


def measure_excess(style: Style) -> float:
    """How much more than the least a style costs, at worst, while the worm's head is led and its tail held."""
    sim = Simulation(load_scene("worm"), record=0)
    sim.advance(0.5)
    director = sim.director
    director.style(style)
    director.pin("bone_6", position=False, orientation=True)
    goal: Drag = director.drag("bone_0", point=(-0.06, 0.0, 0.0))
    start, begin = goal.position, sim.time
    goal.target = lambda t: (
        start + np.array([0.1 * math.sin(9 * (t - begin)), 0.15 * math.sin(9 * (t - begin)) ** 2, 0.0])
    )
    worst = 0.0
    for _ in range(40):
        sim.step(20)
        if not director.report()["relaxed"]:
            worst = max(worst, excess(director.workspace.work, len(director.characters[0].actuators)))
    return worst


def excess(work: Any, n: int) -> float:
    """What a command costs in its style, over the least within its bounds that gives the same rows, less one.

    The least by an independent dense program: the rows' null space, and least distance programming (Lawson & Hanson 1974,
    chapter 23) there.
    """
    H, c, x = work.style.H[:n, :n], work.style.c[:n], work.x[:n]
    best, rows = np.linalg.solve(H, c), work.rows.A[: work.rows.ends.max(), :n]
    Z = null_space(rows, rcond=1e-9) if len(rows) else np.eye(n)
    if Z.shape[1] == 0:
        return 0.0
    L = np.linalg.cholesky(Z.T @ H @ Z)
    ours = np.linalg.solve(L, Z.T @ H @ (x - best))  # distance from the optimum over the free directions, in L's norm
    base = max(float((x - best) @ H @ (x - best) - ours @ ours), 0.0)
    G, table = work.bounds.G[:, :n], work.bounds.rows
    sides = [
        (s * G[np.isfinite(edge)], s * edge[np.isfinite(edge)])
        for s, edge in ((1, table["upper"]), (-1, table["lower"]))
    ]
    G, edge = np.vstack([side[0] for side in sides]), np.concatenate([side[1] for side in sides])
    E = -np.linalg.solve(L, Z.T @ G.T).T
    room = np.maximum(edge - G @ x, 0.0)  # the command is within its bounds, to rounding
    least = least_distance(E, E @ ours - room)
    return float((base + ours @ ours) / max(base + least, 1e-9) - 1.0)


def least_distance(E: FloatArray, f: FloatArray) -> float:
    """Square of the shortest y with `E y >= f`."""
    scale = max(float(np.abs(f).max(initial=0.0)), 1e-300)
    w, _ = nnls(np.vstack([E.T, f / scale]), np.concatenate([np.zeros(E.shape[1]), [1.0]]))
    r = np.vstack([E.T, f / scale]) @ w - np.concatenate([np.zeros(E.shape[1]), [1.0]])
    y = -scale * r[:-1] / r[-1]
    return float(y @ y)
