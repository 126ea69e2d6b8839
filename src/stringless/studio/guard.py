"""Access to the studio: for clients that know the token, and come from our own page or from no page at all.

A page of another site can make a browser send requests to this machine. It does not know the token; if it does so by a name
that leads here (DNS rebinding), the browser sends that name in `Host`; and a browser names the site in `Origin`.
"""

import ipaddress
import secrets
import socket

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
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
        name, colon, port = host.lower().rpartition(":")
        if not colon or host.endswith("]"):
            name, port = host.lower(), "80"
        is_known = name in self._hosts or (self._any_address and _is_address(name))
        return is_known and port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) == self.port


def format_host(host: str) -> str:
    """A host as addresses have it."""
    return f"[{host}]" if ":" in host else host.lower()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return "%" not in name  # anything may follow it


class Guard:
    """Checks every request, and removes the token from the path of those it accepts."""

    def __init__(self, app: ASGIApp, token: str, names: Names) -> None:
        self._app, self._names, self._token = app, names, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accept or refuse one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        may_change = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        refusal = None
        if not self._names.contain(host):
            refusal = PlainTextResponse(WRONG_NAME, 403)
        elif not secrets.compare_digest(first.encode(), self._token):
            refusal = PlainTextResponse("", 404)
        elif may_change and any(origin != f"http://{host}" for origin in headers.getlist("origin")):
            refusal = PlainTextResponse(WRONG_SITE, 403)
        elif not slash:
            refusal = PlainTextResponse("", 307, {"location": f"/{first}/"})
        if refusal is not None:
            await refusal(scope, receive, _add_headers(send, "localhost"))
        else:
            await self._app({**scope, "path": f"/{rest}"}, receive, _add_headers(send, host))


def _add_headers(send: Send, host: str) -> Send:
    """Send everything with headers that tell a browser to be careful; those that are there stay."""

    async def send_carefully(message: Message) -> None:
        if message["type"].endswith("http.response.start"):
            message = {**message, "headers": list(message.get("headers", ()))}
            headers = MutableHeaders(scope=message)
            for name, value in (*HEADERS.items(), ("content-security-policy", CONTENT.format(host=host))):
                headers.setdefault(name, value)
        await send(message)

    return send_carefully
