"""The real server with the real session: who may come in, what is served, and how it ends."""

import contextlib
import errno
import http.client
import socket
import struct
import time
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect as open_socket

from joining import PATIENCE, connect
from stringless.errors import InputError
from stringless.studio import files, frames, routes
from stringless.studio.client import LostError, RefusedError
from stringless.studio.connection import CloseCode
from stringless.studio.hub import MOST_PAGES
from stringless.studio.messages import VERSION, Do, Hello, Seek
from stringless.studio.server import LARGEST_MESSAGE, MOST_CONNECTIONS, Studio

encode = msgspec.msgpack.encode


def ask(studio, path, *, method="GET", body=None, host=None, origin=None):
    """Status, headers and body of one request whose path is sent as it is."""
    place = urlsplit(studio.address)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", place.netloc if host is None else host)
    if origin is not None:
        connection.putheader("Origin", origin)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may have heard enough
        connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def root(studio):
    return urlsplit(studio.address).path


@contextlib.contextmanager
def raw(studio, **options):
    """A socket that does nothing by itself."""
    url = "ws" + studio.address.removeprefix("http") + "socket"
    with open_socket(
        url, compression=None, proxy=None, max_size=None, max_queue=None, open_timeout=PATIENCE, **options
    ) as opened:
        yield opened


def closed(opened):
    """Read until the other side closes; its code and reason."""
    try:
        while True:
            opened.recv(timeout=PATIENCE)
    except ConnectionClosed as found:
        return found.rcvd.code, found.rcvd.reason


# --- what is served ---


def test_the_page_or_how_to_build_it(studio):
    status, headers, body = ask(studio, root(studio))
    page = Path(files.__file__).parent / "page" / "index.html"
    assert (status, body) == (200, page.read_bytes()) if page.exists() else status == 503 and b"make page" in body
    assert headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in headers["content-security-policy"]


def test_nothing_tells_what_serves(studio):
    assert "server" not in {name.lower() for name in ask(studio, root(studio))[1]}


@pytest.mark.parametrize(
    "path", ["nothing", "assets/nothing.js", "pictures/nothing.webp", "download/1", "download/x", "upload"]
)
def test_what_is_not_there_is_not_spoken_of(studio, path):
    status, headers, body = ask(studio, root(studio) + path)
    assert status in (404, 405)
    assert body == b""
    assert headers["x-content-type-options"] == "nosniff"


# --- who may come in ---


@pytest.mark.parametrize("what", ["", "socket", "upload?name=a.toml", "download/1", "assets/a.js"])
def test_a_wrong_token_finds_nothing(studio, unharmed, what):
    wrong = "x" * len(studio.token)
    with unharmed():
        for path in (f"/{wrong}/{what}", f"/{what}", f"/{studio.token[:-1]}/{what}"):
            for method in ("GET", "POST"):
                status, _, body = ask(studio, path, method=method, body=b"x" if method == "POST" else None)
                assert (status, body) == (404, b"")


def test_a_script_with_a_wrong_token_is_told_what_to_do(studio):
    with pytest.raises(InputError, match=r"does not know the address .* \(404\); take the one it printed"):
        connect(studio.address.replace(studio.token, "x" * 22))


def test_where_no_studio_is_one_is_told_how_to_start_one():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(InputError, match="Start one with: stringless studio"):
            connect(f"http://127.0.0.1:{free.getsockname()[1]}/x/")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1"])
def test_another_site_gets_no_socket_and_sends_no_file(studio, unharmed, origin):
    with unharmed():
        with pytest.raises(InvalidStatus) as refused, raw(studio, origin=origin):
            pass
        assert refused.value.response.status_code == 403
        assert ask(studio, root(studio) + "upload?name=a.toml", method="POST", body=b"x", origin=origin)[0] == 403


