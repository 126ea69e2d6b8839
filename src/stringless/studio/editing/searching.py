"""The search for a motion that has what is wanted, a try at a time, and what is said of it when it has ended."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from stringless.editing.constraints import Constraint
from stringless.editing.editor import DONE, PATIENCE, SLOW, Editor
from stringless.editing.improving import Edit
from stringless.editing.iterating import NO_SMALLER, SLOWLY, concluded
from stringless.editing.versions import Version
from stringless.errors import StringlessError
from stringless.studio.editing.pulling import pull

MOST, LONGEST = 60, 3.0
"""Tries after the last hand has let go, and how long they may take [s]."""
FEW, MANY = 4, 1000
"""Steps that one try looks at, while a hand drags and when none does."""
SEEN = 2e-3
"""Nobody sees that a wish is missed by less [m, rad, m/s, rad/s]: it is no reason for a warning."""
AS_FAR = "the motion follows as far as it can with what may change now. Unlock attributes, or take a nail out."
NOT_YET = "the motion is not there yet; solve again to look on"


class Search:
    """Tries, until what is wanted is there or nothing helps any more."""

    def __init__(self) -> None:
        """Look for nothing yet."""
        self.going = False
        """Whether a better motion may still be found."""
        self.tries = 0
        self.warning = self.left = ""
        """Why the last wish was not fulfilled, and why not one before it that nobody looks for any more."""
        self.refused = False
        """Whether that is because not all that is nailed can be had."""
        self.trying = False
        """Whether a motion is being tried: what the editor warns of then is told when nothing more is tried."""
        self._slow, self._until = 0, 0.0
        self._start: tuple[Version, float] | None = None
        """The motion that the search began with, and its error."""

    def begin(self, held: bool, longest: float = LONGEST) -> None:
        """Look for a motion, for so many seconds at most; while nobody holds on there is no verdict before the end."""
        self.going, self.tries, self._slow, self._start, self.refused = True, 0, 0, None, False
        self._until = time.perf_counter() + longest
        self.warning = self.warning if held else ""

    def stop(self) -> None:
        """Look no further, whatever is missing."""
        if self.going:
            self.going, self.warning = False, NOT_YET

    def step(
        self, editor: Editor, wishes: Sequence[Constraint], *, held: bool, gone: bool, most: int, **how: bool
    ) -> None:
        """Try once to come nearer; `wishes` are those of hands, `gone` whether the motion has followed them already.

        `how` are `nails_only` and `nearest` of the editor.
        """
        self.trying = True
        try:
            missing = float(np.linalg.norm(editor.look(nails_only=how.get("nails_only", False))[0]))
            self._start = self._start or (editor.version, missing)
            if missing <= DONE:
                self.going, self.warning = False, self.left
                return
            edit, why = self._try(editor, wishes, missing, FEW if held else MANY, how)
            editor.forget()  # a hand tries thousands of times, and undo belongs to the project
            self.tries += 1
            if why and not wishes:
                edit = self._judged(editor, edit, why, how.get("nearest", False))
                self.refused = edit.impossible
            follows, far = edit.scale > 0, edit.after > DONE or bool(edit.message)
            late = time.perf_counter() > self._until
            self.going = follows and far and self.tries < most and not late and why != SLOWLY
            verdict = edit.message or (NOT_YET if far and not self.going else "")
            if wishes and (follows or gone) and why:
                verdict = AS_FAR  # also where the next step would fail: that is no fault of the motion that is seen
            early = self.going and not held
            self.warning = "" if early or (verdict and not self.going and is_met(editor)) else verdict
        except StringlessError as error:
            self.going, self.warning = False, str(error)
        except BaseException:
            self.going = False
            raise
        finally:
            self.trying = False

    def _try(
        self, editor: Editor, wishes: Sequence[Constraint], missing: float, trials: int, how: dict[str, bool]
    ) -> tuple[Edit, str]:
        """One try, and why there should be no other."""
        try:
            edit = pull(editor, wishes, trials=trials, **how)
        except StringlessError as error:
            return Edit(missing, missing, 1.0, 0.0, str(error)), f"going on fails ({error})"
        self._slow = self._slow + 1 if edit.after > max(DONE, SLOW * edit.before) else 0
        return edit, SLOWLY if self._slow == PATIENCE else NO_SMALLER if edit.message else ""

    def _judged(self, editor: Editor, edit: Edit, why: str, nearest: bool) -> Edit:
        """What is said at the end of a search that no hand has a part in: nails that contradict each other change nothing."""
        assert self._start is not None
        version, first = self._start
        if editor.version is version or is_met(editor):
            return edit
        last = concluded(edit, first, DONE, why, nearest=nearest)
        if last.impossible:
            editor.come_back(version)
        return last


def is_met(editor: Editor) -> bool:
    """Whether all that is wanted is there to be seen; a bar may still be caught less well than it could be."""
    wanted = [*editor.nails, *editor.drags]
    run = editor.look()[2]
    missing = [wish.error(sighting.bodies)[0] for wish, sighting in zip(wanted, run.sightings, strict=True)]
    return not run.misses and all(float(np.linalg.norm(error)) <= SEEN for error in missing)
