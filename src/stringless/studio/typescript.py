"""The page's types, written from the messages and frames of the studio.

`python -m stringless.studio.typescript` writes the files of `page/src/wire/messages`; a test fails when one differs from what
would be written. Files, names, comments and order are those of Python, so the two can be read side by side.
"""

from __future__ import annotations

import ast
import inspect
import re
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, get_args

from msgspec.structs import fields

from stringless.studio import frames, messages
from stringless.studio.messages import asking, basic, document, editing, scene, status, telling

TARGET = Path(__file__).parents[3] / "page" / "src" / "wire" / "messages"
HEAD = "// Written by `python -m stringless.studio.typescript` from {source} of the studio. Do not edit.\n\n"
PARTS = (basic, asking, scene, document, status, editing, telling)
PLAIN = {
    "bool": "boolean", "int": "number", "float": "number", "str": "string", "bytes": "Uint8Array", "Any": "unknown",
    "Number": "number", "Name": "string",
}  # fmt: skip
UNTYPED = {*PLAIN, "__all__"}
"""Assigned names that the page has no type for."""
GROUPS = {"MESSAGE": "FIRST_BYTE", "LIVE": "FLAG", "AHEAD": "ROLE"}
"""Names that the page has for the constants of `frames`, by the first of each line."""
FRAME_FIELDS = (
    "kind", "version", "flags", "sequence", "epoch", "input", "time", "wait", "real_time", "kinetic", "potential",
    "bodies", "nodes", "contacts", "goals", "flagged", "effort", "moving", "placed",
)  # fmt: skip
"""Of the header of a frame, in order; from `bodies` on they are counts."""
GHOSTS_FIELDS = ("kind", "version", "role", "epoch", "count", "bodies", "nodes", "reserved")


class Documented(NamedTuple):
    """A statement and the string that stands below it."""

    node: ast.stmt
    text: str


def typescript() -> dict[str, str]:
    """All files, by their names."""
    files = {_name(part): _file(f"messages/{_name(part)}.py", _declarations(part), part) for part in PARTS}
    files["frames"] = _file("frames.py", _constants())
    exported = "".join(f'export * from "./{name}";\n' for name in files)
    files["index"] = _file("messages/__init__.py", [exported, *_declarations(messages)], messages)
    return {f"{name}.ts": text for name, text in files.items()}


def _name(part: ModuleType) -> str:
    return part.__name__.rpartition(".")[2]


def _file(source: str, texts: Iterable[str], part: ModuleType | None = None) -> str:
    """A file with what it needs of others."""
    inside = "\n".join(texts)
    imports = ""
    for other in PARTS:
        types = [name for name in _declared(other) if other is not part and re.search(rf"\b{name}\b", _code(inside))]
        if types:
            imports += f'import type {{ {", ".join(sorted(types))} }} from "./{_name(other)}";\n'
    return HEAD.format(source=source) + imports + ("\n" if imports else "") + inside


def _code(text: str) -> str:
    return re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)


def _declared(part: ModuleType) -> list[str]:
    """Types that a file declares."""
    return re.findall(r"^export (?:interface|type) (\w+)", "\n".join(_declarations(part)), re.MULTILINE)


def _constants() -> Iterator[str]:
    """Numbers that both sides must agree on, and where the parts of a header are."""
    for node, text in _documented(_body(frames)):
        if _assigned(node) == ["GOAL"]:
            yield f"{_comment(text)}export const GOAL = {frames.GOAL};\n"
        if (names := _assigned(node)) and names[0] in GROUPS:
            yield _comment(text) + _table(GROUPS[names[0]], {name: getattr(frames, name) for name in names})
    yield "/** Bytes of a frame's header, and where each part of it begins. */\n" + _header(
        frames.HEADER, "FRAME", FRAME_FIELDS
    )
    yield "/** The same of ghosts. */\n" + _header(frames.GHOSTS_HEADER, "GHOSTS", GHOSTS_FIELDS)


def _header(layout: struct.Struct, name: str, parts: tuple[str, ...]) -> str:
    return _table(f"{name}_HEADER", {"size": layout.size, **dict(zip(parts, _offsets(layout), strict=True))})


