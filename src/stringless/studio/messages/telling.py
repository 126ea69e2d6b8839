"""What the studio answers, and says besides."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from stringless.studio.messages.basic import Message, Number


class Welcome(Message):
    """Answers `Hello`."""

    version: Number
    software: str
    page: Number
    """The number of this connection."""
    session: str
    """Another one means that the studio was started anew."""
    commands: list[CommandInfo]
    keep: list[str]
    """Kinds of files that can be written."""


class CommandInfo(Struct):
    """A command or action, as a list would show it."""

    name: str
    summary: str
    signature: str


class Log(Message):
    """Lines of Python that do what was done since the last ones."""

    lines: list[str]
    reset: bool = False
    """Whether they replace all before."""


class Answer(Message):
    """What came of a `Do`, `Grab` or `Release`."""

    id: Number
    result: Any = None


class Refusal(Message):
    """Why something was not done; nothing has changed then. `id` is None if the message had none that could be read."""

    id: Number | None
    error: str


class Notice(Message):
    """Something that a person should read."""

    level: Literal["info", "warning", "error"]
    text: str
    offer: OfferInfo | None = None
    """What can be done about it."""


class OfferInfo(Struct):
    """A button below a notice: `Do` with this command."""

    label: str
    command: str
    arguments: dict[str, Any]
