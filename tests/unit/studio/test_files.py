"""Pages see files in chosen folders and nothing else; what they send is bounded and stays in its place."""

import asyncio
import os

import pytest

from stringless.errors import InputError
from stringless.studio import files
from stringless.studio.files import Folders, Uploads, check_name


@pytest.fixture
def uploads(tmp_path):
    made = Uploads(tmp_path, lambda title: tmp_path / f"{title} {len(list(tmp_path.iterdir()))}.stringless")
    yield made
    made.close()


def send(uploads, name, *parts):
    async def stream():
        for part in parts:
            yield part

    return asyncio.run(uploads.take(name, stream()))


def everything(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


# --- folders ---


def test_a_file_in_a_chosen_folder_is_found_by_any_of_its_names(tmp_path):
    (tmp_path / "deep").mkdir()
    folders = Folders([tmp_path])
    place = tmp_path.resolve() / "deep" / "a.toml"
    assert folders.inside("deep/a.toml") == place
    assert folders.inside(str(place)) == place
    assert folders.inside("deep/../deep/a.toml") == place
    assert folders.inside(".") == tmp_path.resolve()


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "deep/../../secret", "", "a\0b", "~/../..", "/", ".."])
def test_a_path_that_leads_out_is_refused(tmp_path, path):
    inner = tmp_path / "chosen"
    inner.mkdir()
    with pytest.raises(InputError, match="--folder"):
        Folders([inner]).inside(path)


def test_a_folder_beside_one_that_begins_alike_is_outside(tmp_path):
    for name in ("work", "work-secret"):
        (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="outside of the folders that were chosen"):
        Folders([tmp_path / "work"]).inside(str(tmp_path / "work-secret" / "a"))


def test_a_link_out_of_a_chosen_folder_is_followed_and_refused(tmp_path):
    (tmp_path / "chosen").mkdir()
    (tmp_path / "secret.toml").write_text("")
    (tmp_path / "chosen" / "link.toml").symlink_to(tmp_path / "secret.toml")
    (tmp_path / "chosen" / "way").symlink_to(tmp_path)
    folders = Folders([tmp_path / "chosen"])
    for path in ("link.toml", "way/secret.toml"):
        with pytest.raises(InputError, match="outside of the folders that were chosen"):
            folders.inside(path)


def test_a_folder_that_is_none_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere' is no folder; expected one whose files"):
        Folders([tmp_path / "nowhere"])


# --- what is sent ---


def test_what_was_sent_is_there_under_its_name(uploads):
    path = send(uploads, "robot.urdf", b"<ro", b"bot/>")
    assert path == uploads.folder / "robot.urdf"
    assert path.read_bytes() == b"<robot/>"


def test_meshes_lie_beside_the_scene_that_names_them(uploads):
    scene, mesh = send(uploads, "robot.urdf", b"x"), send(uploads, "meshes/arm.stl", b"y")
    assert mesh == scene.parent / "meshes" / "arm.stl"


def test_a_scene_sent_again_replaces_the_first(uploads):
    assert send(uploads, "a.toml", b"1") == send(uploads, "a.toml", b"2")


def test_a_project_that_was_sent_stays_and_replaces_none(uploads):
    first, second = send(uploads, "a.stringless", b"1"), send(uploads, "a.stringless", b"2")
    assert first != second
    uploads.close()
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../a.toml",
        "/etc/a.toml",
        "a/../b.toml",
        "a//b.toml",
        ".hidden.toml",
        "x/.ssh/a.toml",
        "a\\b.toml",
        "C:a.toml",
        "a\nb.toml",
        "a\0.toml",
        "a/b/c/d/e.toml",
        "x" * 200 + ".toml",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(uploads, name):
    with pytest.raises(InputError, match="cannot be the name of a file here"):
        send(uploads, name, b"x")
    assert everything(uploads.folder) == []


@pytest.mark.parametrize("name", ["a.exe", "a.py", "a", "a.toml.sh", "a.html"])
def test_a_kind_that_cannot_be_opened_is_refused(name):
    with pytest.raises(InputError, match=r"which cannot be opened; expected one of .stringless, .toml"):
        check_name(name)


def test_a_file_too_large_is_refused_while_it_comes_and_leaves_nothing(uploads, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 2**20)
    taken = []

    async def endless():
        while True:
            taken.append(1)
            yield bytes(2**18)

    with pytest.raises(InputError, match="larger than 1 MB"):
        asyncio.run(uploads.take("a.toml", endless()))
    assert len(taken) == 5, "it is not read to its end first"
    assert everything(uploads.folder) == []


def test_all_that_is_sent_is_bounded(uploads, monkeypatch):
    monkeypatch.setattr(files, "MOST", 100)
    send(uploads, "a.toml", bytes(60))
    with pytest.raises(InputError, match="open 'b.toml' from a folder instead"):
        send(uploads, "b.toml", bytes(60))
    send(uploads, "c.toml", bytes(40))


def test_one_that_breaks_off_leaves_nothing(uploads):
    async def broken():
        yield b"half"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(uploads.take("a.toml", broken()))
    assert everything(uploads.folder) == []


def test_nothing_is_left_at_the_end(tmp_path):
    uploads = Uploads(tmp_path, lambda title: tmp_path / title)
    send(uploads, "meshes/a.obj", b"x")
    assert os.stat(uploads.folder).st_mode & 0o077 == 0, "nobody else on this machine may look"
    uploads.close()
    assert list(tmp_path.iterdir()) == []
