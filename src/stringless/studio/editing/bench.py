"""The bench: the motion that is open in the editor, the hands that drag it, and the search for what they want.

While a hand holds on, the motion is changed a little whenever there is time; when the last one has let go it is changed until
nothing is missing. Only then does the project hear of it: one command, one step of undo.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.editing.constraints import Constraint
from stringless.editing.course import Run
from stringless.editing.data import controls_data, from_data
from stringless.editing.editor import DONE, PATIENCE, SLOW, Editor
from stringless.errors import InputError, StringlessError
from stringless.model.pose import rotation_matrix
from stringless.project import Project
from stringless.project.commands.editing import hold
from stringless.studio.editing.sampling import Path, moments, sampled
from stringless.studio.hands import Pointer
from stringless.studio.messages import Grab, Move

Floats = NDArray[np.float64]
BUDGET = 0.02
"""How long to look for a better motion at a time [s]; one try is made in any case."""
MOST, LONGEST = 60, 3.0
"""Tries after the last hand has let go, and how long they may take [s]."""
FEW, MANY = 4, 1000
"""Steps that one try looks at, while a hand drags and when none does."""
OUT_OF_REACH = (
    "what is wanted is out of reach: the motion hardly comes nearer any more. Unlock attributes, or want less."
)
NOT_YET = "the motion is not yet what is wanted"
SAID = ("time", "what", "nail")
"""What a grab of a motion says by its options."""
Found = Callable[[dict[str, Any]], None]


@dataclass
class Hand:
    """A hand and what it wants of the motion."""

    wish: Constraint
    body: str
    what: str
    nail: int | None
    """The nail whose target it moves, if it does."""
    target: list[float] | None = None
    """As it was said last."""


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
        self._searching = False
        self._tries, self._slow, self._until = 0, 0, 0.0
        self._solving: dict[str, Any] | None = None
        self._found: Found | None = None
        self.warning = ""
        """Why the last wish was not fulfilled."""
        self.trying = False
        """Whether a motion is being tried: what the editor warns of then is told when nothing more is tried."""
        self.wrote = False
        """Whether the project has heard of something that nobody was told of."""
        self.changed = False
        """Whether pages should be told."""
        self._refused: Any = None
        self._first: tuple[Any, Run, Any] | None = None
        self._start: Run | None = None
        self._before: tuple[Any, Path] | None = None

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
        self.changed, self.warning = True, ""
        if data is None:
            self._editor, self.data, self._first = None, {}, None
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
        self._searching, self._start = False, None
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
        return self._searching

    @property
    def moving(self) -> bool:
        """Whether there is anything to do."""
        return self._searching or self._solving is not None or bool(self._wished and not self._hands)

    def grab(self, page: int, grab: Grab) -> None:
        """Take hold of the motion at a moment."""
        pointer = (page, grab.pointer)
        if pointer in self._hands:
            raise InputError(f"hand {grab.pointer} holds something already; let go first")
        unknown = [name for name in grab.options if name not in SAID]
        if unknown:
            raise InputError(
                f"option '{unknown[0]}' of a grab of the motion is unknown; choose one of: {', '.join(SAID)}"
            )
        if not self._hands:
            self.finish()
        hand = self._held(grab)
        if not self._hands:
            self._start = self.editor.run
        self._hands[pointer] = hand
        self._wished.append(hand)
        self._seek()

    def _held(self, grab: Grab) -> Hand:
        editor, options = self.editor, grab.options
        nail, what = options.get("nail"), options.get("what", "point")
        if nail is not None:
            wish = editor.constraint(nail)
            return Hand(wish, editor.model.specs[wish.body].name, wish.kind, nail)
        target = grab.orientation if what in ("turn", "bend") else grab.target
        wish = hold(editor, grab.bone, options.get("time", 0.0), target, what, grab.point)
        return Hand(wish, grab.bone, what, None, None if target is None else list(target))

    def move(self, page: int, move: Move) -> bool:
        """Move a hand; False if it holds nothing."""
        hand = self._hands.get((page, move.pointer))
        if hand is None:
            return False
        turns = hand.what in ("turn", "bend", "rotation")
        said = move.orientation if turns else move.target
        if said is not None:
            if not np.all(np.isfinite(said)):
                raise InputError(f"a hand cannot move to {list(said)}; expected finite numbers")
            goal = rotation_matrix(said) if turns else said
            hand.wish.target = np.array(goal, float).reshape(hand.wish.target.shape)
            hand.target = list(said)
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

    def solve(self, arguments: dict[str, Any], found: Found) -> None:
        """Look for a motion that meets the nails; `found` hears what came of it."""
        self.finish()
        self._solving, self._found = arguments, found
        self._start = self.editor.run
        self._seek()

    def stop(self) -> None:
        """Look no further: the motion is what was found so far."""
        self._searching = False

    def finish(self) -> None:
        """End what hands have begun, with the motion that was found so far."""
        self._hands.clear()
        self.stop()
        self._commit()

    def _seek(self) -> None:
        self._searching, self._tries, self._slow = True, 0, 0
        self._until = time.perf_counter() + LONGEST
        self.changed = True

    def tick(self) -> None:
        """Look for a better motion for a while; when it was found and nobody holds on, the project hears of it."""
        if self._editor is None:
            return
        end = time.perf_counter() + BUDGET
        while self._searching:
            self._try(self._editor)
            if time.perf_counter() > end:
                break
        if not self._searching and not self._hands:
            self._commit()

    def _try(self, editor: Editor) -> None:
        only_nails = bool(self._solving and self._solving.get("nails_only"))
        most = MOST if self._solving is None else int(self._solving.get("iterations", MOST))
        self.changed = self.trying = True
        try:
            if float(np.linalg.norm(editor.look(nails_only=only_nails)[0])) <= DONE:
                self._searching, self.warning = False, ""
                return
            edit = editor.iterate(nails_only=only_nails, trials=FEW if self._hands else MANY)
            editor.forget()  # a hand tries thousands of times, and undo belongs to the project
            self.warning = edit.message
            self._tries += 1
            self._slow = self._slow + 1 if edit.after > max(DONE, SLOW * edit.before) else 0
            late = self._solving is None and time.perf_counter() > self._until
            far = edit.after > DONE
            stuck = self._slow == PATIENCE
            self._searching = not edit.message and far and self._tries < most and not late and not stuck
            if far and not self._searching and not edit.message:
                self.warning = OUT_OF_REACH if stuck else f"{NOT_YET}, {edit.after:.2g} away; solve to look on"
        except StringlessError as error:
            self._searching, self.warning = False, str(error)
        finally:
            self.trying = False

    def _commit(self) -> None:
        """Tell the project what was found; the motion here is the same already."""
        wished, solving, editor = self._wished, self._solving, self._editor
        if editor is None or not (wished or solving is not None):
            return
        self._wished, moved = [], self._start is not editor.run
        self._start, self.changed = None, True
        for hand in wished:
            if hand.nail is None:
                editor.remove(hand.wish)
        found = controls_data(editor.controls)
        try:
            if solving is not None:
                self.project.do("edit_solve", **solving, found=found)
            else:
                self._write(wished, moved, found)
            self.data, self.wrote = self.project.edits.data or {}, True
        finally:
            self._answer(self.warning)

    def _write(self, wished: list[Hand], moved: bool, found: dict[str, Any]) -> None:
        nails = [hand for hand in wished if hand.nail is not None and hand.target is not None]
        free = [hand for hand in wished if hand.nail is None]
        if not (nails or (free and moved)):
            return
        label = "drag the motion" if free else "move a nail"
        with self.project.gesture(label):
            for hand in nails:
                self.project.do("edit_drag", nail=hand.nail, target=hand.target, found=found)
            if free and moved:
                last = free[-1]
                self.project.do(
                    "edit_drag", body=last.body, time=last.wish.time, what=last.what, target=last.target,
                    point=getattr(last.wish, "point", np.zeros(3)).tolist(), found=found,
                )  # fmt: skip

    def _answer(self, message: str) -> None:
        found, tries, self._found, self._solving = self._found, self._tries, None, None
        if found is not None:
            error = 0.0 if self._editor is None else self._editor.error()
            found({"error": error, "iterations": tries, "message": message})

    # --- what is shown ---

    def paths(self) -> tuple[Path, Path | None]:
        """The motion at even moments, and what it was: before the drag or, if nobody drags, as it was opened."""
        editor = self.editor
        times = moments(editor.course.duration)
        now = self._path(editor, editor.run, times)
        run, like = (self._start, editor) if self._start is not None else self._opened()
        if run is None or run is editor.run:
            return now, None
        if self._before is None or self._before[0] is not run:
            self._before = run, self._path(like, run, times)
        return now, self._before[1]

    def _opened(self) -> tuple[Run | None, Editor]:
        """The motion as it was opened; None if it is still the same."""
        first = self.data["first"]
        if first["controls"] == self.data["controls"] and first["transitions"] == self.data["transitions"]:
            return None, self.editor
        if self._first is None or self._first[0] != first:
            made = from_data(self.project.scene(), {**self.data, **first, "nails": [], "locked": []})
            self._first = first, made.run, made
        return self._first[1], self._first[2]

    def _path(self, editor: Editor, run: Run, times: Floats) -> Path:
        return sampled(editor.model, run, times, editor.course.dt, editor.controls.masses)
