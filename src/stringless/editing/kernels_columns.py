"""One step of the columns of a sensitivity: the step of `engines/reduced/pipeline.py` varied in many directions at once.

    (M + D) δvdot = -δID(q, u, vdot) + δtau - δD vdot,   δv+ = δv + h_v δvdot,   δq+ from δq and h δv+

with D and tau of springs, dampers and stops as the step takes them. The variation of inverse dynamics is applied to
directions (docs/theory/editing.md, section 1.2), and the equations are solved with the factors that the step itself has
left. Both go together, in three sweeps: out, in, out; O(bodies) for each column.

The last two hold the response of `dynamics/kernels_response.py` to further right-hand sides, and it stands here in a form of its
own. That one goes through the tree once for each column, at the origins of bodies. Here all factors are referred to the anchor
once a step, so that nothing is shifted on the way, a joint's numbers serve eight columns in one vector instruction, and the terms
of the variation go along in the same sweeps. One recursion for both would give this up, or change the last digits of either.
"""

from __future__ import annotations

from stringless.editing import kernels_lanes as lanes
from stringless.editing.records import Sliding, Turning
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3

BALL, FREE, TRANSLATIONAL = registry.BALL, registry.FREE, registry.TRANSLATIONAL
UP, RESISTS = range(2)
"""Columns of the table of ways: the moving body that carries this one (the number of bodies if none does); whether the joint
has a spring, a damper or a stop."""
MIX, TURN, JACOBIAN = 0, 9, 18
"""Where matrices begin in a row of `mixing_work`: of a ball at its stops, the axes it was eliminated along, of a free joint, the
moments of its sliding coordinates; then E and J of `turn_step`."""
MIXING = 27
SPARE = 1
"""Rows beyond the bodies and the ground, for joints of several groups of coordinates."""


@kernel(inline=True)
def width_of(kind):
    """How many coordinates of a joint are taken at once: three that do not see each other's motion, or one."""
    return 1 if kind != BALL and kind != FREE and kind != TRANSLATIONAL else 3


@kernel(inline=True)
def refer_factors(model, i, body_work, dof_work, factors_out):
    """U, Psi and the axes of joint i about the anchor."""
    row, bodies = model.skeleton.tree[i], model.bodies
    work = body_work[i]
    c = vec3.subtract(vec3.load(work.p, 0), vec3.load(body_work[bodies[i].anchor].p, 0))
    b = vec3.subtract(c, vec3.load(work.r, 0))  # the parent's origin, where U was left
    for k in range(row.nv):
        dof, f = dof_work[row.v0 + k], factors_out[bodies[i].first + k]
        a, U_f = vec3.load(dof.a, 0), vec3.load(dof.U, 3)
        vec3.store(f, 0, vec3.add(vec3.load(dof.U, 0), vec3.cross(b, U_f)))
        vec3.store(f, 3, U_f)
        f[6] = dof.Psi
        if model.skeleton.dofs[row.v0 + k].rotational == 1:
            vec3.store(f, 7, a)
            vec3.store(f, 10, vec3.cross(c, a))
        else:
            vec3.store(f, 7, (0.0, 0.0, 0.0))
            vec3.store(f, 10, a)


