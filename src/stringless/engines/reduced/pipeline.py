"""The step of the reduced engine, from top to bottom (Kim & Pollard 2008).

docs/theory/articulated.md, sections 3, 6 and 7; docs/theory/flesh.md, section 5; docs/theory/control.md, section 1.

kinematics and joint forces -> flesh and contact -> dynamics -> director -> dampers -> integration. The dynamics are solved once,
for zero command; what the director's command adds is linear. `kernels_run` divides steps and takes back those that fail.
"""

from __future__ import annotations

from stringless.engines.reduced.kernels_bones import load_joints
from stringless.engines.reduced.kernels_step import (
    apply_surroundings,
    direct_characters,
    keep_momenta,
    move_bones,
    move_nodes,
    settle_flesh_dampers,
    solve_bones,
)
from stringless.jit import kernel


@kernel(inline=True)
def find_accelerations(model, state, inputs, tasks, settings, span, time, work, phases_work, result_out):
    """Accelerations of bodies and forces on nodes, from where everything is and how it moves."""
    bones, frequency = model.skeleton, settings.limit_frequency
    load_joints(
        bones, state.q, state.v, work.u, inputs, span, frequency, work.bodies, work.dofs, phases_work.dampers, work.vdot
    )
    apply_surroundings(
        model, state, inputs, settings, span.h, work, phases_work.elastic, phases_work.contact, result_out
    )
    solve_bones(model, state, inputs, settings, span, work, phases_work, result_out)
    direct_characters(
        model, state, inputs, tasks, time, span.h, work, phases_work.contact, phases_work.director, result_out
    )
    settle_flesh_dampers(model, state, settings, span, work, phases_work.dampers)


@kernel(inline=True)
def integrate(model, tasks, span, work, phases_work, state, result_out):
    """Symplectic Euler: velocities first, then the way they go."""
    move_bones(model.skeleton, span, work, state)
    move_nodes(model.skeleton, model.flesh, span, work, state)
    keep_momenta(model, tasks, span.h, phases_work.director, state, result_out)
