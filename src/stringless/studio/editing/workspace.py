"""The workspace of the editor: the motion that is open, the hands that drag it, and the search for what they want.

While a hand holds on, the motion is changed a little whenever there is time; when the last one has let go it is changed until
all constraints are met. Only then does the project hear of it: one command, one step of undo.
"""

import math
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from stringless.editing.constraints import Constraint
from stringless.editing.data import controls_data, from_data
from stringless.editing.editor import Editor
from stringless.errors import InputError, StringlessError
from stringless.model.pose import rotation_matrix
from stringless.project import Project
from stringless.project.commands.editing.drags import add_drag, find_nearest_coordinates, find_rotation
from stringless.studio.editing.samples import Baseline, Samples
from stringless.studio.editing.search import AS_FAR, LONGEST, MOST, Search
from stringless.studio.hands import Holdable
from stringless.studio.messages import Grab, Move

BUDGET = 0.02
"""How long to search at a time [s]; one iteration is made in any case."""
CUT = "what was dragged was not reached yet when something else was done; drag it again"
Report = Callable[[dict[str, Any]], None]
OPTIONS = ("time", "what", "nail")
"""Options of a grab of a motion."""
TURNS = ("turn", "bend", "rotation", "joint")
"""Drags that are led by an orientation; that of a joint is relative to its parent."""


@dataclass
class MotionDrag:
    """A hand and its constraint on the motion."""

    constraint: Constraint
    body: str
    what: str
    nail: int | None
    """The nail whose target it moves, if it does."""
    target: list[float] | None = None
    """As it was given last."""

    def move(self, editor: Editor, move: Move) -> bool:
        """Move the target of the constraint; whether the hand has moved."""
        rotational = self.what in TURNS
        target = move.orientation if rotational else move.target
        if target is None:
            return False
        if not np.all(np.isfinite(target)):
            raise InputError(f"a hand cannot move to {list(target)}; expected finite numbers")
        goal: Any = target
        if self.what == "joint":
            goal = target = find_nearest_coordinates(editor.model, self.body, rotation_matrix(target)).tolist()
        elif rotational:
            goal = find_rotation(editor, self.body, target, bends=self.what == "bend")
        self.constraint.target = np.array(goal, float).reshape(self.constraint.target.shape)
        self.target = list(target)
        return True

    def list_arguments(self) -> dict[str, Any]:
        """Arguments of the command that repeats it."""
        if self.nail is not None:
            return {"nail": self.nail, "target": self.target}
        point = getattr(self.constraint, "point", np.zeros(3)).tolist()
        return {
            "body": self.body,
            "time": self.constraint.time,
            "what": self.what,
            "target": self.target,
            "point": point,
        }


def begin_drag(editor: Editor, grab: Grab) -> MotionDrag:
    """The drag of a nail, or of a body at a time."""
    options = grab.options
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise InputError(
            f"option '{unknown[0]}' of a grab of the motion is unknown; choose one of: {', '.join(OPTIONS)}"
        )
    nail, what = options.get("nail"), options.get("what", "point")
    if nail is not None:
        constraint = editor.constraint(nail)
        return MotionDrag(constraint, editor.model.specs[constraint.body].name, constraint.kind, nail)
    target = grab.orientation if what in TURNS else grab.target
    constraint = add_drag(editor, grab.bone, options.get("time", 0.0), target, what, grab.point)
    return MotionDrag(constraint, grab.bone, what, None, None if target is None else list(target))


class InterruptedSearch(NamedTuple):
    """A search that was interrupted."""

    arguments: dict[str, Any]
    """Those it was begun with."""
    dragged: bool
    """Whether something that was dragged, and let go, was not reached yet."""


