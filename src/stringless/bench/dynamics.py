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
from stringless.bench.peers.base import Peer, PeerModel, Unsupported
from stringless.bench.timing import Repeat, best_times, limit_threads, repeated
from stringless.dynamics.kernels_repeat import repeat_forward
from stringless.model.model import Model
from stringless.state.scratch import scratch

CALL, LOOP = "stringless", "stringless, compiled loop"
SAME = 1e-6
"""Largest relative difference between two programs that have computed the same thing."""
LARGEST_DERIVATIVES = 300
"""Degrees of freedom up to which the derivatives, three dense matrices, are measured."""
LARGEST_QUICK = 300
"""Links up to which peers take part in a quick run."""
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
    for case in cases():
        options.report(case.name)
        rows += measure_case(case, options)
    return Measured(rows, claims(rows))


def measure_case(case: Case, options: Options) -> list[Row]:
    """Time every task on one model, and weigh the model."""
    model = case.build()
    at = situation(model)
    peers = {peer.name: rebuild(peer, model, options) for peer in options.peers}
    head = {"case": case.name, "links": case.links, "dofs": model.nv}
    rows = [{**head, **row} for row in compete(forward_task(model, at), peers, options)]
    task = derivatives_task(model, at)
    if task is not None:
        rows += [{**head, **row} for row in compete(task, peers, options)]
    rows.append({**head, "task": "memory", "program": CALL, "bytes_per_link": memory(model) / case.links})
    return rows


def rebuild(peer: Peer, model: Model, options: Options) -> PeerModel | str:
    """The model in the peer's terms, or why there is none."""
    if peer.available() is None:
        return f"missing: install {peer.package}"
    if options.quick and model.body_count > LARGEST_QUICK:
        return f"skipped: beyond {LARGEST_QUICK} links peers are left out of a quick run"
    too_large = peer.refuse(model)
    if too_large:
        return f"skipped: {too_large}"
    try:
        return peer.build(model)
    except Unsupported as error:
        return f"skipped: {peer.name} {error}"


# --- tasks ------------------------------------------------------------------------------------------------------------


def forward_task(model: Model, at: Situation) -> Task:
    """Accelerations from efforts."""
    work = scratch(model)
    vdot_out = np.empty(model.nv)

    def loop(count: int) -> None:
        repeat_forward(
            model.tree, model.dofs, model.q_rest, model.gravity, at.q, at.v, work.no_mask, work.no_vector, at.tau,
            work.no_external, count, work.bodies, work.dofs, vdot_out, work.vector,
        )  # fmt: skip

    return Task(
        "forward",
        {CALL: repeated(lambda: dynamics.forward(model, *at)), LOOP: loop},
        (dynamics.forward(model, *at),),
        lambda peer: peer.forward_call(*at),
        lambda peer: (peer.forward(*at),),
    )


def derivatives_task(model: Model, at: Situation) -> Task | None:
    """Derivatives of the accelerations by q, v and tau; nothing where the matrices are too large."""
    differentiate = getattr(dynamics, "forward_derivatives", None)
    if model.nv > LARGEST_DERIVATIVES or differentiate is None:
        return None
    return Task(
        "derivatives",
        {CALL: repeated(lambda: differentiate(model, *at))},
        tuple(differentiate(model, *at)),
        lambda peer: peer.derivatives_call(*at),
        lambda peer: peer.derivatives(*at),
    )


def memory(model: Model) -> int:
    """Bytes of the tables that dynamics reads and writes: model and scratch."""
    tables = [*vars(model).values(), *vars(scratch(model)).values()]
    return sum(table.nbytes for table in tables if isinstance(table, np.ndarray))


# --- comparing --------------------------------------------------------------------------------------------------------


def compete(task: Task, peers: dict[str, PeerModel | str], options: Options) -> list[Row]:
    """One row for each of our ways and each peer: time, ratio, disagreement, or why there is no time."""
    contestants: dict[str, Repeat] = dict(task.ours)
    facts: dict[str, Row] = {}
    for name, peer in peers.items():
        call, facts[name] = examine(task, peer)
        if call is not None:
            contestants[name] = repeated(call)
    times = best_times(contestants, 0.1 if options.quick else 1.0)
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
    except Unsupported as error:
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
        times = [per_link(row, "microseconds") for row in along(rows, chain, "forward", LOOP)]
        found.append(at_most(text, *spread(times, 1.5)))
        text = f"{chain} chain: largest over smallest memory per link {reach}"
        sizes = [row["bytes_per_link"] for row in along(rows, chain, "memory", CALL)]
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


def per_link(row: Row, key: str) -> float:
    """An entry divided by the number of links."""
    return row[key] / row["links"]


def spread(values: list[float], limit: float) -> tuple[float | None, float, str]:
    """Largest over smallest."""
    complete = len(values) == sum(links >= FLAT_FROM for links in SIZES)
    return (max(values) / min(values), limit, "") if complete else (None, limit, "not all lengths were measured")
