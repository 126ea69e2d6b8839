"""The table of commands."""

import functools
import inspect
import typing
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from stringless.errors import InputError

if TYPE_CHECKING:
    from stringless.project.project import Project as Project
else:
    Project = object  # which imports the commands

Run = Callable[..., Any]


@dataclass(frozen=True)
class NamedFunction:
    """A function that is called by name, with plain values."""

    own_parameters: ClassVar[int] = 1
    """Number of parameters in front that are not arguments."""
    name: str
    run: Run

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    @property
    def signature(self) -> str:
        """Its arguments."""
        parameters = list(inspect.signature(self.run).parameters.values())[self.own_parameters :]
        return ", ".join(str(parameter.replace(annotation=inspect.Parameter.empty)) for parameter in parameters)

    @functools.cached_property
    def _types(self) -> dict[str, Any]:
        return typing.get_type_hints(self.run, include_extras=True)

    def bind(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, if they fit the parameters and their types."""
        try:
            inspect.signature(self.run).bind(*[None] * self.own_parameters, **arguments)
        except TypeError as error:
            raise InputError(f"'{self.name}' does not fit: {error}; it takes: {self.signature or 'nothing'}") from None
        for name, value in arguments.items():
            try:
                msgspec.convert(value, self._types.get(name, Any))
            except msgspec.ValidationError as error:
                raise InputError(f"'{name}' of '{self.name}' is {value!r}; {str(error).replace('E', 'e', 1)}") from None
        return arguments


@dataclass(frozen=True)
class Command(NamedFunction):
    """Something that can be done to a project."""

    text: str
    """Its label in an undo list, with arguments in braces."""
    steers: bool
    """Whether it only moves in time, and writes its own entries."""

    def format_label(self, arguments: dict[str, Any]) -> str:
        """The label in an undo list; arguments that are missing are left out."""
        return self.text.format_map(defaultdict(str, arguments))


COMMANDS: dict[str, Command] = {}


def command(text: str, *, steers: bool = False) -> Callable[[Run], Run]:
    """Register a function as a command under its own name."""

    def register(run: Run) -> Run:
        name = run.__name__
        COMMANDS[name] = Command(name, run, text, steers)
        return run

    return register
