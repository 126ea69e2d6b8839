"""The linear system of a step in maximal coordinates, body by body and joint by joint, in the layout of `blocks`."""

from __future__ import annotations

from stringless.engines.stiff.kernels_momentum import central_inertia
from stringless.engines.stiff.kernels_tension import geometric_stiffness, unresolved_share
from stringless.engines.stiff.reference.kernels_blocks import GENERAL_BLOCKS, GRAND, PARENT, SIZE, D, G, H, P, Q
from stringless.engines.stiff.reference.kernels_joint_forces import EXACT, load_joint
from stringless.engines.stiff.reference.kernels_joint_slopes import add_slopes
from stringless.engines.stiff.reference.kernels_pairs import MOVE, SPIN
from stringless.flesh.kernels_motion import clear
from stringless.jit import kernel
from stringless.spatial import inertia, mat3, vec3

NO_BLOCK = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
LEAST_VOLUME = 0.3
"""Of the slope of a body's own rotation, as a share of what it is at rest."""


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
def add_cross(s, a, r, A_out):
    """Add `s [a]`, the matrix of the cross product, to the columns of turns, from row r on."""
    A_out[r, 1] -= s * a[2]
    A_out[r, 2] += s * a[1]
    A_out[r + 1, 0] += s * a[2]
    A_out[r + 1, 2] -= s * a[0]
    A_out[r + 2, 0] -= s * a[1]
    A_out[r + 2, 1] += s * a[0]


@kernel(inline=True)
def gyro_column(I, L, w, h, k):
    """Column k of `h dF/dw + h² dF/dθ` of the gyroscopic torque `F = -w x L`, `L = I w`.

    By w its slope is `[L] - [w] I`; a turn θ of the body takes its inertia along, and L changes by `θ x L - I (θ x w)`.
    """
    e = vec3.unit(k)
    by_spin = vec3.subtract(vec3.cross(L, e), vec3.cross(w, mat3.transform_symmetric(I, e)))
    turned = vec3.subtract(vec3.cross(e, L), mat3.transform_symmetric(I, vec3.cross(e, w)))
    return vec3.add_scaled(vec3.scale(h, by_spin), h * h, vec3.cross(turned, w))


@kernel(inline=True)
def gyrate(I, w, h, is_exact, A_out):
    """Angular momentum that a body and its gyroscopic torque bring into the step: `L + h F - h dF/dw w = L + h w x L`.

    If the system may be unsymmetric, the slopes of the torque go there. Their symmetric part alone would do harm: a tumbling
    rod then gains energy in every step. So for a symmetric system the torque is integrated before, body by body, with its
    whole slope: the momentum is `I w*`, with `(I - h dF/dw - h² dF/dθ) w* = L + h w x L`.
    """
    L = mat3.transform_symmetric(I, w)
    momentum = vec3.add_scaled(L, h, vec3.cross(w, L))
    i, j, k = (I[0], I[3], I[4]), (I[3], I[1], I[5]), (I[4], I[5], I[2])
    a = vec3.subtract(i, gyro_column(I, L, w, h, 0))
    b = vec3.subtract(j, gyro_column(I, L, w, h, 1))
    c = vec3.subtract(k, gyro_column(I, L, w, h, 2))
    normal = vec3.cross(b, c)
    volume = vec3.dot(a, normal)
    # A point mass has no gyroscopic torque. And beyond about a radian in a step the slope says nothing about the torque at
    # its end: the momentum stays what it is.
    if not volume > LEAST_VOLUME * vec3.dot(i, vec3.cross(j, k)):
        return L
    if is_exact:
        for n in range(3):
            A_out[n, 0] += a[n] - i[n]
            A_out[n, 1] += b[n] - j[n]
            A_out[n, 2] += c[n] - k[n]
        return momentum
    s = 1.0 / volume  # Cramer's rule
    x, y = s * vec3.dot(momentum, normal), s * vec3.dot(a, vec3.cross(momentum, c))
    return mat3.transform_symmetric(I, (x, y, s * vec3.dot(a, vec3.cross(b, momentum))))


