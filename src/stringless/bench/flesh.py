"""Flesh: time per step of the characters, phases, selective diagonalization, size, and MuJoCo's flex on the same mesh.

The tasks follow Kim & Pollard 2008: time per step with prescribed joints (Table 2, "Joint"), selective against full
diagonalization over flagged ratios (Figure 5) and over motions (Table 1).
"""

import copy
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from stringless.bench import flesh_cases as cases
from stringless.bench.flesh_stability import measure_stability, stability_claims
from stringless.bench.harness import (
    Contest,
    Loop,
    Options,
    Repeat,
    Row,
    at_most,
    best_times,
    difference,
    figure,
    parts,
    rebuild,
    repeated,
)
from stringless.bench.peers import FLESH_PEERS
from stringless.bench.peers.base import Peer
from stringless.bench.peers.mujoco_flex import FlexModel
from stringless.contact.records import Contact
from stringless.flesh.kernels_elastic import elastic_forces
from stringless.flesh.kernels_lanes import elastic_scratch
from stringless.model.flesh import Flesh
from stringless.model.scene import Scene
from stringless.scenes import load_scene
from stringless.simulation import Simulation

OURS = "stringless"
SAME = 1e-9
"""Largest relative difference of elastic forces from a peer that is timed."""
WAYS = ("selective", "full")
NUDGE = 0.01
"""How far nodes are moved for that comparison, in lengths of the shortest edge: every element within its range."""
RATIOS = tuple(k / 10 for k in range(11))
"""Flagged ratios of Figure 5."""
LEFT_OUT: dict[str, tuple[str, ...]] = {
    "whole step": (),
    "elastic": ("elements",),
    "self-contact": ("pairs",),
    "contact": ("vertices", "obstacles", "samples"),
    "nodes": ("nodes",),
}
"""What each variant of a step does without, besides what the variants before it do without."""
REST = "skeleton"
"""What is left at the end: kinematics, dynamics and integration of the bones."""


def measure(options: Options) -> Iterator[Row]:
    """Run every part."""
    for name in cases.CHARACTERS:
        options.report(name)
        yield from measure_character(name, options)
    options.report("selective diagonalization")
    yield from measure_ratios(options)
    for name, motion in cases.MOTIONS.items():
        options.report(f"motion: {name}")
        yield measure_motion(name, motion, options)
    yield from measure_sizes(options)
    yield from measure_stability(options)


# --- characters -------------------------------------------------------------------------------------------------------


def measure_character(name: str, options: Options) -> Iterator[Row]:
    """Time per step with prescribed joints and its phases; then, with passive joints, beside the peers."""
    scene = load_scene(name)
    flesh = tables(scene)
    head: Row = {"case": name, "nodes": len(flesh.nodes), "tets": len(flesh.elements), "vertices": len(flesh.vertices)}
    seconds = 0.1 if options.quick else 0.5
    for where in cases.PLACES:
        at = cases.prescribed(
            cases.settled(scene, where), cases.MOTIONS["wave" if where == "in the air" else "rest"], 0.3
        )
        contest = Contest({**head, "task": f"step {where}, prescribed joints"})
        contest.enter(OURS, at)
        (row,) = contest.rows(seconds)
        yield row | {"real_time": 1e-6 * row["microseconds"] / cases.DT, **counts(at.sim)}
        for part in phases(at, seconds):
            yield {**head, "task": f"phase {where}, prescribed joints", "program": OURS, **part}
        for row in compete(scene, where, options, seconds):
            yield head | row


def counts(sim: Simulation) -> Row:
    """What the last step found."""
    flagged, touching, _ = sim.engine.workspace.counts
    return {"flagged": float(flagged) / max(len(tables(sim.scene).elements), 1), "touching": int(touching)}


def tables(scene: Scene) -> Flesh:
    """The flesh of a scene that has some."""
    assert scene.model.flesh is not None
    return scene.model.flesh


def phases(at: cases.Situation, seconds: float) -> list[Row]:
    """Time and share of elastic forces, contact, nodes (carrying, dampers, gathering, integration) and skeleton.

    Phases are differences between whole steps of the same compiled code that do without more and more, so their sum is the
    step. A phase that the processor would overlap with the next one gets less than it would take alone.
    """
    gone = itertools.accumulate(LEFT_OUT.values())
    variants = {name: without(at, tables) for name, tables in zip(LEFT_OUT, gone, strict=True)}
    whole, taken = parts(variants, seconds, REST)
    return [{"phase": name, "microseconds": 1e6 * time, "share": time / whole} for name, time in taken.items()]


