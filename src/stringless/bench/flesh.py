"""Flesh: time per step of the characters, phases, selective diagonalization, size, and MuJoCo's flex on the same mesh.

The tasks follow Kim & Pollard 2008: time per step with prescribed joints (Table 2, "Joint"), selective against full
diagonalization over flagged ratios (Figure 5) and over motions (Table 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless.bench import flesh_cases
from stringless.bench.claims import at_most
from stringless.bench.flesh_cases import (
    DT,
    HELD,
    MOTIONS,
    PLACES,
    WINDOW,
    Motion,
    Situation,
    again,
    prescribed,
    settled,
    steer,
)
from stringless.bench.flesh_phases import phases
from stringless.bench.options import Measured, Options, Row
from stringless.bench.peers import FLESH_PEERS, FleshPeer
from stringless.bench.peers.base import Peer, UnsupportedError
from stringless.bench.timing import Repeat, best_times, limit_threads
from stringless.flesh.elastic import elastic_scratch
from stringless.flesh.kernels_elastic import elastic_forces
from stringless.model.flesh import Flesh
from stringless.model.scene import Scene
from stringless.simulation import Simulation

OURS = "stringless"
SAME = 1e-9
"""Largest relative difference of elastic forces from a peer that is timed."""
NUDGE = 0.01
"""How far nodes are moved for that comparison, in lengths of the shortest edge: every element within its range."""
RATIOS = tuple(k / 10 for k in range(11))
"""Flagged ratios of Figure 5."""
PROMISED_RATIO = 0.3
FASTER_THAN_FLEX = {"worm": 4.0, "fish": 3.0, "finger": 3.0}
REAL_TIME = 8.0
SELECTIVE = 1.5
LINEAR = 1.3


def measure(options: Options) -> Measured:
    """Run every part, then set the figures beside what we promise."""
    limit_threads()
    rows: list[Row] = []
    for name in flesh_cases.CHARACTERS:
        options.report(name)
        rows += measure_character(name, options)
    options.report("selective diagonalization")
    rows += measure_ratios(options)
    for name, motion in MOTIONS.items():
        options.report(f"motion: {name}")
        rows.append(measure_motion(name, motion, options))
    rows += measure_sizes(options)
    return Measured(rows, claims(rows))


# --- characters -------------------------------------------------------------------------------------------------------


def measure_character(name: str, options: Options) -> list[Row]:
    """Time per step with prescribed joints and its phases; then, with passive joints, beside the peers."""
    scene = flesh_cases.character(name)
    flesh = tables(scene)
    head = {"case": name, "nodes": len(flesh.nodes), "tets": len(flesh.elements), "vertices": len(flesh.vertices)}
    seconds = 0.1 if options.quick else 0.5
    rows: list[Row] = []
    for where in PLACES:
        at = prescribed(settled(scene, where), MOTIONS["wave" if where == "in the air" else "rest"], 0.3)
        taken = best_times({OURS: at.run}, seconds)[OURS]
        row = {"task": f"step {where}, prescribed joints", "program": OURS, "microseconds": 1e6 * taken}
        rows.append({**head, **row, "real_time": taken / DT, **counts(at.sim)})
        parts = phases(at, seconds)
        rows += [{**head, "task": f"phase {where}, prescribed joints", "program": OURS, **part} for part in parts]
        rows += [{**head, **row} for row in compete(scene, where, options, seconds)]
    return rows


def counts(sim: Simulation) -> Row:
    """What the last step found."""
    assert sim.engine.workspace is not None
    flagged, touching, _ = sim.engine.workspace.counts
    return {"flagged": float(flagged) / max(len(tables(sim.scene).elements), 1), "touching": int(touching)}


def tables(scene: Scene) -> Flesh:
    """The flesh of a scene that has some."""
    assert scene.model.flesh is not None
    return scene.model.flesh


def compete(scene: Scene, where: str, options: Options, seconds: float) -> list[Row]:
    """Passive joints, no self-contact, ours and each peer with flesh: time, ratio, or why there is none."""
    sim = settled(scene, where, self_contact=False)
    at = Situation(sim, sim.save())
    contestants: dict[str, Repeat] = {OURS: at.run}
    facts: dict[str, Row] = {OURS: {}}
    for peer in options.peers:
        if peer.name in FLESH_PEERS:
            run, facts[peer.name] = examine(peer, scene, where, sim)
            contestants |= {peer.name: run} if run else {}
    times = best_times(contestants, seconds)
    facts[OURS] = counts(sim)
    rows: list[Row] = []
    for name, fact in facts.items():
        row: Row = {"task": f"step {where}, passive joints", "program": name}
        if name in times:
            row["microseconds"] = 1e6 * times[name]
            row |= {"ratio": times[OURS] / times[name]} if name != OURS else {}
        rows.append(row | fact)
    return rows


def examine(peer: Peer, scene: Scene, where: str, sim: Simulation) -> tuple[Repeat | None, Row]:
    """The peer's steps from the same place, if it has the same elastic forces and keeps its state; and what to say."""
    if peer.available() is None:
        return None, {"note": f"missing: install {peer.package}"}
    place, wait = PLACES[where]
    try:
        theirs = FLESH_PEERS[peer.name](place(scene), DT)
    except UnsupportedError as error:
        return None, {"note": f"skipped: {peer.name} {error}"}
    worst = disagreement(theirs, place(scene))
    if not worst <= SAME:
        return None, {"disagreement": worst, "note": f"disagrees by more than {SAME:g}, so it is not timed"}
    theirs.step(round(wait / DT))
    start = theirs.save()

    def run(count: int) -> None:
        again(count, lambda: theirs.restore(start), theirs.step)

    run(WINDOW)
    fact: Row = {"disagreement": worst, "touching": theirs.touching}
    if not theirs.sound:
        return None, fact | {"note": "its state ran away, so it is not timed"}
    if (theirs.touching > 0) != (where == "in contact"):
        return None, fact | {"note": f"touches {theirs.touching} times {where}, so it is not timed"}
    return run, fact


