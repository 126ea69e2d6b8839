"""One step of a skeleton in flesh, and many.

kinematics -> forces (flesh, contact, dampers, springs, stops) -> dynamics of bones -> check -> integration of bones and
nodes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from stringless.contact.kernels_step import flesh_forces, into_body_axes
from stringless.engines.reduced.kernels_bones import answer, first_diverged, follow, kick_time, load_joints
from stringless.engines.reduced.kernels_substeps import halvings_wanted
from stringless.flesh.kernels_mirror import keep_mirrored
from stringless.flesh.kernels_motion import copy_rows, fall, first_lost_node
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.model.records import FleshTables


class _Tree(NamedTuple):
    tree: Any


class _Model(NamedTuple):
    skeleton: Any
    flesh: Any
    contact: Any


class _State(NamedTuple):
    x: Any
    xdot: Any
    anchors: Any


class _Settings(NamedTuple):
    gains: Any
    full: bool


class _Result(NamedTuple):
    contact_forces: Any
    counts: Any


@kernel
def forces(
    tree, dofs, limits, rest, nodes, elements, materials, vertices, touching, q, v, u, prescribed, tau,
    external, h, kick, frequency, gains, full,
    body_work, dof_work, stretch_work, elastic_work, contact_work,
    anchors_out, x_out, xdot_out, f_out, wrench_out, touch_out, counts_out,
):  # fmt: skip
    """Motions of bones and fixed nodes, and every force on bones and nodes but gravity."""
    load_joints(
        tree, dofs, limits, rest, q, v, u, prescribed, tau, h, kick, frequency, body_work, dof_work, stretch_work
    )
    flesh_forces(
        _Model(_Tree(tree), FleshTables(nodes, elements, materials, vertices), touching), _State(x_out, xdot_out, anchors_out),
        _Settings(gains, full), h, True, body_work, elastic_work, contact_work, f_out, wrench_out,
        _Result(touch_out, counts_out),
    )  # fmt: skip
    into_body_axes(external, wrench_out, body_work, wrench_out)


@kernel
def move_on(tree, dofs, nodes, gravity, u, vdot, f, h, kick, x_out, xdot_out, vdot_out, q_out, v_out):
    """Integrate bones and free nodes by one step of symplectic Euler."""
    for i in range(tree.shape[0]):
        registry.advance(tree[i], u, vdot, h, kick, q_out, v_out)
    for d in range(dofs.shape[0]):
        vdot_out[d] = vdot[d]
    fall(nodes, gravity, f, h, kick, x_out, xdot_out)
    keep_mirrored(tree, nodes, h, x_out, xdot_out)


@kernel
def copy_motion(q, v, vdot, x, xdot, q_out, v_out, vdot_out, x_out, xdot_out):
    """Copy where everything is and how it moves."""
    copy_rows(q, q_out)
    copy_rows(v, v_out)
    copy_rows(vdot, vdot_out)
    for i in range(x.shape[0]):
        for k in range(3):
            x_out[i, k] = x[i, k]
            xdot_out[i, k] = xdot[i, k]


@kernel
def run_flesh(
    tree, dofs, limits, rest, gravity, nodes, elements, materials, vertices, touching,
    prescribed, followed, targets, tau, external, h, frequency, max_speed, gains, full, steps, time,
    last, coarse, finest, sizes,
    body_work, dof_work, given_work, u_work, vdot_work, wrench_work, node_work, elastic_work,
    contact_work, anchor_work, effort_work, q_work, v_work, a_work, x_work,
    anchors_out, x_out, xdot_out, effort_out, vdot_out, q_out, v_out, touch_out, counts_out, split_out,
):  # fmt: skip
    """Advance bones and flesh in place by `steps` steps of symplectic Euler.

    A step is halved `coarse` times, and up to `finest` times where speeds or forces demand it. Returns the steps done, the
    time reached, the length of the last part, the coordinate and the node that ran away (-1 if none did): everything is
    then as it was after the last good step. `touching` and `contact_work` are the tuples of `contact.step`. `counts_out`
    gets the flagged elements, the points that touch obstacles and those that touch skin, of the last step; `split_out`
    adds up how many steps were divided and how finely.
    """
    for step in range(steps):
        before = last
        halvings, part = coarse, 0
        copy_rows(anchors_out, anchor_work)
        copy_rows(effort_out, effort_work)
        while part < 1 << halvings:
            piece = h / (1 << halvings)
            kick = kick_time(last, piece)
            for d in range(dofs.shape[0]):
                u_work[d] = v_out[d] + 0.5 * last * vdot_out[d]
            if followed.shape[0] > 0:
                ahead = ((1 << halvings) - part) * piece
                follow(tree, followed, targets[step], q_out, v_out, u_work, ahead, kick, given_work)
            forces(
                tree, dofs, limits, rest, nodes, elements, materials, vertices, touching, q_out, v_out, u_work,
                prescribed, tau, external, piece, kick, frequency, gains, full, body_work, dof_work, vdot_work, elastic_work,
                contact_work, anchors_out, x_out, xdot_out, node_work, wrench_work, touch_out, counts_out,
            )  # fmt: skip
            answer(tree, dofs, gravity, wrench_work, prescribed, given_work, body_work, dof_work, vdot_work, effort_out)
            bad = first_diverged(dofs, v_out, vdot_work, piece, kick, max_speed)
            lost = first_lost_node(nodes, node_work, xdot_out, kick, max_speed)
            if part == 0 and halvings < finest:
                more = halvings_wanted(
                    dofs, nodes, sizes, gravity, v_out, vdot_work, node_work, xdot_out, piece, body_work
                )  # fmt: skip
                if more > 0:
                    # Begin again with shorter parts, from the same anchors.
                    halvings = min(halvings + more, finest)
                    copy_rows(anchor_work, anchors_out)
                    continue
            if part == 0 and halvings > 0:
                copy_motion(q_out, v_out, vdot_out, x_out, xdot_out, q_work, v_work, a_work, x_work[0], x_work[1])
            if bad >= 0 or lost >= 0:
                copy_rows(anchor_work, anchors_out)
                copy_rows(effort_work, effort_out)
                if part > 0:
                    copy_motion(q_work, v_work, a_work, x_work[0], x_work[1], q_out, v_out, vdot_out, x_out, xdot_out)
                return step, time, before, bad, lost
            move_on(
                tree, dofs, nodes, gravity, u_work, vdot_work, node_work, piece, kick, x_out, xdot_out, vdot_out, q_out, v_out
            )  # fmt: skip
            last = piece
            part += 1
        if halvings > 0:
            split_out[0] += 1
            split_out[1] = max(split_out[1], halvings)
        time += h
    return steps, time, last, -1, -1
