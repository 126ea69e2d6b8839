"""A motion that was saved as a page: it opens from the disk, plays, and goes through its time."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import stringless as sl

TIME = "parseFloat(document.getElementById('clock').textContent)"


@pytest.fixture(scope="module")
def motion(tmp_path_factory):
    """Half a second of the worm, which falls onto the floor."""
    sim = sl.Simulation(sl.load("worm"), record=60)
    sim.advance(0.5)
    sim.finish_recording()
    return sl.export(sim, tmp_path_factory.mktemp("motion") / "worm.html", title="A worm </script>")


@pytest.fixture
def player(page: Page, motion):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(motion.as_uri())
    page.wait_for_selector("html[data-ready]")
    yield page
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def picture(page: Page) -> bytes:
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.locator("#stage").screenshot()


def test_it_plays_by_itself_and_stands_still_when_told(player):
    assert player.title() == "A worm </script> · Stringless"
    expect(player.locator("#title")).to_have_text("A worm </script>")
    expect(player.locator("#description")).not_to_be_empty()
    player.wait_for_function(f"{TIME} > 0.1")
    player.click("#play")
    expect(player.locator("#play")).to_have_text("Play")
    still = player.evaluate(TIME)
    player.wait_for_timeout(300)
    assert player.evaluate(TIME) == still
    player.keyboard.press("Space")
    player.wait_for_function(f"{TIME} != {still}")


def test_its_time_can_be_scrubbed_and_stepped(player):
    player.evaluate("scrub.value = 0; scrub.dispatchEvent(new Event('input'))")
    assert player.evaluate(TIME) == 0.0
    before = picture(player)
    player.evaluate("scrub.value = scrub.max; scrub.dispatchEvent(new Event('input'))")
    assert player.evaluate(TIME) == 0.5
    assert picture(player) != before, "another picture is drawn"
    player.keyboard.press("ArrowLeft")
    assert 0.4 < player.evaluate(TIME) < 0.5


def test_its_speed_can_be_chosen(player):
    for name in ("1/2×", "1/4×", "1/8×", "1×"):
        player.click("#speed")
        expect(player.locator("#speed")).to_have_text(name)


def test_a_time_can_be_part_of_its_address(page, motion):
    page.goto(f"{motion.as_uri()}#t=0.25")
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(TIME) == pytest.approx(0.25, abs=0.02)
    expect(page.locator("#play")).to_have_text("Play")
