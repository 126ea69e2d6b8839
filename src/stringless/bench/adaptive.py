"""Steps in which only the joints that matter move, beside steps of all: a pendulum of 300 links, and a crowd.

Table 1 of Redon, Galoppo & Lin 2005, joints that move by forces applied, timed in turns with our own engine `reduced` and
with the forward dynamics of other programs; and 200 figures of 95 degrees of freedom at falling budgets, weightless and on the
ground. Beside each time stands how far the bodies are from those of `reduced` after a while: a fast step that leads elsewhere is
no gain. Times are those that the thread has had a processor: turns of a crowd are long, and would be interrupted on a machine
that has other work.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from stringless.bench import adaptive_cases as cases
from stringless.bench.dynamics import enter_peer, forward_task, rebuild_model
from stringless.bench.harness import NO_ROW, Contest, Options, Row, at_least, figure, find, processor_clock
from stringless.model.scene import Scene

OURS, FULL = "stringless adaptive", "stringless reduced"
PENDULUM, CROWD = f"pendulum {cases.LINKS}", f"crowd {cases.PEOPLE}"
GROUNDED = f"{CROWD} on the ground"
ACTIVE = (1, 5, 10, 20, 50, 100, 150, 200, 250, 300)
FORCES = (1, 5, 10, 20, 50, 250)
"""The columns and rows of Table 1 of Redon, Galoppo & Lin 2005, and more columns where few joints move."""
QUICK_ACTIVE, QUICK_FORCES = (1, 20, 100, 150, 200, 250, 300), (1, 50)
SHARES = (1.0, 0.3, 0.1, 0.05, 0.01)
PROMISED_SHARE = 0.05
"""Of the joints of each figure; its root moves always and is not counted."""
USUAL, BETWEEN, RARE = 20, 100, 200
"""Steps from one choice of joints to the next: as usual, and rarest where we promise more; between them to see the way."""
NEVER = 10**9
FALLEN, ASLEEP = 1000, 8000
"""Steps after which the crowd on the ground is timed: when all have fallen, and when most are at rest."""
STEP, CHOSEN, CALLED = "step", "step, chosen every {interval}", "step, chosen every {interval}, Simulation.step"
SINGLY = f"step, chosen every {USUAL}, one a call"
"""Tasks: steps with the joints that were chosen once; with a choice every so many steps; the same as a user calls it,
many steps at once or each alone."""
FALLING, RESTING = "step, after the fall", "step, after 8 s"
"""Tasks of the crowd on the ground."""
FASTER = {"faster": FULL}
"""What stands beside each time: how many times as fast as `reduced` it is."""
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


def measure(options: Options) -> Iterator[Row]:
    """Run every part."""
    for forces in QUICK_FORCES if options.quick else FORCES:
        options.report(f"{PENDULUM}, {forces} forces")
        yield from time_pendulum(forces, options)
    options.report(CROWD)
    yield from time_crowd(options)
    options.report(GROUNDED)
    yield from time_grounded(options)
    yield from printed()


def timed(contest: Contest, seconds: float) -> list[Row]:
    """Rows with their times, and with how many times as fast as `reduced` each is."""
    return contest.rows(seconds, FASTER, turn=TURN, clock=processor_clock())


def enter_peers(contest: Contest, scene: Scene, options: Options, pieces: float = 1, **facts: Any) -> None:
    """Forward dynamics of other programs at the start of the first tree: accelerations alone, nothing moves on by them."""
    model, at = cases.alone(scene)
    task = forward_task(model, at)
    for peer in options.peers:
        enter_peer(contest, peer.name, task, rebuild_model(peer, model), pieces=pieces, task="forward", **facts)


# --- the pendulum -----------------------------------------------------------------------------------------------------


def time_pendulum(forces: int, options: Options) -> list[Row]:
    """Time per step of the pendulum for every number of joints that move; peers beside the first number of forces."""
    scene, first = cases.pendulum(), forces == FORCES[0]
    reduced = cases.simulated(scene, engine="reduced")
    cases.apply(reduced, forces)
    contest = Contest({"case": PENDULUM, "forces": forces})
    contest.enter(FULL, cases.Stretch(reduced, 1), task=STEP, active=cases.LINKS)
    for active in QUICK_ACTIVE if options.quick else ACTIVE:
        for task, interval, step in ((STEP, NEVER, None), (CHOSEN, USUAL, None), (CALLED, USUAL, cases.outer)):
            if step is cases.outer and not first:
                continue
            sim = cases.simulated(scene, active=active, update_every=interval)
            cases.apply(sim, forces)
            task, length = task.format(interval=interval), min(interval, PIECE)
            work = cases.Stretch(sim, length, step=step)
            contest.enter(f"{task}, {active}", work, pieces=length, program=OURS, task=task, active=active)
    if first:
        enter_peers(contest, scene, options, active=cases.LINKS)
    rows = timed(contest, 0.05 if options.quick else 0.5)
    return [*rows, *wander(scene, forces, options)] if first else rows


def wander(scene: Scene, forces: int, options: Options) -> Iterator[Row]:
    """How far the links are from those of `reduced` after a while, for every number of joints that move."""
    reduced = cases.simulated(scene, engine="reduced")
    cases.apply(reduced, forces)
    reduced.advance(LATER)
    head: Row = {"case": PENDULUM, "forces": forces, "task": f"apart after {LATER:g} s", "program": OURS}
    for active in QUICK_ACTIVE if options.quick else ACTIVE:
        sim = cases.simulated(scene, active=active, update_every=USUAL)
        cases.apply(sim, forces)
        sim.advance(LATER)
        yield head | {"active": active, "metres": cases.apart(sim, reduced)}


# --- the crowd --------------------------------------------------------------------------------------------------------


def intervals(share: float) -> tuple[int, ...]:
    """How often joints are chosen: with all of them there is nothing to choose."""
    if share == 1.0:
        return (USUAL,)
    return (USUAL, BETWEEN, RARE) if share == PROMISED_SHARE else (USUAL, RARE)


def time_crowd(options: Options) -> list[Row]:
    """Time per step of the crowd for every share of the joints, with usual and with rarer choices."""
    scene, contest = cases.crowd(), Contest({"case": CROWD})
    reduced = cases.Stretch(cases.simulated(scene, engine="reduced"), FRAME)
    contest.enter(FULL, reduced, pieces=FRAME, task=STEP, share=1.0)
    for share in (1.0, PROMISED_SHARE) if options.quick else SHARES:
        active = math.ceil(share * cases.joints_of(scene))
        facts: Row = {"pieces": FRAME, "program": OURS, "share": share, "active": active}
        for interval in intervals(share):
            work = cases.Stretch(cases.simulated(scene, active=active, update_every=interval), FRAME)
            # Both have gone the same number of steps by now.
            metres = cases.apart(work.sim, reduced.sim)
            contest.enter(f"{share}, {interval}", work, task=CHOSEN.format(interval=interval), metres=metres, **facts)
            if (share, interval) == (PROMISED_SHARE, USUAL):
                contest.enter(SINGLY, cases.Stretch(work.sim, FRAME, step=cases.singly), task=SINGLY, **facts)
    # One figure, as many times over as there are people.
    enter_peers(contest, scene, options, 1 / cases.PEOPLE, share=1.0, note=f"one figure, {cases.PEOPLE} times over")
    return timed(contest, 0.5 if options.quick else 5.0)


def time_grounded(options: Options) -> list[Row]:
    """Time per step of the crowd that has fallen on the ground, and of it asleep; beside `reduced` with the same contact."""
    scene = cases.crowd(ground=True)
    active = math.ceil(PROMISED_SHARE * cases.joints_of(scene))
    contest = Contest({"case": GROUNDED})
    reduced = cases.Stretch(cases.only_ground(cases.simulated(scene, engine="reduced")), FRAME, warm=FALLEN)
    contest.enter(FULL, reduced, pieces=FRAME, task=FALLING, share=1.0, active=cases.joints_of(scene))
    for task, warm in ((FALLING, FALLEN),) if options.quick else ((FALLING, FALLEN), (RESTING, ASLEEP)):
        sim = cases.simulated(scene, active=active, update_every=USUAL)
        work = cases.Stretch(sim, FRAME, warm=warm)
        facts: Row = {"share": PROMISED_SHARE, "active": active, "asleep": sim.asleep}
        contest.enter(task, work, pieces=FRAME, program=OURS, task=task, **facts)
    return timed(contest, 0.5 if options.quick else 5.0)


def printed() -> Iterator[Row]:
    """Table 1 of the paper, on a processor of 2.8 GHz."""
    head: Row = {"case": PENDULUM, "program": "Redon et al. 2005, as printed"}
    for forces, times in PRINTED.items():
        for active, taken in zip(PRINTED_ACTIVE, times, strict=True):
            task = CHOSEN.format(interval=USUAL) if active < cases.LINKS else STEP
            yield head | {"task": task, "active": active, "forces": forces, "microseconds": 1e3 * taken}


# --- claims -----------------------------------------------------------------------------------------------------------

ALONE, UPDATED = 50.0, 50.0
"""How many times as fast a step with one joint and one force must be as one with all, without and with choices."""
EVEN = 150.0
"""Joints up to which a step must be no slower than that of engine `reduced`."""
OFTEN, SELDOM = 5.0, 10.0
"""How many times as fast as `reduced` the crowd must be, with usual and with rarer choices."""


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise, from the rows measured."""
    usual = CHOSEN.format(interval=USUAL)
    head = f"pendulum of {cases.LINKS} links, one force"
    for task, limit, text in (
        (STEP, ALONE, "joints chosen once"),
        (usual, UPDATED, f"joints chosen every {USUAL} steps"),
    ):
        all_move, one_moves = (_row(rows, task, active).get("microseconds") for active in (cases.LINKS, 1))
        ratio = all_move / one_moves if all_move and one_moves else None
        yield at_least(f"{head}, {text}: time with all joints over time with one", limit, ratio, NO_ROW)
    text = f"{head}, chosen every {USUAL} steps: joints at which `reduced` is as fast"
    yield at_least(text, EVEN, break_even(rows), "a row is missing, or the engine is never faster")
    for interval, limit in ((USUAL, OFTEN), (RARE, SELDOM)):
        text = f"{CROWD}, {100 * PROMISED_SHARE:g} % of its joints, chosen every {interval} steps: times as fast as `reduced`"
        where: Row = {"case": CROWD, "task": CHOSEN.format(interval=interval), "program": OURS, "share": PROMISED_SHARE}
        yield at_least(text, limit, *figure(rows, "faster", **where))


def _row(rows: Sequence[Row], task: str, active: int) -> Row:
    """That of the pendulum with one force on it."""
    return find(rows, case=PENDULUM, task=task, program=OURS, active=active, forces=1) or {}


def break_even(rows: Sequence[Row]) -> float | None:
    """Active joints at which the adaptive engine, choosing as usual, is as fast as `reduced`: between those measured.

    All joints of the pendulum, if it is faster with all that were measured.
    """
    measured = [_row(rows, CHOSEN.format(interval=USUAL), active) for active in ACTIVE]
    points = [(float(row["active"]), float(row["faster"])) for row in measured if row]
    if not points or points[0][1] < 1.0 or points[-1][0] < EVEN:
        return None
    before, high = points[0]
    for active, faster in points[1:]:
        if faster < 1.0:
            return before + (active - before) * (high - 1.0) / (high - faster)
        before, high = active, faster
    return before
