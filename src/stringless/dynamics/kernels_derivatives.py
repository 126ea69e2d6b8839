"""Derivatives of inverse dynamics by configuration and velocity, and from them those of forward and hybrid dynamics.

docs/theory/articulated.md, section 5.2;
Carpentier & Mansard, Analytical Derivatives of Rigid Body Dynamics Algorithms (RSS 2018);
Singh, Russell & Wensing, Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra (2022).

All quantities of a tree refer to one point, its anchor, along world axes: then what a coordinate does to the bodies
beyond it is the same six numbers for each, and a derivative is a dot product of something of the coordinate that moves
and something of the coordinate that it acts on. With `V`, `A` of the body (or coordinate) before coordinate j,

    Psi'_j = V x S_j,   Psi''_j = A x S_j + V x Psi'_j,   Psi^_j = Psi'_j + V_j x S_j,
    2 B X = V x* I X - I (V x X) + X x* I V = (Jdot X_w - L x X_w, -2 P x X_w),

and I, B, F added up over all that k carries, coordinate j on the way from the root to k (k itself included):

    d tau_k / d q_j = Y_k·Psi''_j + b_k·Psi'_j     Y = I S,  b = (2B)ᵀ S
    d tau_k / d v_j = Y_k·Psi^_j + b_k·S_j
    d tau_j / d q_k = S_j·G_k                      G = S x* F + I Psi'' + 2B Psi'
    d tau_j / d v_k = S_j·H_k                      H = I Psi^ + 2B S

Coordinates that act at once (ball, free) follow the first form among themselves. Coordinates that act one after the
other are coordinates of separate joints with massless bodies between, so that no axis depends on its own joint.
A wrench fixed in its body is carried along like all of F and needs no term of its own.
"""

from stringless.dynamics.kernels import hybrid, subtract_wrench
from stringless.dynamics.kernels_mass_matrix import spread
from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force, cross_motion, rotate_inertia
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, rotation, vec3, vec6
from stringless.state.derivative_scratch import BLOCK, SUM_COUNT

FREE = registry.FREE
ZERO3 = (0.0, 0.0, 0.0)
VELOCITY, ACCELERATION = SUM_COUNT, SUM_COUNT + 6
"""Where they stand in a body's row, after the sums."""


# --- bodies: what they are about the anchor --------------------------------------------------------------------------


@kernel(inline=True)
def turn_rate(w, I):
    """`[w] I - I [w]`: rate of a symmetric I that turns with w."""
    x = vec3.cross(w, (I[0], I[3], I[4]))
    y = vec3.cross(w, (I[3], I[1], I[5]))
    z = vec3.cross(w, (I[4], I[5], I[2]))
    return 2.0 * x[0], 2.0 * y[1], 2.0 * z[2], y[0] + x[1], z[0] + x[2], z[1] + y[2]


@kernel(inline=True)
def refer_body(tree, i, anchor, external, body_work, sums_out):
    """Mass, h, J, Jdot, momentum and force of body i about its anchor, and its velocity and acceleration there."""
    row = tree[i]
    work = body_work[i]
    s = sums_out[i]
    R = mat3.load(work.R, 0)
    c = vec3.subtract(vec3.load(work.p, 0), vec3.load(body_work[anchor].p, 0))
    w, v = vec6.load(work.V, 0)
    A_w, A_v = vec6.load(work.A, 0)
    I, h = rotate_inertia(row, R)
    L, P = inertia.momentum(I, h, row.mass, w, v)
    m, f = inertia.momentum(I, h, row.mass, A_w, A_v)
    d_m, d_f = cross_force(w, v, L, P)
    m, f = vec3.add(m, d_m), vec3.add(f, d_f)
    m, f = subtract_wrench(external, i, R, m, f)
    s[0] = row.mass
    vec3.store(s, 1, vec3.add_scaled(h, row.mass, c))
    mat3.store_symmetric(s, 4, mat3.add_symmetric(I, spread(c, vec3.add_scaled(h, 0.5 * row.mass, c))))
    Jdot = mat3.add_symmetric(turn_rate(w, I), mat3.add_symmetric(spread(v, h), spread(c, P)))
    mat3.store_symmetric(s, 10, Jdot)
    vec6.store(s, 16, vec3.add(L, vec3.cross(c, P)), P)
    vec6.store(s, 22, vec3.add(m, vec3.cross(c, f)), f)
    vec6.store(s, VELOCITY, w, vec3.add(v, vec3.cross(c, w)))
    vec6.store(s, ACCELERATION, A_w, vec3.add(A_v, vec3.cross(c, A_w)))
    return c


