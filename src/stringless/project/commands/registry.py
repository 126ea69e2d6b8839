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

    own: ClassVar[tuple[str, ...]]
    """Parameters that are no arguments, but are filled in if the function has them."""
    name: str
    run: Run

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    @functools.cached_property
    def _parameters(self) -> list[inspect.Parameter]:
        return [each for each in inspect.signature(self.run).parameters.values() if each.name not in self.own]

    @property
    def signature(self) -> str:
        """Its arguments."""
        return ", ".join(str(each.replace(annotation=inspect.Parameter.empty)) for each in self._parameters)

    def takes(self, name: str) -> bool:
        """Whether this parameter is to be filled in."""
        return name in inspect.signature(self.run).parameters

    def call(self, arguments: dict[str, Any], **own: Any) -> Any:
        """Call it with its arguments and with what it takes of `own`."""
        return self.run(**{name: value for name, value in own.items() if self.takes(name)}, **arguments)

    @functools.cached_property
    def _types(self) -> dict[str, Any]:
        return typing.get_type_hints(self.run, include_extras=True)

    def bind(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments, if they fit the parameters and their types."""
        try:
            inspect.Signature(self._parameters).bind(**arguments)
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
    """Something that can be done to a project, or with the `editor` of the motion that is open in it."""

    own = ("project", "editor")
    text: str
    """Its label in an undo list, with arguments in braces."""
    steers: bool
    """Whether it only moves in time, and writes its own entries."""

    def carry_out(self, project: Project, arguments: dict[str, Any]) -> Any:
        """Do it to a project."""
        if not self.takes("editor"):
            return self.call(arguments, project=project)
        with project.edits.changing() as editor:
            return self.call(arguments, project=project, editor=editor)

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
