from stringless.contact.kernels_step import flesh_forces as old_forces
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
