"""The table of actions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from stringless.project.commands.registry import NamedFunction, Run

if TYPE_CHECKING:
    from stringless.studio.session import Session as Session
else:
    Session = object  # which imports the actions


@dataclass(frozen=True)
class Action(NamedFunction):
    """Something that the studio does beside the commands of a project."""

    own_parameters: ClassVar[int] = 2
    for_all: bool
    """Whether a page that only watches may ask for it."""


ACTIONS: dict[str, Action] = {}


def action(*, for_all: bool = False, name: str = "") -> Callable[[Run], Run]:
    """Register a function of the session and the page that asks, under its own name or another."""

    def register(run: Run) -> Run:
        known = name or run.__name__
        ACTIONS[known] = Action(known, run, for_all)
        return run

    return register
