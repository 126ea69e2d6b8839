"""Styles: what is kept least where the goals leave a choice (Kim & Pollard 2008, section 3).

A style is a quadratic form `|S x + s|²` of the command; here its matrix `H = Sᵀ S` and right side `-Sᵀ s`. It is counted
from accelerations toward a rest pose: joints that no goal needs drift there and come to rest, in every style. Here is also
the basis that levels of goals begin with, and where style and damping lead in it.
"""

from __future__ import annotations

from stringless.control.kernels_linear import factor, inverse_transposed
from stringless.control.kernels_tasks import point_motion, write_point_jacobian
from stringless.control.records import LevelProgram
from stringless.control.tables import ACCELERATION, TORQUE, VELOCITY
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import vec3

STYLE_WEIGHT = 2e-4
REACTION_WEIGHT = 1e-4
SUPPORT_WEIGHT = 0.1
"""When counting on the ground: weights of the style, of the reactions [1/N²] and of support points that hold still."""
SUPPORT_DAMPING = 20.0
"""How fast a support point that moves is brought to rest [1/s]."""
RIDGE = 1e-10
ROBUST = 0.22
"""Where the robust inverse begins to damp: at a singular value that is this share of the size of a goal's response."""


@kernel
def find_pose_bias(skeleton, character, motion, pose, style_work):
    """Accelerations toward the rest pose: `-kp (q ⊖ q_0) - kv v`."""
    columns, kp, kv = character.columns, character.rest_kp, character.rest_kv
    done = -1
    for c in range(columns.shape[0]):
        d = columns[c]
        body = skeleton.dofs[d].body
        if body != done:
            registry.difference(skeleton.tree[body], motion.q, pose, style_work.error)
            done = body
        style_work.rest[c] = kp * style_work.error[d] - kv * motion.v[d]


@kernel(inline=True)
def add_square(n, weight, row, missing, H_out, c_out):
    """`weight (row · x + missing)²`."""
    for i in range(n):
        a = weight * row[i]
        if a != 0.0:
            c_out[i] -= a * missing
            for j in range(i + 1):
                H_out[i, j] += a * row[j]


@kernel(inline=True)
def add_least_acceleration(columns, weights, rest, H_out, c_out):
    """`|W (x - rest)|²`."""
    for i in range(columns.shape[0]):
        w = weights[columns[i]]
        H_out[i, i] = w * w
        c_out[i] = w * w * rest[i]


@kernel(inline=True)
def add_least_torque(columns, weights, effect, rest, H_out, c_out):
    """`|W (T x + t0 - T rest)|²`: gravity is not made up for."""
    n, T = columns.shape[0], effect.T
    for k in range(n):
        d = columns[k]
        missing = effect.t0[d]
        for j in range(n):
            missing -= T[d, j] * rest[j]
        add_square(n, weights[d] * weights[d], T[d], missing, H_out, c_out)


@kernel(inline=True)
def add_least_velocity(tree, character, motion, weights, effect, rest, H_out, c_out):
    """`|W (v + h (D x + qdd0) - v_0)|²` over all coordinates, the root's included (corrected eq. 8).

    `v_0` is the slow way back to the rest pose, at which its law `rest = kp e - kv v` asks for nothing more.
    """
    n, kv, v, h, D = character.columns.shape[0], character.rest_kv, motion.v, motion.h, effect.D
    for k in range(character.members.shape[0]):
        row = tree[character.members[k]]
        for d in range(row.v0, row.v0 + row.nv):
            add_square(n, weights[d] * weights[d], D[d], v[d] / h + effect.qdd0[d], H_out, c_out)
    for k in range(n if kv > 0.0 else 0):
        d = character.columns[k]
        back = weights[d] * weights[d] * (v[d] + rest[k] / kv) / h
        for i in range(n):
            c_out[i] += D[d, i] * back


