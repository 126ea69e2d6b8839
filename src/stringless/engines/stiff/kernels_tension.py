"""What a body that is pulled at both ends resists to turning: the geometric stiffness of joints.

A force f that a joint puts on a body at the arm r from its centre of mass keeps its direction while the body turns by θ: its
moment changes by `(θ x r) x f`. Where it pulls outward, with n along r, that is `-κ (1 - n nᵀ) θ`, `κ = f·r > 0`: a spring. A
chain whose links are pulled hard swings through its straight line within a step if these moments are those of the step's
beginning, and flips from side to side. So they are taken at its end, as every other spring (Tournier, Nesme, Gilles & Faure
2015, "Stable constrained dynamics"), with the forces of the last step, and only their part that a step cannot resolve, `h² κ`
beyond 1.5 times the inertia that turns: slower motion is not damped by it. (A step that begins with these moments is stable
up to 4 times that inertia, and begins to flip at 2.)
"""

from __future__ import annotations

from stringless.engines.stiff.kernels_momentum import MOMENTA
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3

FREE = registry.FREE
RESOLVED = 1.5
"""Stiffness that a step resolves, `h² κ` as a share of the inertia that turns."""
TINY = 1e-300


@kernel(inline=True)
def unresolved_share(i, h, momenta):
    """Share of a body's geometric stiffness that acts at the end of the step, 0 if a step resolves all of it."""
    if momenta.shape[1] <= MOMENTA:
        return 0.0
    k, resolved = momenta[i, MOMENTA + 6], RESOLVED * momenta[i, MOMENTA + 7]
    return 1.0 - resolved / (h * h * k) if h * h * k > resolved else 0.0


@kernel(inline=True)
def geometric_stiffness(i, share, h, momenta):
    """`h² K` of a body under tension, along world axes."""
    s = share * h * h
    a, b, c, d, e, f = mat3.load_symmetric(momenta[i], MOMENTA)
    return s * a, s * b, s * c, s * d, s * e, s * f


@kernel(inline=True)
def outer_force(i, external, is_pushed, forces, gravity, body_work):
    """Force on body i over the step that neither gravity nor its joints put there."""
    f = (0.0, 0.0, 0.0)
    if external.shape[0] > 0:
        f = mat3.transform(mat3.load(body_work[i].R, 0), (external[i, 3], external[i, 4], external[i, 5]))
    if is_pushed:
        A = body_work[i].A
        G_I, G_H, G_M = inertia.load(forces.inertia[i])
        rate = vec3.add(vec3.load(A, 3), vec3.load(gravity, 0))
        _, held = inertia.apply(G_I, G_H, G_M, vec3.load(A, 0), rate)
        f = vec3.add(f, vec3.subtract(vec3.load(forces.wrench[i], 3), held))
    return f


@kernel(inline=True)
def transmit_forces(skeleton, h, external, is_pushed, is_tied, momenta, work):
    """Forces through all joints in a solved step, into F of the work table behind the moment, which is left alone.

    A body had to get `dp/h - m g - f` through its joints; leaves first. V has the end velocities; `work.forces` and the
    wrenches of constraints are those of the solve, if it had any.
    """
    tree, gravity, tied = skeleton.tree, skeleton.gravity, work.constraints.wrench
    fall = (gravity[0], gravity[1], gravity[2])
    for i in range(tree.shape[0] - 1, -1, -1):
        row, body = tree[i], work.bodies[i]
        moment = mat3.transform(mat3.load(body.R, 0), vec3.load(row.h, 0))
        p = vec3.add(vec3.scale(row.mass, vec3.load(body.V, 3)), vec3.cross(vec3.load(body.V, 0), moment))
        got = vec3.scale(1.0 / h, vec3.subtract(p, (momenta[i, 3], momenta[i, 4], momenta[i, 5])))
        F = vec3.add_scaled(got, -row.mass, fall)
        F = vec3.subtract(F, outer_force(i, external, is_pushed, work.forces, gravity, work.bodies))
        if is_tied:
            F = vec3.subtract(F, (tied[i, 3], tied[i, 4], tied[i, 5]))
        if row.leaf == 0:
            F = vec3.add(F, vec3.load(body.F, 3))
        vec3.store(body.F, 3, F)
        if row.parent >= 0 and row.first_in == 1:
            vec3.store(work.bodies[row.parent].F, 3, F)
        elif row.parent >= 0:
            vec3.add_to(work.bodies[row.parent].F, 3, F)


@kernel(inline=True)
def add_tension(i, f, r, momenta_out):
    """Add `κ (1 - n nᵀ)` of a force at the arm r, if it pulls outward."""
    k = vec3.dot(f, r)
    if k <= 0.0:
        return
    s = k / vec3.dot(r, r)
    K = momenta_out[i]
    for n in range(3):
        K[MOMENTA + n] += k - s * r[n] * r[n]
    K[MOMENTA + 3] -= s * r[0] * r[1]
    K[MOMENTA + 4] -= s * r[0] * r[2]
    K[MOMENTA + 5] -= s * r[1] * r[2]
    K[MOMENTA + 6] += k


@kernel(inline=True)
def cross_inertia(tree, i):
    """Inertia of body i about its centre of mass and across itself, if it is a rod: half of the trace."""
    row = tree[i]
    own = row.I_o[0] + row.I_o[1] + row.I_o[2]
    if row.mass > 0.0:
        own -= 2.0 / row.mass * (row.h[0] * row.h[0] + row.h[1] * row.h[1] + row.h[2] * row.h[2])
    return 0.5 * max(own, 0.0)


@kernel(inline=True)
def effective_mass(tree, i, square):
    """Effective mass when body i is pushed across an arm of this square, `1/(1/m + r²/I)`."""
    I = cross_inertia(tree, i)
    return tree[i].mass * I / max(I + tree[i].mass * square, TINY) if square > 0.0 else tree[i].mass


@kernel
def store_tension(tree, tree_work, body_work, momenta_out):
    """Geometric stiffness of all bodies in their new poses, with the forces that joints have transmitted.

    `body_work.h` has the centres of mass, counted from `tree_work.o` of their head. The last number kept is the inertia that has
    to turn with a body: its own, and its mass, which moves aside as far as its parent's does not: `I + m m'/(m + m') r²`.
    """
    for i in range(tree.shape[0]):
        row = tree[i]
        f = vec3.load(body_work[i].F, 3)
        for n in range(7):
            momenta_out[i, MOMENTA + n] = 0.0
        momenta_out[i, MOMENTA + 7] = cross_inertia(tree, i)
        if row.kind == FREE:
            continue  # a free joint transmits nothing
        here = vec3.subtract(vec3.load(body_work[i].p, 0), vec3.load(tree_work[tree_work[row.root].head].o, 0))
        own = vec3.subtract(here, vec3.load(body_work[i].h, 0))
        add_tension(i, f, own, momenta_out)
        carried = row.mass
        if row.parent >= 0:
            arm = vec3.subtract(here, vec3.load(body_work[row.parent].h, 0))
            add_tension(row.parent, vec3.scale(-1.0, f), arm, momenta_out)
            beside = effective_mass(tree, row.parent, vec3.dot(arm, arm))
            carried = row.mass * beside / max(row.mass + beside, TINY)
        momenta_out[i, MOMENTA + 7] += carried * vec3.dot(own, own)
