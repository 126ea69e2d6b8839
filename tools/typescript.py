"""The page's types, generated from the messages and frames of the studio.

`python tools/typescript.py` writes the files of `page/src/wire/messages`; a test fails when one differs from what
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
from stringless.studio.messages import basic, document, editing, replies, requests, scene, status

TARGET = Path(__file__).parents[1] / "page" / "src" / "wire" / "messages"
HEAD = "// Written by `python tools/typescript.py` from {source} of the studio. Do not edit.\n\n"
PARTS = (basic, requests, scene, document, status, editing, replies)
PLAIN = {
    "bool": "boolean",
    "int": "number",
    "float": "number",
    "str": "string",
    "bytes": "Uint8Array",
    "Any": "unknown",
    "Number": "number",
    "Name": "string",
}
UNTYPED = {*PLAIN, "__all__"}
"""Names without a type of their own in the page."""
GROUPS = {"MESSAGE": "FIRST_BYTE", "LIVE": "FLAG", "AHEAD": "ROLE"}
"""Names of groups of constants of `frames`, by the first of each group."""
FRAME_FIELDS = (
    "kind",
    "version",
    "flags",
    "sequence",
    "epoch",
    "input",
    "time",
    "wait",
    "real_time",
    "kinetic",
    "potential",
    "bodies",
    "nodes",
    "contacts",
    "goals",
    "flagged",
    "effort",
    "moving",
    "placed",
)
"""Of the header of a frame, in order; from `bodies` on they are counts."""
GHOSTS_FIELDS = ("kind", "version", "role", "epoch", "count", "bodies", "nodes", "reserved")


class Documented(NamedTuple):
    """A statement and the string below it."""

    node: ast.stmt
    text: str


def generate_files() -> dict[str, str]:
    """All files by their names."""
    files = {
        _find_name(part): _make_file(f"messages/{_find_name(part)}.py", _list_declarations(part), part)
        for part in PARTS
    }
    files["frames"] = _make_file("frames.py", _list_constants())
    exported = "".join(f'export * from "./{name}";\n' for name in files)
    files["index"] = _make_file("messages/__init__.py", [exported, *_list_declarations(messages)], messages)
    return {f"{name}.ts": text for name, text in files.items()}


def _find_name(part: ModuleType) -> str:
    return part.__name__.rpartition(".")[2]


def _make_file(source: str, texts: Iterable[str], part: ModuleType | None = None) -> str:
    """A file with its imports."""
    inside = "\n".join(texts)
    words = set(re.findall(r"\w+", re.sub(r"/\*\*.*?\*/", "", inside, flags=re.DOTALL)))
    imports = ""
    for other in PARTS:
        declared = re.findall(r"^export (?:interface|type) (\w+)", "\n".join(_list_declarations(other)), re.MULTILINE)
        types = [name for name in declared if name in words]
        if types and other is not part:
            imports += f'import type {{ {", ".join(sorted(types))} }} from "./{_find_name(other)}";\n'
    return HEAD.format(source=source) + imports + ("\n" if imports else "") + inside


def _list_constants() -> Iterator[str]:
    """Constants of frames, and offsets of the parts of a header."""
    for node, text in _list_statements(_parse(frames)):
        if _list_targets(node) == ["GOAL"]:
            yield f"{_make_comment(text)}export const GOAL = {frames.GOAL};\n"
        if (names := _list_targets(node)) and names[0] in GROUPS:
            yield _make_comment(text) + _make_table(GROUPS[names[0]], {name: getattr(frames, name) for name in names})
    yield "/** Bytes of a frame's header, and where each part of it begins. */\n" + _make_header(
        frames.HEADER, "FRAME", FRAME_FIELDS
    )
    yield "/** The same of ghosts. */\n" + _make_header(frames.GHOSTS_HEADER, "GHOSTS", GHOSTS_FIELDS)


def _make_header(layout: struct.Struct, name: str, parts: tuple[str, ...]) -> str:
    return _make_table(f"{name}_HEADER", {"size": layout.size, **dict(zip(parts, find_offsets(layout), strict=True))})


def _make_table(name: str, values: dict[str, int]) -> str:
    inside = "".join(f"  {key}: {value},\n" for key, value in values.items())
    return f"export const {name} = {{\n{inside}}} as const;\n"


def find_offsets(layout: struct.Struct) -> list[int]:
    """Offset of each number of a packed header."""
    order, kinds = layout.format[0], layout.format[1:]
    return [struct.calcsize(order + kinds[:count]) for count in range(len(kinds))]


def _list_declarations(part: ModuleType) -> Iterator[str]:
    """Types in the order of the Python file, and the version."""
    from_page = {kind.__name__ for kind in get_args(messages.FromPage)}
    for node, text in _list_statements(_parse(part)):
        if isinstance(node, ast.ClassDef) and node.name != "Message":
            yield _make_interface(node, optional=node.name in from_page)
        elif _list_targets(node) == ["VERSION"]:
            yield f"{_make_comment(text)}export const VERSION = {messages.VERSION};\n"
        elif isinstance(node, ast.Assign) and (name := _list_targets(node)[0]) not in UNTYPED:
            yield f"{_make_comment(text)}export type {name} = {_translate(node.value)};\n"


def _make_interface(node: ast.ClassDef, *, optional: bool) -> str:
    """A struct. A page may leave out fields with defaults; the studio leaves out nothing."""
    kind = getattr(messages, node.name)
    known = {field.name: field for field in fields(kind)}
    lines = [f"{_make_comment(ast.get_docstring(node) or '')}export interface {node.name} {{"]
    if (tag := kind.__struct_config__.tag) is not None:
        lines.append(f'  {kind.__struct_config__.tag_field}: "{tag}";')
    for part, text in _list_statements(node.body):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            field = known[part.target.id]
            mark = "?" if optional and not field.required else ""
            lines.append(f"{_make_comment(text, '  ')}  {field.encode_name}{mark}: {_translate(part.annotation)};")
    return "\n".join([*lines, "}\n"])


def _translate(node: ast.expr) -> str:
    """An annotation in TypeScript."""
    match node:
        case ast.Name(id=name):
            return PLAIN.get(name, name)
        case ast.Constant(value=value):
            return "null" if value is None else f'"{value}"' if isinstance(value, str) else str(value)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_translate(left)} | {_translate(right)}"
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, *_])):
            return _translate(kind)
        case ast.Subscript(value=ast.Name(id=outer), slice=inner):
            parts = [_translate(part) for part in (inner.elts if isinstance(inner, ast.Tuple) else [inner])]
            item = f"({parts[0]})" if "|" in parts[0] else parts[0]
            texts = {"Literal": " | ".join(parts), "list": f"{item}[]", "tuple": f"[{', '.join(parts)}]"}
            return f"Record<{', '.join(parts)}>" if outer == "dict" else texts[outer]
        case _:
            raise TypeError(f"no TypeScript for '{ast.unparse(node)}'; expected one of the types of the messages")


def _list_statements(body: list[ast.stmt]) -> Iterator[Documented]:
    """Statements with the strings below them, as Python files document fields and constants."""
    for at, node in enumerate(body):
        below = body[at + 1] if at + 1 < len(body) else None
        text = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
        if not isinstance(node, ast.Expr):
            yield Documented(node, str(text))


def _list_targets(node: ast.stmt) -> list[str]:
    """Targets of an assignment; empty for other statements."""
    if not isinstance(node, ast.Assign):
        return []
    target = node.targets[0]
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def _parse(module: ModuleType) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(module)).body


def _make_comment(text: str, indent: str = "") -> str:
    """A comment for editors to show, if there is a text."""
    lines = [line.strip() for line in text.strip().replace("None", "null").splitlines()]
    if not lines:
        return ""
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */", ""])


def main() -> None:
    """Write the files to their folder, or to the one that the first argument names."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.mkdir(parents=True, exist_ok=True)
    for name, text in generate_files().items():
        (target / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
