"""The server: a session in its own thread, and sockets in another.

with Studio("worm") as studio:
    print(studio.address)
"""

import asyncio
import errno
import os
import socket
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from stringless.errors import InputError
from stringless.studio.connection import STOPPED, CloseCode
from stringless.studio.files import Folders, Uploads
from stringless.studio.guard import ANYWHERE, Guard, Names, format_host, new_token
from stringless.studio.hub import Hub
from stringless.studio.routes import make_app
from stringless.studio.session import Session

PORT = 8642
PORTS_TRIED = 100
LARGEST_MESSAGE = 64 * 2**10
"""Bytes of one message of a page."""
MOST_CONNECTIONS = 256
PATIENCE = 0.4
"""Time that connections have to end when the studio is stopped [s]."""
LINGER = 1.0
"""Time that a page has to read why it was sent away [s]."""


class Studio:
    """A studio that is served. Everything it says to a person is left to the caller."""

    def __init__(
        self,
        source: str = "",
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        folders: Sequence[Path] = (),
        home: Path | None = None,
        token: str = "",
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Take a port; nothing is served before `start`.

        Args:
            source: A built-in scene, a scene file or a project; if empty, the worm lying on the floor.
            host: The interface to listen on.
            port: The first port to try; 0 for any that is free.
            folders: Those whose files pages may open and write; the working folder if there are none.
            home: Where unsaved projects are kept.
            token: Secret part of the address; a new one if empty.
            settings: Of the simulation of a scene that it begins with, such as `engine` or `dt`.
        """
        self.folders = Folders(folders or [Path.cwd()])
        self._listening = bind(host, port)
        self.host, self.port, self.token = host, int(self._listening.getsockname()[1]), token or new_token()
        self.hub = Hub()
        self.session = Session(self.hub, source=source, folders=self.folders.all, home=home, settings=settings)
        self.uploads = Uploads(self.session.storage.home, self.session.storage.make_upload_path)
        self.hub.listener = self.session
        self._server = self._make_server()
        self._thread = threading.Thread(target=self._serve, name="sockets", daemon=True)

    @property
    def address(self) -> str:
        """Address of the page; scripts connect to it, too."""
        host = "127.0.0.1" if self.host in ANYWHERE else self.host
        return f"http://{format_host(host)}:{self.port}/{self.token}/"

    def start(self) -> None:
        """Serve, and let the session begin."""
        self._thread.start()
        self.session.start()

    def stop(self) -> bool:
        """Send pages away, save, and end. Returns whether everything was saved in time."""
        self.hub.close()
        self._server.should_exit = True
        saved = self.session.stop()
        self._thread.join(PATIENCE + 1.0)
        self.uploads.close()
        return saved or self.session.state is None  # while the first is being opened there is nothing to save

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _make_server(self) -> uvicorn.Server:
        app = make_app(self.hub, self.uploads, self.session.find_download)
        config = uvicorn.Config(
            Guard(app, self.token, Names(self.host, self.port)),
            http=BoundedProtocol,
            ws=AbruptProtocol,
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            log_level="info" if os.environ.get("STRINGLESS_DEBUG") else "critical",
            access_log=False,
            server_header=False,
            date_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=PATIENCE,  # pyright: ignore[reportArgumentType] (any number of seconds will do)
        )
        return uvicorn.Server(config)

    def _serve(self) -> None:
        async def run() -> None:
            self.hub.run_in(asyncio.get_running_loop())
            await self._server.serve(sockets=[self._listening])

        try:
            asyncio.run(run())
        finally:
            self.hub.run_in(None)


def bind(host: str, port: int) -> socket.socket:
    """Listen on a port, or on the next that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + PORTS_TRIED, 65536) if port else 1
    for candidate in range(port, last):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
            listening.listen(MOST_CONNECTIONS)
        except OSError as error:
            listening.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise InputError(f"cannot listen on '{host}', port {candidate}: {error.strerror or error}") from error
        else:
            return listening
    raise InputError(f"ports {port} to {last - 1} of '{host}' are all in use; choose another with --port")


class BoundedProtocol(H11Protocol):
    """HTTP with a bounded number of connections, each of which must send a request before long."""

    def connection_made(self, transport: Any) -> None:
        """Accept a connection, or hang up at once."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            handler = self.timeout_keep_alive_handler
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, handler)


class AbruptProtocol(WebSocketsSansIOProtocol):
    """Sockets that end when we are done with them, whether or not the other side reads."""

    async def run_asgi(self) -> None:
        """Serve the socket; a little later nothing of it is left."""
        await super().run_asgi()
        self.loop.call_later(LINGER, self.transport.abort)

    def handle_parser_exception(self) -> None:
        """Say why, then read what was still on its way: unread bytes would reset the socket, and lose the reason."""
        if self.close_sent:
            return
        closing = self.conn.close_sent
        assert closing is not None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": closing.code, "reason": closing.reason})
        self._send_close()
        self.close_timer = self.loop.call_later(LINGER, self.transport.close)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def shutdown(self) -> None:
        """The server ends before the hub has sent its pages away: they get the same reason."""
        if self.handshake_complete and not self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.GONE})
            self.conn.send_close(CloseCode.GONE, STOPPED)
            self._send_close()
        super().shutdown()

    def _send_close(self) -> None:
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