@kernel(inline=True)
def find_actions(skeleton, i, is_anchor, c, first, v, vdot, dof_work, sums_work, terms_out):
    """What the coordinates of body i do to the bodies beyond: S, Psi'', Psi', Psi^ about the anchor."""
    row, dofs, gravity = skeleton.tree[i], skeleton.dofs, skeleton.gravity
    V_w, V_v, A_w = ZERO3, ZERO3, ZERO3
    A_v = (-gravity[0], -gravity[1], -gravity[2])
    if not is_anchor:
        parent = sums_work[row.parent]
        V_w, V_v = vec6.load(parent, VELOCITY)
        A_w, A_v = vec6.load(parent, ACCELERATION)
    for k in range(row.nv):
        d = row.v0 + k
        a = vec3.load(dof_work[d].a, 0)
        S_w, S_v = (a, vec3.cross(c, a)) if dofs[d].rotational == 1 else (ZERO3, a)
        X_w, X_v = cross_motion(V_w, V_v, S_w, S_v)
        Y_w, Y_v = cross_motion(A_w, A_v, S_w, S_v)
        Z_w, Z_v = cross_motion(V_w, V_v, X_w, X_v)
        t = terms_out[first + k]
        vec6.store(t, 0, S_w, S_v)
        vec6.store(t, 6, vec3.add(Y_w, Z_w), vec3.add(Y_v, Z_v))
        vec3.store(t, 12, X_w)
        if row.sequential == 1:
            vec6.store(t, 15, vec3.scale(2.0, X_w), vec3.scale(2.0, X_v))
            V_w, V_v = vec3.add_scaled(V_w, v[d], S_w), vec3.add_scaled(V_v, v[d], S_v)
            A_w = vec3.add_scaled(vec3.add_scaled(A_w, vdot[d], S_w), v[d], X_w)
            A_v = vec3.add_scaled(vec3.add_scaled(A_v, vdot[d], S_v), v[d], X_v)
        else:
            own = sums_work[i]
            Z_w, Z_v = cross_motion(vec3.load(own, VELOCITY), vec3.load(own, VELOCITY + 3), S_w, S_v)
            vec6.store(t, 15, vec3.add(X_w, Z_w), vec3.add(X_v, Z_v))


@kernel(inline=True)
def find_reactions(s, t_out):
    """What reaches the way to the root from one coordinate: Y, b, G and H from the sums over all it carries."""
    mass, h, J, Jdot = s[0], vec3.load(s, 1), mat3.load_symmetric(s, 4), mat3.load_symmetric(s, 10)
    L, P = vec3.load(s, 16), vec3.scale(2.0, vec3.load(s, 19))
    S_w, S_v, X_w = vec3.load(t_out, 0), vec3.load(t_out, 3), vec3.load(t_out, 12)
    Y_m, Y_f = inertia.momentum(J, h, mass, S_w, S_v)
    JS = mat3.transform_symmetric(Jdot, S_w)
    LS = vec3.cross(L, S_w)
    b = vec3.add(vec3.add(JS, LS), vec3.cross(P, S_v))
    m, f = cross_force(S_w, S_v, vec3.load(s, 22), vec3.load(s, 25))
    d_m, d_f = inertia.momentum(J, h, mass, vec3.load(t_out, 6), vec3.load(t_out, 9))
    e_m = vec3.subtract(mat3.transform_symmetric(Jdot, X_w), vec3.cross(L, X_w))
    H_m, H_f = inertia.momentum(J, h, mass, vec3.load(t_out, 15), vec3.load(t_out, 18))
    vec6.store(t_out, 21, Y_m, Y_f)
    vec3.store(t_out, 27, b)
    G_f = vec3.subtract(vec3.add(f, d_f), vec3.cross(P, X_w))
    vec6.store(t_out, 30, vec3.add(vec3.add(m, d_m), e_m), G_f)
    vec6.store(t_out, 36, vec3.add(H_m, vec3.subtract(JS, LS)), vec3.subtract(H_f, vec3.cross(P, S_w)))


