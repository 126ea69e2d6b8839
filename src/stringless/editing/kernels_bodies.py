"""How all bodies of a tree move with each column: turn, shift, and the changes of both velocities, along world axes."""

from __future__ import annotations

from stringless.editing.kernels_lanes import get, put
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.spatial import vec3

ZERO3 = (0.0, 0.0, 0.0)


@kernel(inline=True)
def vary_joint(skeleton, i, l, v, columns, turn, shift, dof_work, da_out):
    """Turn and shift of body i over its joint, what its coordinates add to both velocities, and how its axes turn.

    An axis turns with the frame it is fixed in: the body itself where coordinates act at once, else the one before it.
    """
    row, dofs, dq = skeleton.tree[i], skeleton.dofs, columns.dq
    if row.sequential == 0:
        for d in range(row.v0, row.v0 + row.nv):
            if dofs[d].rotational == 1:
                turn = vec3.add_scaled(turn, dq[d, l], vec3.load(dof_work[d].a, 0))
    dw, dx = ZERO3, ZERO3
    for d in range(row.v0, row.v0 + row.nv):
        a = vec3.load(dof_work[d].a, 0)
        da = vec3.cross(turn, a)
        put(0, l, da, da_out[d])
        more = vec3.add(vec3.scale(columns.dv[d, l], a), vec3.scale(v[d], da))
        if dofs[d].rotational == 1:
            dw = vec3.add(dw, more)
            if row.sequential == 1:
                turn = vec3.add_scaled(turn, dq[d, l], a)
        else:
            dx = vec3.add(dx, more)
            shift = vec3.add_scaled(shift, dq[d, l], a)
    return turn, shift, dw, dx


@kernel
def vary(skeleton, q, v, columns, work, bodies_out):
    """Columns of poses and velocities of all bodies, from those of the joints and of the place of the root.

    `x_i = x_p + r_i`, `v_i = v_p + w_p x r_i` and what slides; a turn of the place turns all about it.
    """
    tree, da_out = skeleton.tree, bodies_out.da
    motions(tree, skeleton.dofs, q, v, work.bodies, work.dofs)
    for i in range(tree.shape[0]):
        p = tree[i].parent
        body = work.bodies[i]
        for l in range(columns.dq.shape[1]):
            if p < 0:
                arm = vec3.subtract(vec3.load(body.p, 0), vec3.load(tree[i].p, 0))
                turn = get(columns.place, 0, l)
                shift = vec3.add(get(columns.place, 3, l), vec3.cross(turn, arm))
                turn, shift, dw, dx = vary_joint(skeleton, i, l, v, columns, turn, shift, work.dofs, da_out)
            else:
                r = vec3.load(body.r, 0)
                turn, before = get(bodies_out.turn[p], 0, l), get(bodies_out.shift[p], 0, l)
                shift = vec3.add(before, vec3.cross(turn, r))
                turn, shift, dw, dx = vary_joint(skeleton, i, l, v, columns, turn, shift, work.dofs, da_out)
                carried = get(bodies_out.dw[p], 0, l)
                dx = vec3.add(dx, vec3.add(get(bodies_out.dv[p], 0, l), vec3.cross(carried, r)))
                dx = vec3.add(dx, vec3.cross(vec3.load(work.bodies[p].V, 0), vec3.subtract(shift, before)))
                dw = vec3.add(dw, carried)
            put(0, l, turn, bodies_out.turn[i])
            put(0, l, shift, bodies_out.shift[i])
            put(0, l, dw, bodies_out.dw[i])
            put(0, l, dx, bodies_out.dv[i])
