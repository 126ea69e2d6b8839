"""The status message: time, speed and troubles of what is open."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from stringless.engines import Feature
from stringless.engines.adaptive.rows import OUTSIDE
from stringless.spatial.arrays import IntArray
from stringless.studio.builders.frame import find_moving
from stringless.studio.frames import unpack_bits
from stringless.studio.messages import DetailInfo, Status

if TYPE_CHECKING:
    from stringless.studio.session_state import SessionState


def build_status(state: SessionState, *, stale: bool, latency: float) -> Status:
    """The status message, without what concerns pages and jobs."""
    player, sim, take = state.player, state.project.sim, state.project.take
    branch = player.branch
    limits, saturated = _find_limits(state)
    return Status(
        mode=player.mode,
        time=player.time,
        lane=branch,
        present=player.at_present,
        stale=stale,
        rate=player.clock.rate if math.isfinite(player.clock.rate) else -1.0,
        begin=take.begin(branch) if branch is not None else sim.time,
        end=max(take.end(branch), sim.time if player.at_present else 0.0) if branch is not None else sim.time,
        loop=player.loop,
        range=player.range,
        real_time=state.real_time,
        latency=latency,
        posing=state.pose is not None,
        auto_key=state.auto_key,
        trouble=player.trouble,
        at_limits=limits,
        saturated=saturated,
        detail=build_detail(state),
    )


def build_detail(state: SessionState) -> DetailInfo | None:
    """Active joints and what they cost; None unless the engine has a level of detail."""
    sim = state.project.sim
    if not sim.engine.supports(Feature.LEVEL_OF_DETAIL):
        return None
    joints = sim.engine.selectable_joints()
    shown = None if state.player.at_present else state.player.frame
    known = sim.rigidification_errors.values() if sim.config.max_error is not None else ()
    errors = [error for error in known if error is not None]
    return DetailInfo(
        moving=int(unpack_bits(find_moving(state.frame_builder, sim, shown), sim.model.body_count).sum()),
        joints=int(joints.sum()),
        most=int(joints.max(initial=0)),
        characters=int(np.count_nonzero(joints)),
        error=sum(errors) if errors else -1.0,
        step=state.step_cost.step,
        whole=state.step_cost.whole,
        follows=state.follows_view,
        asleep=sim.asleep if state.player.at_present else 0,
        **_count_by_distance(state, joints),
    )


def _count_by_distance(state: SessionState, joints: IntArray) -> dict[str, int]:
    """Active joints of the characters that are seen largest and smallest, and how many are not seen at all."""
    sim = state.project.sim
    if sim.config.view is None or not state.player.at_present:
        return {"near": -1, "far": -1, "hidden": 0}
    shares, roots = sim.engine.view_shares(sim.state), np.flatnonzero(sim.model.tree["parent"] < 0)
    seen = np.flatnonzero((shares > 0.0) & (joints > 0))
    hidden = int(np.count_nonzero(shares == OUTSIDE))
    if not len(seen):
        return {"near": -1, "far": -1, "hidden": hidden}
    chosen = np.flatnonzero(sim.active_joints & state.frame_builder.selectable)
    counts = np.bincount(np.searchsorted(roots, sim.model.tree["root"][chosen]), minlength=len(roots))
    order = seen[np.argsort(shares[seen], kind="stable")]
    return {"near": int(counts[order[-1]]), "far": int(counts[order[0]]), "hidden": hidden}


def find_mode(state: SessionState) -> Any:
    """What the page's buttons and keys depend on."""
    player = state.player
    posing = state.pose is not None, state.auto_key
    return player.mode, player.branch, player.at_present, player.loop, posing, player.trouble


def _find_limits(state: SessionState) -> tuple[dict[str, str], int]:
    """Joints that are held back by limits, and the number of saturated actuators."""
    sim = state.project.sim
    if not sim.is_directed or not state.player.at_present:
        return {}, 0
    reports = [sim.director.report(character.index) for character in sim.director.characters]
    limits = {name: side for report in reports for name, side in report["at_limits"].items()}
    return limits, sum(report["saturated"] for report in reports)
