"""Constraints across the tree: closed loops, bodies in contact with each other, and springs of centres of mass.

Each is a few rows `J A + e l = b` on the accelerations A of a step: `l` is the force along the row, `e` its compliance
(none for a loop, `1/(h c + h² k)` for a spring). The tree is solved without them; a response per row gives the small
matrix `J W Jᵀ + e`, and its solution one more right-hand side. The tree stays linear, and the matrix is as small as there
are loops and contacts between bodies.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.dynamics.kernels_response import add_response, find_response
from stringless.flesh.kernels_motion import clear
from stringless.jit import kernel
from stringless.spatial import mat3, rotation, vec3

INT, REAL = np.int64, np.float64

CONSTRAINT_ROW = np.dtype(
    [
        ("a", INT),  # bodies, -1 for the ground
        ("b", INT),
        ("whole", INT),  # -1, or the root of a tree: the row is about its centre of mass, along J_a[3:]
        ("J_a", REAL, (6,)),  # moment and force on each, about its origin, of a unit force along the row
        ("J_b", REAL, (6,)),
        ("compliance", REAL),  # e
        ("bias", REAL),  # b
        ("gap", REAL),  # how far a loop is open along the row [m or rad]
    ],
    align=True,
)
ZERO3 = (0.0, 0.0, 0.0)
REDUNDANT = 1e-11
"""Share of the matrix's mean that keeps rows apart which say nearly the same."""
SAME = 1e-10
"""A row of which less than this share is left beside those before it, and beside what keeps rows apart, says nothing new."""
LEFT_OUT = 1e150
"""Pivot of such a row: whatever is asked of it, its force is none."""


@kernel(inline=True)
def set_row(k, a, b, m_a, f_a, m_b, f_b, compliance, rows_out):
    """Write which bodies are tied, and along what."""
    row = rows_out[k]
    row.a, row.b, row.whole, row.compliance, row.gap = a, b, -1, compliance, 0.0
    vec3.store(row.J_a, 0, m_a)
    vec3.store(row.J_a, 3, f_a)
    vec3.store(row.J_b, 0, m_b)
    vec3.store(row.J_b, 3, f_b)


@kernel(inline=True)
def set_center_row(k, root, axis, force, slope, rows_out):
    """Write a spring between the centre of mass of a tree and its target: `force` less `slope` times its acceleration."""
    set_row(k, -1, -1, ZERO3, axis, ZERO3, ZERO3, 1.0 / slope, rows_out)
    rows_out[k].whole, rows_out[k].bias = root, force / slope


@kernel(inline=True)
def locate_end(body, R_end, p_end, body_work):
    """World rotation, arm from the body's origin and position of one end of a loop."""
    if body < 0:
        return R_end, p_end, p_end
    work = body_work[body]
    R = mat3.load(work.R, 0)
    r = mat3.transform(R, p_end)
    return mat3.multiply(R, R_end), r, vec3.add(vec3.load(work.p, 0), r)


@kernel(inline=True)
def axis_gap(z_a, z_b):
    """The turn that leads the axis z_a to z_b."""
    across = vec3.cross(z_a, z_b)
    sine = math.sqrt(vec3.dot(across, across))
    return vec3.scale(math.atan2(sine, vec3.dot(z_a, z_b)) / max(sine, 1e-300), across)


@kernel(inline=True)
def measure_loop(loop, body_work):
    """How a loop is open: the shift and the turn from its first end to the second, the first end's axes, both arms."""
    R_a, r_a, x_a = locate_end(loop.a, mat3.load(loop.R_a, 0), vec3.load(loop.p_a, 0), body_work)
    R_b, r_b, x_b = locate_end(loop.b, mat3.load(loop.R_b, 0), vec3.load(loop.p_b, 0), body_work)
    turn = ZERO3
    if loop.rows == 6:
        turn = rotation.log_quaternion(rotation.to_quaternion(mat3.multiply(R_b, mat3.transpose(R_a))))
    elif loop.rows == 5:
        turn = axis_gap((R_a[2], R_a[5], R_a[8]), (R_b[2], R_b[5], R_b[8]))
    return vec3.subtract(x_b, x_a), turn, R_a, r_a, r_b