@kernel
def write_style(skeleton, character, motion, weights, effect, style_work):
    """Matrix and right side of the style; when counting on the ground, reactions and support points are part of it."""
    n, nx, H_out, c_out = effect.directed, effect.unknowns, style_work.H, style_work.c
    for i in range(nx):
        c_out[i] = 0.0
        for j in range(nx):
            H_out[i, j] = 0.0
    if character.style == TORQUE:
        add_least_torque(character.columns, weights, effect, style_work.rest, H_out, c_out)
    elif character.style == VELOCITY:
        add_least_velocity(skeleton.tree, character, motion, weights, effect, style_work.rest, H_out, c_out)
    else:
        add_least_acceleration(character.columns, weights, style_work.rest, H_out, c_out)
    mean = 0.0
    for i in range(n):
        mean += H_out[i, i] / n
    scale = STYLE_WEIGHT / mean if effect.on_ground else 1.0
    for i in range(n):
        c_out[i] *= scale
        for j in range(i + 1):
            H_out[i, j] *= scale
        H_out[i, i] += RIDGE * scale * mean
    if effect.on_ground:
        for k in range(effect.points.shape[0]):
            hold_point_still(skeleton, k, motion, effect, style_work, H_out, c_out)
    for i in range(nx):
        for j in range(i):
            H_out[j, i] = H_out[i, j]


@kernel(inline=True)
def hold_point_still(skeleton, k, motion, effect, style_work, H_out, c_out):
    """Support point k shall not accelerate, softly; its reactions shall be small."""
    n, nx, J, row = effect.directed, effect.unknowns, style_work.J, style_work.row
    for s in range(3):
        H_out[n + 3 * k + s, n + 3 * k + s] += REACTION_WEIGHT
    x = vec3.load(effect.points[k], 0)
    gravity = vec3.load(skeleton.gravity, 0)
    xdot, bias = point_motion(effect.point_bodies[k], x, gravity, effect.bias, motion.bodies)
    write_point_jacobian(skeleton, motion, effect.point_bodies[k], x, False, J)
    for s in range(3):
        b = -bias[s] - SUPPORT_DAMPING * xdot[s]
        for c in range(nx):
            row[c] = 0.0
        for d in range(skeleton.dofs.shape[0]):
            j = J[s, d]
            if j != 0.0:
                b -= j * effect.qdd0[d]
                for c in range(nx):
                    row[c] += j * effect.D[d, c]
        add_square(nx, SUPPORT_WEIGHT, row, -b, H_out, c_out)


@kernel
def begin_levels(character, motion, weights, effect, style_work, solver_work):
    """What the levels of goals begin with: columns N, and where damping and style lead in them.

    Damping is counted in joint rates, whatever the style, so N is orthonormal in joint weights: `N = W⁻¹`. With the ground
    counted on, everything is weighed against the style: `N = L⁻ᵀ`, with `H = L Lᵀ`.
    """
    n, N, L, centres = effect.unknowns, solver_work.N, solver_work.H, solver_work.centres
    if effect.on_ground:
        for i in range(n):
            for j in range(i + 1):
                L[i, j] = style_work.H[i, j]
        factor(n, L)
        inverse_transposed(n, L, N)
        for j in range(n):
            s = 0.0
            for i in range(j + 1):
                s += N[i, j] * style_work.c[i]
            centres[0, j] = centres[1, j] = s
    else:
        for i in range(n):
            d = character.columns[i]
            for j in range(n):
                N[i, j] = 0.0
            N[i, i] = 1.0 / weights[d]
            centres[0, i], centres[1, i] = -weights[d] * motion.v[d], weights[d] * style_work.rest[i]
    alpha = 1.0 if effect.on_ground else ROBUST * ROBUST
    orthonormal = effect.on_ground or character.style == ACCELERATION
    return LevelProgram(n, character.levels, alpha, not effect.on_ground, orthonormal, style_work.H, style_work.c)
