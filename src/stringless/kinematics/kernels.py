"""The way out from the roots to the leaves: poses, velocities, motion axes.

Everything of body i is taken at its own origin along world axes, so that going from a body to the next is a pure
shift by `r`: no rotation of 6 by 6 matrices anywhere, and no loss of digits far from the world's origin.
"""

from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, rotation, vec3, vec6

BALL, FREE, REVOLUTE = registry.BALL, registry.FREE, registry.REVOLUTE


@kernel(inline=True)
def cross_motion(V_w, V_v, S_w, S_v):
    """`ad(V) S = (w x S_w, v x S_w + w x S_v)`."""
    return vec3.cross(V_w, S_w), vec3.add(vec3.cross(V_v, S_w), vec3.cross(V_w, S_v))


@kernel(inline=True)
def cross_force(V_w, V_v, m, f):
    """`-ad(V)ᵀ (m, f) = (w x m + v x f, w x f)`."""
    return vec3.add(vec3.cross(V_w, m), vec3.cross(V_v, f)), vec3.cross(V_w, f)


@kernel(inline=True)
def rotate_inertia(row, R):
    """Inertia about the origin of a body, and its mass times its centre of mass, along world axes."""
    return mat3.rotate_symmetric(R, mat3.load_symmetric(row.I_o, 0)), mat3.transform(R, vec3.load(row.h, 0))


@kernel(inline=True)
def find_pose(tree, i, q, body_work):
    """R, p and r of body i from its parent's: `T_i = T_parent X_i T_J(q)`."""
    row = tree[i]
    work = body_work[i]
    # X_i T_J first: it waits for no other body, the product with the parent's pose does.
    R, r = registry.pose(row, q)
    if row.turned == 1:
        R_X = mat3.load(row.R, 0)
        R = mat3.multiply(R_X, R)
        r = mat3.transform(R_X, r)
    r = vec3.add(vec3.load(row.p, 0), r)
    if row.parent >= 0:
        parent = body_work[row.parent]
        R_P = mat3.load(parent.R, 0)
        R = mat3.multiply(R_P, R)
        r = mat3.transform(R_P, r)
        vec3.store(work.p, 0, vec3.add(vec3.load(parent.p, 0), r))
    else:
        vec3.store(work.p, 0, r)
        r = (0.0, 0.0, 0.0)
    mat3.store(work.R, 0, R)
    vec3.store(work.r, 0, r)
    return R, r


@kernel(inline=True)
def move(tree, dofs, i, q, v, R, r, body_work, dof_work):
    """V, eta and the axes of body i: `V_i = shift(V_parent) + S u`, `eta_i` its velocity product.

    Kim & Pollard 2008, Table 3, first loop.
    """
    row = tree[i]
    work = body_work[i]
    V_w = (0.0, 0.0, 0.0)
    V_v = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        parent = body_work[row.parent]
        V_w, V_v = inertia.shift_motion(vec3.load(parent.V, 0), vec3.load(parent.V, 3), r)
    if row.kind == REVOLUTE:
        # The general way would do, but most joints are hinges, and without its loop all of dynamics is 5 to 7 % faster.
        a = mat3.transform(R, vec3.load(row.axes, 0))
        vec3.store(dof_work[row.v0].a, 0, a)
        Su = vec3.scale(v[row.v0], a)
        eta_w, eta_v = vec3.cross(V_w, Su), vec3.cross(V_v, Su)
        V_w = vec3.add(V_w, Su)
    elif row.kind == BALL:
        # So are these: its axes are the columns of R.
        for k in range(3):
            vec3.store(dof_work[row.v0 + k].a, 0, (R[k], R[3 + k], R[6 + k]))
        Su = mat3.transform(R, vec3.load(v, row.v0))
        eta_w, eta_v = vec3.cross(V_w, Su), vec3.cross(V_v, Su)
        V_w = vec3.add(V_w, Su)
    elif row.kind == FREE:
        for k in range(3):
            a = (R[k], R[3 + k], R[6 + k])
            vec3.store(dof_work[row.v0 + k].a, 0, a)
            vec3.store(dof_work[row.v0 + 3 + k].a, 0, a)
        Su_w, Su_v = mat3.transform(R, vec3.load(v, row.v0)), mat3.transform(R, vec3.load(v, row.v0 + 3))
        eta_w, eta_v = cross_motion(V_w, V_v, Su_w, Su_v)
        V_w, V_v = vec3.add(V_w, Su_w), vec3.add(V_v, Su_v)
    else:
        V_w, V_v, eta_w, eta_v = move_many(tree, dofs, i, q, v, R, V_w, V_v, dof_work)
    vec6.store(work.V, 0, V_w, V_v)
    vec6.store(work.eta, 0, eta_w, eta_v)
    return V_w, V_v


