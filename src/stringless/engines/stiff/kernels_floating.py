"""Floating trees: their poses are shifted and their momenta spun until both are what the step was solved with.

Rebuilding poses may still raise the energy that the next step finds. With m the momenta kept, V the velocities that are solved
for and T their energy, forces have done the work `V·MV - V·m`, and the rest of what was gained, `V·m - T - T_before`, is
positive only if poses have brought it in. The motion of a tree, or of trees that loops tie to each other, is that of a rigid
body with its momenta P and L, and motion within, which has none; the two share no energy. So the motion within is shrunk by the
share that takes that gain away.
"""

from __future__ import annotations

import math

from stringless.engines.stiff.kernels_momentum import ENERGY, center, momentum_about_origin, spread
from stringless.engines.stiff.kernels_poses import middle_turn
from stringless.engines.stiff.kernels_tension import geometric_stiffness, unresolved_share
from stringless.jit import kernel
from stringless.kinematics.kernels import rotate_inertia
from stringless.spatial import inertia, mat3, vec3

TINY = 1e-12
ROUNDING = 1e-10
"""Share of its energy that a tree may gain, and of motion within that is none."""


@kernel(inline=True)
def spin_of(I, L):
    """Angular velocity of an inertia with this momentum; a thin rod has none about itself, a point none at all."""
    trace = TINY * (I[0] + I[1] + I[2])
    if trace <= 0.0:
        return 0.0, 0.0, 0.0
    return mat3.solve_symmetric((I[0] + trace, I[1] + trace, I[2] + trace, I[3], I[4], I[5]), L)


@kernel(inline=True)
def sums_of(tree, i, tree_work):
    """The row that has the sums over what body i belongs to."""
    return tree_work[tree_work[tree[i].root].head]


@kernel(inline=True)
def own_inertia(tree, i, body_work):
    """World inertia of body i about its centre of mass."""
    I, h = rotate_inertia(tree[i], mat3.load(body_work[i].R, 0))
    return mat3.add_symmetric(I, spread(-tree[i].mass, center(tree[i], h)))


@kernel(inline=True)
def add_body(tree, i, momenta, body_work, tree_work):
    """Add body i, shifted, to the sums of its floating tree."""
    row = sums_of(tree, i, tree_work)
    mass = tree[i].mass
    x = vec3.add(vec3.load(body_work[i].h, 0), vec3.load(row.d, 0))
    vec3.add_to(row.L, 0, vec3.cross(x, vec3.load(momenta[i], 3)))
    vec3.add_to(row.s, 0, vec3.scale(mass, x))
    about = mat3.add_symmetric(own_inertia(tree, i, body_work), spread(mass, x))
    for k in range(6):
        row.I[k] += about[k]


@kernel(inline=True)
def find_shift(i, h, tree_work):
    """By how much the centre of mass is off from where the momentum leads it."""
    row = tree_work[i]
    d = vec3.scale(1.0 / row.mass, vec3.subtract(vec3.scale(h, vec3.load(row.P, 0)), vec3.load(row.s, 0)))
    vec3.store(row.d, 0, d)
    vec3.store(row.s, 0, (0.0, 0.0, 0.0))


@kernel(inline=True)
def shift_root(tree, i, tree_work, q_out):
    """Move the root of a floating tree there."""
    d = vec3.load(sums_of(tree, i, tree_work).d, 0)
    if tree[i].turned == 1:
        d = mat3.transform_back(mat3.load(tree[i].R, 0), d)
    vec3.store(q_out, tree[i].q0, vec3.add(vec3.load(q_out, tree[i].q0), d))


@kernel(inline=True)
def find_spin(i, tree_work):
    """The spin that gives a floating tree its angular momentum back."""
    row = tree_work[i]
    lacking = vec3.subtract(vec3.load(row.wanted, 0), vec3.load(row.L, 0))
    I = mat3.add_symmetric(mat3.load_symmetric(row.I, 0), spread(-1.0 / row.mass, vec3.load(row.s, 0)))
    vec3.store(row.w, 0, spin_of(I, lacking))


@kernel(inline=True)
def spin_body(tree, i, tree_work, body_work, momenta_out):
    """Give body i its part of its tree's spin."""
    row = sums_of(tree, i, tree_work)
    w = vec3.load(row.w, 0)
    x = vec3.add(vec3.load(body_work[i].h, 0), vec3.load(row.d, 0))
    from_middle = vec3.add_scaled(x, -1.0 / row.mass, vec3.load(row.s, 0))
    L = mat3.transform_symmetric(own_inertia(tree, i, body_work), w)
    p = vec3.scale(tree[i].mass, vec3.cross(w, from_middle))
    vec3.add_to(momenta_out[i], 0, L)
    vec3.add_to(momenta_out[i], 3, p)


