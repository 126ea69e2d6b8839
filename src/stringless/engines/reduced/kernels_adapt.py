from stringless.contact.kernels_step import flesh_forces as old_forces
from stringless.control.kernels_balance import keep_momentum as old_keep
from stringless.control.kernels_balance import weigh_up
from stringless.control.kernels_direct import direct as old_direct
from stringless.jit import kernel


@kernel(inline=True)
def flesh_forces(
    model, state, settings, h, bare_too, body_work, elastic_work, contact_work, f_out, wrench_out, result_out
):
    old_forces(
        model.skeleton.tree,
        model.flesh,
        model.contact,
        bare_too,
        settings.full,
        h,
        settings.gains,
        body_work,
        elastic_work,
        contact_work,
        state.anchors,
        state.x,
        state.xdot,
        f_out,
        wrench_out,
        result_out.contact_forces,
        result_out.counts,
    )


@kernel(inline=True)
def direct(k, model, state, inputs, tasks, time, h, work, contact_work, director_work, result_out):
    s = model.skeleton
    old_direct(
        k,
        tasks,
        s.tree,
        s.dofs,
        s.limits,
        s.gravity,
        model.flesh.nodes,
        model.contact,
        model.point_bodies,
        result_out.contact_forces,
        inputs.prescribed,
        state.q,
        state.v,
        state.x,
        state.xdot,
        state.anchors,
        time,
        h,
        work.bodies,
        work.dofs,
        contact_work,
        director_work,
        state.memory[k],
        result_out.residual[k],
        result_out.report[k],
        work.vdot,
        result_out.effort,
    )


@kernel(inline=True)
def note_momentum(k, model, state, tasks, work, director_work):
    s = model.skeleton
    weigh_up(
        k,
        tasks,
        s.tree,
        s.dofs,
        model.flesh.nodes,
        s.gravity,
        work.wrench,
        work.f,
        state.q,
        state.v,
        state.x,
        state.xdot,
        work.bodies,
        director_work,
    )


@kernel(inline=True)
def keep_momentum(k, model, tasks, h, director_work, state, result_out):
    s = model.skeleton
    old_keep(
        k,
        tasks,
        s.tree,
        s.dofs,
        model.flesh.nodes,
        h,
        director_work,
        result_out.report[k],
        state.x,
        state.xdot,
        state.q,
        state.v,
    )
