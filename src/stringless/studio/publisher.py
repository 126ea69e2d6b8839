"""Publishers of frames and ghosts: they send what has changed, when it is due."""

import math
import threading
import time
from collections import deque
from typing import Any

import numpy as np

from stringless.project.ghosts import Ghosts
from stringless.simulation.preview import Preview
from stringless.studio import frames
from stringless.studio.builders.frame import Snapshot, build_frame, find_quaternions
from stringless.studio.hub import Hub
from stringless.studio.message_queue import QueuedMessage
from stringless.studio.messages import Wishes
from stringless.studio.pages import Page, Pages
from stringless.studio.session_state import SessionState

FRAMES_PER_SECOND = 60.0
AHEAD_FRAMES = 8
"""Ghosts of the future, evenly spread over the horizon, its end included."""
ENERGY_EVERY, STALE_EVERY = 0.1, 0.25
"""How often the energy, and whether the record is out of date, are found [s]."""
ENERGY_SHARE = 50.0
"""At least so many times the time that finding the energy takes passes before it is done again."""
LATENCIES = 64
"""Inputs whose latency is remembered."""
UNKNOWN = float("nan"), float("nan")


class FramePublisher:
    """Sends frames."""

    def __init__(self, outlet: Hub, pages: Pages) -> None:
        self.outlet, self.pages = outlet, pages
        self.waits: deque[float] = deque(maxlen=LATENCIES)
        """From the arrival of inputs to the frames that include them [ms]."""
        self._newest: QueuedMessage | None = None
        self._is_newest_sent = True
        self._energy = UNKNOWN
        self._stale = False
        self.reset()

    def reset(self) -> None:
        """Send everything again: another project is open."""
        self._sent: Any = None
        self._energy_due = self._stale_due = -math.inf

    def note_input(self, message: QueuedMessage) -> None:
        """An input has taken effect: the next frame includes it."""
        if self._newest is None or self._is_newest_sent or message.arrived >= self._newest.arrived:
            self._newest, self._is_newest_sent = message, False

    @property
    def latency(self) -> float:
        """Median of the last ones [ms]; -1 if there were none."""
        return float(np.median(self.waits)) if self.waits else -1.0

    def send_frame(self, state: SessionState, *, again: bool = False) -> None:
        """Send a frame if it differs from the last one."""
        wishes = [page.wishes for page in self.pages.all]
        signature = self._find_signature(state, wishes)
        if signature == self._sent and self._is_newest_sent and not again:
            return
        self._sent = signature
        energy = self._find_energy(state) if state.player.at_present else UNKNOWN
        frame = build_frame(state, wishes, stale=self.is_stale(state), energy=energy)
        if self._newest is not None:
            frame = frame._replace(input=self._newest.content.sequence)
            if not self._is_newest_sent:
                self.waits.append((time.perf_counter() - self._newest.arrived) * 1e3)
                self._is_newest_sent = True
                frame = frame._replace(wait=self.waits[-1])
        self.outlet.send_frame(frame)

    def _find_signature(self, state: SessionState, wishes: list[Wishes]) -> Any:
        """Differs whenever the frame does."""
        player, sim = state.player, state.project.sim
        revision = sim.director.revision if sim.has_director else 0
        shown = sim.time if player.at_present else player.frame.step
        flags = any(w.flagged for w in wishes), any(w.contacts for w in wishes), any(w.effort for w in wishes)
        return state.epoch, player.mode, player.at_present, player.branch, shown, revision, self.is_stale(state), flags

    def is_stale(self, state: SessionState) -> bool:
        """Whether what is shown is out of date; found now and then, because it takes a while."""
        if state.player.at_present:
            return False
        now = time.perf_counter()
        if now > self._stale_due:
            self._stale, self._stale_due = state.player.stale, now + STALE_EVERY
        return self._stale

    def _find_energy(self, state: SessionState) -> tuple[float, float]:
        now = time.perf_counter()
        if (now > self._energy_due or state.player.mode != "live") and state.kernels.all_ready:
            energy = state.project.sim.energy()
            taken = time.perf_counter() - now  # of a crowd longer than a frame: then it is found less often
            self._energy = energy.kinetic, energy.potential
            self._energy_due = now + max(ENERGY_EVERY, ENERGY_SHARE * taken)
        return self._energy


