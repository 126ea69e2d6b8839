"""A script at the studio: does what a page does, through the same socket.

    from stringless.studio.client import connect

    with connect("http://127.0.0.1:8642/TOKEN/") as studio:
        studio.direct()
        studio.do("live")
        with studio.grab("distal") as hand:
            x, y, z = hand.start
            hand.move((x, y + 0.04, z))
            studio.wait(lambda: studio.position("distal")[1] > y + 0.03)
        print(studio.frame.time, studio.document.undo)

A thread of its own reads what the studio sends, so `frame`, `status`, `document` and `scene` are always the newest. Everything
else happens in the caller's thread and returns when the studio has answered. When the connection is lost, calls raise
`LostError`; connect again to go on.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

import msgspec
import numpy as np
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as open_socket

from stringless.errors import InputError, StringlessError
from stringless.spatial.arrays import FloatArray
from stringless.studio import frames, messages
from stringless.studio.frames import Assembler, FrameData

PATIENCE = 30.0
"""Time to wait for an answer, unless another is given [s]."""
LARGEST = 256 * 2**20
"""Bytes of one message of the studio."""
T = TypeVar("T")


class RefusedError(StringlessError):
    """The studio has not done what was asked, and nothing has changed; the message gives the reason."""


class LostError(StringlessError):
    """There is no connection any more."""


class Client(AbstractContextManager["Client"]):
    """A connection to a studio."""

    def __init__(self, address: str, *, name: str = "script", watch: bool = False, timeout: float = PATIENCE) -> None:
        """Connect and say hello.

        Args:
            address: What the studio printed, token and all.
            name: Name of this connection.
            watch: Whether only to watch. Otherwise a script that comes first directs; one that comes later asks for it by
                `direct()`.
            timeout: How long to wait for any answer [s].

        Raises:
            InputError: no studio answers there, or it does not know this address.
        """
        self.address, self.timeout = address, timeout
        self.waits: deque[float] = deque(maxlen=10_000)
        """From the arrival of each move at the studio to the frame that includes it, as the studio says [ms]."""
        self.round_trips: deque[float] = deque(maxlen=10_000)
        """From sending each move to reading the frame that includes it [ms]."""
        self.frame_count = 0
        self.notices: deque[messages.Message] = deque(maxlen=1000)
        """All other messages: logs, notices, refusals without a number."""
        self._newest: dict[type[messages.Message], Any] = {}
        self._frame: FrameData | None = None
        self._assembler: Assembler | None = None
        self._answers: dict[int, messages.Answer | messages.Refusal] = {}
        self._moves: dict[int, float] = {}
        self._ids, self._pointers, self._sequences = itertools.count(1), itertools.count(1), itertools.count(1)
        self._change = threading.Condition()
        self._lost = ""
        self._stack = contextlib.ExitStack()
        self._socket = self._open(address)
        self._reader = threading.Thread(target=self._read, name="studio client", daemon=True)
        self._reader.start()
        self._send(messages.Hello(messages.VERSION, name, watch=watch))
        self.welcome = self._await_newest(messages.Welcome, "a welcome")

    # --- what there is ---

    @property
    def scene(self) -> messages.Scene:
        """The scene."""
        return self._await_newest(messages.Scene, "a scene")

    @property
    def document(self) -> messages.Document:
        """Goals, keyframes, branches and everything else that was made."""
        return self._await_newest(messages.Document, "a document")

    @property
    def status(self) -> messages.Status:
        """The status."""
        return self._await_newest(messages.Status, "a status")

    @property
    def edit(self) -> messages.Edit:
        """The motion that is open in the editor; `open` tells whether one is."""
        return self._await_newest(messages.Edit, "word of the editor")

    @property
    def frame(self) -> FrameData:
        """The newest frame."""
        return self._await(lambda: self._complete(self._frame), "a frame")

    @property
    def open(self) -> bool:
        """Whether there is a connection."""
        return not self._lost

    def position(self, bone: str) -> FloatArray:
        """Where the origin of a bone is in the newest frame [m]."""
        names = [body.name for body in self.scene.bodies]
        if bone not in names:
            raise InputError(f"there is no bone '{bone}'; there are: {', '.join(names)}")
        frame = self._await(self._find_frame_of_scene, "a frame of this scene")
        return np.asarray(frame.poses[names.index(bone), :3], float)

    def wait(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Return when a condition holds; it is checked whenever something new has arrived.

        Raises:
            TimeoutError: it does not hold in time.
        """
        self._await(lambda: condition() or None, "what was waited for", timeout)

    def next_frame(self, timeout: float | None = None) -> FrameData:
        """The first frame that arrives after this call."""
        seen = self.frame_count
        self.wait(lambda: self.frame_count > seen, timeout)
        return self.frame

    # --- what can be done ---

    def do(self, command: str, **arguments: Any) -> Any:
        """Carry out a command of the project or an action of the studio, and return its result.

        Raises:
            RefusedError: it was not done.
        """
        return self._ask(lambda number: messages.Do(number, command, arguments))

    def direct(self) -> None:
        """Take over from the page that directs; that goes on watching."""
        self.do("direct")

    def grab(
        self,
        bone: str = "",
        *,
        kind: str = "drag",
        point: Sequence[float] = (0.0, 0.0, 0.0),
        target: Sequence[float] | None = None,
        orientation: Sequence[float] | None = None,
        **options: Any,
    ) -> Hand:
        """Take hold of a bone ("drag"), of the centre of gravity ("center") or of the root's orientation ("turn").

        Everything until the last hand lets go is one step of undo. `options` are those of the goal, as `priority`. Kind "edit"
        takes hold of the motion that is open in the editor, at `time=...`, by a point of a bone or as `what=...` says, or of
        `nail=...`.
        """
        pointer = next(self._pointers)
        start = self.position(bone) if bone else np.zeros(3)
        held: Any = kind, bone, _check_vector(point), _check_vector(target), _check_vector(orientation, 4), options
        goal = self._ask(lambda number: messages.Grab(number, pointer, *held))
        return Hand(self, pointer, goal, start)

    def seek(self, time: float, lane: int | None = None) -> int:
        """Show a time on record. Only the newest counts, so this does not wait; it returns the number of the seek."""
        return self._send_numbered(lambda sequence: messages.Seek(sequence, float(time), lane))

    def wish(self, **wishes: Any) -> None:
        """Say what to be shown, as `ahead=True` or `contacts=False`; all else goes back to what is usual."""
        self._send(messages.Wishes(**wishes))

    def send(self, data: bytes | str) -> None:
        """Send anything as it is."""
        try:
            self._socket.send(data)
        except ConnectionClosed:
            raise self._make_lost_error() from None

    def close(self) -> None:
        """Disconnect."""
        self._stack.close()
        self._reader.join(5.0)

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- how it is done ---

    def _open(self, address: str) -> ClientConnection:
        url = "ws" + address.removeprefix("http").rstrip("/") + "/socket"
        try:
            opened = open_socket(
                url, max_size=LARGEST, compression=None, proxy=None, open_timeout=self.timeout, close_timeout=2.0
            )
            return self._stack.enter_context(opened)
        except InvalidStatus as error:
            status = error.response.status_code
            raise InputError(
                f"the studio does not know the address '{address}' ({status}); take the one it printed"
            ) from None
        except (OSError, InvalidHandshake, InvalidURI, TimeoutError) as error:
            raise InputError(f"no studio answers at '{address}': {error}. Start one with: stringless studio") from None

    def _send(self, message: messages.FromPage) -> None:
        self.send(msgspec.msgpack.encode(message))

    def _send_numbered(self, make: Callable[[int], messages.FromPage]) -> int:
        """Send a move or a seek, whose number comes back with a frame."""
        sequence = next(self._sequences)
        with self._change:
            self._moves[sequence] = time.perf_counter()
        self._send(make(sequence))
        return sequence

    def _ask(self, make: Callable[[int], messages.FromPage]) -> Any:
        number = next(self._ids)
        self._send(make(number))
        answer = self._await(lambda: self._answers.pop(number, None), "an answer")
        if isinstance(answer, messages.Refusal):
            raise RefusedError(answer.error)
        return answer.result

    def _await_newest(self, kind: type[T], what: str) -> T:
        return self._await(lambda: self._newest.get(cast(Any, kind)), what)

    def _await(self, look: Callable[[], T | None], what: str, timeout: float | None = None) -> T:
        """What `look` finds; it is called whenever something has arrived."""
        wanted = self.timeout if timeout is None else timeout
        end = time.perf_counter() + wanted
        with self._change:
            while (found := look()) is None:
                if self._lost:
                    raise self._make_lost_error()
                if (left := end - time.perf_counter()) <= 0:
                    raise TimeoutError(f"the studio did not send {what} within {wanted:g} s")
                self._change.wait(left)
        return found

    def _make_lost_error(self) -> LostError:
        return LostError(f"the connection to the studio is lost: {self._lost or 'it was closed'}")

    def _find_frame_of_scene(self) -> FrameData | None:
        is_current = self._frame is not None and self._frame.epoch == self._newest[messages.Scene].epoch
        return self._complete(self._frame) if is_current else None

    def _complete(self, frame: FrameData | None) -> FrameData | None:
        """A frame with poses of all bodies, also where only those were sent that have moved."""
        if frame is None or len(frame.poses) or self._assembler is None:
            return frame
        return frame._replace(poses=self._assembler.poses())

    def _read(self) -> None:
        decoder = msgspec.msgpack.Decoder(messages.FromStudio)
        try:
            while True:
                data = cast(bytes, self._socket.recv())
                if data[0] == frames.FRAME:
                    self._read_frame(data)
                elif data[0] == frames.MESSAGE:
                    self._read_message(decoder.decode(memoryview(data)[4:]))
        except ConnectionClosed as closed:
            reason = (closed.rcvd.reason if closed.rcvd else "") or str(closed)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        with self._change:
            self._lost = reason or "it was closed"
            self._change.notify_all()

    def _read_frame(self, data: bytes) -> None:
        sequence, frame = frames.unpack_frame(data)
        with contextlib.suppress(LostError):  # reading on tells why
            self._send(messages.Acknowledge(sequence))
        now = time.perf_counter()
        with self._change:
            self._frame = frame
            if self._assembler is not None:
                self._assembler.take(data)
            self.frame_count += 1
            if frame.wait >= 0 and frame.input in self._moves:
                self.waits.append(frame.wait)
                self.round_trips.append(1e3 * (now - self._moves[frame.input]))
                self._moves = {number: when for number, when in self._moves.items() if number > frame.input}
            self._change.notify_all()

    def _read_message(self, message: Any) -> None:
        with self._change:
            if isinstance(message, messages.Answer | messages.Refusal) and message.id is not None:
                self._answers[message.id] = message
            elif isinstance(message, messages.Log | messages.Notice | messages.Refusal):
                self.notices.append(message)
            else:
                self._newest[type(message)] = message
                if isinstance(message, messages.Scene):
                    self._assembler = Assembler([body.parent for body in message.bodies])
            self._change.notify_all()


