"""What rebuilding poses must not change: where a tree's centre of mass goes, its angular momentum, its energy.

Bodies that follow their joints do not stand exactly where their momenta would have carried them: the difference is of
second order in the step. For a tree that nothing holds it is taken back by a shift of the whole, and by a rigid spin that
restores the angular momentum: both are then kept to rounding, at any step. A tree that is held cannot be shifted. Where the
difference lifts it against gravity, that energy is taken from its motion, so that no step creates any.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3
from stringless.stiff.momentum import center, weights

FREE = registry.FREE
REAL = np.float64
TINY = 1e-12

TREE_WORK = np.dtype(
    [
        ("loose", np.int64),  # 1: nothing holds this tree, nobody leads it, and no loop ties it
        ("o", REAL, (3,)),  # where its root was; positions are counted from there [m]
        ("mass", REAL),
        ("s", REAL, (3,)),  # mass times position
        ("P", REAL, (3,)),  # linear momentum
        ("L", REAL, (3,)),  # angular momentum of the bodies' centres; of loose trees only
        ("I", REAL, (6,)),  # inertia; of loose trees only
        ("kinetic", REAL),  # energy of motion [J]
        ("to", REAL, (3,)),  # what s ought to become
        ("wanted", REAL, (3,)),  # what L ought to be
        ("w", REAL, (3,)),  # spin that restores it
        ("share", REAL),  # of the momenta that is left
    ],
    align=True,
)
"""Sums over a tree; only rows of roots are used."""


@kernel(inline=True)
def weigh(tree, i, momenta, body_work, tree_work):
    """Add body i to the sums of its tree."""
    sums = tree_work[tree[i].root]
    R = mat3.load(body_work[i].R, 0)
    mass = tree[i].mass
    c = center(tree, i, mat3.transform(R, vec3.load(tree[i].h, 0)))
    x = vec3.add(vec3.subtract(vec3.load(body_work[i].p, 0), vec3.load(sums.o, 0)), c)
    p = (momenta[i, 3], momenta[i, 4], momenta[i, 5])
    sums.mass += mass
    vec3.add_to(sums.s, 0, vec3.scale(mass, x))
    vec3.add_to(sums.P, 0, p)
    if sums.loose == 1:
        vec3.add_to(sums.L, 0, vec3.cross(x, p))
        I = mat3.rotate_symmetric(R, mat3.load_symmetric(tree[i].I_o, 0))
        about = mat3.add_symmetric(mat3.add_symmetric(I, spread(-mass, c)), spread(mass, x))
        for k in range(6):
            sums.I[k] += about[k]


@kernel(inline=True)
def spread(mass, x):
    """Inertia of a point mass at x: `m (x² 1 - x xᵀ)`."""
    a, b, c = x
    return (
        mass * (b * b + c * c), mass * (a * a + c * c), mass * (a * a + b * b), -mass * a * b, -mass * a * c, -mass * b * c,
    )  # fmt: skip


@kernel(inline=True)
def moving_energy(tree, i, momenta, body_work):
    """Energy of motion of body i, `(L·w + p·v)/2`, with its velocity in the work table."""
    w = vec3.load(body_work[i].V, 0)
    c = center(tree, i, mat3.transform(mat3.load(body_work[i].R, 0), vec3.load(tree[i].h, 0)))
    v = vec3.add(vec3.load(body_work[i].V, 3), vec3.cross(w, c))
    L, p = (momenta[i, 0], momenta[i, 1], momenta[i, 2]), (momenta[i, 3], momenta[i, 4], momenta[i, 5])
    return 0.5 * (vec3.dot(L, w) + vec3.dot(p, v))


@kernel(inline=True)
def clear(sums_work):
    """Forget the sums."""
    sums_work.mass = 0.0
    for k in range(3):
        sums_work.s[k], sums_work.P[k], sums_work.L[k] = 0.0, 0.0, 0.0
    for k in range(6):
        sums_work.I[k] = 0.0


@kernel
def expect(tree, loops, prescribed, momenta, h, body_work, tree_work):
    """Where the momenta lead every tree; called before poses are rebuilt."""
    for i in range(tree.shape[0]):
        if tree[i].root == i:
            led = prescribed.shape[0] > 0 and prescribed[tree[i].v0]
            tree_work[i].loose = 1 if tree[i].kind == FREE and not led else 0
    for n in range(loops.shape[0]):
        tree_work[tree[loops[n].a].root].loose = 0
        if loops[n].b >= 0:
            tree_work[tree[loops[n].b].root].loose = 0
    for i in range(tree.shape[0]):
        root = tree[i].root
        row = tree_work[root]
        if root == i:
            row.kinetic = 0.0
            vec3.store(row.o, 0, vec3.load(body_work[i].p, 0))
            clear(row)
        weigh(tree, i, momenta, body_work, tree_work)
        row.kinetic += moving_energy(tree, i, momenta, body_work)
    for i in range(tree.shape[0]):
        if tree[i].root == i:
            row = tree_work[i]
            vec3.store(row.to, 0, vec3.add_scaled(vec3.load(row.s, 0), h, vec3.load(row.P, 0)))
            vec3.store(row.wanted, 0, vec3.load(row.L, 0))
            clear(row)


@kernel(inline=True)
def shift(tree, i, tree_work, q_out):
    """Move the root of a loose tree, and find the spin that gives the tree its angular momentum back."""
    row = tree_work[i]
    s = vec3.load(row.s, 0)
    d = vec3.scale(1.0 / row.mass, vec3.subtract(vec3.load(row.to, 0), s))
    lacking = vec3.subtract(vec3.load(row.wanted, 0), vec3.load(row.L, 0))
    lacking = vec3.subtract(lacking, vec3.cross(d, vec3.load(row.P, 0)))
    I = mat3.add_symmetric(mat3.load_symmetric(row.I, 0), spread(-1.0 / row.mass, s))
    trace = TINY * (I[0] + I[1] + I[2])  # a thin rod has no inertia about itself
    vec3.store(row.w, 0, mat3.solve_symmetric((I[0] + trace, I[1] + trace, I[2] + trace, I[3], I[4], I[5]), lacking))
    if tree[i].turned == 1:
        d = mat3.transform_back(mat3.load(tree[i].R, 0), d)
    vec3.store(q_out, tree[i].q0, vec3.add(vec3.load(q_out, tree[i].q0), d))


@kernel(inline=True)
def share_left(i, gravity, tree_work):
    """Share of a held tree's momenta that is left when what has lifted it was paid for."""
    row = tree_work[i]
    apart = vec3.subtract(vec3.load(row.s, 0), vec3.load(row.to, 0))
    gain = -vec3.dot((gravity[0], gravity[1], gravity[2]), apart)
    if gain <= 0.0 or row.kinetic <= 0.0:
        return 1.0
    return math.sqrt(max(1.0 - gain / row.kinetic, 0.0))


