"""The active region by the paper's criterion: the rates of the inactive joints (docs/theory/adaptive.md, section 3.4).

At the true state plain forward dynamics gives all accelerations, hence every metric, faster than Theorem 2 does.
"""

from __future__ import annotations

from stringless.engines.adaptive.kernels_ranking import (
    AIM_BELOW,
    LARGEST,
    RELEASE,
    STILL,
    list_selectable,
    select_with_preference,
    select_within_error,
)
from stringless.engines.adaptive.kernels_rigidification import compute_momenta
from stringless.engines.adaptive.rows import ACCELERATION, FLOATING, SELECTABLE, VELOCITY
from stringless.engines.reduced.kernels_bones import accelerate
from stringless.engines.reduced.records import Span
from stringless.jit import kernel
from stringless.model.records import Inputs


@kernel
def compute_metrics(model, v, vdot, horizon, metric_out):
    """Metric of every joint, `|√V q̇ + T √A q̈|²`: where it will be going at the next update, after the time T (eq. 3.7).

    With no acceleration that is the velocity metric of section 5.2, with no velocity T² times the acceleration metric. The
    paper ranks velocities a step ahead; then a newcomer, which starts from rest, never outruns a joint that is active already.
    """
    tree, members, weights = model.skeleton.tree, model.members, model.weights
    for i in range(tree.shape[0]):
        row = tree[i]
        metric, speed = 0.0, 0.0
        if members[i].role == SELECTABLE:
            for d in range(row.v0, row.v0 + row.nv):
                ahead = v[d] + horizon * vdot[d]
                speed += ahead * ahead
                ahead = 0.0
                for k in range(row.nv):
                    n = row.v0 + k
                    ahead += weights[d, VELOCITY, k] * v[n] + horizon * weights[d, ACCELERATION, k] * vdot[n]
                metric += ahead * ahead
        if not metric < LARGEST:
            metric = LARGEST
        metric_out[i] = 0.0 if speed < STILL else metric


@kernel
def select_joints(members, budget, max_error, metric_work, order_work, active_out):
    """Decide which joints of a tree are active; returns how many change, and the metric of the inactive ones.

    `max_error` below zero means that the budget alone counts. The active region stays as long as its error is small enough,
    unless far fewer joints would do.
    """
    count, number, inactive = list_selectable(members, metric_work, active_out, order_work)
    keep = min(budget, count)
    good = max_error >= 0.0 and number <= budget and inactive <= max_error
    stay = good and (inactive >= RELEASE * max_error or number == 0)
    if max_error >= 0.0 and not stay:
        wanted, _ = select_within_error(count, AIM_BELOW * max_error, metric_work, active_out, order_work)
        stay = good and wanted >= number
        if wanted > budget:
            select_with_preference(count, keep, active_out, order_work, metric_work)
        else:
            keep = wanted
    elif not stay and keep < count:
        select_with_preference(count, keep, active_out, order_work, metric_work)
    changes, error = 0, inactive if stay else 0.0
    if not stay:
        for k in range(count):
            i = order_work[k]
            changes += active_out[i] != (k < keep)
            active_out[i] = k < keep
            if k >= keep:
                error += metric_work[i]
    for i in range(members.shape[0]):
        if members[i].role == FLOATING and not active_out[i]:
            active_out[i] = True
            changes += 1
    return changes, error


@kernel
def select_by_motion(model, external, settings, horizon, work):
    """Select by the rates that joints would have after the horizon, in a step of that length; how many change.

    Momenta of all joints are left in the scratch.
    """
    skeleton, scratch, status = model.skeleton, work.scratch, work.status
    q, vectors, v = scratch.q, scratch.vectors, scratch.vectors.v
    absent, span = model.absent, Span(horizon, horizon, horizon)
    inputs = Inputs(absent.mask, v, absent.mask, absent.targets, vectors.tau, external)
    bodies, vdot, frequency = scratch.bodies, vectors.vdot, settings.limit_frequency
    accelerate(skeleton, q, v, v, inputs, span, frequency, bodies, scratch.dofs, vdot, vectors.effort)
    compute_metrics(model, v, vdot, horizon, scratch.scores)
    changes, status.error = select_joints(
        model.members, status.budget, status.allowed_error, scratch.scores, scratch.order, work.clusters.active
    )
    compute_momenta(skeleton, q, v, bodies, vectors.p)
    return changes
