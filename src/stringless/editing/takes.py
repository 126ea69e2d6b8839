"""From the record into the editor, and back: any passive part of a take can be edited, and becomes a branch of its own."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from stringless.control.checks import number
from stringless.control.motion import Motion
from stringless.editing.configurations import find_root, make_original
from stringless.editing.editor import Editor
from stringless.editing.transitions import express_configuration
from stringless.engines import Feature
from stringless.errors import DivergenceError, InputError, StringlessError, renamed, renamed_arguments
from stringless.model.builder import ModelBuilder
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.simulation import Simulation
from stringless.spatial.arrays import FloatArray
from stringless.timeline.chunk import Frame
from stringless.timeline.take import Branch

APART = 1e-6
"""A motion that is farther than this from the record is another one [rad, m]: more than rounding makes of it in seconds."""
LONG = 5e-3
"""Step of a motion whose scene has another engine [s]."""
SHORTEST = 10
"""Steps that a motion must have to be worth editing."""
LIMP = "Choose a time at which its joints are limp (`director.leave()` makes them so) and nothing pushes it."


@dataclass
class Opened:
    """A part of a take in the editor."""

    editor: Editor
    branch: int
    begin: float
    """Where on the branch it begins [s]."""
    note: str = ""
    """Why it begins later or ends earlier than was asked for; empty if it does neither."""
    lane = renamed("lane", "branch")


@renamed_arguments(lane="branch")
def open_take(
    sim: Simulation, *, branch: int | str | None = None, begin: float | None = None, end: float | None = None
) -> Opened:
    """Open what was recorded from `begin` to `end` [s] for editing; all of the branch if not given.

    The motion is simulated again and compared with the record. Where they part, because somebody directs or something is
    touched, the motion ends; if that is at once, it is refused. What follows a motion that was recorded before is left out. The
    simulation stays where it is.
    """
    take = _simulation(sim).take
    chosen = take.branch(branch)
    first, last = take.begin(chosen.id), take.end(chosen.id)
    begin = first if begin is None else number(begin, "the beginning of a part", "s")
    end = last if end is None else number(end, "the end of a part", "s")
    if not first - APART <= begin < end <= last + APART:
        raise InputError(
            f"cannot edit branch '{chosen.name}' from {begin:g} to {end:g} s; it was recorded from {first:g} to {last:g} s"
        )
    if end - begin < (SHORTEST - 1) * sim.config.dt:
        raise InputError(
            f"{end - begin:.3g} s of branch '{chosen.name}' are too short to be edited; expected {SHORTEST} steps of "
            f"{sim.config.dt:g} s or more"
        )
    there, step = _let_go(sim, chosen, begin, end)
    _require_passive(there, f"at {there.time:.4g} s of branch '{chosen.name}'", _followed(sim, chosen, begin))
    late = there.time > begin + there.config.dt
    note = f"The motion is open from {there.time:.4g} s on: before that, the character follows another." if late else ""
    dt, begin = there.config.dt, there.time
    editor = _simulated(there, max(int((end - begin) / dt + 1e-6), 1))
    frames = [f for f in take.frames(begin, end, chosen.id) if f.step >= step]
    good, bad = _compared(editor, frames, step)
    if bad is None:
        return Opened(editor, chosen.id, begin, note)
    why = f"{_why(sim, chosen.id, bad)} at {bad.time:.4g} s"
    if good < SHORTEST:
        raise InputError(
            f"branch '{chosen.name}' is not passive from {begin:.4g} s on: {why}. Choose a part in which the character "
            "flies, swings or falls by itself."
        )
    there, _ = sim.recording.copy_at(begin, chosen.id)
    until = f"The motion is open up to {begin + good * dt:.4g} s of '{chosen.name}': {why}."
    return Opened(_simulated(there, good), chosen.id, begin, f"{note} {until}".strip())


def _let_go(sim: Simulation, branch: Branch, begin: float, end: float) -> tuple[Simulation, int]:
    """The simulation at `begin` or, if it follows a motion there, where a later branch has left that, or at its end."""
    there, step = sim.recording.copy_at(begin, branch.id)
    if there.motion is None:
        return there, step
    ends = [*(piece.start for piece in sim.take.lineage(branch.id)), float(there.motion.times[-1])]
    for later in sorted(time + there.config.dt for time in ends):  # the first frame after it is the first that is free
        if begin < later < end:
            after, count = sim.recording.copy_at(later, branch.id)
            if after.motion is None:
                return after, count
    return there, step


def _followed(sim: Simulation, branch: Branch, time: float) -> str:
    """How the motion can be edited that the character follows at a time; empty if it follows none."""
    motion = sim.recording.copy_at(time, branch.id)[0].motion
    if motion is None:
        return ""
    first, last = float(motion.times[0]), float(motion.times[-1])
    return (
        f"A project opens the motion that the character follows at {time:.4g} s as the edit it was kept from, as a whole: branch "
        f"'{sim.take.owner(first, branch.id).name}' from {first:.4g} to {last:.4g} s."
    )


def open_present(sim: Simulation, duration: float, *, dt: float | None = None) -> Editor:
    """The motion that the character would have from now on if its joints were limp, in steps of `dt` [s].

    With the simulation's own step, which is used if none is given, it is the very motion that the simulation would do then.
    """
    make_original(_simulation(sim).model)
    if sim.scene.world_springs:
        raise InputError("a spring of the scene pulls the character; the editor knows none: take it out of the scene")
    same_steps = sim.engine.supports(Feature.EDITING)
    exact = same_steps and dt in (None, sim.config.dt)
    usual = sim.config.dt if same_steps else LONG
    step = usual if dt is None else number(dt, "the step of a motion", "s")
    if not step > 0.0:
        raise InputError(f"the step of a motion is {dt!r} s; expected a number above 0")
    if not SHORTEST * step <= number(duration, "the duration of a motion", "s"):
        raise InputError(f"a motion of {duration!r} s cannot be edited; expected {SHORTEST * step:g} s or more")
    if exact:
        return _simulated(sim, round(duration / step))
    return Editor(sim.scene, duration=duration, dt=step, q=sim.q, v=sim.v, **_joint_stiffness(sim))


def _simulation(sim: object) -> Simulation:
    if not isinstance(sim, Simulation):
        raise InputError(
            f"the simulation is {sim!r}; expected a `Simulation`, such as `sl.Simulation(sl.load('humanoid'))`"
        )
    return sim


def _simulated(there: Simulation, steps: int) -> Editor:
    """The passive motion of so many steps from where a simulation stands."""
    dt = there.config.dt
    return Editor(there.scene, duration=steps * dt, dt=dt, state=there.state, **_joint_stiffness(there))


def _joint_stiffness(sim: Simulation) -> dict[str, Any]:
    """How stiff the joints of a simulation are now."""
    return {"joint_springs": sim.config.joint_springs, "stop_frequency": sim.config.stop_frequency}


def _require_passive(there: Simulation, when: str, kept: str) -> None:
    """Refuse a time that the editor cannot go on from; `kept` says how what was kept before it can be edited."""
    make_original(there.model)
    try:
        there.engine.require(Feature.EDITING)
    except InputError as error:
        instead = "Open what would happen from now on instead: that goes with any engine."
        raise InputError(f"{when}: {error}. {instead}") from None
    if (what := _driven(there)) is not None:
        raise InputError(f"{when} {what}; expected a character that is left to itself. {kept or LIMP}")


def _driven(there: Simulation) -> str | None:
    """What moves the character beside physics, None if nothing does."""
    if there.is_directed and (there.director.goals or there.director.tracks):
        return "somebody directs the character"
    if there.is_directed:
        return "the joints go to their rest pose, as they do after goals have ended"
    if there.has_director and there.director.springs:
        return "springs that were set for passive joints hold the character"
    if there.motion is not None:
        return "the character follows a motion"
    if there.scene.world_springs:
        return "a spring of the scene pulls the character"
    if there.prescribed.any() or there.tau.any() or there.external.any():
        return "a program pushes the character"
    return None


def _compared(editor: Editor, frames: list[Frame], step: int) -> tuple[int, Frame | None]:
    """Steps up to the last frame that the motion shows too, and the first one that it does not."""
    good, known = 0, editor.run.clips[0].frames.q
    for frame in frames:
        n = frame.step - step
        if n >= len(known):
            break
        apart = np.abs(editor.model.difference(known[n], frame.q)).max(initial=0.0)
        if not apart <= APART:
            return good, frame
        good = n
    return good, None


def _why(sim: Simulation, branch: int, bad: Frame) -> str:
    """What made the record leave the passive motion."""
    if len(bad.points):
        return "something is touched"
    then, _ = sim.recording.copy_at(bad.time, branch)
    if (what := _driven(then)) is not None:
        return what
    earlier = sim.take.frame(np.nextafter(bad.time, -np.inf), branch)
    if len(earlier.points):
        return "something is touched"
    return "parameters were changed, or the character was put elsewhere"


# --- and back ---


def record(sim: Simulation, editor: Editor) -> bool:
    """Let a simulation do an edited motion, from its present time on, and record it; whether physics alone does it.

    Where nothing happens but physics, it is put to the start and left alone. A motion with grips, or with efforts of muscles,
    is followed instead, with a frame wherever the simulation steps; after its end the character is free. If the motion lets go
    of what holds the character in its scene, simulate `make_scene(editor, scene)`.
    """
    given: Any = editor
    if not isinstance(given, Editor):
        raise InputError(f"the motion is {editor!r}; expected an `Editor`")
    _require_same(_simulation(sim).model, editor.course.form.model)
    model, dt = sim.model, sim.config.dt
    steps = max(round(editor.course.duration / dt), 1)
    if not editor.course.transitions and _alone(sim, editor, steps):
        return True
    times = np.cumsum([sim.time, *[dt] * steps])
    motion = Motion(model, times, configurations(editor, times - sim.time), ends="free")
    here = sim.save()
    try:
        sim.set_state(*motion.at(sim.time))
        sim.follow(motion)
        sim.step(steps)
    except StringlessError:
        sim.follow(None)
        sim.restore(here)
        raise
    sim.follow(None)
    if sim.recorder is not None:
        sim.recorder.note_start()  # at the last pose of the motion the character is free
    return False


def _require_same(model: Model, form: Model) -> None:
    """Refuse to record a motion of one model in a simulation of another."""
    kinds, others = model.tree["kind"], form.tree["kind"]
    if np.array_equal(kinds, others):
        return
    remedy = f"record it in one of '{form.name}'"
    if np.array_equal(np.delete(kinds, find_root(model)), np.delete(others, find_root(form))):
        remedy = "simulate `make_scene(editor, scene)` instead"
    raise InputError(
        f"this motion is one of model '{form.name}' with a root that is {_root_of(form)}, and the simulation one of model "
        f"'{model.name}' with a root that is {_root_of(model)}; {remedy}"
    )


def make_scene(editor: Editor, scene: Scene) -> Scene:
    """The scene in which an edited motion of `scene` can be recorded: itself if that can be, else one with a free root.

    The latter begins where the motion does; it is needed if the motion lets go of what holds the character in its scene.
    """
    form = editor.course.form.model
    if form is editor.model:
        return scene
    model = scene.model
    builder = ModelBuilder(model.name, gravity=tuple(float(g) for g in model.gravity))
    builder.specs, builder.world_shapes = list(form.specs), list(model.world_shapes)
    start = configurations(editor, np.zeros(1))[0]
    return dataclasses.replace(scene, model=builder.build(), q=start, v=np.zeros(form.nv), study=None, source=None)


def _root_of(model: Model) -> str:
    return model.joints[find_root(model)].kind.name


def _alone(sim: Simulation, editor: Editor, steps: int) -> bool:
    """Let the simulation do the motion by itself, if it does it to the last bit; whether it did."""
    controls, course = editor.controls, editor.course
    if course.dt != sim.config.dt or _driven(sim) is not None:
        return False
    here = sim.save()
    sim.set_state(controls.q, controls.v)
    # Begin as the motion does, with the step before its start.
    if course.before["vdot"] is not None:
        sim.state.vdot[:] = course.before["vdot"]
    sim.state.dt = course.before["last"]
    # The last step of the editor is one that leads to a sample, and may be shorter by rounding.
    twin, frames = sim.fork(), editor.run.clips[0].frames.q
    try:
        twin.step(steps - 1)
    except DivergenceError:
        frames = frames[:0]
    if len(frames) == steps and np.array_equal(twin.q, frames[-1]):
        sim.step(steps)
        return True
    sim.restore(here)
    return False


def configurations(editor: Editor, times: FloatArray) -> FloatArray:
    """The configuration of the character at rising times from 0, exactly; it is free if it ever was."""
    course = editor.course
    target = editor.course.form
    times = np.minimum(times, course.duration)
    rows: list[FloatArray] = []
    for k, clip in enumerate(course.walk(editor.controls, (), [float(t) for t in times]).clips):
        here = np.count_nonzero((times > clip.start) & (times <= clip.end)) + (k == 0 and times[0] == 0.0)
        for q in clip.frames.q_samples[:here]:
            own = clip.configuration.model is target.model
            rows.append(q if own else express_configuration(clip.configuration, target, clip.tree, q))
    return np.array(rows)
