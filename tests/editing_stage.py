"""The page in its Edit workspace, as a test uses it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from playwright.sync_api import Page
from scipy.spatial.transform import Rotation

from stage import Stage
from studios import Studio

TOLD = """() => {
    const edit = window.stringless.edit.value;
    if (!edit) return null;
    const floats = (bytes) => Array.from(new Float32Array(bytes.slice().buffer));
    return { ...edit, samples: floats(edit.samples), poses: floats(edit.poses), before: floats(edit.before), centers: null };
}"""
SHOWN = "i => Array.from(window.stringless.viewer.moment.poses.subarray(7 * i, 7 * i + 7))"


class Editing(Stage):
    """A page in the Edit workspace."""

    @classmethod
    def of_a_study(cls, page: Page, studio: Studio, scene: str) -> Self:
        """Begin a project with a scene that carries a motion, and wait until that is open."""
        stage = cls.of_a_new(page, studio, scene)
        stage.until("its motion is open", lambda: (stage.edit or {}).get("open"), patience=600.0)
        stage.shows("edit-area")
        return stage

    @property
    def edit(self) -> dict[str, Any]:
        """The motion as the page was told."""
        return self.page.evaluate(TOLD)

    @property
    def moment(self) -> float:
        """What is looked at [s]."""
        return self.page.evaluate("window.stringless.editState.editTime.value")

    def open_here(self, seconds: float | None = None) -> None:
        """Edit what would happen from the present on."""
        self.click("workspace-edit")
        self.shows("edit-entrance")
        if seconds is not None:
            field = self.page.get_by_test_id("edit-seconds")
            field.fill(str(seconds))
            field.press("Enter")
        self.click("edit-open-here")
        self.until("a motion is open", lambda: (self.edit or {}).get("open"), patience=600.0)
        self.shows("edit-area")
        self.drawn()

    def index(self, body: str) -> int:
        """Number of a body."""
        return [each["name"] for each in self.value("scene")["bodies"]].index(body)

    def place(self, bone: str, point: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where a point of a body is drawn at the moment that is looked at [m]."""
        pose = np.array(self.page.evaluate(SHOWN, self.index(bone)))
        return pose[:3] + Rotation.from_quat(pose[3:]).apply(point)

    def path(self, body: str) -> np.ndarray:
        """Where a body is at all samples, as told, shape (k, 3) [m]."""
        told = self.edit
        return np.array(told["poses"]).reshape(-1, told["bodies"], 7)[:, self.index(body), :3]

    def scrub(self, time: float) -> None:
        """Click into the ruler of the motion."""
        area = self.resting_box("edit-area")
        inner = area["width"] - 36
        self.page.mouse.click(area["x"] + 18 + inner * time / self.edit["duration"], area["y"] + 6)
        self.until("the moment is looked at", lambda: abs(self.moment - time) < 0.01)
        self.drawn()

    def rests(self) -> None:
        """Wait until nobody holds the motion and nothing is searched for."""
        self.until("the search ends", lambda: not self.edit["busy"] and not self.edit["held"])
