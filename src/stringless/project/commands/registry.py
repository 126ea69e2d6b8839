"""The table of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from stringless.errors import InputError

Run = Callable[..., Any]


@dataclass(frozen=True)
class Named:
    """A function that is called by name, with plain values."""

    given: ClassVar[int] = 1
    """Arguments in front that the caller gives himself."""
    name: str
    run: Run

    @property
    def summary(self) -> str:
        """The first line of what it says about itself."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    @property
    def signature(self) -> str:
        """Its arguments."""
        parameters = list(inspect.signature(self.run).parameters.values())[self.given :]
        return ", ".join(str(parameter.replace(annotation=inspect.Parameter.empty)) for parameter in parameters)

    def bound(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, if they fit."""
        try:
            inspect.signature(self.run).bind(*[None] * self.given, **arguments)
        except TypeError as error:
            raise InputError(f"'{self.name}' does not fit: {error}; it takes: {self.signature or 'nothing'}") from None
        return arguments


@dataclass(frozen=True)
class Command(Named):
    """Something that can be done to a project."""

    text: str
    """What an undo list says, with arguments in braces."""
    steers: bool
    """Whether it only moves in time, and writes its own entries."""

    def label(self, arguments: dict[str, Any]) -> str:
        """What an undo list says."""
        return self.text.format_map(_Shown(arguments))


class _Shown(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""


COMMANDS: dict[str, Command] = {}


def command(text: str, *, steers: bool = False) -> Callable[[Run], Run]:
    """Register a function as a command under its own name."""

    def register(run: Run) -> Run:
        name = run.__name__
        COMMANDS[name] = Command(name, run, text, steers)
        return run

    return register
