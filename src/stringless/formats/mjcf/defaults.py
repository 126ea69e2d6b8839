"""Default classes: attributes that elements inherit from the class they name."""

from collections.abc import Iterable

from stringless.formats.input.xmltree import Attributes, Element
from stringless.model.checks import suggest

MAIN = "main"
ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "orientation"),
    *("pid", "damper", "cylinder", "muscle", "adhesion", "dcmotor"),
)
"""All kinds of actuator; they share one set of defaults, as in MuJoCo."""

Settings = dict[str, dict[str, str]]


class Defaults:
    """The default classes of a file."""

    def __init__(self, elements: Iterable[Element]) -> None:
        """Read all top-level `default` elements."""
        self._classes: dict[str, Settings] = {MAIN: {}}
        for element in elements:
            if element.get("class", MAIN) != MAIN:
                expected = "no class, or 'main', on the outermost default"
                element.error(f"class '{element.get('class')}'", expected, "Nest it in a <default>.")
            self._read(element)

    def _read(self, top: Element) -> None:
        self._update(MAIN, top)
        waiting = [(child, MAIN) for child in top if child.tag == "default"]
        while waiting:
            element, parent = waiting.pop(0)
            name = element.get("class", "")
            if not name:
                element.error("no class", 'an attribute class="..." on a nested default')
            elif name in self._classes:
                element.error(f"class '{name}' a second time", "each class once")
            self._classes[name] = {tag: dict(values) for tag, values in self._classes[parent].items()}
            self._update(name, element)
            waiting.extend((child, name) for child in element if child.tag == "default")

    def _update(self, name: str, element: Element) -> None:
        settings = self._classes[name]
        for child in element:
            if child.tag != "default":
                own = settings.setdefault(_kind(child.tag), {})
                settings[_kind(child.tag)] = _overlaid(own, child.attrib)

    def attributes(self, element: Element, inherited: str = "") -> Attributes:
        """Attributes of an element on top of its class, or of the class that its body hands down."""
        name = element.get("class") or inherited or MAIN
        settings = self.settings(name, element)
        values = _overlaid(settings.get(_kind(element.tag), {}), element.attrib)
        attributes = Attributes(values, element.label, element.findings, place=element.place)
        attributes.ignore("class", "name")
        return attributes

    def settings(self, name: str, element: Element) -> Settings:
        """The settings of one class; an unknown one is an error of `element`."""
        if name not in self._classes:
            element.error(f"class '{name}'", "a default class", suggest(name, self._classes))
            self._classes[name] = self._classes[MAIN]  # told once
        return self._classes[name]


def _kind(tag: str) -> str:
    return "general" if tag in ACTUATORS else tag


def _overlaid(under: dict[str, str], over: dict[str, str]) -> dict[str, str]:
    """Put `over` on top of `under`; any way to give an orientation replaces every other way."""
    if any(key in over for key in ORIENTATIONS):
        under = {key: value for key, value in under.items() if key not in ORIENTATIONS}
    return {**under, **over}