@kernel(inline=True)
def axis_of_row(k, R_a):
    """Along which a row of a loop measures: world axes for the shift, those of its first end for the turn."""
    return vec3.unit(k) if k < 3 else (R_a[k - 3], R_a[k], R_a[k + 3])


@kernel
def write_loop_rows(loops, h, body_work, rows_out):
    """Rows of all closed loops; returns how many. Their end velocities are to be equal: `b = -J V/h`."""
    count = 0
    for n in range(loops.shape[0]):
        loop = loops[n]
        apart, turn, R_a, r_a, r_b = measure_loop(loop, body_work)
        for k in range(loop.rows):
            e = axis_of_row(k, R_a)
            if k < 3:
                m_a, m_b = vec3.cross(r_a, e), vec3.cross(r_b, e)
                set_row(count, loop.a, loop.b, vec3.scale(-1.0, m_a), vec3.scale(-1.0, e), m_b, e, 0.0, rows_out)
            else:
                set_row(count, loop.a, loop.b, vec3.scale(-1.0, e), ZERO3, e, ZERO3, 0.0, rows_out)
            rows_out[count].gap = vec3.dot(e, apart if k < 3 else turn)
            speed = along(rows_out[count], body_work[loop.a].V, body_work[loop.b].V, ZERO3)
            rows_out[count].bias = -speed / h
            count += 1
    return count


@kernel
def measure_gaps(loops, body_work, rows_out):
    """How far all loops are open now, along their rows; returns the largest gap."""
    count, worst = 0, 0.0
    for n in range(loops.shape[0]):
        apart, turn, R_a, _, _ = measure_loop(loops[n], body_work)
        for k in range(loops[n].rows):
            gap = vec3.dot(axis_of_row(k, R_a), apart if k < 3 else turn)
            rows_out[count].gap = gap
            worst = max(worst, abs(gap))
            count += 1
    return worst


@kernel(inline=True)
def along(row, of_a, of_b, fall):
    """`J_a · of_a + J_b · of_b` of the motions of a row's two bodies, both with `fall` on top: how fast they part along it."""
    s = 0.0
    for k in range(6):
        g = fall[k - 3] if k >= 3 else 0.0
        if row.a >= 0:
            s += row.J_a[k] * (of_a[k] + g)
        if row.b >= 0:
            s += row.J_b[k] * (of_b[k] + g)
    return s


@kernel
def center_acceleration(row, tree, A, gravity, body_work):
    """Acceleration of a tree's centre of mass along a row: `Σ m_i (A_v + A_w × c_i)/M`; of the solved step without A."""
    s, mass = 0.0, 0.0
    a = vec3.load(row.J_a, 3)
    for i in range(tree.shape[0]):
        if tree[i].root == row.whole:
            m = tree[i].mass
            c = mat3.transform(mat3.load(body_work[i].R, 0), vec3.load(tree[i].h, 0))
            turn, move = vec3.load(body_work[i].A, 0), vec3.add(vec3.load(body_work[i].A, 3), vec3.load(gravity, 0))
            if A.shape[0] > 0:
                turn, move = vec3.load(A[i], 0), vec3.load(A[i], 3)
            s += vec3.dot(vec3.cross(c, a), turn) + m * vec3.dot(a, move)
            mass += m
    return s / mass


@kernel(inline=True)
def push_tree(row, force, tree, body_work, wrench_out):
    """Put a force onto a whole tree, on each body by its mass."""
    a = vec3.load(row.J_a, 3)
    mass = 0.0
    for i in range(tree.shape[0]):
        if tree[i].root == row.whole:
            mass += tree[i].mass
    for i in range(tree.shape[0]):
        if tree[i].root == row.whole:
            m = vec3.cross(mat3.transform(mat3.load(body_work[i].R, 0), vec3.load(tree[i].h, 0)), a)
            for k in range(3):
                wrench_out[i, k] += force / mass * m[k]
                wrench_out[i, k + 3] += force / mass * tree[i].mass * a[k]


