"""Spans: what acted from when to when on a branch, found from the events that the take has recorded."""

from __future__ import annotations

import re
from typing import Any

from stringless.control.director import Director
from stringless.studio.messages import SpanInfo
from stringless.timeline.chunk import Event
from stringless.timeline.take import Take

BOUND = re.compile(r"(drag|center|turn|pose|pin|keyframes) (begins?|ends?)")
SWITCH = re.compile(r"\d+ coordinates (directed|left|passive)")


class Spans:
    """Remembers the events of each branch, so that only new ones are read."""

    def __init__(self) -> None:
        """Start without events."""
        self._read: dict[int, tuple[list[Event], float]] = {}  # of each branch, and up to which time

    def list_spans(self, take: Take, lane: int | None, director: Director | None) -> list[SpanInfo]:
        """What acted on a branch; `director` tells what still does."""
        if lane is None or lane not in take.lanes:
            return []
        end = take.end(lane)
        events, until = self._read.get(lane, ([], -1.0))
        if end > until:
            fresh = [event for event in take.events(until, None, lane) if event.time >= until]
            events = [event for event in events if event.time < until] + fresh
            self._read[lane] = events, end
        return find_spans(events, end, find_acting(director) if lane == take.current else set())


def find_acting(director: Director | None) -> set[str]:
    """Kinds of spans that still act."""
    if director is None:
        return set()
    found = {goal.kind for goal in director.goals}
    found |= {"keyframes"} if director.tracks else set()
    found |= {"directed"} if director.directed.any() else set()
    passive = any(not director.directed[actor.actuators].any() for actor in director.cast)
    return found | ({"passive"} if passive and not director.tracks else set())


def find_spans(events: list[Event], end: float, acting: set[str]) -> list[SpanInfo]:
    """Spans from events in order; a span without an end lasts to the end of the branch, unless it still acts."""
    found: list[Any] = []
    since: dict[Any, list[float]] = {}

    def close(kind: Any, time: float | None) -> None:
        found.extend(SpanInfo(kind, start, time) for start in since.pop(kind, []))

    for time, what in events:
        bound, switch = BOUND.fullmatch(what), SWITCH.fullmatch(what)
        if bound:
            kind, way = bound.groups()
            if way.startswith("begin"):
                since.setdefault(kind, []).append(time)
            elif since.get(kind):
                found.append(SpanInfo(kind, since[kind].pop(0), time))  # pyright: ignore[reportArgumentType]
        elif switch:
            for other in {"directed", "passive"} - {switch[1]}:
                close(other, time)
            if switch[1] != "left":
                since.setdefault(switch[1], since.get(switch[1]) or [time])
    for kind in list(since):
        close(kind, None if kind in acting else end)
    return sorted((span for span in found if span.end is None or span.end > span.start), key=lambda span: span.start)
