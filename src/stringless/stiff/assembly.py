"""The linear system of a step in maximal coordinates, body by body and joint by joint, in the layout of `blocks`."""

from __future__ import annotations

from stringless.jit import kernel
from stringless.spatial import inertia, mat3, vec3
from stringless.stiff.blocks import D, G, GENERAL_BLOCKS, GRAND, H, P, PARENT, Q, SIZE
from stringless.stiff.joint_forces import EXACT, load_joint
from stringless.stiff.joint_slopes import add_slopes
from stringless.stiff.links import MOVE, SPIN, center


@kernel(inline=True)
def clear(A_out):
    """Fill a block with zeros."""
    for r in range(6):
        for c in range(6):
            A_out[r, c] = 0.0


@kernel(inline=True)
def add_inertia(I, H, M, A_out):
    """Add a spatial inertia to a block."""
    mirror = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
    for r in range(3):
        for c in range(3):
            A_out[r, c] += I[mirror[r][c]]
            A_out[r, 3 + c] += H[3 * r + c]
            A_out[3 + c, r] += H[3 * r + c]
            A_out[3 + r, 3 + c] += M[mirror[r][c]]


@kernel(inline=True)
def add_cross(s, a, A_out):
    """Add `s [a]`, the matrix of the cross product, to the turning part of a block."""
    A_out[0, 1] -= s * a[2]
    A_out[0, 2] += s * a[1]
    A_out[1, 0] += s * a[2]
    A_out[1, 2] -= s * a[0]
    A_out[2, 0] -= s * a[1]
    A_out[2, 1] += s * a[0]


@kernel(inline=True)
def inertia_about_center(tree, i, R):
    """Inertia of body i about its centre of mass, along world axes: that about its origin less `m (c² 1 - c cᵀ)`."""
    a, b, c = center(tree, i)
    m = tree[i].mass
    I = mat3.load_symmetric(tree[i].I_o, 0)
    less = (
        -m * (b * b + c * c), -m * (a * a + c * c), -m * (a * a + b * b), m * a * b, m * a * c, m * b * c,
    )  # fmt: skip
    return mat3.rotate_symmetric(R, mat3.add_symmetric(I, less))


@kernel(inline=True)
def gyrate(I, w, h, is_exact, A_out):
    """Gyroscopic torque `-w x I w` and its slope `[I w] - [w] I` by w; returns `h F - h dF/dw w`.

    If the system must stay symmetric, the symmetric part of the slope is taken: `(I [w] - [w] I)/2`.
    """
    L = mat3.transform_symmetric(I, w)
    torque = vec3.cross(L, w)
    for k in range(3):
        e = vec3.unit(k)
        turned = vec3.cross(w, mat3.transform_symmetric(I, e))  # [w] I e
        if is_exact:
            column = vec3.subtract(vec3.cross(L, e), turned)
        else:
            column = vec3.scale(0.5, vec3.subtract(mat3.transform_symmetric(I, vec3.cross(w, e)), turned))
        for n in range(3):
            A_out[n, k] -= h * column[n]
        torque = vec3.add_scaled(torque, -w[k], column)
    return vec3.scale(h, torque)


