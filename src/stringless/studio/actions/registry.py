"""The table of actions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stringless.project.commands.registry import NamedFunction, Run

if TYPE_CHECKING:
    from stringless.studio.session import Session as Session
else:
    Session = object  # which imports the actions


@dataclass(frozen=True)
class Action(NamedFunction):
    """Something that the studio does beside the commands of a project."""

    own = ("session", "state", "page")
    for_all: bool
    """Whether a page that only watches may ask for it."""

    def carry_out(self, session: Session, page: int, arguments: dict[str, Any]) -> Any:
        """Do it for a page, with what it wants to know: the session, what is open, the number of the page."""
        bound = self.bind(arguments)
        state = session.require_state() if self.takes("state") else None
        return self.call(bound, session=session, state=state, page=page)


ACTIONS: dict[str, Action] = {}


def action(*, for_all: bool = False, name: str = "") -> Callable[[Run], Run]:
    """Register a function under its own name or another. Its parameters `session`, `state` and `page` are filled in."""

    def register(run: Run) -> Run:
        known = name or run.__name__
        ACTIONS[known] = Action(known, run, for_all)
        return run

    return register
