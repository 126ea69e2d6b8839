"""What rebuilding poses must not change: where a tree's centre of mass goes, its angular momentum, its energy.

Joint coordinates move along the tangents at the step's beginning, and bodies follow their joints. Where joints turn fast,
that is another way than the velocities had said: a taut chain that swings through its straight line and back has gone
nowhere, however hard its links were pulled. The difference is of second order in the step.

A tree that nothing holds is shifted as a whole to where its momentum leads it, and spun rigidly until it has its angular
momentum again (`kernels_floating`): both are kept to rounding, at any step. A tree that is held cannot be shifted. It is given
what gravity has done along the way gone, not along the way that the velocities promised; if its energy of motion is above that,
its linear momenta turn from those of the solved step toward those of the way gone, `m (x+ - x)/h`, as far as needed, and
shrink if that does not do. So no step creates energy.
"""

from __future__ import annotations

import math

import numpy as np

from stringless.engines.stiff.kernels_floating import (
    add_body,
    find_shift,
    find_spin,
    remove_energy,
    shift_root,
    spin_body,
    sums_of,
)
from stringless.engines.stiff.kernels_momentum import ENERGY, center, energy_of, store_momentum
from stringless.engines.stiff.kernels_tension import store_tension
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, vec3

FREE = registry.FREE
REAL = np.float64

TREE_WORK = np.dtype(
    [
        ("floating", np.int64),  # 1: nothing holds this tree, and nothing leads it
        ("tied", np.int64),  # 1: loops go through it
        ("head", np.int64),  # the tree whose row has the sums: one of those that loops tie together, if they float
        ("o", REAL, (3,)),  # where its root was; positions are counted from there [m]
        ("mass", REAL),
        ("s", REAL, (3,)),  # mass times position
        ("P", REAL, (3,)),  # linear momentum
        ("L", REAL, (3,)),  # angular momentum of the bodies' centres
        ("I", REAL, (6,)),  # inertia
        ("gone", REAL, (3,)),  # that of the way gone
        ("kinetic", REAL),  # energy of motion of the solved step [J] ...
        ("before", REAL),  # ... for floating trees, that of the step before ...
        ("gain", REAL),  # ... and the products of the velocities with the momenta before ...
        ("unpaid", REAL),  # ... energy of limits that poses have brought in ...
        ("linear", REAL),  # ... and how it changes on the way to the momenta of the way gone: this per share ...
        ("square", REAL),  # ... and this per square of it
        ("turn", REAL),  # that share
        ("d", REAL, (3,)),  # shift of the whole [m]
        ("wanted", REAL, (3,)),  # what L ought to be
        ("w", REAL, (3,)),  # spin that restores it
        ("lead", REAL, (3,)),  # what the middle of the step turns faster than its beginning
        ("share", REAL),  # of the momenta that is left; in a floating tree, of the motion within
    ],
    align=True,
)
"""Sums over a tree; only rows of roots are used."""


@kernel(inline=True)
def center_of_mass(tree, i, sums, body_work):
    """The centre of mass of body i, counted from where its root was."""
    c = center(tree[i], mat3.transform(mat3.load(body_work[i].R, 0), vec3.load(tree[i].h, 0)))
    return vec3.add(vec3.subtract(vec3.load(body_work[i].p, 0), vec3.load(sums.o, 0)), c)


