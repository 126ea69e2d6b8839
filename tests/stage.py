"""The studio's page as a test uses it: by hand, and by looking at what it was told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from studios import Studio, show

if TYPE_CHECKING:
    from playwright.sync_api import Page

Point = tuple[float, float, float]
PATIENCE = 30.0
"""What anything may take on a busy machine [s]."""

FRAME = """() => {
    const frame = window.stringless.newest.frame;
    if (!frame) return null;
    const scene = window.stringless.scene.value;
    const places = {};
    scene.bodies.forEach((body, i) => { places[body.name] = Array.from(frame.poses.subarray(7 * i, 7 * i + 7)); });
    const goals = [];
    for (let k = 0; k < frame.goals.length; k += 11) goals.push(Array.from(frame.goals.subarray(k, k + 11)));
    return { time: frame.time, sequence: frame.sequence, input: frame.input, live: frame.live, present: frame.present, places,
             center: Array.from(frame.center), goals, nodes: Array.from(frame.nodes), contacts: frame.contacts.length / 6 };
}"""

WATCH = """() => {
    window.seen = [];
    window.stringless.onFrame.add((frame) => {
        if (window.seen.length < 5000)
            window.seen.push({ time: frame.time, poses: Array.from(frame.poses), center: Array.from(frame.center) });
    });
}"""


class Stage:
    """One page of a studio."""

    def __init__(self, page: Page) -> None:
        """Use a page that shows a studio."""
        self.page = page

    @classmethod
    def of_a_new_worm(cls, page: Page, studio: Studio) -> Stage:
        """Open a page of a studio and begin a project with the worm."""
        show(page, studio)
        stage = cls(page)
        stage.until("the right to direct", lambda: stage.value("directing"))
        before = stage.value("scene")["epoch"]
        stage.act("new", scene="worm")
        stage.until("a worm of its own", lambda: stage.value("scene")["epoch"] != before and stage.frame)
        return stage

    # --- looking ---

    def value(self, name: str) -> Any:
        """A signal of the page's store, such as `doc` or `status`."""
        return self.page.evaluate("name => window.stringless[name].value", name)

    @property
    def status(self) -> dict[str, Any]:
        """How it stands."""
        return self.value("status")

    @property
    def doc(self) -> dict[str, Any]:
        """What was made."""
        return self.value("doc")

    @property
    def frame(self) -> dict[str, Any]:
        """What is drawn."""
        return self.page.evaluate(FRAME)

    def place(self, bone: str, point: Point = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where a point of a bone is drawn, in the world [m]."""
        return placed(self.frame["places"][bone], point)

    def watch(self) -> None:
        """Remember every frame from now on: a slow test may look too late."""
        self.page.evaluate(WATCH)

    def seen(self, bone: str, point: Point = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where a point of a bone was in every frame since `watch`, shape (k, 3) [m]."""
        index = [body["name"] for body in self.value("scene")["bodies"]].index(bone)
        poses = self.page.evaluate("i => window.seen.map((frame) => frame.poses.slice(7 * i, 7 * i + 7))", index)
        return np.array([placed(pose, point) for pose in poses]).reshape(-1, 3)

    def seen_centers(self) -> tuple[np.ndarray, np.ndarray]:
        """Times and centres of gravity of every frame since `watch`."""
        rows = self.page.evaluate("() => window.seen.map((frame) => [frame.time, ...frame.center.slice(0, 3)])")
        table = np.array(rows).reshape(-1, 4)
        return table[:, 0], table[:, 1:]

    def pixel(self, point: Any) -> tuple[float, float]:
        """Where a point of the world is on the page, once the camera stands still."""
        before = self._project(point)
        for _ in range(100):
            self.page.wait_for_timeout(60)
            now = self._project(point)
            if abs(now[0] - before[0]) + abs(now[1] - before[1]) < 0.5:
                return now
            before = now
        raise AssertionError("the camera does not come to rest")

    def _project(self, point: Any) -> tuple[float, float]:
        spot = self.page.evaluate("p => window.stringless.project(...p)", [float(c) for c in point])
        return (spot["x"], spot["y"]) if isinstance(spot, dict) else (spot[0], spot[1])

    def until(self, what: str, condition: Any, patience: float = PATIENCE) -> Any:
        """Wait until something is seen, and give it; fails with `what`."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            seen = condition()
            if seen:
                return seen
            self.page.wait_for_timeout(50)
        raise AssertionError(f"waited {patience:g} s for: {what}; the page knows: {self.status} {self.value('toasts')}")

    def until_time(self, moment: float) -> None:
        """Wait until the simulation has come so far [s]."""
        self.until(f"time {moment} s", lambda: self.frame["time"] >= moment)

    @property
    def head(self) -> np.ndarray:
        """Where the worm's head is drawn [m]."""
        return self.place("bone_0", (-0.04, 0.0, 0.0))

    # --- doing ---

    def act(self, command: str, **arguments: Any) -> Any:
        """What a button of the page would ask the studio for."""
        return self.page.evaluate("([c, a]) => window.stringless.act(c, a)", [command, arguments])

    def press(self, key: str) -> None:
        """A key, with the stage in focus."""
        self.page.keyboard.press(key)

    def click(self, name: str) -> None:
        """Something with a name for tests."""
        self.page.get_by_test_id(name).click()

    def take_hold(self, start: tuple[float, float], end: tuple[float, float], steps: int = 10, pause: int = 16) -> None:
        """Press the button at a pixel and move to another, without letting go."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for k in range(1, steps + 1):
            s = k / steps
            mouse.move(start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1]))
            self.page.wait_for_timeout(pause)

    def let_go(self) -> None:
        """Release the button."""
        self.page.mouse.up()

    def settle(self, moment: float = 0.6) -> None:
        """Let a dropped character come to rest, in fast motion, and stop."""
        self.act("speed", rate=4.0)
        self.act("live")
        self.until_time(moment)
        self.act("pause")
        self.act("speed", rate=0.25)


def placed(pose: Any, point: Point) -> np.ndarray:
    """A point of a bone in the world, by the bone's position and quaternion."""
    values = np.array(pose)
    return values[:3] + Rotation.from_quat(values[3:]).apply(point)