def without(at: cases.Situation, tables: tuple[str, ...]) -> cases.Situation:
    """The same situation with empty tables in place of some."""
    sim: Simulation = copy.copy(at.sim)
    sim.engine, sim.state = at.sim.engine.copy(), at.start.copy()
    workspace = sim.engine.workspace
    assert workspace is not None
    contact = workspace.contact_record
    skin = contact.skin._replace(pairs=contact.skin.pairs[:0]) if "pairs" in tables else contact.skin
    empty = {name: getattr(contact, name)[:0] for name in tables if name in Contact._fields}
    workspace.contact_record = contact._replace(skin=skin, **empty)
    for name in set(tables) - {"pairs", *Contact._fields}:
        setattr(workspace, name, getattr(workspace, name)[:0])
    return cases.Situation(sim, at.start)


def compete(scene: Scene, where: str, options: Options, seconds: float) -> list[Row]:
    """Passive joints, no self-contact, ours and each peer with flesh: time, ratio, or why there is none."""
    sim = cases.settled(scene, where, self_contact=False)
    contest = Contest({"task": f"step {where}, passive joints"})
    contest.enter(OURS, cases.Situation(sim))
    for peer in options.peers:
        if peer.name in FLESH_PEERS:
            enter_peer(contest, peer, scene, where)
    ours, *others = contest.rows(seconds, {"ratio": OURS})
    return [ours | counts(sim), *others]


def enter_peer(contest: Contest, peer: Peer, scene: Scene, where: str) -> None:
    """Let the peer's steps from the same place take part, if it has the same elastic forces and keeps its state."""
    place, wait = cases.PLACES[where]
    theirs: FlexModel | str = rebuild(peer, lambda: FLESH_PEERS[peer.name](place(scene), cases.DT))
    if isinstance(theirs, str):
        return contest.enter(peer.name, theirs)
    worst = disagreement(theirs, place(scene))
    if not worst <= SAME:
        return contest.enter(peer.name, f"disagrees by more than {SAME:g}, so it is not timed", disagreement=worst)
    theirs.step(round(wait / cases.DT))
    run = Loop(theirs.step, theirs.mark(), cases.WINDOW, afresh=True)
    run(cases.WINDOW)
    touching = theirs.touching
    wrong = "" if theirs.sound else "its state ran away, so it is not timed"
    if not wrong and (touching > 0) != (where == "in contact"):
        wrong = f"touches {touching} times {where}, so it is not timed"
    return contest.enter(peer.name, wrong or run, disagreement=worst, touching=touching)


def disagreement(theirs: FlexModel, scene: Scene) -> float:
    """Largest difference of elastic forces on free nodes moved at random, relative to the largest force."""
    sim = Simulation(scene, record=0)
    flesh = tables(scene)
    free = flesh.nodes["fixed"] == 0
    corners = flesh.rest[flesh.elements["n"]]
    shortest = float(np.linalg.norm(np.diff(corners, axis=1), axis=2).min())
    moved = NUDGE * shortest * np.random.default_rng(0).uniform(-1, 1, (int(free.sum()), 3))
    x = sim.flesh_positions.copy()
    x[free] += moved
    return difference(theirs.elastic_forces(moved), elastic(sim, x, full=False)[0][free])


def elastic(sim: Simulation, x: np.ndarray, *, full: bool) -> tuple[np.ndarray, int]:
    """Elastic forces at node positions `x`, and how many elements were decomposed."""
    force = np.zeros_like(x)
    count = elastic_forces(
        sim.engine.workspace.elements, sim.engine.workspace.materials, x, full, elastic_scratch(), force
    )
    return force, int(count)


# --- selective diagonalization ----------------------------------------------------------------------------------------


def measure_ratios(options: Options) -> Iterator[Row]:
    """Elastic forces of the worm, selective and full, with nodes scattered so far that a share of elements is flagged."""
    sim = Simulation(load_scene("worm"), record=0)
    head: Row = {"case": "worm", "task": "elastic forces at a flagged ratio", "program": OURS}
    for ratio in RATIOS:
        x, flagged = scattered(sim, ratio)
        ways = {way: elastic_loop(sim, x, full=way == "full") for way in WAYS}
        times = best_times(ways, 0.05 if options.quick else 0.3)
        yield {**head, "wanted": ratio, "flagged": flagged, **both_ways(times, 1)}