@kernel(inline=True)
def find_floating(tree, loops, prescribed, tree_work):
    """Which trees nothing holds, and which of them loops tie to each other."""
    for i in range(tree.shape[0]):
        if tree[i].root == i:
            led = prescribed.shape[0] > 0 and prescribed[tree[i].v0]
            row = tree_work[i]
            row.floating, row.tied, row.head = 1 if tree[i].kind == FREE and not led else 0, 0, i
    for n in range(loops.shape[0]):
        a = tree[loops[n].a].root
        head = tree_work[a].head
        tree_work[a].tied = 1
        if loops[n].b < 0:
            tree_work[head].floating = 0
            continue
        b = tree[loops[n].b].root
        other = tree_work[b].head
        tree_work[b].tied = 1
        tree_work[head].floating *= tree_work[other].floating
        for i in range(tree.shape[0]):
            if tree[i].root == i and tree_work[i].head == other:
                tree_work[i].head = head
    for i in range(tree.shape[0]):
        if loops.shape[0] > 0 and tree[i].root == i:
            tree_work[i].floating = tree_work[tree_work[i].head].floating
    for i in range(tree.shape[0]):
        if tree[i].root == i and tree_work[i].floating == 0:
            tree_work[i].head = i


@kernel(inline=True)
def clear_sums(tree, body_work, tree_work):
    """Begin all sums at zero."""
    for i in range(tree.shape[0]):
        if tree[i].root != i:
            continue
        row = tree_work[i]
        row.mass, row.kinetic, row.before, row.gain = 0.0, 0.0, 0.0, 0.0
        row.unpaid, row.linear, row.square = 0.0, 0.0, 0.0
        vec3.store(row.o, 0, vec3.load(body_work[i].p, 0))
        for k in range(3):
            row.s[k], row.P[k], row.L[k], row.d[k], row.gone[k] = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(6):
            row.I[k] = 0.0


@kernel(inline=True)
def store_momenta(model, state, prescribed, h, work):
    """Momenta of the solved step; note where every body is and what its tree has, before poses are rebuilt.

    Floating trees that have gained energy since the last step lose it before.
    """
    tree, tree_work, body_work = model.skeleton.tree, work.trees, work.bodies
    find_floating(tree, model.loops, prescribed, tree_work)
    clear_sums(tree, body_work, tree_work)
    remove_energy(model.skeleton, state, prescribed, h, work)
    clear_sums(tree, body_work, tree_work)
    for i in range(tree.shape[0]):
        row, body = sums_of(tree, i, tree_work), body_work[i]
        w, v = vec3.load(body.V, 0), vec3.load(body.V, 3)
        c, L, p = store_momentum(tree, i, w, v, body_work, state.momenta)
        x = vec3.add(vec3.subtract(vec3.load(body.p, 0), vec3.load(row.o, 0)), c)
        vec3.store(body.P, 0, x)  # that field is free within a step
        row.mass += tree[i].mass
        row.kinetic += energy_of(w, v, c, L, p)
        vec3.add_to(row.P, 0, p)
        if row.floating == 1:
            vec3.add_to(row.s, 0, vec3.scale(-tree[i].mass, x))
            vec3.add_to(row.wanted, 0, vec3.cross(x, p))


@kernel(inline=True)
def turn_toward(p, gone):
    """Change of a momentum toward that of the way gone: the more of it, the more both differ.

    The two differ in first order of the step, across the motion too, where no energy tells how much is right: all of the
    difference, step after step, would lead elsewhere however short the steps. This part of it is of second order.
    """
    change = vec3.subtract(gone, p)
    size, own = vec3.dot(change, change), vec3.dot(p, p)
    return vec3.scale(math.sqrt(size / own), change) if size < own else change


@kernel(inline=True)
def compare_way(tree, i, h, momenta, body_work, tree_work):
    """Add the way that body i went to the sums of its held tree, and keep what its momentum would change by."""
    row, work = tree_work[tree[i].root], body_work[i]
    mass = tree[i].mass
    if mass <= 0.0:
        return
    gone = vec3.scale(mass / h, vec3.subtract(vec3.load(work.h, 0), vec3.load(work.P, 0)))
    p = vec3.load(momenta[i], 3)
    change = turn_toward(p, gone)
    vec3.store(work.F, 0, change)
    vec3.add_to(row.gone, 0, gone)
    row.linear += vec3.dot(p, change) / mass
    row.square += 0.5 * vec3.dot(change, change) / mass


