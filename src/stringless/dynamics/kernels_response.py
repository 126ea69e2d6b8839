"""Factor once, solve many: what wrenches on bodies add to a tree whose joints have been eliminated already.

The elimination (`kernels_in`) has left `U = Jh S` at the parent's origin and `Psi = 1/(Sᵀ Jh S + armature)` of every free
coordinate. A further right-hand side costs one sweep in and one sweep out, and the block of them one of each per column:

    in:   y = -Sᵀ F,  F_parent += shift(F + Psi y U)
    out:  qdd = Psi (y - U · A_parent),  A = shift(A_parent) + S qdd

with F the bias force of a body. `kernels_commands` has the same two sweeps for right-hand sides that are commands: unit
accelerations and efforts of single coordinates. It takes S at the parent's origin where this takes F back to the body's own;
the last digits differ, and results that replays depend on go through each, so both stay.
"""

from typing import NamedTuple

import numpy as np

from stringless.dynamics.kernels_out import add_coordinate, load_of
from stringless.jit import kernel
from stringless.spatial import inertia, vec3, vec6
from stringless.spatial.arrays import FloatArray


class Response(NamedTuple):
    """What a tree answers to a wrench on every body; n bodies, nv velocity coordinates."""

    load: FloatArray
    """The bias force that every joint transmits for it, about the body's origin, shape (n, 6)."""
    y: FloatArray
    """What of that acts on coordinates, shape (nv,)."""
    A: FloatArray
    """Accelerations of bodies, shape (n, 6) ..."""
    dv: FloatArray
    """... and of joints, shape (nv,)."""


def make_response(bodies: int, coordinates: int) -> Response:
    """Allocate a response of a tree of this size."""
    return Response(np.zeros((bodies, 6)), np.zeros(coordinates), np.zeros((bodies, 6)), np.zeros(coordinates))


@kernel(inline=True)
def sweep_in(skeleton, i, prescribed, body_work, dof_work, response_out):
    """Take the joint of body i out of the bias force (m, f) of it, and add the rest to that of its parent."""
    row, load = skeleton.tree[i], response_out.load
    r = vec3.load(body_work[i].r, 0)
    m, f = inertia.shift_force(vec3.load(load[i], 0), vec3.load(load[i], 3), r)
    for k in range(row.nv):
        d = row.v0 + row.nv - 1 - k
        response_out.y[d] = 0.0
        if prescribed.shape[0] > 0 and prescribed[d]:
            continue
        dof = dof_work[d]
        a = vec3.load(dof.a, 0)
        y = -vec3.dot(a, vec3.subtract(m, vec3.cross(r, f)) if skeleton.dofs[d].rotational == 1 else f)
        response_out.y[d] = y
        m = vec3.add_scaled(m, dof.Psi * y, vec3.load(dof.U, 0))
        f = vec3.add_scaled(f, dof.Psi * y, vec3.load(dof.U, 3))
    if row.parent >= 0:
        vec6.add_to(load[row.parent], 0, m, f)


@kernel(inline=True)
def sweep_out(skeleton, i, prescribed, body_work, dof_work, response_out):
    """Accelerations of the joint and of body i from those of its parent."""
    row, A, dv = skeleton.tree[i], response_out.A, response_out.dv
    r = vec3.load(body_work[i].r, 0)
    P_w = (0.0, 0.0, 0.0)
    P_v = (0.0, 0.0, 0.0)
    if row.parent >= 0:
        P_w, P_v = vec6.load(A[row.parent], 0)
    A_w, A_v = inertia.shift_motion(P_w, P_v, r)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        if prescribed.shape[0] > 0 and prescribed[d]:
            dv[d] = 0.0
            continue
        rate = dof.Psi * (response_out.y[d] - load_of(dof, P_w, P_v))
        dv[d] = rate
        P_w, P_v, A_w, A_v = add_coordinate(
            skeleton.dofs[d].rotational, rate, vec3.load(dof.a, 0), r, P_w, P_v, A_w, A_v
        )
    vec6.store(A[i], 0, A_w, A_v)


@kernel
def find_response(skeleton, prescribed, wrench, body_work, dof_work, response_out):
    """Accelerations of bodies and joints that a wrench on every body adds, moment first, about origins, world axes."""
    n = skeleton.tree.shape[0]
    for i in range(n):
        for k in range(6):
            response_out.load[i, k] = -wrench[i, k]
    for i in range(n - 1, -1, -1):
        sweep_in(skeleton, i, prescribed, body_work, dof_work, response_out)
    for i in range(n):
        sweep_out(skeleton, i, prescribed, body_work, dof_work, response_out)


@kernel
def add_response(skeleton, prescribed, response, dof_work, body_work, vdot_out, effort_out):
    """Add a response to the accelerations of the step, and to the efforts of prescribed coordinates."""
    tree, A, load = skeleton.tree, response.A, response.load
    for i in range(tree.shape[0]):
        work = body_work[i]
        for k in range(6):
            work.A[k] += A[i, k]
        for d in range(tree[i].v0, tree[i].v0 + tree[i].nv):
            vdot_out[d] += response.dv[d]
            if prescribed.shape[0] > 0 and prescribed[d]:
                I, H, M = inertia.load(work.Jh)
                m, f = inertia.apply(I, H, M, vec3.load(A[i], 0), vec3.load(A[i], 3))
                m, f = vec3.add(m, vec3.load(load[i], 0)), vec3.add(f, vec3.load(load[i], 3))
                effort_out[d] += vec3.dot(vec3.load(dof_work[d].a, 0), m if skeleton.dofs[d].rotational == 1 else f)