@kernel
def prepare_terms(skeleton, bodies, v, vdot, external, work, sums_work, terms_out):
    """Way out: bodies about their anchor and what coordinates do; way in: sums over all that is carried."""
    tree = skeleton.tree
    n = tree.shape[0]
    for i in range(n):
        anchor = bodies[i].anchor
        if anchor >= 0:
            c = refer_body(tree, i, anchor, external, work.bodies, sums_work)
            find_actions(skeleton, i, anchor == i, c, bodies[i].first, v, vdot, work.dofs, sums_work, terms_out)
    for i in range(n - 1, -1, -1):
        row = tree[i]
        for k in range(row.nv):
            find_reactions(sums_work[i], terms_out[bodies[i].first + k])
        if bodies[i].anchor >= 0 and bodies[i].anchor != i:
            into, sums = sums_work[row.parent], sums_work[i]
            for l in range(SUM_COUNT):
                into[l] += sums[l]


# --- pairs of coordinates: mass matrix and derivatives of inverse dynamics --------------------------------------------


@kernel(inline=True)
def pair_with_path(a, block_work):
    """Dot products of one coordinate's Y, b, G, H with S, Psi'', Psi', Psi^ of a block of its path."""
    b = block_work.path
    for l in range(BLOCK):
        S0, S1, S2, S3, S4, S5 = b[0, l], b[1, l], b[2, l], b[3, l], b[4, l], b[5, l]
        block_work.mass[l] = a[21] * S0 + a[22] * S1 + a[23] * S2 + a[24] * S3 + a[25] * S4 + a[26] * S5
        block_work.q_column[l] = a[30] * S0 + a[31] * S1 + a[32] * S2 + a[33] * S3 + a[34] * S4 + a[35] * S5
        block_work.v_column[l] = a[36] * S0 + a[37] * S1 + a[38] * S2 + a[39] * S3 + a[40] * S4 + a[41] * S5
        x = a[21] * b[6, l] + a[22] * b[7, l] + a[23] * b[8, l] + a[24] * b[9, l] + a[25] * b[10, l]
        y = a[21] * b[15, l] + a[22] * b[16, l] + a[23] * b[17, l] + a[24] * b[18, l] + a[25] * b[19, l]
        block_work.q_row[l] = x + a[26] * b[11, l] + a[27] * b[12, l] + a[28] * b[13, l] + a[29] * b[14, l]
        block_work.v_row[l] = y + a[26] * b[20, l] + a[27] * S0 + a[28] * S1 + a[29] * S2


@kernel(inline=True)
def pair_within_joint(a, b):
    """`Y_j·Psi''_k + b_j·Psi'_k` for two coordinates that act at once."""
    x = a[21] * b[6] + a[22] * b[7] + a[23] * b[8] + a[24] * b[9] + a[25] * b[10] + a[26] * b[11]
    return x + a[27] * b[12] + a[28] * b[13] + a[29] * b[14]


@kernel(inline=True)
def clear_row(row_out, first, stop):
    """Write zeros from column `first` to `stop`, and on to the end of a block: a plain loop would call `memset`."""
    for b in range(first, stop, BLOCK):
        x = row_out[b : b + BLOCK]
        for l in range(BLOCK):
            x[l] = 0.0


