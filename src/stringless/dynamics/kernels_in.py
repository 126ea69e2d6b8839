"""The way in from the leaves to the roots: joints are taken out of their bodies' equations, the rest goes to the parent.

Kim & Pollard 2008, Table 3, second loop, coordinate by coordinate.
"""

from typing import NamedTuple

from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3, vec6

BALL, FREE, TRANSLATIONAL = registry.BALL, registry.FREE, registry.TRANSLATIONAL
ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
Vector = tuple[float, ...]


class ArticulatedBody(NamedTuple):
    """Blocks of an articulated inertia, `[[I, H], [Hᵀ, M]]`, and the bias force (m, f)."""

    I: Vector
    H: Vector
    M: Vector
    m: Vector
    f: Vector


@kernel(inline=True)
def hand_to_parent(tree, i, rest, body_work):
    """Add (Pi, beta) of body i, taken about the parent's origin, to the parent's sums.

    The first child to do so overwrites what was there before.
    """
    row = tree[i]
    if row.parent < 0:
        return
    parent = body_work[row.parent]
    I, H, M, m, f = rest
    if row.first_in == 0:
        I, H, M = inertia.add(I, H, M, parent.Jh)
        m = vec3.add(m, vec3.load(parent.B, 0))
        f = vec3.add(f, vec3.load(parent.B, 3))
    inertia.store(parent.Jh, I, H, M)
    vec6.store(parent.B, 0, m, f)


@kernel(inline=True)
def project_inertia(rotational, I, H, M, a):
    """`U = Jh S` and `D = Sᵀ Jh S` of one coordinate."""
    if rotational == 1:
        return mat3.transform_symmetric(I, a), mat3.transform_back(H, a), mat3.quadratic(I, a)
    return mat3.transform(H, a), mat3.transform_symmetric(M, a), mat3.quadratic(M, a)


@kernel(inline=True)
def store_factors(Psi, y, U_m, U_f, dof_work):
    """Store what later sweeps need of one coordinate: its answer Psi, the effort left y, U about the parent's origin."""
    dof_work.Psi = Psi
    dof_work.y = y
    vec6.store(dof_work.U, 0, U_m, U_f)


@kernel(inline=True)
def find_answer(D, y, U_m, U_f, dof_work):
    """`Psi = 1/(D + armature)` of one coordinate: its acceleration per effort, which is stored with y and U."""
    Psi = 1.0 / (D + dof_work.arm)
    store_factors(Psi, y, U_m, U_f, dof_work)
    return Psi


@kernel(inline=True)
def eliminate_one(tree, dofs, i, articulated, body_work, dof_work):
    """Take a joint of one free coordinate out of its body's equations: (Jh, B) becomes (Pi, beta).

    `Pi = Jh - Psi U Uᵀ`, `beta = B + Jh eta + Psi y U`. Both are shifted to the parent's origin before the division
    that gives Psi is done: the processor works on the one while it waits for the other.
    """
    row = tree[i]
    dof = dof_work[row.v0]
    I, H, M, m, f = articulated
    r = vec3.load(body_work[i].r, 0)
    a = vec3.load(dof.a, 0)
    U_m, U_f, D = project_inertia(dofs[row.v0].rotational, I, H, M, a)
    y = dof.tau - vec3.dot(a, m if dofs[row.v0].rotational == 1 else f)
    I, H, M = inertia.shift(I, H, M, r)
    m, f = inertia.shift_force(m, f, r)
    U_m, U_f = inertia.shift_force(U_m, U_f, r)
    Psi = find_answer(D, y, U_m, U_f, dof)
    I, H, M = inertia.remove_rank_one(I, H, M, Psi, U_m, U_f)
    m, f = vec3.add_scaled(m, Psi * y, U_m), vec3.add_scaled(f, Psi * y, U_f)
    hand_to_parent(tree, i, ArticulatedBody(I, H, M, m, f), body_work)


