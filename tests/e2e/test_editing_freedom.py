"""What may change in an edit, and what counts, by the controls of the page in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page

from editing_stage import Editing
from studios import Studio


@pytest.fixture
def links(page: Page, studio: Studio) -> Editing:
    """Three links that fall, with two nails."""
    return Editing.of_a_study(page, studio, "two_pins")


def test_what_resists_more_changes_less(links):
    links.click("tab-freedom")
    links.page.get_by_test_id("weight-velocity").fill("1000")
    links.until("it resists", lambda: links.edit["masses"]["velocity"] == pytest.approx(100.0))
    assert "velocity" in links.doc["undo"]
    links.press("Control+z")
    links.until("as before", lambda: links.edit["masses"]["velocity"] == pytest.approx(1.0))


def test_other_things_may_change(links):
    links.click("tab-freedom")
    columns = links.edit["columns"]
    links.click("allow-masses")
    links.until("masses may change", lambda: links.edit["columns"] > columns)
    links.click("allow-masses")
    links.until("and may not", lambda: links.edit["columns"] == columns)
    before = links.path("link 1")[0]
    links.click("keep-start")
    links.until("the start is kept", lambda: links.edit["keeps_start"])
    assert links.edit["columns"] < columns
    links.press("Enter")
    links.rests()
    np.testing.assert_array_equal(links.path("link 1")[0], before)


def test_nails_count_by_their_kind_and_by_themselves(links):
    links.click("tab-freedom")
    links.page.get_by_test_id("strength-point").fill("1000")
    links.until("places count more", lambda: links.edit["strengths"]["point"] == pytest.approx(10.0))
    nail = links.edit["nails"][0]
    links.click("tab-wanted")
    links.page.get_by_test_id(f"nail-row-{nail['id']}").get_by_role("button").first.click()
    links.page.get_by_test_id("nail-strength").first.fill("0")
    links.until("this one counts less", lambda: links.edit["nails"][0]["strength"] == pytest.approx(0.1))


def test_a_nail_is_taken_out_in_its_menu(links):
    nail = links.edit["nails"][0]
    links.scrub(nail["time"])
    spot = links.page.evaluate("id => window.stringless.nailSpot(id)", nail["id"])
    links.page.mouse.click(spot["x"], spot["y"])
    links.shows("nail-menu")
    links.click("nail-remove")
    links.until("it is gone", lambda: nail["id"] not in [each["id"] for each in links.edit["nails"]])
    links.lacks("nail-menu")