def test_our_own_page_gets_its_socket(studio):
    with raw(studio, origin=studio.address.removesuffix(root(studio))) as opened:
        opened.send(encode(Hello(VERSION, watch=True)))
        assert opened.recv(timeout=PATIENCE)[0] == frames.MESSAGE


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", ""])
def test_a_rebound_name_gets_nothing(studio, unharmed, host):
    """A name of somebody else that was made to lead here: the browser says that name, and the token would be right."""
    host = host.format(port=studio.port)
    upgrade = (
        f"GET {root(studio)}socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with unharmed():
        assert ask(studio, root(studio), host=host)[0] == 403
        with socket.create_connection(("127.0.0.1", studio.port), PATIENCE) as opened:
            opened.sendall(upgrade.encode())
            assert opened.recv(100).split()[1] in (b"403", b"400")


@pytest.mark.parametrize(
    "path",
    [
        "../server.py",
        "..%2fserver.py",
        "assets/../../server.py",
        "assets/%2e%2e/%2e%2e/server.py",
        "pictures/../server.py",
        "pictures/..%2f..%2ferrors.py",
        "//etc/passwd",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "..\\server.py",
        "pictures/%00",
        "download/../socket",
        "download/1/../../../server.py",
    ],
)
def test_no_path_leads_out_of_the_page(studio, unharmed, path):
    with unharmed():
        status, _, body = ask(studio, root(studio) + path)
        assert status in (400, 404, 426)
        assert b"import" not in body
        assert b"root:" not in body


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("files", {"folder": "/etc"}),
        ("files", {"folder": ".."}),
        ("open", {"source": "/etc/passwd", "kind": "file"}),
        ("open", {"source": "../../secret.toml", "kind": "file"}),
        ("open", {"source": "/etc/passwd.stringless", "kind": "project"}),
        ("save_as", {"path": "/tmp/elsewhere"}),
        ("save_as", {"path": "../elsewhere"}),
    ],
)
def test_no_command_leads_out_of_the_chosen_folders(honest, unharmed, command, arguments):
    with unharmed(), pytest.raises(RefusedError, match="outside of the folders that were chosen"):
        honest.do(command, **arguments)


# --- files that come in ---


def test_a_file_that_is_sent_can_be_opened_and_is_gone_at_the_end(tmp_path):
    robot = b'<robot name="one"><link name="arm"/></robot>'
    with (
        Studio("pendulum", port=0, home=tmp_path / "home", folders=[tmp_path]) as studio,
        connect(studio.address) as client,
    ):
        status, _, body = ask(studio, root(studio) + "upload?name=one.urdf", method="POST", body=robot)
        assert status == 200
        source = Path(msgspec.json.decode(body)["source"])
        assert source.read_bytes() == robot
        client.do("open", source=str(source), kind="file")
        assert [bone.name for bone in client.scene.bodies] == ["arm"]
    assert not source.exists()
    assert not list((tmp_path / "home").glob("sent-*"))


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("../a.toml", "cannot be the name of a file"),
        ("%2Fetc%2Fa.toml", "cannot be the name"),
        ("a.exe", "cannot be opened"),
        ("", "cannot"),
    ],
)
def test_a_file_with_a_bad_name_is_refused_with_a_reason(studio, unharmed, name, about):
    with unharmed():
        status, headers, body = ask(studio, f"{root(studio)}upload?name={name}", method="POST", body=b"x")
        assert status == 400
        assert headers["content-type"] == "application/json"
        assert about in msgspec.json.decode(body)["error"]


@pytest.mark.parametrize("size", [2**17, 2**22, 2**25])
def test_a_file_too_large_is_refused_with_a_reason(studio, unharmed, monkeypatch, size):
    """Most of the longest is still on its way when the studio has heard enough; the reason arrives nevertheless."""
    monkeypatch.setattr(files, "LARGEST", 2**16)
    with unharmed():
        status, _, body = ask(studio, root(studio) + "upload?name=a.toml", method="POST", body=bytes(size))
        assert status == 400
        assert "is larger than" in msgspec.json.decode(body)["error"]


def test_the_result_of_a_job_is_handed_out_once_it_is_finished(studio, honest, unharmed):
    with unharmed():
        job = honest.do("export", format="glb")
        honest.wait(lambda: [each.state for each in honest.status.jobs if each.id == job] == ["finished"])
        (place,) = (each.download for each in honest.status.jobs if each.id == job)
        status, headers, body = ask(studio, root(studio) + place)
        assert status == 200
        assert body.startswith(b"glTF")
        assert headers["content-disposition"].startswith("attachment; filename")
        assert headers["content-type"] == "application/octet-stream"


# --- too much of anything ---


