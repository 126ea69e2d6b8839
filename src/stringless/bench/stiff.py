"""Stiff joints in long steps: chains of 10 to 10,000 links with springs, dampers and limits, beside MuJoCo and DART.

Time per step; then ten seconds at 10 and at 30 ms of a chain let go level, with whether it stayed stable; the block
factorisations with bodies that move on their own, after Hernández, Garre, Casillas & Otaduy 2011, to compare; and a hand.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from stringless.bench import stiff_cases
from stringless.bench.harness import NO_ROW, Contest, Loop, Options, Row, at_most, figure, find, rebuild, repeated
from stringless.bench.peers import STIFF_PEERS
from stringless.bench.peers.base import StiffPeer
from stringless.bench.stiff_cases import HAND_DT, KINDS, NEAR, PROMISED, SIZES, STIFFEST, Chain, beyond, hand, lead
from stringless.model.scene import Scene
from stringless.simulation import Simulation

OURS = "stringless"
ONE, KERNEL = f"{OURS}, one step a call", f"{OURS}, kernel"
WATCH = "10 s at {ms:g} ms"
"""The task of a chain that is watched."""
HANDS = ("hand", LED := "hand led by a glove")
PAPER: dict[str, dict[str, Any]] = {
    "ldlt": {"solver": "ldlt"},
    "ldlt, bodies": {"solver": "ldlt", "update": "bodies"},
    "ldu, bodies": {"solver": "ldu", "update": "bodies"},
}
"""Other ways of the stiff engine: solver, and whether each body moves on its own."""
PRINTED = {Chain("hinge", 1000).name: 22e3, Chain("hinge", 10000).name: 285e3, LED: 360.0}
"""Times per frame that the paper prints, on one core of 2.4 GHz [µs]."""
DT = 0.01
STEPS = (0.01, 0.03)
"""Lengths of the steps with which chains are watched [s]."""
FALLEN = 0.5
"""When a chain that was let go has reached its limits, and is timed [s]."""
WINDOW, BRIEF = 100, 5
"""Steps after which a timed chain goes back to where it was; peers sooner, for some run away in a few steps."""
LARGEST = {"mujoco": 1000, "dart": 1000}
LARGEST_QUICK = 100
"""Links up to which peers are measured, and in a quick run."""
TOO_LARGE = {
    "mujoco": "a full matrix of {links} coordinates is 800 MB; building it and one step were not done within 280 s, at 4 GB",
    "dart": "building {links} bodies would take it hours: it takes 2 s for 500, 20 s for 1,000",
}
GLANCE = 10
"""Steps after which a quick run looks at a chain again; a whole run looks after every one."""
SAME_WAY = "not measured: it steps to the very numbers of the default, so this choice has no effect"
PATIENCE, BRIEF_PATIENCE = 60.0, 1.0
"""How long a peer may take for one watch, and in a quick run [s]."""


def measure(options: Options) -> Iterator[Row]:
    """Run every part."""
    for kind in KINDS:
        for links in SIZES[:-1] if options.quick else SIZES:  # the longest is timed among its like in any case
            chain = Chain(kind, links)
            options.report(chain.name)
            yield from time_chain(chain, options)
        options.report(f"{kind} chains by size")
        yield from time_sizes(kind, options)
    for chain in watched_chains(options):
        options.report(f"{stiff_cases.SECONDS:g} s of {chain.name}")
        yield from watch_chain(chain, options)
    options.report("block factorisations")
    yield from compare_ways(options)
    options.report("hand")
    yield from time_hand(options)
    for case, taken in PRINTED.items():
        yield {"case": case, "task": "step", "program": "Hernández et al. 2011, as printed", "microseconds": taken}


def engine(scene: Scene, dt: float = DT, **ways: Any) -> Simulation:
    """A simulation with the stiff engine that records nothing."""
    return Simulation(scene, engine="stiff", dt=dt, record=0, **ways)


def timed(sim: Simulation) -> Loop:
    """Steps of ours from where it is."""
    start = sim.save()
    return Loop(sim.step, lambda: sim.restore(start), WINDOW)


def enter_ways(contest: Contest, sim: Simulation, **facts: Any) -> None:
    """Many steps a call, one step a call, and the kernel with nothing around it but its arguments."""
    start = sim.save()
    run = timed(sim)
    contest.enter(OURS, run, **facts)
    contest.enter(ONE, repeated(lambda: run(1)))
    kernel = Loop(lambda count: sim.engine.run(sim.controls, sim.state, count), lambda: sim.restore(start), WINDOW)
    contest.enter(KERNEL, kernel)


# --- time per step ----------------------------------------------------------------------------------------------------


def time_chain(chain: Chain, options: Options) -> list[Row]:
    """Time per step of a chain in its fall, ours and each peer from the same state, in turns."""
    scene = chain.scene()
    sim = engine(scene)
    sim.advance(FALLEN)
    contest = Contest({"case": chain.name, "links": chain.links, "task": "step"})
    enter_ways(contest, sim, stops=int(np.sum(beyond(sim.model, sim.q) > -NEAR)))
    for name, peer in rivals(scene, chain.links, DT, options):
        begun = peer if isinstance(peer, str) else Loop(peer.step, peer.begin(sim.q.copy(), sim.v.copy()), BRIEF)
        contest.enter(name, begun)
    return contest.rows(0.1 if options.quick else 1.0, {"ratio": OURS})


def rivals(scene: Scene, links: int, dt: float, options: Options) -> Iterator[tuple[str, StiffPeer | str]]:
    """Every peer's ways of implicit steps, with the scene rebuilt, or why it is not measured."""
    for peer in options.peers:
        too_long = TOO_LARGE[peer.name].format(links=f"{links:,}") if links > LARGEST.get(peer.name, links) else ""
        beyond_quick = f"beyond {LARGEST_QUICK} links peers are left out of a quick run"
        for name, build in STIFF_PEERS.get(peer.name, {}).items():
            left_out = beyond_quick if options.quick and links > LARGEST_QUICK else ""
            make: Callable[[], StiffPeer] = lambda build=build: build(scene, dt)  # noqa: E731
            yield name, rebuild(peer, make, too_long, left_out, name=name)


