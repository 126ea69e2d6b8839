"""The registry of file formats: what can be read and written. Every list of suffixes in the program is taken from it.

A reader or writer is one function below a description. Its options are its keyword-only parameters: the signature gives
their names, types and defaults, the docstring their help.

```python
import stringless as sl


@sl.formats.register_reader("Stick figure", suffixes=(".stick",), description="a tower of rods, one to a line")
def read_stick(path, *, height: float = 1.0) -> sl.Scene:
    '''Read a stick figure.

    Args:
        path: of the file.
        height: length of a rod [m].
    '''
```

A module in this package is found by itself. An installed package names its modules as entry points of the group
`stringless.formats`; anything else registers when it is imported. Lists are made without NumPy: keep the imports of such a module
light, and import what does the work inside the function.
"""  # noqa: D214

import difflib
import functools
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from stringless.errors import InputError, ModelError, Problem
from stringless.plugins import load_plugins

Kind = Literal["project", "scene", "mesh", "motion", "part"]
"""What a file holds. A mesh is for shapes and flesh of a scene; a part is any other file that a scene refers to."""
GROUP = "stringless.formats"
"""Entry points of installed packages that register formats."""
PAGE = "stringless.studio.motion_page"
"""A module of ours that registers one as they do: what it needs is built on this package."""
TYPES: dict[type, tuple[type, str]] = {
    bool: (bool, "true or false"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "text"),
}
"""Types that an option may have: what its values are instances of, and in words."""
PASSED = ("findings", "progress")
"""Keyword-only parameters that are no options: the caller passes them to a function that has them."""
Function = TypeVar("Function", bound=Callable[..., Any])


class Mark(NamedTuple):
    """What a file says about its format."""

    where: str
    what: str
    """Such as `root element`."""
    value: str


@dataclass(frozen=True)
class Option:
    """An option of a reader or writer."""

    name: str
    type: type
    default: Any
    help: str = ""
    choices: tuple[str, ...] = ()

    def check(self, value: Any, of: str) -> None:
        """Refuse a value of another type."""
        accepted, words = TYPES[self.type]
        fits = value in self.choices if self.choices else isinstance(value, accepted)
        if value is not self.default and (not fits or (isinstance(value, bool) and self.type is not bool)):
            expected = " or ".join(f"'{choice}'" for choice in self.choices) or words
            raise InputError(f"option '{self.name}' of {of} is {value!r}; expected {expected}")


