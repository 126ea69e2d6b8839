"""What a reader finds wrong or cannot use, collected so that a person sees all of it at once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from stringless.errors import ModelError, Problem

HARMLESS = "It is left out; the motion does not depend on it."
UNKNOWN = "It is not used, and may matter for the motion."
PHYSICS = "It is left out, so the motion will differ from what the file describes."
NAMED = 3
"""How many places of a repeated finding are named."""


@dataclass
class _Group:
    """One thing that occurs many times and is told once."""

    expected: str
    remedy: str
    places: list[str] = field(default_factory=list)


class Findings:
    """Errors and warnings of one reading, in the order in which they were met."""

    def __init__(self) -> None:
        self.errors: list[Problem] = []
        self._warnings: list[Problem] = []
        self._groups: dict[str, _Group] = {}

    @property
    def warnings(self) -> list[Problem]:
        """Every warning; what was met many times counts as one."""
        return [*self._warnings, *(_told_once(what, group) for what, group in self._groups.items())]

    def error(self, where: str, found: str, expected: str, remedy: str = "") -> None:
        """Note something that makes the file unusable, and read on."""
        self.errors.append(Problem(where, found, expected, remedy))

    def warn(self, where: str, found: str, expected: str, remedy: str = "") -> None:
        """Note something that is read differently from what the file may mean."""
        self._warnings.append(Problem(where, found, expected, remedy, "warning"))

    def unused(self, what: str, place: str, remedy: str = HARMLESS, *, expected: str = "what this reader uses") -> None:
        """Note one occurrence of `what`, which is left out; all its occurrences become one warning."""
        self._groups.setdefault(what, _Group(expected, remedy)).places.append(place)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Take over problems found elsewhere."""
        for problem in problems:
            (self.errors if problem.severity == "error" else self._warnings).append(problem)

    def stop(self, subject: str) -> ModelError:
        """Return the error to raise when reading cannot go on."""
        return ModelError(subject, self.errors)


def _told_once(what: str, group: _Group) -> Problem:
    count = len(group.places)
    named = list(dict.fromkeys(group.places))
    where = ", ".join(named[:NAMED]) + (", ..." if len(named) > NAMED else "")
    found = what if count == 1 else f"{what} ({count} times)"
    return Problem(where, found, group.expected, group.remedy, "warning")
