"""Soak: direct at random through the real socket for as long as wanted, and see that nothing breaks and nothing grows."""

from __future__ import annotations

import math
import random
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import msgspec
import numpy as np

from stringless.studio.client import Client, Hand, LostError, RefusedError, connect
from stringless.studio.launch import launch
from stringless.studio.messages import Notice, Refusal

SCENES = ("worm", "lamp", "worm", "ragdoll")
"""Among which to switch: flesh and bare bones, free and fixed roots."""
UNEXPECTED = ("this did not work", "Something unexpected")
"""How the session speaks of its own faults; any other refusal is as it should be."""
PREPARED = 600.0
"""Seconds that the kernels may take to compile."""
SETTLED = 0.25
"""Part of the time after which memory is no longer expected to grow."""
NONSENSE = 5000
"""Words of nonsense that nobody should have to hear out."""
GARBAGE = (
    b"", b"\xc1", b"garbage", "text", b"\x91" * 3000, msgspec.msgpack.encode({"type": "do", "id": 1}),
    msgspec.msgpack.encode({"type": "move", "pointer": -1, "sequence": 0}),
    msgspec.msgpack.encode({"type": "seek", "sequence": 1, "time": math.nan}),
    msgspec.msgpack.encode({"type": "move", "pointer": 1, "sequence": 0, "target": [math.inf, 0.0, 0.0]}),
)  # fmt: skip


@dataclass
class Report:
    """What came of it."""

    seconds: float = 0.0
    frames: int = 0
    inputs: int = 0
    acts: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    """What was not done and why; as it should be where something cannot be done just then."""
    wait_ms: dict[str, float] = field(default_factory=dict[str, float])
    """From the arrival of a move to the frame that knew of it."""
    round_trip_ms: dict[str, float] = field(default_factory=dict[str, float])
    memory_mb: dict[str, float] = field(default_factory=dict[str, float])
    errors: list[str] = field(default_factory=list[str])

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(replace(self, acts=Counter(), refused=Counter())) | {
            "acts": dict(self.acts),
            "refused": dict(self.refused),
        }


def soak(seconds: float, *, seed: int = 1, report: Callable[[str], None] = lambda text: None) -> Report:
    """Start a studio in a process of its own, direct in it at random, and stop it."""
    with launch("worm") as studio, connect(studio.address, name="soak") as client:
        client.wait(lambda: client.status.preparing is None, PREPARED)
        hand = Soak(client, seed)
        watcher = Watcher(studio.address)
        memory: list[tuple[float, float]] = []
        start = told = time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds and not hand.report.errors:
            hand.act()
            watcher.act(hand.random)
            memory.append((passed, studio.memory))
            if time.perf_counter() - told > 10.0:
                told = time.perf_counter()
                report(
                    f"{passed:.0f} s, {client.frame_count} frames, {hand.report.inputs} inputs, {memory[-1][1]:.0f} MB"
                )
        result = hand.finish(passed)
        result.errors += watcher.finish()
        settled = [size for when, size in memory if when >= SETTLED * seconds] or [0.0]
        result.memory_mb = {"start": memory[0][1], "settled": settled[0], "end": settled[-1], "most": max(settled)}
        stopping = studio.interrupt()
        if studio.process.returncode != 0:
            result.errors.append(f"the studio ended with {studio.process.returncode} after {stopping:.1f} s")
    return result


