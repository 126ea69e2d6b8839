"""Fingers on a touch screen."""

from __future__ import annotations

from typing import Any

from stage import Stage

Pixel = tuple[float, float]

NOTE = """() => {
    const notes = (window.notes = []);
    const note = (...what) => notes.push([Math.round(performance.now()), ...what]);
    for (const type of ["pointerdown", "pointerup", "pointercancel", "lostpointercapture"])
        addEventListener(type, (event) => note(type, event.pointerId, event.clientX, event.clientY, event.target.tagName), true);
    const { directing, doc, scene, toasts } = window.stringless;
    directing.subscribe((directs) => note("directs", directs));
    scene.subscribe(({ epoch }) => note("scene", epoch));
    doc.subscribe(({ goals }) => note("goals", ...goals.map(({ bone }) => bone)));
    toasts.subscribe((told) => note("toasts", ...told.map(({ text }) => text)));
}"""
"""Whatever decides what becomes of a finger, as the page hears of it."""


class Fingers:
    """Of one hand, on a page that was opened with `touch`."""

    def __init__(self, stage: Stage) -> None:
        """Put none down yet."""
        self.stage = stage
        self.screen = stage.page.context.new_cdp_session(stage.page)
        stage.page.evaluate(NOTE)

    def down(self, *pixels: Pixel) -> None:
        """Fingers go down there; those that were down before come first."""
        self._send("touchStart", *pixels)

    def move(self, *ways: tuple[Pixel, Pixel], steps: int = 8) -> None:
        """Each finger goes from one pixel to another, all at once; quickly, because one that rests nails."""
        for k in range(1, steps + 1):
            s = k / steps
            self._send("touchMove", *((x + s * (to_x - x), y + s * (to_y - y)) for (x, y), (to_x, to_y) in ways))
        self.stage.drawn()

    def up(self) -> None:
        """Lift all of them."""
        self._send("touchEnd")

    def until(self, what: str, condition: Any) -> Any:
        """Wait until something is seen; if it is not, says all that the page has heard."""
        try:
            return self.stage.until(what, condition)
        except AssertionError as error:
            heard = self.stage.page.evaluate("window.notes")
            raise AssertionError(f"{error}; the page heard: {heard}") from None

    def _send(self, kind: str, *pixels: Pixel) -> None:
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(pixels)]
        self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
