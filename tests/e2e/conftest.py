"""A real studio and a real browser. Needs the built page (`make page`); the browser is found or fetched.

`studio` is a running studio, `page` an empty page of 1280 by 720, `stage` that page with a new worm in the studio, `lying` the
same with the worm at rest. `start_studio("fish")` starts others, `new_page()` opens further pages; `studios.show` brings the
two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

import browser as browsers
from stage import Stage
from studios import Studio

SIZE: ViewportSize = {"width": 1280, "height": 720}
PATIENCE = 60_000
"""What a page may take, with the processor drawing it [ms]."""
expect.set_options(timeout=PATIENCE)


# The scope is a module: while playwright runs, no other test of this process could run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browsers.provide(), args=browsers.flags())
        yield chromium
        chromium.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, which know the tour unless they come for the first time; an error that none of their code has caught fails."""
    contexts, errors = [], []

    def make(*, first_time: bool = False, touch: bool = False, size: ViewportSize = SIZE) -> Page:
        # Drawn by the processor, a bar that wanders takes a whole core from the kernels that it waits for.
        context = browser.new_context(viewport=size, has_touch=touch, reduced_motion="reduce")
        contexts.append(context)
        if not first_time:
            context.add_init_script("try { localStorage.setItem('stringless.tourSeen', 'true') } catch {}")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors, "\n".join(errors)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()


@pytest.fixture
def start_studio(tmp_path: Path) -> Iterator[Callable[..., Studio]]:
    """Starts studios, all at one home; those that still run at the end are stopped."""
    started: list[Studio] = []

    def start(*arguments: str, home: Path | None = None) -> Studio:
        started.append(Studio(home or tmp_path / "home", *arguments))
        return started[-1]

    yield start
    for studio in started:
        studio.kill()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One for all tests of a file; each begins with a worm of its own."""
    studio = Studio(tmp_path_factory.mktemp("home"), "worm")
    yield studio
    studio.kill()


@pytest.fixture
def stage(page: Page, studio: Studio) -> Stage:
    return Stage.of_a_new(page, studio)


@pytest.fixture
def lying(stage: Stage) -> Stage:
    """The worm has come to rest on the floor."""
    stage.settle()
    return stage