class EditWorkspace(Holdable[MotionDrag]):
    """The motion that is open in the editor."""

    def __init__(self, project: Project) -> None:
        """Start closed: kernels may be missing."""
        super().__init__()
        self.project = project
        self.data: dict[str, Any] = {}
        """As the document has it."""
        self._editor: Editor | None = None
        self._drags: list[MotionDrag] = []
        """Of all hands since the first of them took hold; in force until a motion was found."""
        self.search = Search()
        self._solving: dict[str, Any] | None = None
        self._report: Report | None = None
        self.has_written = False
        """Whether the project has changed since pages were told."""
        self.is_changed = False
        """Whether pages should be told."""
        self._rejected: Any = None
        self._baseline = Baseline()

    # --- what is open ---

    @property
    def is_open(self) -> bool:
        """Whether a motion is open."""
        return self._editor is not None

    @property
    def editor(self) -> Editor:
        """The motion."""
        if self._editor is None:
            raise InputError("no motion is open in the editor; open one first")
        return self._editor

    def update(self) -> None:
        """Take over the motion of the document; needs the kernels of the editor."""
        data = self.project.edits.data
        if self._editor is None if data is None else data is self.data or data is self._rejected:
            return
        self._hands.clear()
        self._drags.clear()
        self.search.is_running, self._baseline.start = False, None
        self._send_report("something else was done meanwhile")
        self.is_changed, self.search.warning = True, ""
        self._editor, self.data = None, {}
        if data is None:
            self._baseline = Baseline()
            return
        try:
            self._editor = from_data(self.project.scene(), data)
            self.data = data
        except StringlessError:
            self._rejected = data
            raise

    def sample(self) -> tuple[Samples, Samples | None]:
        """The motion at even times, and as it was before the drag or, without a drag, as it was opened."""
        return self._baseline.sample(self.editor, self.data, self.project.scene())

    # --- hands ---

    @property
    def is_busy(self) -> bool:
        """Whether there is anything to do."""
        return self.search.is_running or self._solving is not None or bool(self._drags and not self._hands)

    def grab(self, page: int, grab: Grab) -> None:
        """Take hold of the motion at a time."""
        self.check_free(page, grab.pointer)
        if not self._hands:
            self.finish()
        drag = begin_drag(self.editor, grab)
        if not self._hands:
            self._baseline.start = self.editor.run
        self.search.left = ""
        self._hands[page, grab.pointer] = drag
        self._drags.append(drag)
        self._begin_search()

    def move(self, page: int, move: Move) -> bool:
        """Move a hand; False if it holds nothing."""
        drag = self._hands.get((page, move.pointer))
        if drag is not None and drag.move(self.editor, move):
            self._begin_search()
        return drag is not None

    def release(self, page: int, pointer: int) -> None:
        """Let go; when the last hand does, the search goes on to its end."""
        self.find_held(page, pointer)
        del self._hands[page, pointer]
        self.is_changed = True
        if not self._hands:
            self._begin_search()

    # --- search ---

    def solve(self, arguments: dict[str, Any], report: Report, longest: float = math.inf) -> None:
        """Search for a motion that meets the nails, for so many seconds at most; `report` gets the result."""
        self.finish()
        self._solving, self._report, self.search.left = arguments, report, ""
        self._baseline.start = self.editor.run
        self._begin_search(longest)

    def resume(self, interrupted: InterruptedSearch, report: Report) -> None:
        """Continue a search that a command has interrupted, for what is wanted now; `report` gets the result."""
        self.update()
        left = CUT if interrupted.dragged else ""
        if self._editor is not None and (self._editor.nails or self._editor.run.misses):
            self.solve(interrupted.arguments, report)
            self.search.left = left
            return
        self.search.warning = left
        report({})

    def finish(self) -> InterruptedSearch | None:
        """End what hands have begun, with the motion that was found so far; the search that this interrupts, if any."""
        constraints = () if self._editor is None else self._editor.drags
        dragged = not self.is_held and any(drag.constraint in constraints for drag in self._drags)
        interrupted = InterruptedSearch(self._solving or {}, dragged) if self.search.is_running else None
        self._hands.clear()
        self.search.stop()
        self._commit()
        return interrupted

    def _begin_search(self, longest: float = LONGEST) -> None:
        self.search.begin(self.is_held, longest)
        self.is_changed = True

    def tick(self) -> None:
        """Search for a while; when the motion was found and no hand holds it, the project gets it."""
        if self._editor is None:
            return
        end = time.perf_counter() + BUDGET
        while self.search.is_running:
            self._iterate(self._editor)
            if time.perf_counter() > end:
                break
        if not self.search.is_running and not self._hands and not self._search_nails(self._editor):
            self._commit()

    def _search_nails(self, editor: Editor) -> bool:
        """When hands have let go and are followed no further, search for what is nailed; whether there is anything."""
        free = self._remove_drags(editor)
        if not free or not (editor.nails or editor.run.misses):
            return False
        # How far it followed was seen while it was dragged.
        self.search.left = "" if self.search.warning == AS_FAR else self.search.warning
        self._begin_search()
        return True

    def _remove_drags(self, editor: Editor) -> bool:
        """Remove the constraints of drags, not those of nails; whether there were any."""
        free = [drag.constraint for drag in self._drags if drag.constraint in editor.drags]
        for constraint in free:
            editor.remove(constraint)
        return bool(free)

    def _iterate(self, editor: Editor) -> None:
        solving = self._solving or {}
        constraints = [*editor.drags, *editor.nails]
        self.is_changed = True
        self.search.iterate(
            editor,
            [drag.constraint for drag in self._drags if drag.constraint in constraints],
            held=self.is_held,
            moved=bool(self._drags) and self._baseline.start is not editor.run,
            most=solving.get("iterations", MOST),
            nails_only=bool(solving.get("nails_only")),
            nearest=bool(solving.get("nearest")),
        )

    def _commit(self) -> None:
        """Tell the project what was found; the motion here is the same already."""
        drags, solving, editor = self._drags, self._solving, self._editor
        if editor is None or not (drags or solving is not None):
            return
        self._remove_drags(editor)
        self._drags, moved = [], self._baseline.start is not editor.run
        self._baseline.start, self.is_changed = None, True
        found = controls_data(editor.controls)
        try:
            if solving is not None:
                self.project.do("edit_solve", **solving, found=found)
            else:
                self._write_drags(drags, moved, found)
            self.data, self.has_written = self.project.edits.data or {}, True
        except BaseException:
            self.data = {}  # take over what the document has
            raise
        finally:
            self._send_report(self.search.warning)

    def _write_drags(self, drags: list[MotionDrag], moved: bool, found: dict[str, Any]) -> None:
        nails = [drag for drag in drags if drag.nail is not None and drag.target is not None]
        free = [drag for drag in drags if drag.nail is None and moved]
        project = self.project
        label = "drag the motion" if free else "move a nail"
        with nullcontext() if project.journal.in_gesture else project.gesture(label):
            for drag in [*nails, *free[-1:]]:
                project.do("edit_drag", **drag.list_arguments(), found=found)

    def _send_report(self, message: str) -> None:
        report, self._report, self._solving = self._report, None, None
        if report is not None:
            error = 0.0 if self._editor is None else self._editor.error()
            report({"error": error, "iterations": self.search.iterations, "message": message})
