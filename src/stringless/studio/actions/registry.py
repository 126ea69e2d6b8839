"""The table of actions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stringless.errors import InputError

Run = Callable[..., Any]
KINDS = {
    "str": ("str", "text"),
    "int": ("int", "a whole number"),
    "float": ("int", "float", "a number"),
    "bool": ("bool", "true or false"),
    "None": ("NoneType", "nothing"),
    "Kind": ("str", "a word"),
    "Keep": ("str", "a word"),
}
"""Types of values that fit an annotation, and in words."""


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
        for name, value in arguments.items():
            self._check(name, value)
        return arguments

    def _check(self, name: str, value: Any) -> None:
        """Refuse a value that is of no kind the function names."""
        parameter = inspect.signature(self.run).parameters.get(name)
        named = str(parameter.annotation).split(" | ") if parameter is not None else []
        if not named or any(kind not in KINDS for kind in named):
            return
        found = "bool" if isinstance(value, bool) else type(value).__name__
        if not any(found in KINDS[kind] for kind in named):
            wanted = " or ".join(KINDS[kind][-1] for kind in named if kind != "None")
            raise InputError(f"'{name}' of '{self.name}' is {value!r}; expected {wanted}")


ACTIONS: dict[str, Action] = {}


def action(*, for_all: bool = False, name: str = "") -> Callable[[Run], Run]:
    """Register a function of the session and the page that asks, under its own name or another."""

    def register(run: Run) -> Run:
        known = name or run.__name__
        ACTIONS[known] = Action(known, run, for_all)
        return run

    return register
