"""Momenta of the bodies: what the stiff engine carries from step to step, and what leads the poses.

Of each body the angular momentum about its centre of mass and the linear momentum are kept, along world axes. A free body
keeps both whatever it does, so its gyroscopic torque needs no formula: turned on by a step, the body has another inertia
in the world, and with the same momentum another velocity. To first order that is `-w x I w`, and its energy stays between
`L²/2I` of its largest and its smallest moment, at any step.
"""

from __future__ import annotations

from stringless.jit import kernel
from stringless.spatial import mat3, vec3

MOMENTA = 6
"""Numbers of a body's momenta, angular and linear; then follow its geometric stiffness, the trace of that halved, and what it has
to turn (`kernels_tension`) ..."""
ENERGY = MOMENTA + 8
"""... and of a root, the energy of motion of its tree in the last step [J]."""
KEPT = ENERGY + 1
"""Numbers that are kept of a body from step to step."""


@kernel(inline=True)
def center(row, h):
    """The centre of mass as seen from the origin, from the first moment h; a body without mass has it there."""
    return vec3.scale(1.0 / row.mass, h) if row.mass > 0.0 else (0.0, 0.0, 0.0)


@kernel(inline=True)
def own_center(row):
    """The same along the body's own axes."""
    return center(row, vec3.load(row.h, 0))


@kernel(inline=True)
def spread(mass, x):
    """Inertia of a point mass at x: `m (x² 1 - x xᵀ)`."""
    a, b, c = x
    xx, yy, zz = mass * (b * b + c * c), mass * (a * a + c * c), mass * (a * a + b * b)
    return xx, yy, zz, -mass * a * b, -mass * a * c, -mass * b * c


@kernel(inline=True)
def central_inertia(row):
    """Inertia of a body about its centre of mass, along its own axes."""
    return mat3.add_symmetric(mat3.load_symmetric(row.I_o, 0), spread(-row.mass, own_center(row)))


@kernel(inline=True)
def store_momentum(tree, i, w, v, body_work, momenta_out):
    """Store the momenta of body i, whose origin moves with (w, v); returns where its centre of mass is, and both."""
    R = mat3.load(body_work[i].R, 0)
    I = mat3.load_symmetric(tree[i].I_o, 0)
    h = mat3.transform(R, vec3.load(tree[i].h, 0))
    turning = mat3.transform(R, mat3.transform_symmetric(I, mat3.transform_back(R, w)))
    p = vec3.add(vec3.scale(tree[i].mass, v), vec3.cross(w, h))
    c = center(tree[i], h)
    L = vec3.subtract(vec3.add(turning, vec3.cross(h, v)), vec3.cross(c, p))
    vec3.store(momenta_out[i], 0, L)
    vec3.store(momenta_out[i], 3, p)
    return c, L, p


@kernel(inline=True)
def momentum_about_origin(tree, i, h, momenta):
    """The stored momenta as a moment about the body's origin and a linear part."""
    L = (momenta[i, 0], momenta[i, 1], momenta[i, 2])
    p = (momenta[i, 3], momenta[i, 4], momenta[i, 5])
    return vec3.add(L, vec3.cross(center(tree[i], h), p)), p


@kernel
def start_momenta(tree, body_work, momenta_out):
    """Momenta of all bodies from the velocities in the work table, with the inertia of the poses there, and no tension."""
    for i in range(tree.shape[0]):
        w, v = vec3.load(body_work[i].V, 0), vec3.load(body_work[i].V, 3)
        c, L, p = store_momentum(tree, i, w, v, body_work, momenta_out)
        for k in range(MOMENTA, momenta_out.shape[1]):
            momenta_out[i, k] = 0.0
        if momenta_out.shape[1] > ENERGY:
            momenta_out[tree[i].root, ENERGY] += energy_of(w, v, c, L, p)


@kernel(inline=True)
def energy_of(w, v, c, L, p):
    """Energy of motion of a body whose origin moves with (w, v), its centre of mass c away, with these momenta."""
    return 0.5 * (vec3.dot(L, w) + vec3.dot(p, vec3.add(v, vec3.cross(w, c))))


@kernel(inline=True)
def add_armature_rate(tree, dofs, i, v, body_work, dof_work):
    """Efforts of the armatures of a free joint for what its shifting rates u change while nothing acts on its body.

    They are told along axes that turn, seen from a parent that turns, at an origin that turns about the centre of mass:
    `Rᵀ(-w x (w x c) - w_P x (u + w_P x r) - w x u)`. A solve counts only with what it adds to them.
    """
    row = tree[i]
    first = row.v0 + 3
    if dofs[first].armature == 0.0 and dofs[first + 1].armature == 0.0 and dofs[first + 2].armature == 0.0:
        return
    R = mat3.load(body_work[i].R, 0)
    w = vec3.load(body_work[i].V, 0)
    u = mat3.transform(R, vec3.load(v, first))
    c = center(tree[i], mat3.transform(R, vec3.load(tree[i].h, 0)))
    rate = vec3.add(vec3.cross(w, vec3.cross(w, c)), vec3.cross(w, u))
    if row.parent >= 0:
        w_P = vec3.load(body_work[row.parent].V, 0)
        r = vec3.subtract(vec3.load(body_work[i].p, 0), vec3.load(body_work[row.parent].p, 0))
        rate = vec3.add(rate, vec3.cross(w_P, vec3.add(u, vec3.cross(w_P, r))))
    rate = mat3.transform_back(R, rate)
    for k in range(3):
        dof_work[first + k].tau += dofs[first + k].armature * rate[k]
