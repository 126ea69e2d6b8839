"""The state of a session: the open project, the time that is shown, and the hands of all pages."""

import contextlib
import time as wall
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control import checks
from stringless.control.director import Director
from stringless.engines import Feature
from stringless.engines.adaptive.view import View
from stringless.errors import InputError, StringlessError
from stringless.model import Scene
from stringless.project import Project
from stringless.project.commands import COMMANDS
from stringless.project.player import Player
from stringless.simulation import Simulation
from stringless.studio.builders.document import Spans
from stringless.studio.builders.frame import FrameBuilder
from stringless.studio.compilation import SimulationKernels
from stringless.studio.editing.workspace import EditWorkspace
from stringless.studio.hands import Hands
from stringless.studio.pose_draft import PoseDraft
from stringless.studio.recovery import describe_contents, describe_restored, find_suspects, has_changes
from stringless.studio.step_cost import StepCost

SLOW = 0.25
"""Rate at the start: directing by hand is easier in slow motion."""
CROWD = 12
"""With more characters than this, joints are activated where they are seen."""
AT_SHOWN_TIME = ("goal", "passive", "direct", "leave", "play_track", "stop_track", "edit_start")
"""Commands that take effect at the time that is shown: the simulation continues from there, in a branch of its own."""
UNSEEN = object()
"""In place of a view before any was set."""
FADE = 0.95
"""Share of the measured speed that is left at the next tick."""