@pytest.mark.parametrize(("times", "pieces"), [(2, 1), (2, 8), (100, 1)])
def test_a_huge_message_closes_its_sender_only(studio, unharmed, times, pieces):
    """Most of the longest is still on its way when the studio has heard enough; why it closed arrives nevertheless."""
    with unharmed(), raw(studio) as opened:
        opened.send(encode(Hello(VERSION, watch=True)))
        part = bytes(times * LARGEST_MESSAGE // pieces)
        with contextlib.suppress(ConnectionClosed):
            opened.send([part] * pieces if pieces > 1 else part)
        code, reason = closed(opened)
        assert code == 1009
        assert str(LARGEST_MESSAGE) in reason


def test_a_flood_closes_its_sender_only(studio, unharmed):
    with unharmed(), raw(studio) as opened:
        opened.send(encode(Hello(VERSION, watch=True)))
        with contextlib.suppress(ConnectionClosed):
            for number in range(100_000):
                opened.send(encode(Seek(number, 0.0)))
        assert closed(opened) == (CloseCode.FLOODING, "the page sent far too much at once")


def test_nonsense_is_answered_and_then_not_listened_to(studio, unharmed):
    with unharmed(), raw(studio) as opened:
        opened.send(encode(Hello(VERSION, watch=True)))
        with contextlib.suppress(ConnectionClosed):
            for _ in range(1000):
                opened.send(b"\xc1 garbage")
        assert closed(opened) == (CloseCode.FLOODING, "the page sent far too much that is malformed")


def test_a_page_that_says_hello_too_late_may_come_back(studio, unharmed, monkeypatch):
    monkeypatch.setattr(routes, "GREETING", 0.05)
    with raw(studio) as opened:
        assert closed(opened) == (CloseCode.SLOW, "the page did not say hello in time")


def test_one_that_does_not_read_is_closed_and_forgotten(studio, unharmed):
    place = urlsplit(studio.address)
    upgrade = (
        f"GET {place.path}socket HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )

    def frame(message):
        data = encode(message)
        assert len(data) < 126
        return struct.pack("!BB4x", 0x82, 0x80 | len(data)) + data

    def insist(opened):
        for number in range(20_000):
            opened.sendall(frame(Do(number, "gallery")))
            time.sleep(0.001)  # slower than a flood

    with unharmed(), socket.create_connection((place.hostname, place.port), PATIENCE) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.sendall(upgrade.encode() + frame(Hello(VERSION, watch=True)))
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            insist(opened)


def test_there_is_room_for_so_many_pages(studio, honest, unharmed):
    with unharmed(), contextlib.ExitStack() as stack:
        reasons = []
        for _ in range(MOST_PAGES + 3):
            opened = stack.enter_context(raw(studio))
            with contextlib.suppress(ConnectionClosed):
                opened.send(encode(Hello(VERSION, watch=True)))
            reasons.append(opened)
        found = [closed(opened) for opened in reasons[-3:]]
        assert found == [(CloseCode.FULL, f"{MOST_PAGES} pages are connected already; close one of them")] * 3
    honest.wait(lambda: honest.status.pages == 1)
    with raw(studio) as opened:
        opened.send(encode(Hello(VERSION, watch=True)))
        assert opened.recv(timeout=PATIENCE)[0] == frames.MESSAGE, "there is room again"


def test_thousands_of_connections_are_bounded_and_keep_nobody_from_anything(studio, unharmed):
    at_once, rounds = 400, 6
    with unharmed():
        for _ in range(rounds):
            with contextlib.ExitStack() as stack:
                for _ in range(at_once):
                    opened = stack.enter_context(socket.socket())
                    opened.setblocking(False)
                    code = opened.connect_ex(("127.0.0.1", studio.port))
                    assert code in (0, errno.EINPROGRESS, errno.EAGAIN)
                with unharmed():
                    pass
                assert len(studio._server.server_state.connections) <= MOST_CONNECTIONS + 1
    deadline = time.monotonic() + PATIENCE
    while ask_or_nothing(studio) is None:
        assert time.monotonic() < deadline, "a new page finds the door open again"


def ask_or_nothing(studio):
    try:
        return ask(studio, root(studio))[0]
    except OSError:
        return None


def test_a_first_word_that_makes_no_sense_may_be_followed_by_hello(studio):
    with raw(studio) as opened:
        opened.send(b"garbage")
        opened.send(encode(Hello(VERSION, watch=True)))
        said = [msgspec.msgpack.decode(opened.recv(timeout=PATIENCE)[4:])["type"] for _ in range(2)]
        assert said == ["refusal", "welcome"]


def test_pages_hear_why_even_if_the_server_ends_before_they_are_sent_away(tmp_path):
    with Studio("pendulum", port=0, home=tmp_path) as studio, connect(studio.address) as client:
        studio._server.should_exit = True  # and the hub has sent nobody away yet
        with pytest.raises(LostError, match="the studio has been stopped"):
            client.wait(lambda: False)
