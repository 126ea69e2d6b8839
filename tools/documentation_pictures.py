"""How to come to each picture of the documentation: by hand in the page, as a person would."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from stage import Stage

Way = Callable[[Stage], None]
DOCUMENTATION: dict[str, Way] = {}
HEAD, TAIL = "bone_0", "bone_6"
REST = 1.5
"""The worm has landed and lies still [s]."""


def picture(way: Way) -> Way:
    """Register the way to the picture that is called like the function."""
    DOCUMENTATION[way.__name__] = way
    return way


def lead(page: Page, name: str, patience: float) -> None:
    """Bring a page to where its picture can be taken."""
    stage = Stage(page)
    stage.until("a frame", lambda: stage.status and not stage.status["preparing"] and stage.frame, patience)
    DOCUMENTATION[name](stage)


def pull(stage: Stage, bone: str, right: float, up: float, seconds: float) -> None:
    """Take hold of a bone and pull it over the page for so long; slowly, so that a busy machine takes the same picture."""
    x, y = stage.pixel(stage.place(bone))
    before = stage.frame["time"]
    stage.act("speed", rate=1 / 32)
    stage.take_hold((x, y), (x + right, y - up))
    stage.until_time(before + seconds)
    stage.act("speed", rate=1 / 8)


@picture
def studio(stage: Stage) -> None:
    """The worm's head is pulled up; ghosts show what would become of it."""
    stage.settle(REST)
    stage.press("8")
    stage.page.get_by_test_id("horizon").fill("0.4")
    stage.press("Enter")
    pull(stage, HEAD, 40, 80, 0.12)


@picture
def studio_light(stage: Stage) -> None:
    """The same in daylight."""
    studio(stage)


@picture
def layers(stage: Stage) -> None:
    """What is inside: skeleton, cage, contacts, balance."""
    stage.settle(REST)
    for key in "12349":
        stage.press(key)
    stage.click("layers")


@picture
def branches(stage: Stage) -> None:
    """Two endings of one beginning, and keys."""
    stage.settle(REST)
    began = stage.frame["time"]
    pull(stage, HEAD, 40, 100, 0.3)
    stage.let_go()
    stage.press("Space")
    stage.press("k")
    stage.act("go_to", time=began - 0.1)
    stage.until("the past", lambda: stage.frame["time"] < began)
    pull(stage, TAIL, -40, 90, 0.25)
    stage.let_go()
    stage.press("Space")
    stage.press("k")


@picture
def editing(stage: Stage) -> None:
    """A trapeze artist catches the bar she had missed."""
    stage.act("open", source="trapeze", kind="scene")
    stage.until("a motion is open", lambda: (stage.value("edit") or {}).get("open"))
    stage.act("edit_solve")
    stage.until("it is solved", lambda: not stage.value("edit")["busy"] and stage.value("edit")["error"] < 1e-3)
    stage.press("f")
    stage.page.evaluate("window.stringless.editState.editTime.value = 1.4")
    stage.drawn()


@picture
def gallery(stage: Stage) -> None:
    """All there is to begin with."""
    stage.click("open-gallery")
    stage.page.get_by_test_id("dialog-gallery").wait_for()
    stage.page.wait_for_load_state("networkidle")


@picture
def keys(stage: Stage) -> None:
    """All keys."""
    stage.press("?")
    stage.page.get_by_test_id("dialog-keys").wait_for()
