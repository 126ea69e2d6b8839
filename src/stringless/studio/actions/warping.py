"""Warping: recorded commands are replayed at other times, in the background, and become a branch."""

from __future__ import annotations

from typing import Any

from stringless.errors import StringlessError
from stringless.project.commands.take import prepare_warp
from stringless.studio.actions.registry import Session, action
from stringless.studio.jobs import Job
from stringless.studio.messages import OfferInfo
from stringless.studio.session_state import SessionState
from stringless.timeline.take import Warp


@action()
def warp(
    session: Session,
    state: SessionState,
    start: float | None = None,
    end: float | None = None,
    factor: float | None = None,
    knots: list[tuple[float, float]] | None = None,
    lane: int | str | None = None,
    until: float | None = None,
    name: str = "",
) -> int:
    """Replay recorded commands at other times, as the command does, in the background; returns the number of the job.

    When it is finished, the new branch is shown from the start of the stretch on.
    """
    project = state.project
    project.edits.check_allowed("warp")
    source = project.take.branch(state.player.branch if lane is None else lane)
    if name:
        project.take.check_name(name)
    prepared = prepare_warp(project, start, end, factor, knots, source.id, until)
    # Said in full: until the branch is kept, more may be recorded, and a script must do the same again.
    last = project.take.end(source.id) if until is None else until
    stretch = {"knots": knots} if knots else {"factor": factor, "start": start, "end": end}
    arguments = {name: value for name, value in stretch.items() if value is not None}
    arguments |= {"lane": source.id, "until": last} | ({"name": name} if name else {})
    if factor is not None and end is None:
        arguments["end"] = last

    def simulate(job: Job) -> None:
        try:
            prepared.simulate(lambda share: job.report(share, f"{100 * share:.0f} %"))
        except BaseException as error:
            prepared.close()
            if isinstance(error, StringlessError):
                text = str(error)
                session.queue.put(0, lambda: session.notifier.notify("error", text))
            raise

    def keep(job: Job, _: Any) -> None:
        if job.stop.is_set():
            prepared.close()
        else:
            session.queue.put(0, lambda: _keep(session, state, prepared, arguments))

    return session.jobs.begin(f"Warping {source.name}", simulate, keep).id


def _keep(session: Session, state: SessionState, prepared: Warp, arguments: dict[str, Any]) -> None:
    """Make a branch of what was simulated, and show it, unless time passes or something else is open by now."""
    project = state.project
    if session.state is not state:
        prepared.close()
        session.notifier.notify("info", "The warped commands were dropped: something else is open by now.")
        return
    project.prepared = prepared
    try:
        lane = project.do("warp", **arguments)
    except StringlessError as error:
        session.notifier.notify("error", str(error))
        return
    finally:
        project.prepared = None
        prepared.close()
    branch = project.take.branch(lane)
    if state.player.mode == "live":
        offer = OfferInfo("Show it", "replay", {"start": branch.begin, "lane": lane})
        session.notifier.notify("info", f"The warped commands are branch '{branch.name}'.", offer)
    else:
        state.hands.release_all()
        state.player.seek(branch.begin, lane)
