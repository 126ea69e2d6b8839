"""A studio for all tests of a file, with the real session, and an honest page that goes on whatever others do."""

import contextlib

import pytest

import sessions
from edit_sessions import opened
from joining import connect
from stringless.studio.server import Studio

PREPARED = 900.0
"""Seconds that kernels may take to compile."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("chosen")


@pytest.fixture(scope="module")
def studio(home, folder):
    with Studio("lamp", port=0, home=home, folders=[folder]) as made:
        yield made


@pytest.fixture(scope="module")
def honest(studio):
    """Somebody who directs all the time."""
    with connect(studio.address, name="honest") as client:
        client.wait(lambda: client.status.preparing is None, PREPARED)
        client.direct()
        client.do("speed", rate=0.25)
        client.do("live")
        client.next_frame()
        yield client


@pytest.fixture
def unharmed(honest):
    """Whatever happens inside, the honest page goes on getting frames of a simulation that goes on."""

    @contextlib.contextmanager
    def watch():
        count, time = honest.frame_count, honest.frame.time
        yield
        honest.wait(lambda: honest.frame_count >= count + 5 and honest.frame.time > time)
        assert honest.do("folders"), "and answers"
        assert not [notice for notice in honest.notices if getattr(notice, "level", "") == "error"]

    return watch


@pytest.fixture
def pins(tmp_path):
    """A session with the motion of three links open in the editor, and its page."""
    with sessions.studio(tmp_path, source="two_pins") as (session, page):
        opened(page)
        yield session, page


@pytest.fixture
def pendulum(tmp_path):
    """A session with a double pendulum, and its page."""
    with sessions.studio(tmp_path) as (session, page):
        yield session, page
