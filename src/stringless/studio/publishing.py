"""Frames and ghosts: what is handed out of the desk, when it is due and has changed."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.engines import Feature
from stringless.project.ghosts import Ghosts
from stringless.simulation import Simulation
from stringless.simulation.preview import Preview
from stringless.studio import frames, showing
from stringless.studio.desk import Desk
from stringless.studio.frames import DIRECTED, LIVE, PRESENT, STALE, TOUCHING, Moment
from stringless.studio.mailbox import Letter
from stringless.studio.messages import Wishes
from stringless.studio.outlet import Outlet
from stringless.studio.pages import Page, Pages
from stringless.studio.seen import see
from stringless.studio.showing import Drawn

FRAMES_PER_SECOND = 60.0
AHEAD_FRAMES = 8
"""Ghosts of what is to come that are drawn, evenly spread over the horizon, its end included."""
ENERGY_EVERY, STALE_EVERY = 0.1, 0.25
"""How often the energy, and whether the record is stale, are worked out anew [s]."""
ENERGY_SHARE = 50.0
"""At least so many times what working out the energy takes passes before it is done again."""
LATENCIES = 64
"""Inputs whose latency is remembered."""
NAN = float("nan")


class Publisher:
    """Hands out what pages shall see."""

    def __init__(self, outlet: Outlet, pages: Pages) -> None:
        """Nothing was shown yet."""
        self.outlet, self.pages = outlet, pages
        self.waits: deque[float] = deque(maxlen=LATENCIES)
        """From the arrival of inputs to the frames that knew of them [ms]."""
        self._newest: Letter | None = None
        self._told = True
        self._shown: Any = None
        self._energy = (NAN, NAN)
        self._energy_at = self._stale_at = -math.inf
        self._stale = False
        self._ghosts: Ghosts | None = None
        self._ahead_of: Any = None
        self._ahead_made = 0
        self._ahead_key: Any = None
        self._before: dict[int, Any] = {}
        self._posed = False

    def close(self) -> None:
        """Look ahead no more; a look that is under way ends by itself."""
        if self._ghosts is not None:
            threading.Thread(target=self._ghosts.close, name="closing look ahead", daemon=True).start()
            self._ghosts, self._ahead_made = None, 0

    def reset(self) -> None:
        """Another project is there: show everything anew."""
        self._shown = self._ahead_of = self._ahead_key = None
        self._energy_at = self._stale_at = -math.inf
        self._before.clear()
        self.close()

    def forget_page(self, page: int) -> None:
        """A page has come or gone: show it its ghosts anew."""
        self._before.pop(page, None)
        self._look_again()

    def _look_again(self) -> None:
        """Show what is ahead anew."""
        self._ahead_key, self._ahead_made = None, -1

    def hear_wishes(self, desk: Desk | None, page: Page, wishes: Wishes) -> None:
        """A page wants to see something else."""
        if page.wishes.ahead and not wishes.ahead and desk is not None:
            self.outlet.ghosts(page.number, frames.AHEAD, _packed(frames.AHEAD, desk.epoch, [], []))
        page.wishes = wishes
        self._look_again()

    def heard(self, letter: Letter) -> None:
        """An input has taken effect: the next frame says so."""
        if self._newest is None or self._told or letter.arrived >= self._newest.arrived:
            self._newest, self._told = letter, False

    @property
    def latency(self) -> float:
        """Median of the last ones [ms]; -1 if there were none."""
        return float(np.median(self.waits)) if self.waits else -1.0

    # --- frames ---

    def frame(self, desk: Desk, *, again: bool = False) -> bool:
        """Hand out a frame if it differs from the last one; whether it did."""
        wishes = [page.wishes for page in self.pages.all]
        key = self._key(desk, wishes)
        if key == self._shown and self._told and not again:
            return False
        self._shown = key
        self.outlet.frame(self.moment(desk, wishes))
        return True

    def _key(self, desk: Desk, wishes: list[Wishes]) -> Any:
        player, sim = desk.player, desk.project.sim
        revision = sim.director.revision if sim.has_director else 0
        shown = sim.time if player.at_present else player.frame.step
        flags = any(w.flagged for w in wishes), any(w.contacts for w in wishes), any(w.effort for w in wishes)
        return desk.epoch, player.mode, player.at_present, player.lane, shown, revision, self.is_stale(desk), flags

    def moment(self, desk: Desk, wishes: list[Wishes]) -> Moment:
        """What is looked at, as a frame tells it."""
        player, project = desk.player, desk.project
        sim = project.sim
        frame = None if player.at_present else project.take.frame(player.time, player.lane)
        seen = see(desk, frame, wishes)
        kinetic, potential = self._energy_of(desk) if frame is None else (NAN, NAN)
        effort = sim.effort if frame is None else frame.effort
        newest, wait = self._newest, -1.0
        if newest is not None and not self._told:
            wait = (time.perf_counter() - newest.arrived) * 1e3
            self.waits.append(wait)
            self._told = True
        return Moment(
            epoch=desk.epoch,
            input=0 if newest is None else newest.message.sequence,
            time=sim.time if frame is None else player.time,
            wait=wait,
            real_time=desk.real_time,
            kinetic=kinetic,
            potential=potential,
            flags=self._flags(desk, seen.touching),
            poses=seen.poses,
            nodes=seen.nodes,
            center=seen.center,
            contacts=seen.contacts,
            goals=seen.goals,
            flagged=seen.flagged,
            effort=effort if any(w.effort for w in wishes) and _works(sim, effort) else np.zeros(0),
            moving=showing.moving(desk.painter, sim, frame),
            places=seen.places,
        )

    def _flags(self, desk: Desk, touching: bool) -> int:
        player = desk.player
        return (
            LIVE * (player.mode == "live")
            | PRESENT * player.at_present
            | STALE * self.is_stale(desk)
            | DIRECTED * desk.project.sim.is_directed
            | TOUCHING * touching
        )

    def is_stale(self, desk: Desk) -> bool:
        """Whether what is looked at is not what would happen now; looked at now and then, because it takes a while."""
        if desk.player.at_present:
            return False
        now = time.perf_counter()
        if now - self._stale_at > STALE_EVERY:
            self._stale, self._stale_at = desk.player.stale, now
        return self._stale

    def _energy_of(self, desk: Desk) -> tuple[float, float]:
        now = time.perf_counter()
        due = now - self._energy_at > ENERGY_EVERY or desk.player.mode != "live"
        if due and desk.kernels.all_ready:
            energy = desk.project.sim.energy()
            # Of a crowd it takes longer than a frame: then it is looked at less often.
            late = ENERGY_SHARE * (time.perf_counter() - now)
            self._energy, self._energy_at = (energy.kinetic, energy.potential), now + max(0.0, late - ENERGY_EVERY)
        return self._energy

    # --- ghosts ---

    def ghosts(self, desk: Desk) -> None:
        """Hand out ghosts that pages wish and do not have yet."""
        wanting = [page for page in self.pages.all if page.wishes.ahead]
        if wanting and desk.posing is None:
            self._look_ahead(desk, wanting)
        for page in self.pages.all:
            self._look_back(desk, page)
        if desk.posing is None and self._posed:
            self._posed = False
            self.outlet.ghosts(None, frames.POSE, _packed(frames.POSE, desk.epoch, [], []))
        if desk.posing is not None and not desk.posing.seen:
            drawn = desk.painter.of_pose(desk.posing.q)
            self.outlet.ghosts(None, frames.POSE, _packed(frames.POSE, desk.epoch, [desk.player.time], [drawn]))
            desk.posing.seen = self._posed = True

    def _look_ahead(self, desk: Desk, wanting: list[Page]) -> None:
        horizon = max(page.wishes.horizon for page in wanting)
        if not desk.player.at_present:
            self._ahead_on_record(desk, wanting, horizon)
            return
        sim = desk.project.sim
        if not desk.kernels.ready(sim):
            return
        if self._ghosts is None:
            self._ghosts = Ghosts(horizon)
        ghosts = self._ghosts
        ghosts.horizon = horizon
        state = (desk.epoch, sim.time, desk.project.position, id(sim.config), id(sim.flesh), horizon)
        now = (*state, sim.director.revision if sim.has_director else 0)
        # One that is under way is waited for: while a hand moves, every tick would overtake it, and none would be shown.
        if now != self._ahead_of and (ghosts.ready or (ghosts.idle and self._told_anew(now))):
            self._ahead_of = now
            ghosts.wish(sim)
        if ghosts.made != self._ahead_made and ghosts.latest is not None:
            self._ahead_made, self._ahead_key = ghosts.made, None
            data = _preview(desk, ghosts.latest)
            for page in wanting:
                self.outlet.ghosts(page.number, frames.AHEAD, data)

    def _told_anew(self, now: tuple[Any, ...]) -> bool:
        """Whether more than time has changed, so that a look ahead under way shows the wrong thing."""
        old = self._ahead_of
        return old is None or (old[0], *old[3:]) != (now[0], *now[3:])

    def _ahead_on_record(self, desk: Desk, wanting: list[Page], horizon: float) -> None:
        """While the record is looked at, its own future is what is to come."""
        player, take = desk.player, desk.project.take
        key = (desk.epoch, player.lane, player.frame.step, horizon, tuple(page.number for page in wanting))
        if key == self._ahead_key:
            return
        self._ahead_key, self._ahead_of = key, None
        end = take.end(player.lane)
        times = [player.time + horizon * (k + 1) / AHEAD_FRAMES for k in range(AHEAD_FRAMES)]
        data = _recorded(desk, frames.AHEAD, [t for t in times if t <= end])
        for page in wanting:
            self.outlet.ghosts(page.number, frames.AHEAD, data)

    def _look_back(self, desk: Desk, page: Page) -> None:
        """Ghosts of what has been stand at whole multiples of their spacing, so that they do not slide along."""
        wishes, lane = page.wishes, desk.player.lane
        times: list[float] = []
        if wishes.before and lane is not None:
            first, last = desk.project.take.begin(lane), desk.player.time
            newest = math.ceil(last / wishes.spacing - 1e-6) - 1
            times = [wishes.spacing * (newest - k) for k in range(wishes.before)]
            times = [t for t in times if t >= first - 1e-9]
        key = (desk.epoch, lane, tuple(times))
        if self._before.get(page.number, (desk.epoch, lane, ())) != key:
            self.outlet.ghosts(page.number, frames.BEFORE, _recorded(desk, frames.BEFORE, times))
        self._before[page.number] = key


def _works(sim: Simulation, effort: NDArray[np.float64]) -> bool:
    """Whether efforts are worth telling: nobody directs where the engine is adaptive, and a crowd has thousands of them."""
    return sim.engine.supports(Feature.GOALS) or bool(effort.any())


def _recorded(desk: Desk, role: int, times: list[float]) -> bytes:
    take, lane = desk.project.take, desk.player.lane
    found = [take.frame(t, lane) for t in times if desk.scene_at(t, lane).model is desk.painter.model]
    return _packed(role, desk.epoch, [frame.time for frame in found], [desk.painter.of_frame(frame) for frame in found])


def _packed(role: int, epoch: int, times: list[float], drawn: list[Drawn]) -> bytes:
    if not drawn:
        none = np.zeros((0, 0, 7)), np.zeros((0, 0, 3)), np.zeros((0, 3))
        return frames.pack_ghosts(role, epoch, np.zeros(0), *none)
    poses, nodes, centers = (np.array([getattr(d, name) for d in drawn]) for name in ("poses", "nodes", "center"))
    return frames.pack_ghosts(role, epoch, np.array(times), poses, nodes, centers[:, :3])


def _preview(desk: Desk, seen: Preview) -> bytes:
    """A few moments of a look ahead, the last one included."""
    last = len(seen.time) - 1
    rows = sorted({round(last * (k + 1) / AHEAD_FRAMES) for k in range(AHEAD_FRAMES)})
    poses = np.empty((len(rows), seen.positions.shape[1], 7))
    poses[..., :3] = seen.positions[rows]
    poses[..., 3:] = showing.quaternions(seen.rotations[rows].reshape(-1, 3, 3)).reshape(len(rows), -1, 4)
    return frames.pack_ghosts(frames.AHEAD, desk.epoch, seen.time[rows], poses, seen.nodes[rows], seen.centers[rows])
