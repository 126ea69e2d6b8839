"""Who may speak with the studio: whoever knows the token, and comes from our own page or from no page at all.

A page of another site can make a browser send requests to this machine. It does not know the token; a browser that it talks
into it by a name that leads here (DNS rebinding) says that name in `Host`; and a browser names the site in `Origin`.
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
"""What a page of ours may load and speak to: nothing but us."""
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
    """The names under which a server may be spoken to."""

    def __init__(self, host: str, port: int) -> None:
        """Loopback always, and the one it was bound to."""
        self.port = port
        self._hosts = {*LOOPBACK, written(host)}
        self._any_address = host in ANYWHERE
        if self._any_address:
            own = socket.gethostname().lower()
            self._hosts |= {own, f"{own}.local"}

    def know(self, host: str) -> bool:
        """Whether a `Host` header is one of them. An address of digits cannot be rebound, so any serves who listens on all."""
        name, port = _split(host.lower())
        if port != self.port:
            return False
        return name in self._hosts or (self._any_address and _is_address(name))


def written(host: str) -> str:
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
    if "%" in name:  # behind it anything may stand
        return False
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Guard:
    """Stands before everything that is served, and takes the token off the path of what it lets through."""

    def __init__(self, app: ASGIApp, token: str, names: Names) -> None:
        """Guard `app`."""
        self._app, self._names = app, names
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through or refuse one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = _header(scope, b"host")
        if not self._names.know(host):
            await refuse(scope, send, 403, WRONG_NAME)
            return
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(first.encode(), self._token):
            await refuse(scope, send, 404)
            return
        if _changes(scope) and any(origin != f"http://{host}" for origin in _headers(scope, b"origin")):
            await refuse(scope, send, 403, WRONG_SITE)
            return
        if not slash:
            await refuse(scope, send, 307, location=f"/{first}/")
            return
        await self._app({**scope, "path": f"/{rest}"}, receive, _with_headers(send, host))


def _changes(scope: Scope) -> bool:
    """Whether it may change something: a socket, or anything but a look."""
    return scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")


def _header(scope: Scope, name: bytes) -> str:
    found = _headers(scope, name)
    return found[0] if len(found) == 1 else ""


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _with_headers(send: Send, host: str) -> Send:
    """Everything leaves with the headers that tell a browser to be careful; what was said already stays."""

    async def careful(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _completed(list(message.get("headers", ())), host)}
        await send(message)

    return careful


def _completed(said: list[tuple[bytes, bytes]], host: str) -> list[tuple[bytes, bytes]]:
    names = {key.lower() for key, _ in said}
    ours = {**HEADERS, "content-security-policy": CONTENT.format(host=host)}
    return said + [(key.encode(), value.encode()) for key, value in ours.items() if key.encode() not in names]


async def refuse(scope: Scope, send: Send, status: int, text: str = "", location: str = "") -> None:
    """Answer a request or a socket without letting it in."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    headers: Any = [(b"content-length", str(len(text)).encode()), (b"content-type", b"text/plain; charset=utf-8")]
    headers += [(b"location", location.encode())] if location else []
    await send({"type": f"{kind}.start", "status": status, "headers": _completed(headers, "localhost")})
    await send({"type": f"{kind}.body", "body": text.encode()})