class SessionState:
    """An open project, and everything that pages do with it."""

    def __init__(self, project: Project, epoch: int, *, unsaved: bool, rate: float = SLOW) -> None:
        """Start paused where the project was left; `unsaved` if it has no file of its own."""
        self.project, self.unsaved = project, unsaved
        self.recovered = "" if project.recovered is None else describe_contents(project.journal)
        """What was found if the file was not closed cleanly; empty if it was."""
        self.player = Player(project, rate)
        self.hands = Hands(self)
        self.pose: PoseDraft | None = None
        self.workspace = EditWorkspace(project)
        self.auto_key = False
        self.spans = Spans()
        self.epoch = epoch
        self.frame_builder = FrameBuilder(project.sim.model)
        self.frame_builder.prepare(project.sim)  # what frames need is compiled first, so that there is something to see
        self.kernels = SimulationKernels(project.sim)
        self.step_cost = StepCost()
        characters = int(np.count_nonzero(project.sim.model.tree["parent"] < 0))
        self.follows_view = project.sim.engine.supports(Feature.LEVEL_OF_DETAIL) and characters > CROWD
        """Whether joints are activated where the page that directs sees them, with engine `adaptive`."""
        self._view: Any = UNSEEN
        self._simulated = self._worked = 0.0
        self._sim = project.sim
        self._idle: tuple[Simulation, Director | None] | None = None

    @property
    def title(self) -> str:
        """Name of the project, or of its scene while it has none."""
        path = self.project.path
        return self.project.scene_data["name"] if self.unsaved or path is None else path.stem

    @property
    def is_changed(self) -> bool:
        """Whether anything was done that could be undone, besides opening a performance or a study."""
        return has_changes(self.project.history)

    @property
    def director(self) -> Director | None:
        """The director of the simulation, an unused one if it has none yet; None if there are no characters."""
        sim = self.project.sim
        if sim.has_director:
            return sim.director
        if not sim.engine.supports(Feature.GOALS):
            return None
        if self._idle is None or self._idle[0] is not sim:
            try:
                self._idle = (sim, sim.fork().director)  # of a copy: to look must not change how it is simulated
            except StringlessError:
                self._idle = (sim, None)
        return self._idle[1]

    # --- scene ---

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        player = self.player
        return self.project.sim.scene if player.at_present else self.project.scene_at(player.time, player.branch)

    def update_scene(self) -> bool:
        """Whether another scene is shown than before; increases the epoch then."""
        if self.project.sim is not self._sim:
            self._sim = self.project.sim
            self.hands.forget_missing()
            self.pose = None
            self.kernels.stop()
            self.kernels = SimulationKernels(self.project.sim)
            self.step_cost.reset()
            self._view = UNSEEN
        if self.scene.model is self.frame_builder.model:
            return False
        self.frame_builder = FrameBuilder(self.scene.model)
        self.epoch += 1
        return True

    def set_view(self, view: View | None) -> None:
        """Use the view of the page that directs. This is no command, and no step of undo."""
        sim = self.project.sim
        wanted = view if self.follows_view else None
        if not sim.engine.supports(Feature.LEVEL_OF_DETAIL) or wanted is self._view:
            return
        self._view = wanted
        if sim.view != wanted:
            sim.look_from(wanted)

    # --- time ---

    @contextlib.contextmanager
    def at_shown_time(self, *, live: bool = False) -> Iterator[Project]:
        """Do something at the time that is shown, and simulate on if `live`; if it fails, nothing has changed."""
        project, player = self.project, self.player
        shown, trouble = player.state, player.trouble
        position, document = project.position, project.document
        try:
            if live:
                self.pose = None
            if live and player.mode != "live":
                self.resume()
            else:
                player.go_to_shown()
            yield project
        except BaseException:
            if project.position != position and position.branch is not None:
                project.go_to(position.time, position.branch)
                project.restore_document(document)
                project.catch_up()
            player.restore(shown)
            player.trouble = trouble
            raise

    def resume(self) -> None:
        """Simulate on from what is shown."""
        was_past = not self.player.at_present
        self.player.live()
        if was_past:
            self.hands.release_recorded()

    def stop(self) -> None:
        """Let go with all hands, and pause at the present."""
        self.hands.release_all()
        self.player.pause()
        self.player.present()

    def tick(self) -> None:
        """Let the time pass that is due, unless a kernel is missing that this needs."""
        if self.pose is not None:
            self.pose.tick()
        sim, begin = self.project.sim, wall.perf_counter()
        if self.player.mode == "live" and not self.kernels.is_ready(sim):
            self.player.clock.start(begin)
            return
        before = sim.time
        self.player.tick()
        if sim.time > before:
            self._simulated = FADE * self._simulated + sim.time - before
            self._worked = FADE * self._worked + wall.perf_counter() - begin

    @property
    def real_time(self) -> float:
        """Simulated seconds per second of work, of late; 0 if nothing was simulated."""
        return self._simulated / self._worked if self._worked > 0 else 0.0

    def go_back(self, seconds: float) -> str:
        """Pause a little before the last good step, and clear the trouble; describes the parameters that were restored."""
        self.hands.release_all()
        project = self.project
        branch, _, time = project.position
        before = find_suspects(project) if self.player.trouble else {}
        self.player.present()
        self.player.trouble = ""
        with project.gesture("go back"):
            if branch is not None and seconds > 0:
                project.do("go_to", time=max(time - seconds, project.take.begin(branch)), lane=branch)
            if before:
                project.do("configure", **before)
        return describe_restored(before)

    @property
    def q(self) -> NDArray[Any]:
        """The configuration that is shown."""
        return self.project.sim.q if self.player.at_present else self.player.frame.q

    # --- commands ---

    def run_command(self, name: str, arguments: dict[str, Any]) -> Any:
        """Carry out a command of the project at the time that is shown."""
        if "self" in arguments or "command" in arguments:  # parameters of `Project.do`, not of any command
            raise InputError(f"'{name}' does not fit; it takes: {COMMANDS[name].signature or 'nothing'}")
        if name in AT_SHOWN_TIME:
            with self.at_shown_time() as project:
                return project.do(name, **arguments)
        if name == "delete_lane":
            return self._delete_branch(arguments)
        if name == "mark":
            arguments = {"time": self.player.time, **arguments}
        result = self.project.do(name, **arguments)
        if name in ("advance", "go_to", "open_scene"):
            self.hands.forget_missing()
            self.player.present()
        return result

    def _delete_branch(self, arguments: dict[str, Any]) -> Any:
        """Delete a branch that is not shown; if the present is in it, what is shown becomes the present."""
        project, number = self.project, arguments.get("lane")
        if not isinstance(number, int | str) or len(arguments) > 1:
            return project.do("delete_lane", **arguments)  # which refuses it
        chosen = project.take.branch(number)
        others = any(not other.deleted for other in project.take.branches.values() if other is not chosen)
        if others and chosen.id == self.player.branch:
            raise InputError(f"'{chosen.name}' is the branch that is shown; show another one first")
        if others and chosen.id == project.position.branch:
            with project.gesture(f"delete branch '{chosen.name}'"), self.at_shown_time():
                return project.do("delete_lane", lane=chosen.id)
        return project.do("delete_lane", lane=chosen.id)

    # --- hands ---

    def release_page(self, page: int) -> None:
        """Let go with all hands of a page."""
        self.workspace.release_page(page)
        if self.pose is not None:
            self.pose.release_page(page)
        self.hands.release_page(page)

    # --- poses and keys ---

    def keep_key(self, time: float | None = None) -> dict[str, int]:
        """Make a key of the pose as it is, and go on posing."""
        pose = self.require_pose()
        result = self.set_key(pose.character, pose.q, time)
        pose.is_changed = False
        return result

    def require_pose(self) -> PoseDraft:
        """The pose in the making, which must have begun."""
        if self.pose is None:
            raise InputError("nothing is being posed; begin a pose first")
        return self.pose

    def set_key(self, character: int, q: NDArray[Any], time: float | None = None) -> dict[str, int]:
        """Set a key of a character at a time of the take, on a track that is made if there is none."""
        project, sim = self.project, self.project.sim
        at = self.player.time if time is None else checks.number(time, "time of a key [s]")
        root = sim.director.characters[character].root
        with contextlib.nullcontext() if self.hands.in_gesture else project.gesture("set a key"):
            roots = sim.model.tree["root"]
            own = (each for each in sim.director.all_tracks if roots[sim.model.joint(each.joints[0]).index] == root)
            track = next(own, None)
            if track is None:
                track = sim.director.track(project.do("track", character=character))
            played = track.begin + track.rate * (at - track.started) if track.playing else at
            return {"track": track.id, "key": project.do("set_key", track=track.id, time=played, pose=q)}

    # --- end ---

    def close(self) -> None:
        """Write everything and close the file."""
        self.kernels.stop()
        if self.player.mode == "live":
            self.player.mode = "paused"
        self.workspace.finish()
        self.hands.release_all()
        self.project.close()
