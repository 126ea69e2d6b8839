"""What may lie at a path instead of a project, and who else may have it."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from projects import everything, fill, in_child
from stringless.errors import ProjectError
from stringless.timeline import ChunkIndex, Store, rescue, schema

NOBODY = 65534


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.stringless"
    with Store.create(path) as store:
        fill(store)
    return path


@pytest.fixture
def public_path():
    """A project in a folder that everybody may look into and nobody but root may write to."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.stringless"
        with Store.create(path) as store:
            fill(store)
        yield path
        os.chmod(folder, 0o755)


def run_as_nobody(path, check):
    """Run `check` in a process that the access bits of files can stop, for what is a read-only medium to it."""
    for name in os.listdir(path.parent):
        os.chmod(path.parent / name, os.stat(path.parent / name).st_mode & ~0o222)
    os.chmod(path.parent, 0o555)
    assert in_child(check, user=NOBODY) == 0


def assert_refused(path, match):
    before = path.read_bytes() if path.is_file() else None
    beside = sorted(os.listdir(path.parent))
    for readonly in (False, True):
        with pytest.raises(ProjectError, match=match):
            Store.open(path, readonly=readonly)
    assert sorted(os.listdir(path.parent)) == beside
    assert before is None or path.read_bytes() == before


def test_a_missing_file(tmp_path):
    assert_refused(tmp_path / "a.stringless", "there is no project '.*a.stringless'; check the name, or make it")


def test_a_folder(tmp_path):
    (tmp_path / "a.stringless").mkdir()
    assert_refused(tmp_path / "a.stringless", "it is a folder; name the file itself")


def test_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "a.stringless")
    assert_refused(tmp_path / "a.stringless", "it is no regular file")


def test_an_empty_file(tmp_path):
    (tmp_path / "a.stringless").touch()
    assert_refused(tmp_path / "a.stringless", "it is empty, found 0 bytes. Nothing in it was changed")


@pytest.mark.parametrize("content", [b"[scene]\nname = 'worm'\n" * 400, b"x", b"SQLite format 4\0" * 20])
def test_a_file_that_is_not_sqlite(tmp_path, content):
    (tmp_path / "a.stringless").write_bytes(content)
    assert_refused(
        tmp_path / "a.stringless", "found a file that begins with b'.*expected an SQLite file that Stringless"
    )


def test_an_sqlite_file_of_another_program(tmp_path):
    connection = sqlite3.connect(tmp_path / "a.stringless")
    connection.execute("CREATE TABLE a (b)")
    connection.close()
    assert_refused(tmp_path / "a.stringless", "an SQLite file of another program, found application 0x0, expected 0x53")


@pytest.mark.parametrize("size", [10, 60, 100, 4096, 5000, 100_000])
def test_a_file_that_was_cut_short(path, size):
    os.truncate(path, size)
    assert_refused(path, f"is damaged: it was cut short, found {size} bytes, expected .*rescue")


def test_a_newer_version(path):
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    assert_refused(path, f"found version {schema.VERSION + 1}, expected at most {schema.VERSION}.* a newer Stringless")


def test_a_header_that_would_make_writing_destroy_it(path):
    """Byte 55 tells SQLite to keep tables of pages in places where there are rows."""
    data = bytearray(path.read_bytes())
    data[55] = 1
    path.write_bytes(data)
    assert_refused(path, "its header says .*'auto_vacuum': 1.*expected .*'auto_vacuum': 0")


