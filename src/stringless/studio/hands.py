"""Hands that hold on to the character: each is a goal, and what they do together is one step of undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stringless.errors import InputError, StringlessError
from stringless.studio.mailbox import Letter
from stringless.studio.messages import Grab, Move

if TYPE_CHECKING:
    from stringless.studio.desk import Desk

PEN = 12.0
"""How firmly a hand pulls where it pulls by a spring, as a haptic pen does [1/s]."""
SAID = ("kind", "bone", "point", "target", "orientation", "character")
"""What a grab says by itself."""
BEGUN = "goals of hands"
"""Where a project file lists the goals that hands have begun."""
Pointer = tuple[int, int]
"""A page, and which of its hands."""


@dataclass
class Hand:
    """A hand and the goal that it holds."""

    goal: int
    turns: bool
    """Whether it holds an orientation and nothing else."""


class Hands:
    """All hands of all pages."""

    def __init__(self, desk: Desk) -> None:
        """Nobody holds anything."""
        self.desk = desk
        self._hands: dict[Pointer, Hand] = {}
        self._moves: dict[Pointer, Letter] = {}
        self._scrubbing: set[int] = set()
        """Pages that hold a control, such as a slider."""
        self.in_gesture = False
        self._begun: set[int] = set(desk.project.store.get(BEGUN) or ())
        """Goals that are there only while a hand holds them."""

    @property
    def goals(self) -> set[int]:
        """Numbers of the goals that are held."""
        return {hand.goal for hand in self._hands.values()}

    def __bool__(self) -> bool:
        """Whether anybody holds anything."""
        return bool(self._hands)

    def grab(self, page: int, grab: Grab) -> int:
        """Take hold; the number of the goal. The simulation goes on from what is looked at."""
        pointer = (page, grab.pointer)
        if pointer in self._hands:
            raise InputError(f"hand {grab.pointer} holds something already; let go first")
        with self.desk.where_looked(live=True) as project:
            arguments = goal_of(grab)
            if project.sim.config.engine == "stiff" and grab.kind != "turn":
                arguments.setdefault("firmness", PEN)
            begun = not self.in_gesture
            if begun:
                what = grab.bone if grab.kind == "drag" else f"of {grab.bone}" if grab.bone else ""
                project.journal.begin_gesture(f"{grab.kind} {what}".strip())
            try:
                goal = project.do("goal", kind=grab.kind, **arguments)
            except BaseException:
                if begun:
                    project.journal.end_gesture()
                raise
        self.in_gesture = True
        self._hands[pointer] = Hand(goal, grab.kind == "turn")
        self._note(self._begun | {goal})
        return goal

    def move(self, letter: Letter) -> None:
        """Move a hand; takes effect at the next tick, and only the newest does."""
        self._moves[letter.page, letter.message.pointer] = letter

    def carry_out(self) -> list[tuple[Letter, str]]:
        """Move the goals to where the hands are; the moves that were carried out, and why if one was not."""
        done: list[tuple[Letter, str]] = []
        moves, self._moves = self._moves, {}
        for pointer, letter in moves.items():
            hand = self._hands.get(pointer)
            if hand is None:
                continue
            move: Move = letter.message
            try:
                self._carry(hand, move)
                done.append((letter, ""))
            except StringlessError as error:
                done.append((letter, str(error)))
        return done

    def _carry(self, hand: Hand, move: Move) -> None:
        arguments: dict[str, Any] = {}
        if move.target is not None and not hand.turns:
            arguments["target"] = move.target
        if move.orientation is not None:
            arguments["orientation"] = move.orientation
        if arguments:
            self.desk.project.do("move_goal", goal=hand.goal, **arguments)

    def release(self, page: int, pointer: int, keep: bool = False) -> None:
        """Let go, and of the goal too unless it shall stay."""
        hand = self._hands.get((page, pointer))
        if hand is None:
            raise InputError(f"hand {pointer} holds nothing")
        self.carry_out()  # what was moved before letting go counts
        del self._hands[page, pointer]
        if keep:
            self._note(self._begun - {hand.goal})
        if not keep and self._is_there(hand):
            self.desk.project.do("release_goal", goal=hand.goal)
        self._end_gesture()

    def begin_gesture(self, page: int, label: str) -> None:
        """A page takes hold of a control: what is done until it lets go is one step of undo, and so is what hands do."""
        if not self.in_gesture:
            self.desk.project.journal.begin_gesture(label)
        self.in_gesture = True
        self._scrubbing.add(page)

    def end_gesture(self, page: int) -> None:
        """A page lets its control go."""
        self._scrubbing.discard(page)
        self._end_gesture()

    def leave(self, page: int) -> None:
        """A page has gone, and its hands with it."""
        self.end_gesture(page)
        for owner, pointer in list(self._hands):
            if owner == page:
                self.release(owner, pointer)

    def drop(self) -> None:
        """Let everything go: something else is about to happen."""
        self._scrubbing.clear()
        self._end_gesture()
        for page, pointer in list(self._hands):
            self.release(page, pointer)

    def open_left(self) -> None:
        """Let go of what hands held at a moment on record: who goes on from there has hands of his own."""
        sim = self.desk.project.sim
        for goal in list(sim.director.goals) if sim.has_director else []:
            if goal.id in self._begun - self.goals:
                self.desk.project.do("release_goal", goal=goal.id)

    def _note(self, goals: set[int]) -> None:
        self._begun = goals
        self.desk.project.store.set(BEGUN, sorted(goals))

    def forget_gone(self) -> None:
        """Open hands whose goal is no more."""
        for pointer, hand in list(self._hands.items()):
            if not self._is_there(hand):
                del self._hands[pointer]
        self._end_gesture()

    def _is_there(self, hand: Hand) -> bool:
        sim = self.desk.project.sim
        return sim.has_director and any(goal.id == hand.goal for goal in sim.director.goals)

    def _end_gesture(self) -> None:
        if self.in_gesture and not self._hands and not self._scrubbing:
            self.in_gesture = False
            self.desk.project.journal.end_gesture()


def goal_of(grab: Grab) -> dict[str, Any]:
    """Arguments of the goal that a hand begins."""
    arguments = dict(grab.options)
    for name in SAID:
        if name in arguments:
            raise InputError(f"'{name}' is no option of a grab; say it in the grab itself")
    if grab.kind == "turn" and grab.orientation is None:
        raise InputError("to turn a character an orientation is needed; give one as x, y, z, w")
    if grab.kind == "drag":
        arguments |= {"bone": grab.bone, "point": grab.point}
    elif grab.bone:
        arguments["character"] = grab.bone
    if grab.target is not None and grab.kind != "turn":
        arguments["target"] = grab.target
    if grab.orientation is not None and grab.kind != "center":
        arguments["orientation"] = grab.orientation
    return arguments