@kernel
def fill_rows(packing, dofs, terms, block_work, path_work, rows_out):
    """Mass matrix and derivatives of inverse dynamics, one row per packed coordinate.

    A row holds the mass matrix along the path from the root, by depth; then, from `tail`, the columns of its tree:
    derivatives by q, then those by v. Coordinates come depth first, so that the path to each is at hand in
    `block_work` and `path_work` when its turn comes.
    """
    tail = BLOCK * block_work.shape[0]
    for k in range(packing.shape[0]):
        start, depth, d = packing[k].start, packing[k].depth, packing[k].dof
        width = packing[k].stop - start
        at = tail + k - start
        own, t = rows_out[k], terms[k]
        clear_row(own, tail, tail + 2 * width)
        path_work[depth] = k
        last = block_work[depth // BLOCK]
        for c in range(21):
            last.path[c, depth % BLOCK] = t[c]
        for first in range(0, depth + 1, BLOCK):
            block = block_work[first // BLOCK]
            pair_with_path(t, block)
            mass = own[first : first + BLOCK]
            for l in range(BLOCK):
                mass[l] = block.mass[l]
            for l in range(min(BLOCK, depth + 1 - first)):
                j = path_work[first + l]
                c = tail + j - start
                rows_out[j, at] = block.q_column[l]
                rows_out[j, width + at] = block.v_column[l]
                own[c] = block.q_row[l]
                own[width + c] = block.v_row[l]
        for j in range(packing[k].joint, k):
            rows_out[j, at] = pair_within_joint(terms[j], t)
        own[depth] += dofs[d].armature
        own[width + at] += dofs[d].damping


@kernel(inline=True)
def displacement_rate(row, x, u, rate_out):
    """Rate of a joint displacement x when the joint moves with u.

    Of a ball `Jr(x)⁻¹ u`; of a free joint the same for its turn, and `u + x x w` for its shift, which is seen along
    body axes.
    """
    k = row.v0
    if row.kind == FREE:
        w = vec3.load(u, k)
        vec3.store(rate_out, k, rotation.right_jacobian_inverse(vec3.load(x, k), w))
        vec3.store(rate_out, k + 3, vec3.add(vec3.load(u, k + 3), vec3.cross(vec3.load(x, k + 3), w)))
    else:
        registry.tangent_rate(row, x, u, rate_out)


@kernel(inline=True)
def add_springs(skeleton, packed, tail, q, vector_work, rows_out):
    """Add the springs: `k` times the derivative of the joint displacement."""
    tree, dofs, bodies, packing = skeleton.tree, skeleton.dofs, packed.bodies, packed.dofs
    displacement, unit, rate = vector_work[1], vector_work[2], vector_work[3]
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.sprung == 0:
            continue
        first = bodies[i].first
        at = tail + first - packing[first].start
        registry.displacement(row, skeleton.rest, q, displacement)
        for c in range(row.nv):
            for d in range(row.v0, row.v0 + row.nv):
                unit[d] = 1.0 if d == row.v0 + c else 0.0
            displacement_rate(row, displacement, unit, rate)
            for d in range(row.nv):
                rows_out[first + d, at + c] += dofs[row.v0 + d].stiffness * rate[row.v0 + d]


# --- the linear equations ---------------------------------------------------------------------------------------------


@kernel(inline=True)
def remove_prescribed(packing, prescribed, rows_out, mass_out):
    """Keep the mass matrix, and take the prescribed coordinates out of the equations: `1 x = right side`.

    What is left has the ancestors' pattern still. A prescribed coordinate's row goes through the solution untouched
    but for its sign.
    """
    for k in range(packing.shape[0]):
        j = k
        for e in range(packing[k].depth, -1, -1):
            mass_out[k, e] = rows_out[k, e]
            if prescribed[packing[k].dof] or prescribed[packing[j].dof]:
                rows_out[k, e] = 1.0 if j == k else 0.0
            j = packing[j].parent


@kernel(inline=True)
def subtract_row(a, x, width, row_out):
    """`row -= a x`."""
    for l in range(width):
        row_out[l] -= a * x[l]


@kernel(inline=True)
def subtract_four_rows(s, a, t, b, four, width, row_out, next_out):
    """`row <- s row - a·(x, y, z, w)` and `next <- t next - b·(x, y, z, w)`: two rows share the four they take in."""
    x, y, z, w = four
    for l in range(width):
        X, Y, Z, W = x[l], y[l], z[l], w[l]
        row_out[l] = s * row_out[l] - ((a[0] * X + a[1] * Y) + (a[2] * Z + a[3] * W))
        next_out[l] = t * next_out[l] - ((b[0] * X + b[1] * Y) + (b[2] * Z + b[3] * W))


@kernel(inline=True)
def read_column(factor, e, i, end):
    """L in the column of depth e, of four coordinates from i on; zero from `end` on."""
    b = factor[i + 1, e] if i + 1 < end else 0.0
    c = factor[i + 2, e] if i + 2 < end else 0.0
    d = factor[i + 3, e] if i + 3 < end else 0.0
    return factor[i, e] if i < end else 0.0, b, c, d


@kernel(inline=True)
def read_row(row, e, depth):
    """A row of L at four depths from e on; zero from `depth` on."""
    b = row[e + 1] if e + 1 < depth else 0.0
    c = row[e + 2] if e + 2 < depth else 0.0
    d = row[e + 3] if e + 3 < depth else 0.0
    return row[e] if e < depth else 0.0, b, c, d


@kernel(inline=True)
def factor_row(row, depth, factor_out):
    """A row of L from the reduced row of the mass matrix; return 1/D."""
    scale = 1.0 / row[depth]
    for e in range(depth):
        factor_out[e] = row[e] * scale
    return scale


@kernel
def factor_rows(packing, tail, rows_out, factor_out, pivot_out):
    """Factor `M = Lᵀ D L` (Featherstone 2008, Table 6.3) and multiply the derivatives by `L⁻ᵀ`.

    Each row takes in those beyond it, leaves first: the same for the row of the mass matrix and for the right sides
    that stand behind it. A coordinate and the one before it go together where they can; the last row, of no
    coordinate, stands in where they cannot.
    """
    k = packing.shape[0] - 1
    while k >= 0:
        two = packing[k].parent >= 0 and packing[k].parent == k - 1
        depth, end = packing[k].depth, packing[k].end
        far = packing[k - 1].end if two else end
        stop = tail + 2 * (packing[k].stop - packing[k].start)
        own, other = rows_out[k], rows_out[k - 1 if two else packing.shape[0]]
        for i in range(k + 1, far, 4):
            a = read_column(factor_out, depth, i, end)
            b = read_column(factor_out, depth - 1, i, far if two else i)
            x, y = rows_out[i], rows_out[min(i + 1, far - 1)]
            z, w = rows_out[min(i + 2, far - 1)], rows_out[min(i + 3, far - 1)]
            subtract_four_rows(1.0, a, 1.0, b, (x, y, z, w), stop, own, other)
        pivot_out[k] = factor_row(own, depth, factor_out[k])
        if two:
            subtract_row(factor_out[k, depth - 1], own, stop, other)
            pivot_out[k - 1] = factor_row(other, depth - 1, factor_out[k - 1])
        k -= 2 if two else 1


@kernel(inline=True)
def sum_along_path(factor, count, row, path, shift):
    """Sum of L times the columns of the first `count` coordinates of the path."""
    x = 0.0
    for e in range(count):
        x += factor[e] * row[path[e] + shift]
    return x


@kernel(inline=True)
def mirror_inverse(packing, k, two, at, factor, pivot, path, rows_out):
    """Finish row k of the inverse of the mass matrix, or rows k and k + 1: diagonal block, then the mirror image.

    Of a row that stands alone, the next column gets something too, which its own mirror image will overwrite.
    """
    start, depth, n = packing[k].start, packing[k].depth, packing.shape[0]
    own, other = rows_out[k], rows_out[k + 1 if two else n]
    shift = at - start
    here = k + shift
    own[here] = pivot[k] - sum_along_path(factor[k], depth, own, path, shift)
    if two:
        other[here] = -sum_along_path(factor[k + 1], depth + 1, own, path, shift)
        other[here + 1] = pivot[k + 1] - sum_along_path(factor[k + 1], depth + 1, other, path, shift)
        own[here + 1] = other[here]
    for c in range(k - start):
        row = rows_out[start + c]
        row[here], row[here + 1] = own[at + c], other[at + c]


@kernel
def solve_rows(packing, tail, with_inverse, factor, pivot, path_work, rows_out):
    """Right sides <- `-L⁻¹ D⁻¹` times them, root first; behind them the inverse of the mass matrix.

    `D L M⁻¹ = L⁻ᵀ` is upper triangular: row k left of the diagonal needs only the rows before it, and what is right
    of the diagonal is its mirror image. Two coordinates go together as in `factor_rows`.
    """
    n, k = packing.shape[0], 0
    while k < n:
        two = k + 1 < n and packing[k + 1].parent == k
        start, depth, follower = packing[k].start, packing[k].depth, k + 1 if two else n
        at = tail + 2 * (packing[k].stop - start)
        stop = at + k - start if with_inverse else at
        path_work[depth] = k
        own, other = rows_out[k], rows_out[follower]
        clear_row(own, at, stop)
        clear_row(other, at, stop)
        s, t = -pivot[k], -pivot[k + 1] if two else 1.0
        for e in range(0, max(depth, 1), 4):
            a, b = read_row(factor[k], e, depth), read_row(factor[follower], e, depth)
            last = max(depth - 1, 0)
            x, y = rows_out[path_work[e]], rows_out[path_work[min(e + 1, last)]]
            z, w = rows_out[path_work[min(e + 2, last)]], rows_out[path_work[min(e + 3, last)]]
            # From column 0 on, over what is left of the mass matrix: an offset would cost more than the work.
            subtract_four_rows(s, a, t, b, (x, y, z, w), stop, own, other)
            s, t = 1.0, 1.0
        if two:
            path_work[depth + 1] = k + 1
            subtract_row(factor[k + 1, depth], own, stop, other)
        if with_inverse:
            mirror_inverse(packing, k, two, at, factor, pivot, path_work, rows_out)
        k += 2 if two else 1


@kernel(inline=True)
def find_effort_row(packing, tail, prescribed, mass, k, rows_out):
    """Row k, of a prescribed coordinate, from -δID_k to `δID_k + M_kn δvdot_n`."""
    depth = packing[k].depth
    stop = tail + 2 * (packing[k].stop - packing[k].start)
    own = rows_out[k]
    for c in range(tail, stop):
        own[c] = -own[c]
    j = packing[k].parent
    for e in range(depth - 1, -1, -1):
        if not prescribed[packing[j].dof]:
            subtract_row(-mass[k, e], rows_out[j], stop, own)
        j = packing[j].parent
    for j in range(k + 1, packing[k].end):
        if not prescribed[packing[j].dof]:
            subtract_row(-mass[j, depth], rows_out[j], stop, own)


@kernel(inline=True)
def unpack_row(packing, tail, k, part, row, matrix_out):
    """Write part 0, 1 or 2 of packed row k to its place in a whole matrix, in the model's order."""
    start, width = packing[k].start, packing[k].stop - packing[k].start
    into = matrix_out[packing[k].dof]
    values = row[tail + part * width : tail + (part + 1) * width]
    if width < into.shape[0]:
        for c in range(into.shape[0]):
            into[c] = 0.0
    if packing[k].straight == 1:
        into = into[packing[start].dof : packing[start].dof + width]
        for c in range(width):
            into[c] = values[c]
    else:
        for c in range(width):
            into[packing[start + c].dof] = values[c]


@kernel
def derivatives(skeleton, packed, q, v, prescribed, vdot, tau, external, work, vdot_out, tau_out):
    """Derivatives of hybrid dynamics: of vdot in `vdot_out`, of the prescribed coordinates' tau in `tau_out`.

    Each is a stack of matrices: by q, by v and, for vdot where no coordinate is prescribed, by tau. Rows of what is
    given are left alone. An empty `vdot_out` asks for inverse dynamics, with every coordinate prescribed.
    docs/theory/articulated.md, section 5.1: `δvdot_n = -M_nn⁻¹ δID_n`, `δtau_P = δID_P + M_Pn δvdot_n`.
    """
    packing, rows, vectors = packed.dofs, work.rows, work.vectors
    n, tail = packing.shape[0], BLOCK * work.blocks.shape[0]
    # The stages are kernels of their own: folded into this one they would run 4 % slower.
    hybrid(skeleton, q, v, prescribed, vdot, tau, external, work.tables, vectors[0], vectors[1])
    prepare_terms(skeleton, packed.bodies, v, vectors[0], external, work.tables, work.sums, work.terms)
    fill_rows(packing, skeleton.dofs, work.terms, work.blocks, work.path, rows)
    add_springs(skeleton, packed, tail, q, vectors, rows)
    if vdot_out.shape[0] == 0:
        for k in range(n):
            for part in range(2):
                unpack_row(packing, tail, k, part, rows[k], tau_out[part])
        return
    some_given = prescribed.shape[0] > 0
    factor, mass, pivot = work.factors[0], work.factors[1], vectors[1]
    if some_given:
        remove_prescribed(packing, prescribed, rows, mass)
    factor_rows(packing, tail, rows, factor, pivot)
    solve_rows(packing, tail, vdot_out.shape[0] == 3, factor, pivot, work.path, rows)
    for k in range(n):
        if some_given and prescribed[packing[k].dof]:
            find_effort_row(packing, tail, prescribed, mass, k, rows)
            for part in range(2):
                unpack_row(packing, tail, k, part, rows[k], tau_out[part])
        else:
            for part in range(vdot_out.shape[0]):
                unpack_row(packing, tail, k, part, rows[k], vdot_out[part])