class GhostPublisher:
    """Sends ghosts of the future, of the past, and of a pose in the making."""

    def __init__(self, outlet: Hub, pages: Pages) -> None:
        self.outlet, self.pages = outlet, pages
        self._previews: Ghosts | None = None
        self._ahead_of: Any = None
        self._ahead_made = 0
        self._ahead_key: Any = None
        self._before: dict[int, Any] = {}
        self._has_pose = False

    def close(self) -> None:
        """Stop looking ahead; a preview that is under way ends by itself."""
        if self._previews is not None:
            threading.Thread(target=self._previews.close, name="closing look ahead", daemon=True).start()
            self._previews, self._ahead_made = None, 0

    def reset(self) -> None:
        """Send everything again: another project is open."""
        self._ahead_of = self._ahead_key = None
        self._before.clear()
        self.close()

    def forget_page(self, page: int) -> None:
        """A page has come or gone: send it its ghosts again."""
        self._before.pop(page, None)
        self._ahead_key, self._ahead_made = None, -1

    def set_wishes(self, state: SessionState | None, page: Page, wishes: Wishes) -> None:
        """A page wants to see something else."""
        if page.wishes.ahead and not wishes.ahead and state is not None:
            self.outlet.send_ghosts(page.number, frames.AHEAD, _pack_snapshots(frames.AHEAD, state.epoch, [], []))
        page.wishes = wishes
        self._ahead_key, self._ahead_made = None, -1

    def send_ghosts(self, state: SessionState) -> None:
        """Send ghosts that pages want and do not have yet."""
        wanting = [page for page in self.pages.all if page.wishes.ahead]
        if wanting and state.pose is None:
            self._send_future(state, wanting)
        for page in self.pages.all:
            self._send_past(state, page)
        if state.pose is None and self._has_pose:
            self._has_pose = False
            self.outlet.send_ghosts(None, frames.POSE, _pack_snapshots(frames.POSE, state.epoch, [], []))
        if state.pose is not None and not state.pose.is_shown:
            snapshot = state.frame_builder.from_pose(state.pose.q)
            data = _pack_snapshots(frames.POSE, state.epoch, [state.player.time], [snapshot])
            self.outlet.send_ghosts(None, frames.POSE, data)
            state.pose.is_shown = self._has_pose = True

    def _send_future(self, state: SessionState, wanting: list[Page]) -> None:
        horizon = max(page.wishes.horizon for page in wanting)
        if not state.player.at_present:
            self._send_recorded_future(state, wanting, horizon)
            return
        sim = state.project.sim
        if not state.kernels.is_ready(sim):
            return
        previews = self._previews = self._previews or Ghosts(horizon)
        previews.horizon = horizon
        revision = sim.director.revision if sim.has_director else 0
        # What only time changes comes second and third.
        now = (state.epoch, sim.time, state.project.position, id(sim.config), id(sim.flesh), horizon, revision)
        old = self._ahead_of
        is_outdated = old is None or (old[0], *old[3:]) != (now[0], *now[3:])
        # One that is under way is waited for: while a hand moves, every tick would overtake it, and none would be shown.
        if now != old and (previews.ready or (previews.idle and is_outdated)):
            self._ahead_of = now
            previews.request(sim)
        if previews.made != self._ahead_made and previews.latest is not None:
            self._ahead_made, self._ahead_key = previews.made, None
            self._send_to(wanting, _pack_preview(state, previews.latest))

    def _send_recorded_future(self, state: SessionState, wanting: list[Page], horizon: float) -> None:
        """Send the future of a time on record, as it was recorded."""
        player, take = state.player, state.project.take
        key = (state.epoch, player.branch, player.frame.step, horizon, tuple(page.number for page in wanting))
        if key == self._ahead_key:
            return
        self._ahead_key, self._ahead_of = key, None
        end = take.end(player.branch)
        times = [player.time + horizon * (k + 1) / AHEAD_FRAMES for k in range(AHEAD_FRAMES)]
        self._send_to(wanting, _pack_recorded(state, frames.AHEAD, [t for t in times if t <= end]))

    def _send_to(self, pages: list[Page], data: bytes) -> None:
        for page in pages:
            self.outlet.send_ghosts(page.number, frames.AHEAD, data)

    def _send_past(self, state: SessionState, page: Page) -> None:
        """Send ghosts of the past, at whole multiples of their spacing so that they do not slide along."""
        wishes, branch = page.wishes, state.player.branch
        times: list[float] = []
        if wishes.before and branch is not None:
            first, last = state.project.take.begin(branch), state.player.time
            newest = math.ceil(last / wishes.spacing - 1e-6) - 1
            times = [wishes.spacing * (newest - k) for k in range(wishes.before)]
            times = [t for t in times if t >= first - 1e-9]
        key = (state.epoch, branch, tuple(times))
        if self._before.get(page.number, (state.epoch, branch, ())) != key:
            self.outlet.send_ghosts(page.number, frames.BEFORE, _pack_recorded(state, frames.BEFORE, times))
        self._before[page.number] = key


def _pack_recorded(state: SessionState, role: int, times: list[float]) -> bytes:
    """Frames on record as ghosts, if they show the present model."""
    take, branch, builder = state.project.take, state.player.branch, state.frame_builder
    found = [take.frame(t, branch) for t in times if state.project.scene_at(t, branch).model is builder.model]
    return _pack_snapshots(role, state.epoch, [frame.time for frame in found], [builder.from_frame(f) for f in found])


def _pack_snapshots(role: int, epoch: int, times: list[float], snapshots: list[Snapshot]) -> bytes:
    if not snapshots:
        none = np.zeros((0, 0, 7)), np.zeros((0, 0, 3)), np.zeros((0, 3))
        return frames.pack_ghosts(role, epoch, np.zeros(0), *none)
    poses, nodes, centers, _ = (np.array(parts) for parts in zip(*snapshots, strict=True))
    return frames.pack_ghosts(role, epoch, np.array(times), poses, nodes, centers[:, :3])


def _pack_preview(state: SessionState, preview: Preview) -> bytes:
    """A few frames of a preview, the last one included, as ghosts."""
    last = len(preview.time) - 1
    rows = sorted({round(last * (k + 1) / AHEAD_FRAMES) for k in range(AHEAD_FRAMES)})
    positions = preview.positions[rows]
    turns = find_quaternions(preview.rotations[rows].reshape(-1, 3, 3)).reshape(*positions.shape[:2], 4)
    poses, nodes, centers = np.concatenate([positions, turns], axis=2), preview.nodes[rows], preview.centers[rows]
    return frames.pack_ghosts(frames.AHEAD, state.epoch, preview.time[rows], poses, nodes, centers)