@kernel(inline=True)
def start_body(skeleton, i, bodies, momenta, external, forces, settings, pair, A_out, b_out):
    """Block and right side of body i as if it had no joints."""
    h, is_exact = settings.dt, settings.slope == EXACT
    R, r = mat3.load(pair.R, 0), vec3.load(pair.r_c, 0)
    w, v = vec3.load(bodies[i], SPIN), vec3.load(bodies[i], MOVE)
    mass, gravity = skeleton.tree[i].mass, skeleton.gravity
    I = mat3.rotate_symmetric(R, central_inertia(skeleton.tree[i]))
    clear(A_out)
    add_inertia(I, NO_BLOCK, (mass, mass, mass, 0.0, 0.0, 0.0), A_out)
    if momenta.shape[0] > 0:
        L, p = vec3.load(momenta[i], 0), vec3.load(momenta[i], 3)
        share = unresolved_share(i, h, momenta)
        if share > 0.0:
            add_inertia(geometric_stiffness(i, share, h, momenta), NO_BLOCK, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), A_out)
    else:
        L, p = gyrate(I, w, h, is_exact, A_out), vec3.scale(mass, v)
    p = vec3.add_scaled(p, h * mass, (gravity[0], gravity[1], gravity[2]))
    if external.shape[0] > 0:
        m = mat3.transform(R, vec3.load(external[i], 0))
        f = mat3.transform(R, vec3.load(external[i], 3))
        m, f = inertia.shift_force(m, f, r)
        L, p = vec3.add_scaled(L, h, m), vec3.add_scaled(p, h, f)
        if is_exact:
            # The body takes them along: by a turn θ they change by θ x m and θ x f.
            add_cross(h * h, m, 0, A_out)
            add_cross(h * h, f, 3, A_out)
    if forces.inertia.shape[0] > 0:
        I, H, M = inertia.load(forces.inertia[i])
        I, H, M = inertia.shift(I, H, M, r)
        add_inertia(I, H, M, A_out)
        m, f = inertia.shift_force(vec3.load(forces.wrench[i], 0), vec3.load(forces.wrench[i], 3), r)
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
    """`A += Eᵀ X`: forces at the point at r, as a wrench on the body."""
    for c in range(6):
        moved = vec3.cross(r, (pad[3, c], pad[4, c], pad[5, c]))
        for k in range(3):
            A_out[k, c] += pad[k, c] + moved[k]
            A_out[3 + k, c] += pad[3 + k, c]