@kernel(inline=True)
def restore_axes(tree, i, body_work, dof_work):
    """Give a ball at its stops its body axes back; return L, whose columns are the axes chosen for it, along those."""
    first = tree[i].v0
    R = mat3.load(body_work[i].R, 0)
    x = mat3.transform_back(R, vec3.load(dof_work[first].a, 0))
    y = mat3.transform_back(R, vec3.load(dof_work[first + 1].a, 0))
    z = mat3.transform_back(R, vec3.load(dof_work[first + 2].a, 0))
    for k in range(3):
        vec3.store(dof_work[first + k].a, 0, (R[k], R[3 + k], R[6 + k]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel(inline=True)
def spread(tree, bodies, ways, i, terms, columns_work, path_work, load_work):
    """Way out over the joint of body i, group after group; between groups through a spare row."""
    row = tree[i]
    ground, first, width = tree.shape[0], bodies[i].first, width_of(row.kind)
    above = path_work[ways[i, UP]]
    for k in range(0, row.nv, width):
        d = row.v0 + k
        into = path_work[i] if k + width == row.nv else path_work[ground + SPARE + (k // width) % 2]
        if width == 3:
            lanes.spread_three(terms[first + k : first + k + 3], above, into, load_work[i], columns_work[d : d + 3])
        else:
            lanes.spread_one(terms[first + k], above, into, load_work[i], columns_work[d])
        above = into


@kernel(inline=True)
def gather(tree, bodies, ways, i, terms, factors, columns_work, load_work):
    """Way in over the joint of body i, the last group first; what remains is added to the load of the body before."""
    row = tree[i]
    ground, first, width = tree.shape[0], bodies[i].first, width_of(row.kind)
    load = load_work[i]
    for back in range(width, row.nv + 1, width):
        k = row.nv - back
        d = row.v0 + k
        keep = 1.0 if k == 0 else 0.0
        into = load_work[ways[i, UP]] if k == 0 else load_work[ground + SPARE + (k // width) % 2]
        if width == 3:
            part = slice(first + k, first + k + 3)
            lanes.gather_three(terms[part], factors[part], keep, load, columns_work[d : d + 3], into)
        else:
            lanes.gather_one(terms[first + k], factors[first + k], keep, load, columns_work[d], into)
        load = into


@kernel(inline=True)
def respond(tree, bodies, ways, i, factors, columns_work, motion_work):
    """Way out again over the joint of body i, coordinate after coordinate: their accelerations and that of the body."""
    row = tree[i]
    ground, first = tree.shape[0], bodies[i].first
    above = motion_work[ways[i, UP]]
    for k in range(row.nv):
        into = motion_work[i] if k + 1 == row.nv else motion_work[ground + SPARE + k % 2]
        lanes.respond(factors[first + k], above, columns_work[row.v0 + k], into)
        above = into


@kernel(inline=True)
def slide_moment(bodies, i, sums, terms_out):
    """Take from G of a free joint's sliding coordinates what does not act on its turning ones: `S x* F = (a x f, 0)`.

    It is left out between coordinates that act at once, and counts for all before them. Returns the three moments as columns.
    """
    f = vec3.load(sums[i], 25)
    r, s, t = terms_out[bodies[i].first + 3], terms_out[bodies[i].first + 4], terms_out[bodies[i].first + 5]
    x, y, z = vec3.cross(vec3.load(r, 3), f), vec3.cross(vec3.load(s, 3), f), vec3.cross(vec3.load(t, 3), f)
    vec3.store(r, 30, vec3.subtract(vec3.load(r, 30), x))
    vec3.store(s, 30, vec3.subtract(vec3.load(s, 30), y))
    vec3.store(t, 30, vec3.subtract(vec3.load(t, 30), z))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel(inline=True)
def add_mass_columns(tree, ways, heavies, block, sums, load_work):
    """Columns of a block that make a body heavier, its inertia in proportion: the force on it acts once more."""
    for j in range(heavies.shape[0]):
        b, c = heavies[j, 0], heavies[j, 1] - lanes.LANES * block
        if not 0 <= c < lanes.LANES:
            continue
        into = load_work[b if tree[b].nv > 0 else ways[b, UP]]
        for k in range(6):
            into.x[k, c] += sums[b, 22 + k]
        for i in range(b + 1, tree.shape[0]):
            if tree[i].parent == b:
                for k in range(6):
                    into.x[k, c] -= sums[i, 22 + k]


@kernel
def accelerate_columns(model, block, work, columns_work):
    """Accelerations of a block of columns from their efforts, both in Y of `columns_work`, after `prepare_terms`."""
    tree, bodies, ways, mixing = model.skeleton.tree, model.bodies, model.ways, work.mixing
    terms, factors = work.terms, work.factors
    path, load, motion = work.path[block], work.load[block], work.motion[block]
    n = tree.shape[0]
    for i in range(n):
        if tree[i].nv > 0:
            spread(tree, bodies, ways, i, terms, columns_work, path, load)
    add_mass_columns(tree, ways, model.heavies, block, work.sums, load)
    for i in range(n - 1, -1, -1):
        row = tree[i]
        if row.nv == 0:
            continue
        if row.kind == BALL and row.nl > 0:
            L = mat3.transpose(mat3.load(mixing[i], MIX))
            lanes.mix_three(L, columns_work[row.v0 : row.v0 + 3])
        gather(tree, bodies, ways, i, terms, factors, columns_work, load)
        if row.kind == FREE and ways[i, UP] < n:
            K = mat3.load(mixing[i], MIX)
            lanes.turn_moment(K, columns_work[row.v0 : row.v0 + 6], load[ways[i, UP]])
    for i in range(n):
        row = tree[i]
        if row.nv > 0:
            respond(tree, bodies, ways, i, factors, columns_work, motion)
        if row.kind == BALL and row.nl > 0:
            lanes.mix_three(mat3.load(mixing[i], MIX), columns_work[row.v0 : row.v0 + 3])


@kernel(inline=True)
def turn_step(row, v, vdot, span, mixing_out):
    """What a step of a ball or free joint does to directions: E, the step turned back, and the right Jacobian J of it."""
    w = vec3.add_scaled(vec3.load(v, row.v0), span.h_v, vec3.load(vdot, row.v0))
    x = vec3.scale(-span.h, w)
    mat3.store(mixing_out, TURN, rotation.exp_matrix(x))
    e = rotation.left_jacobian(x, (1.0, 0.0, 0.0))
    f = rotation.left_jacobian(x, (0.0, 1.0, 0.0))
    g = rotation.left_jacobian(x, (0.0, 0.0, 1.0))
    mat3.store(mixing_out, JACOBIAN, (e[0], f[0], g[0], e[1], f[1], g[1], e[2], f[2], g[2]))


@kernel(inline=True)
def advance_columns(row, v, span, dh, mixing, work, columns_work):
    """A block of columns of a joint over the step: `registry.advance` varied. `v` is the velocity before it."""
    d, h_v, u, vdot = row.v0, span.h_v, work.u, work.vdot
    if row.kind == BALL or row.kind == FREE:
        a = vec3.load(vdot, d)
        w = vec3.add_scaled(vec3.load(v, d), h_v, a)
        turning = Turning(w, mat3.load(mixing, TURN), mat3.load(mixing, JACOBIAN))
        if row.kind == BALL:
            lanes.advance_ball(a, turning, span, dh, columns_work[d : d + 3])
        else:
            b, u_w, u_v = vec3.load(vdot, d + 3), vec3.load(u, d), vec3.load(u, d + 3)
            m = vec3.add_scaled(vec3.load(v, d + 3), h_v, vec3.add(b, vec3.cross(u_w, u_v)))
            sliding = Sliding(m, mat3.transform(turning.E, m), u_w, u_v)
            lanes.advance_free(a, b, turning, sliding, span, dh, columns_work[d : d + 6])
    else:
        for k in range(d, d + row.nv):
            lanes.advance_one(vdot[k], v[k] + h_v * vdot[k], span, dh, columns_work[k])