def disagreement(theirs: FleshPeer, scene: Scene) -> float:
    """Largest difference of elastic forces on free nodes moved at random, relative to the largest force."""
    sim = Simulation(scene, record=0)
    flesh = tables(scene)
    free = flesh.nodes["fixed"] == 0
    corners = flesh.rest[flesh.elements["n"]]
    shortest = float(np.linalg.norm(np.diff(corners, axis=1), axis=2).min())
    moved = NUDGE * shortest * np.random.default_rng(0).uniform(-1, 1, (int(free.sum()), 3))
    x = sim.flesh_positions.copy()
    x[free] += moved
    ours = elastic(sim, x, full=False)[0][free]
    return float(np.max(np.abs(theirs.elastic_forces(moved) - ours)) / np.max(np.abs(ours)))


def elastic(sim: Simulation, x: np.ndarray, *, full: bool) -> tuple[np.ndarray, int]:
    """Elastic forces at node positions `x`, and how many elements were decomposed."""
    assert sim.engine.workspace is not None
    force = np.zeros_like(x)
    count = elastic_forces(
        sim.engine.workspace.elements, sim.engine.workspace.materials, x, full, *elastic_scratch(), force
    )
    return force, int(count)


# --- selective diagonalization ----------------------------------------------------------------------------------------


def measure_ratios(options: Options) -> list[Row]:
    """Elastic forces of the worm, selective and full, with nodes scattered so far that a share of elements is flagged."""
    sim = Simulation(flesh_cases.character("worm"), record=0)
    seconds = 0.05 if options.quick else 0.3
    rows: list[Row] = []
    for ratio in RATIOS:
        x, flagged = scattered(sim, ratio)
        times = best_times(
            {"selective": elastic_loop(sim, x, full=False), "full": elastic_loop(sim, x, full=True)}, seconds
        )
        row: Row = {"case": "worm", "task": "elastic forces at a flagged ratio", "program": OURS, "wanted": ratio}
        row |= {"flagged": flagged, "microseconds": 1e6 * times["selective"], "full_microseconds": 1e6 * times["full"]}
        rows.append(row | {"ratio": times["selective"] / times["full"]})
    return rows


def scattered(sim: Simulation, ratio: float) -> tuple[np.ndarray, float]:
    """Node positions with about `ratio` of the elements beyond their range, here and there; and the ratio reached."""
    rest = tables(sim.scene).rest
    total = len(tables(sim.scene).elements)
    if ratio in (0.0, 1.0):
        x = np.ascontiguousarray(rest * (1.0 + ratio))
        return x, elastic(sim, x, full=False)[1] / total
    shift = np.random.default_rng(1).normal(size=rest.shape)
    low, high = 0.0, 0.05
    for _ in range(30):
        middle = 0.5 * (low + high)
        below = elastic(sim, rest + middle * shift, full=False)[1] < ratio * total
        low, high = (middle, high) if below else (low, middle)
    return rest + high * shift, elastic(sim, rest + high * shift, full=False)[1] / total


def elastic_loop(sim: Simulation, x: np.ndarray, *, full: bool) -> Repeat:
    """Call the kernel over and over."""
    room: Any = sim.engine.workspace
    work, force = elastic_scratch(), np.zeros_like(x)

    def repeat(count: int) -> None:
        for _ in range(count):
            elastic_forces(room.elements, room.materials, x, full, *work, force)

    return repeat


