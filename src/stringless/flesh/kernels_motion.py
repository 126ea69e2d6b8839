"""Nodes and bones: how the flesh follows the skeleton, and how it acts on the skeleton.

A free node is a particle of Table 5 of Kim & Pollard 2008, written in world axes: its acceleration depends on its own
forces alone, and only the reaction of its damper acts on the bone. A fixed node moves with its bone and passes all its
forces on.
"""

from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def row3(table, i):
    """Three numbers of row i."""
    return table[i, 0], table[i, 1], table[i, 2]


@kernel(inline=True)
def set_row3(i, a, table_out):
    """Write three numbers to row i."""
    table_out[i, 0], table_out[i, 1], table_out[i, 2] = a[0], a[1], a[2]


@kernel(inline=True)
def add_row3(i, a, table_out):
    """Add three numbers to row i."""
    table_out[i, 0] += a[0]
    table_out[i, 1] += a[1]
    table_out[i, 2] += a[2]


@kernel
def carry_all(nodes, free_too, body_work, x_out, xdot_out):
    """Positions and velocities of the fixed nodes from their bones; of the free ones too if they move with them."""
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if (free_too or node.fixed == 1) and node.bone >= 0:
            bone = body_work[node.bone]
            arm = mat3.transform(mat3.load(bone.R, 0), vec3.load(node.r, 0))
            set_row3(i, vec3.add(vec3.load(bone.p, 0), arm), x_out)
            set_row3(i, vec3.add(vec3.load(bone.V, 3), vec3.cross(vec3.load(bone.V, 0), arm)), xdot_out)


@kernel(inline=True)
def carry(nodes, body_work, x_out, xdot_out):
    """Positions and velocities of the fixed nodes from their bones."""
    carry_all(nodes, False, body_work, x_out, xdot_out)


@kernel(inline=True)
def push_bone(bone, x, f, body_work, wrench_out):
    """Add the force `f` at the world point `x` to the wrench on a bone, at its origin along world axes."""
    arm = vec3.subtract(x, vec3.load(body_work[bone].p, 0))
    m = vec3.cross(arm, f)
    for k in range(3):
        wrench_out[bone, k] += m[k]
        wrench_out[bone, k + 3] += f[k]


@kernel(inline=True)
def push_bones(nodes, x, f, body_work, wrench_out):
    """Forces of the fixed nodes to their bones."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 1 and nodes[i].bone >= 0:
            push_bone(nodes[i].bone, row3(x, i), row3(f, i), body_work, wrench_out)


@kernel(inline=True)
def fall(nodes, gravity, f, h, h_v, x_out, xdot_out):
    """Move the free nodes by one step of symplectic Euler."""
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0:
            s = h_v / node.mass
            v = (
                xdot_out[i, 0] + s * f[i, 0] + h_v * gravity[0],
                xdot_out[i, 1] + s * f[i, 1] + h_v * gravity[1],
                xdot_out[i, 2] + s * f[i, 2] + h_v * gravity[2],
            )
            set_row3(i, v, xdot_out)
            set_row3(i, vec3.add_scaled(row3(x_out, i), h, v), x_out)


@kernel(inline=True)
def first_lost_node(nodes, f, xdot, h_v, max_speed):
    """First free node whose next speed is not a number or exceeds `max_speed`; -1 if there is none."""
    for i in range(nodes.shape[0]):
        if nodes[i].fixed == 0:
            s = h_v / nodes[i].mass
            for k in range(3):
                if not abs(xdot[i, k] + s * f[i, k]) <= max_speed:
                    return i
    return -1


@kernel(inline=True)
def clear(table_out):
    """Set a table to zero."""
    for i in range(table_out.shape[0]):
        for k in range(table_out.shape[1]):
            table_out[i, k] = 0.0


@kernel(inline=True)
def copy_rows(table, table_out):
    """Copy a table row by row."""
    for i in range(table.shape[0]):
        table_out[i] = table[i]


@kernel(inline=True)
def copy_table(table, table_out):
    """Copy a table number by number."""
    for i in range(table.shape[0]):
        for k in range(table.shape[1]):
            table_out[i, k] = table[i, k]
