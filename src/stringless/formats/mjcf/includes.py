"""Putting `include` files in the place of the elements that name them."""

import dataclasses
from pathlib import Path

from stringless.errors import InputError, ModelError
from stringless.formats.input.source import Source, read_source
from stringless.formats.input.xmltree import Element, parse_xml

MAX_FILES = 500
"""How many files a model may consist of."""
ROOTS = ("mujoco", "mujocoinclude")


def expand_includes(root: Element, source: Source) -> None:
    """Replace every `include` below `root` by the content of its file."""
    _Includer(source).expand(root)


class _Includer:
    def __init__(self, source: Source) -> None:
        self._main = source.folder
        self._count = 0
        self._seen: set[Path] = {source.path.resolve()} if source.path else set()

    def expand(self, root: Element) -> None:
        waiting: list[tuple[Element, Path | None]] = [(root, self._main)]
        while waiting:
            parent, folder = waiting.pop()
            children = self._children(parent, folder)
            parent.children = [child for child, _ in children]
            waiting.extend(children)

    def _children(self, parent: Element, folder: Path | None) -> list[tuple[Element, Path | None]]:
        """Children of `parent` with included ones in place, each with the folder its own includes start from."""
        children = []
        waiting = [(child, folder) for child in reversed(parent.children)]
        while waiting:
            child, inner = waiting.pop()
            if child.tag != "include":
                children.append((child, inner))
                continue
            path = self._find(child, inner)
            included = self._parse(child, path) if path else None
            if path and included is not None:
                waiting.extend((below, path.parent) for below in reversed(included.children))
        return children

    def _find(self, element: Element, folder: Path | None) -> Path | None:
        """The file an include names, beside the including file or beside the main one."""
        name = element.get("file", "")
        if not name:
            element.error("no file", 'an attribute file="..."')
            return None
        if self._main is None and not Path(name).is_absolute():
            remedy = "Save the text in a file beside the included one."
            element.error(f"file '{name}' in a text that has no folder", "a file", remedy)
            return None
        bases = [base for base in (folder, self._main) if base is not None] or [Path()]
        path = next((base / name for base in bases if (base / name).is_file()), None)
        if path is None:
            element.error(f"file '{name}', which is not in '{bases[0]}'", "an existing file")
            return None
        if path.resolve() in self._seen:
            remedy = "Remove this include, or the circle of files that leads here."
            element.error(f"file '{name}', which is included already", "each file once", remedy)
            return None
        self._seen.add(path.resolve())
        self._count += 1
        if self._count > MAX_FILES:
            element.error(f"more than {MAX_FILES} included files", "fewer")
            return None
        return path

    def _parse(self, element: Element, path: Path) -> Element | None:
        try:
            root = parse_xml(read_source(path, lambda _: False), element.findings, path.name)
        except ModelError as error:
            for problem in error.problems:
                where = f"included file '{path}', {problem.where}"
                element.findings.extend([dataclasses.replace(problem, where=where)])
            return None
        except InputError as error:
            element.error(str(error), "a readable file")
            return None
        if root.tag not in ROOTS:
            element.findings.error(root.place, f"root element '{root.tag}'", "'mujoco' or 'mujocoinclude'")
            return None
        return root