@kernel(inline=True)
def add_row_force(row, force, tree, body_work, wrench_out):
    """Put a force along a row onto its two bodies, or onto a whole tree."""
    if row.whole >= 0:
        push_tree(row, force, tree, body_work, wrench_out)
        return
    for k in range(6):
        if row.a >= 0:
            wrench_out[row.a, k] += force * row.J_a[k]
        if row.b >= 0:
            wrench_out[row.b, k] += force * row.J_b[k]


@kernel
def factor_constraints(skeleton, prescribed, count, body_work, dof_work, constraint_work):
    """`J W Jᵀ + e` and its Cholesky factor, row after row.

    Rows that say what others have said, or that nothing can move along, are left out.
    """
    tree, rows, response = skeleton.tree, constraint_work.rows, constraint_work.response
    matrix = constraint_work.matrix
    for k in range(count):
        clear(constraint_work.wrench)
        add_row_force(rows[k], 1.0, tree, body_work, constraint_work.wrench)
        find_response(skeleton, prescribed, constraint_work.wrench, body_work, dof_work, response)
        for n in range(count):
            if rows[n].whole >= 0:
                matrix[n, k] = center_acceleration(rows[n], tree, response.A, skeleton.gravity, body_work)
            else:
                matrix[n, k] = along(rows[n], response.A[rows[n].a], response.A[rows[n].b], ZERO3)
        matrix[k, k] += rows[k].compliance
    trace = 0.0
    for k in range(count):
        trace += matrix[k, k]
    for k in range(count):
        own, least = matrix[k, k], REDUNDANT * trace / count
        for n in range(k):
            s = matrix[k, n]
            for j in range(n):
                s -= matrix[k, j] * matrix[n, j]
            matrix[k, n] = s / matrix[n, n]
        s = own + least
        for j in range(k):
            s -= matrix[k, j] * matrix[k, j]
        matrix[k, k] = math.sqrt(s) if own > least and s > SAME * own + 3.0 * least else LEFT_OUT


@kernel(inline=True)
def solve_rows(count, matrix, x_out):
    """Solve with the Cholesky factor in place."""
    for k in range(count):
        for j in range(k):
            x_out[k] -= matrix[k, j] * x_out[j]
        x_out[k] /= matrix[k, k]
    for k in range(count - 1, -1, -1):
        for j in range(k + 1, count):
            x_out[k] -= matrix[j, k] * x_out[j]
        x_out[k] /= matrix[k, k]


@kernel
def solve_constraints(skeleton, prescribed, count, body_work, dof_work, constraint_work, vdot_out, effort_out):
    """Forces along all rows, and what they add to the step that was solved without them."""
    tree, gravity, rows = skeleton.tree, skeleton.gravity, constraint_work.rows
    forces, wrench, response = constraint_work.forces, constraint_work.wrench, constraint_work.response
    factor_constraints(skeleton, prescribed, count, body_work, dof_work, constraint_work)
    for k in range(count):
        if rows[k].whole >= 0:
            forces[k] = rows[k].bias - center_acceleration(rows[k], tree, response.A[:0], gravity, body_work)
        else:
            a, b = body_work[rows[k].a].A, body_work[rows[k].b].A
            forces[k] = rows[k].bias - along(rows[k], a, b, vec3.load(gravity, 0))
    solve_rows(count, constraint_work.matrix, forces)
    clear(wrench)
    for k in range(count):
        add_row_force(rows[k], forces[k], tree, body_work, wrench)
    find_response(skeleton, prescribed, wrench, body_work, dof_work, response)
    add_response(skeleton, prescribed, response, dof_work, body_work, vdot_out, effort_out)
