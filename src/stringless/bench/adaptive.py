"""Steps in which only the joints that matter move, beside steps of all: a pendulum of 300 links, and a crowd.

Table 1 of Redon, Galoppo & Lin 2005, joints that move by forces applied, timed in turns with our own engine `reduced` and
with the forward dynamics of other programs; and 200 figures of 95 degrees of freedom at falling budgets, weightless and on the
ground. Beside each time stands how far the bodies are from those of `reduced` after a while: a fast step that leads elsewhere is
no gain. Times are those that the thread has had a processor: turns of a crowd are long, and would be interrupted on a machine
that has other work.
"""

from __future__ import annotations

import math

from stringless.bench.adaptive_cases import (
    ACTIVE,
    ASLEEP,
    BETWEEN,
    CROWD,
    FALLEN,
    FORCES,
    GROUNDED,
    LINKS,
    NEVER,
    PENDULUM,
    PEOPLE,
    PROMISED_SHARE,
    QUICK_ACTIVE,
    QUICK_FORCES,
    RARE,
    SHARES,
    USUAL,
    Stretch,
    alone,
    apart,
    apply,
    crowd,
    joints_of,
    only_ground,
    outer,
    pendulum,
    simulated,
    singly,
    sleeping,
)
from stringless.bench.adaptive_claims import CALLED, CHOSEN, FALLING, FULL, OURS, RESTING, SINGLY, STEP, claims
from stringless.bench.dynamics import examine, forward_task, rebuild
from stringless.bench.options import Measured, Options, Row
from stringless.bench.timing import Prepared, Repeat, best_times, limit_threads, processor_clock, repeated
from stringless.model.scene import Scene

TURN = 5e-3
"""How long a turn is meant to take: long beside what surrounds a call of compiled code, 50 µs [s]."""
FRAME = 20
"""Steps of the crowd in a call, about those of a frame. Characters run through a call one after the other, and each has to be
fetched once: in shorter calls a step takes longer."""
PIECE = 100
"""Steps in a piece of work where joints are never chosen again, or all move."""
LATER = 1.0
"""When motions are compared with those of `reduced` [s]."""
PRINTED = {
    1: (0.02, 0.51, 1.71, 2.97, 4.04, 5.40, 5.89),
    5: (0.07, 0.49, 1.54, 3.21, 4.34, 5.19, 5.89),
    10: (0.16, 0.73, 1.47, 3.03, 4.22, 5.16, 5.88),
    20: (0.40, 0.90, 1.60, 3.00, 4.72, 5.56, 5.90),
    50: (0.98, 1.40, 2.16, 3.58, 4.99, 5.59, 5.92),
    250: (1.83, 2.30, 2.97, 4.28, 5.43, 6.31, 6.04),
}
"""Table 1 as printed [ms]: forces by joints that move; the last column is that of all joints, without adapting."""
PRINTED_ACTIVE = (1, 50, 100, 150, 200, 250, 300)


def measure(options: Options) -> Measured:
    """Run every part, then set the figures beside what we promise."""
    limit_threads()
    rows: list[Row] = []
    for forces in QUICK_FORCES if options.quick else FORCES:
        options.report(f"{PENDULUM}, {forces} forces")
        rows += time_pendulum(forces, options)
    options.report(CROWD)
    rows += time_crowd(options)
    options.report(GROUNDED)
    rows += time_grounded(options)
    rows += printed()
    return Measured(rows, claims(rows))


# --- the pendulum -----------------------------------------------------------------------------------------------------


def time_pendulum(forces: int, options: Options) -> list[Row]:
    """Time per step of the pendulum for every number of joints that move; peers beside the first number of forces."""
    scene = pendulum()
    reduced = simulated(scene, engine="reduced")
    apply(reduced, forces)
    head: Row = {"case": PENDULUM, "forces": forces}
    facts: dict[str, Row] = {FULL: head | {"task": STEP, "program": FULL, "active": LINKS}}
    contestants: dict[str, Repeat | Prepared] = {FULL: Stretch(reduced, 1)}
    for active in QUICK_ACTIVE if options.quick else ACTIVE:
        for task, interval, step in (
            (STEP, NEVER, None),
            (CHOSEN.format(interval=USUAL), USUAL, None),
            (CALLED.format(interval=USUAL), USUAL, outer),
        ):
            if step is outer and forces != FORCES[0]:
                continue
            sim = simulated(scene, active=active, update_every=interval)
            apply(sim, forces)
            key = f"{task}, {active}"
            contestants[key] = Stretch(sim, min(interval, PIECE), step=step)
            facts[key] = head | {"task": task, "program": OURS, "active": active}
    lengths = {key: repeat.length for key, repeat in contestants.items() if isinstance(repeat, Stretch)}
    if forces == FORCES[0]:
        calls, said = peers(scene, head | {"task": "forward", "active": LINKS}, options)
        contestants |= calls
        facts |= said
    times = best_times(contestants, 0.05 if options.quick else 0.5, turn=TURN, clock=processor_clock())
    per_step = {key: 1e6 * taken / lengths.get(key, 1) for key, taken in times.items()}
    return finished(facts, per_step) + (wander(scene, forces, options) if forces == FORCES[0] else [])