class Soak:
    """Somebody who does anything that comes to mind."""

    def __init__(self, client: Client, seed: int) -> None:
        """Direct through `client`."""
        self.client, self.random, self.report = client, random.Random(seed), Report()
        self.hands: list[Hand] = []
        self.done: deque[str] = deque(maxlen=30)
        """What was done last."""
        self._about = ""
        self._acts: list[tuple[Callable[[], Any], int]] = [
            (self.move, 40), (self.grab, 10), (self.release, 8), (self.seek, 8), (self.transport, 8), (self.undo, 4),
            (self.redo, 3), (self.speed, 3), (self.mark, 2), (self.key, 2), (self.pose, 1), (self.wish, 2), (self.look, 2),
            (self.garbage, 3), (self.switch, 1),
        ]  # fmt: skip

    def act(self) -> None:
        """Do one thing; what is refused with a reason is no error."""
        act = self.random.choices([each for each, _ in self._acts], [weight for _, weight in self._acts])[0]
        name = getattr(act, "__name__", "")
        self.report.acts[name] += 1
        self._about = ""
        try:
            act()
            self.done.append(f"{name}{self._about}")
        except RefusedError as refused:
            self.done.append(f"{name}{self._about} (refused: {refused})")
            self.report.refused[f"{name}: {refused}"[:160]] += 1
            self._judge(str(refused))
        except (LostError, TimeoutError) as error:
            self.report.errors.append(f"{name}: {error}")
        while self.client.notices:
            said = self.client.notices.popleft()
            if isinstance(said, Notice) and said.level == "error":
                self._judge(said.text)
            elif isinstance(said, Refusal):
                self._judge(said.error)

    def _judge(self, text: str) -> None:
        if text.startswith(UNEXPECTED):
            self.report.errors.append(f"{text} after {', '.join(self.done)}")

    def finish(self, seconds: float) -> Report:
        """Let go and count."""
        client, report = self.client, self.report
        report.seconds, report.frames = seconds, client.frame_count
        report.wait_ms, report.round_trip_ms = quantiles(client.waits), quantiles(client.round_trips)
        if not np.all(np.isfinite(client.frame.poses)):
            report.errors.append("a frame held numbers that are not finite")
        return report

    # --- what comes to mind ---

    def _bone(self) -> str:
        return self.random.choice([body.name for body in self.client.scene.bodies if body.character >= 0] or [""])

    def _place(self, bone: str) -> tuple[float, ...]:
        reach = 0.3 * self.client.scene.extent
        return tuple(float(x) + self.random.uniform(-reach, reach) for x in self.client.position(bone))

    def grab(self) -> None:  # noqa: D102
        if len(self.hands) < 3 and (bone := self._bone()):
            kind = self.random.choice(("drag", "drag", "drag", "center"))
            self.hands.append(self.client.grab(bone, kind=kind, target=self._place(bone)))

    def move(self) -> None:  # noqa: D102
        if not self.hands:
            self.grab()
        if not self.hands:
            return
        bone = self._bone()
        target = self._place(bone) if bone else (0.0, 1.0, 0.0)
        for _ in range(self.random.randint(1, 30)):
            target = tuple(x + self.random.gauss(0.0, 0.01) for x in target)
            self.random.choice(self.hands).move(target)
            self.report.inputs += 1
            time.sleep(self.random.choice((0.001, 0.004, 0.016)))

    def release(self) -> None:  # noqa: D102
        while self.hands:
            self.hands.pop().release(keep=self.random.random() < 0.1)

    def seek(self) -> None:  # noqa: D102
        self._let_go()
        for _ in range(self.random.randint(1, 20)):
            self.client.seek(self.random.uniform(-0.1, self.client.status.end + 0.1))
            self.report.inputs += 1
            time.sleep(0.005)

    def transport(self) -> None:  # noqa: D102
        what = self.random.choice(("live", "live", "live", "pause", "replay", "present", "step", "back"))
        self._about = f" {what}"
        if what == "step":
            self.client.do("step", frames=self.random.randint(-5, 5))
        elif what == "replay":
            self.client.do("replay", loop=self.random.random() < 0.3)
        else:
            self.client.do(what)

    def speed(self) -> None:  # noqa: D102
        self.client.do("speed", rate=self.random.choice((1 / 32, 0.125, 0.25, 1.0, 1.0, 4.0, -1)))

    def undo(self) -> None:  # noqa: D102
        self._let_go()
        self.client.do("undo")

    def redo(self) -> None:  # noqa: D102
        self._let_go()
        self.client.do("redo")

    def mark(self) -> None:  # noqa: D102
        self.client.do("mark", name=f"mark {self.random.randint(0, 9)}")

    def key(self) -> None:  # noqa: D102
        self._let_go()
        self.client.do("key")

    def pose(self) -> None:  # noqa: D102
        self._let_go()
        self.client.do("begin_pose")
        try:
            bone = self._bone()
            with self.client.grab(bone) as hand:
                for _ in range(20):
                    hand.move(self._place(bone))
                    self.report.inputs += 1
                    time.sleep(0.01)
        finally:
            self.client.do("end_pose", keep=self.random.choice(("key", "goal", "none")))

    def wish(self) -> None:  # noqa: D102
        yes = self.random.random
        self.client.wish(
            contacts=yes() < 0.5,
            effort=yes() < 0.5,
            flagged=yes() < 0.5,
            ahead=yes() < 0.3,
            before=self.random.randint(0, 5),
        )

    def look(self) -> None:  # noqa: D102
        what = self.random.choice(("gallery", "recent", "folders", "script", "trail", "curves"))
        self._about = f" {what}"
        self.client.do(what)

    def garbage(self) -> None:  # noqa: D102
        self.client.send(self.random.choice(GARBAGE))

    def switch(self) -> None:  # noqa: D102
        self._let_go()
        source = self.random.choice(SCENES)
        self._about = f" {source}"
        self.client.do("open", source=source, kind="scene")
        self.client.wait(lambda: self.client.status.preparing is None, PREPARED)

    def _let_go(self) -> None:
        """Something else is about to happen, which may open the hands by itself."""
        try:
            self.release()
        except RefusedError:
            self.hands.clear()


class Watcher:
    """Somebody who looks on, comes and goes, and sometimes gets on everybody's nerves."""

    def __init__(self, address: str) -> None:
        """Not there yet."""
        self._address = address
        self._client: Client | None = None
        self._errors: list[str] = []

    def act(self, chance: random.Random) -> None:
        """Come or go, now and then."""
        if chance.random() > 0.02:
            return
        try:
            if self._client is None:
                self._client = connect(self._address, name="watcher", watch=True)
            elif chance.random() < 0.3:
                self._flood(self._client)
                self._client = None
            else:
                self._client.close()
                self._client = None
        except (LostError, TimeoutError) as error:
            self._errors.append(f"watcher: {error}")

    def _flood(self, client: Client) -> None:
        """Talk nonsense until being shown the door; of that, a hundred words a second are too many already."""
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
        """Go; returns what went wrong."""
        if self._client is not None:
            self._client.close()
        return self._errors


def quantiles(values: Any) -> dict[str, float]:
    """Median, 90, 99 and 100 %, if there are any."""
    found = list(values)
    if not found:
        return {}
    return {f"{100 * q:g} %": float(np.quantile(found, q)) for q in (0.5, 0.9, 0.99, 1.0)}
