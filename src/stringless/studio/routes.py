"""The routes of the server: the page and its parts, a socket for each page, uploads and downloads."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from stringless.errors import StringlessError
from stringless.studio.connection import CloseCode, Connection
from stringless.studio.files import Uploads
from stringless.studio.hub import Hub

HERE = Path(__file__).parent
PAGE, PICTURES = HERE / "page", HERE / "pictures"
GREETING = 10.0
"""Time that a page has to say hello [s]."""
FAREWELL = 0.4
"""Time that it has to read the last messages [s]."""
DRAINING = 5.0
"""Time that the rest of a file that is refused is read for [s]."""
NOT_BUILT = """<!doctype html><meta charset="utf-8"><title>Stringless</title>
<h1>The page is not built</h1><p>This studio runs, and scripts can direct through it, but its page has not been built.
Run <code>make page</code> in the sources and load this page again.</p>
"""
log = logging.getLogger("stringless.studio")
Downloads = Callable[[int], Path | None]


class CachedFiles(StaticFiles):
    """Files that stay the same while the studio runs."""

    async def check_config(self) -> None:
        """Accept a folder that does not exist: it has no files."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """Let the browser keep them for a while."""
        response = super().file_response(*arguments, **options)
        response.headers["cache-control"] = "private, max-age=3600"
        if response.headers.get("content-type", "").startswith("text/plain") and str(arguments[0]).endswith(".js"):
            response.headers["content-type"] = "text/javascript; charset=utf-8"  # some systems know no better
        return response


def make_app(hub: Hub, uploads: Uploads, downloads: Downloads) -> Starlette:
    """Everything behind the token."""
    handlers = Handlers(hub, uploads, downloads)
    return Starlette(
        routes=[
            Route("/", handlers.show_page),
            WebSocketRoute("/socket", handlers.serve_socket),
            Route("/upload", handlers.upload, methods=["POST"]),
            Route("/download/{job:int}", handlers.download),
            Mount("/pictures", CachedFiles(directory=PICTURES, check_dir=False)),
            Mount("/", CachedFiles(directory=PAGE, check_dir=False)),
        ],
        exception_handlers={HTTPException: _refuse_silently},
    )


async def _refuse_silently(_: Request, error: Exception) -> Response:
    """Give no more than the status."""
    assert isinstance(error, HTTPException)
    return Response(status_code=error.status_code, headers=error.headers)


class Handlers:
    """Handlers of requests and sockets."""

    def __init__(self, hub: Hub, uploads: Uploads, downloads: Downloads) -> None:
        self._hub, self._uploads, self._downloads = hub, uploads, downloads

    async def show_page(self, _: Request) -> Response:
        """The page, or how to build it."""
        file = PAGE / "index.html"
        return FileResponse(file) if file.exists() else HTMLResponse(NOT_BUILT, 503)

    async def upload(self, request: Request) -> Response:
        """Receive a file; the answer is the source to open."""
        parts = request.stream()
        try:
            path = await self._uploads.take(request.query_params.get("name", ""), parts)
        except StringlessError as error:
            await _drain(parts)
            return JSONResponse({"error": str(error)}, 400, headers={"connection": "close"})
        except ClientDisconnect:
            return Response(status_code=400)
        except OSError as error:
            return JSONResponse({"error": f"the file could not be kept: {error.strerror}"}, 507)
        return JSONResponse({"source": os.fspath(path)})

    async def download(self, request: Request) -> Response:
        """Send the file of a job that is finished."""
        path = self._downloads(request.path_params["job"])
        if path is None or not path.is_file():
            raise HTTPException(404)
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")

    async def serve_socket(self, websocket: WebSocket) -> None:
        """Talk to one page until either side ends it.

        Sender and receiver are waited for together: to wait for an acknowledgement alone would take forever once the page
        has gone.
        """
        await websocket.accept()
        connection = self._hub.add_connection()
        both = [asyncio.ensure_future(part(websocket, connection)) for part in (self._send, self._receive)]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.remove_connection(connection)
            for task in both:
                task.cancel()
            for found in await asyncio.gather(*both, return_exceptions=True):
                if isinstance(found, Exception) and not isinstance(found, WebSocketDisconnect):
                    log.error("page %d was closed by a fault in stringless", connection.number, exc_info=found)
                    connection.close(CloseCode.FAULT, "a fault in the studio")
            await _close(websocket, connection)

    async def _send(self, websocket: WebSocket, connection: Connection) -> None:
        while connection.closing is None:
            if (data := connection.take_next()) is not None:
                await websocket.send_bytes(data)
            else:
                connection.wake.clear()
                await connection.wake.wait()

    async def _receive(self, websocket: WebSocket, connection: Connection) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GREETING):
                while not connection.is_greeted and connection.closing is None:
                    self._hub.receive(connection, await _read(websocket))
        if not connection.is_greeted:
            connection.close(CloseCode.SLOW, "the page did not say hello in time")
        while connection.closing is None:
            self._hub.receive(connection, await _read(websocket))
        await asyncio.Event().wait()  # the sender ends it


async def _drain(parts: AsyncIterator[bytes]) -> None:
    """Read what is still on its way: to hang up on it would reset the connection, and the answer be lost with it."""
    with contextlib.suppress(TimeoutError, ClientDisconnect):
        async with asyncio.timeout(DRAINING):
            async for _ in parts:
                pass


async def _read(websocket: WebSocket) -> bytes | str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    data = message.get("bytes")
    return message["text"] if data is None else data


async def _close(websocket: WebSocket, connection: Connection) -> None:
    """Send the last messages and close, if the page still listens."""
    if connection.closing is None:
        return
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(FAREWELL):
            while (data := connection.take_message()) is not None:
                await websocket.send_bytes(data)
            await websocket.close(*connection.closing)