def both_ways(times: dict[str, float], pieces: int) -> Row:
    """Time of a piece with selective and with full diagonalization, and how they compare."""
    selective, full = (times[way] for way in WAYS)
    row: Row = {"microseconds": 1e6 * selective / pieces, "full_microseconds": 1e6 * full / pieces}
    return row | {"ratio": selective / full}


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
    workspace: Any = sim.engine.workspace
    work, force = elastic_scratch(), np.zeros_like(x)
    return repeated(lambda: elastic_forces(workspace.elements, workspace.materials, x, full, work, force))


def measure_motion(name: str, motion: cases.Motion, options: Options) -> Row:
    """A second of the worm with prescribed joints, each bit of it run with selective and with full diagonalization."""
    scene = cases.lifted(load_scene("worm"), motion.height)
    sims = {way: Simulation(scene, dt=cases.DT, record=0, diagonalization=way) for way in WAYS}
    sim = sims["selective"]
    if name != "drop":
        sim.advance(cases.LANDED)
    free = tables(scene).nodes["fixed"] == 0
    middle = sim.flesh_positions.mean(axis=0)
    sim.state.x[free] = middle + motion.swell * (sim.state.x[free] - middle)
    spent: dict[str, float] = dict.fromkeys(WAYS, 0.0)
    begin, flagged = sim.time, list[float]()
    for each in sims.values():
        each.prescribed[:] = cases.actuated(scene.model)
    length = 0.2 if options.quick else 1.0
    while sim.time < begin + length - cases.DT / 2:
        cases.steer(sim, motion)
        sims["full"].acceleration[:] = sim.acceleration
        at = {way: cases.Situation(each, sim.save()) for way, each in sims.items()}
        times = best_times({way: repeated(lambda s=s: s(cases.HELD)) for way, s in at.items()}, 0.0)
        for way, taken in times.items():
            spent[way] += taken
        at["selective"](cases.HELD)
        flagged.append(counts(sim)["flagged"])
    row: Row = {"case": "worm", "task": "motion", "motion": name, "program": OURS, "flagged": float(np.mean(flagged))}
    return row | both_ways(spent, len(flagged) * cases.HELD)


# --- size -------------------------------------------------------------------------------------------------------------


def measure_sizes(options: Options) -> Iterator[Row]:
    """Worms of more and more elements in the air, all timed in turns."""
    contest = Contest({"case": "worm", "task": "step in the air, by size", "program": OURS})
    for cells in cases.QUICK_SIZES if options.quick else cases.SIZES:
        scene = cases.sized_worm(cells)
        tets = len(tables(scene).elements)
        options.report(f"worm of {tets} tetrahedra")
        contest.enter(
            str(tets), cases.Situation(Simulation(scene, dt=cases.DT / 10, record=0)), program=OURS, tets=tets
        )
    for row in contest.rows(1.0 if options.quick else 3.0):
        yield row | {"nanoseconds_per_tet": 1e3 * row["microseconds"] / row["tets"]}


# --- claims -----------------------------------------------------------------------------------------------------------

PROMISED_RATIO = 0.3
FASTER_THAN_FLEX = {"worm": 4.0, "fish": 3.0, "finger": 3.0}
REAL_TIME = 8.0
SELECTIVE = 1.5
LINEAR = 1.3


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise about flesh, from the rows measured."""
    for where in cases.PLACES:
        text = (
            f"worm {where}, prescribed joints, 1 ms steps: time over simulated time (at least {REAL_TIME:g}x real time)"
        )
        yield at_most(
            text, 1 / REAL_TIME, *figure(rows, "real_time", case="worm", task=f"step {where}, prescribed joints")
        )
    text = "worms in the air from the smallest to the largest cage: most time per tetrahedron over that of any smaller cage"
    per_tet = [row["nanoseconds_per_tet"] for row in rows if "nanoseconds_per_tet" in row]
    growth = max((b / a for a, b in itertools.combinations(per_tet, 2)), default=None)
    yield at_most(text, LINEAR, growth, "fewer than two sizes")
    text = f"elastic forces at a flagged ratio of {PROMISED_RATIO:g}: selective over full (at least {SELECTIVE:g}x)"
    yield at_most(text, 1 / SELECTIVE, *figure(rows, "ratio", wanted=PROMISED_RATIO))
    for name, times in FASTER_THAN_FLEX.items():
        for where in cases.PLACES:
            text = f"{name} {where}, passive joints: time over that of MuJoCo's flex (at least {times:g}x)"
            wanted: Row = {"case": name, "task": f"step {where}, passive joints", "program": "mujoco"}
            yield at_most(text, 1 / times, *figure(rows, "ratio", **wanted))
    yield from stability_claims(rows)
