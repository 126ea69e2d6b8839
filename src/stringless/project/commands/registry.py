"""The table of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stringless.errors import InputError

Run = Callable[..., Any]


@dataclass(frozen=True)
class Command:
    """Something that can be done."""

    name: str
    run: Run
    text: str
    """What an undo list says, with arguments in braces."""
    steers: bool
    """Whether it only moves in time, and writes its own entries."""

    @property
    def summary(self) -> str:
        """The first line of what it says about itself."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    @property
    def signature(self) -> str:
        """Its arguments."""
        parameters = list(inspect.signature(self.run).parameters.values())[1:]
        return ", ".join(str(parameter.replace(annotation=inspect.Parameter.empty)) for parameter in parameters)

    def bound(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, if they fit."""
        try:
            inspect.signature(self.run).bind(None, **arguments)
        except TypeError as error:
            raise InputError(f"'{self.name}' does not fit: {error}; it takes: {self.signature or 'nothing'}") from None
        return arguments

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
