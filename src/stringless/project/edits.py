"""The motion that is open in the editor of a project: plain data in the document, and the editor made of it when needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from stringless.editing.data import as_data, from_data
from stringless.editing.editor import Editor
from stringless.errors import InputError

if TYPE_CHECKING:
    from stringless.project.project import Project

Data = dict[str, Any]
KEPT = "edit of lane {lane}"
"""Where the store has the motion that a branch was made of."""
WHOLE = 0.02
"""What may be missing of a motion that counts as the whole of it: a step or two, and what people do not type [s]."""
BLOCKED = {
    *("style", "weigh", "posture", "passive", "direct", "leave", "set_director"),
    *("goal", "set_goal", "move_goal", "play_track", "advance", "go_to", "perform", "warp"),
}
"""Commands that wait until the editor is closed: the motion must not change while it is edited."""


class Edits:
    """What a project knows of the motion that is being edited."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.data: Data | None = None
        """As the document has it; never changed in place."""
        self._known: tuple[Data, Editor] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a motion is open."""
        return self.data is not None

    def check_allowed(self, command: str) -> None:
        """Refuse commands that would change the take or the simulation while a motion is open."""
        if self.data is not None and command in BLOCKED:
            raise InputError(
                f"'{command}' has to wait: a motion is open in the editor. Keep it as a branch with edit_keep(), or close it "
                "with edit_close()."
            )

    def editor(self) -> Editor:
        """The open motion, to be looked at."""
        data = self._require_open()
        if self._known is None or self._known[0] is not data:
            self._known = data, from_data(self._project.scene(), data)
        return self._known[1]

    def open(self, editor: Editor, branch: int | None = None, begin: float = 0.0, first: Data | None = None) -> None:
        """Open a motion; `branch` and `begin` say where on the take it was found, `first` how it was opened before."""
        self.require_closed()
        self._set(editor, {"lane": branch, "begin": begin, **as_data(editor, first)})

    def remember(self, branch: int, data: Data, scene: dict[str, Any]) -> None:
        """Keep the motion that a branch was made of, and its scene: that of the branch may have another root joint."""
        self._project.store.set(KEPT.format(lane=branch), {"data": data, "scene": scene})

    def reopen(self, branch: int, begin: float, end: float) -> bool:
        """Open the motion that a branch was made of, with all its constraints, if this is the whole of the motion."""
        project = self._project
        kept = project.store.get(KEPT.format(lane=branch))
        if kept is None:
            return False
        data = kept["data"]
        if max(abs(begin - data["begin"]), abs(end - data["begin"] - data["duration"])) > WHOLE:
            return False
        if kept["scene"] != project.scene_data:
            project.replace_scene(kept["scene"])
        self._set(from_data(project.scene(), data), data)
        return True

    def require_closed(self) -> None:
        """Refuse if a motion is open."""
        if self.data is not None:
            raise InputError("a motion is open in the editor already; close it with edit_close() first")

    def close(self) -> None:
        """Close the motion."""
        self._require_open()
        self.data = self._known = None

    @contextmanager
    def changing(self) -> Iterator[Editor]:
        """The open motion, to be changed: nothing is changed if that fails."""
        data, editor = self._require_open(), self.editor()
        self._known = None
        yield editor
        self._update(editor, data)

    def rebuild(self, **changes: Any) -> None:
        """Make the motion again with other data."""
        data = self._require_open()
        self._update(from_data(self._project.scene(), {**data, **changes}), data)

    def _update(self, editor: Editor, data: Data) -> None:
        self._set(editor, {"lane": data["lane"], "begin": data["begin"], **as_data(editor, data["first"])})

    def _set(self, editor: Editor, data: Data) -> None:
        self.data = data
        self._known = data, editor

    def _require_open(self) -> Data:
        if self.data is None:
            raise InputError("no motion is open in the editor; open one with edit_open() or edit_start()")
        return self.data
