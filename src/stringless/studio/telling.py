"""Telling pages what is open: scene, document, log and notices, whenever they have changed."""

from __future__ import annotations

from typing import Any

import msgspec

from stringless.studio.describe import describe_scene
from stringless.studio.desk import Desk
from stringless.studio.document import describe_document
from stringless.studio.logbook import Logbook
from stringless.studio.messages import Document, Log, Message, Notice, OfferInfo, Scene
from stringless.studio.outlet import Outlet
from stringless.studio.pages import Page, Pages
from stringless.studio.publishing import Publisher

MOST_NOTICES = 10
"""Kept for whoever comes first."""


class Teller:
    """Knows what pages were told last."""

    def __init__(self, outlet: Outlet, pages: Pages, publisher: Publisher) -> None:
        """Nothing was told yet."""
        self.outlet, self.pages, self.publisher = outlet, pages, publisher
        self._logbook: Logbook | None = None
        self._scene: Scene | None = None
        self._document: Document | None = None
        self._revision = 0
        self._seen: Any = None
        self._notices: list[Notice] = []

    @property
    def next_epoch(self) -> int:
        """A number that no scene had before."""
        return 1 if self._scene is None else self._scene.epoch + 1

    def say_all(self, message: Message) -> None:
        """Say something to every page that knows what is open; the others will be told the whole."""
        pages = self.pages.all
        if all(page.greeted for page in pages):
            self.outlet.say(None, message)
            return
        for page in pages:
            if page.greeted:
                self.outlet.say(page.number, message)

    def notice(self, level: Any, text: str, offer: OfferInfo | None = None) -> None:
        """Something that people should read, now or when they come."""
        message = Notice(level, text, offer)
        if any(page.greeted for page in self.pages.all):
            self.say_all(message)
        else:
            self._notices = [*self._notices, message][-MOST_NOTICES:]

    def greet(self, page: Page, desk: Desk | None) -> None:
        """Tell a page that has come everything."""
        page.greeted = True
        for message in self._notices:
            self.outlet.say(page.number, message)
        self._notices.clear()
        if desk is None or self._logbook is None:
            return
        for message in (self._scene, self._document, Log(list(self._logbook.lines), reset=True)):
            if message is not None:
                self.outlet.say(page.number, message)
        self.publisher.forget_page(page.number)
        self.publisher.frame(desk, again=True)

    def open(self, desk: Desk) -> None:
        """Tell everybody that something else is open; if it is the same in another file, pages go on with its scene."""
        self._logbook = Logbook(desk.project)
        self._document = self._seen = None
        if self._scene is None or self._scene.epoch != desk.epoch:
            self._tell_scene(desk)
        else:
            self.publisher.reset()
        self.tell_changes(desk)
        self.say_all(Log(list(self._logbook.lines), reset=True))

    def tell_scene(self, desk: Desk) -> None:
        """Say so if another scene is looked at."""
        if desk.notice_scene():
            self._tell_scene(desk)

    def _tell_scene(self, desk: Desk) -> None:
        self._scene = describe_scene(desk.scene, desk.epoch)
        self.say_all(self._scene)
        self.publisher.reset()

    def tell_changes(self, desk: Desk) -> None:
        """Say what has changed: the scene, the document, the log."""
        self.tell_scene(desk)
        seen = _sign(desk)
        if seen == self._seen:
            return
        self._seen = seen
        document = describe_document(desk, self._revision)
        if self._document is None or _settled(document, desk) != _settled(self._document, desk):
            self._revision += 1
            self._document = msgspec.structs.replace(document, revision=self._revision)
            self.say_all(self._document)
        assert self._logbook is not None
        lines = self._logbook.news(resting=desk.player.mode != "live")
        if lines:
            self.say_all(Log(lines))


def _sign(desk: Desk) -> Any:
    """Looks different whenever the document may have changed; found without writing it."""
    project, sim, player = desk.project, desk.project.sim, desk.player
    return (
        desk.epoch, project.store.journal_length, project.history.done[-1:], player.lane, player.mode, id(sim.config),
        id(sim.flesh), desk.hands.goals, len(project.take.branches), player.mode != "live" and project.position,
    )  # fmt: skip


def _settled(document: Document, desk: Desk) -> Document:
    """A document without what changes all the time: its own number, and where a lane ends that is being recorded."""
    if desk.player.mode != "live":
        return msgspec.structs.replace(document, revision=0)
    growing = desk.project.take.current
    lanes = [msgspec.structs.replace(lane, end=0.0) if lane.id == growing else lane for lane in document.lanes]
    return msgspec.structs.replace(document, revision=0, lanes=lanes)
