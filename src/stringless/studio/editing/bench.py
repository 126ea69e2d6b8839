"""The bench: the motion that is open in the editor, the hands that drag it, and the search for what they want.

While a hand holds on, the motion is changed a little whenever there is time; when the last one has let go it is changed until
nothing is missing. Only then does the project hear of it: one command, one step of undo.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

from stringless.editing.data import controls_data, from_data
from stringless.editing.editor import Editor
from stringless.errors import InputError, StringlessError
from stringless.project import Project
from stringless.studio.editing.before import Before
from stringless.studio.editing.holding import Hand, take_hold
from stringless.studio.editing.sampling import Path
from stringless.studio.editing.searching import AS_FAR, LONGEST, MOST, Search
from stringless.studio.hands import Pointer
from stringless.studio.messages import Grab, Move

BUDGET = 0.02
"""How long to look for a better motion at a time [s]; one try is made in any case."""
CUT = "what was dragged was not reached yet when something else was done; drag it again"
Found = Callable[[dict[str, Any]], None]


class Cut(NamedTuple):
    """A search that was cut short."""

    arguments: dict[str, Any]
    """What it was begun with."""
    dragged: bool
    """Whether something that was dragged, and let go, was not reached yet."""


class Bench:
    """What lies open to be edited."""

    def __init__(self, project: Project) -> None:
        """Look at nothing yet: kernels may be missing."""
        self.project = project
        self.data: dict[str, Any] = {}
        """As the document has it."""
        self._editor: Editor | None = None
        self._hands: dict[Pointer, Hand] = {}
        self._wished: list[Hand] = []
        """All that hands have wanted since the last of them took hold; in force until a motion was found."""
        self.search = Search()
        self._solving: dict[str, Any] | None = None
        self._found: Found | None = None
        self.wrote = False
        """Whether the project has heard of something that nobody was told of."""
        self.changed = False
        """Whether pages should be told."""
        self._refused: Any = None
        self._before = Before()

    # --- what is open ---

    @property
    def is_open(self) -> bool:
        """Whether a motion lies here."""
        return self._editor is not None

    @property
    def editor(self) -> Editor:
        """The motion."""
        if self._editor is None:
            raise InputError("no motion is open in the editor; open one first")
        return self._editor

    def sync(self) -> None:
        """Take up what the document has; needs the kernels of the editor."""
        data = self.project.edits.data
        same = self._editor is None if data is None else data is self.data or data is self._refused
        if same:
            return
        self._let_all_go()
        self.changed, self.search.warning = True, ""
        if data is None:
            self._editor, self.data, self._before = None, {}, Before()
            return
        try:
            self._editor = from_data(self.project.scene(), data)
            self.data = data
        except StringlessError:
            self._refused, self._editor, self.data = data, None, {}
            raise

    def _let_all_go(self) -> None:
        self._hands.clear()
        self._wished.clear()
        self.search.going, self._before.start = False, None
        self._answer("something else was done meanwhile")

    # --- hands ---

    @property
    def held(self) -> bool:
        """Whether a hand drags."""
        return bool(self._hands)

    def holds(self, page: int, pointer: int) -> bool:
        """Whether this hand drags."""
        return (page, pointer) in self._hands

    @property
    def busy(self) -> bool:
        """Whether a better motion may still be found."""
        return self.search.going

    @property
    def moving(self) -> bool:
        """Whether there is anything to do."""
        return self.busy or self._solving is not None or bool(self._wished and not self._hands)

    def grab(self, page: int, grab: Grab) -> None:
        """Take hold of the motion at a moment."""
        pointer = (page, grab.pointer)
        if pointer in self._hands:
            raise InputError(f"hand {grab.pointer} holds something already; let go first")
        if not self._hands:
            self.finish()
        hand = take_hold(self.editor, grab)
        if not self._hands:
            self._before.start = self.editor.run
        self.search.left = ""
        self._hands[pointer] = hand
        self._wished.append(hand)
        self._seek()

    def move(self, page: int, move: Move) -> bool:
        """Move a hand; False if it holds nothing."""
        hand = self._hands.get((page, move.pointer))
        if hand is None:
            return False
        if hand.lead(self.editor, move):
            self._seek()
        return True

    def release(self, page: int, pointer: int) -> None:
        """Let go; when the last hand does, the motion is searched for to the end."""
        if self._hands.pop((page, pointer), None) is None:
            raise InputError(f"hand {pointer} holds nothing")
        self.changed = True
        if not self._hands:
            self._seek()

    def leave(self, page: int) -> None:
        """A page has gone, and its hands with it."""
        for owner, pointer in list(self._hands):
            if owner == page:
                self.release(owner, pointer)

    # --- searching ---

    def solve(self, arguments: dict[str, Any], found: Found, longest: float = math.inf) -> None:
        """Look for a motion that meets the nails, for so many seconds at most; `found` hears what came of it."""
        most = arguments.get("iterations", MOST)
        if type(most) is not int or most < 1:
            raise InputError(f"iterations are {most!r}; expected a whole number of 1 or more")
        self.finish()
        self._solving, self._found, self.search.left = arguments, found, ""
        self._before.start = self.editor.run
        self._seek(longest)

    def resume(self, cut: Cut, found: Found) -> None:
        """Go on with a search that a command has cut short, for what is wanted since; `found` hears what came of it."""
        self.sync()
        left = CUT if cut.dragged else ""
        if self._editor is not None and (self._editor.nails or self._editor.run.misses):
            self.solve(cut.arguments, found)
            self.search.left = left
            return
        self.search.warning = left
        found({})

    def stop(self) -> None:
        """Look no further: the motion is what was found so far."""
        self.search.stop()

    def finish(self) -> Cut | None:
        """End what hands have begun, with the motion that was found so far; what was cut short, if anything was."""
        wishes = () if self._editor is None else self._editor.drags
        dragged = not self.held and any(hand.wish in wishes for hand in self._wished)
        cut = Cut(self._solving or {}, dragged) if self.busy else None
        self._hands.clear()
        self.stop()
        self._commit()
        return cut

    def _seek(self, longest: float = LONGEST) -> None:
        self.search.begin(self.held, longest)
        self.changed = True

    def tick(self) -> None:
        """Look for a better motion for a while; when it was found and nobody holds on, the project hears of it."""
        if self._editor is None:
            return
        end = time.perf_counter() + BUDGET
        while self.busy:
            self._try(self._editor)
            if time.perf_counter() > end:
                break
        if not self.busy and not self._hands and not self._settle(self._editor):
            self._commit()

    def _settle(self, editor: Editor) -> bool:
        """When hands have let go and no more of what they wanted goes: look on for what is nailed; whether there is any."""
        free = [hand.wish for hand in self._wished if hand.wish in editor.drags]
        for wish in free:
            editor.remove(wish)
        if not free or not (editor.nails or editor.run.misses):
            return False
        # How far it followed was seen while it was dragged.
        self.search.left = "" if self.search.warning == AS_FAR else self.search.warning
        self._seek()
        return True

    def _try(self, editor: Editor) -> None:
        solving = self._solving or {}
        self.changed = True
        self.search.step(
            editor,
            [hand.wish for hand in self._wished if hand.wish in editor.drags or hand.wish in editor.nails],
            held=self.held,
            gone=bool(self._wished) and self._before.start is not editor.run,
            most=solving.get("iterations", MOST),
            nails_only=bool(solving.get("nails_only")),
            nearest=bool(solving.get("nearest")),
        )

    def _commit(self) -> None:
        """Tell the project what was found; the motion here is the same already."""
        wished, solving, editor = self._wished, self._solving, self._editor
        if editor is None or not (wished or solving is not None):
            return
        self._wished, moved = [], self._before.start is not editor.run
        self._before.start, self.changed = None, True
        for hand in wished:
            if hand.wish in editor.drags:
                editor.remove(hand.wish)
        found = controls_data(editor.controls)
        try:
            if solving is not None:
                self.project.do("edit_solve", **solving, found=found)
            else:
                self._write(wished, moved, found)
            self.data, self.wrote = self.project.edits.data or {}, True
        except BaseException:
            self.data = {}  # take up what the document has
            raise
        finally:
            self._answer(self.search.warning)

    def _write(self, wished: list[Hand], moved: bool, found: dict[str, Any]) -> None:
        nails = [hand for hand in wished if hand.nail is not None and hand.target is not None]
        free = [hand for hand in wished if hand.nail is None and moved]
        label = "drag the motion" if free else "move a nail"
        project = self.project
        with nullcontext() if project.journal.in_gesture else project.gesture(label):
            for hand in [*nails, *free[-1:]]:
                project.do("edit_drag", **hand.arguments(), found=found)

    def _answer(self, message: str) -> None:
        found, tries, self._found, self._solving = self._found, self.search.tries, None, None
        if found is not None:
            error = 0.0 if self._editor is None else self._editor.error()
            found({"error": error, "iterations": tries, "message": message})

    def paths(self) -> tuple[Path, Path | None]:
        """The motion at even moments, and what it was: before the drag or, if nobody drags, as it was opened."""
        return self._before.paths(self.editor, self.data, self.project.scene())
