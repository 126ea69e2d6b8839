"""Stiff joints in long steps: chains of 10 to 10,000 links with springs, dampers and limits, beside MuJoCo and DART.

Time per step; then ten seconds at 10 and at 30 ms of a chain let go level, with whether it stayed stable; the block
factorisations with bodies that move on their own, after Hernández, Garre, Casillas & Otaduy 2011, to compare; and a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stringless.bench import stiff_watch
from stringless.bench.options import Measured, Options, Row
from stringless.bench.peers import STIFF_PEERS, StiffPeer
from stringless.bench.peers.base import Peer, UnsupportedError
from stringless.bench.stiff_cases import HAND_DT, KINDS, NEAR, PROMISED, SIZES, STIFFEST, Chain, beyond, hand, lead
from stringless.bench.stiff_claims import HANDS, LED, OURS, WATCH, claims
from stringless.bench.timing import Repeat, best_times, limit_threads, repeated
from stringless.model.scene import Scene
from stringless.simulation import Simulation

ONE, KERNEL = "stringless, one step a call", "stringless, kernel"
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
"""When a chain that was let go has reached its stops, and is timed [s]."""
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


def measure(options: Options) -> Measured:
    """Run every part, then set the figures beside what we promise."""
    limit_threads()
    rows: list[Row] = []
    for kind in KINDS:
        for links in SIZES[:-1] if options.quick else SIZES:  # the longest is timed among its like in any case
            chain = Chain(kind, links)
            options.report(chain.name)
            rows += time_chain(chain, options)
        options.report(f"{kind} chains by size")
        rows += time_sizes(kind, options)
    for chain in watched_chains(options):
        options.report(f"{stiff_watch.SECONDS:g} s of {chain.name}")
        rows += watch_chain(chain, options)
    options.report("block factorisations")
    rows += compare_ways(options)
    options.report("hand")
    rows += time_hand(options)
    rows += [
        {"case": case, "task": "step", "program": "Hernández et al. 2011, as printed", "microseconds": taken}
        for case, taken in PRINTED.items()
    ]
    return Measured(rows, claims(rows))


def engine(scene: Scene, dt: float = DT, **ways: Any) -> Simulation:
    """A simulation with the stiff engine that records nothing."""
    return Simulation(scene, engine="stiff", dt=dt, record=0, **ways)


class Timed:
    """Steps from a state, going back there after every `window` of them."""

    def __init__(self, step: Callable[[int], object], back: Callable[[], None], window: int) -> None:
        """Begin anew."""
        self.step, self.back, self.window, self.done = step, back, window, 0

    def __call__(self, count: int) -> None:
        """Do `count` steps."""
        while count > 0:
            if self.done == self.window:
                self.back()
                self.done = 0
            some = min(count, self.window - self.done)
            self.step(some)
            self.done += some
            count -= some


def timed(sim: Simulation) -> Timed:
    """Steps of ours from where it is."""
    start = sim.save()
    return Timed(sim.step, lambda: sim.restore(start), WINDOW)


def timed_ways(sim: Simulation) -> dict[str, Repeat]:
    """Many steps a call, one step a call, and the kernel with nothing around it but its arguments."""
    start = sim.save()
    run = timed(sim)
    kernel = Timed(lambda count: sim.engine.run(sim.controls, sim.state, count), lambda: sim.restore(start), WINDOW)
    return {OURS: run, ONE: repeated(lambda: run(1)), KERNEL: kernel}


# --- time per step ----------------------------------------------------------------------------------------------------


def time_chain(chain: Chain, options: Options) -> list[Row]:
    """Time per step of a chain in its fall, ours and each peer from the same state, in turns."""
    scene = chain.scene()
    sim = engine(scene)
    sim.advance(FALLEN)
    contestants = timed_ways(sim)
    facts: dict[str, Row] = {name: {} for name in contestants}
    facts[OURS] = {"stops": int(np.sum(beyond(sim.model, sim.q) > -NEAR))}
    for name, build, note in rivals(chain.links, options):
        if note:
            facts[name] = {"note": note}
            continue
        try:
            peer = build(scene, DT)
        except UnsupportedError as error:
            facts[name] = {"note": f"skipped: {name} {error}"}
            continue
        facts[name] = {}
        contestants[name] = Timed(peer.step, peer.begin(sim.q.copy(), sim.v.copy()), BRIEF)
    times = best_times(contestants, 0.1 if options.quick else 1.0)
    rows: list[Row] = []
    for name, fact in facts.items():
        row: Row = {"case": chain.name, "links": chain.links, "task": "step", "program": name}
        if name in times:
            row |= {"microseconds": 1e6 * times[name], "ratio": times[OURS] / times[name]}
        rows.append(row | fact)
    return rows


def rivals(links: int, options: Options) -> list[tuple[str, Callable[[Scene, float], StiffPeer], str]]:
    """Every peer's ways of implicit steps, how each rebuilds a scene, and why it is not measured if it is not."""
    found: list[tuple[str, Callable[[Scene, float], StiffPeer], str]] = []
    for peer in options.peers:
        if peer.name in STIFF_PEERS:
            note = absent(peer, links, options)
            found += [(name, build, note) for name, build in STIFF_PEERS[peer.name].items()]
    return found


