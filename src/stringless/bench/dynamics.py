"""Forward dynamics and its derivatives beside Pinocchio, DART and MuJoCo; time and memory over the length of a chain.

Ours is measured twice: called from Python, where arguments are checked and the result is allocated, and inside a
compiled loop, which is what an engine pays. Peers are called from Python, as their users call them.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from stringless import dynamics
from stringless.bench.harness import (
    NO_ROW,
    Contest,
    Options,
    Repeat,
    Row,
    at_most,
    difference,
    figure,
    find,
    rebuild,
    repeated,
)
from stringless.bench.peers.base import Peer, PeerModel, UnsupportedError
from stringless.dynamics.kernels import repeat_forward
from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.model.records import Inputs
from stringless.scenes import load_scene
from stringless.scenes.pendulums import chain
from stringless.spatial.arrays import FloatArray
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
SIZES = (10, 30, 100, 300, 1000, 3000, 10000)
QUICK_SIZES = (10, 30, 100, 300, 1000, 10000)
CHAINS = {"hinge": "revolute", "ball": "ball"}


# --- what is measured -------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Case:
    """A model to measure on, not yet built."""

    name: str
    links: int
    build: Callable[[], Model]
    promised: bool = False
    """Whether we promise a ratio to a peer's time here, so that a quick run takes time for it."""


class Situation(NamedTuple):
    """Where a model is, how it moves and what drives it."""

    q: FloatArray
    v: FloatArray
    tau: FloatArray


class Task(NamedTuple):
    """Something that we and the peers can compute."""

    name: str
    ours: dict[str, Repeat]
    result: tuple[Any, ...]
    """What we find; a peer that finds something else is not timed."""
    call: Callable[[PeerModel], Callable[[], Any]]
    answer: Callable[[PeerModel], tuple[Any, ...]]


def cases(*, quick: bool = False) -> Iterator[Case]:
    """Humanoid, pendulum and chains, short ones first; all stripped to what every program has."""
    yield Case("humanoid", 27, lambda: bare(load_scene("humanoid").model), promised=True)
    yield Case("pendulum", 300, lambda: bare(load_scene("pendulum_300").model), promised=True)
    for name, kind in CHAINS.items():
        for links in QUICK_SIZES if quick else SIZES:
            yield Case(f"{name} chain {links}", links, chain(links, kind=kind, name=name).build)


def bare(model: Model, bodies: int | None = None) -> Model:
    """The same bodies and joints, or so many of them, without springs, dampers, limits and armature, which not all have."""
    builder = ModelBuilder(model.name, gravity=tuple(float(g) for g in model.gravity))
    nothing = {"stiffness": (), "damping": (), "armature": (), "lower": (), "upper": (), "rest": ()}
    for spec in model.specs[:bodies]:
        builder.add(dataclasses.replace(spec, joint=dataclasses.replace(spec.joint, **nothing)))
    return builder.build()


def situation(model: Model, seed: int = 0) -> Situation:
    """A moderate random pose, motion and drive."""
    rng = np.random.default_rng(seed)
    q = model.integrate(model.neutral(), 0.3 * rng.normal(size=model.nv))
    return Situation(q, 0.5 * rng.normal(size=model.nv), 0.1 * rng.normal(size=model.nv))


def forward_task(model: Model, at: Situation) -> Task:
    """Accelerations from efforts."""
    work = scratch(model)
    forward, (q, v, tau) = dynamics.forward, at
    vdot_out = np.empty(model.nv)
    inputs = Inputs(work.no_mask, work.no_vector, work.no_mask, np.zeros((0, model.nq)), tau, work.no_external)

    def loop(count: int) -> None:
        repeat_forward(work.skeleton, q, v, inputs, count, work.tables, vdot_out, work.vector)

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


# --- measuring --------------------------------------------------------------------------------------------------------


def measure(options: Options) -> Iterator[Row]:
    """Run every case."""
    for case in cases(quick=options.quick):
        options.report(case.name)
        yield from measure_case(case, options)


