"""A project: a scene, what is wanted of it, and everything that was ever simulated of it, in one file.

Everything goes through `do`: a command changes the document or moves in time, and is written into the journal, which is
the undo history, the autosave and a script in one.
"""

import json
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal, Self

from stringless.engines.config import FIXED, OWN
from stringless.errors import InputError, ProjectError, StringlessError, StringlessWarning, renamed_arguments
from stringless.formats.registry import Format, register
from stringless.loader import load
from stringless.model import Scene
from stringless.project.commands import COMMANDS, Command
from stringless.project.document import Document, lasting, read_document, with_all_parameters
from stringless.project.edits import Edits
from stringless.project.journal import Entry, History, Journal, write_script
from stringless.project.scenes import FIRST_ENGINE, SceneData, Scenes, keep_scene, read_scene, scene_id
from stringless.simulation import Simulation
from stringless.simulation.position import Position
from stringless.timeline.patch import apply, difference
from stringless.timeline.store import Store
from stringless.timeline.take import Take, Warp

ENDING = ".stringless"
register(Format(name="Project", suffixes=(ENDING,), kind="project", description="a Stringless project", rank=10))
OF_ENGINE = ("dt", "substeps", "newton", "joint_springs", *OWN["adaptive"])
"""Parameters that mean little to another engine."""