connect = Client
"""Join a studio."""


class Hand(AbstractContextManager["Hand"]):
    """A hand that holds something. As a context manager it lets go at the end."""

    def __init__(self, client: Client, pointer: int, goal: int | None, start: FloatArray) -> None:
        self._client, self.pointer, self._open = client, pointer, True
        self.goal = goal
        """Number of the goal it leads."""
        self.start = start
        """Where the bone's origin was when it was grabbed [m]."""

    def move(self, target: Sequence[float] | None = None, orientation: Sequence[float] | None = None) -> int:
        """Lead it somewhere. Only the newest counts, so this does not wait; it returns the number of the move."""
        where: Any = _check_vector(target), _check_vector(orientation, 4)
        return self._client._send_numbered(  # pyright: ignore[reportPrivateUsage]
            lambda sequence: messages.Move(self.pointer, sequence, *where)
        )

    def release(self, *, keep: bool = False) -> None:
        """Let go; the goal ends unless it is kept."""
        if self._open:
            self._open = False
            self._client._ask(lambda number: messages.Release(number, self.pointer, keep))  # pyright: ignore[reportPrivateUsage]

    def __exit__(self, *_: object) -> None:
        if self._client.open:
            self.release()


def _check_vector(values: Sequence[float] | None, count: int = 3) -> tuple[float, ...] | None:
    if values is None:
        return None
    numbers = tuple(float(value) for value in values)
    if len(numbers) != count or not all(math.isfinite(number) for number in numbers):
        raise InputError(f"{values!r} is not what was expected: {count} finite numbers")
    return numbers