def measure_case(case: Case, options: Options) -> Iterator[Row]:
    """Time every task on one model, and weigh the model."""
    model = case.build()
    at = situation(model)
    brief = options.quick and not case.promised
    peers = {peer.name: rebuild_model(peer, model, brief=brief) for peer in options.peers}
    seconds = 1.0 if not options.quick else 0.3 if case.promised else 0.2 if case.links >= FLAT_FROM else 0.1
    head: Row = {"case": case.name, "links": case.links, "dofs": model.nv}
    yield from compete(head, forward_task(model, at), peers, seconds)
    largest = LARGEST_QUICK if options.quick else LARGEST_DERIVATIVES
    if model.nv <= largest:
        yield from compete(head, derivatives_task(model, at), peers, seconds)
    else:
        note = f"skipped: three dense matrices, measured up to {largest} degrees of freedom"
        yield {**head, "task": "derivatives", "program": CALL, "note": note}
    yield {**head, "task": "memory", "program": CALL, "bytes_per_link": memory(model) / case.links}


def rebuild_model(peer: Peer, model: Model, *, brief: bool = False) -> PeerModel | str:
    """The model in the peer's terms, or why there is none; `brief` leaves out what takes long to build."""
    beyond = f"beyond {LARGEST_QUICK} degrees of freedom peers are left out of a quick run"
    return rebuild(
        peer, lambda: peer.build(model), beyond if brief and model.nv > LARGEST_QUICK else "", peer.refuse(model)
    )


def compete(head: Row, task: Task, peers: dict[str, PeerModel | str], seconds: float) -> list[Row]:
    """One row for each of our ways and each peer: time, ratios to our times, disagreement, or why there is no time."""
    contest = Contest({**head, "task": task.name})
    for name, way in task.ours.items():
        contest.enter(name, way)
    for name, peer in peers.items():
        enter_peer(contest, name, task, peer)
    return contest.rows(seconds, {"ratio": CALL, "ratio_loop": LOOP})


def enter_peer(contest: Contest, name: str, task: Task, peer: PeerModel | str, /, **facts: Any) -> None:
    """Let a peer take part if it can compute the same and finds what we find."""
    if isinstance(peer, str):
        return contest.enter(name, peer, **facts)
    try:
        found, call = task.answer(peer), task.call(peer)
    except UnsupportedError as error:
        return contest.enter(name, f"skipped: {error}", **facts)
    worst = max(difference(theirs, ours) for theirs, ours in zip(found, task.result, strict=True))
    work = repeated(call) if worst <= SAME else f"disagrees by more than {SAME:g}, so it is not timed"
    return contest.enter(name, work, **facts, disagreement=worst)


# --- claims -----------------------------------------------------------------------------------------------------------


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """Every figure we promise about dynamics, from the rows measured."""
    for case in ("humanoid", "pendulum"):
        for peer, limit in (("pinocchio", 0.5), ("dart", 0.8)):
            for key, way in (("ratio", "called from Python"), ("ratio_loop", "in a compiled loop")):
                text = f"forward dynamics of the {case}, {way}: time over that of {peer}"
                yield at_most(text, limit, *figure(rows, key, case=case, task="forward", program=peer))
    text = "derivatives of the humanoid, called from Python: time over that of pinocchio"
    yield at_most(text, 0.6, *figure(rows, "ratio", case="humanoid", task="derivatives", program="pinocchio"))
    reach = f"from {FLAT_FROM} to {SIZES[-1]} links"
    for name in CHAINS:
        times = {n: row["microseconds"] / n for n, row in along(rows, name, "forward", LOOP)}
        text = f"{name} chain, compiled loop: longest over shortest time per link {reach}"
        yield at_most(text, 1.5, *spread(times))
        sizes = {n: row["bytes_per_link"] for n, row in along(rows, name, "memory", CALL)}
        yield at_most(f"{name} chain: largest over smallest memory per link {reach}", 1.1, *spread(sizes))


def along(rows: Sequence[Row], name: str, task: str, program: str) -> Iterator[tuple[int, Row]]:
    """Links and row of the chains for which we promise flatness, those that were measured."""
    for links in SIZES:
        row = find(rows, case=f"{name} chain {links}", task=task, program=program)
        if links >= FLAT_FROM and row is not None:
            yield links, row


def spread(values: dict[int, float]) -> tuple[float | None, str]:
    """Largest over smallest, if both ends of the promised reach were measured."""
    whole = {FLAT_FROM, SIZES[-1]} <= values.keys()
    return (max(values.values()) / min(values.values()), "") if whole else (None, NO_ROW)