@kernel(inline=True)
def start_body(tree, i, gravity, bodies, momenta, external, stiff, wrench, is_exact, h, link_work, A_out, b_out):
    """Block and right side of body i as if it had no joints."""
    link = link_work[i]
    R, r = mat3.load(link.R, 0), vec3.load(link.r_c, 0)
    w, v = vec3.load(bodies[i], SPIN), vec3.load(bodies[i], MOVE)
    mass = tree[i].mass
    I = inertia_about_center(tree, i, R)
    clear(A_out)
    add_inertia(I, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (mass, mass, mass, 0.0, 0.0, 0.0), A_out)
    if momenta.shape[0] > 0:
        L, p = vec3.load(momenta[i], 0), vec3.load(momenta[i], 3)
    else:
        L, p = mat3.transform_symmetric(I, w), vec3.scale(mass, v)
        L = vec3.add(L, gyrate(I, w, h, is_exact, A_out))
    p = vec3.add_scaled(p, h * mass, (gravity[0], gravity[1], gravity[2]))
    if external.shape[0] > 0:
        m = mat3.transform(R, vec3.load(external[i], 0))
        f = mat3.transform(R, vec3.load(external[i], 3))
        m, f = inertia.shift_force(m, f, r)
        L, p = vec3.add_scaled(L, h, m), vec3.add_scaled(p, h, f)
        if is_exact:
            # The body takes them along: by a turn θ they change by θ x m and θ x f.
            add_cross(h * h, m, A_out)
            A_out[3, 1] -= h * h * f[2]
            A_out[3, 2] += h * h * f[1]
            A_out[4, 0] += h * h * f[2]
            A_out[4, 2] -= h * h * f[0]
            A_out[5, 0] -= h * h * f[1]
            A_out[5, 1] += h * h * f[0]
    if stiff.shape[0] > 0:
        I, H, M = inertia.load(stiff[i])
        I, H, M = inertia.shift(I, H, M, r)
        add_inertia(I, H, M, A_out)
        m, f = inertia.shift_force(vec3.load(wrench[i], 0), vec3.load(wrench[i], 3), r)
        held_L, held_p = inertia.apply(I, H, M, w, v)
        L, p = vec3.add(L, vec3.add_scaled(held_L, h, m)), vec3.add(p, vec3.add_scaled(held_p, h, f))
    vec3.store(b_out, 0, L)
    vec3.store(b_out, 3, p)


@kernel(inline=True)
def spread(Z, r, s, pad_out):
    """`s Z E` with E the way from a body's motion to that of the point at r: `Z_w + r x Z_v` row by row."""
    for n in range(6):
        moved = vec3.cross(r, (Z[n, 3], Z[n, 4], Z[n, 5]))
        for k in range(3):
            pad_out[n, k] = s * (Z[n, k] + moved[k])
            pad_out[n, 3 + k] = s * Z[n, 3 + k]


@kernel(inline=True)
def gather(pad, r, A_out):
    """`A += Eᵀ X`: forces at the point at r, as the body feels them."""
    for c in range(6):
        moved = vec3.cross(r, (pad[3, c], pad[4, c], pad[5, c]))
        for k in range(3):
            A_out[k, c] += pad[k, c] + moved[k]
            A_out[3 + k, c] += pad[3 + k, c]


@kernel(inline=True)
def add_joint_forces(tree, i, link_work, blocks_work, x_out):
    """Blocks and right sides of the two bodies of joint i: `± Eᵀ Z E`, `± Eᵀ push`."""
    link = link_work[i]
    p = tree[i].parent
    body = blocks_work[2 * i + 1]
    r_c, r_p = vec3.load(link.r_c, 0), vec3.load(link.r_p, 0)
    m, f = vec3.load(link.push, 0), vec3.load(link.push, 3)
    vec3.add_to(x_out[2 * i + 1], 0, vec3.add(m, vec3.cross(r_c, f)))
    vec3.add_to(x_out[2 * i + 1], 3, f)
    pad = blocks_work[2 * i, G]  # a joint has no such block
    spread(link.Z, r_c, 1.0, pad)
    gather(pad, r_c, body[D])
    if p >= 0:
        other = 2 * p + 1
        vec3.add_to(x_out[other], 0, vec3.scale(-1.0, vec3.add(m, vec3.cross(r_p, f))))
        vec3.add_to(x_out[other], 3, vec3.scale(-1.0, f))
        if blocks_work.shape[1] == GENERAL_BLOCKS:
            spread(link.Z, r_c, -1.0, pad)
            gather(pad, r_p, body[H])
        spread(link.Z, r_p, 1.0, pad)
        gather(pad, r_p, blocks_work[other, D])
        spread(link.Z, r_p, -1.0, pad)
        gather(pad, r_c, body[G])
    clear(pad)


