"""What is served: the page and its parts, one socket per page, files that come in and results that go out."""

from __future__ import annotations

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
from stringless.studio.files import Uploads
from stringless.studio.hub import Hub
from stringless.studio.link import SLOW, Link

HERE = Path(__file__).parent
PAGE, PICTURES = HERE / "page", HERE / "pictures"
GREETING = 10.0
"""Seconds that a page has to say hello."""
FAREWELL = 0.4
"""Seconds that it has to read the last words."""
POURING = 5.0
"""Seconds that the rest of a file that is refused is read for."""
NOT_BUILT = """<!doctype html><meta charset="utf-8"><title>Stringless</title>
<h1>The page is not built</h1><p>This studio runs, and scripts can direct through it, but its page has not been built.
Run <code>make page</code> in the sources and load this page again.</p>
"""
log = logging.getLogger("stringless.studio")
Results = Callable[[int], Path | None]


class Kept(StaticFiles):
    """Files that stay the same while the studio runs."""

    async def check_config(self) -> None:
        """A folder that is not there has no files; that is all."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """Let the browser keep them for a while."""
        response = super().file_response(*arguments, **options)
        response.headers["cache-control"] = "private, max-age=3600"
        if response.headers.get("content-type", "").startswith("text/plain") and str(arguments[0]).endswith(".js"):
            response.headers["content-type"] = "text/javascript; charset=utf-8"  # some systems know no better
        return response


def make_app(hub: Hub, uploads: Uploads, results: Results, page: Path = PAGE, pictures: Path = PICTURES) -> Starlette:
    """Everything behind the token."""
    doors = Doors(hub, uploads, results, page)
    return Starlette(
        routes=[
            Route("/", doors.index),
            WebSocketRoute("/socket", doors.socket),
            Route("/upload", doors.upload, methods=["POST"]),
            Route("/download/{job:int}", doors.download),
            Mount("/pictures", Kept(directory=pictures, check_dir=False)),
            Mount("/", Kept(directory=page, check_dir=False)),
        ],
        exception_handlers={HTTPException: _silent},
    )


async def _silent(_: Request, error: Exception) -> Response:
    """Say no more than the number."""
    assert isinstance(error, HTTPException)
    return Response(status_code=error.status_code, headers=error.headers)


class Doors:
    """The ways in and out."""

    def __init__(self, hub: Hub, uploads: Uploads, results: Results, page: Path) -> None:
        """Lead to these."""
        self._hub, self._uploads, self._results, self._page = hub, uploads, results, page

    async def index(self, _: Request) -> Response:
        """The page, or how to get it."""
        file = self._page / "index.html"
        return FileResponse(file) if file.exists() else HTMLResponse(NOT_BUILT, 503)

    async def upload(self, request: Request) -> Response:
        """Take a file; the answer says what to open."""
        parts = request.stream()
        try:
            path = await self._uploads.take(request.query_params.get("name", ""), parts)
        except StringlessError as error:
            await _pour_away(parts)
            return JSONResponse({"error": str(error)}, 400, headers={"connection": "close"})
        except ClientDisconnect:
            return Response(status_code=400)
        except OSError as error:
            return JSONResponse({"error": f"the file could not be kept: {error.strerror}"}, 507)
        return JSONResponse({"source": os.fspath(path)})

    async def download(self, request: Request) -> Response:
        """Hand out the result of a job that is finished."""
        path = self._results(request.path_params["job"])
        if path is None or not path.is_file():
            raise HTTPException(404)
        return FileResponse(path, filename=path.name, media_type="application/octet-stream")

    async def socket(self, websocket: WebSocket) -> None:
        """Speak with one page until either has enough.

        Sender and receiver are waited for together: who waited for an acknowledgement alone would wait forever for one
        that has gone.
        """
        await websocket.accept()
        link = self._hub.enter()
        both = [asyncio.ensure_future(part(websocket, link)) for part in (self._send, self._receive)]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.leave(link)
            for task in both:
                task.cancel()
            for found in await asyncio.gather(*both, return_exceptions=True):
                if isinstance(found, Exception) and not isinstance(found, WebSocketDisconnect):
                    log.error("page %d was closed by a fault in stringless", link.number, exc_info=found)
                    link.close(1011, "a fault in the studio")
            await _part(websocket, link)

    async def _send(self, websocket: WebSocket, link: Link) -> None:
        while link.closing is None:
            if (data := link.next()) is not None:
                await websocket.send_bytes(data)
            else:
                link.wake.clear()
                await link.wake.wait()

    async def _receive(self, websocket: WebSocket, link: Link) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GREETING):
                while not link.greeted and link.closing is None:
                    self._hub.hear(link, await _hear(websocket))
        if not link.greeted:
            link.close(SLOW, "the page did not say hello in time")
        while link.closing is None:
            self._hub.hear(link, await _hear(websocket))
        await asyncio.Event().wait()  # the sender ends it


async def _pour_away(parts: AsyncIterator[bytes]) -> None:
    """Read what is still on its way: to hang up on it would reset the connection, and the answer be lost with it."""
    with contextlib.suppress(TimeoutError, ClientDisconnect):
        async with asyncio.timeout(POURING):
            async for _ in parts:
                pass


async def _hear(websocket: WebSocket) -> bytes | str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    data = message.get("bytes")
    return message["text"] if data is None else data


async def _part(websocket: WebSocket, link: Link) -> None:
    """Say the last words and close, if it still listens."""
    if link.closing is None:
        return
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(FAREWELL):
            while (data := link.last_words()) is not None:
                await websocket.send_bytes(data)
            await websocket.close(*link.closing)
