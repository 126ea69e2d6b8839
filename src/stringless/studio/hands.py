"""Hands of pages: a hand is a pointer that holds something. Hands that hold a character are goals, together one step of undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from stringless.control.data_keys import find_key
from stringless.control.goals import find_goal_type, list_goal_types
from stringless.engines import Feature
from stringless.errors import InputError, StringlessError
from stringless.studio.message_queue import QueuedMessage
from stringless.studio.messages import Grab, Move

if TYPE_CHECKING:
    from stringless.studio.session_state import SessionState

PEN = 12.0
"""Stiffness of a hand that pulls by a spring, as that of a haptic pen [1/s]."""
FIELDS = ("kind", "bone", "point", "target", "orientation", "character")
"""Arguments of a goal that are no options of a grab."""
BEGUN = "goals of hands"
"""Where a project file lists the goals that hands have begun."""
Pointer = tuple[int, int]
"""A page, and one of its pointers."""
Held = TypeVar("Held")


class Holdable(Generic[Held]):
    """Something that hands hold: a character, a pose in the making, an edited motion."""

    def __init__(self) -> None:
        self._hands: dict[Pointer, Held] = {}

    @property
    def is_held(self) -> bool:
        """Whether a hand holds it."""
        return bool(self._hands)

    def holds(self, page: int, pointer: int) -> bool:
        """Whether this hand holds it."""
        return (page, pointer) in self._hands

    def check_free(self, page: int, pointer: int) -> None:
        """Refuse a hand that holds something."""
        if self.holds(page, pointer):
            raise InputError(f"hand {pointer} holds something already; let go first")

    def find_held(self, page: int, pointer: int) -> Held:
        """What a hand holds, which must be something."""
        if not self.holds(page, pointer):
            raise InputError(f"hand {pointer} holds nothing")
        return self._hands[page, pointer]

    def release(self, page: int, pointer: int) -> None:
        """Let go."""
        raise NotImplementedError

    def release_page(self, page: int) -> None:
        """Let go with all hands of a page."""
        for owner, pointer in list(self._hands):
            if owner == page:
                self.release(page, pointer)


class Hand(NamedTuple):
    """The goal that a hand holds."""

    goal: int
    rotational: bool
    """Whether it holds an orientation and nothing else."""


class Hands(Holdable[Hand]):
    """All hands that hold a character."""

    def __init__(self, state: SessionState) -> None:
        super().__init__()
        self.state, self.project = state, state.project
        self._moves: dict[Pointer, QueuedMessage] = {}
        self._scrubbing: set[int] = set()  # pages that hold a control, such as a slider
        self.in_gesture = False
        self._begun: set[int] = set(self.project.store.get(BEGUN) or ())
        """Goals that exist only while a hand holds them."""

    @property
    def goals(self) -> set[int]:
        """Numbers of the goals that are held."""
        return {hand.goal for hand in self._hands.values()}

    def grab(self, page: int, grab: Grab) -> int:
        """Begin a goal, and return its number. The simulation continues from what is shown."""
        self.check_free(page, grab.pointer)
        with self.state.at_shown_time(live=True) as project:
            arguments, goal_type = find_goal_arguments(grab), find_goal_type(grab.kind)
            if not project.sim.engine.supports(Feature.ACTUATED_GOALS) and "target" in goal_type.moves:
                arguments.setdefault(find_key("stiffness"), PEN)
            begins_gesture = not self.in_gesture
            if begins_gesture:
                what = grab.bone if goal_type.has_option("bone") else f"of {grab.bone}" if grab.bone else ""
                project.journal.begin_gesture(f"{grab.kind} {what}".strip())
            try:
                goal = project.do("goal", kind=grab.kind, **arguments)
            except BaseException:
                if begins_gesture:
                    project.journal.end_gesture()
                raise
        self.in_gesture = True
        self._hands[page, grab.pointer] = Hand(goal, "target" not in goal_type.moves)
        self._note_begun(self._begun | {goal})
        return goal

    def queue_move(self, message: QueuedMessage) -> None:
        """Move a hand at the next tick; only the newest move counts."""
        self._moves[message.page, message.content.pointer] = message

    def apply_moves(self) -> list[tuple[QueuedMessage, str]]:
        """Move the goals to their hands; the moves of hands that hold something, each with the reason if it failed."""
        moves, self._moves = self._moves, {}
        done: list[tuple[QueuedMessage, str]] = []
        for pointer, message in moves.items():
            if pointer in self._hands:
                try:
                    self._move_goal(self._hands[pointer], message.content)
                    done.append((message, ""))
                except StringlessError as error:
                    done.append((message, str(error)))
        return done

    def _move_goal(self, hand: Hand, move: Move) -> None:
        target = None if hand.rotational else move.target
        wanted = {"target": target, "orientation": move.orientation}
        if given := {name: value for name, value in wanted.items() if value is not None}:
            self.project.do("move_goal", goal=hand.goal, **given)

    def release(self, page: int, pointer: int, keep: bool = False) -> None:
        """Let go, and end the goal unless it is kept."""
        hand = self.find_held(page, pointer)
        self.apply_moves()  # what was moved before letting go counts
        del self._hands[page, pointer]
        if keep:
            self._note_begun(self._begun - {hand.goal})
        elif hand.goal in self._list_goals():
            self.project.do("release_goal", goal=hand.goal)
        self._end_gesture()

    def begin_gesture(self, page: int, label: str) -> None:
        """A page takes hold of a control: until it lets go, everything including what hands do is one step of undo."""
        if not self.in_gesture:
            self.project.journal.begin_gesture(label)
        self.in_gesture = True
        self._scrubbing.add(page)

    def end_gesture(self, page: int) -> None:
        """A page lets go of its control."""
        self._scrubbing.discard(page)
        self._end_gesture()

    def release_page(self, page: int) -> None:
        """Let go with all hands of a page."""
        self.end_gesture(page)
        super().release_page(page)

    def release_all(self) -> None:
        """Let go with all hands."""
        self._scrubbing.clear()
        self._end_gesture()
        for page, pointer in list(self._hands):
            self.release(page, pointer)

    def release_recorded(self) -> None:
        """End goals that hands held at a time on record."""
        for goal in self._list_goals():
            if goal in self._begun - self.goals:
                self.project.do("release_goal", goal=goal)

    def forget_missing(self) -> None:
        """Forget hands whose goal does not exist any more."""
        goals = self._list_goals()
        for pointer, hand in list(self._hands.items()):
            if hand.goal not in goals:
                del self._hands[pointer]
        self._end_gesture()

    def _note_begun(self, goals: set[int]) -> None:
        self._begun = goals
        self.project.store.set(BEGUN, sorted(goals))

    def _list_goals(self) -> list[int]:
        sim = self.project.sim
        return [goal.id for goal in sim.director.goals] if sim.has_director else []

    def _end_gesture(self) -> None:
        if self.in_gesture and not self._hands and not self._scrubbing:
            self.in_gesture = False
            self.project.journal.end_gesture()


def find_goal_arguments(grab: Grab) -> dict[str, Any]:
    """Arguments of the goal that a grab begins."""
    goal_type, arguments = find_goal_type(grab.kind), {find_key(name): value for name, value in grab.options.items()}
    if not goal_type.by_hand:
        kinds = ", ".join(known.kind for known in list_goal_types() if known.by_hand)
        raise InputError(f"a hand cannot begin a {grab.kind}; it can begin: {kinds}")
    for name in FIELDS:
        if name in arguments:
            raise InputError(f"'{name}' is no option of a grab; say it in the grab itself")
    has_target, has_orientation = "target" in goal_type.moves, "orientation" in goal_type.moves
    if has_orientation and not has_target and grab.orientation is None:
        raise InputError("to turn a character an orientation is needed; give one as x, y, z, w")
    if goal_type.has_option("bone"):
        arguments["bone"] = grab.bone
        if goal_type.has_option("point"):
            arguments["point"] = grab.point
    elif grab.bone:
        arguments["character"] = grab.bone
    if grab.target is not None and has_target:
        arguments["target"] = grab.target
    if grab.orientation is not None and has_orientation:
        arguments["orientation"] = grab.orientation
    return arguments