class Project(AbstractContextManager["Project"]):
    """A document, its journal and its take."""

    def __init__(self, store: Store, scene: Scene | None = None, sim: Simulation | None = None) -> None:
        """Continue what a store holds; use `create` or `open`.

        `scene` is what was just put there: reading it again would give the same, and of a crowd it takes a minute. `sim` is a
        simulation of it with the parameters that were kept, at its start.
        """
        self.store = store
        self.closed = False
        self.journal = Journal(store)
        self.scenes = Scenes(store)
        self.sequence: list[dict[str, Any]] = []
        """Pieces of branches that are exported one after the other."""
        self.markers: list[dict[str, Any]] = []
        self.edits = Edits(self)
        """The motion that is open in the editor, if any."""
        self.label = ""
        """Label for the undo list of the command that is being carried out, if it is not its usual one."""
        self.watch: Callable[[], None] | None = None
        """Called now and then while a command simulates for long; what it raises stops the command."""
        self.prepared: Warp | None = None
        """What the next command `warp` keeps, if it was simulated beforehand."""
        self.journal.document = document = with_all_parameters(self.journal.document)
        self.scenes.add(document["scene"], scene)
        position = store.get("position")
        number = None if position is None else find_branch_with_frames(store, position["lane"])
        # What is on record is repeated with the scene it was recorded with, whatever has become of that since.
        recorded = None if number is None else self.scenes.find_data(store.branches()[number]["scene"])
        self.scene_data: SceneData = recorded or document["scene"]
        kept = _keep_parameters(document["parameters"], document["scene"], self.scene_data)
        self.sim = self._record(sim, self.scene_data) if sim else self._simulate(self.scene_data, kept)
        if position is not None and number is not None:
            self.sim.go_to(min(position["time"], self.take.end(number)), number)
        if position is None:
            self.take.current = 0
        self._number_from(store.get("next_id", 1))
        self.restore_document(document)

    @classmethod
    def create(
        cls,
        scene: Scene | str,
        path: str | os.PathLike[str] | None = None,
        *,
        rate: float = 120.0,
        options: dict[str, Any] | None = None,
        **settings: Any,
    ) -> Self:
        """Begin a project with a scene, at its start.

        Args:
            scene: a scene, or what `load` takes.
            path: where to keep it; nowhere for good if not given, until `save_as`.
            rate: frames recorded per simulated second.
            options: what `load` takes beside the name of a scene.
            settings: of the simulation, such as `dt` or `friction`.
        """
        if path is not None:
            _check_ending(path)
        source = scene if isinstance(scene, str) and not Path(scene).suffix else ""  # a file may be elsewhere tomorrow
        if options and not isinstance(scene, str):
            raise InputError(f"options {', '.join(options)} are for a scene that is loaded; this one is there already")
        scene = load(scene, **(options or {})) if isinstance(scene, str) else scene
        sim = Simulation(scene, record=0, **settings)  # finds what is wrong before a file is made
        store = Store.temporary() if path is None else Store.create(path)
        try:
            data = {
                "name": scene.name,
                "source": source,
                "files": keep_scene(store, scene),
                **{name: getattr(sim.config, name) for name in FIXED},
            }
            store.set("rate", rate)
            store.set("first", {"source": source, "options": options or {}, "settings": settings, "scene": data})
            store.set("snapshot", {"after": 0, "document": {"scene": data, "parameters": lasting(sim.parameters())}})
            return cls(store, scene, sim)
        except BaseException:
            store.close()
            if path is not None:
                Path(path).unlink(missing_ok=True)  # it was made a moment ago, and is of no use
            raise

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, readonly: bool = False) -> Self:
        """Open a project file and continue where it was left; `recovered` tells if it was not closed cleanly."""
        if not isinstance(path, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ProjectError(f"cannot open {path!r}; expected the path of a project file, ending in '{ENDING}'")
        store = Store.open(path, readonly=readonly)
        try:
            return cls(store)
        except BaseException:
            store.close()
            raise

    @classmethod
    def first_scene(cls, path: str | os.PathLike[str]) -> Scene:
        """The scene that a project file has begun with."""
        with Store.open(path, readonly=True) as store:
            return read_scene(store, store.get("first")["scene"]["files"])

    def _simulate(self, data: SceneData, parameters: dict[str, Any]) -> Simulation:
        """A simulation of a kept scene that records into the store."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StringlessWarning)
            sim = Simulation(self.scene(data), record=0, **{name: data[name] for name in FIXED if name in data})
        parts = sim.parameters().get("flesh", {})
        flesh = {name: values for name, values in parameters.get("flesh", {}).items() if name in parts}
        sim.configure(**{**parameters, "flesh": flesh})
        return self._record(sim, data)

    def _record(self, sim: Simulation, data: SceneData) -> Simulation:
        """The same simulation, which records into the store from now on."""
        sim.record_into(self.store, rate=self.store.get("rate") or 120.0, scene=scene_id(data))
        return sim

    def _restart(self, data: SceneData, parameters: dict[str, Any]) -> None:
        """Replace the simulation by one at the start of a scene."""
        old = self.sim
        old.finish_recording()
        self.sim = self._simulate(data, parameters)
        self._number_from(old.director.next_id if old.has_director else 1)

    def _number_from(self, first: int) -> None:
        """Give goals and keyframes no number that any had before."""
        if first > 1:
            self.sim.director.next_id = max(self.sim.director.next_id, first)

    def scene(self, data: SceneData | None = None) -> Scene:
        """The scene as it is now, or as it was by its data."""
        return self.scenes.read(data or self.scene_data)

    def scene_at(self, time: float, branch: int | None) -> Scene:
        """The scene at a time on record, whatever has become of it since."""
        if branch is None:
            return self.sim.scene
        return self.scenes.find(self.take.owner(time, branch).scene, self.scene_data)

    # --- the file ---

    @property
    def path(self) -> Path | None:
        """Where it is kept."""
        return self.store.path

    @property
    def recovered(self) -> Any:
        """What was found if the file was not closed cleanly; None if it was."""
        return self.store.recovered

    def save(self) -> None:
        """Return when everything is safe on the disk. It is written as you go; this only waits."""
        self.finish()
        self.store.flush()

    def keep(self) -> None:
        """Hand everything to the store."""
        if self.store.readonly:
            return
        self.take.keep()
        branch, _, time = self.position
        if branch is not None:
            self.store.set("position", {"lane": branch, "time": min(time, self.take.end(branch))})
        elif self.store.get("position") is not None:
            self.store.set("position", None)

    def finish(self) -> None:
        """Hand everything to the store, to the very last step."""
        if not self.store.readonly:
            self.sim.finish_recording()
            self.keep()

    def save_as(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write a copy; this project stays where it is."""
        _check_ending(path)
        self.finish()
        self.store.save_as(path, overwrite=overwrite)

    def close(self) -> None:
        """Write everything and close the file."""
        if not self.store.readonly and not self.closed:
            self.finish()
            self.journal.write_snapshot()
        self.closed = True
        self.store.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- commands ---

    @property
    def document(self) -> Document:
        """All that a person has made, as the journal knows it."""
        return self.journal.document

    @property
    def history(self) -> History:
        """What can be undone and redone."""
        return self.journal.history

    def do(self, command: str, **arguments: Any) -> Any:
        """Carry out a command and write it into the journal; if it fails, nothing has changed.

        The commands are the files of `project/commands`; `stringless project commands` lists them.
        """
        self._check_writable()
        if not isinstance(command, str) or command not in COMMANDS:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"there is no command '{command}'; there are: {', '.join(sorted(COMMANDS))}")
        spec = COMMANDS[command]
        plain = spec.bind(_make_plain(command, arguments))
        self.edits.check_allowed(command)
        self.catch_up()
        if spec.steers:
            return _run_command(spec, self, plain)
        before, at, self.label = self.document, self.position, ""
        try:
            result = _run_command(spec, self, plain)
        except BaseException:
            self.restore_document(before)
            raise
        branch = plain.get("lane")
        named = plain if branch is None else {**plain, "lane": f"'{self.take.branch(branch).name}'"}
        self._write(command, plain, self.label or spec.format_label(named), at)
        return result

    def _write(self, command: str, arguments: dict[str, Any], label: str, at: Position) -> None:
        if self.sim.has_director and self.store.get("next_id", 1) != self.sim.director.next_id:
            self.store.set("next_id", self.sim.director.next_id)
        self.journal.write(command, arguments, label, read_document(self, self.document), at, self.position)

    def _check_writable(self) -> None:
        if self.closed:
            raise ProjectError(f"the project '{self.path or 'without a name'}' is closed; open it again to use it")
        if self.store.readonly:
            raise ProjectError(f"the project '{self.path}' was opened with readonly=True; open it without to change it")

    def catch_up(self) -> None:
        """Write down what a script has changed on its own, past `do`."""
        patch = difference(self.document, read_document(self, self.document))
        if patch:
            self._write("change", {"patch": patch}, "change by a script", self.position)

    @contextmanager
    def gesture(self, label: str) -> Iterator[None]:
        """Let all commands inside be one step of undo; if time passes meanwhile, undo goes back to its beginning."""
        self.journal.begin_gesture(label)
        try:
            yield
        finally:
            self.journal.end_gesture()

    def restore_document(self, document: Document) -> None:
        """Make everything what a document says."""
        now = read_document(self, document)
        if document["scene"] != now["scene"]:
            self.replace_scene(document["scene"], document["parameters"])
        if document["parameters"] != lasting(self.sim.parameters()):
            self.sim.configure(**document["parameters"])
        if document["director"] != now["director"]:
            if document["director"] is None:
                self.sim.director.forget()
            else:
                self.sim.director.restore_data(document["director"])
        for branch in list(self.take.branches.values()):
            wanted = document["lanes"].get(str(branch.id), {})
            self.take.rename(branch.id, wanted.get("name", branch.first_name))
            self.take.delete(branch.id, wanted.get("deleted", False))
        self.sequence, self.markers = list(document["sequence"]), list(document["markers"])
        self.edits.data = document["edit"]

    def replace_scene(self, data: SceneData, parameters: dict[str, Any] | None = None) -> None:
        """Continue with another scene: from here if it is built alike, else from its start.

        Parameters stay as they are if none are given; those that belong to an engine are dropped with it.
        """
        old = self.sim
        self.edits.data = None  # it was a motion of the scene before
        if parameters is None:
            parameters = _keep_parameters(old.parameters(), self.scene_data, data)
        self._restart(data, parameters)
        self.scene_data = data
        self.scenes.add(data)
        if _has_same_state(old, self.sim):
            self.sim.restore(old.state)
            if old.has_director:
                self.sim.director.restore_data(old.director.as_data())
            if old.position.branch is not None:
                self.sim.recording.set_position(old.position)

    # --- time ---

    @property
    def take(self) -> Take:
        """Everything that was simulated."""
        return self.sim.take

    @property
    def position(self) -> Position:
        """Branch, step and time of the present."""
        return self.sim.position

    @renamed_arguments(lane="branch")
    def go_to(self, time: float, branch: int | str | None = None) -> None:
        """Go to a time on record, with the scene and the commands of then and the parameters of now.

        A motion that was edited is followed no further: from there on the character is directed or passive.
        """
        chosen = self.take.owner(time, self.position.branch if branch is None else branch)
        if chosen.scene != scene_id(self.scene_data):
            self.replace_scene(self.store.get("scenes")[chosen.scene])
        parameters = self.sim.parameters()
        self.sim.go_to(time, self.position.branch if branch is None else branch)
        if self.sim.parameters() != parameters:
            self.sim.configure(**parameters)
        if self.sim.motion is not None and self.sim.motion.ends == "free":
            self.sim.follow(None)

    def advance(self, steps: int) -> None:
        """Simulate steps and write that down."""
        self._check_writable()
        self.edits.check_allowed("advance")
        at = self.position
        try:
            self.sim.step(steps)
        finally:
            done = self.position.step - at.step
            if done:
                self.journal.write_advance(done, at, self.position)

    def stale_after(self) -> float | None:
        """Time from which on the frames of this branch are out of date; None if none are."""
        branch, _, time = self.position
        if branch is None or time >= self.take.end(branch):
            return None
        return time if self.sim.recording.would_differ() else None

    # --- undo ---

    def undo(self) -> str:
        """Take back the last change, or the last gesture as a whole; says which."""
        return self._travel("undo")

    def redo(self) -> str:
        """Do again what was taken back last; says what."""
        return self._travel("redo")

    def _travel(self, command: Literal["undo", "redo"]) -> str:
        self._check_writable()
        self.catch_up()
        self.journal.end_gesture()
        back = command == "undo"
        step = self.history.last() if back else self.history.next()
        entries = self.journal.list_entries(step)
        document, at = self.document, self.position
        for entry in reversed(entries) if back else entries:
            document = apply(document, entry["back" if back else "patch"])
        there = Position(*entries[0]["at"]) if back else self._find_end(step.entries[-1], entries[-1])
        moved = entries[0]["at"] != entries[-1]["to"] or _hides(document, at.branch, there.branch)
        try:
            restarted = moved and bool(self.take.branches) and self._return_to(there, document)
            self.restore_document(document)
            if restarted:
                self.take.current = 0
        except BaseException:
            self.restore_document(self.document)
            raise
        self._write(command, {}, f"{command} {step.label}", at)
        return step.label

    def _find_end(self, number: int, entry: Entry) -> Position:
        """Where an entry has led to; if a branch was begun right there, how far that was simulated before the next command."""
        there = Position(*entry["to"])
        _, follower = next(self.store.journal(after=number), (0, {}))
        if follower.get("do") != "advance" or follower["to"][0] in (None, there.branch):
            return there
        branch = self.take.branches.get(follower["to"][0])
        return there if branch is None or branch.deleted else Position(*follower["to"])

    def _return_to(self, there: Position, document: Document) -> bool:
        """Go to where something was done; whether that is the start of the scene, with nothing on record."""
        first = self.take.lineage()[0].branch if there.branch is None else there.branch
        if there.branch is not None or not document["lanes"].get(str(first), {}).get("deleted"):
            self.go_to(there.time, first)
            return False
        self._restart(self.scene_data, self.sim.parameters())
        return True

    def script(self) -> str:
        """The journal as a Python program that does it all again."""
        return write_script(self)


