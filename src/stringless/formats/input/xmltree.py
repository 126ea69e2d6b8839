"""XML into a tree of elements that know their line, and attributes that know whether they were read.

A document type declaration is refused: it can make a small file grow without bound or pull in other files.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

from stringless.errors import ModelError, Problem
from stringless.formats.input.findings import HARMLESS, PHYSICS, UNKNOWN, Findings
from stringless.formats.input.source import LARGEST, UTF16_MARKS, Source, read_source, utf8_problem
from stringless.model.checks import suggest
from stringless.model.pose import Vector

MAX_DEPTH = 5000
"""Deepest nesting of elements."""
DECLARED_ENCODING = re.compile(rb"^\s*<\?xml[^>]*\bencoding\s*=")


@dataclass(eq=False)
class Element:
    """An XML element and where it stands. Text between elements is not kept: the formats read here have none."""

    tag: str
    attrib: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    line: int = 0
    file: str = ""
    """Name of the included file it comes from; empty for the main one."""
    findings: Findings = field(default_factory=Findings, repr=False)
    """Collects what is wrong with it."""

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    def get(self, key: str, default: str = "") -> str:
        """Return an attribute."""
        return self.attrib.get(key, default)

    def find(self, tag: str) -> Element | None:
        """Return the first child of this tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def findall(self, tag: str) -> list[Element]:
        """Return all children of this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self, tag: str = "") -> Iterator[Element]:
        """Go through this element and all below it, in the order of the file; only those of `tag`, if given."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            if not tag or element.tag == tag:
                yield element
            waiting.extend(reversed(element.children))

    @property
    def place(self) -> str:
        """Where it stands, for a message."""
        return f"line {self.line} of '{self.file}'" if self.file else f"line {self.line}"

    @property
    def label(self) -> str:
        """What to call it in a message: tag, name if it has one, and line."""
        name = self.get("name")
        return f"{self.tag} '{name}' ({self.place})" if name else f"{self.tag} ({self.place})"

    @property
    def attributes(self) -> Attributes:
        """Its attributes as they stand, none of them read."""
        return Attributes(self.attrib, self.label, self.findings, place=self.place)

    def error(self, found: str, expected: str, remedy: str = "") -> None:
        """Note that it makes the file unusable."""
        self.findings.error(self.label, found, expected, remedy)

    def unused(self, what: str, remedy: str = HARMLESS, **more: str) -> None:
        """Note that `what` is left out."""
        self.findings.unused(what, self.label, remedy, **more)


def is_xml_text(text: str) -> bool:
    """Whether a string is XML itself rather than the name of a file."""
    return text.lstrip("\ufeff \t\r\n").startswith("<") or not text.strip()


def read_root(
    path_or_text: str | os.PathLike[str],
    tag: str,
    name: str,
    findings: Findings,
    remedies: Mapping[str, str] | None = None,
) -> tuple[Source, Element]:
    """Read a file, or a text, of format `name`, whose root element is a `tag`; `remedies` are for other root elements.

    Raises:
        InputError: the file cannot be opened.
        ModelError: it is not XML, or has another root element.
    """
    source = read_source(path_or_text, is_xml_text)
    root = parse_xml(source, findings)
    if root.tag != tag:
        found, remedy = f"root element '{root.tag}'", (remedies or {}).get(root.tag, "")
        findings.error(root.place, found, f"'{tag}', as in every {name} file", remedy)
        raise findings.stop(source.subject)
    return source, root


def parse_xml(source: Source, findings: Findings, file: str = "") -> Element:
    """Parse a source into its root element, whose elements report to `findings`.

    Raises:
        ModelError: it is not well-formed XML, not UTF-8, nested too deeply or has a document type declaration.
    """
    data = source.data.lstrip() if source.data[:1].isspace() else source.data
    declared = source.path is not None and (DECLARED_ENCODING.match(data) or data.startswith(UTF16_MARKS))
    problem = None if declared else utf8_problem(data)
    if problem:
        raise ModelError(source.subject, [problem])
    parser = expat.ParserCreate(None if declared else "utf-8")
    skipped = source.data[: len(source.data) - len(data)].count(b"\n")
    handler = _Handler(parser, source.subject, file, skipped, findings)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        where = f"line {error.lineno + skipped}, column {error.offset + 1}"
        found = f"broken XML ({expat.ErrorString(error.code)})"
        problem = Problem(where, found, "well-formed XML", "Mend the file at or just before this place.")
        raise ModelError(source.subject, [problem]) from None
    return handler.root


