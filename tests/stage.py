"""The studio's page as a test uses it: by hand, and by looking at what it was told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from playwright.sync_api import expect
from scipy.spatial.transform import Rotation

from studios import Studio, show

if TYPE_CHECKING:
    from playwright.sync_api import Page

Point = tuple[float, float, float]
PATIENCE = 60.0
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
            window.seen.push({ time: frame.time, poses: Array.from(frame.poses), center: Array.from(frame.center),
                               contacts: frame.contacts.length / 6 });
    });
}"""

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Stage:
    """One page of a studio."""

    def __init__(self, page: Page) -> None:
        """Use a page that shows a studio."""
        self.page = page

    @classmethod
    def of_a_new(cls, page: Page, studio: Studio, scene: str = "worm") -> Self:
        """Open a page of a studio and begin a project with a scene."""
        show(page, studio)
        stage = cls(page)
        stage.until("the right to direct", lambda: stage.value("directing"))
        before = stage.value("scene")["epoch"]
        stage.act("new", scene=scene)
        stage.until(f"a new {scene}", lambda: stage.value("scene")["epoch"] != before and stage.frame)
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
        """What is drawn; a scene that has just come is waited for."""
        return self.until("a frame", lambda: self.page.evaluate(FRAME))

    def place(self, bone: str, point: Point = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where a point of a bone is drawn, in the world [m]."""
        return placed(self.frame["places"][bone], point)

    def turn(self, bone: str) -> Rotation:
        """How a bone is turned, as it is drawn."""
        return Rotation.from_quat(self.frame["places"][bone][3:])

    def watch(self) -> None:
        """Remember every frame from now on: a slow test may look too late."""
        self.page.evaluate(WATCH)

    def seen(self, bone: str, point: Point = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where a point of a bone was in every frame since `watch`, shape (k, 3) [m]."""
        index = [body["name"] for body in self.value("scene")["bodies"]].index(bone)
        poses = self.page.evaluate("i => window.seen.map((frame) => frame.poses.slice(7 * i, 7 * i + 7))", index)
        return np.array([placed(pose, point) for pose in poses]).reshape(-1, 3)

    def recorded_centers(self, start: float, end: float) -> tuple[np.ndarray, np.ndarray]:
        """Times and centres of gravity of every frame on record in a range of time, whatever the page has seen of them."""
        about = {"start": start, "end": end, "count": 2000}  # more than there are: each is given once
        return np.array(self.act("curves", **about)["time"]), np.array(self.act("trail", **about)).reshape(-1, 3)

    def pixel(self, point: Any) -> tuple[float, float]:
        """Where a point of the world is on the page, once the camera stands still."""
        places = [self._project(point)]

        def rests() -> bool:
            self.drawn()
            self.page.wait_for_timeout(60)
            places.append(self._project(point))
            return float(np.abs(np.subtract(places[-1], places[-2])).sum()) < 0.5

        self.until("the camera comes to rest", rests)
        return places[-1]

    def drawn(self) -> None:
        """Wait until the page has drawn twice: what it was told by now can be seen, and a camera that turns has turned."""
        self.page.evaluate(DRAWN)

    def resting_box(self, name: str) -> dict[str, float]:
        """Where something with a name for tests is on the page [px], once it has come to rest."""
        found = self.page.get_by_test_id(name)
        boxes: list[Any] = [None]

        def rests() -> bool:
            self.drawn()
            boxes.append(found.bounding_box())
            return boxes[-1] is not None and boxes[-1] == boxes[-2]

        self.until(f"'{name}' comes to rest", rests)
        return boxes[-1]

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
        raise AssertionError(
            f"waited {patience:g} s for: {what}; the page knows: {self.status} {self.value('toasts')}; "
            f"goals {(self.doc or {}).get('goals')}"
        )

    def shows(self, name: str, text: str | None = None) -> Any:
        """Wait until something with a name for tests is seen, and says `text` if given; gives it."""
        found = self.page.get_by_test_id(name).first
        expect(found).to_be_visible(timeout=1000 * PATIENCE)
        if text is not None:
            expect(found).to_contain_text(text, timeout=1000 * PATIENCE)
        return found

    def lacks(self, name: str) -> None:
        """Wait until nothing with a name for tests is there."""
        expect(self.page.get_by_test_id(name)).to_have_count(0, timeout=1000 * PATIENCE)

    def until_time(self, moment: float) -> None:
        """Wait until the simulation has come so far [s]."""
        self.until(f"time {moment} s", lambda: self.frame["time"] >= moment)

    @property
    def head(self) -> np.ndarray:
        """Where the worm's head is drawn [m]."""
        return self.place("bone_0", (-0.04, 0.0, 0.0))

    @property
    def seen_times(self) -> list[float]:
        """When every frame since `watch` was [s]."""
        return self.page.evaluate("() => window.seen.map((frame) => frame.time)")

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
        self.drawn()  # the last move leaves with the next picture

    def pull(self, start: tuple[float, float], end: tuple[float, float], steps: int = 10) -> None:
        """Drag the character, as `take_hold`; on any machine the hand is quick, because time all but stands still meanwhile.

        What a character does about a pull depends on how quick it is, counted in its own time.
        """
        rate = self.status["rate"]
        self.act("speed", rate=1 / 32)
        self.take_hold(start, end, steps)
        self.until("somebody holds something", lambda: any(goal["held"] for goal in self.doc["goals"]))
        self.act("speed", rate=rate)

    def let_go(self) -> None:
        """Release the button."""
        self.page.mouse.up()

    def settle(self, moment: float = 0.6) -> None:
        """Let a dropped character come to rest, in fast motion, and stop."""
        self.run_to(moment, 4.0)
        self.act("speed", rate=0.25)

    def run_to(self, moment: float, rate: float) -> None:
        """Simulate until a time has come, and stop; what stands there then is drawn."""
        self.act("speed", rate=rate)
        self.act("live")
        self.until_time(moment)
        self.stand()

    def scrub(self, wanted: float) -> None:
        """Click into the ruler at a moment that is on record."""
        places = []
        for key, name in (("Home", "begin"), ("End", "end")):
            self.press(key)
            moment = self.status[name]
            self.until(f"the playhead at the {name}", lambda moment=moment: abs(self.frame["time"] - moment) < 1e-3)
            head = self.resting_box("playhead")
            places.append((moment, head["x"] + head["width"] / 2))
        (t0, x0), (t1, x1) = places
        area = self.page.get_by_test_id("time-area").bounding_box()
        assert area is not None
        self.page.mouse.click(x0 + (wanted - t0) / (t1 - t0) * (x1 - x0), area["y"] + 8)
        self.until(
            "the past is looked at", lambda: abs(self.frame["time"] - wanted) < 0.02 and not self.status["present"]
        )

    def stand(self) -> None:
        """Stop, and wait until the moment at which time stands is drawn: frames come a little later than answers."""
        self.act("pause")
        self.until("the last moment", lambda: not self.frame["live"] and self.frame["time"] == self.status["time"])


def placed(pose: Any, point: Point) -> np.ndarray:
    """A point of a bone in the world, by the bone's position and quaternion."""
    values = np.array(pose)
    return values[:3] + Rotation.from_quat(values[3:]).apply(point)