def test_a_table_too_many(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE extra (a)")
    connection.close()
    assert_refused(path, "found tables .*'extra'.*expected")


def test_a_table_whose_name_is_no_text(path):
    """SQLite quotes the name in its message, which Python then cannot read."""
    data = bytearray(path.read_bytes())
    data[data.index(b"tablejournaljournal") + 5] = 0xC5
    path.write_bytes(data)
    assert_refused(path, "is damaged: SQLite finds names in it that are no text")
    assert rescue(path, path.with_name("saved.stringless")).lost == ()


@pytest.mark.parametrize(
    ("sql", "match"),
    [
        ("DELETE FROM journal WHERE key = 79", "found 78 rows of kind 'journal', expected 79"),
        ("DELETE FROM journal WHERE key = 5", "entry 6 of the journal does not follow the entry before"),
        ("DELETE FROM chunk WHERE key = 3", "found 23 rows of kind 'chunk', expected 24"),
        ("DELETE FROM lane", "found 0 rows of kind 'lane', expected 2"),
        ("DELETE FROM total", "its totals are not what was written"),
        ("UPDATE journal SET head = '{}' WHERE key = 7", "entry 7 of the journal is not what was written"),
        ("UPDATE chunk SET head = head + 0 WHERE key = 4294967298", "chunk 2 of branch 1 is not what was written"),
        ("UPDATE lane SET link = NULL WHERE key = 1", "lane 1 is not what was written"),
        ("UPDATE value SET key = 9 WHERE key = 1", "value 9 is not what was written"),
    ],
)
def test_rows_that_vanished_or_changed(path, sql, match):
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()
    assert_refused(path, f"the project '.*a.stringless' is damaged: {match}.*stringless.timeline.rescue")


def test_a_row_that_is_valid_but_old(path):
    connection = sqlite3.connect(path)
    old = connection.execute("SELECT * FROM lane WHERE key = 1").fetchone()
    connection.close()
    with Store.open(path) as store:
        store.put_branch(1, {"name": "renamed"})
    connection = sqlite3.connect(path)
    connection.execute("REPLACE INTO lane VALUES (?, ?, ?, ?, ?)", old)
    connection.commit()
    connection.close()
    assert_refused(path, "a row of kind 'lane' is older than the others")


def test_a_damaged_chunk_is_named_when_it_is_read(path, truth):
    connection = sqlite3.connect(path)
    connection.execute("UPDATE chunk SET body = zeroblob(length(body)) WHERE key = 4294967298")
    connection.commit()
    connection.close()
    with Store.open(path) as store:
        assert store.read_chunk(1, 1) == truth["data"][13]
        with pytest.raises(ProjectError, match="the data of chunk 2 of branch 1 are not what was written"):
            store.read_chunk(1, 2)


def test_the_same_process_cannot_open_it_twice(path):
    with Store.open(path) as store:
        for readonly in (False, True):
            with pytest.raises(ProjectError, match="is open in this process already; .* Close it there"):
                Store.open(path, readonly=readonly)
        # The attempts have not dropped the lock.
        assert open_elsewhere(path) == "in use"
        store.append({"still": "writable"})
    assert open_elsewhere(path) == "opened"


def open_elsewhere(path):
    code = """if True:
        import sys
        from stringless.errors import ProjectError
        from stringless.timeline import Store
        found = set()
        for readonly in (False, True):
            try:
                Store.open(sys.argv[1], readonly=readonly).close()
                found.add("opened")
            except ProjectError as error:
                assert "is open in another process; only one may have it" in str(error), error
                found.add("in use")
        print(*found)
    """
    return subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout.strip()


def test_readers_share_and_keep_writers_out(path):
    code = "import sys; from stringless.timeline import Store; s = Store.open(sys.argv[1], readonly=True); print(1); input()"
    reader = subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with reader:
        assert reader.stdout.readline() == "1\n"
        Store.open(path, readonly=True).close()
        with pytest.raises(ProjectError, match="is open in another process"):
            Store.open(path)
        reader.communicate("\n")
    Store.open(path).close()


def test_create_leaves_alone_what_is_there(path, tmp_path):
    before = path.read_bytes()
    with pytest.raises(ProjectError, match="exists already and was not changed"):
        Store.create(path)
    assert path.read_bytes() == before
    with pytest.raises(ProjectError, match="No such file or directory|unable to open"):
        Store.create(tmp_path / "nowhere" / "a.stringless")


def test_create_on_a_disk_without_links(tmp_path, monkeypatch):
    def link(source, target):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    Store.create(tmp_path / "a.stringless").close()
    assert os.listdir(tmp_path) == ["a.stringless"]


def test_create_does_not_replace_what_appears_meanwhile(tmp_path, monkeypatch):
    path = tmp_path / "a.stringless"
    create_tables = schema.create_tables
    monkeypatch.setattr(schema, "create_tables", lambda *all: (create_tables(*all), path.write_text("mine")))
    with pytest.raises(ProjectError, match="exists already and was not changed"):
        Store.create(path)
    assert os.listdir(tmp_path) == ["a.stringless"]
    assert path.read_text() == "mine"


def test_create_does_not_take_over_the_log_of_a_project_that_is_gone(tmp_path):
    (tmp_path / "a.stringless-wal").write_bytes(b"x" * 100)
    with pytest.raises(
        ProjectError, match="beside it lies '.*-wal' with changes to a project of that name which is gone"
    ):
        Store.create(tmp_path / "a.stringless")


def leave_unclosed(path):
    """Write to a project in a process that is killed."""

    def write():
        store = Store.open(path)
        store.append({"last": True})
        store.put_chunk(0, 12, ChunkIndex(12, 13, 4), b"last" * 5000)
        store.flush()
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(write) == -signal.SIGKILL
    assert os.path.getsize(f"{path}-wal") > 20_000


def test_an_unclosed_session_is_recovered_and_told(path, truth):
    leave_unclosed(path)
    with Store.open(path) as store:
        assert store.recovered.journal_rows == 80
        assert store.recovered.frames == 24 * 7 + 4
        assert 0 <= store.recovered.last_commit - store.recovered.when_opened < 60
        assert list(store.journal())[-1] == (80, {"last": True})
        assert store.read_chunk(0, 12) == b"last" * 5000
    assert os.listdir(path.parent) == ["a.stringless"]
    with Store.open(path) as store:
        assert store.recovered is None
        assert len(everything(store)["journal"]) == 80


def test_reading_an_unclosed_project_leaves_it_so(path):
    leave_unclosed(path)
    before = {name: (path.parent / name).read_bytes() for name in os.listdir(path.parent)}
    with Store.open(path, readonly=True) as store:
        assert store.recovered.journal_rows == 80
        assert store.read_chunk(0, 12) == b"last" * 5000
    assert {name: (path.parent / name).read_bytes() for name in os.listdir(path.parent)} == before


def test_a_lost_log_is_told_as_an_unclosed_session(path, truth):
    leave_unclosed(path)
    os.unlink(f"{path}-wal")
    with Store.open(path) as store:
        assert store.recovered.journal_rows == 79
        assert everything(store) == truth


def test_a_damaged_project_with_a_log_stays_as_it_is(path):
    leave_unclosed(path)
    data = bytearray(path.read_bytes())
    at = data.index(b'"drag"')
    data[at + 1] ^= 1
    path.write_bytes(data)
    log = (path.parent / "a.stringless-wal").read_bytes()
    assert_refused(path, "entry .* of the journal is not what was written")
    assert (path.parent / "a.stringless-wal").read_bytes() == log


def test_a_log_of_another_project_is_noticed(path, tmp_path):
    """Put a copy in place of a file whose session did not close, and its log stays beside it."""
    other = tmp_path / "other.stringless"
    shutil.copy(path, other)
    with Store.open(other) as store:
        for number in range(80, 400):
            store.append({"other": number})
    leave_unclosed(path)
    os.replace(other, path)
    before = path.read_bytes()
    with pytest.raises(ProjectError, match="is damaged"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_read_only_file_and_folder(public_path, truth):
    def check():
        with pytest.raises(ProjectError, match="for writing: '.*' is read-only for you. .* open it with readonly=True"):
            Store.open(public_path)
        with Store.open(public_path, readonly=True) as store:
            assert everything(store) == truth
        with pytest.raises(ProjectError, match="cannot write the project '.*new.stringless' or in its folder"):
            Store.create(public_path.parent / "new.stringless")

    before = public_path.read_bytes()
    os.chmod(public_path, 0o644)
    run_as_nobody(public_path, check)
    assert public_path.read_bytes() == before
    assert os.listdir(public_path.parent) == ["a.stringless"]


def test_an_unclosed_project_on_read_only_media(public_path):
    leave_unclosed(public_path)

    def check():
        with Store.open(public_path, readonly=True) as store:
            assert store.read_chunk(0, 12) == b"last" * 5000

    for name in os.listdir(public_path.parent):
        os.chmod(public_path.parent / name, 0o644)
    run_as_nobody(public_path, check)
    assert sorted(os.listdir(public_path.parent)) == ["a.stringless", "a.stringless-wal"]


def test_a_file_one_may_not_read(public_path):
    def check():
        with pytest.raises(ProjectError, match="cannot use the project '.*': Permission denied"):
            Store.open(public_path, readonly=True)

    os.chmod(public_path, 0o000)
    run_as_nobody(public_path, check)