def _check_ending(path: str | os.PathLike[str]) -> None:
    if Path(path).suffix != ENDING:
        raise ProjectError(f"'{path}' does not end in '{ENDING}'; a project file does: give it that ending")


def _run_command(spec: Command, project: Project, arguments: dict[str, Any]) -> Any:
    """The result of a command; arguments of a wrong kind are refused like any others."""
    try:
        return spec.carry_out(project, arguments)
    except StringlessError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError, OverflowError) as error:
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        raise InputError(f"'{spec.name}' cannot be done with {given}: {error}; it takes: {spec.signature}") from error


def find_branch_with_frames(store: Store, branch: int) -> int | None:
    """The branch, or the nearest ancestor, of which the store has frames: those of the last may be lost in a crash."""
    branches, here = store.branches(), branch
    while here is not None and not (here in branches and store.chunks(here)):
        here = branches[here]["parent"] if here in branches else None
    return here


def _hides(document: Document, branch: int | None, other: int | None) -> bool:
    """Whether a branch is out of sight in a document, and the other one is not the same."""
    return branch != other and bool(document["lanes"].get(str(branch), {}).get("deleted"))


def _has_same_state(one: Simulation, other: Simulation) -> bool:
    """Whether a state of one simulation is a state of the other."""
    joints = [[(joint.name, joint.kind.name) for joint in sim.model.joints] for sim in (one, other)]
    shapes = [[getattr(sim.state, name).shape for name in sim.state.arrays()] for sim in (one, other)]
    return joints[0] == joints[1] and shapes[0] == shapes[1]


def _keep_parameters(parameters: dict[str, Any], old: SceneData, new: SceneData) -> dict[str, Any]:
    """Parameters of one scene that are kept in another: all, or those that mean the same to its engine."""
    same = (FIRST_ENGINE | old)["engine"] == (FIRST_ENGINE | new)["engine"]
    return {name: value for name, value in parameters.items() if same or name not in OF_ENGINE}


def _make_plain(command: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as the journal will hold them: what cannot be written down cannot be done again."""
    try:
        return json.loads(json.dumps(arguments, default=_make_list))
    except (TypeError, ValueError) as error:
        raise InputError(f"'{command}' got something that cannot be written down: {error}; give plain values") from None


def _make_list(value: Any) -> Any:
    """Arrays and their numbers as plain values."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} {value!r}")
