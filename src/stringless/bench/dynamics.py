"""Forward dynamics and its derivatives beside Pinocchio, DART and MuJoCo; time and memory over the length of a chain.

Ours is measured twice: called from Python, where arguments are checked and the result is allocated, and inside a
compiled loop, which is what an engine pays. Peers are called from Python, as their users call them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from stringless import dynamics
from stringless.bench.cases import CHAINS, SIZES, Case, Situation, cases, chain_name, situation
from stringless.bench.claims import at_most
from stringless.bench.options import Measured, Options, Row
from stringless.bench.peers.base import Peer, PeerModel, UnsupportedError
from stringless.bench.timing import Repeat, best_times, limit_threads, repeated
from stringless.dynamics.kernels_repeat import repeat_forward
from stringless.model.model import Model
from stringless.state.scratch import scratch

CALL, LOOP = "stringless", "stringless, compiled loop"
SAME = 1e-6
"""Largest relative difference between two programs that have computed the same thing."""
LARGEST_DERIVATIVES = 300
"""Degrees of freedom up to which the derivatives, three dense matrices, are measured."""
LARGEST_QUICK = 100
"""Degrees of freedom up to which a quick run measures derivatives, and peers where we promise nothing about them."""
FLAT_FROM = 100
"""Links from which the time per link of a chain is promised to be flat."""


class Task(NamedTuple):
    """Something that we and the peers can compute."""

    name: str
    ours: dict[str, Repeat]
    result: tuple[Any, ...]
    """What we find; a peer that finds something else is not timed."""
    call: Callable[[PeerModel], Callable[[], Any]]
    answer: Callable[[PeerModel], tuple[Any, ...]]


def measure(options: Options) -> Measured:
    """Run every case, then set the figures beside what we promise."""
    limit_threads()
    rows: list[Row] = []
    for case in cases(quick=options.quick):
        options.report(case.name)
        rows += measure_case(case, options)
    return Measured(rows, claims(rows))


def measure_case(case: Case, options: Options) -> list[Row]:
    """Time every task on one model, and weigh the model."""
    model = case.build()
    at = situation(model)
    brief = options.quick and not case.promised
    peers = {peer.name: rebuild(peer, model, brief=brief) for peer in options.peers}
    seconds = 1.0 if not options.quick else 0.3 if case.promised else 0.2 if case.links >= FLAT_FROM else 0.1
    head = {"case": case.name, "links": case.links, "dofs": model.nv}
    rows = [{**head, **row} for row in compete(forward_task(model, at), peers, seconds)]
    largest = LARGEST_QUICK if options.quick else LARGEST_DERIVATIVES
    if model.nv <= largest:
        rows += [{**head, **row} for row in compete(derivatives_task(model, at), peers, seconds)]
    else:
        note = f"skipped: three dense matrices, measured up to {largest} degrees of freedom"
        rows.append({**head, "task": "derivatives", "program": CALL, "note": note})
    rows.append({**head, "task": "memory", "program": CALL, "bytes_per_link": memory(model) / case.links})
    return rows


def rebuild(peer: Peer, model: Model, *, brief: bool = False) -> PeerModel | str:
    """The model in the peer's terms, or why there is none; `brief` leaves out what takes long to build."""
    if peer.available() is None:
        return f"missing: install {peer.package}"
    if brief and model.nv > LARGEST_QUICK:
        return f"skipped: beyond {LARGEST_QUICK} degrees of freedom peers are left out of a quick run"
    too_large = peer.refuse(model)
    if too_large:
        return f"skipped: {too_large}"
    try:
        return peer.build(model)
    except UnsupportedError as error:
        return f"skipped: {peer.name} {error}"


# --- tasks ------------------------------------------------------------------------------------------------------------


def forward_task(model: Model, at: Situation) -> Task:
    """Accelerations from efforts."""
    work = scratch(model)
    forward, (q, v, tau) = dynamics.forward, at
    vdot_out = np.empty(model.nv)

    def loop(count: int) -> None:
        repeat_forward(
            model.tree, model.dofs, model.q_rest, model.gravity, q, v, work.no_mask, work.no_vector, tau,
            work.no_external, count, work.bodies, work.dofs, vdot_out, work.vector,
        )  # fmt: skip

    return Task(
        "forward",
        {CALL: repeated(lambda: forward(model, q, v, tau)), LOOP: loop},
        (forward(model, q, v, tau),),
        lambda peer: peer.forward_call(*at),
        lambda peer: (peer.forward(*at),),
    )


def derivatives_task(model: Model, at: Situation) -> Task:
    """Derivatives of the accelerations by q, v and tau."""
    differentiate, (q, v, tau) = dynamics.forward_derivatives, at
    return Task(
        "derivatives",
        {CALL: repeated(lambda: differentiate(model, q, v, tau))},
        differentiate(model, q, v, tau),
        lambda peer: peer.derivatives_call(*at),
        lambda peer: peer.derivatives(*at),
    )