@kernel(inline=True)
def eliminate_many(tree, dofs, i, prescribed, vdot, articulated, body_work, dof_work):
    """The same for any joint: free coordinates are taken out one by one, the last first; prescribed ones add to B."""
    row = tree[i]
    I, H, M, m, f = articulated
    r = vec3.load(body_work[i].r, 0)
    loose = row.nv > 0
    for k in range(row.nv):
        d = row.v0 + row.nv - 1 - k
        dof = dof_work[d]
        a = vec3.load(dof.a, 0)
        U_m, U_f, D = project_inertia(dofs[d].rotational, I, H, M, a)
        if prescribed.shape[0] > 0 and prescribed[d]:
            loose = False
            shifted_m, shifted_f = inertia.shift_force(U_m, U_f, r)
            find_answer(D, 0.0, shifted_m, shifted_f, dof)
            m, f = vec3.add_scaled(m, vdot[d], U_m), vec3.add_scaled(f, vdot[d], U_f)
        else:
            loose = loose and dof.arm == 0.0
            y = dof.tau - vec3.dot(a, m if dofs[d].rotational == 1 else f)
            shifted_m, shifted_f = inertia.shift_force(U_m, U_f, r)
            Psi = find_answer(D, y, shifted_m, shifted_f, dof)
            I, H, M = inertia.remove_rank_one(I, H, M, Psi, U_m, U_f)
            m, f = vec3.add_scaled(m, Psi * y, U_m), vec3.add_scaled(f, Psi * y, U_f)
    if loose:
        # These blocks are zero in theory. Their rounding noise would be amplified from ball to ball up a chain.
        if row.kind == BALL or row.kind == FREE:
            I = ZERO6
            H = ZERO9
        if row.kind == TRANSLATIONAL or row.kind == FREE:
            H = ZERO9
            M = ZERO6
    I, H, M = inertia.shift(I, H, M, r)
    m, f = inertia.shift_force(m, f, r)
    hand_to_parent(tree, i, ArticulatedBody(I, H, M, m, f), body_work)


@kernel(inline=True)
def eliminate_three(J, m, one, two, three):
    """Eliminate three coordinates at once, the last first, with the inertia J along their axes a, b, c and the bias force m.

    What the last leaves to the others, and these to the first, is seen in `D = Sᵀ J S` alone. Returned are, of each coordinate,
    the axis from which the share of the later ones is taken off, and J times that, so that `U = Jh S` is the same as if the
    others had been eliminated before it; then every Psi, and what is left of the efforts y.
    """
    a, b, c = vec3.load(one.a, 0), vec3.load(two.a, 0), vec3.load(three.a, 0)
    a_J, b_J, c_J = mat3.transform_symmetric(J, a), mat3.transform_symmetric(J, b), mat3.transform_symmetric(J, c)
    y_a, y_b, y_c = one.tau - vec3.dot(a, m), two.tau - vec3.dot(b, m), three.tau - vec3.dot(c, m)
    D_aa, D_bb, D_cc = vec3.dot(a, a_J), vec3.dot(b, b_J), vec3.dot(c, c_J)
    D_ab, D_ac, D_bc = vec3.dot(a, b_J), vec3.dot(a, c_J), vec3.dot(b, c_J)
    Psi_c = 1.0 / (D_cc + three.arm)
    ca, cb = Psi_c * D_ac, Psi_c * D_bc
    D_aa, D_ab, D_bb = D_aa - ca * D_ac, D_ab - cb * D_ac, D_bb - cb * D_bc
    y_a, y_b = y_a - ca * y_c, y_b - cb * y_c
    Psi_b = 1.0 / (D_bb + two.arm)
    ba = Psi_b * D_ab
    y_a = y_a - ba * y_b
    Psi_a = 1.0 / (D_aa - ba * D_ab + one.arm)
    b, b_J = vec3.add_scaled(b, -cb, c), vec3.add_scaled(b_J, -cb, c_J)
    a, a_J = vec3.add_scaled(a, -ca, c), vec3.add_scaled(a_J, -ca, c_J)
    a, a_J = vec3.add_scaled(a, -ba, b), vec3.add_scaled(a_J, -ba, b_J)
    return (a, b, c), (a_J, b_J, c_J), (Psi_a, Psi_b, Psi_c), (y_a, y_b, y_c)


@kernel(inline=True)
def add_efforts(m, Psi, y, U):
    """Return `m + Σ Psi y U` for three coordinates, the last first."""
    m = vec3.add_scaled(vec3.add_scaled(m, Psi[2] * y[2], U[2]), Psi[1] * y[1], U[1])
    return vec3.add_scaled(m, Psi[0] * y[0], U[0])