def absent(peer: Peer, links: int, options: Options) -> str:
    """Why a peer is not measured on a chain of this length; empty if it is."""
    if peer.available() is None:
        return f"missing: install {peer.package}"
    if links > LARGEST.get(peer.name, 0):
        return f"skipped: {TOO_LARGE[peer.name].format(links=f'{links:,}')}"
    if options.quick and links > LARGEST_QUICK:
        return f"skipped: beyond {LARGEST_QUICK} links peers are left out of a quick run"
    return ""


def time_sizes(kind: str, options: Options) -> list[Row]:
    """Chains of all lengths, ours, timed in turns with each other."""
    runs: dict[str, Repeat] = {}
    for links in SIZES:
        sim = engine(Chain(kind, links).scene())
        sim.advance(FALLEN)
        runs[str(links)] = timed(sim)
    times = best_times(runs, 0.3 if options.quick else 2.0)
    return [
        {
            "case": Chain(kind, links).name,
            "links": links,
            "task": "step, by size",
            "program": OURS,
            "microseconds": 1e6 * times[str(links)],
            "nanoseconds_per_link": 1e9 * times[str(links)] / links,
        }
        for links in SIZES
    ]


# --- ten seconds ------------------------------------------------------------------------------------------------------


def watched_chains(options: Options) -> list[Chain]:
    """Those we promise something about; short ones for the peers; and the longest, if there is time."""
    if options.quick:
        return [Chain("hinge", 10), Chain("hinge", 100), *PROMISED]
    others = [Chain(kind, links) for kind in KINDS for links in SIZES]
    return [*(chain for chain in others if chain not in PROMISED), *PROMISED, *STIFFEST]


def glance(options: Options) -> int:
    """After how many steps a chain is looked at again."""
    return GLANCE if options.quick else 1


def watch_chain(chain: Chain, options: Options) -> list[Row]:
    """Ten seconds of a chain at each step, ours and the peers'."""
    scene = chain.scene()
    rows: list[Row] = []
    for dt in STEPS:
        head: Row = {"case": chain.name, "links": chain.links, "task": WATCH.format(ms=1e3 * dt)}
        rows.append(
            head | {"program": OURS} | stiff_watch.watch(stiff_watch.ours(engine(scene, dt)), dt, every=glance(options))
        )
        for name, build, note in rivals(chain.links, options):
            if note:
                rows.append(head | {"program": name, "note": note})
                continue
            try:
                peer = build(scene, dt)
            except UnsupportedError as error:
                rows.append(head | {"program": name, "note": f"skipped: {name} {error}"})
                continue
            patience = BRIEF_PATIENCE if options.quick else PATIENCE
            seen = stiff_watch.watch(stiff_watch.theirs(scene, peer), dt, patience=patience)
            rows.append(head | {"program": name} | seen)
    return rows


# --- other ways -------------------------------------------------------------------------------------------------------


def compare_ways(options: Options) -> list[Row]:
    """The block factorisations: time per step, and what they do to a chain in ten seconds.

    A way whose numbers are those of the default, bit by bit, is not another way, and nothing is said of it.
    """
    rows: list[Row] = []
    for kind in KINDS:
        chain = Chain(kind, 100 if options.quick else 1000)
        scene = chain.scene()
        sims = {OURS: engine(scene), **{f"{OURS}, {way}": engine(scene, **choice) for way, choice in PAPER.items()}}
        for sim in sims.values():
            sim.advance(FALLEN)
        other = {name for name, sim in sims.items() if not np.array_equal(sim.q, sims[OURS].q)}
        times = best_times({name: timed(sims[name]) for name in (OURS, *other)}, 0.1 if options.quick else 1.0)
        head: Row = {"case": chain.name, "links": chain.links}
        for name in sims:
            row = head | {"task": "step, other ways", "program": name}
            rows.append(row | ({"microseconds": 1e6 * times[name]} if name in times else {"note": SAME_WAY}))
        for way, choice in PAPER.items():
            for dt in STEPS if f"{OURS}, {way}" in other else ():
                seen = stiff_watch.watch(stiff_watch.ours(engine(scene, dt, **choice)), dt, every=glance(options))
                rows.append(head | {"task": WATCH.format(ms=1e3 * dt), "program": f"{OURS}, {way}"} | seen)
    return rows


def time_hand(options: Options) -> list[Row]:
    """The articulated solve of a hand of 16 bones, without its flesh: let go, and led as by a glove."""
    rows: list[Row] = []
    for case in HANDS:
        sim = engine(hand(), HAND_DT)
        if case == LED:
            lead(sim)
        sim.step(10)
        times = best_times(timed_ways(sim), 0.2 if options.quick else 1.0)
        head: Row = {"case": case, "links": sim.model.body_count, "task": "step"}
        rows += [head | {"program": name, "microseconds": 1e6 * taken} for name, taken in times.items()]
    return rows