def time_sizes(kind: str, options: Options) -> Iterator[Row]:
    """Chains of all lengths, ours, timed in turns with each other."""
    contest = Contest({"task": "step, by size"})
    for links in SIZES:
        sim = engine(Chain(kind, links).scene())
        sim.advance(FALLEN)
        contest.enter(str(links), timed(sim), program=OURS, case=Chain(kind, links).name, links=links)
    for row in contest.rows(0.3 if options.quick else 2.0):
        yield row | {"nanoseconds_per_link": 1e3 * row["microseconds"] / row["links"]}


# --- ten seconds ------------------------------------------------------------------------------------------------------


def watched_chains(options: Options) -> list[Chain]:
    """Those we promise something about; short ones for the peers; and the longest, if there is time."""
    if options.quick:
        return [Chain("hinge", 10), Chain("hinge", 100), *PROMISED]
    others = [Chain(kind, links) for kind in KINDS for links in SIZES]
    return [*(chain for chain in others if chain not in PROMISED), *PROMISED, *STIFFEST]


def watch_ours(scene: Scene, dt: float, options: Options, **ways: Any) -> Row:
    """Ten seconds of ours."""
    return stiff_cases.watch(stiff_cases.ours(engine(scene, dt, **ways)), dt, every=GLANCE if options.quick else 1)


def watch_chain(chain: Chain, options: Options) -> Iterator[Row]:
    """Ten seconds of a chain at each step, ours and the peers'."""
    scene = chain.scene()
    for dt in STEPS:
        head: Row = {"case": chain.name, "links": chain.links, "task": WATCH.format(ms=1e3 * dt)}
        yield head | {"program": OURS} | watch_ours(scene, dt, options)
        for name, peer in rivals(scene, chain.links, dt, options):
            patience = BRIEF_PATIENCE if options.quick else PATIENCE
            note: Row = {"note": peer}
            seen = (
                note
                if isinstance(peer, str)
                else stiff_cases.watch(stiff_cases.theirs(scene, peer), dt, patience=patience)
            )
            yield head | {"program": name} | seen


