"""What readers share: the bytes of a file, trees of XML, findings, turns of axes, the last steps to a scene."""

from pathlib import Path

from stringless.formats.registry import Mark


def find_root(path: Path) -> Mark:
    """The root element of an XML file.

    Raises:
        InputError: the file cannot be opened.
        ModelError: it is not XML.
    """
    from stringless.formats.input.findings import Findings
    from stringless.formats.input.source import read_source
    from stringless.formats.input.xmltree import parse_xml

    root = parse_xml(read_source(path, lambda _: False), Findings())
    return Mark(root.place, "root element", root.tag)
