"""The step of the stiff engine, from top to bottom (docs/theory/stiff.md, section 1).

poses -> joint forces, forces on bodies, one solve for the end velocities -> check -> report -> momenta -> joint coordinates ->
poses rebuilt. Flesh is a phase that may be absent: it walks through the step in short parts while the solve is repeated, and
is carried along when the bones go on.
"""

from __future__ import annotations

from stringless.engines.stiff.kernels_flesh import attach_flesh, detach_flesh, solve_with_flesh
from stringless.engines.stiff.kernels_momentum import start_momenta
from stringless.engines.stiff.kernels_step import (
    copy_state,
    find_velocities,
    follow_path,
    move_bodies,
    report_step,
    update_bodies,
)
from stringless.flesh.kernels_motion import copy_rows
from stringless.jit import kernel


@kernel
def run_stiff(model, state, inputs, goals, settings, is_start, steps, time, work, flesh_work, result_out):
    """Advance the state in place by `steps` implicit steps; `flesh_work` is None for models without flesh.

    `is_start` says that the momenta are not known yet and follow from q and v. Returns the steps done, the time reached, the
    coordinate and the node that diverged (-1 if none did): the state is then that of the last good step.
    """
    copy_rows(inputs.vdot, work.vdot)
    for step in range(steps):
        copy_state(state, work.saved)
        update_bodies(model.skeleton, state.q, state.v, work.bodies, work.dofs)
        if is_start and step == 0:
            start_momenta(model.skeleton.tree, work.bodies, state.momenta)
        follow_path(model.skeleton.tree, state, inputs, settings.dt, step, work)
        if flesh_work is None:
            found = find_velocities(model, state, inputs, inputs.external, goals, settings, time, work, result_out)
        else:
            found = solve_with_flesh(model, state, inputs, goals, settings, time, work, flesh_work, result_out)
        if found.coordinate >= 0 or found.node >= 0:
            copy_state(work.saved, state)
            return step, time, found.coordinate, found.node
        report_step(model, found, goals, settings.dt, time, work, state, result_out)
        if flesh_work is not None:
            detach_flesh(model, settings.dt, work, flesh_work, state)
        move_bodies(model, found, inputs, settings, flesh_work is None, work, state, result_out)
        if flesh_work is not None:
            attach_flesh(model, work, flesh_work, state)
        time += settings.dt
    return steps, time, -1, -1
