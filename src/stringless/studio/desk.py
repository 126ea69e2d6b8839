"""The desk: the project that is open, where in time it is looked at, and the hands that are on it."""

from __future__ import annotations

import contextlib
import time as wall
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.control.director import Director
from stringless.control.keyframes import check_number
from stringless.engines import AdaptiveEngine, Feature
from stringless.engines.adaptive.view import View
from stringless.errors import InputError, StringlessError
from stringless.model import Scene
from stringless.project import Project
from stringless.project.player import Player
from stringless.simulation import Simulation
from stringless.studio.editing import Bench
from stringless.studio.gauging import Gauge
from stringless.studio.hands import Hands
from stringless.studio.posing import Keep, Posing
from stringless.studio.preparing import Kernels
from stringless.studio.recovering import anything_done, what_is_there
from stringless.studio.retreat import in_words, parameters_before
from stringless.studio.showing import Painter
from stringless.studio.spans import Spans

SLOW = 0.25
"""Speed at the start: whoever directs by hand wants slow motion."""
CROWD = 12
"""More characters than this are a crowd, of which those count that are seen."""
UNSEEN = object()
"""In the place of a view before any was asked for."""
FADE = 0.95
"""What is left of a tick in the measured speed at the next one."""


class Desk:
    """An open project and all that is done with it by hand."""

    def __init__(self, project: Project, epoch: int, *, unsaved: bool, rate: float = SLOW) -> None:
        """Stand still where the project was left; `unsaved` if its file is only ours."""
        self.project, self.unsaved = project, unsaved
        self.recovered = "" if project.recovered is None else what_is_there(project.journal)
        """What was found if the program had died with the file open; empty if it was closed."""
        self.player = Player(project, rate)
        self.hands = Hands(self)
        self.posing: Posing | None = None
        self.bench = Bench(project)
        self.auto_key = False
        self.spans = Spans()
        self.epoch = epoch
        self.painter = Painter(project.sim.model)
        self.painter.prepare(project.sim)  # what frames need is compiled first, so that there is something to see
        self.kernels = Kernels(project.sim)
        self.gauge = Gauge()
        self.follows_view = _is_crowd(project.sim)
        """Whether joints are spent where the page that directs sees them, with engine `adaptive`."""
        self._view: Any = UNSEEN
        self._simulated = self._worked = 0.0
        self._sim = project.sim
        self._scenes: dict[str, Scene] = {}
        self._idle: tuple[Simulation, Director | None] | None = None

    @property
    def title(self) -> str:
        """What to call it."""
        path = self.project.path
        return self.project.scene_data["name"] if self.unsaved or path is None else path.stem

    @property
    def changed(self) -> bool:
        """Whether anybody has ever done anything that could be taken back, besides opening a performance or a study."""
        return anything_done(self.project.history)

    @property
    def director(self) -> Director | None:
        """Who directs the simulation; one that was told nothing as long as there is none, None if there is nobody to direct."""
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

    # --- which scene ---

    def scene_at(self, time: float, lane: int | None) -> Scene:
        """The scene that a moment on record shows: that of then, whatever has become of it since."""
        project = self.project
        if lane is None:
            return project.sim.scene
        name = project.take.owner(time, lane).scene
        if name not in self._scenes:
            known = project.store.get("scenes") or {}
            self._scenes[name] = project.scene(known[name]) if name in known else project.sim.scene
        return self._scenes[name]

    @property
    def scene(self) -> Scene:
        """The scene that is looked at."""
        player = self.player
        return self.project.sim.scene if player.at_present else self.scene_at(player.time, player.lane)

    def notice_scene(self) -> bool:
        """Whether another scene is looked at than before; counts the epoch up then."""
        if self.project.sim is not self._sim:
            self._sim = self.project.sim
            self.hands.forget_gone()
            self.posing = None
            self.kernels.stop()
            self.kernels = Kernels(self.project.sim)
            self.gauge.forget()
            self._view = UNSEEN
        if self.scene.model is self.painter.model:
            return False
        self.painter = Painter(self.scene.model)
        self.epoch += 1
        return True

    def look_from(self, view: View | None) -> None:
        """The page that directs looks from there. Nobody has made anything by that: it is no step of undo."""
        sim = self.project.sim
        wanted = view if self.follows_view else None
        if not sim.engine.supports(Feature.LEVEL_OF_DETAIL) or wanted is self._view:
            return
        self._view = wanted
        if sim.view != wanted:
            sim.look_from(wanted)

    # --- time ---

    @contextlib.contextmanager
    def where_looked(self, *, live: bool = False) -> Iterator[Project]:
        """Do something at the moment that is looked at, and go on from there if `live`; if it fails, nothing has changed."""
        project, player = self.project, self.player
        look, trouble = player.look(), player.trouble
        position, document = project.position, project.document
        try:
            if live:
                self.end_pose("none")
            if live and player.mode != "live":
                self.go_on()
            else:
                player.arrive()
            yield project
        except BaseException:
            if project.position != position and position.lane is not None:
                project.go_to(position.time, position.lane)
                project.become(document)
                project.catch_up()
            player.look_again(look)
            player.trouble = trouble
            raise

    def go_on(self) -> None:
        """Simulate on from what is looked at."""
        past = not self.player.at_present
        self.player.live()
        if past:
            self.hands.open_left()

    def stand(self) -> None:
        """Let everything go and stand still at the present."""
        self.hands.drop()
        self.player.pause()
        self.player.present()

    def tick(self) -> bool:
        """Let pass what time is due; False while a kernel is missing that this needs."""
        if self.posing is not None:
            self.posing.tick()
        if self.player.mode == "live" and not self.kernels.ready(self.project.sim):
            self.player.clock.start(wall.perf_counter())
            return False
        sim, begin = self.project.sim, wall.perf_counter()
        before = sim.time
        self.player.tick()
        if sim.time > before:
            self._simulated = FADE * self._simulated + sim.time - before
            self._worked = FADE * self._worked + wall.perf_counter() - begin
        return True

    @property
    def real_time(self) -> float:
        """Seconds simulated per second of work, of late; 0 if nothing was."""
        return self._simulated / self._worked if self._worked > 0 else 0.0

    def back(self, seconds: float) -> str:
        """Stand a little before the last good step, with the trouble forgotten; says which parameters are as before."""
        self.hands.drop()
        project = self.project
        lane, _, time = project.position
        before = parameters_before(project) if self.player.trouble else {}
        self.player.present()
        self.player.trouble = ""
        with project.gesture("go back"):
            if lane is not None and seconds > 0:
                project.do("go_to", time=max(time - seconds, project.take.begin(lane)), lane=lane)
            if before:
                project.do("configure", **before)
        return in_words(before)

    @property
    def q(self) -> NDArray[np.float64]:
        """The configuration that is looked at."""
        return self.project.sim.q if self.player.at_present else self.player.frame.q

    def let_go(self, page: int) -> None:
        """Open all hands of a page."""
        self.bench.leave(page)
        if self.posing is not None:
            self.posing.leave(page)
        self.hands.leave(page)

    # --- poses and keys ---

    def begin_pose(self, character: str | int | None) -> None:
        """Begin a pose of a character from what is looked at; the simulation stands still meanwhile."""
        posing = Posing(self.project.sim, character, self.q.copy())
        self.hands.drop()
        if self.player.mode != "paused":
            self.player.pause()
        self.posing = posing

    def end_pose(self, keep: Keep, time: float | None = None) -> Any:
        """End it, and make a key or a goal of it; the index of the key or the number of the goal."""
        posing = self.posing
        if posing is None:
            return None
        result = self._keep_pose(posing, keep, time)
        self.posing = None
        return result

    def keep_key(self, time: float | None = None) -> dict[str, int]:
        """Make a key of the pose as it is, and go on posing."""
        if self.posing is None:
            raise InputError("nothing is being posed; begin a pose first")
        result = self.set_key(self.posing.character, self.posing.q, time)
        self.posing.moved = False
        return result

    def _keep_pose(self, posing: Posing, keep: Keep, time: float | None) -> Any:
        if keep == "key":
            return self.set_key(posing.character, posing.q, time)
        if keep == "goal":
            with self.where_looked() as project:
                return project.do("goal", kind="pose", pose=posing.values())
        if keep != "none":
            raise InputError(f"a pose can be kept as 'key', 'goal' or 'none'; found {keep!r}")
        return None

    def set_key(self, character: int, q: NDArray[np.float64], time: float | None = None) -> dict[str, int]:
        """Set a key of a character at a time of the take, on a track that is made if there is none."""
        project = self.project
        director = project.sim.director
        moment = self.player.time if time is None else check_number("time of a key [s]", time)
        root = director.cast[character].root
        with contextlib.nullcontext() if self.hands.in_gesture else project.gesture("set a key"):
            tracks = [
                track for track in director.all_tracks
                if int(project.sim.model.tree[project.sim.model.joint(track.joints[0]).index]["root"]) == root
            ]  # fmt: skip
            track = tracks[0].id if tracks else project.do("track", character=character)
            key = project.do("set_key", track=track, time=track_time(director.track(track), moment), pose=q)
        return {"track": track, "key": key}

    # --- the end ---

    def close(self) -> None:
        """Write everything and let the file go."""
        self.kernels.stop()
        if self.player.mode == "live":
            self.player.mode = "paused"
        self.bench.finish()
        self.hands.drop()
        self.project.close()


def _is_crowd(sim: Simulation) -> bool:
    """Whether there are so many characters that nobody looks at each."""
    return isinstance(sim.engine, AdaptiveEngine) and len(sim.engine.tables.trees) > CROWD


def track_time(track: Any, moment: float) -> float:
    """The time of a track that is played at a moment of the take: the same, unless it plays from elsewhere."""
    return track.begin + track.rate * (moment - track.started) if track.playing else moment
