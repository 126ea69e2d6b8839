"""What can go wrong, as few exception types as a caller can tell apart.

Every message says what failed, which object, what was found, what was expected and what to do.
"""

import functools
import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class StringlessError(Exception):
    """Base of every error this package raises on purpose."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with an input, in a form that a person and a program can read."""

    where: str
    """The object, by its name in the file, for example `body 'thigh'`."""
    found: str
    """What was found there."""
    expected: str
    """What would have been accepted."""
    remedy: str = ""
    """What to do about it."""
    severity: str = "error"
    """`error` stops the loading, `warning` does not."""

    def __str__(self) -> str:
        text = f"{self.where}: found {self.found}; expected {self.expected}"
        return f"{text}. {self.remedy}" if self.remedy else f"{text}."


class ModelError(StringlessError):
    """A model, scene or file that cannot be used; carries every problem found, not only the first."""

    def __init__(self, subject: str, problems: Sequence[Problem]) -> None:
        self.subject = subject
        self.problems = tuple(problems)
        count = len(self.problems)
        lines = "\n".join(f"  - {problem}" for problem in self.problems)
        super().__init__(f"{subject} has {count} problem{'s' if count != 1 else ''}:\n{lines}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.subject, self.problems)


class InputError(StringlessError, ValueError):
    """An argument of a call that does not fit: wrong shape, wrong name, out of range."""


class ProjectError(StringlessError):
    """A project file that cannot be opened, read or written; what was in the file is still there."""


class StringlessWarning(UserWarning):
    """Something that works but may not do what was meant; given through Python's `warnings`."""


class DivergenceError(StringlessError, ArithmeticError):
    """A simulation left the range of numbers it can trust; the last good state was kept."""

    def __init__(self, message: str, *, time: float, joint: str, cause: str) -> None:
        self.time = time
        self.joint = joint
        self.cause = cause
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return functools.partial(type(self), time=self.time, joint=self.joint, cause=self.cause), (str(self),)


def renamed_arguments(**names: str) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Let a function take arguments by the names of earlier versions, `old="new"`, with a warning."""

    def wrap(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @functools.wraps(function)
        def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            for old in names.keys() & kwargs.keys():
                text = f"argument '{old}' of {function.__qualname__} is called '{names[old]}' now"
                warnings.warn(text, DeprecationWarning, stacklevel=2)
                kwargs[names[old]] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return wrap


def renamed(old: str, new: str, only: Callable[[Any], bool] = lambda found: True) -> Any:
    """Let a class give and take what is called `new` by its name of earlier versions, too, with a warning.

    What it gives is None unless `only` holds.
    """

    def warn(self: object, stacklevel: int) -> None:
        owner = type(self).__name__.lower()
        warnings.warn(f"{owner}.{old} is called {owner}.{new} now", DeprecationWarning, stacklevel=stacklevel)

    def find(self: object) -> Any:
        warn(self, 3)
        found = operator.attrgetter(new)(self)
        return found if only(found) else None

    def assign(self: object, value: Any) -> None:
        warn(self, 3 if type(self).__setattr__ is object.__setattr__ else 4)
        setattr(self, new, value)

    return property(find, assign)


def find_renamed(module: str, name: str, names: Mapping[str, str]) -> str:
    """The name of today of something in a module, for its `__getattr__`; `names` has those of earlier versions."""
    if name not in names:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    warnings.warn(f"{module}.{name} is called {module}.{names[name]} now", DeprecationWarning, stacklevel=3)
    return names[name]