class _Handler:
    """Build elements as the parser meets them."""

    def __init__(self, parser: Any, subject: str, file: str, skipped: int, findings: Findings) -> None:
        self._parser, self._subject, self._file, self._skipped = parser, subject, file, skipped
        self._findings = findings
        self._open: list[Element] = []
        self.root = Element("")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = lambda tag: self._open.pop()
        parser.StartDoctypeDeclHandler = self._refuse_doctype

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber + self._skipped
        element = Element(tag, attributes, line=line, file=self._file, findings=self._findings)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        if len(self._open) > MAX_DEPTH:
            self._refuse(element.place, f"more than {MAX_DEPTH} elements inside each other", "less nesting")

    def _refuse_doctype(self, *_: object) -> None:
        where = f"line {self._parser.CurrentLineNumber + self._skipped}"
        found = "a document type declaration (DOCTYPE), which may hold entities"
        self._refuse(where, found, "plain XML", "Remove the declaration and write out its entities.")

    def _refuse(self, where: str, found: str, expected: str, remedy: str = "") -> NoReturn:
        raise ModelError(self._subject, [Problem(where, found, expected, remedy)])


class Attributes:
    """The attributes of one element: each is converted and checked when read, and the unread are reported."""

    def __init__(self, values: Mapping[str, str], where: str, findings: Findings, *, place: str = "") -> None:
        """Read `values` of the element called `where`; `place` is the short form for aggregated warnings."""
        self.values, self.where, self.place, self.findings = values, where, place or where, findings
        self._read: set[str] = set()

    def error(self, found: str, expected: str, remedy: str = "") -> None:
        """Note that they make the file unusable."""
        self.findings.error(self.where, found, expected, remedy)

    def warn(self, found: str, expected: str, remedy: str = "") -> None:
        """Note that they are read differently from what they may mean."""
        self.findings.warn(self.where, found, expected, remedy)

    def unused(self, what: str, remedy: str = HARMLESS, **more: str) -> None:
        """Note that `what` is left out."""
        self.findings.unused(what, self.where, remedy, **more)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str, default: str = "") -> str:
        """Return the attribute as it is written."""
        self._read.add(key)
        return self.values.get(key, default)

    def required(self, key: str) -> str:
        """Return an attribute that must be there."""
        value = self.text(key)
        if not value:
            self.error(f"no {key}", f'an attribute {key}="..."')
        return value

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        """Return one of several words."""
        value = self.text(key, default)
        if value not in choices:
            expected = "one of " + ", ".join(f"'{choice}'" for choice in choices)
            self.error(f"{key} '{value}'", expected, suggest(value, choices))
            return default
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return self.choice(key, ("true", "false"), "true" if default else "false") == "true"

    def number(self, key: str, default: float, *, infinite: bool = False) -> float:
        """Return one number."""
        return self.numbers(key, 1, (default,), infinite=infinite)[0]

    def required_number(self, key: str) -> float:
        """Return a number that must be there; 0 if it is not."""
        return self.number(key, 0.0) if self.required(key) else 0.0

    def numbers(
        self, key: str, count: int, default: Vector, *, least: int | None = None, infinite: bool = False
    ) -> Vector:
        """Return `count` numbers, or at least `least` of them; `default` if the attribute is absent or wrong.

        Only where `infinite` says so may they be infinite, or larger than anything in a scene.
        """
        text = self.text(key)
        if key not in self.values:
            return default
        least = count if least is None else least
        words = text.split()
        expected = f"{count}" if least == count else f"{least} to {count}"
        expected += " number" if expected == "1" else " numbers"
        try:
            values = tuple(_number(word) for word in words)
        except ValueError as error:
            remedy = "Separate the numbers by spaces." if "," in text else ""
            self.error(f"{key}=\"{_short(text)}\" with '{error}' in it", expected, remedy)
            return default
        if not least <= len(values) <= count:
            self.error(f'{key}="{_short(text)}", {len(values)} numbers', expected)
            return default
        if any(math.isnan(value) or (abs(value) > LARGEST and not infinite) for value in values):
            self.error(f'{key}="{_short(text)}"', f"{expected} of at most {LARGEST:g}")
            return default
        return values

    def ignore(self, *keys: str) -> None:
        """Count `keys` as read: they carry nothing that could be lost."""
        self._read.update(keys)

    def report_unread(self, tag: str, physics: Collection[str] = ()) -> None:
        """Report every attribute that was not read; those named in `physics` change the motion."""
        for key in self.values:
            if key not in self._read:
                remedy = PHYSICS if key in physics else UNKNOWN
                self.findings.unused(f"attribute '{key}' of '{tag}'", self.place, remedy)


def _number(word: str) -> float:
    if "_" in word:
        raise ValueError(_short(word))
    try:
        return float(word)
    except ValueError:
        raise ValueError(_short(word)) from None


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."
