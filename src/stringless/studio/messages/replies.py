"""Answers and announcements from the studio to its pages."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from stringless.studio.messages.basic import Message, Number
from stringless.studio.messages.document import GoalKindInfo


class Welcome(Message):
    """Answers `Hello`."""

    version: Number
    software: str
    page: Number
    """The number of this connection."""
    session: str
    """A different one means that the studio was restarted."""
    commands: list[CommandInfo]
    keep: list[str]
    """Kinds of files that can be written."""
    formats: list[FormatInfo] = field(default_factory=list)
    """All kinds of files that can be opened, sent along and written."""
    goals: list[GoalKindInfo] = field(default_factory=list)
    """All kinds of goals."""


class FormatInfo(Struct):
    """A kind of files."""

    name: str
    kind: Literal["project", "scene", "mesh", "motion", "part"]
    """What such a file holds; meshes and parts only come along with a scene."""
    written: bool
    """Whether it can be written; if not, it can be read."""
    suffixes: list[str]
    """In small letters, with the dot."""
    description: str
    media_type: str
    """Empty if it has none."""


class CommandInfo(Struct):
    """A command or action, as a list shows it."""

    name: str
    summary: str
    signature: str


class Log(Message):
    """Lines of Python that repeat what was done since the last ones."""

    lines: list[str]
    reset: bool = False
    """Whether they replace all earlier lines."""


class Answer(Message):
    """The result of a `Do`, `Grab` or `Release`."""

    id: Number
    result: Any = None


class Refusal(Message):
    """Why something was not done; nothing has changed then. `id` is None if the message had none that could be read."""

    id: Number | None
    error: str


class Notice(Message):
    """A text for people to read."""

    level: Literal["info", "warning", "error"]
    text: str
    offer: OfferInfo | None = None
    """What can be done about it."""


class OfferInfo(Struct):
    """A button below a notice: `Do` with this command."""

    label: str
    command: str
    arguments: dict[str, Any]
