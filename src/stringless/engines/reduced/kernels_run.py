"""Many steps: `pipeline` walked again and again, with steps divided where they need it and taken back where they fail."""

from __future__ import annotations

from stringless.engines.reduced.kernels_step import find_diverged, follow_targets, set_product_velocities
from stringless.engines.reduced.kernels_substeps import (
    copy_motion,
    copy_results,
    count_halvings,
    divide_step,
    note_division,
)
from stringless.engines.reduced.pipeline import find_accelerations, integrate
from stringless.flesh.kernels_motion import copy_rows
from stringless.jit import kernel


@kernel
def run_reduced(model, state, inputs, tasks, settings, steps, time, last, work, phases_work, result_out):
    """Advance the state in place by `steps` steps; `last` is the length of the step before them, 0 at a start.

    Returns the steps done, the time reached, the length of the last part, the coordinate and the node that diverged (-1 if
    none did): the state is then that of the last good step.
    """
    for step in range(steps):
        copy_results(state, result_out.effort, phases_work.director, work.saved, work.effort)
        before, halvings, part = last, settings.coarse, 0
        while part < 1 << halvings:
            span = divide_step(settings.dt, halvings, last, phases_work.director)
            set_product_velocities(state, span, work)
            follow_targets(model.skeleton.tree, inputs, step, (1 << halvings) - part, span, state, work)
            find_accelerations(model, state, inputs, tasks, settings, span, time, work, phases_work, result_out)
            bad, lost = find_diverged(model.skeleton, model.flesh, state, span, settings.max_speed, work)
            if part == 0 and halvings < settings.finest:
                more = count_halvings(model.skeleton, model.flesh, model.sizes, state, span.h, work)
                if more > 0:  # begin again with shorter parts
                    halvings = min(halvings + more, settings.finest)
                    copy_rows(work.saved.anchors, state.anchors)
                    continue
            if part == 0 and halvings > 0:
                copy_motion(state, work.saved)
            if bad >= 0 or lost >= 0:
                copy_results(work.saved, work.effort, phases_work.director, state, result_out.effort)
                if part > 0:
                    copy_motion(work.saved, state)
                return step, time, before, bad, lost
            integrate(model, tasks, span, work, phases_work, state, result_out)
            last, part = span.h, part + 1
        note_division(halvings, result_out.split)
        time += settings.dt
    return steps, time, last, -1, -1