@kernel(inline=True)
def put_constraint(n, w, v, r_c, r_p, is_carried, is_general, joint_out, body_out):
    """Row n of a joint's constraints: on the body it carries, and on the one that carries it."""
    on = vec3.add(w, vec3.cross(r_c, v))
    for k in range(3):
        body_out[P, k, n], body_out[P, 3 + k, n] = on[k], v[k]
        if is_general:
            body_out[Q, n, k], body_out[Q, n, 3 + k] = on[k], v[k]
    if is_carried:
        on = vec3.add(w, vec3.cross(r_p, v))
        for k in range(3):
            joint_out[P, n, k], joint_out[P, n, 3 + k] = -on[k], -v[k]
            if is_general:
                joint_out[Q, k, n], joint_out[Q, 3 + k, n] = -on[k], -v[k]


@kernel(inline=True)
def constrain(tree, i, prescribed, v, vdot, h, link_work, nodes_work, blocks_work, x_out):
    """Node of joint i: its constraints, `J V = -C/h`, and its prescribed coordinates, `T · V_rel = s + h sdot`."""
    link = link_work[i]
    row = tree[i]
    is_carried = row.parent >= 0
    is_general = blocks_work.shape[1] == GENERAL_BLOCKS
    joint, body = blocks_work[2 * i], blocks_work[2 * i + 1]
    r_c, r_p = vec3.load(link.r_c, 0), vec3.load(link.r_p, 0)
    n = link.rows
    for c in range(n):
        at_w, at_v = vec3.load(link.row, 6 * c), vec3.load(link.row, 6 * c + 3)
        put_constraint(c, at_w, at_v, r_c, r_p, is_carried, is_general, joint, body)
        x_out[2 * i, c] = -link.value[c] / h
    if prescribed.shape[0] > 0:
        for k in range(row.nv):
            if prescribed[row.v0 + k]:
                at_w, at_v = vec3.load(link.T, 6 * k), vec3.load(link.T, 6 * k + 3)
                put_constraint(n, at_w, at_v, r_c, r_p, is_carried, is_general, joint, body)
                x_out[2 * i, n] = v[row.v0 + k] + h * vdot[row.v0 + k]
                n += 1
    for c in range(n, 6):
        x_out[2 * i, c] = 0.0
    carrier = 2 * row.parent + 1 if is_carried else -1
    nodes_work[2 * i, SIZE], nodes_work[2 * i, PARENT], nodes_work[2 * i, GRAND] = n, carrier, -1
    nodes_work[2 * i + 1, SIZE], nodes_work[2 * i + 1, PARENT], nodes_work[2 * i + 1, GRAND] = 6, 2 * i, carrier


@kernel
def assemble(
    tree, dofs, limits, rest, gravity, q, v, bodies, momenta, prescribed, vdot, tau, external, stiff, wrench, slope, h,
    frequency, vector_work, link_work, nodes_work, blocks_work, x_out,
):  # fmt: skip
    """The whole system, for links that are up to date: nodes, blocks and right side.

    `external` holds wrenches along body axes at body origins. `stiff` and `wrench` are for forces that the caller takes
    at the end of the step, moment first, at body origins along world axes: the wrench that a body would feel then if its
    velocity stayed, and an inertia (21 numbers, `h c + h² k` along their directions) on the change of its velocity.
    `momenta` may be empty: they are then M V_0 with a gyroscopic torque. Slope EXACT needs room for general blocks.
    """
    is_exact = slope == EXACT
    for i in range(tree.shape[0]):
        joint, body = blocks_work[2 * i], blocks_work[2 * i + 1]
        for b in range(blocks_work.shape[1]):
            clear(joint[b])
            clear(body[b])
        start_body(
            tree,
            i,
            gravity,
            bodies,
            momenta,
            external,
            stiff,
            wrench,
            is_exact,
            h,
            link_work,
            body[D],
            x_out[2 * i + 1],
        )
        constrain(tree, i, prescribed, v, vdot, h, link_work, nodes_work, blocks_work, x_out)
        load_joint(tree, dofs, limits, rest, i, q, v, prescribed, tau, h, frequency, slope, vector_work, link_work)
        if tree[i].nv > 0:
            add_joint_forces(tree, i, link_work, blocks_work, x_out)
        if is_exact and tree[i].nv > 0:
            p = max(tree[i].parent, 0)
            add_slopes(tree, i, q, bodies, -h * h, link_work, body[D], body[G], body[H], blocks_work[2 * p + 1, D])
