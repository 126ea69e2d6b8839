"""The joint-space mass matrix by the composite-rigid-body algorithm.

Featherstone, Rigid Body Dynamics Algorithms (2008), Table 6.2; along world axes at each body's origin, so that going
from a body to its parent is a shift.
"""

from stringless.jit import kernel
from stringless.kinematics.kernels import find_pose, rotate_inertia
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3


@kernel(inline=True)
def spread(a, b):
    """`2 (a·b) 1 - a bᵀ - b aᵀ`, symmetric: what a product of positions adds to an inertia."""
    x, y, z = a[0] * b[0], a[1] * b[1], a[2] * b[2]
    yx, zx, zy = -a[0] * b[1] - a[1] * b[0], -a[0] * b[2] - a[2] * b[0], -a[1] * b[2] - a[2] * b[1]
    return 2.0 * (y + z), 2.0 * (x + z), 2.0 * (x + y), yx, zx, zy


@kernel(inline=True)
def compose_inertia(tree, i, body_work):
    """Inertia, first moment and mass of body i and all it carries; handed on to the parent about its origin."""
    row = tree[i]
    work = body_work[i]
    R = mat3.load(work.R, 0)
    I, h = rotate_inertia(row, R)
    mass = row.mass
    if row.leaf == 0:
        I = mat3.add_symmetric(I, mat3.load_symmetric(work.Jh, 0))
        h = vec3.add(h, vec3.load(work.Jh, 6))
        mass += work.Jh[9]
    if row.parent >= 0:
        into = body_work[row.parent].Jh
        r = vec3.load(work.r, 0)
        shifted = mat3.add_symmetric(I, spread(r, vec3.add_scaled(h, 0.5 * mass, r)))
        moment = vec3.add_scaled(h, mass, r)
        carried = mass
        if row.first_in == 0:
            shifted = mat3.add_symmetric(shifted, mat3.load_symmetric(into, 0))
            moment = vec3.add(moment, vec3.load(into, 6))
            carried += into[9]
        mat3.store_symmetric(into, 0, shifted)
        vec3.store(into, 6, moment)
        into[9] = carried
    return I, h, mass


@kernel(inline=True)
def write_row(tree, dofs, d, m, f, body_work, dof_work, M_out):
    """Row and column of coordinate d: the force (m, f) that its acceleration takes, on all coordinates on the way to the root."""
    i = dofs[d].body
    stop = d + 1
    while i >= 0:
        for c in range(tree[i].v0, stop):
            value = vec3.dot(vec3.load(dof_work[c].a, 0), m if dofs[c].rotational == 1 else f)
            M_out[d, c] = value
            M_out[c, d] = value
        m, f = inertia.shift_force(m, f, vec3.load(body_work[i].r, 0))
        i = tree[i].parent
        stop = tree[i].v0 + tree[i].nv if i >= 0 else 0
    M_out[d, d] += dofs[d].armature


@kernel
def mass_matrix(tree, dofs, q, body_work, dof_work, M_out):
    """M(q), armature included; `M_out` is zero on entry."""
    for i in range(tree.shape[0]):
        R, _ = find_pose(tree, i, q, body_work)
        for k in range(tree[i].nv):
            vec3.store(dof_work[tree[i].v0 + k].a, 0, mat3.transform(R, registry.axis(tree[i], q, k)))
    for i in range(tree.shape[0] - 1, -1, -1):
        I, h, mass = compose_inertia(tree, i, body_work)
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            a = vec3.load(dof_work[d].a, 0)
            turn, slide = (a, (0.0, 0.0, 0.0)) if dofs[d].rotational == 1 else ((0.0, 0.0, 0.0), a)
            m, f = inertia.momentum(I, h, mass, turn, slide)
            write_row(tree, dofs, d, m, f, body_work, dof_work, M_out)