@kernel(inline=True)
def limit_energy(i, gravity, h, tree_work):
    """How far a held tree takes the momenta of the way gone, and what share of all it keeps.

    Over a step gravity does work on the mean of the momenta before and after: the solve has counted with those that it found.
    """
    row = tree_work[i]
    g = (gravity[0], gravity[1], gravity[2])
    short = vec3.subtract(vec3.load(row.P, 0), vec3.load(row.gone, 0))
    allowed = row.kinetic - max(0.5 * h * vec3.dot(g, short), 0.0) - max(row.unpaid, 0.0)
    a, b, c = row.kinetic - allowed, row.linear, row.square
    row.turn, row.share = 0.0, 1.0
    if a <= 0.0:
        return
    # The first root of a + b t + c t² = 0, or where it is least.
    lowest = -0.5 * b / c if c > 0.0 else 0.0
    inside = b * b - 4.0 * a * c
    turn = (-b - math.sqrt(inside)) / (2.0 * c) if inside > 0.0 and b < 0.0 and c > 0.0 else lowest
    row.turn = min(max(turn, 0.0), 1.0)
    left = row.kinetic + row.turn * (b + row.turn * c)
    if left > allowed:
        row.share = math.sqrt(max(allowed, 0.0) / left) if left > 0.0 else 1.0


@kernel(inline=True)
def limit_momentum(tree, i, tree_work, body_work, momenta_out):
    """Momenta of body i as its held tree may have them."""
    row = tree_work[tree[i].root]
    if tree[i].mass <= 0.0 or (row.turn <= 0.0 and row.share >= 1.0):
        return
    for k in range(3):
        momenta_out[i, k] *= row.share
        momenta_out[i, k + 3] = row.share * (momenta_out[i, k + 3] + row.turn * body_work[i].F[k])


@kernel(inline=True)
def restore_momenta(skeleton, state, h, work):
    """Set right what rebuilding poses has changed since `store_momenta`."""
    tree, tree_work, body_work, momenta = skeleton.tree, work.trees, work.bodies, state.momenta
    for i in range(tree.shape[0]):
        row = sums_of(tree, i, tree_work)
        x = center_of_mass(tree, i, row, body_work)
        vec3.store(body_work[i].h, 0, x)  # that field is free too, as is F
        if row.floating == 1:
            vec3.add_to(row.s, 0, vec3.scale(tree[i].mass, x))
        else:
            compare_way(tree, i, h, momenta, body_work, tree_work)
    for i in range(tree.shape[0]):
        if tree[i].root == i and tree_work[i].floating == 0:
            limit_energy(i, skeleton.gravity, h, tree_work)
        elif tree[i].root == i and tree_work[i].head == i and tree_work[i].mass > 0.0:
            find_shift(i, h, tree_work)
    for i in range(tree.shape[0]):
        if tree[i].root == i and tree_work[i].floating == 1:
            shift_root(tree, i, tree_work, state.q)
    for i in range(tree.shape[0]):
        if tree_work[tree[i].root].floating == 1:
            add_body(tree, i, momenta, body_work, tree_work)
        else:
            limit_momentum(tree, i, tree_work, body_work, momenta)
    for i in range(tree.shape[0]):
        row = tree_work[i]
        if tree[i].root == i and row.head == i and row.floating == 1 and row.mass > 0.0:
            find_spin(i, tree_work)
    for i in range(tree.shape[0]):
        row = sums_of(tree, i, tree_work)
        if row.floating == 1 and row.mass > 0.0:
            spin_body(tree, i, tree_work, body_work, momenta)
    for i in range(tree.shape[0]):
        if tree[i].root == i:
            row = tree_work[i]
            momenta[i, ENERGY] = max(row.kinetic - max(row.unpaid, 0.0), 0.0) if row.head == i else 0.0
    store_tension(tree, tree_work, body_work, momenta)