@kernel(inline=True)
def add_motion(tree, i, h, momenta, body_work, tree_work):
    """Add body i to the sums of its tree: energies, momenta and inertia as the step was solved."""
    row, work = sums_of(tree, i, tree_work), body_work[i]
    mass = tree[i].mass
    w, v = vec3.load(work.V, 0), vec3.load(work.V, 3)
    I, moment = rotate_inertia(tree[i], mat3.load(work.R, 0))
    before, p_before = momentum_about_origin(tree, i, moment, momenta)
    l, p = inertia.momentum(I, moment, mass, w, v)
    o = vec3.subtract(vec3.load(work.p, 0), vec3.load(row.o, 0))
    row.kinetic += 0.5 * (vec3.dot(l, w) + vec3.dot(p, v))
    row.gain += vec3.dot(before, w) + vec3.dot(p_before, v)
    row.mass += mass
    if tree[i].root == i:
        row.before += momenta[i, ENERGY]
    vec3.add_to(row.P, 0, p)
    vec3.add_to(row.L, 0, vec3.add(l, vec3.cross(o, p)))
    vec3.add_to(row.s, 0, vec3.add_scaled(moment, mass, o))
    about = mat3.add_symmetric(own_inertia(tree, i, body_work), spread(mass, vec3.add(o, center(tree[i], moment))))
    for k in range(6):
        row.I[k] += about[k]
    share = unresolved_share(i, h, momenta)
    if share > 0.0:  # what keeps bodies from turning by moments of their own is no torque on the tree
        vec3.add_to(row.wanted, 0, mat3.transform_symmetric(geometric_stiffness(i, share, h, momenta), w))


@kernel(inline=True)
def find_share(i, h, is_prescribed, tree_work):
    """How much of the motion within a floating tree is left, the turn of the tree as a whole, and how that goes on.

    Joints that are led from outside keep their rates, whatever that brings in.
    """
    row = tree_work[i]
    row.share = 1.0
    vec3.store(row.lead, 0, (0.0, 0.0, 0.0))
    if row.mass <= 0.0:
        return
    c, P = vec3.scale(1.0 / row.mass, vec3.load(row.s, 0)), vec3.load(row.P, 0)
    L = vec3.subtract(vec3.load(row.L, 0), vec3.cross(c, P))
    I = mat3.add_symmetric(mat3.load_symmetric(row.I, 0), spread(-row.mass, c))
    w = spin_of(I, L)
    if I[0] * I[1] * I[2] > 0.0:
        vec3.store(row.lead, 0, vec3.subtract(middle_turn(I, w, h), w))
    gain = row.gain - row.kinetic - row.before
    if is_prescribed or gain <= ROUNDING * row.kinetic:
        return
    within = row.kinetic - 0.5 * (vec3.dot(P, P) / row.mass + vec3.dot(w, L))
    row.share = math.sqrt(max(1.0 - gain / within, 0.0)) if within > ROUNDING * row.kinetic else 1.0
    vec3.store(row.w, 0, w)
    vec3.store(row.d, 0, c)


@kernel(inline=True)
def slow_body(tree, i, tree_work, body_work, v_out):
    """Shrink the motion of body i within its floating tree, and the rates of its joint."""
    row, work = sums_of(tree, i, tree_work), body_work[i]
    w, share = vec3.load(row.w, 0), row.share
    o = vec3.subtract(vec3.subtract(vec3.load(work.p, 0), vec3.load(row.o, 0)), vec3.load(row.d, 0))
    v = vec3.add_scaled(vec3.cross(w, o), 1.0 / row.mass, vec3.load(row.P, 0))
    for k in range(3):
        work.V[k] = w[k] + share * (work.V[k] - w[k])
        work.V[k + 3] = v[k] + share * (work.V[k + 3] - v[k])
    if tree[i].root == i:  # its rate of moving is told after it has moved
        vec3.store(v_out, tree[i].v0, mat3.transform_back(mat3.load(work.R, 0), vec3.load(work.V, 0)))
        return
    for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
        v_out[d] *= share


@kernel(inline=True)
def remove_energy(skeleton, state, prescribed, h, work):
    """Take from floating trees the energy that the poses of the last step have brought in."""
    tree, tree_work, body_work = skeleton.tree, work.trees, work.bodies
    for i in range(tree.shape[0]):
        if tree[i].root == i:
            vec3.store(sums_of(tree, i, tree_work).wanted, 0, (0.0, 0.0, 0.0))
    for i in range(tree.shape[0]):
        if tree_work[tree[i].root].floating == 1:
            add_motion(tree, i, h, state.momenta, body_work, tree_work)
    for i in range(tree.shape[0]):
        if tree[i].root == i and tree_work[i].floating == 1 and tree_work[i].head == i:
            find_share(i, h, prescribed.shape[0] > 0, tree_work)
    for i in range(tree.shape[0]):
        row = sums_of(tree, i, tree_work)
        if row.floating == 1 and row.share < 1.0:
            slow_body(tree, i, tree_work, body_work, state.v)
