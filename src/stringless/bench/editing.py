"""One iteration of an edit: chains of ball-jointed links that swing for two seconds, dragged at two times.

An edit is a roll with the columns of everything that may change, a small solve, and a plain roll to see what came of it. Beside
it stands the same roll done with Pinocchio's derivatives and NumPy, by plain symplectic Euler. Times are those that the thread
has had a processor.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from stringless.bench.dynamics import rebuild_model
from stringless.bench.harness import Options, Row, at_least, at_most, best_times, figure, processor_clock, repeated
from stringless.bench.peers.pinocchio import PinocchioModel
from stringless.editing.control_steps import apply_step, find_attribute
from stringless.editing.editor import Editor
from stringless.editing.least_squares import find_least_change
from stringless.editing.rollout import Roller, Samples
from stringless.scenes.pendulums import chain
from stringless.spatial.arrays import FloatArray

LINKS, QUICK_LINKS = (1, 2, 5, 10), (2, 10)
DURATION, DT = 2.0, 5e-3
STEPS = round(DURATION / DT)
SPREAD = 0.1
"""How far the joints of a chain are bent at the start [rad]; much more, and a step of 5 ms is too long for it."""
OFFSET = 1e-6
"""How far the start is from that of the wanted motion [rad, rad/s]: so near that the first step is right, however the
chain whips."""
ALIKE = 20
"""Steps after which the peer's columns are set beside ours, before the chain's chaos makes two good motions differ."""
FEW = 12
"""Columns when only the first two joints may change."""
PLAIN, ROLL, SOLVE, EDIT, PEER = "plain roll", "roll with columns", "solve", "edit", "pinocchio, numpy"
LIKE = 0.05
"""How far the peer's columns may be from ours, relative: its steps differ from ours in first order."""


