"""The step of Hernández, Garre, Casillas & Otaduy 2011 in maximal coordinates: the readable reference of the stiff engine.

Unknown are the velocities V of all bodies at the end of the step and the impulses λ of all constraints (their eq. 3):

    A V + Jᵀ λ = b,    J V = -C/h,
    A = M - h dF/dV - h² dF/dq,    b = M V_0 + h F - h dF/dV V_0.

Bodies are taken at their centres of mass, (angular, linear) along world axes; `pairs` says how a joint sees them. The nodes
of `blocks` are, for body i, 2 i for its joint and 2 i + 1 for itself.
"""

from __future__ import annotations

import math

from stringless.engines.stiff.reference import kernels_blocks
from stringless.engines.stiff.reference.kernels_assembly import assemble
from stringless.engines.stiff.reference.kernels_conversions import see_joints
from stringless.engines.stiff.reference.kernels_pairs import TURN, along, store_row
from stringless.jit import kernel
from stringless.spatial import rotation, vec3

GENERAL = kernels_blocks.GENERAL_BLOCKS


@kernel(inline=True)
def solve_blocks(work):
    """Factor and solve: block LDU if there is room for unsymmetric blocks, else block LDLᵀ."""
    if work.blocks.shape[1] == GENERAL:
        kernels_blocks.factor_general(work.nodes, work.pad, work.blocks)
        kernels_blocks.solve_general(work.nodes, work.blocks, work.pad[2, 0], work.x)
    else:
        kernels_blocks.factor_symmetric(work.nodes, work.pad, work.blocks)
        kernels_blocks.solve_symmetric(work.nodes, work.blocks, work.pad[2, 0], work.x)


@kernel(inline=True)
def relative_motion(tree, i, x, pair):
    """Relative twist of the joint of body i in a solution x."""
    own = x[2 * i + 1]
    w = vec3.load(own, 0)
    v = vec3.add(vec3.load(own, 3), vec3.cross(w, vec3.load(pair.r_c, 0)))
    if tree[i].parent >= 0:
        other = x[2 * tree[i].parent + 1]
        w_p = vec3.load(other, 0)
        v = vec3.subtract(v, vec3.add(vec3.load(other, 3), vec3.cross(w_p, vec3.load(pair.r_p, 0))))
        w = vec3.subtract(w, w_p)
    return w, v


@kernel(inline=True)
def store_rates(tree, i, x, pair_work, v_out):
    """Velocities of the joint of body i in a solution x."""
    w, v = relative_motion(tree, i, x, pair_work[i])
    for k in range(tree[i].nv):
        v_out[tree[i].v0 + k] = along(pair_work[i].duals, k, w, v)


@kernel(inline=True)
def diverged_body(tree, x, max_speed):
    """First coordinate of the first body whose velocity is not a number or exceeds `max_speed`; -1 if there is none."""
    for i in range(tree.shape[0]):
        good = True
        for k in range(6):
            # Written so that NaN fails the comparison.
            good = good and abs(x[2 * i + 1, k]) <= (math.inf if k < 3 else max_speed)
        if not good:
            while tree[i].nv == 0 and tree[i].parent >= 0:
                i = tree[i].parent
            return tree[i].v0
    return -1


@kernel(inline=True)
def diverged(tree, dofs, x, h, max_speed, pair_work):
    """First coordinate whose speed at the end of the step is not a number or exceeds `max_speed`; -1 if there is none."""
    for i in range(tree.shape[0]):
        w, v = relative_motion(tree, i, x, pair_work[i])
        for k in range(tree[i].nv):
            d = tree[i].v0 + k
            if not abs(along(pair_work[i].duals, k, w, v)) <= (math.pi / h if dofs[d].rotational == 1 else max_speed):
                return d
    return diverged_body(tree, x, max_speed)


@kernel(inline=True)
def move_body(i, x, h, bodies_out):
    """Take the velocities of the solution and go along with them: `p += h v`, `R = exp(h w) R`."""
    body = bodies_out[i]
    w, v = vec3.load(x[2 * i + 1], 0), vec3.load(x[2 * i + 1], 3)
    step = rotation.exp_quaternion(vec3.scale(h, w))
    turned = rotation.multiply_quaternions(step, (body[TURN], body[TURN + 1], body[TURN + 2], body[TURN + 3]))
    store_row(vec3.add_scaled(vec3.load(body, 0), h, v), rotation.normalise(turned), w, v, body)


@kernel(inline=True)
def store_efforts(tree, prescribed, x, h, pair_work, effort_out):
    """Efforts that lead the prescribed coordinates: of a constraint's impulse λ the force is `-λ/h`."""
    for i in range(tree.shape[0]):
        n = pair_work[i].rows
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            effort_out[d] = 0.0
            if prescribed[d]:
                effort_out[d] = -x[2 * i, n] / h
                n += 1


@kernel
def run_bodies(skeleton, state, inputs, forces, settings, steps, time, work, effort_out):
    """Advance bodies in place by `steps` steps of the paper: each pose on its own, gaps fed back as velocities.

    `state.q` and `state.v` must hold what `joints_from_bodies` or the last step has given; all are kept in step. Velocities
    of joints are those that the step has solved for, seen from where it began: the momentum of armatures hangs on them.
    Returns the steps done, the time reached, the coordinate that diverged (-1 if none did: the state is then that of the
    last good step) and the largest gap of a joint [m].
    """
    tree, h, prescribed = skeleton.tree, settings.dt, inputs.prescribed
    worst, _ = see_joints(tree, state.bodies, work.pairs, state.q)
    for step in range(steps):
        assemble(skeleton, state, inputs, forces, settings, work)
        solve_blocks(work)
        bad = diverged(tree, skeleton.dofs, work.x, h, settings.max_speed, work.pairs)
        if bad >= 0:
            return step, time, bad, worst
        if prescribed.shape[0] > 0:
            store_efforts(tree, prescribed, work.x, h, work.pairs, effort_out)
        for i in range(tree.shape[0]):
            store_rates(tree, i, work.x, work.pairs, state.v)
            move_body(i, work.x, h, state.bodies)
        gap, _ = see_joints(tree, state.bodies, work.pairs, state.q)
        worst = max(worst, gap)
        time += h
    return steps, time, -1, worst