@kernel(inline=True)
def add_joint_forces(tree, i, pair_work, blocks_work, x_out):
    """Blocks and right sides of the two bodies of joint i: `± Eᵀ Z E`, `± Eᵀ push`."""
    pair = pair_work[i]
    p = tree[i].parent
    body = blocks_work[2 * i + 1]
    r_c, r_p = vec3.load(pair.r_c, 0), vec3.load(pair.r_p, 0)
    m, f = vec3.load(pair.push, 0), vec3.load(pair.push, 3)
    vec3.add_to(x_out[2 * i + 1], 0, vec3.add(m, vec3.cross(r_c, f)))
    vec3.add_to(x_out[2 * i + 1], 3, f)
    pad = blocks_work[2 * i, G]  # a joint has no such block
    spread(pair.Z, r_c, 1.0, pad)
    gather(pad, r_c, body[D])
    if p >= 0:
        other = 2 * p + 1
        vec3.add_to(x_out[other], 0, vec3.scale(-1.0, vec3.add(m, vec3.cross(r_p, f))))
        vec3.add_to(x_out[other], 3, vec3.scale(-1.0, f))
        if blocks_work.shape[1] == GENERAL_BLOCKS:
            spread(pair.Z, r_c, -1.0, pad)
            gather(pad, r_p, body[H])
        spread(pair.Z, r_p, 1.0, pad)
        gather(pad, r_p, blocks_work[other, D])
        spread(pair.Z, r_p, -1.0, pad)
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
def constrain(tree, i, v, inputs, h, work):
    """Node of joint i: its constraints, `J V = -C/h`, and its prescribed coordinates, `T · V_rel = s + h sdot`."""
    pair, nodes, blocks = work.pairs[i], work.nodes, work.blocks
    row, prescribed = tree[i], inputs.prescribed
    is_carried = row.parent >= 0
    is_general = blocks.shape[1] == GENERAL_BLOCKS
    joint, body = blocks[2 * i], blocks[2 * i + 1]
    r_c, r_p = vec3.load(pair.r_c, 0), vec3.load(pair.r_p, 0)
    n = pair.rows
    for c in range(n):
        at_w, at_v = vec3.load(pair.row, 6 * c), vec3.load(pair.row, 6 * c + 3)
        put_constraint(c, at_w, at_v, r_c, r_p, is_carried, is_general, joint, body)
        work.x[2 * i, c] = -pair.value[c] / h
    if prescribed.shape[0] > 0:
        for k in range(row.nv):
            if prescribed[row.v0 + k]:
                at_w, at_v = vec3.load(pair.duals, 6 * k), vec3.load(pair.duals, 6 * k + 3)
                put_constraint(n, at_w, at_v, r_c, r_p, is_carried, is_general, joint, body)
                work.x[2 * i, n] = v[row.v0 + k] + h * inputs.vdot[row.v0 + k]
                n += 1
    for c in range(n, 6):
        work.x[2 * i, c] = 0.0
    carrier = 2 * row.parent + 1 if is_carried else -1
    nodes[2 * i, SIZE], nodes[2 * i, PARENT], nodes[2 * i, GRAND] = n, carrier, -1
    nodes[2 * i + 1, SIZE], nodes[2 * i + 1, PARENT], nodes[2 * i + 1, GRAND] = 6, 2 * i, carrier


@kernel(inline=True)
def open_nodes(skeleton, i, state, momenta, inputs, forces, settings, work):
    """Nodes of body i and of its joint, forces of the joint left out.

    `momenta` are those that the bodies have kept; where there are none, they follow from velocities.
    """
    joint, body = work.blocks[2 * i], work.blocks[2 * i + 1]
    for n in range(work.blocks.shape[1]):
        clear(joint[n])
        clear(body[n])
    pair, b = work.pairs[i], work.x[2 * i + 1]
    start_body(skeleton, i, state.bodies, momenta, inputs.external, forces, settings, pair, body[D], b)
    constrain(skeleton.tree, i, state.v, inputs, settings.dt, work)


@kernel(inline=True)
def close_nodes(tree, i, state, settings, work):
    """Add the forces of the joint of body i, which stand in its pair."""
    if tree[i].nv == 0:
        return
    blocks, h = work.blocks, settings.dt
    add_joint_forces(tree, i, work.pairs, blocks, work.x)
    if settings.slope == EXACT:
        body, p = blocks[2 * i + 1], max(tree[i].parent, 0)
        add_slopes(tree, i, state.q, state.bodies, -h * h, work.pairs, body[D], body[G], body[H], blocks[2 * p + 1, D])


@kernel
def assemble(skeleton, state, inputs, forces, settings, work):
    """The whole system, for pairs that are up to date: nodes, blocks and right side (docs/theory/stiff.md, section 1.1).

    Wrenches of `inputs` are along body axes at body origins; those of `forces` are taken at the end of the step:
    the wrench on a body then if its velocity stayed, and an inertia (21 numbers, `h c + h² k` along their
    directions) on the change of its velocity. Slope EXACT needs room for general blocks.
    """
    for i in range(skeleton.tree.shape[0]):
        open_nodes(skeleton, i, state, state.bodies[:0], inputs, forces, settings, work)
        load_joint(skeleton, i, state, inputs, settings, settings.slope, None, work)
        close_nodes(skeleton.tree, i, state, settings, work)
