"""Restitution of flesh: while a character presses on what it stands on, its flesh is damped against its bones.

Most of what makes an impact bounce is stored in the flesh, not in the contact springs. The damping acts on what a node
does beyond the mean turning of its bone's flesh about the bone's centre of mass. So a force acts on the bone through its
centre and no moment: a thin bone weighs next to nothing against the rolling of the flesh around it, and a damper that
firm would shake it.
"""

import math

import numpy as np

from stringless.contact.kernels import point_velocity
from stringless.contact.records import RESTITUTION
from stringless.flesh.kernels_motion import add_row3, push_bone, row3
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

MOST_LOST = 0.5
"""Most that the speed of a node against its bone loses in a step."""
FULL_LOAD = 0.25
"""Share of a character's weight that it must press with for the full damping."""

RESTITUTION_ROW = np.dtype(
    [
        ("weight", np.float64),  # of the tree that the body belongs to, flesh included [N]
        ("most", np.float64),  # most that the speed of this bone's flesh may lose in a step and stay stable
    ],
    align=True,
)
RESTITUTION_WORK = np.dtype(
    [
        ("load", np.float64),  # sum of contact forces on the tree, at its root [N]
        ("c", np.float64, (3,)),  # centre of mass of the bone, in the world [m]
        ("L", np.float64, (3,)),  # angular momentum of its flesh against it, about that centre [kg·m²/s]
        ("I", np.float64, (6,)),  # inertia of its flesh: xx, yy, zz, xy, xz, yz [kg·m²]
        ("w", np.float64, (3,)),  # mean turning of its flesh [rad/s]
    ],
    align=True,
)


@kernel(inline=True)
def node_slip(node, x, xdot, body_work, restitution_work):
    """Arm from the bone's centre of mass, and velocity against the bone, of a node."""
    arm = vec3.subtract(x, vec3.load(restitution_work[node.bone].c, 0))
    return arm, vec3.subtract(xdot, point_velocity(node.bone, x, body_work))


@kernel(inline=True)
def add_inertia(mass, arm, I_out):
    """Add the inertia of a point."""
    x, y, z = arm
    I_out[0] += mass * (y * y + z * z)
    I_out[1] += mass * (x * x + z * z)
    I_out[2] += mass * (x * x + y * y)
    I_out[3] -= mass * x * y
    I_out[4] -= mass * x * z
    I_out[5] -= mass * y * z


@kernel(inline=True)
def sum_loads(tree, vertices, samples, forces, body_work, restitution_work):
    """Contact forces on each tree; centres of mass of the bones; nothing else yet."""
    for i in range(tree.shape[0]):
        work = restitution_work[i]
        work.load = 0.0
        c = vec3.load(body_work[i].p, 0)
        if tree[i].mass > 0.0:
            arm = mat3.transform(mat3.load(body_work[i].R, 0), vec3.load(tree[i].h, 0))
            c = vec3.add_scaled(c, 1.0 / tree[i].mass, arm)
        vec3.store(work.c, 0, c)
        vec3.store(work.L, 0, (0.0, 0.0, 0.0))
        for k in range(6):
            work.I[k] = 0.0
    skin = vertices.shape[0]
    for i in range(forces.shape[0]):
        body = vertices[i].bone if i < skin else samples[i - skin].body
        if body >= 0:
            f = row3(forces, i)
            restitution_work[tree[body].root].load += math.sqrt(vec3.dot(f, f))


@kernel(inline=True)
def sum_turning(tree, nodes, x, xdot, body_work, restitution_work):
    """Mean turning `w = I⁻¹ L` of the flesh of every bone of a loaded tree."""
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0 and node.bone >= 0 and restitution_work[tree[node.bone].root].load > 0.0:
            arm, slip = node_slip(node, row3(x, i), row3(xdot, i), body_work, restitution_work)
            work = restitution_work[node.bone]
            vec3.add_to(work.L, 0, vec3.scale(node.mass, vec3.cross(arm, slip)))
            add_inertia(node.mass, arm, work.I)
    for i in range(tree.shape[0]):
        work = restitution_work[i]
        vec3.store(work.w, 0, solve_turning(work.I, vec3.load(work.L, 0)))


@kernel
def add_restitution(tree, flesh, contact, state, forces, settings, body_work, restitution_work, f_out, wrench_out):
    """Damp the flesh of trees that press on something, with the reaction on the bones.

    `f = -m a (slip - w x arm)` with `w` the mean turning of the bone's flesh, and `a` of at most `MOST_LOST/h`, less with
    more restitution, a lighter load and lighter bones. `forces` are those on all contact points.
    """
    nodes, x, xdot, rows = flesh.nodes, state.x, state.xdot, contact.restitution
    sum_loads(tree, flesh.vertices, contact.samples, forces, body_work, restitution_work)
    sum_turning(tree, nodes, x, xdot, body_work, restitution_work)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 1 or node.bone < 0:
            continue
        root = tree[node.bone].root
        load = restitution_work[root].load
        if load == 0.0:
            continue
        here = row3(x, i)
        arm, slip = node_slip(node, here, row3(xdot, i), body_work, restitution_work)
        slip = vec3.subtract(slip, vec3.cross(vec3.load(restitution_work[node.bone].w, 0), arm))
        share = min(1.0, load / max(FULL_LOAD * rows[root].weight, 1e-300))
        rate = (1.0 - settings.gains[RESTITUTION]) * share * rows[node.bone].most / settings.h
        f = vec3.scale(-rate * node.mass, slip)
        add_row3(i, f, f_out)
        push_bone(node.bone, here, vec3.scale(-1.0, f), body_work, wrench_out)


@kernel(inline=True)
def solve_turning(I, L):
    """Angular velocity `I⁻¹ L`; zero if the nodes lie on a line."""
    A = mat3.load_symmetric(I, 0)
    size = A[0] + A[1] + A[2]
    if mat3.determinant_symmetric(A) <= 1e-9 * size * size * size:
        return (0.0, 0.0, 0.0)
    return mat3.solve_symmetric(A, L)