@kernel(inline=True)
def move_many(tree, dofs, i, q, v, R, V_w, V_v, dof_work):
    """V and eta of a body on any joint, from its parent's motion (V_w, V_v).

    Coordinates that act one after the other see the motion of those before them; the coordinates of a ball or free
    joint act at once and see only the parent's.
    """
    row = tree[i]
    seen_w, seen_v = V_w, V_v
    eta_w = (0.0, 0.0, 0.0)
    eta_v = (0.0, 0.0, 0.0)
    for k in range(row.nv):
        d = row.v0 + k
        a = mat3.transform(R, registry.axis(row, q, k))
        vec3.store(dof_work[d].a, 0, a)
        Su = vec3.scale(v[d], a)
        if dofs[d].rotational == 1:
            # ad(V) (Su; 0) = (w x Su; v x Su)
            eta_w = vec3.add(eta_w, vec3.cross(seen_w, Su))
            eta_v = vec3.add(eta_v, vec3.cross(seen_v, Su))
            V_w = vec3.add(V_w, Su)
        else:
            # ad(V) (0; Su) = (0; w x Su)
            eta_v = vec3.add(eta_v, vec3.cross(seen_w, Su))
            V_v = vec3.add(V_v, Su)
        if row.sequential == 1:
            seen_w, seen_v = V_w, V_v
    return V_w, V_v, eta_w, eta_v


@kernel
def motions(tree, dofs, q, v, body_work, dof_work):
    """Poses, velocities, velocity products and axes of all bodies."""
    for i in range(tree.shape[0]):
        R, r = find_pose(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)


@kernel(inline=True)
def add_axis(rotational, rate, a, w, v):
    """Add what one coordinate does at the body's origin, turning about its axis a or sliding along it, to (w, v)."""
    if rotational == 1:
        return vec3.add_scaled(w, rate, a), v
    return w, vec3.add_scaled(v, rate, a)


@kernel(inline=True)
def find_acceleration(tree, dofs, i, ground, vdot, body_work, dof_work):
    """Spatial acceleration of body i, `A = shift(A_parent) + eta + S vdot`; the ground's is linear."""
    row, work = tree[i], body_work[i]
    A_w, A_v = (0.0, 0.0, 0.0), ground
    if row.parent >= 0:
        parent = body_work[row.parent]
        A_w, A_v = inertia.shift_motion(vec3.load(parent.A, 0), vec3.load(parent.A, 3), vec3.load(work.r, 0))
    A_w, A_v = vec3.add(A_w, vec3.load(work.eta, 0)), vec3.add(A_v, vec3.load(work.eta, 3))
    for d in range(row.v0, row.v0 + row.nv):
        A_w, A_v = add_axis(dofs[d].rotational, vdot[d], vec3.load(dof_work[d].a, 0), A_w, A_v)
    vec6.store(work.A, 0, A_w, A_v)
    return A_w, A_v


@kernel
def accelerations(tree, dofs, vdot, body_work, dof_work, A_out):
    """True accelerations of all body origins from joint accelerations, after `motions`.

    The true linear acceleration of an origin is the linear part of its spatial acceleration plus `w x v` (corrected eq. 21 of
    Kim & Pollard 2008, without gravity's offset).
    """
    for i in range(tree.shape[0]):
        work = body_work[i]
        A_w, A_v = find_acceleration(tree, dofs, i, (0.0, 0.0, 0.0), vdot, body_work, dof_work)
        turned = vec3.cross(vec3.load(work.V, 0), vec3.load(work.V, 3))
        vec6.store(A_out[i], 0, A_w, vec3.add(A_v, turned))


@kernel
def update_poses(tree, q, number, q_out, places_out, since_out):
    """`X_i T_J(q)` of every body whose joint is not where it was, as position and quaternion x, y, z, w; how many there are.

    `q_out` is where joints were, and is where they are afterwards. `since_out` gets the `number` of this update where a joint has
    moved.
    """
    count = 0
    for i in range(tree.shape[0]):
        row = tree[i]
        moved = since_out[i] == 0
        for k in range(row.q0, row.q0 + row.nq):
            moved = moved or q[k] != q_out[k]
            q_out[k] = q[k]
        if moved:
            R, r = registry.pose(row, q)
            R_X = mat3.load(row.R, 0)
            vec3.store(places_out[i], 0, vec3.add(vec3.load(row.p, 0), mat3.transform(R_X, r)))
            x, y, z, w = rotation.to_quaternion(mat3.multiply(R_X, R))
            places_out[i, 3], places_out[i, 4], places_out[i, 5], places_out[i, 6] = x, y, z, w
            since_out[i] = number
            count += 1
    return count
