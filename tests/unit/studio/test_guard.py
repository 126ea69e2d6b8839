"""Nobody gets past the guard without the token, by another name or from another site."""

import asyncio
import socket

import pytest

from stringless.studio.guard import HEADERS, Guard, Names, is_loopback, new_token

TOKEN = "a" * 22
PORT = 8642
HERE = f"127.0.0.1:{PORT}"


def visit(path, *, host=HERE, origin=None, method="GET", kind="http", bound="127.0.0.1", headers=()):
    """Status, headers and body, and the path that the guarded application saw (None if it was not reached)."""
    seen, said = [], []

    async def app(scope, receive, send):
        seen.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"private")]})
        await send({"type": "http.response.body", "body": b"inside"})

    async def send(message):
        said.append(message)

    sent = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin is not None else []), *headers]
    scope = {"type": kind, "method": method, "path": path, "headers": sent}
    asyncio.run(Guard(app, TOKEN, Names(bound, PORT))(scope, None, send))
    names = {key.decode(): value.decode() for key, value in said[0]["headers"]}
    return said[0]["status"], names, said[1]["body"], seen[0] if seen else None


def test_the_token_is_taken_off_the_path():
    assert visit(f"/{TOKEN}/")[::3] == (200, "/")
    assert visit(f"/{TOKEN}/assets/a.js")[3] == "/assets/a.js"


@pytest.mark.parametrize(
    "path", ["/", "", f"/{TOKEN[:-1]}/", f"/{TOKEN}b/", f"/x/{TOKEN}/", f"//{TOKEN}/", "/é/", "/socket"]
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_without_the_token_there_is_nothing_and_not_a_word(path, kind):
    status, _, body, seen = visit(path, kind=kind)
    assert (status, body, seen) == (404, b"", None)


def test_the_page_without_its_last_stroke_is_sent_there():
    status, headers, _, seen = visit(f"/{TOKEN}")
    assert (status, headers["location"], seen) == (307, f"/{TOKEN}/", None)


@pytest.mark.parametrize("host", ["127.0.0.1:8642", "localhost:8642", "[::1]:8642", "LOCALHOST:8642"])
def test_loopback_goes_by_all_its_names(host):
    assert visit(f"/{TOKEN}/", host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8642",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost.evil.example:8642",
        "",
        "127.0.0.1:8642:1",
        "192.168.0.5:8642",
        "127.0.0.1:+8642",
        "127.0.0.1:08642x",
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_rebound_name_is_refused_even_with_the_token(host, kind):
    status, _, body, seen = visit(f"/{TOKEN}/", host=host, kind=kind)
    assert (status, seen) == (403, None)
    assert b"only to the address that it printed" in body


def test_two_hosts_are_none():
    assert visit(f"/{TOKEN}/", headers=[(b"host", b"evil.example")])[0] == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "https://127.0.0.1:8642",
        "http://127.0.0.1:9999",
        "http://localhost:8642",
        "http://127.0.0.1:8642.evil.example",
    ],
)
@pytest.mark.parametrize(("kind", "method"), [("websocket", "GET"), ("http", "POST"), ("http", "DELETE")])
def test_another_site_changes_nothing(origin, kind, method):
    status, _, body, seen = visit(f"/{TOKEN}/socket", origin=origin, kind=kind, method=method)
    assert (status, seen) == (403, None)
    assert b"only with its own page" in body


@pytest.mark.parametrize("origin", [None, f"http://{HERE}"])
@pytest.mark.parametrize(("kind", "method"), [("websocket", "GET"), ("http", "POST")])
def test_our_own_page_and_scripts_come_in(origin, kind, method):
    assert visit(f"/{TOKEN}/socket", origin=origin, kind=kind, method=method)[3] == "/socket"


@pytest.mark.parametrize("path", [f"/{TOKEN}/", "/", f"/{TOKEN}"])
def test_everything_leaves_with_careful_headers(path):
    headers = visit(path)[1]
    assert HEADERS.keys() <= headers.keys()
    policy = headers["content-security-policy"]
    for rule in (
        "default-src 'self'",
        "script-src 'self';",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ):
        assert rule in policy
    assert "unsafe" not in policy


def test_what_was_said_about_keeping_stays():
    assert visit(f"/{TOKEN}/")[1]["cache-control"] == "private"


def test_who_listens_on_all_interfaces_goes_by_addresses_and_the_machines_name():
    own = socket.gethostname()
    for host in ("192.168.0.5:8642", "[fd00::5]:8642", f"{own}:8642", HERE):
        assert visit(f"/{TOKEN}/", host=host, bound="0.0.0.0")[0] == 200
    for host in ("evil.example:8642", "[fe80::1%;script-src *]:8642"):
        assert visit(f"/{TOKEN}/", host=host, bound="0.0.0.0")[0] == 403


def test_who_listens_on_one_interface_goes_by_that():
    assert visit(f"/{TOKEN}/", host="192.168.0.5:8642", bound="192.168.0.5")[0] == 200
    assert visit(f"/{TOKEN}/", host="192.168.0.6:8642", bound="192.168.0.5")[0] == 403


def test_tokens_are_long_and_never_the_same():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 22, "128 bits in base 64"


def test_loopback_is_known():
    assert all(map(is_loopback, ("127.0.0.1", "localhost", "::1", "127.3.2.1")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.0.5", "::", "example.org")))
