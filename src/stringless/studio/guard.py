"""Access to the studio: for clients that know the token, and come from our own page or from no page at all.

A page of another site can make a browser send requests to this machine. It does not know the token; if it does so by a name
that leads here (DNS rebinding), the browser sends that name in `Host`; and a browser names the site in `Origin`.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ANYWHERE = ("0.0.0.0", "::", "")
"""What a server is bound to that listens on every interface."""
CONTENT = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "font-src 'self'; connect-src 'self' ws://{host}; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""What a page of ours may load and connect to: nothing but us."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
WRONG_NAME = "The studio answers only to the address that it printed.\n"
WRONG_SITE = "The studio speaks only with its own page.\n"


def new_token() -> str:
    """128 random bits, as part of an address."""
    return secrets.token_urlsafe(16)


class Names:
    """The names by which a server may be addressed."""

    def __init__(self, host: str, port: int) -> None:
        """Loopback always, and the one it was bound to."""
        self.port = port
        own = socket.gethostname().lower()
        self._any_address = host in ANYWHERE
        self._hosts = {*LOOPBACK, format_host(host), *([own, f"{own}.local"] if self._any_address else [])}

    def contain(self, host: str) -> bool:
        """Whether a `Host` header is one of them. A numeric address cannot be rebound, so one that listens on all accepts any."""
        name, port = _split(host.lower())
        if port != self.port:
            return False
        return name in self._hosts or (self._any_address and _is_address(name))


def format_host(host: str) -> str:
    """A host as addresses have it."""
    return f"[{host}]" if ":" in host else host.lower()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _split(host: str) -> tuple[str, int]:
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host, 80
    return name, int(port) if port.isascii() and port.isdecimal() and len(port) <= 5 else -1


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return "%" not in name  # anything may follow it


class Guard:
    """Checks every request, and removes the token from the path of those it accepts."""

    def __init__(self, app: ASGIApp, token: str, names: Names) -> None:
        """Guard `app`."""
        self._app, self._names = app, names
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accept or refuse one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = _header(scope, b"host")
        if not self._names.contain(host):
            await refuse(scope, send, 403, WRONG_NAME)
            return
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(first.encode(), self._token):
            await refuse(scope, send, 404)
            return
        if _may_change(scope) and any(origin != f"http://{host}" for origin in _headers(scope, b"origin")):
            await refuse(scope, send, 403, WRONG_SITE)
            return
        if not slash:
            await refuse(scope, send, 307, location=f"/{first}/")
            return
        await self._app({**scope, "path": f"/{rest}"}, receive, _with_headers(send, host))


def _may_change(scope: Scope) -> bool:
    """Whether a request may change something: a socket, or any method but GET and HEAD."""
    return scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")


def _header(scope: Scope, name: bytes) -> str:
    found = _headers(scope, name)
    return found[0] if len(found) == 1 else ""


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _with_headers(send: Send, host: str) -> Send:
    """Send everything with headers that tell a browser to be careful; those that are there stay."""

    async def send_carefully(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _complete_headers(list(message.get("headers", ())), host)}
        await send(message)

    return send_carefully


def _complete_headers(given: list[tuple[bytes, bytes]], host: str) -> list[tuple[bytes, bytes]]:
    names = {key.lower() for key, _ in given}
    ours = {**HEADERS, "content-security-policy": CONTENT.format(host=host)}
    return given + [(key.encode(), value.encode()) for key, value in ours.items() if key.encode() not in names]


async def refuse(scope: Scope, send: Send, status: int, text: str = "", location: str = "") -> None:
    """Answer a request or a socket without accepting it."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    headers: Any = [(b"content-length", str(len(text)).encode()), (b"content-type", b"text/plain; charset=utf-8")]
    headers += [(b"location", location.encode())] if location else []
    await send({"type": f"{kind}.start", "status": status, "headers": _complete_headers(headers, "localhost")})
    await send({"type": f"{kind}.body", "body": text.encode()})
