"""What acted when, on a lane: read off the switches that the take has kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from stringless.control.director import Director
from stringless.studio.messages import SpanInfo
from stringless.timeline.chunk import Event
from stringless.timeline.take import Take

BOUND = re.compile(r"(drag|center|turn|pose|pin|keyframes) (begins?|ends?)")
SWITCH = re.compile(r"\d+ coordinates (directed|left|passive)")


@dataclass
class _Heard:
    """Switches of a lane, as far as they were read."""

    events: list[Event] = field(default_factory=list)
    until: float = -1.0


class Spans:
    """Remembers the switches of each lane, so that only new ones are read."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._lanes: dict[int, _Heard] = {}

    def of(self, take: Take, lane: int | None, director: Director | None) -> list[SpanInfo]:
        """What acted on a lane; `director` tells what still does."""
        if lane is None or lane not in take.branches:
            return []
        end = take.end(lane)
        heard = self._lanes.setdefault(lane, _Heard())
        if end > heard.until:
            fresh = take.events(heard.until, None, lane)
            heard.events = [event for event in heard.events if event.time < heard.until] + [
                event for event in fresh if event.time >= heard.until
            ]
            heard.until = end
        return spans(heard.events, end, acting(director) if lane == take.current else set())


def acting(director: Director | None) -> set[str]:
    """Kinds of spans that go on."""
    if director is None:
        return set()
    found = {goal.kind for goal in director.goals}
    found |= {"keyframes"} if director.tracks else set()
    found |= {"directed"} if director.directed.any() else set()
    resting = any(not director.directed[actor.actuators].any() for actor in director.cast)
    return found | ({"passive"} if resting and not director.tracks else set())


def spans(events: list[Event], end: float, going_on: set[str]) -> list[SpanInfo]:
    """Spans from switches in order; what was never ended ends with the lane, unless it still goes on."""
    found: list[Any] = []
    since: dict[str, list[float]] = {}

    def close(kind: str, time: float | None) -> None:
        found.extend(SpanInfo(kind, start, time) for start in since.pop(kind, []))  # pyright: ignore[reportArgumentType]

    for time, what in events:
        bound, switch = BOUND.fullmatch(what), SWITCH.fullmatch(what)
        if bound:
            kind, way = bound.groups()
            if way.startswith("begin"):
                since.setdefault(kind, []).append(time)
            elif since.get(kind):
                found.append(SpanInfo(kind, since[kind].pop(0), time))  # pyright: ignore[reportArgumentType]
        elif switch:
            kind = switch[1]
            for other in {"directed", "passive"} - {kind}:
                close(other, time)
            if kind != "left":
                since.setdefault(kind, since.get(kind) or [time])
    for kind in list(since):
        close(kind, None if kind in going_on else end)
    return sorted((span for span in found if span.end is None or span.end > span.start), key=lambda span: span.start)
