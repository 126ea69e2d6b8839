"""The solve of the default update with Lagrange multipliers: what `kernels_solve.solve_condensed` does, by block factorisation.

Poses come from joint coordinates, so all joints are whole and their rows ask for nothing but `J V = 0`. Efforts and inertias
of coordinates are those in `dof_work`, momenta those that the bodies have kept: the same linear system as the condensed one,
with its constraints multiplied instead of eliminated. With exact slopes, the springs and limits of the model get their true,
unsymmetric derivatives in place of the plain ones.
"""

from __future__ import annotations

from stringless.engines.stiff.kernels_momentum import own_center
from stringless.engines.stiff.reference.kernels_assembly import close_nodes, open_nodes
from stringless.engines.stiff.reference.kernels_joint_forces import EXACT, PLAIN, add_outer, clear_forces, load_joint
from stringless.engines.stiff.reference.kernels_joint_rows import set_rows
from stringless.engines.stiff.reference.kernels_maximal import relative_motion, solve_blocks, store_efforts
from stringless.engines.stiff.reference.kernels_pairs import MOVE, SPIN, along, put_axis, relate, set_axes, store_row
from stringless.flesh.kernels_motion import copy_rows, copy_table
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

BALL = registry.BALL


@kernel(inline=True)
def store_body(tree, i, body_work, bodies_out):
    """Row of body i (`pairs.POSE_ROW`) from the work table of the recursions."""
    work = body_work[i]
    R = mat3.load(work.R, 0)
    c = mat3.transform(R, own_center(tree[i]))
    w = vec3.load(work.V, 0)
    v = vec3.add(vec3.load(work.V, 3), vec3.cross(w, c))
    store_row(vec3.add(vec3.load(work.p, 0), c), rotation.to_quaternion(R), w, v, bodies_out[i])


@kernel(inline=True)
def copy_axes(tree, i, dof_work, pair_work):
    """Directions of a limited ball joint, whose limits may have chosen other axes: dual to those, `a x b / (a x b · c)`."""
    row = tree[i]
    if row.kind == BALL and row.nl > 0:
        a, b = vec3.load(dof_work[row.v0].a, 0), vec3.load(dof_work[row.v0 + 1].a, 0)
        c = vec3.load(dof_work[row.v0 + 2].a, 0)
        s = 1.0 / vec3.dot(vec3.cross(a, b), c)
        put_axis(0, True, vec3.scale(s, vec3.cross(b, c)), pair_work[i])
        put_axis(1, True, vec3.scale(s, vec3.cross(c, a)), pair_work[i])
        put_axis(2, True, vec3.scale(s, vec3.cross(a, b)), pair_work[i])


@kernel(inline=True)
def load_given(tree, i, h, dof_work, pair_work):
    """Push and inertia of the joint's pair from the efforts and inertias of its coordinates."""
    row, pair = tree[i], pair_work[i]
    V_w, V_v = vec3.load(pair.V, 0), vec3.load(pair.V, 3)
    clear_forces(pair)
    for k in range(row.nv):
        dof = dof_work[row.v0 + k]
        impulse = h * dof.tau + dof.arm * along(pair.duals, k, V_w, V_v)
        for n in range(6):
            pair.push[n] += impulse * pair.duals[6 * k + n]
        add_outer(dof.arm, pair.duals, 6 * k, pair.Z)


@kernel(inline=True)
def make_exact(skeleton, i, state, inputs, settings, limit_states, work):
    """Take the plain slopes of the model's springs and limits back; `joint_slopes` puts the exact ones in their place."""
    pair, pad = work.pairs[i], work.pad
    copy_rows(pair.push, pad[0, 0])
    copy_table(pair.Z, pad[1])
    load_joint(skeleton, i, state, inputs, settings, PLAIN, limit_states, work)
    for n in range(6):
        for m in range(6):
            pad[1, n, m] -= pair.Z[n, m]
    load_joint(skeleton, i, state, inputs, settings, EXACT, limit_states, work)
    copy_rows(pad[0, 0], pair.push)
    for n in range(6):
        for m in range(6):
            pair.Z[n, m] += pad[1, n, m]


@kernel(inline=True)
def store_accelerations(skeleton, i, h, dof_work, maximal_work, body_work, vdot_out):
    """Accelerations of body i and its joint in the work table and in `vdot_out`, from the velocities of the solution."""
    pair, x, before = maximal_work.pairs[i], maximal_work.x, maximal_work.bodies[i]
    row, work, gravity = skeleton.tree[i], body_work[i], skeleton.gravity
    s = 1.0 / h
    w, v = vec3.load(x[2 * i + 1], 0), vec3.load(x[2 * i + 1], 3)
    w = vec3.subtract(w, vec3.load(before, SPIN))
    v = vec3.add(vec3.subtract(v, vec3.load(before, MOVE)), vec3.cross(w, vec3.load(pair.r_c, 0)))
    vec3.store(work.A, 0, vec3.scale(s, w))
    vec3.store(work.A, 3, vec3.subtract(vec3.scale(s, v), (gravity[0], gravity[1], gravity[2])))
    w, v = relative_motion(skeleton.tree, i, x, pair)
    w, v = vec3.subtract(w, vec3.load(pair.V, 0)), vec3.subtract(v, vec3.load(pair.V, 3))
    copy_axes(skeleton.tree, i, dof_work, maximal_work.pairs)
    for k in range(row.nv):
        vdot_out[row.v0 + k] = s * along(pair.duals, k, w, v)


@kernel
def solve_multiplied(skeleton, state, momenta, inputs, forces, settings, maximal_work, step_work, vdot_out, effort_out):
    """Accelerations of all joints over the step; those of bodies, offset by -g, stay in the work table.

    It reads and leaves what `solve_condensed` does; `step_work` is the scratch of the step. The slope is PLAIN or EXACT; the
    latter also reads the model's springs and limits, and needs room for general blocks.
    """
    tree, h, work, body_work, dof_work = skeleton.tree, settings.dt, maximal_work, step_work.bodies, step_work.dofs
    is_exact, prescribed = settings.slope == EXACT, inputs.prescribed
    for i in range(tree.shape[0]):
        store_body(tree, i, body_work, work.bodies)
        relate(tree, i, work.bodies, work.pairs)
        set_rows(tree, i, work.pairs)
        for n in range(work.pairs[i].rows):
            work.pairs[i].value[n] = 0.0
        open_nodes(skeleton, i, state, momenta, inputs, forces, settings, work)
        copy_axes(tree, i, dof_work, work.pairs)
        load_given(tree, i, h, dof_work, work.pairs)
        if is_exact:
            set_axes(tree, i, work.pairs)
            make_exact(skeleton, i, state, inputs, settings, step_work.limits, work)
        close_nodes(tree, i, state, settings, work)
    solve_blocks(work)
    if prescribed.shape[0] > 0:
        store_efforts(tree, prescribed, work.x, h, work.pairs, effort_out)
    for i in range(tree.shape[0]):
        store_accelerations(skeleton, i, h, dof_work, work, body_work, vdot_out)