@dataclass(frozen=True, kw_only=True)
class Format:
    """A kind of files. One without a function only comes along with others."""

    name: str
    suffixes: tuple[str, ...]
    """In small letters, with the dot; the first is the usual one."""
    kind: Kind
    description: str = ""
    """A few words for lists and dialogs."""
    media_type: str = ""
    rank: int = 100
    """Place in lists; formats of lower rank come first."""
    function: Callable[..., Any] = lambda _: None
    """That reads or writes it."""

    @functools.cached_property
    def options(self) -> dict[str, Option]:
        """Its options by name: the keyword-only parameters of the function."""
        helps = _find_helps(self.function)
        parameters = inspect.signature(self.function).parameters.values()
        named = [found for found in parameters if found.kind is found.KEYWORD_ONLY and found.name not in PASSED]
        return {found.name: _make_option(self.function, found, helps.get(found.name, "")) for found in named}

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse options that it does not have, and values of the wrong type."""
        of = f"a '{self.suffixes[0]}' file"
        for name, value in options.items():
            if name not in self.options:
                shown = ", ".join(f"'{known}'" for known in self.options) or "none"
                close = difflib.get_close_matches(name, self.options, n=1)
                hint = f". Did you mean '{close[0]}'?" if close else ""
                raise InputError(f"option '{name}' does not fit {of}; its options: {shown}{hint}")
            self.options[name].check(value, of)

    def call(self, *arguments: Any, options: Mapping[str, Any], **passed: Any) -> Any:
        """Call the function with options that fit, and with those of `passed` that it takes."""
        self.check_options(options)
        taken = inspect.signature(self.function).parameters
        return self.function(*arguments, **options, **{name: passed[name] for name in passed if name in taken})


@dataclass(frozen=True, kw_only=True)
class Reader(Format):
    """A format that can be read; a scene's function takes a path and returns a `Scene`.

    Of a mesh it returns vertices, shape (n, 3), and triangles, shape (m, 3), as they stand in the file.
    """

    mark: str = ""
    """The value by which `sniff` tells it from other formats of the same suffix."""
    sniff: Callable[[Path], Mark] | None = None
    advice: Mapping[str, str] = field(default_factory=dict[str, str])
    """By suffix: what to do with files that cannot be read, but can be made into one of this format."""
    count: Callable[[Path], int] | None = None
    """How many triangles a mesh file announces, before it is read; 0 if that cannot be told."""


@dataclass(frozen=True, kw_only=True)
class Writer(Format):
    """A format that can be written; its function takes a `Scene`, or for a motion a `Clip`, and a path."""


_formats: list[Format] = []


def register(known: Format) -> None:
    """Add a format.

    Raises:
        InputError: it has no suffix, options of an unknown type, or a suffix that is taken.
    """
    if not known.suffixes or any(not re.fullmatch(r"\.[a-z0-9_.-]+", suffix) for suffix in known.suffixes):
        raise InputError(f"format '{known.name}' has suffixes {known.suffixes!r}; expected some like '.urdf'")
    _ = known.options  # finds what is wrong with them
    for other in _formats:
        shared = [suffix for suffix in known.suffixes if suffix in other.suffixes]
        told_apart = isinstance(known, Reader) and isinstance(other, Reader) and known.mark and other.mark
        if shared and type(other) is type(known) and other.kind == known.kind and not told_apart:
            raise InputError(
                f"format '{known.name}' has the suffix '{shared[0]}', which format '{other.name}' has; "
                "expected another suffix, or two readers with a mark to tell them apart"
            )
    _formats.append(known)


def register_reader(
    name: str, *, suffixes: Iterable[str], kind: Kind = "scene", **fields: Any
) -> Callable[[Function], Function]:
    """Register the function below as a reader; `fields` are further ones of `Reader`."""
    return _register(Reader, name=name, suffixes=tuple(suffixes), kind=kind, **fields)


def register_writer(
    name: str, *, suffixes: Iterable[str], kind: Kind = "motion", **fields: Any
) -> Callable[[Function], Function]:
    """Register the function below as a writer; `fields` are further ones of `Writer`."""
    return _register(Writer, name=name, suffixes=tuple(suffixes), kind=kind, **fields)


def _register(make: type[Format], **fields: Any) -> Callable[[Function], Function]:
    def register_function(function: Function) -> Function:
        register(make(function=function, **fields))
        return function

    return register_function


# --- lists ------------------------------------------------------------------------------------------------------------


def list_formats() -> list[Format]:
    """Everything that is known, by kind and rank."""
    importlib.import_module(PAGE)
    load_plugins(GROUP, "formats")
    return sorted(_formats, key=lambda known: (get_args(Kind).index(known.kind), known.rank))


def list_readers(kind: Kind) -> list[Reader]:
    """All formats of a kind that can be read."""
    return [known for known in list_formats() if isinstance(known, Reader) and known.kind == kind]


def list_writers(kind: Kind) -> list[Writer]:
    """All formats of a kind that can be written."""
    return [known for known in list_formats() if isinstance(known, Writer) and known.kind == kind]


def list_suffixes(formats: Iterable[Format]) -> list[str]:
    """The suffixes of some formats, each once."""
    return list(dict.fromkeys(suffix for known in formats for suffix in known.suffixes))


def find_readers(path: Path, kind: Kind) -> list[Reader]:
    """Those whose suffix a file has."""
    return [reader for reader in list_readers(kind) if path.suffix.lower() in reader.suffixes]


def find_scene_reader(path: Path) -> Reader:
    """The reader of a scene file, by its suffix and, where several share that, by what is in it.

    Raises:
        InputError: it has a suffix that no reader has.
        ModelError: nothing in it tells which of several readers to take.
    """
    found = find_readers(path, "scene")
    sniffs = dict.fromkeys(reader.sniff for reader in found if reader.sniff and len(found) > 1)
    marks = {sniff: sniff(path) for sniff in sniffs}
    for reader in found:
        if len(found) == 1 or (reader.sniff and marks[reader.sniff].value == reader.mark):
            return reader
    if found:
        mark = next(iter(marks.values()))
        expected = " or ".join(sorted(f"'{reader.mark}' ({reader.name})" for reader in found))
        problem = Problem(mark.where, f"{mark.what} '{mark.value}'", expected, "Check that this is the right file.")
        raise ModelError(f"file '{path}'", [problem])
    if path.is_dir():
        raise InputError(f"'{path}' is a folder; expected a file. Name the file inside it.")
    suffix = path.suffix.lower()
    for reader in list_readers("scene"):
        if suffix in reader.advice:
            raise InputError(f"'{path}' {reader.advice[suffix]}")
    known = ", ".join(list_suffixes(list_readers("scene")))
    raise InputError(f"'{path}' ends in '{suffix}', which cannot be loaded. Files end in {known}.")


def find_writer(path: Path, kind: Literal["scene", "motion"]) -> Writer:
    """The writer of a file, by its suffix.

    Raises:
        InputError: it has a suffix that no writer has.
    """
    known = list_writers(kind)
    for writer in known:
        if path.suffix.lower() in writer.suffixes:
            return writer
    suffixes = list_suffixes(known)
    expected = {
        "scene": f"a scene is written as a {' or '.join(suffixes)} file",
        "motion": f"a motion can be exported to: {', '.join(suffixes)}",
    }
    raise InputError(f"'{path.name}' ends in '{path.suffix}'; {expected[kind]}")


# --- options ----------------------------------------------------------------------------------------------------------


def _make_option(function: Callable[..., Any], parameter: inspect.Parameter, text: str) -> Option:
    annotation: Any = parameter.annotation
    if isinstance(annotation, str):
        annotation = eval(annotation, getattr(function, "__globals__", {}))
    if get_origin(annotation) is Literal:
        return Option(parameter.name, str, parameter.default, text, get_args(annotation))
    either = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    known = [found for found in either if found in TYPES]
    if not known or parameter.default is parameter.empty:
        where = f"parameter '{parameter.name}' of {getattr(function, '__name__', function)}"
        raise InputError(
            f"{where} cannot be an option; expected a default and one of: bool, int, float, str, a Literal"
        )
    return Option(parameter.name, known[0], parameter.default, text)


def _find_helps(function: Callable[..., Any]) -> dict[str, str]:
    """What a docstring says of each argument."""
    section = (inspect.getdoc(function) or "").partition("Args:\n")[2].split("\n\n")[0]
    entries = re.findall(r"^    (\w+): *(.*(?:\n {5,}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}
