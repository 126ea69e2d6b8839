"""Soak test: direct at random through the real socket for as long as wanted, and check that nothing breaks or grows."""

import math
import random
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from stringless.studio.client import Client, Hand, LostError, RefusedError, connect
from stringless.studio.launch import launch
from stringless.studio.messages import Notice, Refusal

SCENES = ("worm", "lamp", "worm", "ragdoll")
"""To switch between: flesh and bare bones, free and fixed roots."""
UNEXPECTED = ("this did not work", "Something unexpected")
"""How messages about faults of the studio begin; any other refusal is as it should be."""
PREPARED = 600.0
"""Time that compiling the kernels may take [s]."""
SETTLED = 0.25
"""Part of the time after which memory is no longer expected to grow."""
NONSENSE = 5000
"""Malformed messages that no studio should accept."""
SPEEDS = (1 / 32, 0.125, 0.25, 1.0, 1.0, 4.0, -1)
WRONG = (
    {"type": "do", "id": 1},
    {"type": "move", "pointer": -1, "sequence": 0},
    {"type": "seek", "sequence": 1, "time": math.nan},
    {"type": "move", "pointer": 1, "sequence": 0, "target": [math.inf, 0.0, 0.0]},
)
GARBAGE = (b"", b"\xc1", b"garbage", "text", b"\x91" * 3000, *map(msgspec.msgpack.encode, WRONG))


@dataclass
class Report:
    """The result."""

    seconds: float = 0.0
    frames: int = 0
    inputs: int = 0
    acts: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    """What was not done and why; as it should be where something cannot be done at that time."""
    wait_ms: dict[str, float] = field(default_factory=dict[str, float])
    """From the arrival of a move to the frame that includes it."""
    round_trip_ms: dict[str, float] = field(default_factory=dict[str, float])
    memory_mb: dict[str, float] = field(default_factory=dict[str, float])
    errors: list[str] = field(default_factory=list[str])

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return vars(self) | {"acts": dict(self.acts), "refused": dict(self.refused)}


def soak(seconds: float, *, seed: int = 1, report: Callable[[str], None] = lambda text: None) -> Report:
    """Start a studio in a process of its own, direct in it at random, and stop it."""
    with launch("worm") as studio, connect(studio.address, name="soak") as client:
        client.wait(lambda: client.status.preparing is None, PREPARED)
        user, watcher = RandomUser(client, seed), RandomWatcher(studio.address)
        memory: list[tuple[float, float]] = []
        start = told = time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds and not user.report.errors:
            user.act()
            watcher.act(user.random)
            memory.append((passed, studio.memory))
            if time.perf_counter() - told > 10.0:
                told = time.perf_counter()
                inputs, size = user.report.inputs, memory[-1][1]
                report(f"{passed:.0f} s, {client.frame_count} frames, {inputs} inputs, {size:.0f} MB")
        result = user.finish(passed)
        result.errors += watcher.finish()
        settled = [size for when, size in memory if when >= SETTLED * seconds] or [0.0]
        result.memory_mb = {"start": memory[0][1], "settled": settled[0], "end": settled[-1], "most": max(settled)}
        stopping = studio.interrupt()
        if studio.process.returncode != 0:
            result.errors.append(f"the studio ended with {studio.process.returncode} after {stopping:.1f} s")
    return result