def wander(scene: Scene, forces: int, options: Options) -> list[Row]:
    """How far the links are from those of `reduced` after a while, for every number of joints that move."""
    reduced = simulated(scene, engine="reduced")
    apply(reduced, forces)
    reduced.advance(LATER)
    rows: list[Row] = []
    for active in QUICK_ACTIVE if options.quick else ACTIVE:
        sim = simulated(scene, active=active, update_every=USUAL)
        apply(sim, forces)
        sim.advance(LATER)
        row: Row = {"case": PENDULUM, "forces": forces, "task": f"apart after {LATER:g} s", "program": OURS}
        rows.append(row | {"active": active, "metres": apart(sim, reduced)})
    return rows


# --- the crowd --------------------------------------------------------------------------------------------------------


def intervals(share: float) -> tuple[int, ...]:
    """How often joints are chosen: with all of them there is nothing to choose."""
    if share == 1.0:
        return (USUAL,)
    return (USUAL, BETWEEN, RARE) if share == PROMISED_SHARE else (USUAL, RARE)


def time_crowd(options: Options) -> list[Row]:
    """Time per step of the crowd for every share of the joints, with usual and with rarer choices."""
    scene = crowd()
    reduced = Stretch(simulated(scene, engine="reduced"), FRAME)
    facts: dict[str, Row] = {FULL: {"case": CROWD, "task": STEP, "program": FULL, "share": 1.0}}
    contestants: dict[str, Repeat | Prepared] = {FULL: reduced}
    for share in (1.0, PROMISED_SHARE) if options.quick else SHARES:
        active = math.ceil(share * joints_of(scene))
        for interval in intervals(share):
            stretch = Stretch(simulated(scene, active=active, update_every=interval), FRAME)
            key = f"{share}, {interval}"
            contestants[key] = stretch
            row: Row = {"case": CROWD, "task": CHOSEN.format(interval=interval), "program": OURS}
            # Both have gone the same number of steps by now.
            facts[key] = row | {"share": share, "active": active, "metres": apart(stretch.sim, reduced.sim)}
            if (share, interval) == (PROMISED_SHARE, USUAL):
                contestants[SINGLY] = Stretch(stretch.sim, FRAME, step=singly)
                facts[SINGLY] = row | {"task": SINGLY, "share": share, "active": active}
    calls, said = peers(scene, {"case": CROWD, "task": "forward", "share": 1.0}, options)
    times = best_times(contestants | calls, 0.5 if options.quick else 5.0, turn=TURN, clock=processor_clock())
    per_step = {key: 1e6 * taken * (PEOPLE if key in calls else 1 / FRAME) for key, taken in times.items()}
    for key in calls:
        said[key]["note"] = f"one figure, {PEOPLE} times over"
    return finished(facts | said, per_step)


def time_grounded(options: Options) -> list[Row]:
    """Time per step of the crowd that has fallen on the ground, and of it asleep; beside `reduced` with the same contact."""
    scene = crowd(ground=True)
    active = math.ceil(PROMISED_SHARE * joints_of(scene))
    head: Row = {"case": GROUNDED, "program": OURS, "share": PROMISED_SHARE, "active": active}
    reduced = Stretch(only_ground(simulated(scene, engine="reduced")), FRAME, warm=FALLEN)
    contestants: dict[str, Repeat | Prepared] = {FULL: reduced}
    facts: dict[str, Row] = {FULL: head | {"task": FALLING, "program": FULL, "share": 1.0, "active": joints_of(scene)}}
    for task, warm in ((FALLING, FALLEN),) if options.quick else ((FALLING, FALLEN), (RESTING, ASLEEP)):
        sim = simulated(scene, active=active, update_every=USUAL)
        contestants[task] = Stretch(sim, FRAME, warm=warm)
        facts[task] = head | {"task": task, "asleep": sleeping(sim)}
    times = best_times(contestants, 0.5 if options.quick else 5.0, turn=TURN, clock=processor_clock())
    return finished(facts, {key: 1e6 * taken / FRAME for key, taken in times.items()})


# --- both -------------------------------------------------------------------------------------------------------------


def peers(scene: Scene, head: Row, options: Options) -> tuple[dict[str, Repeat], dict[str, Row]]:
    """Forward dynamics of other programs at the start of the first tree: accelerations alone, nothing moves on by them."""
    model, at = alone(scene)
    task = forward_task(model, at)
    calls: dict[str, Repeat] = {}
    facts: dict[str, Row] = {}
    for peer in options.peers:
        call, fact = examine(task, rebuild(peer, model))
        facts[peer.name] = head | {"program": peer.name} | fact
        if call is not None:
            calls[peer.name] = repeated(call)
    return calls, facts


def finished(facts: dict[str, Row], per_step: dict[str, float]) -> list[Row]:
    """Rows with their times, and with how many times as fast as `reduced` each is."""
    rows: list[Row] = []
    for key, row in facts.items():
        if key in per_step:
            row = row | {"microseconds": per_step[key], "faster": per_step[FULL] / per_step[key]}
        rows.append(row)
    return rows


def printed() -> list[Row]:
    """Table 1 of the paper, on a processor of 2.8 GHz."""
    return [
        {
            "case": PENDULUM,
            "task": CHOSEN.format(interval=USUAL) if active < LINKS else STEP,
            "program": "Redon et al. 2005, as printed",
            "active": active,
            "forces": forces,
            "microseconds": 1e3 * taken,
        }
        for forces, times in PRINTED.items()
        for active, taken in zip(PRINTED_ACTIVE, times, strict=True)
    ]