def swinging(links: int, *, few: bool = False) -> Editor:
    """A chain and two constraints: the middle at half time, the tip at the end."""
    model = chain(links, kind="ball", length=0.2, mass=0.2, name="ball chain").build()
    q = model.integrate(model.neutral(), SPREAD * np.random.default_rng(0).normal(size=model.nv))
    editor = Editor(model, duration=DURATION, dt=DT, q=q)
    if few:
        for body in model.bodies[2:]:
            editor.lock(body=body.name)
    constraints, at = ((links // 2, DURATION / 2), (links - 1, DURATION)), (0.0, -0.2, 0.0)
    other = apply_step(model, editor.controls, editor.columns, np.full(len(editor.columns), OFFSET))
    seen = editor.course.walk(other, (), [time for _, time in constraints]).observations
    for (body, time), observation in zip(constraints, seen, strict=True):
        editor.drag(body, time=time, point=at, target=observation.bodies.point(body, np.array(at))[0])
    return editor


def parts(editor: Editor) -> dict[str, Callable[[], object]]:
    """The parts of an edit, and the whole of it; each leaves the editor as it was."""
    columns = editor.columns
    errors, rows, _ = editor.evaluate(columns)
    masses = np.array([editor.masses[find_attribute(editor.model, column)] for column in columns])

    def edit() -> None:
        if editor.iterate().scale == 0.0:
            raise AssertionError("an edit that changes nothing is not the work to be timed")
        editor.undo()

    return {
        PLAIN: lambda: editor.course.walk(editor.controls),
        ROLL: lambda: editor.evaluate(columns),
        SOLVE: lambda: find_least_change(rows, errors, masses),
        EDIT: edit,
    }


def peer_roll(peer: PinocchioModel, q: FloatArray, v: FloatArray, columns: FloatArray, steps: int) -> FloatArray:
    """Columns of the whole motion as a user of Pinocchio would roll them: its derivatives, products by NumPy."""
    pin, model, data = peer.pin, peer.model, peer.data
    nv = len(v)
    dq, dv, tau = columns[:nv].copy(), columns[nv:].copy(), np.zeros(nv)
    for _ in range(steps):
        pin.computeABADerivatives(model, data, q, v, tau)
        dv += DT * (data.ddq_dq @ dq + data.ddq_dv @ dv)
        v = v + DT * data.ddq
        turned, pushed = pin.dIntegrate(model, q, DT * v)
        dq = turned @ dq + DT * (pushed @ dv)
        q = pin.integrate(model, q, DT * v)
    return np.vstack([dq, dv])


def measure(options: Options) -> Iterator[Row]:
    """Time every chain with all its columns and with few."""
    for links in QUICK_LINKS if options.quick else LINKS:
        for few in (False, True):
            if not few or 6 * links > FEW:
                options.report(f"ball chain {links}{', few columns' if few else ''}")
                yield time_edit(links, few, options)


def time_edit(links: int, few: bool, options: Options) -> Row:
    """Times of the parts of an edit [ms], and what follows from them."""
    editor = swinging(links, few=few)
    columns = len(editor.columns)
    contestants = {name: repeated(call) for name, call in parts(editor).items()}
    note = add_peer(editor, options, contestants)
    best = best_times(contestants, 0.5 if options.quick else 2.0, turn=20e-3, clock=processor_clock())
    row: Row = {"case": f"ball chain {links}", "columns": columns, **{name: 1e3 * best[name] for name in contestants}}
    row |= {"edits per second": 1.0 / best[EDIT], "overhead": best[ROLL] / best[PLAIN]}
    if PEER in best:
        row["ratio"] = best[ROLL] / best[PEER]
    return row | ({"note": note} if note else {})


def add_peer(editor: Editor, options: Options, contestants: dict[str, Callable[[int], object]]) -> str:
    """Let Pinocchio take part, if it is here and finds what we find; else say why not."""
    peer = next((peer for peer in options.peers if peer.name == "pinocchio"), None)
    if peer is None:
        return "pinocchio was not asked for"
    rebuilt = rebuild_model(peer, editor.model)
    if not isinstance(rebuilt, PinocchioModel):
        return str(rebuilt)
    nv = editor.model.nv
    seeds = np.zeros((2 * nv, len(editor.columns)))
    for c, column in enumerate(editor.columns):
        seeds[column.index + (nv if column.attribute == "v" else 0), c] = 1.0
    start = editor.controls
    theirs = peer_roll(rebuilt, start.q, start.v, seeds, ALIKE)
    roller = Roller(editor.model, len(editor.columns))
    samples = Samples.at([ALIKE * DT], DT)
    found = roller.roll(start.q, start.v, steps=ALIKE, dt=DT, samples=samples, dq=seeds[:nv], dv=seeds[nv:], last=0.0)
    ours = found.dq_samples[0]  # our velocities at a sample are half a step ahead of theirs
    apart = float(np.linalg.norm(theirs[:nv] - ours) / np.linalg.norm(ours))
    if not apart <= LIKE:
        return f"pinocchio's columns differ from ours by {apart:.3g}, more than {LIKE:g}, so it is not timed"
    contestants[PEER] = repeated(lambda: peer_roll(rebuilt, start.q, start.v, seeds, STEPS))
    return ""


def claims(rows: Sequence[Row]) -> Iterator[Row]:
    """What we promise of the chain of ten links, with its whole start and with two joints."""
    for columns, edits, overhead in ((60, 100.0, 16.0), (FEW, 180.0, 10.0)):
        row: Row = {"case": "ball chain 10", "columns": columns}
        name = f"10 ball links, 2 s in steps of 5 ms, {columns} columns"
        yield at_least(f"{name}: edits per second", edits, *figure(rows, "edits per second", **row))
        yield at_most(f"{name}: roll with columns over plain roll", overhead, *figure(rows, "overhead", **row))
        yield at_most(f"{name}: roll over that with Pinocchio's derivatives", 0.45, *figure(rows, "ratio", **row))
