"""The table of actions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stringless.errors import InputError

Run = Callable[..., Any]


@dataclass(frozen=True)
class Action:
    """Something that the studio does beside the commands of a project."""

    name: str
    run: Run
    for_all: bool
    """Whether a page that only watches may ask for it."""

    @property
    def summary(self) -> str:
        """The first line of what it says about itself."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    @property
    def signature(self) -> str:
        """Its arguments."""
        parameters = list(inspect.signature(self.run).parameters.values())[2:]
        return ", ".join(str(parameter.replace(annotation=inspect.Parameter.empty)) for parameter in parameters)

    def bound(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, if they fit."""
        try:
            inspect.signature(self.run).bind(None, None, **arguments)
        except TypeError as error:
            raise InputError(f"'{self.name}' does not fit: {error}; it takes: {self.signature or 'nothing'}") from None
        return arguments


ACTIONS: dict[str, Action] = {}


def action(*, for_all: bool = False, name: str = "") -> Callable[[Run], Run]:
    """Register a function of the session and the page that asks, under its own name or another."""

    def register(run: Run) -> Run:
        known = name or run.__name__
        ACTIONS[known] = Action(known, run, for_all)
        return run

    return register