# --- other ways -------------------------------------------------------------------------------------------------------


def compare_ways(options: Options) -> Iterator[Row]:
    """The block factorisations: time per step, and what they do to a chain in ten seconds.

    A way whose numbers are those of the default, bit by bit, is not another way, and nothing is said of it.
    """
    for kind in KINDS:
        chain = Chain(kind, 100 if options.quick else 1000)
        scene = chain.scene()
        sims = {OURS: engine(scene), **{f"{OURS}, {way}": engine(scene, **choice) for way, choice in PAPER.items()}}
        contest = Contest({"case": chain.name, "links": chain.links, "task": "step, other ways"})
        for name, sim in sims.items():
            sim.advance(FALLEN)
            same = name != OURS and np.array_equal(sim.q, sims[OURS].q)
            contest.enter(name, SAME_WAY if same else timed(sim))
        yield from contest.rows(0.1 if options.quick else 1.0)
        for way, choice in PAPER.items():
            for dt in STEPS if f"{OURS}, {way}" in contest.works else ():
                head = {**contest.head, "task": WATCH.format(ms=1e3 * dt), "program": f"{OURS}, {way}"}
                yield head | watch_ours(scene, dt, options, **choice)


def time_hand(options: Options) -> Iterator[Row]:
    """The articulated solve of a hand of 16 bones, without its flesh: let go, and led as by a glove."""
    for case in HANDS:
        sim = engine(hand(), HAND_DT)
        if case == LED:
            lead(sim)
        sim.step(10)
        contest = Contest({"case": case, "links": sim.model.body_count, "task": "step"})
        enter_ways(contest, sim)
        yield from contest.rows(0.2 if options.quick else 1.0)


# --- claims -----------------------------------------------------------------------------------------------------------

LONGEST = 500.0
"""Time for a step of 1,000 links [µs]."""
LINEAR = 1.2
"""Time per link of 10,000 links over that of 1,000."""
GAP = 1e-9
"""How far joints may open [m]."""
HAND = 15.0
"""Time for a step of the hand's bones [µs]."""


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise, from the rows measured."""
    for kind in KINDS:
        sizes = {row["links"]: row for row in rows if row["case"].startswith(kind) and row["task"] == "step, by size"}
        taken = sizes[1000]["microseconds"] if 1000 in sizes else None
        yield at_most(f"{kind} chain of 1,000 links: time per step [µs]", LONGEST, taken, NO_ROW)
        both = {1000, 10000} <= sizes.keys()
        ratio = sizes[10000]["nanoseconds_per_link"] / sizes[1000]["nanoseconds_per_link"] if both else None
        yield at_most(f"{kind} chain: time per link of 10,000 links over that of 1,000", LINEAR, ratio, NO_ROW)
    for chain in PROMISED:
        yield from watch_claims(rows, chain.name)
    for case in HANDS:
        text = f"articulated solve of the {case}, 16 bones [µs]"
        yield at_most(text, HAND, *figure(rows, "microseconds", case=case, task="step", program=OURS))


def watch_claims(rows: Sequence[Row], case: str) -> Iterator[Row]:
    """Of one chain: stable with its limits hit, gaps closed, no energy gained in short steps."""
    for ms in (10, 30):
        head = f"{case}, {WATCH.format(ms=ms)}"
        row = find(rows, case=case, task=WATCH.format(ms=ms), program=OURS) or {}
        stable = row.get("stable")
        bad = None if stable is None else float(not (stable and row["stops"] > 0))
        yield at_most(f"{head}, limits hit: 0 if stable", 0.0, bad, NO_ROW)
        still = None if row.get("still") is None else float(row["still"])
        yield at_most(f"{head}: 1 if it comes to stand still in the air", 0.0, still, "it did not last")
        text = f"{head}: largest gap of a joint, whose poses follow from its coordinates [m]"
        yield at_most(text, GAP, row.get("gap") if stable else None, "it did not stay stable")
        if ms == 10:
            text = f"{head}: largest rise of energy above its start, over what it can fall"
            yield at_most(text, 0.0, row.get("energy_gain"), NO_ROW)
