"""All contact of one step: points against obstacles, skin against skin, restitution; and all forces of the flesh.

Both phases are folded into the step of an engine, for which records pass for nothing. `model`, `state`, `settings` and
`result_out` are the engine's own: `model` has `skeleton`, `flesh` and `contact`, `state` has `x`, `xdot` and `anchors`,
`settings` has `gains` and `full`, `result_out` has `contact_forces` and `counts`.
"""

from stringless.contact.kernels import add_obstacle_forces, transform_obstacles
from stringless.contact.kernels_restitution import add_restitution
from stringless.contact.kernels_samples import add_sample_forces, transform_samples
from stringless.contact.kernels_skin import add_skin_forces
from stringless.contact.records import RESTITUTION, ContactForces, ContactSettings, ContactState
from stringless.flesh.kernels_elastic import elastic_forces
from stringless.flesh.kernels_motion import carry, clear, push_bones
from stringless.jit import kernel
from stringless.spatial import mat3


@kernel(inline=True)
def add_contact_forces(model, state, settings, h, bare_too, body_work, contact_work, f_out, wrench_out, result_out):
    """Add all forces of contact to nodes and bones; count the points in contact with obstacles and those in contact with skin.

    `result_out.contact_forces` gets the force on every point, of all it touches: summed over a character, what the others do
    to it. What obstacles do to bodies without flesh is left to others unless `bare_too`.
    """
    tree, contact, vertices = model.skeleton.tree, model.contact, model.flesh.vertices
    skin, counts = vertices.shape[0], result_out.counts
    ours = ContactSettings(h, settings.gains)
    moving, forces = (
        ContactState(state.x, state.xdot, state.anchors),
        ContactForces(result_out.contact_forces, wrench_out),
    )
    transform_obstacles(contact.obstacles, body_work, contact_work.obstacles)
    counts[1] = add_obstacle_forces(vertices, contact, ours, body_work, contact_work, moving, f_out, forces)
    if bare_too:
        counts[1] += add_sample_forces(skin, tree, contact, ours, body_work, contact_work, moving, forces)
    else:
        transform_samples(contact.samples, body_work, contact_work.points[skin:])
        clear(forces.points[skin:])
    counts[2] = add_skin_forces(vertices, contact, state.xdot, ours, body_work, contact_work, f_out, forces)
    if settings.gains[RESTITUTION] < 1.0 and counts[1] > 0:
        add_restitution(
            tree,
            model.flesh,
            contact,
            moving,
            forces.points,
            ours,
            body_work,
            contact_work.restitution,
            f_out,
            wrench_out,
        )


@kernel(inline=True)
def flesh_forces(
    model, state, settings, h, bare_too, body_work, elastic_work, contact_work, f_out, wrench_out, result_out
):
    """Every force on nodes but gravity and dampers, and the reactions on bones: a wrench on each, at its origin along world axes.

    Fixed nodes are put on their bones first. `result_out.counts` gets the flagged elements, the points in contact with
    obstacles and those in contact with skin. Without flesh `elastic_work` is None, and without contact `contact_work`: what they
    are for is not compiled then.
    """
    nodes, counts = model.flesh.nodes, result_out.counts
    clear(wrench_out)
    counts[0], counts[1], counts[2] = 0, 0, 0
    if elastic_work is not None:
        carry(nodes, body_work, state.x, state.xdot)
        clear(f_out)
        flesh = model.flesh
        counts[0] = elastic_forces(flesh.elements, flesh.materials, state.x, settings.full, elastic_work, f_out)
    if contact_work is not None:
        add_contact_forces(model, state, settings, h, bare_too, body_work, contact_work, f_out, wrench_out, result_out)
    if elastic_work is not None:
        push_bones(nodes, state.x, f_out, body_work, wrench_out)


@kernel(inline=True)
def into_body_axes(external, wrench, body_work, wrench_out):
    """Wrenches of flesh and contact, along world axes, turned into the bones' frames and added to the given ones."""
    for i in range(wrench.shape[0]):
        R = mat3.load(body_work[i].R, 0)
        m = mat3.transform_back(R, (wrench[i, 0], wrench[i, 1], wrench[i, 2]))
        f = mat3.transform_back(R, (wrench[i, 3], wrench[i, 4], wrench[i, 5]))
        for k in range(3):
            wrench_out[i, k] = external[i, k] + m[k]
            wrench_out[i, k + 3] = external[i, k + 3] + f[k]
