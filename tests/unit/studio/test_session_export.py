"""A page asks for a file, sees how far it is, and fetches it."""

from __future__ import annotations

import pytest

from gltf_player import Player
from sessions import RefusedError, studio
from stringless.studio.actions.files import clean_name
from stringless.studio.messages import Status, Welcome


@pytest.fixture
def recorded(tmp_path):
    with studio(tmp_path) as (session, page):
        page.do("live")
        page.until(1.0)
        page.do("pause")
        yield session, page


def ended(page, number):
    def job():
        return next(job for job in page.audience.last(Status).jobs if job.id == number)

    assert number in [job.id for job in page.status.jobs]
    page.audience.wait(lambda: job().state != "running")
    return job()


def test_the_take_is_exported(recorded):
    session, page = recorded
    assert page.audience.last(Welcome).keep == ["glb", "html"]

    number = page.do("export", name="../my: take", start=0.2, end=0.7)

    job = ended(page, number)
    assert (job.state, job.done) == ("finished", 1.0)
    path = session.find_download(number)
    assert path is not None
    assert path.name == "---my- take.glb"
    assert Player(path).times[-1] == pytest.approx(0.5, abs=0.02)


def test_an_export_is_called_what_the_project_is_called(recorded):
    session, page = recorded
    ended(page, number := page.do("export"))
    assert session.find_download(number).name == "double_pendulum take 1.glb"
    page.do("save_as", path="my swing")
    ended(page, number := page.do("export"))
    assert session.find_download(number).name == "my swing.glb"


def test_two_exports_of_one_name_are_two_files(recorded):
    session, page = recorded
    numbers = [page.do("export", name="take", end=end) for end in (0.3, 0.6)]

    for number in numbers:
        ended(page, number)
    assert [Player(session.find_download(number)).times[-1] for number in numbers] == pytest.approx(
        [0.3, 0.6], abs=0.02
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"format": "fbx"}, "a motion can be exported to: .glb"),
        ({"lane": 9}, "there is no branch 9"),
        ({"start": 5.0}, "cannot be exported from 5.000 s"),
    ],
)
def test_what_cannot_be_exported_is_refused(recorded, arguments, message):
    _, page = recorded
    with pytest.raises(RefusedError, match=message):
        page.do("export", **arguments)
    assert page.status.jobs == []


@pytest.mark.parametrize(
    ("name", "plain"),
    [("a/b\\c", "a-b-c"), ("  ", "export"), ("..", "--"), ("Übung 3", "Übung 3"), ("x" * 300, "x" * 80)],
)
def test_names_hold_no_paths(name, plain):
    assert clean_name(name) == plain
