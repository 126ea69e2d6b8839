"""Dampers between flesh and bones, taken at the end of the step (docs/theory/flesh.md, section 5.2).

The bones have no masses of their own beside the flesh around them: a damper taken where a step begins would throw a light bone
back and forth. Taken where it ends, it adds to the bone's inertia what is solved for with it, and its force on a node and its
reaction on the bone are one number: momentum is kept.

Where bones answer by another rule than the recursion of this step, `damp_nodes` takes the dampers where the step begins.
"""

import numpy as np

from stringless.dynamics.kernels_mass_matrix import spread
from stringless.flesh.kernels_motion import add_row3, push_bone, row3
from stringless.jit import kernel
from stringless.kinematics.kernels import add_axis
from stringless.spatial import inertia, mat3, vec3, vec6

REAL = np.float64

DAMPER_ROW = np.dtype(
    [
        # Of one bone, at its origin along world axes.
        ("V", REAL, (6,)),  # velocity that its dampers act on: that of the time of the nodes' velocities
        ("I", REAL, (6,)),  # inertia that its dampers add: xx, yy, zz, xy, xz, yz [kg·m²]
        ("h", REAL, (3,)),  # its first moment [kg·m]
        ("mass", REAL),  # its mass [kg]
        ("F", REAL, (6,)),  # wrench of the dampers on a bone that does not accelerate (moment, force)
    ],
    align=True,
)


@kernel(inline=True)
def find_damper_velocity(tree, dofs, i, v, r, dof_work, damper_work):
    """Velocity of bone i that belongs to `v`, while the axes of its joint are along its body."""
    row = tree[i]
    V_w = (0.0, 0.0, 0.0)
    V_v = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        parent = damper_work[row.parent]
        V_w, V_v = inertia.shift_motion(vec3.load(parent.V, 0), vec3.load(parent.V, 3), r)
    for d in range(row.v0, row.v0 + row.nv):
        V_w, V_v = add_axis(dofs[d].rotational, v[d], vec3.load(dof_work[d].a, 0), V_w, V_v)
    vec6.store(damper_work[i].V, 0, V_w, V_v)


@kernel(inline=True)
def damper_gain(node, scale, h_v):
    """`k = c/(1 + h c/m)`: what a damper taken at the end of a step of length h does, per speed before it."""
    c = scale * node.damping
    return c * node.mass / (node.mass + h_v * c)


@kernel
def load_dampers(nodes, x, xdot, f, scale, h_v, body_work, damper_work):
    """Wrench `Σ k (xdot - V + h f/m)` of all dampers on every bone, and the inertia `Σ k h` at the nodes that they add to it.

    `f` are all other forces on nodes but gravity, which cancels: accelerations of bones are offset by -g.
    """
    for b in range(damper_work.shape[0]):
        work = damper_work[b]
        for k in range(6):
            work.I[k], work.F[k] = 0.0, 0.0
        vec3.store(work.h, 0, (0.0, 0.0, 0.0))
        work.mass = 0.0
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0 and node.bone >= 0:
            work = damper_work[node.bone]
            arm = vec3.subtract(row3(x, i), vec3.load(body_work[node.bone].p, 0))
            V = vec3.add(vec3.load(work.V, 3), vec3.cross(vec3.load(work.V, 0), arm))
            k = damper_gain(node, scale, h_v)
            ahead = vec3.add_scaled(vec3.subtract(row3(xdot, i), V), h_v / node.mass, row3(f, i))
            force, mass = vec3.scale(k, ahead), k * h_v
            vec6.add_to(work.F, 0, vec3.cross(arm, force), force)
            I = mat3.add_symmetric(mat3.load_symmetric(work.I, 0), spread(arm, vec3.scale(0.5 * mass, arm)))
            mat3.store_symmetric(work.I, 0, I)
            vec3.add_to(work.h, 0, vec3.scale(mass, arm))
            work.mass += mass


@kernel
def settle_dampers(nodes, x, xdot, gravity, scale, h_v, body_work, damper_work, f_out):
    """Add to the nodes the forces of their dampers, `-k (xdot + h (f/m + g) - V+)`, once the bones' accelerations are known.

    `V+ = V + h a` is the velocity of the bone at the node at the end of the step, a with gravity and velocity products.
    """
    g = vec3.load(gravity, 0)
    for b in range(damper_work.shape[0]):
        work, bone = damper_work[b], body_work[b]
        V_w = vec3.add_scaled(vec3.load(work.V, 0), h_v, vec3.load(bone.A, 0))
        V_v = vec3.add_scaled(vec3.load(work.V, 3), h_v, vec3.add(vec3.load(bone.A, 3), g))
        vec6.store(work.V, 0, V_w, V_v)
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0:
            ahead = vec3.add_scaled(row3(xdot, i), h_v, vec3.add_scaled(g, 1.0 / node.mass, row3(f_out, i)))
            if node.bone >= 0:
                work, bone = damper_work[node.bone], body_work[node.bone]
                arm = vec3.subtract(row3(x, i), vec3.load(bone.p, 0))
                w = vec3.load(bone.V, 0)
                inward = vec3.cross(w, vec3.add(vec3.load(bone.V, 3), vec3.cross(w, arm)))
                V = vec3.add(vec3.load(work.V, 3), vec3.cross(vec3.load(work.V, 0), arm))
                ahead = vec3.subtract(ahead, vec3.add_scaled(V, h_v, inward))
            add_row3(i, vec3.scale(-damper_gain(node, scale, h_v), ahead), f_out)


@kernel(inline=True)
def damp_nodes(nodes, x, xdot, scale, body_work, f_out, wrench_out):
    """Dampers where the step begins: `-c (xdot - velocity of the bone there)`, with the reaction."""
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0:
            here = row3(x, i)
            slip = row3(xdot, i)
            if node.bone >= 0:
                bone = body_work[node.bone]
                arm = vec3.subtract(here, vec3.load(bone.p, 0))
                there = vec3.add(vec3.load(bone.V, 3), vec3.cross(vec3.load(bone.V, 0), arm))
                slip = vec3.subtract(slip, there)
            f = vec3.scale(-scale * node.damping, slip)
            add_row3(i, f, f_out)
            if node.bone >= 0:
                push_bone(node.bone, here, vec3.scale(-1.0, f), body_work, wrench_out)