def measure_motion(name: str, motion: Motion, options: Options) -> Row:
    """A second of the worm with prescribed joints, each bit of it run with selective and with full diagonalization."""
    scene = flesh_cases.lifted(flesh_cases.character("worm"), motion.height)
    ways = {way: Simulation(scene, dt=DT, record=0, diagonalization=way) for way in ("selective", "full")}
    sim = ways["selective"]
    if name != "drop":
        sim.advance(flesh_cases.LANDED)
    free = tables(scene).nodes["fixed"] == 0
    middle = sim.flesh_positions.mean(axis=0)
    sim.state.x[free] = middle + motion.swell * (sim.state.x[free] - middle)
    begin, spent, flagged = sim.time, dict.fromkeys(ways, 0.0), []
    for each in ways.values():
        each.prescribed[:] = flesh_cases.actuated(scene.model)
    length = 0.2 if options.quick else 1.0
    while sim.time < begin + length - DT / 2:
        steer(sim, motion)
        ways["full"].acceleration[:] = sim.acceleration
        at = {way: Situation(each, sim.save()) for way, each in ways.items()}
        times = best_times({way: lambda count, s=s: [s.run(HELD) for _ in range(count)] for way, s in at.items()}, 0.0)
        for way, taken in times.items():
            spent[way] += taken
        at["selective"].run(HELD)
        flagged.append(counts(sim)["flagged"])
    steps = len(flagged) * HELD
    row: Row = {"case": "worm", "task": "motion", "motion": name, "program": OURS, "flagged": float(np.mean(flagged))}
    row |= {"microseconds": 1e6 * spent["selective"] / steps, "full_microseconds": 1e6 * spent["full"] / steps}
    return row | {"ratio": spent["selective"] / spent["full"]}


# --- size -------------------------------------------------------------------------------------------------------------


def measure_sizes(options: Options) -> list[Row]:
    """Worms of more and more elements in the air, all timed in turns."""
    situations: dict[int, Situation] = {}
    for cells in flesh_cases.QUICK_SIZES if options.quick else flesh_cases.SIZES:
        scene = flesh_cases.sized_worm(cells)
        options.report(f"worm of {len(tables(scene).elements)} tetrahedra")
        sim = Simulation(scene, dt=DT / 10, record=0)
        situations[len(tables(scene).elements)] = Situation(sim, sim.save())
    contestants = {str(tets): at.run for tets, at in situations.items()}
    times = best_times(contestants, 1.0 if options.quick else 3.0)
    return [
        {
            "case": "worm",
            "task": "step in the air, by size",
            "program": OURS,
            "tets": tets,
            "microseconds": 1e6 * times[str(tets)],
            "nanoseconds_per_tet": 1e9 * times[str(tets)] / tets,
        }
        for tets in situations
    ]


# --- claims -----------------------------------------------------------------------------------------------------------


def claims(rows: list[Row]) -> list[Row]:
    """Every figure we promise about flesh, from the rows measured."""
    found: list[Row] = []
    for where in PLACES:
        text = (
            f"worm {where}, prescribed joints, 1 ms steps: time over simulated time (at least {REAL_TIME:g}x real time)"
        )
        row = next(
            (row for row in rows if row["case"] == "worm" and row["task"].startswith(f"step {where}, pre")), None
        )
        found.append(at_most(text, row["real_time"] if row else None, 1 / REAL_TIME, "there is no such row"))
    per_tet = [row["nanoseconds_per_tet"] for row in rows if "nanoseconds_per_tet" in row]
    text = "worms in the air from the smallest to the largest cage: most time per tetrahedron over that of any smaller cage"
    found.append(at_most(text, growth(per_tet), LINEAR, "fewer than two sizes"))
    text = f"elastic forces at a flagged ratio of {PROMISED_RATIO:g}: selective over full (at least {SELECTIVE:g}x)"
    row = next((row for row in rows if row.get("wanted") == PROMISED_RATIO), None)
    found.append(at_most(text, row["ratio"] if row else None, 1 / SELECTIVE, "there is no such row"))
    for name, times in FASTER_THAN_FLEX.items():
        for where in PLACES:
            text = f"{name} {where}, passive joints: time over that of MuJoCo's flex (at least {times:g}x)"
            found.append(at_most(text, *against(rows, name, where, 1 / times)))
    return found


def growth(values: list[float]) -> float | None:
    """The largest factor between a value and one before it."""
    if len(values) < 2:
        return None
    return max(b / a for k, b in enumerate(values) for a in values[:k])


def against(rows: list[Row], name: str, where: str, limit: float) -> tuple[float | None, float, str]:
    """Our time over that of MuJoCo in one situation, or why there is none."""
    wanted = {"case": name, "task": f"step {where}, passive joints", "program": "mujoco"}
    row = next((row for row in rows if wanted.items() <= row.items()), None)
    if row is None:
        return None, limit, "mujoco is not among the peers"
    return row.get("ratio"), limit, row.get("note", "")