def _table(name: str, values: dict[str, int]) -> str:
    inside = "".join(f"  {key}: {value},\n" for key, value in values.items())
    return f"export const {name} = {{\n{inside}}} as const;\n"


def _offsets(layout: struct.Struct) -> list[int]:
    """Where each number of a packed header begins."""
    order, kinds = layout.format[0], layout.format[1:]
    return [struct.calcsize(order + kinds[:count]) for count in range(len(kinds))]


def _declarations(part: ModuleType) -> Iterator[str]:
    """Types in the order of the Python file, and the version."""
    said_by_page = {kind.__name__ for kind in get_args(messages.FromPage)}
    for node, text in _documented(_body(part)):
        if isinstance(node, ast.ClassDef) and node.name != "Message":
            yield _interface(node, optional=node.name in said_by_page)
        elif _assigned(node) == ["VERSION"]:
            yield f"{_comment(text)}export const VERSION = {messages.VERSION};\n"
        elif isinstance(node, ast.Assign) and (name := _assigned(node)[0]) not in UNTYPED:
            yield f"{_comment(text)}export type {name} = {_type(node.value)};\n"


def _interface(node: ast.ClassDef, *, optional: bool) -> str:
    """A struct. What has a default may be left out by a page; the studio leaves nothing out."""
    kind = getattr(messages, node.name)
    required = {field.name: field.required for field in fields(kind)}
    lines = [f"{_comment(ast.get_docstring(node) or '')}export interface {node.name} {{"]
    if (tag := kind.__struct_config__.tag) is not None:
        lines.append(f'  {kind.__struct_config__.tag_field}: "{tag}";')
    for part, text in _documented(node.body):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            name = part.target.id
            mark = "?" if optional and not required[name] else ""
            lines.append(f"{_comment(text, '  ')}  {name}{mark}: {_type(part.annotation)};")
    return "\n".join([*lines, "}\n"])


def _type(node: ast.expr) -> str:
    """An annotation in TypeScript."""
    match node:
        case ast.Name(id=name):
            return PLAIN.get(name, name)
        case ast.Constant(value=value):
            return "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_type(left)} | {_type(right)}"
        case ast.Subscript(value=ast.Name(id=outer), slice=inner):
            return _generic(outer, inner.elts if isinstance(inner, ast.Tuple) else [inner])
        case _:
            raise TypeError(f"no TypeScript for '{ast.unparse(node)}'; expected one of the types of messages.py")


def _generic(outer: str, inner: list[ast.expr]) -> str:
    match outer:
        case "Annotated":
            return _type(inner[0])
        case "Literal":
            return " | ".join(_type(value) for value in inner)
        case "list":
            inside = _type(inner[0])
            return f"({inside})[]" if "|" in inside else f"{inside}[]"
        case "tuple":
            return f"[{', '.join(_type(value) for value in inner)}]"
        case "dict":
            return f"Record<{_type(inner[0])}, {_type(inner[1])}>"
        case _:
            raise TypeError(f"no TypeScript for '{outer}[...]'; expected Annotated, Literal, list, tuple or dict")


def _documented(body: list[ast.stmt]) -> Iterator[Documented]:
    """Statements with the strings below them, as Python files document fields and constants."""
    for at, node in enumerate(body):
        below = body[at + 1] if at + 1 < len(body) else None
        text = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
        if not isinstance(node, ast.Expr):
            yield Documented(node, str(text))


def _assigned(node: ast.stmt) -> list[str]:
    """Names that an assignment gives values to; empty if it is none."""
    if not isinstance(node, ast.Assign):
        return []
    target = node.targets[0]
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def _body(module: ModuleType) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(module)).body


def _comment(text: str, indent: str = "") -> str:
    """A comment for editors to show, or nothing."""
    lines = [line.strip() for line in text.strip().replace("None", "null").splitlines()]
    if not lines:
        return ""
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */", ""])


def main() -> None:
    """Write the files, at their place or in the folder that the first argument names."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.mkdir(parents=True, exist_ok=True)
    for name, text in typescript().items():
        (target / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