@kernel(inline=True)
def spin(tree, i, tree_work, body_work, momenta_out):
    """Give body i its part of its tree's spin."""
    row = tree_work[tree[i].root]
    w = vec3.load(row.w, 0)
    I, h = weights(tree, i, body_work)
    c = center(tree, i, h)
    x = vec3.add(vec3.subtract(vec3.load(body_work[i].p, 0), vec3.load(row.o, 0)), c)
    from_middle = vec3.add_scaled(x, -1.0 / row.mass, vec3.load(row.s, 0))
    L = mat3.transform_symmetric(mat3.add_symmetric(I, spread(-tree[i].mass, c)), w)
    p = vec3.scale(tree[i].mass, vec3.cross(w, from_middle))
    for k in range(3):
        momenta_out[i, k] += L[k]
        momenta_out[i, k + 3] += p[k]


@kernel
def settle(tree, gravity, body_work, tree_work, momenta_out, q_out):
    """Let every tree be what `expect` has found as far as it can; poses have been rebuilt."""
    for i in range(tree.shape[0]):
        weigh(tree, i, momenta_out, body_work, tree_work)
    for i in range(tree.shape[0]):
        if tree[i].root == i:
            row = tree_work[i]
            row.share = 1.0 if row.loose == 1 else share_left(i, gravity, tree_work)
            if row.loose == 1 and row.mass > 0.0:
                shift(tree, i, tree_work, q_out)
    for i in range(tree.shape[0]):
        row = tree_work[tree[i].root]
        if row.loose == 1 and row.mass > 0.0:
            spin(tree, i, tree_work, body_work, momenta_out)
        elif row.share < 1.0:
            for k in range(6):
                momenta_out[i, k] *= row.share
