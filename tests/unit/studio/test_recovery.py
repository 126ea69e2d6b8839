"""Work that was not saved when the studio died is offered at the next start, and told in plain words."""

from __future__ import annotations

import shutil

from sessions import studio
from stringless.studio.messages import Edit, Notice

SOON = 60.0
"""What opening may take on a busy machine [s]."""
FOUND = "an edit with 3 nails, 1 take and 3 steps that can be undone"


def test_unsaved_work_is_offered_at_the_next_start(tmp_path):
    home, died = tmp_path / "home", tmp_path / "died"
    with studio(home, source="two_pins") as (session, page):
        page.audience.wait(lambda: (told := page.audience.all(Edit)) and told[-1].open, SOON)
        page.do("edit_nail", body="link 2", time=0.2)
        page.do("edit_keep", close=False)
        session.state.project.save()
        path = session.state.project.path
        shutil.copytree(home / "unsaved", died)  # as it would be found after a kill
    shutil.copytree(died, home / "unsaved", dirs_exist_ok=True)
    with studio(home) as (session, page):
        page.audience.wait(lambda: page.audience.all(Notice), SOON)
        (notice,) = page.audience.all(Notice)
        assert notice.text.startswith(
            "The studio had ended unexpectedly. What was not saved is still there: two_pins, "
        )
        assert notice.text.endswith(f" today: {FOUND}.")
        page.do(notice.offer.command, **notice.offer.arguments)
        assert session.state.project.path == path
        assert page.document.recovered == FOUND
        page.audience.wait(lambda: page.audience.last(Edit).open, SOON)
        page.do("undo")
        page.audience.wait(lambda: page.document.redo, SOON)
        assert page.document.recovered == FOUND
    with studio(home) as (_, page):  # it was closed as it should be
        assert page.status
        assert not page.audience.all(Notice)


def test_what_nobody_has_touched_is_not_offered(tmp_path):
    home, died = tmp_path / "home", tmp_path / "died"
    with studio(home, source="two_pins") as (session, page):
        page.audience.wait(lambda: (told := page.audience.all(Edit)) and told[-1].open, SOON)
        session.state.project.save()
        shutil.copytree(home / "unsaved", died)
    shutil.copytree(died, home / "unsaved", dirs_exist_ok=True)
    with studio(home) as (_, page):
        assert page.status
        assert not page.audience.all(Notice)