class RandomUser:
    """A user who does anything at random."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client, self.random, self.report = client, random.Random(seed), Report()
        self.hands: list[Hand] = []
        self.done: deque[str] = deque(maxlen=30)
        """What was done last."""
        self._detail = ""
        choice, do = self.random.choice, self._do
        self.acts: dict[str, tuple[Callable[[], Any], int]] = {"move": (self._move, 40), "grab": (self._grab, 10)}
        self.acts |= {"release": (self._release, 8), "seek": (self._seek, 8), "transport": (self._control_time, 8)}
        self.acts |= {"undo": (lambda: do("undo"), 4), "redo": (lambda: do("redo"), 3)}
        self.acts["speed"] = lambda: client.do("speed", rate=choice(SPEEDS)), 3
        self.acts["mark"] = lambda: client.do("mark", name=f"mark {choice(range(10))}"), 2
        self.acts |= {"key": (lambda: do("key"), 2), "pose": (self._pose, 1), "wish": (self._wish, 2)}
        self.acts |= {"look": (self._look, 2), "garbage": (lambda: client.send(choice(GARBAGE)), 3)}
        self.acts["switch"] = self._switch, 1
        """Acts and how often each is chosen."""

    def act(self) -> None:
        """Do one thing; what is refused with a reason is no error."""
        name = self.random.choices(list(self.acts), [weight for _, weight in self.acts.values()])[0]
        self.report.acts[name] += 1
        self._detail = ""
        try:
            self.acts[name][0]()
            self.done.append(f"{name}{self._detail}")
        except RefusedError as refused:
            self.done.append(f"{name}{self._detail} (refused: {refused})")
            self.report.refused[f"{name}: {refused}"[:160]] += 1
            self._check_fault(str(refused))
        except (LostError, TimeoutError) as error:
            self.report.errors.append(f"{name}: {error}")
        while self.client.notices:
            notice = self.client.notices.popleft()
            if isinstance(notice, Notice) and notice.level == "error":
                self._check_fault(notice.text)
            elif isinstance(notice, Refusal):
                self._check_fault(notice.error)

    def _check_fault(self, text: str) -> None:
        if text.startswith(UNEXPECTED):
            self.report.errors.append(f"{text} after {', '.join(self.done)}")

    def finish(self, seconds: float) -> Report:
        """Complete the report."""
        client, report = self.client, self.report
        report.seconds, report.frames = seconds, client.frame_count
        report.wait_ms, report.round_trip_ms = find_quantiles(client.waits), find_quantiles(client.round_trips)
        if not np.all(np.isfinite(client.frame.poses)):
            report.errors.append("a frame held numbers that are not finite")
        return report

    # --- acts ---

    def _choose_bone(self) -> str:
        return self.random.choice([body.name for body in self.client.scene.bodies if body.character >= 0] or [""])

    def _choose_target(self, bone: str) -> tuple[float, ...]:
        reach = 0.3 * self.client.scene.extent
        return tuple(float(x) + self.random.uniform(-reach, reach) for x in self.client.position(bone))

    def _do(self, command: str, **arguments: Any) -> None:
        """Carry out something that releases all hands."""
        self._forget_hands()
        self.client.do(command, **arguments)

    def _forget_hands(self) -> None:
        try:
            self._release()
        except RefusedError:
            self.hands.clear()

    def _grab(self) -> None:
        if len(self.hands) < 3 and (bone := self._choose_bone()):
            kind = self.random.choice(("drag", "drag", "drag", "center"))
            self.hands.append(self.client.grab(bone, kind=kind, target=self._choose_target(bone)))

    def _move(self) -> None:
        if not self.hands:
            self._grab()
        if not self.hands:
            return
        bone = self._choose_bone()
        target = self._choose_target(bone) if bone else (0.0, 1.0, 0.0)
        for _ in range(self.random.randint(1, 30)):
            target = tuple(x + self.random.gauss(0.0, 0.01) for x in target)
            self.random.choice(self.hands).move(target)
            self.report.inputs += 1
            time.sleep(self.random.choice((0.001, 0.004, 0.016)))

    def _release(self) -> None:
        while self.hands:
            self.hands.pop().release(keep=self.random.random() < 0.1)

    def _seek(self) -> None:
        self._forget_hands()
        for _ in range(self.random.randint(1, 20)):
            self.client.seek(self.random.uniform(-0.1, self.client.status.end + 0.1))
            self.report.inputs += 1
            time.sleep(0.005)

    def _control_time(self) -> None:
        what = self.random.choice(("live", "live", "live", "pause", "replay", "present", "step", "back"))
        self._detail = f" {what}"
        arguments: dict[str, Any] = {}
        if what == "step":
            arguments = {"frames": self.random.randint(-5, 5)}
        elif what == "replay":
            arguments = {"loop": self.random.random() < 0.3}
        self.client.do(what, **arguments)

    def _pose(self) -> None:
        self._do("begin_pose")
        try:
            bone = self._choose_bone()
            with self.client.grab(bone) as hand:
                for _ in range(20):
                    hand.move(self._choose_target(bone))
                    self.report.inputs += 1
                    time.sleep(0.01)
        finally:
            self.client.do("end_pose", keep=self.random.choice(("key", "goal", "none")))

    def _wish(self) -> None:
        shares = {"contacts": 0.5, "effort": 0.5, "flagged": 0.5, "ahead": 0.3}
        wishes = {name: self.random.random() < share for name, share in shares.items()}
        self.client.wish(**wishes, before=self.random.randint(0, 5))

    def _look(self) -> None:
        what = self.random.choice(("gallery", "recent", "folders", "script", "trail", "curves"))
        self._detail = f" {what}"
        self.client.do(what)

    def _switch(self) -> None:
        source = self.random.choice(SCENES)
        self._detail = f" {source}"
        self._do("open", source=source, kind="scene")
        self.client.wait(lambda: self.client.status.preparing is None, PREPARED)


class RandomWatcher:
    """A page that watches, comes and goes, and sometimes floods the studio with malformed messages."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: Client | None = None
        self._errors: list[str] = []

    def act(self, chance: random.Random) -> None:
        """Connect or disconnect now and then."""
        if chance.random() > 0.02:
            return
        client, self._client = self._client, None
        try:
            if client is None:
                self._client = connect(self._address, name="watcher", watch=True)
            elif chance.random() < 0.3:
                self._flood(client)
            else:
                client.close()
        except (LostError, TimeoutError) as error:
            self._errors.append(f"watcher: {error}")

    def _flood(self, client: Client) -> None:
        """Send malformed messages until being disconnected; a hundred a second are too many already."""
        try:
            for _ in range(NONSENSE):
                client.send(b"garbage")
            client.wait(lambda: False)
        except LostError:
            pass
        except TimeoutError:
            self._errors.append("nobody stopped a flood of messages")
        client.close()

    def finish(self) -> list[str]:
        """Disconnect; returns what went wrong."""
        if self._client is not None:
            self._client.close()
        return self._errors


def find_quantiles(values: Any) -> dict[str, float]:
    """Median, 90, 99 and 100 %, if there are any."""
    found = list(values)
    return {f"{100 * q:g} %": float(np.quantile(found, q)) for q in (0.5, 0.9, 0.99, 1.0)} if found else {}
