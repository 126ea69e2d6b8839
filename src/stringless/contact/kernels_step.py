"""All contact of one step: points against obstacles, skin against skin, calm landings.

The tables travel as two tuples, `ContactTables.touching` and the scratch that `contact_work` makes.
"""

from __future__ import annotations

from stringless.contact.kernels import contact_forces, place_obstacles
from stringless.contact.kernels_landing import calm
from stringless.contact.kernels_probes import place_probes, probe_forces
from stringless.contact.kernels_skin import skin_forces
from stringless.flesh.kernels_elastic import elastic_forces
from stringless.flesh.kernels_motion import carry, clear, damp, pass_on
from stringless.jit import kernel
from stringless.spatial import mat3


@kernel
def all_contact_forces(
    tree, nodes, vertices, touching, bare_too, x, xdot, h, gains, body_work, contact_work, anchors_out, f_out, wrench_out,
    touch_out, counts_out,
):  # fmt: skip
    """Add all forces of contact to nodes and bones; count the points that touch obstacles and those that touch skin.

    `touch_out` gets the force on every point, of all it touches: summed over a character, what the others do to it. What
    obstacles do to bodies without flesh is left to others unless `bare_too`.
    """
    obstacles, probes, meshes, near, landing, regions, members, pairs, triangles = touching
    obstacle_work, stack_work, landing_work, point_work, box_work, hit_work, _, moment_work = contact_work
    skin = vertices.shape[0]
    place_obstacles(obstacles, body_work, obstacle_work)
    counts_out[1] = contact_forces(
        vertices, obstacles, meshes, near, x, xdot, h, gains, pairs.shape[0] > 0, body_work, obstacle_work, stack_work,
        anchors_out, f_out, touch_out, point_work, wrench_out,
    )  # fmt: skip
    if bare_too:
        counts_out[1] += probe_forces(
            tree, probes, obstacles, meshes, h, gains, body_work, obstacle_work, stack_work, anchors_out[skin:],
            touch_out[skin:], point_work[skin:], moment_work, wrench_out,
        )  # fmt: skip
    else:
        place_probes(probes, body_work, point_work[skin:])
        clear(touch_out[skin:])
    counts_out[2] = skin_forces(
        vertices, probes, regions, members, pairs, triangles, point_work, xdot, h, gains, body_work, box_work, hit_work,
        f_out, touch_out, moment_work, wrench_out,
    )  # fmt: skip
    if gains[2] < 1.0 and counts_out[1] > 0:
        calm(
            tree, landing, nodes, vertices, probes, x, xdot, touch_out, h, gains, body_work, landing_work, f_out,
            wrench_out,
        )  # fmt: skip


@kernel
def flesh_forces(
    tree, flesh, touching, bare_too, full, h, gains, body_work, flesh_work, contact_work, anchors_out, x_out, xdot_out, f_out,
    wrench_out, touch_out, counts_out,
):  # fmt: skip
    """Every force on nodes but gravity, and what bones feel of them: a wrench on each, about its origin along world axes.

    Fixed nodes are put on their bones first. `counts_out` gets the flagged elements, the points that touch obstacles and
    those that touch skin.
    """
    nodes, elements, materials, vertices = flesh
    flagged, F, P = flesh_work
    carry(nodes, body_work, x_out, xdot_out)
    clear(f_out)
    clear(wrench_out)
    counts_out[0] = elastic_forces(elements, materials, x_out, full, flagged, F, P, f_out)
    all_contact_forces(
        tree, nodes, vertices, touching, bare_too, x_out, xdot_out, h, gains, body_work, contact_work, anchors_out, f_out,
        wrench_out, touch_out, counts_out,
    )  # fmt: skip
    damp(nodes, x_out, xdot_out, gains[3], body_work, f_out, wrench_out)
    pass_on(nodes, x_out, f_out, body_work, wrench_out)


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
