"""How it stands: what a page shows of time, speed and troubles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from stringless.engines import AdaptiveEngine
from stringless.engines.adaptive.rows import OUT, SEEN
from stringless.studio import showing
from stringless.studio.desk import Desk
from stringless.studio.frames import unpack_bits
from stringless.studio.jobs import Jobs
from stringless.studio.messages import DetailInfo, Preparation, Status
from stringless.studio.pages import Pages
from stringless.studio.publishing import Publisher


def empty_status(pages: Pages, jobs: Jobs, preparing: Preparation | None) -> Status:
    """While nothing is open."""
    return Status(
        mode="paused", time=0.0, lane=None, present=True, stale=False, rate=0.25, begin=0.0, end=0.0, loop=False,
        range=None, real_time=0.0, frames=0.0, latency=-1.0, director=pages.director, pages=len(pages.all), posing=False,
        auto_key=False, preparing=preparing, trouble="", at_limits={}, saturated=0, detail=None, jobs=jobs.infos,
    )  # fmt: skip


def describe_status(desk: Desk, publisher: Publisher, pages: Pages, jobs: Jobs) -> Status:
    """How it stands now."""
    player, project = desk.player, desk.project
    sim, take = project.sim, project.take
    lane = player.lane
    limits, saturated = _held_back(desk)
    return Status(
        mode=player.mode,
        time=player.time,
        lane=lane,
        present=player.at_present,
        stale=publisher.is_stale(desk),
        rate=player.clock.rate if math.isfinite(player.clock.rate) else -1.0,
        begin=take.begin(lane) if lane is not None else sim.time,
        end=max(take.end(lane), sim.time if player.at_present else 0.0) if lane is not None else sim.time,
        loop=player.loop,
        range=player.range,
        real_time=desk.real_time,
        frames=0.0,
        latency=publisher.latency,
        director=pages.director,
        pages=len(pages.all),
        posing=desk.posing is not None,
        auto_key=desk.auto_key,
        preparing=desk.kernels.preparing,
        trouble=player.trouble,
        at_limits=limits,
        saturated=saturated,
        detail=describe_detail(desk),
        jobs=jobs.infos,
    )


def describe_detail(desk: Desk) -> DetailInfo | None:
    """How much of the characters moves, and what that costs; None unless the engine is adaptive."""
    sim = desk.project.sim
    if not isinstance(sim.engine, AdaptiveEngine):
        return None
    trees = sim.engine.tables.trees
    joints = trees["joints"]
    frame = None if desk.player.at_present else desk.player.frame
    moving = int(unpack_bits(showing.moving(desk.painter, sim, frame), sim.model.body_count).sum())
    return DetailInfo(
        moving=moving,
        joints=int(joints.sum()),
        most=int(joints.max(initial=0)),
        characters=int(np.count_nonzero(joints)),
        error=-1.0 if sim.config.max_error is None else _known_error(sim.held_errors),
        step=desk.gauge.step,
        whole=desk.gauge.whole,
        follows=desk.follows_view,
        asleep=sim.asleep if desk.player.at_present else 0,
        **_by_distance(desk),
    )


def _known_error(errors: dict[str, float | None]) -> float:
    """Of all characters whose error is known, together; -1 if none is."""
    known = [error for error in errors.values() if error is not None]
    return sum(known) if known else -1.0


def _by_distance(desk: Desk) -> dict[str, int]:
    """Joints that move of who is seen largest and smallest, and how many are not seen at all."""
    sim = desk.project.sim
    unknown = {"near": -1, "far": -1, "hidden": 0}
    if not isinstance(sim.engine, AdaptiveEngine) or sim.config.view is None or not desk.player.at_present:
        return unknown
    trees = sim.engine.tables.trees
    shares = sim.state.kept[trees["root"], SEEN]
    seen = np.flatnonzero((shares > 0.0) & (trees["joints"] > 0))
    hidden = int(np.count_nonzero(shares == OUT))
    if not len(seen):
        return unknown | {"hidden": hidden}
    chosen = np.flatnonzero(sim.moving_joints & desk.painter.choosable)
    counts = np.bincount(np.searchsorted(trees["root"], sim.model.tree["root"][chosen]), minlength=len(trees))
    order = seen[np.argsort(shares[seen], kind="stable")]
    return {"near": int(counts[order[-1]]), "far": int(counts[order[0]]), "hidden": hidden}


def standing(desk: Desk) -> Any:
    """What a page decides by: what its buttons offer, and what its keys mean."""
    player = desk.player
    return (
        player.mode,
        player.lane,
        player.at_present,
        player.loop,
        desk.posing is not None,
        desk.auto_key,
        player.trouble,
    )


def _held_back(desk: Desk) -> tuple[dict[str, str], int]:
    """Joints that limits hold back, and how many actuators give all they can."""
    sim = desk.project.sim
    if not sim.is_directed or not desk.player.at_present:
        return {}, 0
    reports = [sim.director.report(actor.index) for actor in sim.director.cast]
    limits = {name: side for report in reports for name, side in report["at_limits"].items()}
    return limits, sum(report["saturated"] for report in reports)