@kernel(inline=True)
def eliminate_ball(tree, i, articulated, body_work, dof_work):
    """The same for a ball joint whose coordinates are all free, with less to carry from one to the next."""
    row = tree[i]
    I, H, M, m, f = articulated
    r = vec3.load(body_work[i].r, 0)
    one, two, three = dof_work[row.v0], dof_work[row.v0 + 1], dof_work[row.v0 + 2]
    arm_a, arm_b, arm_c = one.arm, two.arm, three.arm
    S, U_m, Psi, y = eliminate_three(I, m, one, two, three)
    U_f = (mat3.transform_back(H, S[0]), mat3.transform_back(H, S[1]), mat3.transform_back(H, S[2]))
    I, H, M = inertia.remove_rank_one(I, H, M, Psi[2], U_m[2], U_f[2])
    I, H, M = inertia.remove_rank_one(I, H, M, Psi[1], U_m[1], U_f[1])
    I, H, M = inertia.remove_rank_one(I, H, M, Psi[0], U_m[0], U_f[0])
    if arm_a == 0.0 and arm_b == 0.0 and arm_c == 0.0:
        I, H = ZERO6, ZERO9  # as in `eliminate_many`
    m, f = add_efforts(m, Psi, y, U_m), add_efforts(f, Psi, y, U_f)
    store_factors(Psi[0], y[0], vec3.add(U_m[0], vec3.cross(r, U_f[0])), U_f[0], one)
    store_factors(Psi[1], y[1], vec3.add(U_m[1], vec3.cross(r, U_f[1])), U_f[1], two)
    store_factors(Psi[2], y[2], vec3.add(U_m[2], vec3.cross(r, U_f[2])), U_f[2], three)
    I, H, M = inertia.shift(I, H, M, r)
    m, f = inertia.shift_force(m, f, r)
    hand_to_parent(tree, i, ArticulatedBody(I, H, M, m, f), body_work)


@kernel(inline=True)
def is_loose(first, dof_work):
    """Whether a free joint has no inertia of its own: then nothing is left of its body once it is eliminated."""
    loose = True
    for d in range(first, first + 6):
        loose = loose and dof_work[d].arm == 0.0
    return loose


@kernel(inline=True)
def eliminate_root(first, articulated, dof_work):
    """The same for a free root that is loose, which hands over nothing: its three shifts at once, then its three turns.

    With the shifts gone H and M are zero, so turns take no force, `U = (I a, 0)`.
    """
    I, H, M, m, f = articulated
    one, two, three = dof_work[first + 3], dof_work[first + 4], dof_work[first + 5]
    S, U_f, Psi, y = eliminate_three(M, f, one, two, three)
    U_m = (mat3.transform(H, S[0]), mat3.transform(H, S[1]), mat3.transform(H, S[2]))
    store_factors(Psi[0], y[0], U_m[0], U_f[0], one)
    store_factors(Psi[1], y[1], U_m[1], U_f[1], two)
    store_factors(Psi[2], y[2], U_m[2], U_f[2], three)
    I = mat3.remove_square(mat3.remove_square(mat3.remove_square(I, Psi[2], U_m[2]), Psi[1], U_m[1]), Psi[0], U_m[0])
    m = add_efforts(m, Psi, y, U_m)
    one, two, three = dof_work[first], dof_work[first + 1], dof_work[first + 2]
    _, U_m, Psi, y = eliminate_three(I, m, one, two, three)
    store_factors(Psi[0], y[0], U_m[0], ZERO3, one)
    store_factors(Psi[1], y[1], U_m[1], ZERO3, two)
    store_factors(Psi[2], y[2], U_m[2], ZERO3, three)


@kernel(inline=True)
def eliminate(tree, dofs, i, prescribed, vdot, articulated, body_work, dof_work):
    """Take the joint of body i out of its equations and hand the rest to the parent."""
    row = tree[i]
    if prescribed.shape[0] == 0 and row.nv == 1:
        eliminate_one(tree, dofs, i, articulated, body_work, dof_work)
    elif prescribed.shape[0] == 0 and row.kind == BALL:
        eliminate_ball(tree, i, articulated, body_work, dof_work)
    elif prescribed.shape[0] == 0 and row.kind == FREE and row.parent < 0 and is_loose(row.v0, dof_work):
        eliminate_root(row.v0, articulated, dof_work)
    else:
        eliminate_many(tree, dofs, i, prescribed, vdot, articulated, body_work, dof_work)
