"""`stringless studio` as people start and stop it: real processes, real sockets, real signals."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from joining import PATIENCE, connect
from stringless.cli import main
from stringless.project import Project
from stringless.studio import files
from stringless.studio.client import LostError
from stringless.studio.launch import RUN, launch

PREPARED = 900.0


def spawn(*words, script=RUN, **environment):
    """A process of `stringless studio` whose output can be read."""
    return subprocess.Popen(
        [sys.executable, "-c", script, "studio", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def run(*words, **environment):
    process = spawn(*words, **environment)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def opened(address):
    """Come back when what was asked for is open."""
    with connect(address, watch=True) as client:
        assert client.scene.bodies


def test_ctrl_c_ends_it_with_pages_connected_and_the_work_saved(tmp_path):
    file = tmp_path / "work.stringless"
    Project.create("lamp", file).close()
    with launch(str(file), folder=tmp_path) as studio, contextlib.ExitStack() as stack:
        directing, watching = (stack.enter_context(connect(studio.address, watch=watch)) for watch in (False, True))
        silent = stack.enter_context(
            socket.create_connection(("127.0.0.1", int(studio.address.split(":")[2].split("/")[0])))
        )
        directing.wait(lambda: directing.status.preparing is None, PREPARED)
        directing.do("mark", name="seen")
        directing.do("live")
        hand = directing.grab(directing.scene.bodies[-1].name)
        hand.move(hand.start + (0.0, 0.01, 0.0))
        watching.wait(lambda: watching.frame.time > 0.05)
        time = watching.frame.time
        studio.interrupt()  # how soon it ends is measured by the benchmark
        assert studio.process.returncode == 0
        for page in (directing, watching):
            with pytest.raises(LostError, match="the studio has been stopped"):
                page.wait(lambda: False)
        silent.settimeout(PATIENCE)
        assert silent.recv(1) == b""
    with Project.open(file) as project:
        assert [marker["name"] for marker in project.markers] == ["seen"]
        assert project.take.end() >= time
        assert project.recovered is None, "it was closed as it should be"


def test_it_stops_when_nobody_is_there_and_when_asked_by_the_system(tmp_path):
    with launch("pendulum", folder=tmp_path) as studio:
        opened(studio.address)
        studio.process.send_signal(signal.SIGTERM)
        assert studio.process.wait(PATIENCE) == 0


def test_the_second_ctrl_c_ends_it_at_once(tmp_path):
    script = (
        "import threading\nfrom stringless.studio.session import Session\n"
        "def stop(self):\n    print('stopping', flush=True)\n    threading.Event().wait()\n"
        f"Session.stop = stop\n{RUN}"
    )
    process = spawn("pendulum", "--port", "0", "--no-browser", script=script, XDG_DATA_HOME=str(tmp_path))
    with process:
        assert "http://" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopping\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130


def test_it_says_in_one_line_where_it_is(tmp_path):
    process = spawn("pendulum", "--port", "0", "--no-browser", XDG_DATA_HOME=str(tmp_path))
    with process:
        line = process.stdout.readline()
        opened(re.search(r"http://\S+", line).group())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert re.fullmatch(r"Stringless studio: http://127\.0\.0\.1:\d+/[\w-]{22}/  \(Ctrl-C stops it\)\n", line)
    assert out == ""
    built = (Path(files.__file__).parent / "page" / "index.html").exists()
    assert ("make page" in err) is not built
    assert "Warning" not in err
    assert err.endswith("The studio has stopped, and everything is saved.\n")


def test_a_port_in_use_gives_way_to_the_next(tmp_path):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        process = spawn("pendulum", "--port", str(port), "--no-browser", XDG_DATA_HOME=str(tmp_path))
        with process:
            line = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
    taken = int(re.search(r":(\d+)/", line).group(1))
    assert taken > port
    assert f"Port {port} is in use; taking {taken} instead." in err


def test_other_interfaces_come_with_a_warning_and_the_token(tmp_path):
    process = spawn("pendulum", "--host", "0.0.0.0", "--port", "0", "--no-browser", XDG_DATA_HOME=str(tmp_path))
    with process:
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert re.search(r":\d+/[\w-]{22}/", line)
    assert "Warning: other machines can reach this studio." in err


@pytest.mark.parametrize(
    ("words", "environment", "about"),
    [
        (["no_such_scene"], {}, "there is no scene 'no_such_scene'"),
        (["missing.stringless"], {}, "there is no project 'missing.stringless'"),
        (["missing.toml"], {}, "missing.toml"),
        (["pendulum", "--engine", "magic"], {}, "engine 'magic' is unknown; choose one of: reduced, stiff"),
        (["pendulum", "--active", "3"], {}, "active 3 belongs to engine 'adaptive', not to 'reduced'"),
        (["crowd", "--active", "0"], {}, "active is 0, expected a whole number of joints, 1 or more"),
        (["--max-error", "1"], {}, "--max-error is for a scene that is named beside it"),
        (["--engine", "stiff"], {}, "--engine is for a scene that is named beside it"),
        (["pulled_pendulum", "--active", "51"], {}, "active is 51, but model 'pulled_pendulum' has 50 joints"),
        (["worm", "--engine", "adaptive"], {}, "engine 'adaptive' does not support flesh"),
        (["my.stringless", "--engine", "stiff"], {}, "a project keeps the engine it was made with"),
        (["pendulum", "--folder", "/no/such/folder"], {}, "'/no/such/folder' is no folder"),
        (["pendulum", "--host", "256.0.0.1"], {}, "cannot listen on '256.0.0.1'"),
        (["pendulum"], {"STRINGLESS_STUDIO_TOKEN": "short"}, "expected at least 16 letters"),
    ],
)
def test_what_cannot_be_is_said_at_once(tmp_path, monkeypatch, capsys, words, environment, about):
    for name, value in {"XDG_DATA_HOME": str(tmp_path), **environment}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as left:
        main(["studio", *words, "--port", "0", "--no-browser"])
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (1, "")
    assert about in err
    assert "Traceback" not in err


def test_a_process_that_cannot_begin_ends_with_one_message(tmp_path):
    code, out, err = run("no_such_scene", "--port", "0", "--no-browser", XDG_DATA_HOME=str(tmp_path))
    assert (code, out) == (1, "")
    assert "there is no scene 'no_such_scene'" in err
    assert "Traceback" not in err


def test_a_token_that_was_chosen_keeps_the_address(tmp_path, monkeypatch):
    monkeypatch.setenv("STRINGLESS_STUDIO_TOKEN", "chosen-by-somebody")
    with launch("pendulum", folder=tmp_path) as studio:
        assert studio.address.endswith("/chosen-by-somebody/")
        connect(studio.address).close()


def test_alone_it_is_the_studio_with_the_worm(monkeypatch):
    from stringless.cli import studio as command
    from stringless.cli.app import app

    asked = []
    monkeypatch.setattr(command, "studio", lambda *words, **options: asked.append((words, options)))
    app([], standalone_mode=False)
    assert asked == [((), {})]
    assert command.studio.__name__ == "<lambda>"


def test_the_browser_is_opened_where_there_is_one(monkeypatch):
    from stringless.cli import studio as command

    opened = threading.Event()
    monkeypatch.setattr("webbrowser.open", lambda address: opened.set())
    command._open("http://127.0.0.1:1/x/")
    assert opened.wait(PATIENCE)
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(command.sys, "platform", "linux")
    assert not command._has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert command._has_display()
