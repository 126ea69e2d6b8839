"""Directing: which page does, what follows its view, poses and keys; and the motion editor beside its commands."""

from typing import Any

from stringless.engines import Feature
from stringless.errors import InputError
from stringless.studio.actions.registry import Session, action
from stringless.studio.pose_draft import PoseDraft
from stringless.studio.session_state import SessionState


@action(for_all=True)
def direct(session: Session, page: int, **joints: Any) -> None:
    """Let this page direct from now on; with `joints` or `character`, let the director have those, as the command does."""
    if joints:
        session.require_director(page)
        session.require_state().run_command("direct", joints)
        return
    former = session.pages.director
    if former is not None and former != page and session.state is not None:
        session.state.release_page(former)
    session.pages.set_director(page)


@action()
def follow_view(session: Session, state: SessionState, on: bool = True) -> None:
    """Activate joints where the page that directs sees them, with engine `adaptive`, or alike everywhere."""
    state.project.sim.engine.require(Feature.LEVEL_OF_DETAIL)
    state.follows_view = on
    state.set_view(session.pages.view)


@action()
def begin_pose(state: SessionState, character: str | int | None = None) -> None:
    """Begin a pose of a character: hands now move a ghost of it by its bones."""
    pose = PoseDraft(state.project.sim, character, state.q.copy())
    state.hands.release_all()
    if state.player.mode != "paused":
        state.player.pause()
    state.pose = pose


@action()
def end_pose(state: SessionState, keep: str = "key", time: float | None = None) -> Any:
    """End the pose and make a key of it, at the time looked at if no other is given, or a goal, or nothing."""
    pose, result = state.require_pose(), None
    if keep == "key":
        result = state.set_key(pose.character, pose.q, time)
    elif keep == "goal":
        with state.at_shown_time() as project:
            result = project.do("goal", kind="pose", pose=pose.list_values())
    elif keep != "none":
        raise InputError(f"a pose can be kept as 'key', 'goal' or 'none'; found {keep!r}")
    state.pose = None
    return result


@action()
def auto_key(state: SessionState, on: bool) -> None:
    """Choose whether every change of a pose sets a key by itself."""
    state.auto_key = on


@action()
def key(state: SessionState, character: str | int | None = None, time: float | None = None) -> dict[str, int]:
    """Set a key of the pose that is looked at, on a track that is made if there is none."""
    if state.pose is not None and character is None:
        return state.keep_key(time)
    index = state.project.sim.director.find_character(character)
    return state.set_key(index, state.q, time)


@action(for_all=True)
def edit_prepare(session: Session, state: SessionState) -> bool:
    """Compile what the motion editor needs, before it is needed; whether that is done already."""
    session.editing.prepare(state)
    return session.editing.kernels.is_ready


@action()
def edit_stop(state: SessionState) -> None:
    """Stop the search: the motion stays as it was found so far."""
    state.workspace.search.stop()