def memory(model: Model) -> int:
    """Bytes of the tables that dynamics reads and writes: model and scratch."""
    tables = [*vars(model).values(), *vars(scratch(model)).values()]
    return sum(table.nbytes for table in tables if isinstance(table, np.ndarray))


# --- comparing --------------------------------------------------------------------------------------------------------


def compete(task: Task, peers: dict[str, PeerModel | str], seconds: float) -> list[Row]:
    """One row for each of our ways and each peer: time, ratio, disagreement, or why there is no time."""
    contestants: dict[str, Repeat] = dict(task.ours)
    facts: dict[str, Row] = {}
    for name, peer in peers.items():
        call, facts[name] = examine(task, peer)
        if call is not None:
            contestants[name] = repeated(call)
    times = best_times(contestants, seconds)
    rows = [{"task": task.name, "program": name, "microseconds": 1e6 * times[name]} for name in task.ours]
    for name, fact in facts.items():
        row: Row = {"task": task.name, "program": name}
        if name in times:
            row["microseconds"] = 1e6 * times[name]
            row["ratio"] = times[CALL] / times[name]
            row |= {"ratio_loop": times[LOOP] / times[name]} if LOOP in times else {}
        rows.append(row | fact)
    return rows


def examine(task: Task, peer: PeerModel | str) -> tuple[Callable[[], Any] | None, Row]:
    """The call to time, if the peer can make it and finds what we find; and what to say about it."""
    if isinstance(peer, str):
        return None, {"note": peer}
    try:
        found = task.answer(peer)
        call = task.call(peer)
    except UnsupportedError as error:
        return None, {"note": f"skipped: {error}"}
    worst = max(disagreement(theirs, ours) for theirs, ours in zip(found, task.result, strict=True))
    if not worst <= SAME:
        return None, {"disagreement": worst, "note": f"disagrees by more than {SAME:g}, so it is not timed"}
    return call, {"disagreement": worst}


def disagreement(theirs: Any, ours: Any) -> float:
    """Largest difference, relative to the largest number of ours."""
    return float(np.max(np.abs(np.asarray(theirs) - ours)) / max(np.max(np.abs(ours)), np.finfo(float).tiny))


# --- claims -----------------------------------------------------------------------------------------------------------


def claims(rows: list[Row]) -> list[Row]:
    """Every figure we promise about dynamics, from the rows measured."""
    found: list[Row] = []
    for case in ("humanoid", "pendulum"):
        for peer, limit in (("pinocchio", 0.5), ("dart", 0.8)):
            for key, way in (("ratio", "called from Python"), ("ratio_loop", "in a compiled loop")):
                text = f"forward dynamics of the {case}, {way}: time over that of {peer}"
                found.append(at_most(text, *figure(rows, key, limit, case=case, task="forward", program=peer)))
    text = "derivatives of the humanoid, called from Python: time over that of pinocchio"
    found.append(at_most(text, *figure(rows, "ratio", 0.6, case="humanoid", task="derivatives", program="pinocchio")))
    reach = f"from {FLAT_FROM} to {SIZES[-1]} links"
    for chain in CHAINS:
        text = f"{chain} chain, compiled loop: longest over shortest time per link {reach}"
        times = {row["links"]: row["microseconds"] / row["links"] for row in along(rows, chain, "forward", LOOP)}
        found.append(at_most(text, *spread(times, 1.5)))
        text = f"{chain} chain: largest over smallest memory per link {reach}"
        sizes = {row["links"]: row["bytes_per_link"] for row in along(rows, chain, "memory", CALL)}
        found.append(at_most(text, *spread(sizes, 1.1)))
    return found


def find(rows: list[Row], **keys: str) -> Row | None:
    """The row with these entries."""
    return next((row for row in rows if all(row.get(key) == value for key, value in keys.items())), None)


def figure(rows: list[Row], key: str, limit: float, **keys: str) -> tuple[float | None, float, str]:
    """One number of one row with its limit, or why there is none."""
    row = find(rows, **keys)
    if row is None:
        return None, limit, f"there is no row for {keys['program']}"
    return row.get(key), limit, row.get("note", "")


def along(rows: list[Row], chain: str, task: str, program: str) -> list[Row]:
    """Rows of the chains for which we promise flatness, those that were measured."""
    sizes = [links for links in SIZES if links >= FLAT_FROM]
    named = (find(rows, case=chain_name(chain, links), task=task, program=program) for links in sizes)
    return [row for row in named if row is not None]


def spread(values: dict[int, float], limit: float) -> tuple[float | None, float, str]:
    """Largest over smallest, if both ends of the promised reach were measured."""
    if not {FLAT_FROM, SIZES[-1]} <= values.keys():
        return None, limit, "the shortest or the longest chain is not among the rows"
    return max(values.values()) / min(values.values()), limit, ""
